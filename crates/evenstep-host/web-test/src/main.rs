//! Builds the probe for the web and runs `test.mjs` against it in Chromium.
//!
//! Run: `cargo run --manifest-path crates/evenstep-host/web-test/Cargo.toml`
//!
//! It needs Chromium and node (Debian: `chromium nodejs`), and the target wasm32-unknown-unknown. It fails
//! when one of them is missing.

use std::path::Path;
use std::process::{Command, ExitCode};

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    match test() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("web: {error}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Result<(), String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = here.join("target");
    run(Command::new("rustup").args(["target", "add", "wasm32-unknown-unknown"]))?;
    run(Command::new(env!("CARGO"))
        .args(["build", "--locked", "--bin", "probe", "--target", "wasm32-unknown-unknown"])
        .current_dir(here)
        .env("CARGO_TARGET_DIR", &target))?;

    let site = target.join("site");
    Bindgen::new()
        .input_path(target.join("wasm32-unknown-unknown/debug/probe.wasm"))
        .web(true)
        .map_err(|error| error.to_string())?
        .typescript(false)
        .omit_default_module_path(false)
        .generate(&site)
        .map_err(|error| format!("{error:#}"))?;
    std::fs::copy(here.join("index.html"), site.join("index.html")).map_err(|error| error.to_string())?;

    run(Command::new("node").arg(here.join("test.mjs")).arg(&site))
}

fn run(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?} failed: {status}")),
        Err(error) => Err(format!("{command:?} could not be started: {error}")),
    }
}
