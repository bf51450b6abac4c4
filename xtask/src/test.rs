//! `cargo xtask test`: everything that CI checks, in the order in which it fails fastest.

#![expect(clippy::disallowed_methods, reason = "says how long each step took")]

use std::process::Command;
use std::time::Instant;

use crate::run::{Result, capture, command, root, run};
use crate::{packages, web};

/// Bare metal: proves that the core needs neither std nor an allocator.
const NO_STD_TARGET: &str = "thumbv7em-none-eabi";
const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// What it checks, and how.
type Step = (&'static str, Command);

fn run_steps(steps: Vec<Step>) -> Result<()> {
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
    packages::ensure(packages::FOR_TESTS)?;
    let steps = [formatting(), code(), pages(), windows()].into_iter().flatten();
    run_steps(steps.collect())
}

fn formatting() -> Vec<Step> {
    let of = |manifest| command(&["cargo", "fmt", "--manifest-path", manifest, "--check"]);
    vec![
        ("formatting", command(&["cargo", "fmt", "--all", "--check"])),
        ("formatting of the bench", of("bench/Cargo.toml")),
        ("formatting of the fuzzer", of("fuzz/Cargo.toml")),
        ("formatting of the page tool", of("web/Cargo.toml")),
    ]
}

fn code() -> Vec<Step> {
    let clippy =
        |of: &[&str]| command(&[&["cargo", "clippy", "--locked"], of, &["--", "-D", "warnings"]].concat());
    let mut docs = command(&["cargo", "doc", "--workspace", "--no-deps", "--document-private-items"]);
    docs.env("RUSTDOCFLAGS", "-D warnings");
    vec![
        ("lints", clippy(&["--workspace", "--all-targets"])),
        (
            "lints of what runs on a page",
            clippy(&[
                "--target",
                WASM_TARGET,
                "--package",
                "evenstep-host-probe",
                "--package",
                "starship",
                "--package",
                "pacing-lab",
            ]),
        ),
        ("lints of the bench", clippy(&["--manifest-path", "bench/Cargo.toml", "--all-targets"])),
        ("lints of gamepads", clippy(&["--package", "starship", "--features", "gamepad"])),
        ("unit, property, doc and integration tests", command(&["cargo", "test", "--workspace", "--locked"])),
        (
            "the core on bare metal",
            command(&["cargo", "build", "--package", "evenstep", "--target", NO_STD_TARGET]),
        ),
        ("the core on wasm", command(&["cargo", "build", "--package", "evenstep", "--target", WASM_TARGET])),
        ("documentation", docs),
    ]
}

/// In a real Chromium.
fn pages() -> Vec<Step> {
    let test = |script, site| {
        let mut node = command(&["node", script, "--site", site, "--server"]);
        node.arg(web::program());
        node
    };
    // Built with the tests: what the pages must agree with.
    let native = |program| root().join("target/debug").join(program);
    let mut game = test("starship/app/web-test/test.mjs", "target/web");
    game.env("REPLAY", native("examples/replay"));
    let mut lab = test("lab/web-test/test.mjs", "target/web");
    lab.env("EVENSTEP", native("evenstep")).env("DIGEST", native("examples/digest"));
    vec![
        ("lints of the page tool", web::lints()),
        ("the page tool", web::tests()),
        ("the pages", web::tool(&["--build-only"])),
        ("the web host's page", web::tool(&["--probe", "--build-only"])),
        ("Playwright", command(&["npm", "install", "--prefix", "web/browser", "--no-audit", "--no-fund"])),
        ("the web host in Chromium", test("crates/evenstep-host/web-test/test.mjs", "target/web-probe")),
        ("the game in Chromium", game),
        ("the pacing lab in Chromium", lab),
    ]
}

/// On real X servers and a real Wayland compositor: those of the window host and of the game. All packages are named, so that nothing is built anew.
fn windows() -> Vec<Step> {
    let words = ["cargo", "test", "--workspace", "--locked", "--test", "window", "--", "--ignored"];
    vec![("windows on X and Wayland", command(&words))]
}

pub(crate) fn renew_golden() -> Result<()> {
    let mut tests = command(&["cargo", "test", "--package", "evenstep-cli", "--test", "it", "golden"]);
    tests.env("EVENSTEP_RENEW_GOLDEN", "1");
    run(tests)
}

/// What can be fuzzed.
pub(crate) const FUZZ_TARGETS: [&str; 3] = ["trace", "physics", "state"];

pub(crate) fn fuzz(target: &str, seconds: &str) -> Result<()> {
    let limit = format!("-max_total_time={seconds}");
    run(command(&["cargo", "+nightly", "fuzz", "run", target, "--", &limit])).map_err(|error| {
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
