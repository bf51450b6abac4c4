//! Static sites: wasm modules, their JavaScript bindings, and pages.

use std::path::{Path, PathBuf};

use wasm_bindgen_cli_support::Bindgen;

use crate::book;
use crate::files;
use crate::game::check_version;
use crate::wasm::{self, Profile};

/// A static site: pages and their wasm modules.
#[derive(Debug)]
pub struct Site {
    /// The folders with the pages.
    pages: &'static [&'static str],
    modules: &'static [Module],
    /// Whether the site has the book.
    has_book: bool,
    /// The output folder in `target`.
    folder: &'static str,
}

/// A package whose library becomes a wasm module.
#[derive(Debug)]
struct Module {
    package: &'static str,
    library: &'static str,
    /// The file name on the site, without extension.
    name: &'static str,
    machine: Machine,
    /// Options for cargo, such as features.
    options: &'static [&'static str],
}

/// Draws with WebGPU where there is a graphics card.
const GPU: &[&str] = &["--features", "gpu"];

/// The wasm features to build for.
#[derive(Debug)]
enum Machine {
    /// The default features.
    Plain,
    /// SIMD instructions.
    Vectors,
}

/// The game, with and without SIMD instructions, the pacing lab, and the book.
pub const PAGES: Site = Site {
    pages: &["starship/app/site", "lab/page/site"],
    modules: &[
        Module {
            package: "starship",
            library: "starship_app",
            name: "starship_app",
            machine: Machine::Plain,
            options: GPU,
        },
        Module {
            package: "starship",
            library: "starship_app",
            name: "starship_app_simd",
            machine: Machine::Vectors,
            options: GPU,
        },
        Module {
            package: "lab-page",
            library: "lab_page",
            name: "lab_page",
            machine: Machine::Plain,
            options: &[],
        },
    ],
    has_book: true,
    folder: "web",
};

/// The book alone, which needs no wasm.
pub const BOOK: Site = Site { pages: &[], modules: &[], has_book: true, folder: "web-book" };

/// The test page of the web host.
pub const HOST_PAGE: Site = Site {
    pages: &["tools/host-page/site"],
    modules: &[Module {
        package: "host-page",
        library: "host_page",
        name: "host_page",
        machine: Machine::Plain,
        options: &[],
    }],
    has_book: false,
    folder: "web-probe",
};

impl Site {
    /// Builds the site and returns its folder.
    pub fn build(&self) -> Result<PathBuf, String> {
        let root = wasm::root()?;
        check_version(root)?;
        let site = root.join("target").join(self.folder);
        files::empty(&site)?;
        for module in self.modules {
            module.build(root, &site)?;
        }
        for pages in self.pages {
            files::copy(&root.join(pages), &site)?;
        }
        if self.has_book {
            book::build(&site)?;
        }
        println!("{}", site.display());
        Ok(site)
    }
}

impl Module {
    /// Builds the wasm module and its JavaScript bindings.
    fn build(&self, root: &Path, site: &Path) -> Result<(), String> {
        let flags = match self.machine {
            Machine::Plain => "",
            Machine::Vectors => "-C target-feature=+simd128",
        };
        let profile = Profile {
            folder: "wasm",
            flags,
            // Link-time optimisation would save little and take minutes.
            settings: &[("LTO", "off")],
        };
        let module = wasm::build(root, self.package, self.library, self.options, &profile)?;
        bind(&module, self.name, site)
    }
}

/// Writes a module and its JavaScript bindings into the site, under this name.
pub fn bind(module: &Path, name: &str, site: &Path) -> Result<(), String> {
    Bindgen::new()
        .input_path(module)
        .out_name(name)
        .web(true)
        .map_err(|error| error.to_string())?
        .typescript(false)
        // Function names are an eighth of the download, and only debuggers need them.
        .remove_name_section(true)
        .omit_default_module_path(false)
        .generate(site)
        .map_err(|error| format!("{error:#}"))
}
