//! Checks the Bevy plugin, which is a separate workspace, so that nothing else depends on Bevy.

use std::process::Command;

use crate::run::command;
use crate::steps::Step;

/// The manifest of the plugin's workspace.
pub(crate) const MANIFEST: &str = "adapters/bevy_evenstep/Cargo.toml";

/// Lints the plugin for wasm, and documents it.
pub(crate) fn lints(wasm_target: &str) -> [Step; 2] {
    // For wasm, so that one pass over Bevy's many crates also shows that the plugin compiles for it.
    let on_wasm = ["--features", "overlay", "--target", wasm_target];
    let mut lints = cargo("clippy");
    lints.args(on_wasm).args(["--all-targets", "--", "-D", "warnings"]);
    let mut docs = cargo("doc");
    docs.args(on_wasm).arg("--no-deps").env("RUSTDOCFLAGS", "-D warnings");
    [("lints of the Bevy plugin, on wasm", lints.into()), ("documentation of the Bevy plugin", docs.into())]
}

/// Tests the plugin, also with other plugins.
pub(crate) fn tests() -> Step {
    let mut tests = cargo("test");
    // The tests with other plugins need the umbrella crate `bevy`, which asks for a newer Rust than it uses.
    tests.args(["--workspace", "--ignore-rust-version"]);
    ("tests of the Bevy plugin, also with avian2d and interpolation", tests.into())
}

fn cargo(verb: &str) -> Command {
    command(&["cargo", verb, "--locked", "--manifest-path", MANIFEST])
}
