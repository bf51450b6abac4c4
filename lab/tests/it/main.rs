//! The pacing lab: the quality bar, and end-to-end tests of the program.

mod bar;
mod charts;
mod commands;
mod compare;
mod feedback;
mod harm;
mod harmless;
mod import;
mod pattern;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A separate folder for a test's files.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&path).expect("the folder can be made");
    path
}

/// Runs the program with these arguments.
fn lab(words: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_lab"));
    program.args(words.split_whitespace()).output().expect("the program runs")
}

/// The output of a successful run.
fn printed(words: &str) -> String {
    let output = lab(words);
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}
