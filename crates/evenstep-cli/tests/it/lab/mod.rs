//! The pacing lab: the quality bar, and end-to-end tests of its commands.

mod bar;
mod charts;
mod commands;
mod compare;
mod harm;
mod import;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A separate folder for a test's files.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&path).expect("the folder can be made");
    path
}

/// Runs the command with these arguments.
fn lab(words: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_evenstep"))
        .arg("lab")
        .args(words.split_whitespace())
        .output()
        .expect("the command runs")
}

/// The output of a successful run.
fn printed(words: &str) -> String {
    let output = lab(words);
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}
