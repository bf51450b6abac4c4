//! `cargo xtask lint`: whatever can be checked without running it. Formatting, lints, documentation, packages, dependencies,
//! and windows of other systems.

use crate::run::{Result, command, root};
use crate::steps::{Action, Step, run_all};
use crate::test::{FEATURES, WASM_TARGET, ensure_target, ensure_toolchain};
use crate::{bevy, deny, package, packages, web};

/// Systems that this one cannot run programs of.
const OTHER_SYSTEMS: [(&str, &str); 2] = [
    ("windows on Windows, type-checked", "x86_64-pc-windows-msvc"),
    ("windows on macOS, type-checked", "aarch64-apple-darwin"),
];

pub(crate) fn lint() -> Result<()> {
    ensure_toolchain()?;
    packages::ensure(packages::FOR_LINTS)?;
    let mut steps = formatting();
    steps.extend(of_dependencies());
    steps.extend(native());
    steps.extend(on_wasm());
    steps.push(("lints of the web builder", web::lints().into()));
    steps.extend(separate());
    steps.extend(bevy::lints(WASM_TARGET));
    steps.push(("packages", Action::Call(package::package)));
    steps.extend(other_systems()?);
    run_all(steps)
}

/// Only the checks of dependencies.
pub(crate) fn dependencies() -> Result<()> {
    run_all(of_dependencies().into())
}

/// What is quick enough for every change.
pub(crate) fn everyday() -> Vec<Step> {
    let mut steps = formatting();
    steps.push(("lints", clippy(&["--workspace", "--all-targets", "--features", FEATURES])));
    steps
}

fn formatting() -> Vec<Step> {
    let of = |manifest| command(&["cargo", "fmt", "--manifest-path", manifest, "--check"]).into();
    let mut bevy = command(&["cargo", "fmt", "--all", "--check"]);
    bevy.arg("--manifest-path").arg(bevy::MANIFEST);
    vec![
        ("formatting", command(&["cargo", "fmt", "--all", "--check"]).into()),
        ("formatting of the Bevy plugin", bevy.into()),
        ("formatting of the benchmark", of("lab/bench/Cargo.toml")),
        ("formatting of the example in macroquad", of("examples/macroquad/Cargo.toml")),
        ("formatting of the fuzzer", of("tools/fuzz/Cargo.toml")),
        ("formatting of the web builder", of("tools/web-builder/Cargo.toml")),
    ]
}

fn of_dependencies() -> [Step; 2] {
    [
        ("licences, bans and sources of dependencies", Action::Call(deny::check)),
        ("advisories on dependencies", Action::Call(deny::check_advisories)),
    ]
}

fn native() -> [Step; 3] {
    let all = format!("{FEATURES},evenstep-host/gamepad,starship/gamepad,starship/sound");
    let mut docs = command(&["cargo", "doc", "--workspace", "--no-deps", "--document-private-items"]);
    docs.args(["--features", &all]).env("RUSTDOCFLAGS", "-D warnings");
    [
        ("lints", clippy(&["--workspace", "--all-targets", "--features", &all])),
        ("documentation", docs.into()),
        ("lints with default features", clippy(&["--package", "evenstep-host", "--package", "starship"])),
    ]
}

fn on_wasm() -> [Step; 3] {
    let pages = ["host-page", "starship", "lab-page", "pong"].map(|page| ["--package", page]).concat();
    let with_gpu = ["--target", WASM_TARGET, "--features", "starship/gpu"];
    // Alone, because the pages' features of serde need std, which the module has not.
    let npm = ["--target", WASM_TARGET, "--package", "evenstep-npm"];
    [
        ("lints of the web pages", clippy(&[&with_gpu, &pages[..]].concat())),
        ("lints of the npm module", clippy(&npm)),
        ("lints of the small npm module", clippy(&[&npm[..], &["--no-default-features"]].concat())),
    ]
}

/// Workspaces of their own.
fn separate() -> [Step; 3] {
    let of = |manifest: &str, folder: &str| {
        clippy(&["--manifest-path", manifest, "--target-dir", folder, "--all-targets"])
    };
    // Stable Rust is enough to type-check the fuzz targets; only running them needs nightly.
    let mut fuzzer = command(&["cargo", "check", "--locked", "--manifest-path", "tools/fuzz/Cargo.toml"]);
    fuzzer.env("CARGO_TARGET_DIR", root().join("target/fuzz"));
    [
        ("lints of the benchmark", of("lab/bench/Cargo.toml", "lab/bench/target")),
        ("lints of the example in macroquad", of("examples/macroquad/Cargo.toml", "target/macroquad")),
        ("the fuzz targets", fuzzer.into()),
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

fn clippy(of: &[&str]) -> Action {
    command(&[&["cargo", "clippy", "--locked"], of, &["--", "-D", "warnings"]].concat()).into()
}
