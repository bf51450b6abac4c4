use std::path::{Path, PathBuf};

use super::file::{File, configuration_folder};
use super::*;

/// A new folder in the system's temporary one, which is removed afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("starship-store-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("deeper/starship.txt")
    }

    fn store(&self) -> Store {
        open(&self.file())
    }

    /// Writes the file of the store.
    fn put(&self, bytes: &[u8]) {
        std::fs::create_dir_all(self.0.join("deeper")).unwrap();
        std::fs::write(self.file(), bytes).unwrap();
    }

    /// The names of all files beside the store.
    fn names(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.0.join("deeper")).unwrap();
        let mut names: Vec<_> =
            files.map(|file| file.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn open(path: &Path) -> Store {
    Store::kept_by(Keeper::File(File::at(path.to_owned())))
}

#[test]
fn what_is_set_is_there_in_the_next_session() {
    let folder = Folder::new("next-session");
    let texts =
        [("a", ""), ("b.c-9", "x=y"), ("d", "two\nlines\r\n"), ("e", "\\n is not a line, ü is a letter")];
    let mut store = folder.store();
    for (key, text) in texts {
        store.set(key, text);
    }
    store.set("a", "changed");
    assert_eq!(store.take_notice(), None);
    let store = folder.store();
    assert_eq!(store.get("a"), Some("changed"));
    for (key, text) in &texts[1..] {
        assert_eq!(store.get(key), Some(*text));
    }
    assert_eq!(store.get("other"), None);
    assert_eq!(folder.names(), ["starship.txt"], "nothing is left over from writing");
}

#[test]
fn two_windows_do_not_undo_each_others_changes() {
    let folder = Folder::new("two-windows");
    let mut one = folder.store();
    let mut other = folder.store();
    let more = |text: Option<&str>| format!("{}", text.map_or(0, |text| text.parse::<u32>().unwrap()) + 1);
    for _ in 0..3 {
        one.update("count", more);
        other.update("count", more);
    }
    one.set("only-one", "1");
    other.set("only-other", "2");
    let store = folder.store();
    assert_eq!(
        ["count", "only-one", "only-other"].map(|key| store.get(key)),
        [Some("6"), Some("1"), Some("2")]
    );
}

#[test]
fn a_damaged_file_is_set_aside_and_its_legible_lines_count() {
    let header = "Starship Survivors: settings and best scores\n";
    let long = format!("{header}a=1\nb={}\n", "x".repeat(1 << 20));
    for (name, bytes, a) in [
        ("no-equals", format!("{header}a=1\nnonsense\n").into_bytes(), Some("1")),
        ("cut", format!("{header}a=1\nb=2").into_bytes(), Some("1")),
        ("escape", format!("{header}a=1\nb=\\x\n").into_bytes(), Some("1")),
        ("key", format!("{header}a=1\nB=2\n").into_bytes(), Some("1")),
        ("bytes", [header.as_bytes(), b"a=1\nb=\xFF\n"].concat(), Some("1")),
        ("no-header", b"a=1\n".to_vec(), None),
        ("empty", Vec::new(), None),
        ("binary", vec![0; 4_096], None),
        ("long", long.into_bytes(), Some("1")),
    ] {
        let folder = Folder::new(name);
        folder.put(&bytes);
        let mut store = folder.store();
        assert_eq!(store.get("a"), a, "{name}");
        assert_eq!(store.get("b"), None, "{name}: half a line is none");
        assert!(
            store.take_notice().is_some_and(|notice| notice.contains("damaged file was set aside")),
            "{name}"
        );
        assert_eq!(store.take_notice(), None, "a notice is given once");
        store.set("c", "3");
        assert_eq!(store.get("a"), a, "{name}: a change keeps what was legible");
        assert_eq!(folder.names(), ["starship.txt", "starship.txt.damaged"], "{name}");
        assert_eq!(std::fs::read(folder.file().with_extension("txt.damaged")).unwrap(), bytes, "{name}");
        let mut store = folder.store();
        assert_eq!(store.take_notice(), None, "{name}");
        assert_eq!((store.get("a"), store.get("c")), (a, Some("3")), "{name}: also in the next session");
        folder.put(b"damaged once more");
        folder.store();
        let aside = std::fs::read(folder.file().with_extension("txt.damaged")).unwrap();
        assert_eq!(aside, bytes, "{name}: what was set aside first is still there");
        let again = std::fs::read(folder.file().with_extension("txt.damaged-2")).unwrap();
        assert_eq!(again, b"damaged once more", "{name}");
    }
}

#[test]
fn a_file_that_an_editor_gave_windows_line_ends_is_sound() {
    let folder = Folder::new("cr-lf");
    let mut store = folder.store();
    store.set("a", "1");
    store.set("b", "x\r");
    let text = std::fs::read_to_string(folder.file()).unwrap();
    folder.put(text.replace('\n', "\r\n").as_bytes());
    let mut store = folder.store();
    assert_eq!((store.get("a"), store.get("b")), (Some("1"), Some("x\r")));
    assert_eq!(store.take_notice(), None);
}

#[test]
fn what_cannot_be_written_is_a_notice_and_kept_in_memory() {
    let folder = Folder::new("not-writable");
    // A file where a folder is needed: not even the superuser can write below it.
    std::fs::write(folder.0.join("deeper"), "in the way").unwrap();
    let mut store = folder.store();
    store.set("a", "1");
    store.set("b", "2");
    assert_eq!((store.get("a"), store.get("b")), (Some("1"), Some("2")));
    let notice = store.take_notice().expect("a notice");
    assert!(notice.starts_with("scores and settings are not kept: cannot"), "{notice}");
    assert!(notice.contains("starship.txt"), "{notice}");
    assert_eq!(std::fs::read(folder.0.join("deeper")).unwrap(), b"in the way");
}

#[test]
fn what_cannot_be_read_is_a_notice_and_never_overwritten() {
    let folder = Folder::new("not-readable");
    std::fs::create_dir_all(folder.file()).unwrap();
    let mut store = folder.store();
    assert!(store.take_notice().is_some_and(|notice| notice.contains("cannot read")));
    store.set("a", "1");
    assert_eq!(store.get("a"), Some("1"));
    assert!(folder.file().is_dir());
    assert_eq!(folder.names(), ["starship.txt"]);
}

#[test]
fn a_store_in_memory_writes_no_file_and_has_no_notice() {
    let mut store = Store::in_memory();
    store.set("a", "1");
    store.update("a", |text| format!("{}2", text.unwrap_or_default()));
    assert_eq!((store.take_notice(), store.get("a")), (None, Some("12")));
}

#[test]
#[should_panic(expected = "lower-case letters")]
fn a_key_that_a_file_could_not_hold_is_a_bug() {
    Store::in_memory().set("a=b", "1");
}

#[cfg(target_os = "linux")]
#[test]
fn the_configuration_folder_is_that_of_the_xdg_specification() {
    let found = |config: Option<&str>, home: Option<&str>| {
        configuration_folder(|name| match name {
            "XDG_CONFIG_HOME" => config.map(Into::into),
            "HOME" => home.map(Into::into),
            _ => None,
        })
    };
    assert_eq!(found(Some("/c"), Some("/h")), Ok(PathBuf::from("/c")));
    assert_eq!(found(Some("relative"), Some("/h")), Ok(PathBuf::from("/h/.config")));
    assert_eq!(found(None, Some("/h")), Ok(PathBuf::from("/h/.config")));
    assert!(found(None, None).is_err_and(|reason| reason.contains("HOME")));
}
