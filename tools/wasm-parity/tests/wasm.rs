//! The core makes the same decisions on wasm as natively, bit for bit.

use std::path::PathBuf;
use std::process::Command;

use wasm_parity::{RUNS, decisions};

const FRAMES: u32 = 6_000;

/// Builds this crate for wasm, into a separate folder.
fn build_wasm() -> Vec<u8> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target_dir = root.join("target/wasm-decisions");
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--locked", "--package", "wasm-parity"])
        .args(["--target", "wasm32-unknown-unknown"])
        .arg("--target-dir")
        .arg(&target_dir)
        .current_dir(&root)
        .status()
        .expect("cargo runs");
    assert!(status.success(), "add the target: rustup target add wasm32-unknown-unknown");
    let module = target_dir.join("wasm32-unknown-unknown/release/wasm_parity.wasm");
    std::fs::read(&module).unwrap_or_else(|error| panic!("{}: {error}", module.display()))
}

#[test]
fn native_and_wasm_make_the_same_decisions_bit_for_bit() {
    let engine = wasmi::Engine::default();
    let module = wasmi::Module::new(&engine, build_wasm()).expect("the module is valid");
    let mut store = wasmi::Store::new(&engine, ());
    let instance =
        wasmi::Linker::new(&engine).instantiate_and_start(&mut store, &module).expect("it needs no imports");
    let on_wasm = instance.get_typed_func::<(u32, u32), u64>(&store, "decisions").expect("it is exported");
    let mut seen = std::collections::BTreeSet::new();
    for run in 0..RUNS {
        let here = decisions(run, FRAMES);
        assert_eq!(on_wasm.call(&mut store, (run, FRAMES)).expect("it does not trap"), here, "run {run}");
        assert!(seen.insert(here), "run {run} has the digest of another run, so the digest detects nothing");
    }
}
