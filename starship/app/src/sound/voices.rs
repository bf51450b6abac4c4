//! Which sounds play at once.

use std::time::Duration;

use super::Sound;

/// The most sounds at once; more are noise, and cost time.
pub(super) const VOICES: usize = 12;
/// Voices that shots and hits leave free for what matters.
const RESERVED: usize = 4;
/// Sounds of one kind that start closer together are heard as one.
const SPACING: Duration = Duration::from_millis(45);

/// The sounds that are playing.
#[derive(Debug, Default)]
pub(super) struct Voices {
    playing: Vec<Voice>,
}

#[derive(Clone, Copy, Debug)]
struct Voice {
    sound: Sound,
    start: Duration,
}

impl Voices {
    /// Returns whether to start a sound now. If so, it counts as playing until it ends.
    pub(super) fn admit(&mut self, sound: Sound, now: Duration) -> bool {
        // A clock that was set back leaves sounds of the future behind; they have ended, too.
        self.playing.retain(|voice| voice.start <= now && now < voice.start + voice.sound.length());
        let is_echo = |voice: &Voice| voice.sound == sound && now.saturating_sub(voice.start) < SPACING;
        let most = if sound.comes_in_crowds() { VOICES - RESERVED } else { VOICES };
        if self.playing.len() >= most || self.playing.iter().any(is_echo) {
            return false;
        }
        self.playing.push(Voice { sound, start: now });
        true
    }
}
