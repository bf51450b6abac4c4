//! Keeps small texts between sessions: settings, best scores and the hints that were shown.
//!
//! | where | kept in |
//! |---|---|
//! | a window | a file in the user's configuration folder |
//! | a page | the browser's local storage |
//! | headless runs and tests | memory |
//!
//! Nothing that goes wrong here ends a game: the store goes on in memory and has a notice for the player.

use std::collections::BTreeMap;

#[cfg(not(target_arch = "wasm32"))]
mod file;
#[cfg(target_arch = "wasm32")]
mod page;

/// Texts by key, kept between sessions.
///
/// Keys consist of lower-case letters, digits, `.` and `-`, such as `hint.gems`. Texts may hold anything.
#[derive(Debug, Default)]
pub(crate) struct Store {
    entries: BTreeMap<String, String>,
    keeper: Keeper,
    notice: Option<String>,
}

/// What keeps the texts after the game ends.
#[derive(Debug, Default)]
enum Keeper {
    #[default]
    Nothing,
    #[cfg(not(target_arch = "wasm32"))]
    File(file::File),
    #[cfg(target_arch = "wasm32")]
    Page(page::Storage),
}

impl Store {
    /// Opens the player's store: a file, or the browser's local storage.
    pub(crate) fn open() -> Self {
        #[cfg(not(target_arch = "wasm32"))]
        let found = file::File::of_the_player().map(Keeper::File);
        #[cfg(target_arch = "wasm32")]
        let found = page::Storage::of_the_page().map(Keeper::Page);
        match found {
            Ok(keeper) => Self::kept_by(keeper),
            Err(reason) => Self { notice: Some(not_kept(&reason)), ..Self::default() },
        }
    }

    /// Creates a store that forgets everything when the game ends, without a notice.
    #[cfg(any(test, feature = "testing", target_arch = "wasm32"))]
    pub(crate) fn in_memory() -> Self {
        Self::default()
    }

    fn kept_by(keeper: Keeper) -> Self {
        let mut store = Self { keeper, ..Self::default() };
        store.reload();
        store
    }

    /// Returns the text of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.entries.get(key).map(String::as_str)
    }

    /// Keeps a text.
    pub(crate) fn set(&mut self, key: &str, text: &str) {
        self.update(key, |_| text.to_owned());
    }

    /// Replaces a text by one that depends on it. Another window's changes since then are seen.
    ///
    /// # Panics
    ///
    /// If the key contains anything but lower-case letters, digits, `.` and `-`.
    pub(crate) fn update(&mut self, key: &str, change: impl FnOnce(Option<&str>) -> String) {
        assert!(is_key(key), "a key has lower-case letters, digits, full stops and hyphens, not {key:?}");
        self.reload();
        let text = change(self.get(key));
        if self.get(key) == Some(&text) {
            return;
        }
        self.entries.insert(key.to_owned(), text);
        let written = match &self.keeper {
            Keeper::Nothing => Ok(()),
            #[cfg(not(target_arch = "wasm32"))]
            Keeper::File(file) => file.write(&self.entries),
            #[cfg(target_arch = "wasm32")]
            Keeper::Page(storage) => storage.write(key, &self.entries[key]),
        };
        if let Err(reason) = written {
            self.give_up(&reason);
        }
    }

    /// Returns what went wrong since the last call, for the player to read.
    pub(crate) fn take_notice(&mut self) -> Option<String> {
        self.notice.take()
    }

    fn reload(&mut self) {
        let read = match &self.keeper {
            Keeper::Nothing => return,
            #[cfg(not(target_arch = "wasm32"))]
            Keeper::File(file) => file.read(),
            #[cfg(target_arch = "wasm32")]
            Keeper::Page(storage) => storage.read(),
        };
        match read {
            Ok(Contents { entries, damage }) => {
                self.entries = entries;
                if damage.is_some() {
                    self.notice = damage;
                }
            }
            // Not to be overwritten: what cannot be read may still be worth something.
            Err(reason) => self.give_up(&reason),
        }
    }

    /// Goes on in memory.
    fn give_up(&mut self, reason: &str) {
        self.keeper = Keeper::Nothing;
        self.notice = Some(not_kept(reason));
    }
}

/// What a keeper holds, and whether something in it was damaged.
#[derive(Debug, Default)]
struct Contents {
    entries: BTreeMap<String, String>,
    damage: Option<String>,
}

fn not_kept(reason: &str) -> String {
    format!("scores and settings are not kept: {reason}")
}

fn is_key(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-'))
}

#[cfg(test)]
mod tests;
