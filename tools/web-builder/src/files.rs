//! Folders of sites.

use std::fs;
use std::io;
use std::path::Path;

/// Makes an empty folder, without the files of an older build.
pub fn empty(folder: &Path) -> Result<(), String> {
    let removed = if folder.exists() { fs::remove_dir_all(folder) } else { Ok(()) };
    removed
        .and_then(|()| fs::create_dir_all(folder))
        .map_err(|error| format!("cannot write {}: {error}", folder.display()))
}

/// Copies a folder and everything in it.
pub fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |error: io::Error| format!("cannot copy {}: {error}", from.display());
    for file in fs::read_dir(from).map_err(failed)? {
        let file = file.map_err(failed)?;
        let to = to.join(file.file_name());
        if file.path().is_dir() {
            fs::create_dir_all(&to).map_err(failed)?;
            copy(&file.path(), &to)?;
        } else {
            fs::copy(file.path(), to).map_err(failed)?;
        }
    }
    Ok(())
}
