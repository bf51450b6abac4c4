//! Simulated displays: when each frame appeared, and which timestamp the loop got for it.
//!
//! ```text
//! refresh grid   |      |      |      |      |      |      |
//! shown          1      2      3             4      5      6      frame 4 missed a refresh and appears one later
//! stamp          .1    2 .      . 3          .  4  5.      .6     noise affects the timestamp, never the display
//! ```

use std::fmt;

use crate::random::Random;
use crate::session::Session;
pub use crate::session::Shown;

mod noise;
mod pace;

use noise::NoiseState;
pub use noise::{BURST_EVERY_S, BURST_S, Noise};
use pace::PaceState;
pub use pace::{PATTERN_S, Pace, Pattern};

const NS_PER_MS: f64 = 1e6;
const NS_PER_S: f64 = 1e9;

/// Length of a stall, in milliseconds.
pub const STALL_MS: f64 = 300.0;
/// The shortest and the longest pause, in milliseconds.
pub const PAUSE_MS: (f64, f64) = (5.0, 40.0);
/// The time between the timestamps of a pair, at least and at most, in milliseconds.
const PAIR_MS: (f64, f64) = (0.1, 0.5);
/// The most refreshes that one frame can miss.
const MISSED_MAX: u64 = 8;

/// When the display shows frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refresh {
    /// On a fixed grid.
    Fixed,
    /// On a fixed grid whose rate alternates with another, as when a window moves between two monitors. A change takes
    /// effect at a refresh, so a display can halve or double its rate in place.
    Switching {
        /// The other rate.
        other_hz: f64,
        /// How long each rate lasts.
        every_s: f64,
    },
    /// Variable refresh as a random walk: each interval is the previous one plus a normally distributed change of this
    /// many milliseconds, within 0.7 to 1.5 times the nominal interval.
    Wandering(f64),
    /// Variable refresh with independent intervals, each up to this share longer than the nominal one.
    Independent(f64),
    /// Variable refresh as a sine wave of this amplitude in milliseconds, with a period of two seconds.
    Breathing(f64),
    /// Variable refresh under a frame cap: the loop sleeps until the next deadline of a fixed grid, and the frame appears
    /// when the loop wakes up. Noise therefore affects the display as much as the timestamp.
    Capped,
}

/// A display, the machine that drives it, the game on it and the clock that the loop reads.
///
/// ```
/// use evenstep_lab::display::{Display, Noise};
///
/// // A 60 Hz display that misses 2 % of refreshes, seen through noisy timestamps.
/// let display = Display { noise: Noise::Gauss(0.3), missed: 0.02, ..Display::new(60.0) };
/// let shown = display.play(10.0, 1); // Ten seconds, seed 1.
/// let refreshes = shown.last().unwrap().refresh.unwrap();
/// assert!(refreshes > shown.len() as u64, "some refreshes had no frame");
/// assert_eq!(display.to_string(), "60 Hz, Gaussian noise of 0.3 ms, 2 % of refreshes missed");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Display {
    /// Nominal refresh rate.
    pub hz: f64,
    /// When the display shows frames.
    pub refresh: Refresh,
    /// How many refreshes the game takes for each frame.
    pub pace: Pace,
    /// Noise on timestamps.
    pub noise: Noise,
    /// Share of timestamps that are another 2 to 8 ms late.
    pub late: f64,
    /// Share of frames that miss a refresh. The next refresh can be missed with the same probability.
    pub missed: f64,
    /// Seconds between pauses of 5 to 40 ms, such as garbage collections; 0 for no pauses. The frame after a pause starts
    /// late, and misses a refresh if it is not ready in time.
    pub pause_every_s: f64,
    /// Share of a refresh interval that the game needs for a frame: one that starts late by at most the rest still appears
    /// on its refresh.
    pub work: f64,
    /// Average seconds between stalls of 300 ms; 0 for no stalls.
    pub stall_every_s: f64,
    /// Whether the loop gets frames in pairs: the second timestamp of a pair comes right after the first. The display
    /// shows the frames as if it did not.
    pub is_paired: bool,
    /// Resolution of the clock, in nanoseconds: timestamps are rounded down to a multiple of it.
    pub clock_ns: u64,
}

impl Display {
    /// A display with a fixed refresh, exact timestamps and no missed frames.
    pub const fn new(hz: f64) -> Self {
        Self {
            hz,
            refresh: Refresh::Fixed,
            pace: Pace::Every,
            noise: Noise::None,
            late: 0.0,
            missed: 0.0,
            pause_every_s: 0.0,
            work: 0.0,
            stall_every_s: 0.0,
            is_paired: false,
            clock_ns: 1,
        }
    }

    /// The rate of the display's refresh grid, if it has a single fixed one.
    pub fn grid_hz(&self) -> Option<f64> {
        (self.refresh == Refresh::Fixed).then_some(self.hz)
    }

