//! Files that the game saves for the player: in the current folder, or as a download.

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::fs::File;
    use std::io::Write as _;
    use std::path::{Path, PathBuf};

    #[cfg(test)]
    thread_local! {
        /// The folder that a test saves into.
        static FOLDER: std::cell::RefCell<PathBuf> = const { std::cell::RefCell::new(PathBuf::new()) };
    }

    /// Runs a test that saves into another folder than the current one.
    #[cfg(test)]
    pub(crate) fn in_folder<R>(folder: &Path, run: impl FnOnce() -> R) -> R {
        FOLDER.replace(folder.to_owned());
        let result = run();
        FOLDER.replace(PathBuf::new());
        result
    }

    fn folder() -> PathBuf {
        #[cfg(test)]
        return FOLDER.with_borrow(Clone::clone);
        #[cfg(not(test))]
        PathBuf::new()
    }

    /// An unused path: the name with the first free number.
    pub(crate) fn unused(name: &str, extension: &str) -> PathBuf {
        let numbered = |n: u32| folder().join(format!("{name}-{n:03}.{extension}"));
        (1..u32::MAX).map(numbered).find(|path| !Path::exists(path)).expect("no folder has that many files")
    }

    /// Saves a recording under an unused name, and returns the name.
    pub(crate) fn save(name: &str, bytes: &[u8]) -> Result<String, String> {
        let path = unused(name, "replay");
        // Another game may have taken the name since.
        let written = File::create_new(&path).and_then(|mut file| file.write_all(bytes));
        written.map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path.display().to_string())
    }

    /// Opens a file to record into, and leaves what it has until it is [emptied](empty).
    pub(crate) fn open(path: &Path) -> std::io::Result<File> {
        File::options().write(true).create(true).truncate(false).open(path)
    }

    /// Empties a file, if it is one and not a device or a pipe.
    pub(crate) fn empty(file: &File) -> std::io::Result<()> {
        if file.metadata()?.is_file() { file.set_len(0) } else { Ok(()) }
    }
}

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use native::*;

/// Offers a recording as a download, and returns its name.
#[cfg(target_arch = "wasm32")]
pub(crate) fn save(name: &str, bytes: &[u8]) -> Result<String, String> {
    use wasm_bindgen::JsValue;
    use web_sys::{Blob, Url};

    let name = format!("{name}.replay");
    let save = || -> Result<(), JsValue> {
        let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
        let url = Url::create_object_url_with_blob(&Blob::new_with_u8_array_sequence(&parts)?)?;
        // Never revoked: some browsers read it later.
        offer(&url, &name)
    };
    save().map_err(|error| format!("{error:?}"))?;
    Ok(name)
}

/// Offers what an address has as a download.
#[cfg(target_arch = "wasm32")]
pub(crate) fn offer(url: &str, name: &str) -> Result<(), wasm_bindgen::JsValue> {
    use wasm_bindgen::JsCast as _;

    let document = web_sys::window().and_then(|window| window.document()).ok_or("no document")?;
    let link: web_sys::HtmlAnchorElement = document.create_element("a")?.dyn_into()?;
    link.set_href(url);
    link.set_download(name);
    link.click();
    Ok(())
}
