//! Checks the Bevy plugin, which is a separate workspace, so that nothing else depends on Bevy.

use std::process::Command;

use crate::run::command;
use crate::steps::Step;

/// The manifest of the plugin's workspace.
pub(crate) const MANIFEST: &str = "adapters/bevy_evenstep/Cargo.toml";

/// Lints, documents and tests the plugin, and builds it for wasm.
pub(crate) fn steps(wasm_target: &str) -> Vec<Step> {
    let mut lints = cargo("clippy");
    lints.args(["--all-targets", "--features", "overlay", "--", "-D", "warnings"]);
    let mut tests = cargo("test");
    // The tests with other plugins need the umbrella crate `bevy`, which asks for a newer Rust than it uses.
    tests.args(["--workspace", "--ignore-rust-version"]);
    let mut docs = cargo("doc");
    docs.args(["--no-deps", "--features", "overlay"]).env("RUSTDOCFLAGS", "-D warnings");
    let mut wasm = cargo("build");
    wasm.args(["--package", "bevy_evenstep", "--target", wasm_target]);
    vec![
        ("lints of the Bevy plugin", lints.into()),
        ("documentation of the Bevy plugin", docs.into()),
        ("tests of the Bevy plugin, also with avian2d and interpolation", tests.into()),
        ("the Bevy plugin on wasm", wasm.into()),
    ]
}

fn cargo(verb: &str) -> Command {
    command(&["cargo", verb, "--locked", "--manifest-path", MANIFEST])
}