    /// Simulates a session and returns its frames.
    pub fn play(&self, seconds: f64, seed: u64) -> Vec<Shown> {
        let frames = self.frames(seed);
        let start_ns = frames.start_ns();
        let mut shown = Vec::with_capacity((seconds * self.hz * 1.5) as usize + 1);
        shown.extend(frames.take_while(|frame| frame.at_ns - start_ns < seconds * NS_PER_S));
        shown
    }

    /// Simulates a session. The host tells nothing.
    pub fn session(&self, seconds: f64, seed: u64) -> Session {
        Session {
            title: self.to_string(),
            about: format!("{seconds} s, seed {seed}"),
            grid_hz: self.grid_hz(),
            lead_ns: self.frames(seed).lead_ns(),
            shown: self.play(seconds, seed),
            told: Vec::new(),
            presented: Vec::new(),
        }
    }

    /// An endless iterator over the frames that the display shows.
    pub fn frames(&self, seed: u64) -> Frames {
        let mut random = Random::new(seed);
        let noise = NoiseState::new(&mut random);
        // Far enough from zero that noise cannot make a timestamp negative.
        let due_ns = random.between(0.1, 1.0) * NS_PER_S;
        let mut frames = Frames {
            display: *self,
            random,
            noise,
            pace: PaceState::default(),
            start_ns: due_ns,
            lead_ns: 0,
            due_ns,
            interval_ns: NS_PER_S / self.hz,
            refresh: 0,
            next: Shown { at_ns: f64::NEG_INFINITY, refresh: None, interval_ns: 0.0, stamp_ns: 0 },
            is_second: true,
        };
        frames.next = frames.shown(0.0, 0.0);
        frames.start_ns = frames.next.at_ns;
        frames.lead_ns = self.lead_ns(&frames.next, seed);
        frames
    }

    /// See [`Frames::lead_ns`]. Its random number is its own, so it changes no frame.
    fn lead_ns(&self, first: &Shown, seed: u64) -> u64 {
        let lead_ns = (Random::new(!seed).unit() * first.interval_ns) as u64;
        // The loop reads the same clock as later.
        first.stamp_ns - first.stamp_ns.saturating_sub(lead_ns) / self.clock_ns * self.clock_ns
    }

    /// Whether frames appear on refreshes that can be counted.
    fn has_grid(&self) -> bool {
        matches!(self.refresh, Refresh::Fixed | Refresh::Switching { .. })
    }

    /// The number of refreshes that the next frame misses.
    fn skipped(&self, random: &mut Random) -> u64 {
        let mut skipped = 0;
        while skipped < MISSED_MAX && random.chance(self.missed) {
            skipped += 1;
        }
        skipped
    }

    /// The next interval, where the previous one was `last` nanoseconds.
    fn interval(&self, last: f64, session_s: f64, random: &mut Random) -> f64 {
        let nominal = NS_PER_S / self.hz;
        match self.refresh {
            Refresh::Fixed | Refresh::Capped => nominal,
            Refresh::Switching { other_hz, every_s } => {
                if session_s % (2.0 * every_s) < every_s {
                    nominal
                } else {
                    NS_PER_S / other_hz
                }
            }
            Refresh::Wandering(ms) => {
                (last + ms * NS_PER_MS * random.gauss()).clamp(0.7 * nominal, 1.5 * nominal)
            }
            Refresh::Independent(spread) => nominal * random.between(1.0, 1.0 + spread),
            Refresh::Breathing(ms) => {
                // Time must advance, however large the amplitude.
                let breath = ms * NS_PER_MS * libm::sin(session_s * std::f64::consts::PI);
                (nominal + breath).max(0.1 * nominal)
            }
        }
    }
}

/// An endless iterator over the frames of a display, from [`Display::frames`].
///
/// ```
/// use evenstep_lab::display::Display;
///
/// // Shows frames as they become due, for a program that displays them live.
/// let mut frames = Display::new(120.0).frames(1);
/// let due_s = 0.5;
/// while frames.next_s() < due_s {
///     let shown = frames.next().expect("a display never ends");
///     println!("refresh {:?}", shown.refresh);
/// }
/// # assert!(frames.next().unwrap().refresh >= Some(60));
/// ```
#[derive(Clone, Debug)]
pub struct Frames {
    display: Display,
    random: Random,
    noise: NoiseState,
    pace: PaceState,
    start_ns: f64,
    lead_ns: u64,
    next: Shown,
    /// The next frame's refresh, or the deadline that the loop sleeps until.
    due_ns: f64,
    refresh: u64,
    interval_ns: f64,
    /// Whether the next frame is the second of a pair.
    is_second: bool,
}

impl Frames {
    /// When the first frame appears, in nanoseconds.
    pub const fn start_ns(&self) -> f64 {
        self.start_ns
    }

    /// How long before its first timestamp the loop starts its clock, in nanoseconds: a random part of a refresh interval.
    ///
    /// A loop starts when the game is loaded, which has nothing to do with the display. If every session began exactly on
    /// a refresh, a loop that starts empty would stay on a step boundary for the whole session at 60 Hz.
    pub const fn lead_ns(&self) -> u64 {
        self.lead_ns
    }

