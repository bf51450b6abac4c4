//! The pacing lab: the quality bar over its displays, and its commands from outside.

mod bar;
mod commands;
mod compare;
mod import;
mod pictures;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder of its own for a test's files.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&path).expect("the folder can be made");
    path
}

/// The command with these words.
fn lab(words: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_evenstep"))
        .arg("lab")
        .args(words.split_whitespace())
        .output()
        .expect("the command runs")
}

/// What it prints, when all is well.
fn printed(words: &str) -> String {
    let output = lab(words);
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}
