//! Values that are words in a file, such as a gate or a channel.

use evenstep::{Channel, DisplayLock, Effects, Excess, Gate};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::line::Reset;

/// A value that a file spells as one of a few words.
pub(crate) trait Word: Copy + PartialEq + Sized + 'static {
    /// What the words are, for errors.
    const WHAT: &'static str;
    const WORDS: &'static [(&'static str, Self)];

    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, value)| *value == self).map_or("", |(word, _)| word)
    }

    fn of(text: &str) -> Result<Self, String> {
        Self::WORDS.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
            let words: Vec<_> = Self::WORDS.iter().map(|(word, _)| format!("`{word}`")).collect();
            format!("expected {}: {}, found `{text}`", Self::WHAT, words.join(", "))
        })
    }
}

/// A word as serde sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spelled<T>(pub(crate) T);

impl<T: Word> Serialize for Spelled<T> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(self.0.word())
    }
}

impl<'de, T: Word> Deserialize<'de> for Spelled<T> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let text = String::deserialize(input)?;
        T::of(&text).map(Self).map_err(serde::de::Error::custom)
    }
}

impl Word for Gate {
    const WHAT: &'static str = "a gate";
    const WORDS: &'static [(&'static str, Self)] =
        &[("open", Self::Open), ("paused", Self::Paused), ("menu", Self::Menu)];
}

impl Word for Reset {
    const WHAT: &'static str = "a reset";
    const WORDS: &'static [(&'static str, Self)] =
        &[("frame_timing", Self::FrameTiming), ("new_game", Self::NewGame)];
}

impl Word for Excess {
    const WHAT: &'static str = "what happens to excess steps";
    const WORDS: &'static [(&'static str, Self)] =
        &[("keep-phase", Self::KeepPhase), ("drain", Self::Drain), ("carry", Self::Carry)];
}

impl Word for Effects {
    const WHAT: &'static str = "how effects combine";
    const WORDS: &'static [(&'static str, Self)] =
        &[("composed", Self::Composed), ("classic", Self::Classic)];
}

impl Word for DisplayLock {
    const WHAT: &'static str = "a display lock";
    const WORDS: &'static [(&'static str, Self)] =
        &[("off", Self::Off), ("follow", Self::Follow), ("rate-lock", Self::RateLock)];
}

impl Word for Channel {
    const WHAT: &'static str = "a channel";
    const WORDS: &'static [(&'static str, Self)] = &[
        ("time_dilation", Self::TIME_DILATION),
        ("level_speed", Self::LEVEL_SPEED),
        ("juice", Self::JUICE),
        ("network_nudge", Self::NETWORK_NUDGE),
        ("custom_0", Self::custom(0)),
        ("custom_1", Self::custom(1)),
        ("custom_2", Self::custom(2)),
        ("custom_3", Self::custom(3)),
    ];
}
