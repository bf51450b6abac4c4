//! `cargo xtask test`: every test, also on X servers, compositors and browsers of this machine.
//!
//! Everything native is built once, with [`FEATURES`]; the pages once, for the browser. What takes too long for every day
//! runs with `--thorough`: more cases of the long laws, and other builds of the same code.

use std::process::Command;

use crate::run::{Result, capture, command, root, run};
use crate::steps::{Action, Step, run_all};
use crate::{bevy, npm, packages, web};

/// A bare-metal target: the core must build without std and without an allocator.
const NO_STD_TARGET: &str = "thumbv7em-none-eabi";
pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Whatever can be tested here, so that no test needs a build of its own.
pub(crate) const FEATURES: &str = "evenstep/glam,evenstep/mint,evenstep/nalgebra,evenstep/serde,\
                                   evenstep-host/gpu,evenstep-host/trace,starship/gpu";

/// The only Vulkan driver that is the same everywhere: a graphics card in software.
const SOFTWARE_CARD: &str = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json";

/// How much to test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    Everyday,
    Thorough,
}

/// Everything that needs no system packages.
pub(crate) fn check() -> Result<()> {
    ensure_toolchain()?;
    run_all(crate::lint::everyday().into_iter().chain([native()]).collect())
}

pub(crate) fn test(depth: Depth) -> Result<()> {
    ensure_toolchain()?;
    ensure_target(NO_STD_TARGET)?;
    packages::ensure(packages::FOR_TESTS)?;
    let mut steps = vec![native()];
    steps.extend(examples());
    steps.extend(core_elsewhere());
    steps.push(windows());
    steps.extend(pages());
    steps.extend(npm::tests());
    steps.push(bevy::tests());
    match depth {
        Depth::Everyday => steps.push(("left to `cargo xtask test --thorough`", Action::Call(name_the_rest))),
        Depth::Thorough => steps.extend(rest()),
    }
    run_all(steps)
}

fn native() -> Step {
    let mut tests = cargo_test(&["--workspace", "--features", FEATURES]);
    tests.env("VK_ICD_FILENAMES", SOFTWARE_CARD);
    ("unit, property, doc and integration tests", tests.into())
}

/// Examples that need no window. The tests have built them; here they must also work.
fn examples() -> [Step; 2] {
    let example = |name| Command::new(root().join("target/debug/examples").join(name)).into();
    [
        ("the example of recording", example("record")),
        ("the example of physics at 30 Hz", example("physics_at_30")),
    ]
}

fn core_elsewhere() -> [Step; 2] {
    let core_on = |target| command(&["cargo", "build", "--package", "evenstep", "--target", target]).into();
    [("the core on bare metal", core_on(NO_STD_TARGET)), ("the core on wasm", core_on(WASM_TARGET))]
}

/// Tests in windows on X and Wayland.
fn windows() -> Step {
    let mut tests =
        cargo_test(&["--workspace", "--features", FEATURES, "--test", "window", "--", "--ignored"]);
    tests.env("VK_ICD_FILENAMES", SOFTWARE_CARD);
    ("windows on X and Wayland, also with a graphics card", tests.into())
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

/// What only a thorough run does.
fn rest() -> [Step; 5] {
    let mut long = cargo_test(&["--workspace", "--features", FEATURES]);
    // Tests read this and run more cases.
    long.env("EVENSTEP_THOROUGH", "1").env("VK_ICD_FILENAMES", SOFTWARE_CARD);
    let alone = ["--package", "evenstep-host", "--no-default-features", "--features", "deadlines", "--lib"];
    let golden = ["--release", "--package", "starship-sim", "--test", "replay", "golden"];
    [
        ("the long laws with all their cases", long.into()),
        ("tests with default features, as games build it", cargo_test(&["--workspace"]).into()),
        ("golden hashes of the game in a release build", cargo_test(&golden).into()),
        ("deadlines without a window", cargo_test(&alone).into()),
        bevy::tests_with_others(),
    ]
}

#[expect(clippy::unnecessary_wraps, reason = "a step can fail")]
fn name_the_rest() -> Result<()> {
    for (name, _) in rest() {
        println!("{name}");
    }
    Ok(())
}

fn cargo_test(words: &[&str]) -> Command {
    command(&[&["cargo", "test", "--locked"], words].concat())
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
pub(crate) fn ensure_toolchain() -> Result<()> {
    ensure_component("rustfmt")?;
    ensure_component("clippy")?;
    ensure_target(WASM_TARGET)
}

fn ensure_component(name: &str) -> Result<()> {
    ensure("component", name, &["rustup", "component", "list", "--installed"])
}

pub(crate) fn ensure_target(name: &str) -> Result<()> {
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
