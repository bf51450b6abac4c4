//! A store in a file: a line for each text.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{ErrorKind, Read as _};
use std::path::PathBuf;

use super::{Contents, is_key};

const FOLDER: &str = "starship-survivors";
const NAME: &str = "starship.txt";
const HEADER: &str = "Starship Survivors: settings and best scores";
/// The most that is read, in bytes: far more than the game keeps.
const BYTES_MAX: u64 = 1 << 20;

/// The file of a store.
#[derive(Debug)]
pub(super) struct File {
    path: PathBuf,
}

impl File {
    pub(super) const fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// The file in the configuration folder of the system.
    pub(super) fn of_the_player() -> Result<Self, String> {
        Ok(Self::at(configuration_folder(|name| std::env::var_os(name))?.join(FOLDER).join(NAME)))
    }

    /// Reads the file. One that does not exist is empty; a damaged one is set aside, and replaced by what is legible in it.
    pub(super) fn read(&self) -> Result<Contents, String> {
        let mut bytes = Vec::new();
        // A pipe would wait for ever.
        if std::fs::metadata(&self.path).is_ok_and(|file| !file.is_file()) {
            return Err(format!("cannot read {}: it is not a file", self.path.display()));
        }
        let read =
            std::fs::File::open(&self.path).and_then(|file| file.take(BYTES_MAX + 1).read_to_end(&mut bytes));
        match read {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Contents::default()),
            Err(error) => return Err(format!("cannot read {}: {error}", self.path.display())),
            Ok(_) => {}
        }
        let (entries, is_sound) = parse(&bytes);
        let mut damage = None;
        if !is_sound {
            let aside = self.set_aside_as();
            damage = Some(match std::fs::rename(&self.path, &aside) {
                // Otherwise the next reading, before the first change, would find nothing.
                Ok(()) => {
                    self.write(&entries)?;
                    format!("a damaged file was set aside: {}", aside.display())
                }
                Err(_) => format!("a file is damaged: {}", self.path.display()),
            });
        }
        Ok(Contents { entries, damage })
    }

    /// Writes the whole file under another name first, so that there is a complete one at every moment.
    pub(super) fn write(&self, entries: &BTreeMap<String, String>) -> Result<(), String> {
        let next = self.beside(&format!("{}.new", std::process::id()));
        let written = self
            .path
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::write(&next, text_of(entries)))
            .and_then(|()| std::fs::rename(&next, &self.path));
        written.map_err(|error| {
            let _ = std::fs::remove_file(&next);
            format!("cannot write {}: {error}", self.path.display())
        })
    }

    /// An unused name for a damaged file.
    fn set_aside_as(&self) -> PathBuf {
        let numbered = |n: u32| self.beside(&format!("damaged-{n}"));
        let mut names = std::iter::once(self.beside("damaged")).chain((2..u32::MAX).map(numbered));
        names.find(|path| !path.exists()).unwrap_or_else(|| self.beside("damaged"))
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = OsString::from(&self.path);
        name.push(".");
        name.push(ending);
        name.into()
    }
}

/// Finds the folder for configuration by the conventions of the system.
pub(super) fn configuration_folder(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, String> {
    // The XDG base directory specification says to ignore relative paths.
    let folder = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let (found, asked) = if cfg!(windows) {
        (folder("APPDATA"), "APPDATA")
    } else if cfg!(target_os = "macos") {
        (folder("HOME").map(|home| home.join("Library/Application Support")), "HOME")
    } else {
        let home = || folder("HOME").map(|home| home.join(".config"));
        (folder("XDG_CONFIG_HOME").or_else(home), "HOME")
    };
    found.ok_or_else(|| format!("the environment variable {asked} is not a folder"))
}

fn text_of(entries: &BTreeMap<String, String>) -> String {
    let mut text = format!("{HEADER}\n");
    for (key, value) in entries {
        text.push_str(key);
        text.push('=');
        for letter in value.chars() {
            match letter {
                '\\' => text.push_str("\\\\"),
                '\n' => text.push_str("\\n"),
                '\r' => text.push_str("\\r"),
                letter => text.push(letter),
            }
        }
        text.push('\n');
    }
    text
}

/// Returns the legible lines, and whether the whole file is sound.
fn parse(bytes: &[u8]) -> (BTreeMap<String, String>, bool) {
    let mut is_sound = bytes.len() as u64 <= BYTES_MAX && bytes.ends_with(b"\n");
    // A last line without its end may be half of one.
    let end = bytes.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
    // Some editors end lines with CR LF. A text's own CR is written as an escape.
    let mut lines =
        bytes[..end].split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    is_sound &= lines.next() == Some(HEADER.as_bytes());
    let mut entries = BTreeMap::new();
    for line in lines.filter(|line| !line.is_empty()) {
        match str::from_utf8(line).ok().and_then(parse_line) {
            Some((key, value)) => {
                entries.insert(key, value);
            }
            None => is_sound = false,
        }
    }
    (entries, is_sound)
}

fn parse_line(line: &str) -> Option<(String, String)> {
    let (key, escaped) = line.split_once('=').filter(|(key, _)| is_key(key))?;
    let mut value = String::with_capacity(escaped.len());
    let mut letters = escaped.chars();
    while let Some(letter) = letters.next() {
        value.push(match letter {
            '\\' => match letters.next()? {
                '\\' => '\\',
                'n' => '\n',
                'r' => '\r',
                _ => return None,
            },
            letter => letter,
        });
    }
    Some((key.to_owned(), value))
}
