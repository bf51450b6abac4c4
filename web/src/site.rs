//! Static sites: wasm modules, their JavaScript halves, and the pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";

/// A static site: the files of a folder, and wasm modules.
#[derive(Debug)]
pub struct Site {
    /// Where its other files are, in the repository.
    files: &'static str,
    /// Packages and their libraries, each of which becomes a module.
    modules: &'static [(&'static str, &'static str)],
    /// The folder under `target` that it is built into.
    folder: &'static str,
}

/// The game and the pacing lab.
pub const PAGES: Site = Site {
    files: "web/site",
    modules: &[("starship", "starship_app"), ("pacing-lab", "pacing_lab")],
    folder: "web",
};

/// The page that the web host is tested on.
pub const PROBE: Site = Site {
    files: "crates/evenstep-host/web-test/site",
    modules: &[("evenstep-host-probe", "evenstep_host_probe")],
    folder: "web-probe",
};

impl Site {
    /// Builds everything and tells where it is.
    pub fn build(&self) -> Result<PathBuf, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("this package is in the repository")?;
        let site = root.join("target").join(self.folder);
        let failed = |error: std::io::Error| format!("cannot write {}: {error}", site.display());
        add_target()?;
        // Nothing of an older site stays.
        if site.exists() {
            fs::remove_dir_all(&site).map_err(failed)?;
        }
        fs::create_dir_all(&site).map_err(failed)?;
        for (package, library) in self.modules {
            build_module(root, package, library, &site)?;
        }
        for file in fs::read_dir(root.join(self.files)).map_err(failed)? {
            let file = file.map_err(failed)?;
            fs::copy(file.path(), site.join(file.file_name())).map_err(failed)?;
        }
        println!("{}", site.display());
        Ok(site)
    }
}

/// Builds a package's library as a wasm module and makes its JavaScript half.
fn build_module(root: &Path, package: &str, library: &str, site: &Path) -> Result<(), String> {
    // A folder of its own: other flags in the same one would build everything again, here and there.
    let build = root.join("target/wasm");
    // As a cdylib, which only a page needs.
    run(Command::new("cargo")
        .args(["rustc", "--release", "--locked", "-p", package, "--lib", "--crate-type", "cdylib"])
        .args(["--target", TARGET])
        .current_dir(root)
        .env("CARGO_TARGET_DIR", &build)
        // Link-time optimisation saves little here and takes minutes.
        .env("CARGO_PROFILE_RELEASE_LTO", "off"))?;
    Bindgen::new()
        .input_path(build.join(TARGET).join("release").join(format!("{library}.wasm")))
        .web(true)
        .map_err(|error| error.to_string())?
        .typescript(false)
        // The names of functions are an eighth of the download, and only a debugger reads them.
        .remove_name_section(true)
        .omit_default_module_path(false)
        .generate(site)
        .map_err(|error| format!("{error:#}"))
}

fn add_target() -> Result<(), String> {
    let installed = Command::new("rustup").args(["target", "list", "--installed"]).output();
    match installed {
        Ok(output) if String::from_utf8_lossy(&output.stdout).lines().any(|line| line == TARGET) => Ok(()),
        Ok(_) => run(Command::new("rustup").args(["target", "add", TARGET])),
        // Without rustup the toolchain may have the target all the same; the build will tell.
        Err(_) => Ok(()),
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?} failed: {status}")),
        Err(error) => Err(format!("{command:?} could not be started: {error}")),
    }
}
