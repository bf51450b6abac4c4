//! What dependencies bring along, checked by cargo-deny against deny.toml: licences, sources, advisories.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{Result, capture, command, root, run};

/// What is installed where there is none yet.
const VERSION: &str = "^0.20";

/// Checks licences, bans and sources.
pub(crate) fn check() -> Result<()> {
    run(deny(&["check", "--hide-inclusion-graph", "licenses", "bans", "sources"])?)
}

/// Checks for known vulnerabilities where their database can be had, and says so where it cannot.
pub(crate) fn check_advisories() -> Result<()> {
    if let Err(error) = capture(deny(&["fetch", "db"])?) {
        println!("{error}\nNOT CHECKED: the database of advisories cannot be fetched from here.");
        return Ok(());
    }
    run(deny(&["check", "--disable-fetch", "--hide-inclusion-graph", "advisories"])?)
}

/// cargo-deny with these words: the user's own, or one that is installed for this repository alone.
fn deny(words: &[&str]) -> Result<Command> {
    let folder = root().join("target/cargo-deny");
    let ours = folder.join("bin/cargo-deny");
    let program = if capture(command(&["cargo-deny", "--version"])).is_ok() {
        PathBuf::from("cargo-deny")
    } else {
        if !ours.exists() {
            install(&folder)?;
        }
        ours
    };
    let mut deny = Command::new(program);
    deny.args(words).current_dir(root());
    Ok(deny)
}

/// Installs it unoptimised: so it builds in a minute and a half instead of four, and a check takes seconds either way.
fn install(folder: &Path) -> Result<()> {
    println!("== installing cargo-deny into {}", folder.display());
    let mut install =
        command(&["cargo", "install", "cargo-deny", "--version", VERSION, "--locked", "--debug"]);
    install.arg("--root").arg(folder).env("CARGO_PROFILE_DEV_DEBUG", "false");
    run(install)
}
