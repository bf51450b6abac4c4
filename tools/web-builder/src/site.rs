//! Static sites: wasm modules, their JavaScript halves, and the pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";

/// A static site: pages, and their wasm modules.
#[derive(Debug)]
pub struct Site {
    /// The folders of its pages in the repository, each beside its Rust.
    pages: &'static [&'static str],
    modules: &'static [Module],
    /// The folder under `target` that it is built into.
    folder: &'static str,
}

/// A package whose library becomes a wasm module.
#[derive(Debug)]
struct Module {
    package: &'static str,
    library: &'static str,
    /// The name of its files on the site.
    name: &'static str,
    machine: Machine,
}

/// What a browser's wasm can do.
#[derive(Debug)]
enum Machine {
    /// The first version of wasm.
    Plain,
    /// It has vector instructions.
    Vectors,
}

/// The game, for browsers with and without vector instructions, and the pacing lab.
pub const PAGES: Site = Site {
    pages: &["starship/app/site", "tools/lab-page/site"],
    modules: &[
        Module {
            package: "starship",
            library: "starship_app",
            name: "starship_app",
            machine: Machine::Plain,
        },
        Module {
            package: "starship",
            library: "starship_app",
            name: "starship_app_simd",
            machine: Machine::Vectors,
        },
        Module { package: "lab-page", library: "lab_page", name: "lab_page", machine: Machine::Plain },
    ],
    folder: "web",
};

/// The page that the web host is tested on.
pub const PROBE: Site = Site {
    pages: &["tools/host-page/site"],
    modules: &[Module {
        package: "host-page",
        library: "host_page",
        name: "host_page",
        machine: Machine::Plain,
    }],
    folder: "web-probe",
};

impl Site {
    /// Builds everything and tells where it is.
    pub fn build(&self) -> Result<PathBuf, String> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = here.ancestors().nth(2).ok_or("this package is in the repository")?;
        let site = root.join("target").join(self.folder);
        let failed = |error: std::io::Error| format!("cannot write {}: {error}", site.display());
        add_target()?;
        // Nothing of an older site stays.
        if site.exists() {
            fs::remove_dir_all(&site).map_err(failed)?;
        }
        fs::create_dir_all(&site).map_err(failed)?;
        for module in self.modules {
            module.build(root, &site)?;
        }
        for pages in self.pages {
            for file in fs::read_dir(root.join(pages)).map_err(failed)? {
                let file = file.map_err(failed)?;
                fs::copy(file.path(), site.join(file.file_name())).map_err(failed)?;
            }
        }
        println!("{}", site.display());
        Ok(site)
    }
}

impl Module {
    /// Builds the wasm module and its JavaScript half.
    fn build(&self, root: &Path, site: &Path) -> Result<(), String> {
        // A folder of its own: the profile differs from that of a native build.
        let build = root.join("target/wasm");
        let flags = match self.machine {
            Machine::Plain => "",
            Machine::Vectors => "-C target-feature=+simd128",
        };
        // As a cdylib, which only a page needs.
        run(Command::new("cargo")
            .args(["rustc", "--release", "--locked", "-p", self.package, "--lib", "--crate-type", "cdylib"])
            .args(["--target", TARGET])
            .current_dir(root)
            .env("CARGO_TARGET_DIR", &build)
            .env("RUSTFLAGS", flags)
            // Link-time optimisation saves little here and takes minutes.
            .env("CARGO_PROFILE_RELEASE_LTO", "off"))?;
        Bindgen::new()
            .input_path(build.join(TARGET).join("release").join(self.library).with_extension("wasm"))
            .out_name(self.name)
            .web(true)
            .map_err(|error| error.to_string())?
            .typescript(false)
            // The names of functions are an eighth of the download, and only a debugger reads them.
            .remove_name_section(true)
            .omit_default_module_path(false)
            .generate(site)
            .map_err(|error| format!("{error:#}"))
    }
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
