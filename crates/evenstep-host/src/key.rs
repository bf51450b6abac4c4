//! Keys by their position on the keyboard.

/// Defines the enum and its conversions. The web and winit use the same names for keys.
macro_rules! keys {
    ($($name:ident)*) => {
        /// A key by its position on the keyboard, not by the character printed on it: the same four keys steer on every
        /// layout.
        ///
        /// Keys are named after the web's [`KeyboardEvent.code`](https://www.w3.org/TR/uievents-code/), for a US
        /// layout.
        ///
        /// ```
        /// use evenstep_host::Key;
        ///
        /// // Save a key binding as text, and load it again.
        /// let saved = Key::ArrowLeft.code();
        /// assert_eq!(saved, "ArrowLeft");
        /// assert_eq!(Key::from_code(saved), Some(Key::ArrowLeft));
        /// assert_eq!(Key::from_code("Hyperspace"), None);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum Key {
            $(#[doc = concat!("`", stringify!($name), "`.")] $name,)*
        }

        impl Key {
            /// All keys, in a fixed order.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Returns the key's `KeyboardEvent.code`.
            pub const fn code(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }

            /// Returns the key with a `KeyboardEvent.code`, or `None` if it is unknown.
            pub fn from_code(code: &str) -> Option<Self> {
                match code {
                    $(stringify!($name) => Some(Self::$name),)*
                    _ => None,
                }
            }

            #[cfg(all(feature = "native", not(target_arch = "wasm32")))]
            pub(crate) const fn from_winit(code: winit::keyboard::KeyCode) -> Option<Self> {
                use winit::keyboard::KeyCode;
                match code {
                    $(KeyCode::$name => Some(Self::$name),)*
                    _ => None,
                }
            }
        }
    };
}

keys! {
    KeyA KeyB KeyC KeyD KeyE KeyF KeyG KeyH KeyI KeyJ KeyK KeyL KeyM
    KeyN KeyO KeyP KeyQ KeyR KeyS KeyT KeyU KeyV KeyW KeyX KeyY KeyZ
    Digit0 Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7 Digit8 Digit9
    ArrowUp ArrowDown ArrowLeft ArrowRight
    Space Enter Escape Tab Backspace Delete Insert Home End PageUp PageDown
    ShiftLeft ShiftRight ControlLeft ControlRight AltLeft AltRight CapsLock ContextMenu
    Minus Equal BracketLeft BracketRight Backslash Semicolon Quote Backquote Comma Period Slash IntlBackslash
    F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12
    Numpad0 Numpad1 Numpad2 Numpad3 Numpad4 Numpad5 Numpad6 Numpad7 Numpad8 Numpad9
    NumpadAdd NumpadSubtract NumpadMultiply NumpadDivide NumpadDecimal NumpadEnter
    PrintScreen ScrollLock Pause NumLock
}

/// A set of keys, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeySet(u128);

const _: () = assert!(Key::ALL.len() <= 128, "a key set needs one bit per key");

impl KeySet {
    pub(crate) const fn contains(self, key: Key) -> bool {
        self.0 & Self::bit(key) != 0
    }

    /// Adds the key and returns whether it was absent.
    pub(crate) const fn insert(&mut self, key: Key) -> bool {
        let is_new = !self.contains(key);
        self.0 |= Self::bit(key);
        is_new
    }

    /// Removes the key and returns whether it was present.
    pub(crate) const fn remove(&mut self, key: Key) -> bool {
        let was_there = self.contains(key);
        self.0 &= !Self::bit(key);
        was_there
    }

    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Key> {
        Key::ALL.iter().copied().filter(move |&key| self.contains(key))
    }

    const fn bit(key: Key) -> u128 {
        1 << key as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_unique_name() {
        for &key in Key::ALL {
            assert_eq!(Key::from_code(key.code()), Some(key));
        }
    }

    #[test]
    fn a_set_holds_what_was_inserted_and_not_removed() {
        let mut set = KeySet::default();
        assert!(set.insert(Key::KeyA) && set.insert(Key::NumLock) && !set.insert(Key::KeyA));
        assert!(set.remove(Key::KeyA) && !set.remove(Key::KeyA));
        assert_eq!(set.iter().collect::<Vec<_>>(), [Key::NumLock]);
    }
}
