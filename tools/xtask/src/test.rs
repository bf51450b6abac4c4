//! `cargo xtask test`, everything that CI checks, fast checks first; and `cargo xtask check`, a subset for everyday use.

use std::process::Command;

use crate::run::{Result, capture, command, root, run};
use crate::steps::{Action, Step, run_all};
use crate::{bevy, deny, npm, package, packages, web};

/// A bare-metal target: the core must build without std and without an allocator.
const NO_STD_TARGET: &str = "thumbv7em-none-eabi";
const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Systems that this one cannot run programs of.
const OTHER_SYSTEMS: [(&str, &str); 2] = [
    ("windows on Windows, type-checked", "x86_64-pc-windows-msvc"),
    ("windows on macOS, type-checked", "aarch64-apple-darwin"),
];

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
    let steps = [
        formatting(),
        dependencies(),
        code(),
        beside,
        bevy,
        pages(),
        npm::tests(),
        windows(),
        graphics(),
        other_systems()?,
    ];
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
        ("formatting of the benchmark", of("lab/bench/Cargo.toml")),
        ("formatting of the example in macroquad", of("examples/macroquad/Cargo.toml")),
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
        "pong",
        "--package",
        "evenstep-npm",
    ];
    // The other tests build with debug assertions, and the pages check wasm.
    let golden_in_release = command(&[
        "cargo",
        "test",
        "--release",
        "--locked",
        "--package",
        "starship-sim",
        "--test",
        "replay",
        "golden",
    ]);
    let mathematics = command(&["cargo", "test", "--package", "evenstep", "--all-features", "--lib", "math"]);
    let alone = ["--package", "evenstep-host", "--no-default-features", "--features", "deadlines"];
    let deadlines = command(&[&["cargo", "test", "--locked", "--lib"], &alone[..]].concat());
    let game_page = ["--target", WASM_TARGET, "--package", "starship", "--features", "gpu"];
    let small = ["--target", WASM_TARGET, "--package", "evenstep-npm", "--no-default-features"];
    vec![
        lints(),
        ("lints of the web pages", clippy(&[&["--target", WASM_TARGET], &pages[..]].concat())),
        ("lints of the game's page with WebGPU", clippy(&game_page)),
        ("lints of the small npm module", clippy(&small)),
        ("lints of the benchmark", clippy(&["--manifest-path", "lab/bench/Cargo.toml", "--all-targets"])),
        (
            "lints of the example in macroquad",
            clippy(&["--manifest-path", "examples/macroquad/Cargo.toml", "--target-dir", "target/macroquad"]),
        ),
        ("lints of gamepads and sound", clippy(&["--package", "starship", "--features", "gamepad,sound"])),
        tests(),
        example("the example of recording", "record"),
        example("the example of physics at 30 Hz", "physics_at_30"),
        ("golden hashes of the game in a release build", golden_in_release.into()),
        ("the core with types of mathematics libraries", mathematics.into()),
        ("deadlines without a window", deadlines.into()),
        ("the core on bare metal", core_on(NO_STD_TARGET)),
        ("the core on wasm", core_on(WASM_TARGET)),
        ("documentation", docs.into()),
    ]
}

/// Runs an example that needs no window. The tests have built it; here it must also work.
fn example(step: &'static str, name: &str) -> Step {
    let program = root().join("target/debug/examples").join(name);
    (step, Command::new(program).into())
}

fn clippy(of: &[&str]) -> Action {
    command(&[&["cargo", "clippy", "--locked"], of, &["--", "-D", "warnings"]].concat()).into()
}

