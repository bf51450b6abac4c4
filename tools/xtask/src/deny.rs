//! Checks dependencies with cargo-deny: licences, sources, advisories. The rules are in deny.toml.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::bevy;
use crate::run::{Result, capture, command, root, run};

/// The version to install.
const VERSION: &str = "^0.20";

/// The workspaces whose packages are published.
const MANIFESTS: [&str; 2] = ["Cargo.toml", bevy::MANIFEST];

/// Checks licences, bans and sources.
pub(crate) fn check() -> Result<()> {
    MANIFESTS.iter().try_for_each(|manifest| {
        let of = ["--manifest-path", manifest, "--config", "deny.toml", "--workspace"];
        let check = ["check", "--hide-inclusion-graph", "licenses", "bans", "sources"];
        run(deny(&[&of[..], &check].concat())?)
    })
}

/// Checks for known vulnerabilities, or prints that it could not if the database is not available.
pub(crate) fn check_advisories() -> Result<()> {
    if let Err(error) = capture(deny(&["fetch", "db"])?) {
        println!("{error}\nNOT CHECKED: the advisory database cannot be fetched.");
        return Ok(());
    }
    // Offline, because the database has just been fetched. What Bevy depends on is for Bevy to decide.
    run(deny(&["--offline", "check", "--hide-inclusion-graph", "advisories"])?)
}

/// Prepares cargo-deny with these arguments: the user's own installation, or a local one in `target`.
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

/// Installs a debug build of cargo-deny: it builds in a minute and a half instead of four, and checks take only seconds.
fn install(folder: &Path) -> Result<()> {
    println!("== installing cargo-deny into {}", folder.display());
    let mut install =
        command(&["cargo", "install", "cargo-deny", "--version", VERSION, "--locked", "--debug"]);
    install.arg("--root").arg(folder).env("CARGO_PROFILE_DEV_DEBUG", "false");
    run(install)
}
