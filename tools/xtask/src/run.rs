//! Running other programs.

use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) type Result<T> = std::result::Result<T, String>;

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// Prepares a command in the root of the repository.
pub(crate) fn command(words: &[&str]) -> Command {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(root());
    command
}

/// Runs a command and lets it print.
pub(crate) fn run(mut command: Command) -> Result<()> {
    let shown = format!("{command:?}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{shown} failed: {status}")),
        Err(error) => Err(format!("{shown} could not be started: {error}")),
    }
}

/// Runs a command and returns its output, followed by its error output.
pub(crate) fn capture(mut command: Command) -> Result<String> {
    let shown = format!("{command:?}");
    let output = command.output().map_err(|error| format!("{shown} could not be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(text.into_owned()) } else { Err(format!("{shown} failed:\n{text}")) }
}
