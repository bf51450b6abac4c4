//! Anyone's game as a static site: its program as wasm, and its page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::files;
use crate::site::bind;
use crate::wasm;

/// The page of a game that has none of its own.
const PAGE: [(&str, &str); 3] = [
    ("index.html", include_str!("../game-page/index.html")),
    ("page.css", include_str!("../game-page/page.css")),
    ("start.js", include_str!("../game-page/start.js")),
];

/// Builds the game in this folder and returns the folder of its site.
///
/// The game's program becomes `game.js` and `game_bg.wasm`. The files in its folder `web`, if there is one, replace
/// those of our own page.
pub fn build(game: &Path) -> Result<PathBuf, String> {
    let manifest = game.join("Cargo.toml");
    if !manifest.is_file() {
        return Err(format!(
            "--game {}: there is no Cargo.toml; name the folder of a package",
            game.display()
        ));
    }
    // Cargo runs in the folder of the game, where a relative path would name another one.
    let game = &std::path::absolute(game).map_err(|error| format!("--game {}: {error}", game.display()))?;
    wasm::add_target()?;
    let target = game.join("target/web");
    let module = compile(game, &target)?;
    check_version(game)?;
    let site = target.join("site");
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", site.display());
    files::empty(&site)?;
    for (name, text) in PAGE {
        fs::write(site.join(name), text).map_err(failed)?;
    }
    bind(&module, "game", &site)?;
    let own = game.join("web");
    if own.is_dir() {
        files::copy(&own, &site)?;
    }
    println!("{}", site.display());
    Ok(site)
}

/// Compiles the game's program and returns its module.
fn compile(game: &Path, target: &Path) -> Result<PathBuf, String> {
    let folder = target.join(wasm::TARGET).join("release");
    // Modules of programs that the game no longer has.
    for old in modules(&folder) {
        fs::remove_file(&old).map_err(|error| format!("cannot remove {}: {error}", old.display()))?;
    }
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--target", wasm::TARGET]).current_dir(game);
    wasm::run(cargo.env("CARGO_TARGET_DIR", target))?;
    match &modules(&folder)[..] {
        [module] => Ok(module.clone()),
        [] => Err(format!(
            "{} has no program: add src/main.rs, with a main() that calls web::run on wasm32",
            game.display()
        )),
        several => Err(format!(
            "{} has {} programs, and a page runs one: move the others to examples/",
            game.display(),
            several.len()
        )),
    }
}

fn modules(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "wasm")).collect()
}

/// Checks that the game uses the version of wasm-bindgen that this tool does: they have to be the same.
pub fn check_version(game: &Path) -> Result<(), String> {
    // A package of a workspace shares the lock file of its root.
    let mut locks = game.ancestors().map(|folder| folder.join("Cargo.lock"));
    let Some(lock) = locks.find_map(|path| fs::read_to_string(path).ok()) else { return Ok(()) };
    let ours = wasm_bindgen_shared::version();
    match version_in(&lock) {
        Some(theirs) if theirs != ours => Err(mismatch(game, theirs, &ours)),
        _ => Ok(()),
    }
}

/// Returns the version of wasm-bindgen in a lock file.
fn version_in(lock: &str) -> Option<&str> {
    let mut lines = lock.lines().skip_while(|line| *line != r#"name = "wasm-bindgen""#);
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')
}

fn mismatch(game: &Path, theirs: &str, ours: &str) -> String {
    format!(
        "{} uses wasm-bindgen {theirs}, and this tool {ours}. In that folder, run:\n\
         \x20   cargo update -p wasm-bindgen --precise {ours}",
        game.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_file_names_the_version_of_wasm_bindgen_and_not_of_its_parts() {
        let lock = "[[package]]\nname = \"wasm-bindgen-shared\"\nversion = \"9\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.7\"\nsource = \"x\"\n";
        assert_eq!(version_in(lock), Some("0.2.7"));
        assert_eq!(version_in("[[package]]\nname = \"wasm-bindgen-shared\"\nversion = \"9\"\n"), None);
        assert_eq!(version_in("name = \"wasm-bindgen\""), None);
    }

    #[test]
    fn our_own_lock_file_has_the_version_of_the_tool() {
        let root = wasm::root().expect("a repository");
        assert_eq!(check_version(root), Ok(()), "cargo update -p wasm-bindgen in one of them");
        assert_eq!(check_version(&root.join("examples/anything")), Ok(()));
    }

    #[test]
    fn another_version_is_refused_with_the_command_that_fixes_it() {
        let message = mismatch(Path::new("pong"), "0.2.7", "0.2.8");
        assert!(message.ends_with("cargo update -p wasm-bindgen --precise 0.2.8"), "{message}");
    }

    #[test]
    fn a_folder_without_a_package_is_refused() {
        let message = build(Path::new("/nowhere")).expect_err("no package");
        assert_eq!(message, "--game /nowhere: there is no Cargo.toml; name the folder of a package");
    }
}
