//! The pages: a tool of its own builds and serves them, so that nobody else waits for what it depends on.

use std::path::PathBuf;
use std::process::Command;

use crate::run::{Result, command, root, run};

/// `cargo xtask web`: builds the pages into `target/web` and serves them; the options are the tool's.
pub(crate) fn web(options: &[&str]) -> Result<()> {
    run(tool(options))
}

/// The tool with these options.
pub(crate) fn tool(options: &[&str]) -> Command {
    let mut tool = cargo("run");
    tool.arg("--").args(options);
    tool
}

/// The tool's own tests.
pub(crate) fn tests() -> Command {
    cargo("test")
}

/// The tool as a program, once it was built.
pub(crate) fn program() -> PathBuf {
    folder().join("debug/evenstep-web")
}

fn cargo(verb: &str) -> Command {
    let mut cargo = command(&["cargo", verb, "--locked", "--manifest-path", "web/Cargo.toml"]);
    cargo.env("CARGO_TARGET_DIR", folder());
    cargo
}

fn folder() -> PathBuf {
    root().join("target/web-tool")
}
