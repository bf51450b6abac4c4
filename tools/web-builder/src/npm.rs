//! The wasm modules of the npm package: without bindings, and as small as they get.

use std::fs;
use std::path::PathBuf;

use crate::files;
use crate::wasm::{self, Profile};

/// Pages download this one: `s` is a tenth larger than `z` and a third faster.
const SMALL: Profile = Profile { folder: "wasm-npm", flags: FLAGS, settings: &settings("s") };
/// Node servers have this one on their disk, so it is built for speed.
const FULL: Profile = Profile { folder: "wasm-npm-full", flags: FLAGS, settings: &settings("2") };

// The default stack takes a megabyte of memory in every page, and the core needs a few kilobytes.
const FLAGS: &str = "-C link-arg=-zstack-size=32768";

const fn settings(opt_level: &str) -> [(&str, &str); 5] {
    [("OPT_LEVEL", opt_level), ("LTO", "fat"), ("CODEGEN_UNITS", "1"), ("PANIC", "abort"), ("STRIP", "true")]
}

/// The file name, options for cargo, and how to compile.
const MODULES: [(&str, &[&str], &Profile); 2] =
    [("evenstep", &["--no-default-features"], &SMALL), ("evenstep-full", &[], &FULL)];

/// Builds the modules into `npm/dist`, where `npm/build.mjs` optimises them further, and returns that folder.
pub fn build() -> Result<PathBuf, String> {
    let root = wasm::root()?;
    let dist = root.join("npm/dist");
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", dist.display());
    files::empty(&dist)?;
    for (name, options, profile) in MODULES {
        let module = wasm::build(root, "evenstep-npm", "evenstep_npm", options, profile)?;
        fs::copy(module, dist.join(name).with_extension("wasm")).map_err(failed)?;
    }
    Ok(dist)
}
