//! The page's controls, and the display that they describe.

use evenstep_lab::display::{Display, Noise, Pace, Pattern, Refresh};

/// The lowest refresh rate, as on the command line.
pub const HZ_MIN: f64 = 10.0;
/// The highest refresh rate.
pub const HZ_MAX: f64 = 1000.0;
/// The largest noise on timestamps, in milliseconds.
pub const NOISE_MS_MAX: f64 = 5.0;
/// The step of the noise's slider.
pub const NOISE_MS_STEP: f64 = 0.05;
/// The largest share of missed refreshes, in percent.
pub const MISSED_MAX: f64 = 50.0;
/// The step of its slider.
pub const MISSED_STEP: f64 = 1.0;
/// The average seconds between stalls that the page offers; 0 for no stalls.
pub const STALLS_S: [f64; 5] = [0.0, 20.0, 10.0, 5.0, 2.0];

/// Two monitors: the rate of the other one, and how long the window stays on each.
const OTHER_HZ: f64 = 144.0;
const OTHER_HZ_FOR_144: f64 = 60.0;
const SWITCH_EVERY_S: f64 = 5.0;
/// Amplitude of a breathing display's intervals.
const BREATH_MS: f64 = 2.0;
/// A game that misses every other refresh, and one at 24 frames a second on a 60 Hz display.
const EVERY_OTHER: Pattern = Pattern::new(&[1, 2]).expect("a short pattern");
const PULLDOWN: Pattern = Pattern::new(&[3, 2]).expect("a short pattern");

/// A disturbance of timestamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Timestamps are exact.
    None,
    /// Normally distributed noise.
    Gauss,
    /// Uniformly distributed noise.
    Uniform,
    /// Late wake-ups, never early ones.
    Late,
    /// A clock with a resolution of one millisecond.
    Clock,
}

impl Trouble {
    /// All values, in the order of the page.
    pub const ALL: [Self; 5] = [Self::None, Self::Gauss, Self::Uniform, Self::Late, Self::Clock];

    /// The value of the page's control.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Gauss => "gauss",
            Self::Uniform => "uniform",
            Self::Late => "late",
            Self::Clock => "clock",
        }
    }

    /// Finds the value with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|trouble| trouble.name() == name)
    }

    /// Whether the disturbance has an adjustable size.
    pub const fn has_size(self) -> bool {
        matches!(self, Self::Gauss | Self::Uniform | Self::Late)
    }
}

/// When the display shows frames, and how many refreshes the game takes for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// On a fixed grid.
    Fixed,
    /// Variable refresh: each interval is a little longer or shorter than the previous one.
    Wandering,
    /// Variable refresh: intervals are independent.
    Independent,
    /// Variable refresh: intervals grow and shrink periodically.
    Breathing,
    /// The window moves between this monitor and another.
    Switching,
    /// The game periodically takes two refreshes per frame.
    Halving,
    /// The game misses every other refresh: frames take one refresh and two in turn.
    EveryOther,
    /// Frames take three refreshes and two in turn.
    Pulldown,
    /// Variable refresh with a frame cap: a frame appears when the loop wakes up.
    Capped,
}

impl Mode {
    /// All values, in the order of the page.
    pub const ALL: [Self; 9] = [
        Self::Fixed,
        Self::EveryOther,
        Self::Pulldown,
        Self::Halving,
        Self::Switching,
        Self::Wandering,
        Self::Independent,
        Self::Breathing,
        Self::Capped,
    ];

    /// The value of the page's control.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Wandering => "wandering",
            Self::Independent => "independent",
            Self::Breathing => "breathing",
            Self::Switching => "switching",
            Self::Halving => "halving",
            Self::EveryOther => "every-other",
            Self::Pulldown => "pulldown",
            Self::Capped => "capped",
        }
    }

    /// Finds the value with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// The controls that describe a display.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The display's refresh rate.
    pub hz: f64,
    /// When the display shows frames.
    pub mode: Mode,
    /// The disturbance of timestamps.
    pub trouble: Trouble,
    /// The size of the disturbance, in milliseconds.
    pub trouble_ms: f64,
    /// The share of frames that miss a refresh, in percent.
    pub missed: f64,
    /// Average seconds between stalls; 0 for no stalls.
    pub stall_every_s: f64,
}

impl Settings {
    /// A display without disturbances.
    pub const fn new(hz: f64) -> Self {
        Self {
            hz,
            mode: Mode::Fixed,
            trouble: Trouble::None,
            trouble_ms: 0.3,
            missed: 0.0,
            stall_every_s: 0.0,
        }
    }

    const fn with_gauss(hz: f64, ms: f64) -> Self {
        Self { trouble: Trouble::Gauss, trouble_ms: ms, ..Self::new(hz) }
    }

