//! The wasm modules of the npm package: without bindings, and as small as they get.

use std::fs;
use std::path::PathBuf;

use crate::wasm::{self, Profile};

/// Built for size: `s` is a tenth larger than `z` and a third faster.
const SMALL: Profile = Profile {
    folder: "wasm-npm",
    // The default stack takes a megabyte of memory in every page, and the core needs a few kilobytes.
    flags: "-C link-arg=-zstack-size=32768",
    settings: &[
        ("OPT_LEVEL", "s"),
        ("LTO", "fat"),
        ("CODEGEN_UNITS", "1"),
        ("PANIC", "abort"),
        ("STRIP", "true"),
    ],
};

/// The file name, and options for cargo.
const MODULES: [(&str, &[&str]); 2] = [("evenstep", &["--no-default-features"]), ("evenstep-full", &[])];

/// Builds the modules into `npm/dist` and returns that folder.
pub fn build() -> Result<PathBuf, String> {
    let root = wasm::root()?;
    let dist = root.join("npm/dist");
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", dist.display());
    // Remove files of an older build.
    if dist.exists() {
        fs::remove_dir_all(&dist).map_err(failed)?;
    }
    fs::create_dir_all(&dist).map_err(failed)?;
    for (name, options) in MODULES {
        let module = wasm::build(root, "evenstep-npm", "evenstep_npm", options, &SMALL)?;
        fs::copy(module, dist.join(name).with_extension("wasm")).map_err(failed)?;
    }
    Ok(dist)
}
