//! Runs the web builder, which is a separate workspace because its dependencies are heavy.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::run::{Result, command, root};

/// `cargo xtask web`: builds the pages into `target/web` and serves them. The web builder parses the options and prints
/// its own errors.
pub(crate) fn web(options: &[&str]) -> Result<ExitCode> {
    let mut tool = tool(options);
    // A folder that the options name is relative to where the command was typed.
    if let Ok(here) = std::env::current_dir() {
        tool.current_dir(here);
    }
    let status = tool.status().map_err(|error| format!("cargo could not be started: {error}"))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs the web builder with these options.
pub(crate) fn tool(options: &[&str]) -> Command {
    let mut tool = cargo("run");
    tool.arg("--").args(options);
    tool
}

/// Lints the web builder.
pub(crate) fn lints() -> Command {
    let mut clippy = cargo("clippy");
    clippy.args(["--all-targets", "--", "-D", "warnings"]);
    clippy
}

/// Runs the web builder's own tests.
pub(crate) fn tests() -> Command {
    cargo("test")
}

/// The path of the web builder, once it is built.
pub(crate) fn program() -> PathBuf {
    folder().join("debug/web-builder")
}

fn cargo(verb: &str) -> Command {
    let mut cargo = command(&["cargo", verb, "--locked", "--manifest-path"]);
    cargo.arg(root().join("tools/web-builder/Cargo.toml")).env("CARGO_TARGET_DIR", folder());
    cargo
}

fn folder() -> PathBuf {
    root().join("target/web-tool")
}
