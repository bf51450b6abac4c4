//! Laws of the repository: its documents and its files agree.

use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of a source file.
const LINES_MAX: usize = 500;

/// The folders that contain packages.
const GROUPS: [&str; 4] = ["adapters", "crates", "starship", "tools"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files in a folder, as paths from the root; empty if there is no such folder.
fn files_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).into_iter().flatten();
    let name = |entry: fs::DirEntry| format!("{folder}/{}", entry.file_name().to_string_lossy());
    entries.map(|entry| name(entry.expect("a folder that can be read"))).collect()
}

fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_index_of_examples_names_every_one() {
    let index = page("examples/README.md");
    let packages = GROUPS.iter().flat_map(|group| files_in(group));
    let examples: Vec<String> =
        packages.flat_map(|package| files_in(&format!("{package}/examples"))).collect();
    assert!(examples.len() >= 10, "{examples:?}");
    for example in examples {
        assert!(index.contains(&format!("](../{example})")), "{example} is not in examples/README.md");
    }
}

#[test]
fn the_map_names_every_crate_and_tool() {
    let map = page("ARCHITECTURE.md");
    for folder in GROUPS.iter().flat_map(|group| files_in(group)) {
        assert!(map.contains(&format!("`{folder}`")), "{folder} is not in ARCHITECTURE.md");
    }
}

#[test]
fn every_file_says_at_its_top_what_it_is_for_and_none_is_long() {
    let packages = GROUPS.iter().flat_map(|group| files_in(group)).chain(["lab".into(), "lab/page".into()]);
    let mut folders: Vec<String> = packages.map(|package| format!("{package}/src")).collect();
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for path in files_in(&folder) {
            if root().join(&path).is_dir() {
                folders.push(path);
            } else if Path::new(&path).extension().is_some_and(|it| it == "rs") {
                let text = page(&path);
                files += 1;
                assert!(
                    text.starts_with("//!") || path.ends_with("tests.rs"),
                    "{path} does not say what it is for"
                );
                assert!(text.lines().count() <= LINES_MAX, "{path} has more than {LINES_MAX} lines");
            }
        }
    }
    assert!(files > 200, "{files} files");
}

#[test]
fn every_link_between_pages_leads_to_a_file() {
    let pages = files_in("docs")
        .into_iter()
        .chain(files_in("."))
        .chain(files_in("adapters/bevy_evenstep"))
        .filter(|path| path.rsplit('.').next() == Some("md"));
    for path in pages {
        let folder = root().join(&path).parent().expect("a folder").to_owned();
        for link in page(&path).split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            if !link.is_empty() && !link.starts_with("http") {
                assert!(folder.join(link).exists(), "{path} links to {link}, which is not there");
            }
        }
    }
}

/// The names of the packages that a package of ours is built from.
fn dependencies(package: &str, options: &[&str]) -> Vec<String> {
    let mut cargo = std::process::Command::new(env!("CARGO"));
    cargo.args(["tree", "--locked", "--package", package, "--edges", "normal", "--prefix", "none"]);
    let output = cargo.args(options).current_dir(root()).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let name = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(name).collect()
}

#[test]
fn nothing_is_built_for_gpus_unless_a_feature_asks_for_it() {
    let has = |package: &str, options: &[&str], name: &str| {
        dependencies(package, options).iter().any(|package| package == name)
    };
    let page = ["--target", "wasm32-unknown-unknown"];
    let page_with_gpu = ["--target", "wasm32-unknown-unknown", "--features", "gpu"];
    for name in ["wgpu", "wgpu-core", "wgpu-hal", "naga"] {
        for package in ["starship", "evenstep-cli"] {
            assert!(!has(package, &[], name), "{package} has {name}");
        }
        assert!(!has("evenstep-host", &["--features", "native,gamepad,trace"], name), "{name}");
        assert!(!has("starship", &page, name), "the page has {name}");
        // A browser has its own drivers, and compiles shaders itself.
        assert_eq!(has("starship", &page_with_gpu, name), name == "wgpu", "{name}");
    }
    assert!(has("starship", &["--features", "gpu"], "wgpu-hal"), "this test sees it where it is");
}

#[test]
fn the_core_depends_on_nothing_unless_a_feature_asks_for_it() {
    assert_eq!(dependencies("evenstep", &[]), ["evenstep"]);
    for library in ["glam", "mint", "nalgebra"] {
        let found = dependencies("evenstep", &["--features", library]);
        assert!(found.contains(&library.to_owned()), "{library}");
    }
}
