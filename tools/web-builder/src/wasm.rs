//! Compiles packages to wasm: the one place that does, for pages and for the npm package.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The name of the target.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// How to compile.
#[derive(Debug)]
pub struct Profile {
    /// The folder in `target` for this profile, so that different ones do not overwrite each other.
    pub folder: &'static str,
    /// Flags for rustc.
    pub flags: &'static str,
    /// Settings of the release profile, in capitals.
    pub settings: &'static [(&'static str, &'static str)],
}

/// The root of the repository.
pub fn root() -> Result<&'static Path, String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).ok_or_else(|| "this package is not in its repository".into())
}

/// Compiles a package's library and returns the path of the module.
pub fn build(
    root: &Path,
    package: &str,
    library: &str,
    options: &[&str],
    profile: &Profile,
) -> Result<PathBuf, String> {
    add_target()?;
    let folder = root.join("target").join(profile.folder);
    let mut cargo = Command::new("cargo");
    cargo
        // As a cdylib, which only wasm needs.
        .args(["rustc", "--release", "--locked", "-p", package, "--lib", "--crate-type", "cdylib"])
        .args(["--target", TARGET])
        .args(options)
        .current_dir(root)
        .env("CARGO_TARGET_DIR", &folder)
        .env("RUSTFLAGS", profile.flags);
    for (setting, value) in profile.settings {
        cargo.env(format!("CARGO_PROFILE_RELEASE_{setting}"), value);
    }
    run(&mut cargo)?;
    Ok(folder.join(TARGET).join("release").join(library).with_extension("wasm"))
}

/// Installs the target, if rustup can and it is missing.
pub fn add_target() -> Result<(), String> {
    let installed = Command::new("rustup").args(["target", "list", "--installed"]).output();
    match installed {
        Ok(output) if String::from_utf8_lossy(&output.stdout).lines().any(|line| line == TARGET) => Ok(()),
        Ok(_) => run(Command::new("rustup").args(["target", "add", TARGET])),
        // Without rustup the target may still be installed; otherwise the build fails.
        Err(_) => Ok(()),
    }
}

/// Runs a command, which must succeed.
pub fn run(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?} failed: {status}")),
        Err(error) => Err(format!("{command:?} could not be started: {error}")),
    }
}
