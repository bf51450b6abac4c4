//! `cargo xtask test`: everything that CI checks, in the order in which it fails fastest.

#![expect(clippy::disallowed_methods, reason = "says how long each step took")]

use std::process::Command;
use std::time::Instant;

use crate::run::{Result, capture, command, run};

/// Bare metal: proves that the core needs neither std nor an allocator.
const NO_STD_TARGET: &str = "thumbv7em-none-eabi";
const WASM_TARGET: &str = "wasm32-unknown-unknown";

pub(crate) fn run_steps(steps: Vec<(&str, Command)>) -> Result<()> {
    let count = steps.len();
    for (n, (name, command)) in steps.into_iter().enumerate() {
        println!("\n== {}/{count} {name}", n + 1);
        let start = Instant::now();
        run(command).map_err(|error| format!("{name}: {error}"))?;
        println!("== {name}: {:.1} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}

pub(crate) fn run_tests() -> Result<()> {
    ensure_component("rustfmt")?;
    ensure_component("clippy")?;
    ensure_target(NO_STD_TARGET)?;
    ensure_target(WASM_TARGET)?;

    let mut docs = command(&["cargo", "doc", "--workspace", "--no-deps", "--document-private-items"]);
    docs.env("RUSTDOCFLAGS", "-D warnings");
    run_steps(vec![
        ("formatting", command(&["cargo", "fmt", "--all", "--check"])),
        (
            "formatting of the bench",
            command(&["cargo", "fmt", "--manifest-path", "bench/Cargo.toml", "--check"]),
        ),
        (
            "formatting of the fuzzer",
            command(&["cargo", "fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"]),
        ),
        (
            "lints",
            command(&["cargo", "clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]),
        ),
        ("unit, property, doc and integration tests", command(&["cargo", "test", "--workspace", "--locked"])),
        (
            "the core on bare metal",
            command(&["cargo", "build", "--package", "evenstep", "--target", NO_STD_TARGET]),
        ),
        ("the core on wasm", command(&["cargo", "build", "--package", "evenstep", "--target", WASM_TARGET])),
        ("documentation", docs),
    ])
}

pub(crate) fn renew_golden() -> Result<()> {
    let mut tests = command(&["cargo", "test", "--package", "evenstep-cli", "--test", "it", "golden"]);
    tests.env("EVENSTEP_RENEW_GOLDEN", "1");
    run(tests)
}

pub(crate) fn fuzz(seconds: &str) -> Result<()> {
    let limit = format!("-max_total_time={seconds}");
    run(command(&["cargo", "+nightly", "fuzz", "run", "trace", "--", &limit])).map_err(|error| {
        format!("{error}\nInstall with: cargo install cargo-fuzz && rustup toolchain install nightly")
    })
}

fn ensure_component(name: &str) -> Result<()> {
    ensure("component", name, &["rustup", "component", "list", "--installed"])
}

fn ensure_target(name: &str) -> Result<()> {
    ensure("target", name, &["rustup", "target", "list", "--installed"])
}

/// Adds a part of the toolchain when it is missing.
fn ensure(kind: &str, name: &str, list: &[&str]) -> Result<()> {
    let installed = capture(command(list)).map_err(|error| format!("rustup is needed: {error}"))?;
    if installed.lines().any(|line| line.starts_with(name)) {
        return Ok(());
    }
    println!("== installing the {kind} {name} with rustup");
    run(command(&["rustup", kind, "add", name]))
}
