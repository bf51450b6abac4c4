//! No sound, in a build without a sound device.

use super::Sound;

/// A device that cannot exist.
#[derive(Debug)]
pub(super) enum Output {}

impl Output {
    pub(super) const fn open() -> Option<Self> {
        None
    }

    pub(super) const fn wake(&self) {
        match *self {}
    }

    pub(super) const fn set_hidden(&self, _is_hidden: bool) {
        match *self {}
    }

    pub(super) const fn set_volume(&self, _volume: f32) {
        match *self {}
    }

    pub(super) const fn play(&mut self, _sound: Sound) {
        match *self {}
    }
}