    /// The display that the controls describe. Numbers are clamped to their range, so it can always be played.
    pub fn display(&self) -> Display {
        let hz = within(self.hz, HZ_MIN, HZ_MAX);
        let ms = within(self.trouble_ms, 0.0, NOISE_MS_MAX);
        let other_hz = if hz == OTHER_HZ { OTHER_HZ_FOR_144 } else { OTHER_HZ };
        Display {
            hz,
            refresh: match self.mode {
                Mode::Fixed | Mode::EveryOther | Mode::Pulldown | Mode::Halving => Refresh::Fixed,
                Mode::Wandering => Refresh::Wandering(0.4),
                Mode::Independent => Refresh::Independent(0.5),
                // Less than the length of an interval.
                Mode::Breathing => Refresh::Breathing(BREATH_MS.min(0.4 * 1e3 / hz)),
                Mode::Switching => Refresh::Switching { other_hz, every_s: SWITCH_EVERY_S },
                Mode::Capped => Refresh::Capped,
            },
            pace: match self.mode {
                Mode::EveryOther => Pace::Repeated(EVERY_OTHER),
                Mode::Pulldown => Pace::Repeated(PULLDOWN),
                Mode::Halving => Pace::Halving { every_s: 6.0 },
                _ => Pace::Every,
            },
            noise: match self.trouble {
                Trouble::None | Trouble::Clock => Noise::None,
                Trouble::Gauss => Noise::Gauss(ms),
                Trouble::Uniform => Noise::Uniform(ms),
                Trouble::Late => Noise::Exponential(ms),
            },
            missed: within(self.missed, 0.0, MISSED_MAX) / 100.0,
            stall_every_s: within(self.stall_every_s, 0.0, 3600.0),
            clock_ns: if self.trouble == Trouble::Clock { 1_000_000 } else { 1 },
            ..Display::new(hz)
        }
    }
}

/// Clamps a value; NaN becomes the low end.
const fn within(value: f64, low: f64, high: f64) -> f64 {
    // The order matters: `max` ignores NaN.
    value.max(low).min(high)
}

/// A well-known case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// The preset's name on the page.
    pub name: &'static str,
    /// What to look at, in a sentence.
    pub about: &'static str,
    /// The settings of the controls.
    pub settings: Settings,
}

impl Preset {
    /// Finds the value with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }
}

/// Well-known cases; the page starts with the first.
pub const PRESETS: [Preset; 6] = [
    Preset {
        name: "60 Hz, noisy timestamps",
        about: "An ordinary display. A loop that trusts the clock moves too far or not far enough in almost every frame.",
        settings: Settings::with_gauss(60.0, 0.5),
    },
    Preset {
        name: "144 Hz",
        about: "2.4 frames per step: only interpolation can be even here, and only if its time is.",
        settings: Settings::with_gauss(144.0, 0.5),
    },
    Preset {
        name: "59.94 Hz",
        about: "0.1 % slower than the game: about every 17 s, exactly one frame has to run two steps.",
        settings: Settings::with_gauss(59.94, 0.3),
    },
    Preset {
        name: "a game that misses every other refresh",
        about: "40 frames a second on a 60 Hz display: a frame stays for one refresh or for two, and motion must follow.",
        settings: Settings { mode: Mode::EveryOther, ..Settings::with_gauss(60.0, 0.3) },
    },
    Preset {
        name: "VRR",
        about: "No fixed refresh, so there is nothing to lock to: exact timestamps are best used as they are.",
        settings: Settings { mode: Mode::Wandering, ..Settings::new(100.0) },
    },
    Preset {
        name: "tab hiccups",
        about: "Stalls and missed refreshes: see what each loop drops, and whether it recovers its pattern.",
        settings: Settings { missed: 2.0, stall_every_s: 5.0, ..Settings::with_gauss(60.0, 0.3) },
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_the_controls_say_the_display_can_be_played() {
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 1e300] {
            for mode in Mode::ALL {
                for trouble in Trouble::ALL {
                    let settings =
                        Settings { hz: odd, mode, trouble, trouble_ms: odd, missed: odd, stall_every_s: odd };
                    let frames = settings.display().play(2.0, 1).len();
                    assert!((5..=5_000).contains(&frames), "{settings:?}: {frames} frames");
                }
            }
        }
    }

    #[test]
    fn every_name_finds_its_own() {
        assert!(Mode::ALL.into_iter().all(|mode| Mode::named(mode.name()) == Some(mode)));
        assert!(Trouble::ALL.into_iter().all(|trouble| Trouble::named(trouble.name()) == Some(trouble)));
        assert!(PRESETS.iter().all(|preset| Preset::named(preset.name) == Some(preset)));
    }

    #[test]
    fn two_monitors_have_two_rates() {
        for hz in [60.0, 144.0] {
            let settings = Settings { mode: Mode::Switching, ..Settings::new(hz) };
            let Refresh::Switching { other_hz, .. } = settings.display().refresh else { panic!("two rates") };
            assert_ne!(other_hz, hz);
        }
    }
}
