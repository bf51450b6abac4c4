//! `cargo xtask test`, everything that CI checks, fast checks first; and `cargo xtask check`, a subset for everyday use.

use crate::run::{Result, capture, command, root, run};
use crate::steps::{Action, Step, run_all};
use crate::{bevy, deny, npm, package, packages, web};

/// A bare-metal target: the core must build without std and without an allocator.
const NO_STD_TARGET: &str = "thumbv7em-none-eabi";
const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Everything that needs no system packages.
pub(crate) fn check() -> Result<()> {
    ensure_toolchain()?;
    run_all([formatting(), vec![lints(), tests()]].into_iter().flatten().collect())
}

pub(crate) fn test() -> Result<()> {
    ensure_toolchain()?;
    ensure_target(NO_STD_TARGET)?;
    packages::ensure(packages::FOR_TESTS)?;
    let beside = vec![("packages", Action::Call(package::package)), fuzz_targets()];
    let bevy = bevy::steps(WASM_TARGET);
    let steps = [formatting(), dependencies(), code(), beside, bevy, pages(), npm::tests(), windows()];
    run_all(steps.into_iter().flatten().collect())
}

/// Only the checks of dependencies.
pub(crate) fn deny() -> Result<()> {
    run_all(dependencies())
}

fn formatting() -> Vec<Step> {
    let of = |manifest| command(&["cargo", "fmt", "--manifest-path", manifest, "--check"]).into();
    let mut bevy = command(&["cargo", "fmt", "--all", "--check"]);
    bevy.arg("--manifest-path").arg(bevy::MANIFEST);
    vec![
        ("formatting of the Bevy plugin", bevy.into()),
        ("formatting", command(&["cargo", "fmt", "--all", "--check"]).into()),
        ("formatting of the benchmark", of("tools/bench/Cargo.toml")),
        ("formatting of the fuzzer", of("tools/fuzz/Cargo.toml")),
        ("formatting of the web builder", of("tools/web-builder/Cargo.toml")),
    ]
}

fn dependencies() -> Vec<Step> {
    vec![
        ("licences, bans and sources of dependencies", Action::Call(deny::check)),
        ("advisories on dependencies", Action::Call(deny::check_advisories)),
    ]
}

fn lints() -> Step {
    ("lints", clippy(&["--workspace", "--all-targets"]))
}

fn tests() -> Step {
    let tests = command(&["cargo", "test", "--workspace", "--locked"]);
    ("unit, property, doc and integration tests", tests.into())
}

fn code() -> Vec<Step> {
    let mut docs = command(&["cargo", "doc", "--workspace", "--no-deps", "--document-private-items"]);
    docs.env("RUSTDOCFLAGS", "-D warnings");
    let core_on = |target| command(&["cargo", "build", "--package", "evenstep", "--target", target]).into();
    let pages = [
        "--package",
        "host-page",
        "--package",
        "starship",
        "--package",
        "lab-page",
        "--package",
        "evenstep-npm",
    ];
    let small = ["--target", WASM_TARGET, "--package", "evenstep-npm", "--no-default-features"];
    vec![
        lints(),
        ("lints of the web pages", clippy(&[&["--target", WASM_TARGET], &pages[..]].concat())),
        ("lints of the small npm module", clippy(&small)),
        ("lints of the benchmark", clippy(&["--manifest-path", "tools/bench/Cargo.toml", "--all-targets"])),
        ("lints of gamepads", clippy(&["--package", "starship", "--features", "gamepad"])),
        tests(),
        ("the core on bare metal", core_on(NO_STD_TARGET)),
        ("the core on wasm", core_on(WASM_TARGET)),
        ("documentation", docs.into()),
    ]
}

fn clippy(of: &[&str]) -> Action {
    command(&[&["cargo", "clippy", "--locked"], of, &["--", "-D", "warnings"]].concat()).into()
}

/// Builds the fuzz targets, so that they stay up to date. Stable Rust is enough to build them; only running them needs
/// nightly.
fn fuzz_targets() -> Step {
    let mut fuzzer = command(&["cargo", "build", "--locked", "--manifest-path", "tools/fuzz/Cargo.toml"]);
    fuzzer.env("CARGO_TARGET_DIR", root().join("target/fuzz"));
    ("the fuzz targets", fuzzer.into())
}

/// Tests in Chromium.
fn pages() -> Vec<Step> {
    let test = |script, site| {
        let mut node = command(&["node", script, "--site", site, "--server"]);
        node.arg(web::program());
        node
    };
    // Native programs that the pages are compared with; built with the tests.
    let native = |program| root().join("target/debug").join(program);
    let mut game = test("starship/app/tests/page.mjs", "target/web");
    game.env("REPLAY", native("examples/replay"));
    let mut lab = test("tools/lab-page/test.mjs", "target/web");
    lab.env("EVENSTEP", native("evenstep")).env("DIGEST", native("examples/digest"));
    vec![
        ("lints of the web builder", web::lints().into()),
        ("tests of the web builder", web::tests().into()),
        ("the pages", web::tool(&["--build-only"]).into()),
        ("the web host's page", web::tool(&["--probe", "--build-only"]).into()),
        (
            "Playwright",
            command(&["npm", "install", "--prefix", "tools/browser", "--no-audit", "--no-fund"]).into(),
        ),
        ("the web host in Chromium", test("tools/host-page/test.mjs", "target/web-probe").into()),
        ("the game in Chromium", game.into()),
        ("the pacing lab in Chromium", lab.into()),
    ]
}

/// Tests in windows on X and Wayland. The whole workspace is named, so that nothing is rebuilt with other features.
fn windows() -> Vec<Step> {
    let words = ["cargo", "test", "--workspace", "--locked", "--test", "window", "--", "--ignored"];
    vec![("windows on X and Wayland", command(&words).into())]
}

pub(crate) fn renew_golden() -> Result<()> {
    let mut tests = command(&["cargo", "test", "--package", "evenstep-cli", "--test", "it", "golden"]);
    tests.env("EVENSTEP_RENEW_GOLDEN", "1");
    run(tests)
}

/// The names of the fuzz targets.
pub(crate) const FUZZ_TARGETS: [&str; 3] = ["trace", "physics", "state"];

pub(crate) fn fuzz(target: &str, seconds: &str) -> Result<()> {
    let limit = format!("-max_total_time={seconds}");
    let words = ["cargo", "+nightly", "fuzz", "run", "--fuzz-dir", "tools/fuzz", target, "--", &limit];
    run(command(&words)).map_err(|error| {
        format!("{error}\nInstall with: cargo install cargo-fuzz && rustup toolchain install nightly")
    })
}

/// Installs the parts of the toolchain that the checks need; one test runs the core as wasm.
fn ensure_toolchain() -> Result<()> {
    ensure_component("rustfmt")?;
    ensure_component("clippy")?;
    ensure_target(WASM_TARGET)
}

fn ensure_component(name: &str) -> Result<()> {
    ensure("component", name, &["rustup", "component", "list", "--installed"])
}

fn ensure_target(name: &str) -> Result<()> {
    ensure("target", name, &["rustup", "target", "list", "--installed"])
}

/// Installs a part of the toolchain if it is missing.
fn ensure(kind: &str, name: &str, list: &[&str]) -> Result<()> {
    let installed = capture(command(list)).map_err(|error| format!("rustup is needed: {error}"))?;
    if installed.lines().any(|line| line.starts_with(name)) {
        return Ok(());
    }
    println!("== installing the {kind} {name} with rustup");
    run(command(&["rustup", kind, "add", name]))
}
