//! Keys by where they are on the keyboard.

/// Makes the enum, its code names and, where there is a window, the way from winit's codes: all have the same names.
macro_rules! keys {
    ($($name:ident)*) => {
        /// A key by its place on the keyboard, not by what is printed on it: the keys left of the middle row's `S` and
        /// `D` steer a ship on every layout.
        ///
        /// The names are those of the web's [`KeyboardEvent.code`](https://www.w3.org/TR/uievents-code/).
        ///
        /// ```
        /// use evenstep_host::Key;
        ///
        /// assert_eq!(Key::from_code("KeyW"), Some(Key::KeyW));
        /// assert_eq!(Key::ArrowLeft.code(), "ArrowLeft");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum Key {
            $(#[doc = concat!("`", stringify!($name), "`.")] $name,)*
        }

        impl Key {
            /// Every key, in a fixed order.
            ///
            /// ```
            /// assert!(evenstep_host::Key::ALL.contains(&evenstep_host::Key::Space));
            /// ```
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The key's name on the web.
            ///
            /// ```
            /// assert_eq!(evenstep_host::Key::Digit1.code(), "Digit1");
            /// ```
            pub const fn code(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }

            /// The key of a web name, if we know it.
            ///
            /// ```
            /// assert_eq!(evenstep_host::Key::from_code("Hyperspace"), None);
            /// ```
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

/// A set of keys. `u128` because one bit each is enough and all of them fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeySet(u128);

const _: () = assert!(Key::ALL.len() <= 128, "a key set has a bit for every key");

impl KeySet {
    pub(crate) const fn contains(self, key: Key) -> bool {
        self.0 & Self::bit(key) != 0
    }

    /// Adds the key and says whether it is new.
    pub(crate) const fn insert(&mut self, key: Key) -> bool {
        let is_new = !self.contains(key);
        self.0 |= Self::bit(key);
        is_new
    }

    /// Takes the key out and says whether it was there.
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
    fn every_key_has_a_name_of_its_own() {
        for &key in Key::ALL {
            assert_eq!(Key::from_code(key.code()), Some(key));
        }
    }

    #[test]
    fn a_set_holds_what_was_put_in_and_not_taken_out() {
        let mut set = KeySet::default();
        assert!(set.insert(Key::KeyA) && set.insert(Key::NumLock) && !set.insert(Key::KeyA));
        assert!(set.remove(Key::KeyA) && !set.remove(Key::KeyA));
        assert_eq!(set.iter().collect::<Vec<_>>(), [Key::NumLock]);
    }
}
