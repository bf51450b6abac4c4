//! The page: a tool of its own builds and serves it, so that nobody else waits for what it depends on.

use crate::run::{Result, command, root, run};

/// `cargo xtask web`: builds the page into `target/web` and serves it; the options are the tool's.
pub(crate) fn web(options: &[&str]) -> Result<()> {
    let mut tool =
        command(&["cargo", "run", "--quiet", "--locked", "--manifest-path", "web/Cargo.toml", "--"]);
    tool.args(options).env("CARGO_TARGET_DIR", root().join("target/web-tool"));
    run(tool)
}
