//! What a player can change, kept between sessions.

mod keys;

pub(crate) use keys::{Action, Keys, name as key_name};

use crate::sound::Speaker;
use crate::store::Store;

/// The speeds to choose from.
const SPEEDS: [f64; 7] = [0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 4.0];
/// The frame rates to choose from.
const FPS_CAPS: [f64; 8] = [30.0, 40.0, 60.0, 72.0, 90.0, 120.0, 144.0, 240.0];
/// The step of percentages.
const VOLUME_STEP: u8 = 10;
const SHAKE_STEP: u8 = 50;

/// What the screen does when the ship is hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flash {
    Off,
    /// The edge of the screen glows: no change of brightness that could harm anyone.
    Gentle,
    /// The whole screen is inverted, as in the original.
    Full,
}

impl Flash {
    const ALL: [Self; 3] = [Self::Off, Self::Gentle, Self::Full];

    const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Gentle => "gentle",
            Self::Full => "full",
        }
    }
}

/// A setting with a list of values. Keys are separate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Flash,
    Shake,
    Speed,
    Lock,
    FpsCap,
    Fullscreen,
    Overlay,
    Volume,
    Mute,
}

impl Item {
    pub(crate) const ALL: [Self; 9] = [
        Self::Flash,
        Self::Shake,
        Self::Speed,
        Self::Lock,
        Self::FpsCap,
        Self::Fullscreen,
        Self::Overlay,
        Self::Volume,
        Self::Mute,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Flash => "FLASH WHEN HIT",
            Self::Shake => "SHAKE",
            Self::Speed => "SPEED",
            Self::Lock => "DISPLAY LOCK",
            Self::FpsCap => "FPS CAP",
            Self::Fullscreen => "FULL SCREEN",
            Self::Overlay => "PACING OVERLAY",
            Self::Volume => "VOLUME",
            Self::Mute => "MUTE",
        }
    }

    const fn key(self) -> &'static str {
        match self {
            Self::Flash => "setting.flash",
            Self::Shake => "setting.shake",
            Self::Speed => "setting.speed",
            Self::Lock => "setting.display-lock",
            Self::FpsCap => "setting.fps-cap",
            Self::Fullscreen => "setting.fullscreen",
            Self::Overlay => "setting.overlay",
            Self::Volume => "setting.volume",
            Self::Mute => "setting.mute",
        }
    }
}

/// All settings.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "switches")]
pub(crate) struct Settings {
    pub(crate) flash: Flash,
    /// In percent.
    pub(crate) shake: u8,
    pub(crate) speed: f64,
    pub(crate) has_lock: bool,
    pub(crate) fps_cap: Option<f64>,
    pub(crate) is_fullscreen: bool,
    pub(crate) has_overlay: bool,
    /// In percent.
    pub(crate) volume: u8,
    pub(crate) is_muted: bool,
    pub(crate) keys: Keys,
}

impl Default for Settings {
    /// The settings of a player who has changed nothing. Nobody chose to visit a page that flashes, so pages are gentle.
    fn default() -> Self {
        Self {
            flash: if cfg!(target_arch = "wasm32") { Flash::Gentle } else { Flash::Full },
            shake: 100,
            speed: 1.0,
            has_lock: true,
            fps_cap: None,
            is_fullscreen: false,
            has_overlay: false,
            volume: 60,
            is_muted: false,
            keys: Keys::default(),
        }
    }
}

impl Settings {
    /// The defaults for a player who has asked the system for less motion.
    pub(crate) fn with_less_motion() -> Self {
        Self { flash: Flash::Off, shake: 0, ..Self::default() }
    }

    /// Reads what was kept, over these defaults. What makes no sense is ignored.
    pub(crate) fn kept(self, store: &Store) -> Self {
        let mut settings = self;
        for item in Item::ALL {
            if let Some(text) = store.get(item.key()) {
                let _ = settings.read(item, text);
            }
        }
        settings.keys.read(store);
        // A page cannot open in full screen.
        settings.is_fullscreen &= cfg!(not(target_arch = "wasm32"));
        settings
    }

    /// Keeps the value of a setting.
    pub(crate) fn keep(&self, item: Item, store: &mut Store) {
        store.set(item.key(), &self.value(item));
    }

    /// How far the camera shakes, as a share of the usual.
    pub(crate) fn shake_share(&self) -> f32 {
        f32::from(self.shake) / 100.0
    }

    /// The volume, from 0 to 1.
    pub(crate) fn loudness(&self) -> f32 {
        if self.is_muted { 0.0 } else { f32::from(self.volume) / 100.0 }
    }