    /// When the next frame appears, in seconds since the first.
    pub fn next_s(&self) -> f64 {
        (self.next.at_ns - self.start_ns) / NS_PER_S
    }

    /// The frame that is due, which starts late by this much apart from noise.
    fn shown(&mut self, session_s: f64, late_ns: f64) -> Shown {
        let Self { display, random, .. } = self;
        let last = self.next;
        let mut noise_ms = self.noise.draw(display.noise, session_s, random);
        if random.chance(display.late) {
            noise_ms += random.between(2.0, 8.0);
        }
        let wake_ns = self.due_ns + late_ns + noise_ms * NS_PER_MS;
        let (at_ns, mut stamp_ns) = match display.refresh {
            // No display shows two frames at once.
            Refresh::Capped => {
                let at_ns = wake_ns.max(last.at_ns + 0.1 * self.interval_ns);
                (at_ns, at_ns)
            }
            _ => (self.due_ns, wake_ns),
        };
        self.is_second = display.is_paired && !self.is_second;
        if self.is_second {
            stamp_ns = last.stamp_ns as f64 + random.between(PAIR_MS.0, PAIR_MS.1) * NS_PER_MS;
        }
        let stamp_ns = stamp_ns.max(0.0) as u64 / display.clock_ns * display.clock_ns;
        let refresh = display.has_grid().then_some(self.refresh);
        // The clock is monotonic, so noise never makes it go back.
        Shown { at_ns, refresh, interval_ns: self.interval_ns, stamp_ns: stamp_ns.max(last.stamp_ns) }
    }

    fn advance(&mut self) {
        let session_s = self.next_s();
        let Self { display, random, .. } = self;
        let mut refreshes = display.skipped(random);
        refreshes += self.pace.next(display.pace, session_s, random);
        self.interval_ns = display.interval(self.interval_ns, session_s, random);
        if display.stall_every_s > 0.0 && random.chance(1.0 / (display.hz * display.stall_every_s)) {
            refreshes += (STALL_MS * NS_PER_MS / self.interval_ns) as u64;
        }
        self.due_ns += self.interval_ns * refreshes as f64;
        let pause_ns = self.pause(session_s);
        let mut held_ns = pause_ns;
        if self.display.has_grid() && pause_ns > 0.0 {
            let missed = (pause_ns / self.interval_ns + self.display.work).floor();
            refreshes += missed as u64;
            held_ns = missed * self.interval_ns;
        }
        self.due_ns += held_ns;
        self.refresh += refreshes;
        let session_s = (self.due_ns - self.start_ns) / NS_PER_S;
        self.next = self.shown(session_s, pause_ns - held_ns);
    }

    /// The length of the pause between this time of the session and the frame that is due, if there is one.
    fn pause(&mut self, session_s: f64) -> f64 {
        let every_s = self.display.pause_every_s;
        let due_s = (self.due_ns - self.start_ns) / NS_PER_S;
        let is_time = every_s > 0.0 && (session_s / every_s).floor() < (due_s / every_s).floor();
        if is_time { self.random.between(PAUSE_MS.0, PAUSE_MS.1) * NS_PER_MS } else { 0.0 }
    }
}

impl Iterator for Frames {
    type Item = Shown;

    fn next(&mut self) -> Option<Shown> {
        let shown = self.next;
        self.advance();
        Some(shown)
    }
}

/// Describes the display in words, for titles.
impl fmt::Display for Display {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} Hz", self.hz)?;
        match self.refresh {
            Refresh::Fixed => {}
            Refresh::Switching { other_hz, every_s } => write!(out, " and {other_hz} Hz, {every_s} s each")?,
            Refresh::Wandering(ms) => write!(out, ", variable refresh that wanders by {ms} ms a frame")?,
            Refresh::Independent(share) => {
                write!(
                    out,
                    ", variable refresh with independent intervals up to {} % longer",
                    100.0 * share
                )?;
            }
            Refresh::Breathing(ms) => write!(out, ", variable refresh that breathes by {ms} ms")?,
            Refresh::Capped => write!(out, ", variable refresh with a frame cap")?,
        }
        write!(out, "{}{}", self.pace, self.noise)?;
        if self.late > 0.0 {
            write!(out, ", {} % of timestamps late", 100.0 * self.late)?;
        }
        if self.missed > 0.0 {
            write!(out, ", {} % of refreshes missed", 100.0 * self.missed)?;
        }
        if self.pause_every_s > 0.0 {
            write!(out, ", a pause every {} s", self.pause_every_s)?;
        }
        if self.work > 0.0 {
            write!(out, ", {} % of an interval of work", 100.0 * self.work)?;
        }
        if self.stall_every_s > 0.0 {
            write!(out, ", a stall every {} s", self.stall_every_s)?;
        }
        if self.is_paired {
            write!(out, ", frames in pairs")?;
        }
        match self.clock_ns {
            1 => Ok(()),
            ns if ns < 1_000_000 => write!(out, ", a clock of {} µs", ns as f64 / 1e3),
            ns => write!(out, ", a clock of {} ms", ns as f64 / 1e6),
        }
    }
}
