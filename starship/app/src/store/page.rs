//! A store in the browser's local storage: an item for each text.

use wasm_bindgen::JsValue;

use super::{Contents, is_key};

/// Other pages of the same site share the storage.
const PREFIX: &str = "starship.";

/// The local storage of the page's site.
#[derive(Debug)]
pub(super) struct Storage(web_sys::Storage);

impl Storage {
    /// The storage, unless the browser has none or refuses it, as some do for private windows.
    pub(super) fn of_the_page() -> Result<Self, String> {
        let window = web_sys::window().ok_or("there is no page")?;
        let storage = window.local_storage().map_err(|error| in_words(&error))?;
        Ok(Self(storage.ok_or("the browser has no local storage")?))
    }

    pub(super) fn read(&self) -> Result<Contents, String> {
        let mut contents = Contents::default();
        let count = self.0.length().map_err(|error| in_words(&error))?;
        for n in 0..count {
            let Some(name) = self.0.key(n).map_err(|error| in_words(&error))? else {
                continue;
            };
            if let Some(key) = name.strip_prefix(PREFIX).filter(|key| is_key(key))
                && let Some(text) = self.0.get_item(&name).map_err(|error| in_words(&error))?
            {
                contents.entries.insert(key.to_owned(), text);
            }
        }
        Ok(contents)
    }

    pub(super) fn write(&self, key: &str, text: &str) -> Result<(), String> {
        self.0.set_item(&format!("{PREFIX}{key}"), text).map_err(|error| in_words(&error))
    }
}

fn in_words(error: &JsValue) -> String {
    let message = js_sys::Reflect::get(error, &"message".into()).ok().and_then(|message| message.as_string());
    message.unwrap_or_else(|| "the browser refuses local storage".to_owned())
}
