//! `cargo xtask npm`: builds the npm package into `npm/dist`, and its tests.

use std::process::Command;

use crate::run::{Result, command, root, run};
use crate::steps::Step;
use crate::web;

/// Builds the package: the wasm modules, JavaScript and types.
pub(crate) fn build() -> Result<()> {
    run(web::tool(&["--npm"]))?;
    // As locked. `npm ci` would insist on the lock file naming optional packages of other systems, which a registry's mirror
    // may not have.
    run(in_npm(&["npm", "install", "--no-save", "--no-audit", "--no-fund"]))?;
    run(in_npm(&["npm", "run", "build", "--silent"]))?;
    println!("npm/dist is ready: `npm pack` or `npm publish` in npm/");
    Ok(())
}

/// Tests of the package. They need the `evenstep` command, which the workspace's tests build, and Playwright.
pub(crate) fn tests() -> Vec<Step> {
    let mut node = in_npm(&["npm", "test", "--silent"]);
    node.env("EVENSTEP", root().join("target/debug/evenstep"));
    let chromium = ["node", "test/browser/test.mjs", "--server", "test/browser/serve.mjs", "--site", ".test"];
    vec![
        ("the npm package", crate::steps::Action::Call(build)),
        ("the npm package in node", node.into()),
        ("pages with the packed npm package", in_npm(&["node", "test/browser/prepare.mjs"]).into()),
        ("the npm package in Chromium", in_npm(&chromium).into()),
    ]
}

/// Prepares a command in the package's folder.
pub(crate) fn in_npm(words: &[&str]) -> Command {
    let mut command = command(words);
    command.current_dir(root().join("npm"));
    command
}
