//! The pages: a tool of its own builds and serves them, so that nobody else waits for what it depends on.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::run::{Result, command, root};

/// `cargo xtask web`: builds the pages into `target/web` and serves them; the options are the tool's, and so are the
/// words when it fails.
pub(crate) fn web(options: &[&str]) -> Result<ExitCode> {
    let status = tool(options).status().map_err(|error| format!("cargo could not be started: {error}"))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The tool with these options.
pub(crate) fn tool(options: &[&str]) -> Command {
    let mut tool = cargo("run");
    tool.arg("--").args(options);
    tool
}

/// What the compiler makes of it.
pub(crate) fn lints() -> Command {
    let mut clippy = cargo("clippy");
    clippy.args(["--all-targets", "--", "-D", "warnings"]);
    clippy
}

/// The tool's own tests.
pub(crate) fn tests() -> Command {
    cargo("test")
}

/// The tool as a program, once it was built.
pub(crate) fn program() -> PathBuf {
    folder().join("debug/web-builder")
}

fn cargo(verb: &str) -> Command {
    let mut cargo = command(&["cargo", verb, "--locked", "--manifest-path", "tools/web-builder/Cargo.toml"]);
    cargo.env("CARGO_TARGET_DIR", folder());
    cargo
}

fn folder() -> PathBuf {
    root().join("target/web-tool")
}