    /// The value of a setting, as text to keep.
    fn value(&self, item: Item) -> String {
        let switch = |is_on: bool| if is_on { "on" } else { "off" }.to_owned();
        match item {
            Item::Flash => self.flash.name().to_owned(),
            Item::Shake => self.shake.to_string(),
            Item::Speed => self.speed.to_string(),
            Item::Lock => switch(self.has_lock),
            Item::FpsCap => self.fps_cap.map_or_else(|| "none".to_owned(), |cap| cap.to_string()),
            Item::Fullscreen => switch(self.is_fullscreen),
            Item::Overlay => switch(self.has_overlay),
            Item::Volume => self.volume.to_string(),
            Item::Mute => switch(self.is_muted),
        }
    }

    /// The value of a setting, for the player.
    pub(crate) fn words(&self, item: Item) -> String {
        match item {
            Item::Volume | Item::Mute if !Speaker::IS_BUILT_IN => "NO SOUND".to_owned(),
            Item::Shake if self.shake == 0 => "OFF".to_owned(),
            Item::Shake | Item::Volume => format!("{} %", self.value(item)),
            _ => self.value(item).to_uppercase(),
        }
    }

    /// Sets a setting from text. Returns `None` if the text makes no sense.
    fn read(&mut self, item: Item, text: &str) -> Option<()> {
        let switch = || match text {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        };
        let percent = || text.parse().ok().filter(|&percent: &u8| percent <= 100);
        let number =
            |least: f64, most: f64| text.parse().ok().filter(|number: &f64| (least..=most).contains(number));
        match item {
            Item::Flash => self.flash = Flash::ALL.into_iter().find(|flash| flash.name() == text)?,
            Item::Shake => self.shake = percent()?,
            Item::Speed => self.speed = number(0.01, 100.0)?,
            Item::Lock => self.has_lock = switch()?,
            Item::FpsCap if text == "none" => self.fps_cap = None,
            Item::FpsCap => self.fps_cap = Some(number(1.0, 1_000.0)?),
            Item::Fullscreen => self.is_fullscreen = switch()?,
            Item::Overlay => self.has_overlay = switch()?,
            Item::Volume => self.volume = percent()?,
            Item::Mute => self.is_muted = switch()?,
        }
        Some(())
    }

    /// Changes a setting to its next or previous value. Lists stop at their ends; switches toggle.
    pub(crate) fn step(&mut self, item: Item, is_up: bool) {
        match item {
            Item::Flash => {
                let n = self.flash as usize;
                let n = if is_up { (n + 1).min(Flash::ALL.len() - 1) } else { n.saturating_sub(1) };
                self.flash = Flash::ALL[n];
            }
            Item::Shake => self.shake = step_percent(self.shake, SHAKE_STEP, is_up),
            Item::Speed => self.speed = next_of(&SPEEDS, self.speed, is_up).unwrap_or(self.speed),
            Item::Lock => self.has_lock = !self.has_lock,
            Item::FpsCap => {
                // No cap comes after the highest one.
                let cap = self.fps_cap.unwrap_or(f64::INFINITY);
                let next = next_of(&FPS_CAPS, cap, is_up);
                self.fps_cap = if is_up { next } else { next.or(self.fps_cap) };
            }
            Item::Fullscreen => self.is_fullscreen = !self.is_fullscreen,
            Item::Overlay => self.has_overlay = !self.has_overlay,
            Item::Volume => self.volume = step_percent(self.volume, VOLUME_STEP, is_up),
            Item::Mute => self.is_muted = !self.is_muted,
        }
    }

    /// Changes a setting to its next value, and from the last to the first: what a tap or a confirmation does.
    pub(crate) fn cycle(&mut self, item: Item) {
        let before = self.value(item);
        self.step(item, true);
        if self.value(item) == before {
            match item {
                Item::Flash => self.flash = Flash::Off,
                Item::Shake => self.shake = 0,
                Item::Speed => self.speed = SPEEDS[0],
                Item::FpsCap => self.fps_cap = Some(FPS_CAPS[0]),
                Item::Volume => self.volume = 0,
                Item::Lock | Item::Fullscreen | Item::Overlay | Item::Mute => {}
            }
        }
    }
}

fn step_percent(percent: u8, step: u8, is_up: bool) -> u8 {
    if is_up { (percent + step).min(100) } else { percent.saturating_sub(step) }
}

/// The next value of an ascending list, in one direction.
fn next_of(list: &[f64], value: f64, is_up: bool) -> Option<f64> {
    if is_up {
        list.iter().copied().find(|&next| next > value)
    } else {
        list.iter().rev().copied().find(|&next| next < value)
    }
}

#[cfg(test)]
mod tests;