/// Type-checks the fuzz targets, so that they stay up to date. Stable Rust is enough for that; only running them needs
/// nightly.
fn fuzz_targets() -> Step {
    let mut fuzzer = command(&["cargo", "check", "--locked", "--manifest-path", "tools/fuzz/Cargo.toml"]);
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
    game.env("STARSHIP", native("starship")).env("EVENSTEP", native("evenstep"));
    let mut lab = test("lab/page/test.mjs", "target/web");
    lab.env("EVENSTEP", native("evenstep")).env("DIGEST", native("examples/digest"));
    vec![
        ("lints of the web builder", web::lints().into()),
        ("tests of the web builder", web::tests().into()),
        ("the pages", web::tool(&["--build-only"]).into()),
        ("the web host's page", web::tool(&["--probe", "--build-only"]).into()),
        ("a game for the web", web::tool(&["--game", "examples/pong", "--build-only"]).into()),
        (
            "Playwright",
            command(&["npm", "install", "--prefix", "tools/browser", "--no-audit", "--no-fund"]).into(),
        ),
        ("the web host in Chromium", test("tools/host-page/test.mjs", "target/web-probe").into()),
        ("the web host with WebGPU", test("tools/host-page/test-gpu.mjs", "target/web-probe").into()),
        ("the game in Chromium", game.into()),
        ("the game with WebGPU", test("starship/app/tests/page-gpu.mjs", "target/web").into()),
        ("the pacing lab in Chromium", lab.into()),
        ("the site in Chromium", test("tools/web-builder/test.mjs", "target/web").into()),
        ("Pong in Chromium", test("tools/web-builder/game.test.mjs", "examples/pong/target/web/site").into()),
    ]
}

/// Tests in windows on X and Wayland. The whole workspace is named, so that nothing is rebuilt with other features.
fn windows() -> Vec<Step> {
    let words = ["cargo", "test", "--workspace", "--locked", "--test", "window", "--", "--ignored"];
    vec![("windows on X and Wayland", command(&words).into())]
}

/// Tests with a graphics card, in software. They come last, because their features rebuild what the others use.
fn graphics() -> Vec<Step> {
    let features = ["--features", "evenstep-host/gpu,starship/gpu"];
    let of = ["--package", "evenstep-host", "--package", "starship"];
    let cargo = |verb: &[&str], rest: &[&str]| {
        let mut cargo = command(&[verb, &["--locked"], &of, &features, rest].concat());
        // The only driver that is the same everywhere.
        cargo.env("VK_ICD_FILENAMES", "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json");
        cargo
    };
    let lints = cargo(&["cargo", "clippy"], &["--all-targets", "--", "-D", "warnings"]);
    let game = cargo(&["cargo", "test"], &["--lib", "on_card"]);
    let canvas = cargo(&["cargo", "test"], &["--test", "gpu"]);
    // Tests with this word in their names: the others ran without a GPU.
    let windows = cargo(&["cargo", "test"], &["--test", "window", "--", "--ignored", "gpu"]);
    vec![
        ("lints of graphics cards", lints.into()),
        ("the canvas of graphics cards", canvas.into()),
        ("the game on a graphics card", game.into()),
        ("windows with a graphics card", windows.into()),
    ]
}

/// Type-checks the windows of systems that are not here.
fn other_systems() -> Result<Vec<Step>> {
    OTHER_SYSTEMS.into_iter().try_for_each(|(_, target)| ensure_target(target))?;
    let check = |(name, target)| {
        let packages = ["--package", "evenstep-host", "--package", "evenstep-cli", "--package", "starship"];
        let features = ["--features", "evenstep-host/gpu,evenstep-host/trace,starship/gpu"];
        let words = [&["cargo", "check", "--locked", "--target", target], &packages[..], &features].concat();
        (name, command(&words).into())
    };
    Ok(OTHER_SYSTEMS.into_iter().map(check).collect())
}

pub(crate) fn renew_golden() -> Result<()> {
    let mut tests = command(&["cargo", "test", "--package", "evenstep-cli", "--test", "it", "golden"]);
    tests.env("EVENSTEP_RENEW_GOLDEN", "1");
    run(tests)
}

/// The names of the fuzz targets.
pub(crate) const FUZZ_TARGETS: [&str; 4] = ["trace", "physics", "state", "replay"];

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
