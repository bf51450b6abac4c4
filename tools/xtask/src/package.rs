//! `cargo xtask package`: creates the packages for the registry and builds each from its own files.
//!
//! `cargo package` can verify packages, too, but it caches unpacked ones: with the same version numbers it would build old
//! files. So they are unpacked here and depend on each other by path.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::run::{Result, command, root, run};

/// The published packages.
pub(crate) const PUBLISHED: [&str; 6] =
    ["evenstep", "evenstep-trace", "evenstep-replay", "evenstep-rapier", "evenstep-host", "evenstep-cli"];

/// Creates the packages and builds them.
pub(crate) fn package() -> Result<()> {
    let folder = root().join("target/packages");
    let unpacked = folder.join("unpacked");
    let failed = |error| format!("{}: {error}", unpacked.display());

    // From the working tree, committed or not.
    let mut package = command(&["cargo", "package", "--locked", "--allow-dirty", "--no-verify"]);
    package.arg("--target-dir").arg(&folder);
    package.args(PUBLISHED.iter().flat_map(|name| ["--package", name]));
    run(package)?;

    if unpacked.exists() {
        fs::remove_dir_all(&unpacked).map_err(failed)?;
    }
    fs::create_dir_all(&unpacked).map_err(failed)?;
    let mut members = String::new();
    for name in PUBLISHED {
        let member = format!("{name}-{}", env!("CARGO_PKG_VERSION"));
        unpack(&folder.join("package").join(&member).with_added_extension("crate"), &unpacked)?;
        link(&unpacked.join(&member)).map_err(failed)?;
        let _ = write!(members, "\"{member}\", ");
    }
    // With the profiles of this workspace, dependencies are those that lints have built.
    let ours = fs::read_to_string(root().join("Cargo.toml")).map_err(failed)?;
    let profiles = ours.find("[profile.dev]").map_or("", |at| &ours[at..]);
    let workspace = format!("[workspace]\nresolver = \"3\"\nmembers = [{members}]\n\n{profiles}");
    fs::write(unpacked.join("Cargo.toml"), workspace).map_err(failed)?;
    fs::copy(root().join("Cargo.lock"), unpacked.join("Cargo.lock")).map_err(failed)?;

    let mut check = command(&["cargo", "check", "--workspace"]);
    check.current_dir(&unpacked).env("CARGO_TARGET_DIR", root().join("target"));
    run(check)
}

fn unpack(package: &Path, into: &Path) -> Result<()> {
    // Files in a package have a fixed date in the past; the current time lets cargo see that they have changed.
    let mut tar = command(&["tar", "--extract", "--gzip", "--touch"]);
    tar.arg("--file").arg(package).arg("--directory").arg(into);
    run(tar)
}

/// Points a package's dependencies to the other unpacked packages.
fn link(package: &Path) -> std::io::Result<()> {
    let path = package.join("Cargo.toml");
    let mut manifest = fs::read_to_string(&path)?;
    for name in PUBLISHED {
        // Of whatever kind, and for whatever target.
        let section = format!("dependencies.{name}]\n");
        let found = format!("{section}path = \"../{name}-{}\"\n", env!("CARGO_PKG_VERSION"));
        manifest = manifest.replace(&section, &found);
    }
    fs::write(path, manifest)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::PUBLISHED;
    use crate::run::root;

    #[test]
    fn every_package_is_published_or_says_that_it_is_not() {
        let workspace = fs::read_to_string(root().join("Cargo.toml")).expect("the workspace");
        let members = workspace.split("members = [").nth(1).and_then(|rest| rest.split(']').next());
        let folders: Vec<_> = members.expect("members").split('"').skip(1).step_by(2).collect();
        assert!(folders.len() > PUBLISHED.len());
        for folder in folders {
            let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("a manifest");
            let name = manifest.split("name = \"").nth(1).and_then(|rest| rest.split('"').next());
            let is_published = PUBLISHED.contains(&name.expect("a name"));
            assert_eq!(is_published, !manifest.contains("publish = false"), "{folder}");
        }
    }
}
