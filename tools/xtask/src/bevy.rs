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

/// Tests the plugin.
pub(crate) fn tests() -> Step {
    ("tests of the Bevy plugin", cargo("test").into())
}

/// Tests the plugin beside others. They need the umbrella crate `bevy`, which asks for a newer Rust than it uses.
pub(crate) fn tests_with_others() -> Step {
    let mut tests = cargo("test");
    tests.args(["--package", "bevy_evenstep_examples", "--ignore-rust-version"]);
    ("tests of the Bevy plugin with avian2d and interpolation", tests.into())
}

fn cargo(verb: &str) -> Command {
    command(&["cargo", verb, "--locked", "--manifest-path", MANIFEST])
}
