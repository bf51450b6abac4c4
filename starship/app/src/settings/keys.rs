//! The keys that a player can choose.

use evenstep_host::{Input, Key};

use crate::store::Store;

/// What a key can do. Every action has one key to choose, and others that stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Up,
    Left,
    Down,
    Right,
    Boost,
    Pause,
}

impl Action {
    pub(crate) const ALL: [Self; 6] =
        [Self::Up, Self::Left, Self::Down, Self::Right, Self::Boost, Self::Pause];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Up => "UP",
            Self::Left => "LEFT",
            Self::Down => "DOWN",
            Self::Right => "RIGHT",
            Self::Boost => "BOOST",
            Self::Pause => "PAUSE",
        }
    }

    const fn key(self) -> &'static str {
        match self {
            Self::Up => "key.up",
            Self::Left => "key.left",
            Self::Down => "key.down",
            Self::Right => "key.right",
            Self::Boost => "key.boost",
            Self::Pause => "key.pause",
        }
    }

    const fn default(self) -> Key {
        match self {
            Self::Up => Key::KeyW,
            Self::Left => Key::KeyA,
            Self::Down => Key::KeyS,
            Self::Right => Key::KeyD,
            Self::Boost => Key::Space,
            Self::Pause => Key::KeyP,
        }
    }

    /// The keys that always do this, so that no choice can lock a player out.
    const fn fixed(self) -> &'static [Key] {
        match self {
            Self::Up => &[Key::ArrowUp],
            Self::Left => &[Key::ArrowLeft],
            Self::Down => &[Key::ArrowDown],
            Self::Right => &[Key::ArrowRight],
            Self::Boost => &[Key::ShiftLeft, Key::ShiftRight],
            Self::Pause => &[Key::Escape],
        }
    }
}

/// Keys with a use of their own.
const RESERVED: [Key; 23] = [
    Key::Digit1,
    Key::Digit2,
    Key::Digit3,
    Key::Numpad1,
    Key::Numpad2,
    Key::Numpad3,
    Key::Enter,
    Key::NumpadEnter,
    Key::Tab,
    Key::F1,
    Key::F2,
    Key::F6,
    Key::F11,
    Key::KeyL,
    Key::KeyM,
    Key::BracketLeft,
    Key::BracketRight,
    Key::Period,
    Key::ControlLeft,
    Key::ControlRight,
    Key::AltLeft,
    Key::AltRight,
    Key::ContextMenu,
];

/// The key of each action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Keys([Key; Action::ALL.len()]);

impl Default for Keys {
    fn default() -> Self {
        Self(Action::ALL.map(Action::default))
    }
}

impl Keys {
    /// The chosen key of an action.
    pub(crate) const fn of(&self, action: Action) -> Key {
        self.0[action as usize]
    }

    /// Returns whether a key does this.
    pub(crate) fn is(&self, action: Action, key: Key) -> bool {
        self.of(action) == key || action.fixed().contains(&key)
    }

    /// Returns whether a key for this action is held in a tick.
    pub(crate) fn is_down(&self, action: Action, input: &Input) -> bool {
        input.is_down(self.of(action)) || action.fixed().iter().any(|&key| input.is_down(key))
    }

    /// Chooses a key for an action. An action that had it gets the key of this one.
    ///
    /// # Errors
    ///
    /// If the key has a use that cannot change.
    pub(crate) fn choose(&mut self, action: Action, key: Key) -> Result<(), String> {
        if RESERVED.contains(&key) || Action::ALL.iter().any(|other| other.fixed().contains(&key)) {
            return Err(format!("{} HAS ANOTHER USE. CHOOSE A DIFFERENT KEY", name(key)));
        }
        let before = self.of(action);
        if let Some(other) = self.0.iter_mut().find(|other| **other == key) {
            *other = before;
        }
        self.0[action as usize] = key;
        Ok(())
    }

    /// Keeps all keys.
    pub(crate) fn keep(&self, store: &mut Store) {
        for action in Action::ALL {
            store.set(action.key(), self.of(action).code());
        }
    }

    /// Reads what was kept. A key that is unknown or has another use is ignored.
    pub(super) fn read(&mut self, store: &Store) {
        for action in Action::ALL {
            if let Some(key) = store.get(action.key()).and_then(Key::from_code) {
                let _ = self.choose(action, key);
            }
        }
    }

    /// The names of the keys that steer, in short.
    pub(crate) fn steering(&self) -> String {
        let names =
            [Action::Up, Action::Left, Action::Down, Action::Right].map(|action| name(self.of(action)));
        let is_short = names.iter().all(|name| name.chars().count() == 1);
        names.join(if is_short { "" } else { " " })
    }
}

/// The name of a key, for the player: where it is on a US keyboard.
pub(crate) fn name(key: Key) -> String {
    let code = key.code();
    let code = code.strip_prefix("Key").or_else(|| code.strip_prefix("Digit")).unwrap_or(code);
    let mut name = String::new();
    for (n, letter) in code.chars().enumerate() {
        if n > 0 && letter.is_uppercase() {
            name.push(' ');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}
