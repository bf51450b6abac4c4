//! The static site: wasm, its JavaScript half, and the page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";

/// Builds everything into `target/web` and tells where that is.
pub fn build() -> Result<PathBuf, String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.parent().ok_or("this package is in the repository")?;
    add_target()?;
    // A folder of its own: other flags in the same one would build everything again, here and there.
    let build = root.join("target/wasm");
    // As a cdylib, which only a page needs.
    run(Command::new("cargo")
        .args(["rustc", "--release", "--locked", "-p", "starship", "--lib", "--crate-type", "cdylib"])
        .args(["--target", TARGET])
        .current_dir(root)
        .env("CARGO_TARGET_DIR", &build)
        // Link-time optimisation saves little here and takes minutes.
        .env("CARGO_PROFILE_RELEASE_LTO", "off"))?;
    let site = root.join("target/web");
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", site.display());
    fs::create_dir_all(&site).map_err(failed)?;
    Bindgen::new()
        .input_path(build.join(TARGET).join("release/starship_app.wasm"))
        .web(true)
        .map_err(|error| error.to_string())?
        .typescript(false)
        .omit_default_module_path(false)
        .generate(&site)
        .map_err(|error| format!("{error:#}"))?;
    for file in fs::read_dir(here.join("site")).map_err(failed)? {
        let file = file.map_err(failed)?;
        fs::copy(file.path(), site.join(file.file_name())).map_err(failed)?;
    }
    println!("{}", site.display());
    Ok(site)
}

fn add_target() -> Result<(), String> {
    let installed = Command::new("rustup").args(["target", "list", "--installed"]).output();
    match installed {
        Ok(output) if String::from_utf8_lossy(&output.stdout).lines().any(|line| line == TARGET) => Ok(()),
        Ok(_) => run(Command::new("rustup").args(["target", "add", TARGET])),
        // Without rustup the toolchain may have the target all the same; the build will tell.
        Err(_) => Ok(()),
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?} failed: {status}")),
        Err(error) => Err(format!("{command:?} could not be started: {error}")),
    }
}
