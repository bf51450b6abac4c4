//! Simulated displays: when each frame appeared, and which timestamp the loop got for it.
//!
//! ```text
//! refresh grid   |      |      |      |      |      |      |
//! shown          1      2      3             4      5      6      frame 4 missed a refresh and appears one later
//! stamp          .1    2 .      . 3          .  4  5.      .6     noise affects the timestamp, never the display
//! ```

use std::fmt;

use crate::random::Random;

const NS_PER_MS: f64 = 1e6;
const NS_PER_S: f64 = 1e9;

/// Length of a stall, in milliseconds.
pub const STALL_MS: f64 = 300.0;
/// Interval between noise bursts, in seconds.
pub const BURST_EVERY_S: f64 = 6.0;
/// Length of a noise burst, at the end of each interval, in seconds.
pub const BURST_S: f64 = 1.5;
/// The most refreshes that one frame can miss.
const MISSED_MAX: u64 = 8;

/// One frame that the display showed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// When the frame appeared, in nanoseconds.
    pub at_ns: f64,
    /// The refresh that the frame appeared on, counted from the first; `None` if the display has no fixed grid.
    pub refresh: Option<u64>,
    /// The timestamp that the loop got from its monotonic clock, in nanoseconds.
    pub stamp_ns: u64,
}

/// Noise on timestamps. Times are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Noise {
    /// Timestamps are exact.
    None,
    /// Normal distribution with this standard deviation.
    Gauss(f64),
    /// Uniform distribution, up to this much early or late.
    Uniform(f64),
    /// Exponential distribution with this mean: always late, as thread wake-ups are.
    Exponential(f64),
    /// Normal distribution in which each frame's noise is correlated with the previous frame's.
    Correlated {
        /// Standard deviation.
        ms: f64,
        /// Correlation of successive frames.
        rho: f64,
    },
    /// Normal distribution with the first standard deviation, or the second during the last 1.5 s of every 6 s.
    Bursts(f64, f64),
}

/// When the display shows frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refresh {
    /// On a fixed grid.
    Fixed,
    /// On a fixed grid whose rate alternates with another, as when a window moves between two monitors.
    Switching {
        /// The other rate.
        other_hz: f64,
        /// How long each rate lasts.
        every_s: f64,
    },
    /// On a fixed grid, by a game that periodically becomes too slow and takes two refreshes per frame for a third of the
    /// period.
    Halving {
        /// Length of the period.
        every_s: f64,
    },
    /// Variable refresh as a random walk: each interval is the previous one plus a normally distributed change of this
    /// many milliseconds, within 0.7 to 1.5 times the nominal interval.
    Wandering(f64),
    /// Variable refresh with independent intervals, each up to this share longer than the nominal one.
    Independent(f64),
    /// Variable refresh as a sine wave of this amplitude in milliseconds, with a period of two seconds.
    Breathing(f64),
}

/// A display, the machine that drives it and the clock that the loop reads.
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
    /// Noise on timestamps.
    pub noise: Noise,
    /// Share of timestamps that are another 2 to 8 ms late.
    pub late: f64,
    /// Share of frames that miss a refresh. The next refresh can be missed with the same probability.
    pub missed: f64,
    /// Average seconds between stalls of 300 ms; 0 for no stalls.
    pub stall_every_s: f64,
    /// Resolution of the clock, in nanoseconds: timestamps are rounded down to a multiple of it.
    pub clock_ns: u64,
}

impl Display {
    /// A display with a fixed refresh, exact timestamps and no missed frames.
    pub const fn new(hz: f64) -> Self {
        Self {
            hz,
            refresh: Refresh::Fixed,
            noise: Noise::None,
            late: 0.0,
            missed: 0.0,
            stall_every_s: 0.0,
            clock_ns: 1,
        }
    }

    /// The rate of the display's refresh grid, if it has a single fixed one.
    pub fn grid_hz(&self) -> Option<f64> {
        matches!(self.refresh, Refresh::Fixed | Refresh::Halving { .. }).then_some(self.hz)
    }

    /// Simulates a session and returns its frames.
    pub fn play(&self, seconds: f64, seed: u64) -> Vec<Shown> {
        let frames = self.frames(seed);
        let start_ns = frames.start_ns();
        let mut shown = Vec::with_capacity((seconds * self.hz * 1.5) as usize + 1);
        shown.extend(frames.take_while(|frame| frame.at_ns - start_ns < seconds * NS_PER_S));
        shown
    }

    /// An endless iterator over the frames that the display shows.
    pub fn frames(&self, seed: u64) -> Frames {
        let mut random = Random::new(seed);
        let noise = NoiseState { last: random.gauss() };
        // Far enough from zero that noise cannot make a timestamp negative.
        let start_ns = random.between(0.1, 1.0) * NS_PER_S;
        Frames {
            display: *self,
            random,
            noise,
            start_ns,
            at_ns: start_ns,
            interval_ns: NS_PER_S / self.hz,
            refresh: 0,
            stamp_last: 0,
        }
    }

    /// Whether frames appear on refreshes that can be counted.
    fn has_grid(&self) -> bool {
        matches!(self.refresh, Refresh::Fixed | Refresh::Switching { .. } | Refresh::Halving { .. })
    }

    /// The number of refreshes that the next frame misses.
    fn skipped(&self, session_s: f64, random: &mut Random) -> u64 {
        let mut skipped = 0;
        while skipped < MISSED_MAX && random.chance(self.missed) {
            skipped += 1;
        }
        if let Refresh::Halving { every_s } = self.refresh {
            skipped += u64::from(session_s % every_s > every_s * 2.0 / 3.0);
        }
        skipped
    }

    /// The next interval, where the previous one was `last` nanoseconds.
    fn interval(&self, last: f64, session_s: f64, random: &mut Random) -> f64 {
        let nominal = NS_PER_S / self.hz;
        match self.refresh {
            Refresh::Fixed | Refresh::Halving { .. } => nominal,
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
    start_ns: f64,
    /// When the next frame appears, and on which refresh.
    at_ns: f64,
    refresh: u64,
    interval_ns: f64,
    stamp_last: u64,
}

impl Frames {
    /// When the first frame appears, in nanoseconds.
    pub const fn start_ns(&self) -> f64 {
        self.start_ns
    }

    /// When the next frame appears, in seconds since the first.
    pub fn next_s(&self) -> f64 {
        (self.at_ns - self.start_ns) / NS_PER_S
    }

    /// The timestamp of the next frame.
    fn stamp(&mut self, session_s: f64) -> u64 {
        let Self { display, random, .. } = self;
        let mut noise_ms = self.noise.draw(display.noise, session_s, random);
        if random.chance(display.late) {
            noise_ms += random.between(2.0, 8.0);
        }
        let stamp = (self.at_ns + noise_ms * NS_PER_MS).max(0.0) as u64;
        // The clock is monotonic, so noise never makes it go back.
        self.stamp_last = self.stamp_last.max(stamp / display.clock_ns * display.clock_ns);
        self.stamp_last
    }

    fn advance(&mut self, session_s: f64) {
        let Self { display, random, .. } = self;
        let mut skipped = display.skipped(session_s, random);
        self.interval_ns = display.interval(self.interval_ns, session_s, random);
        if display.stall_every_s > 0.0 && random.chance(1.0 / (display.hz * display.stall_every_s)) {
            skipped += (STALL_MS * NS_PER_MS / self.interval_ns) as u64;
        }
        self.refresh += 1 + skipped;
        self.at_ns += self.interval_ns * (1 + skipped) as f64;
    }
}

impl Iterator for Frames {
    type Item = Shown;

    fn next(&mut self) -> Option<Shown> {
        let session_s = self.next_s();
        let stamp_ns = self.stamp(session_s);
        let refresh = self.display.has_grid().then_some(self.refresh);
        let shown = Shown { at_ns: self.at_ns, refresh, stamp_ns };
        self.advance(session_s);
        Some(shown)
    }
}

/// The state of correlated noise.
#[derive(Clone, Debug)]
struct NoiseState {
    last: f64,
}

impl NoiseState {
    fn draw(&mut self, noise: Noise, session_s: f64, random: &mut Random) -> f64 {
        match noise {
            Noise::None => 0.0,
            Noise::Gauss(ms) => ms * random.gauss(),
            Noise::Uniform(ms) => random.between(-ms, ms),
            Noise::Exponential(ms) => -ms * libm::log(1.0 - random.unit()),
            Noise::Correlated { ms, rho } => {
                self.last = rho * self.last + (1.0 - rho * rho).sqrt() * random.gauss();
                ms * self.last
            }
            Noise::Bursts(quiet, loud) => {
                let is_quiet = session_s % BURST_EVERY_S < BURST_EVERY_S - BURST_S;
                (if is_quiet { quiet } else { loud }) * random.gauss()
            }
        }
    }
}

/// Describes the display in words, for titles.
impl fmt::Display for Display {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} Hz", self.hz)?;
        match self.refresh {
            Refresh::Fixed => {}
            Refresh::Switching { other_hz, every_s } => write!(out, " and {other_hz} Hz, {every_s} s each")?,
            Refresh::Halving { every_s } => write!(out, ", half rate for a third of every {every_s} s")?,
            Refresh::Wandering(ms) => write!(out, ", variable refresh that wanders by {ms} ms a frame")?,
            Refresh::Independent(share) => {
                write!(
                    out,
                    ", variable refresh with independent intervals up to {} % longer",
                    100.0 * share
                )?;
            }
            Refresh::Breathing(ms) => write!(out, ", variable refresh that breathes by {ms} ms")?,
        }
        match self.noise {
            Noise::None => {}
            Noise::Gauss(ms) => write!(out, ", Gaussian noise of {ms} ms")?,
            Noise::Uniform(ms) => write!(out, ", uniform noise of ±{ms} ms")?,
            Noise::Exponential(ms) => write!(out, ", exponential lateness of {ms} ms")?,
            Noise::Correlated { ms, rho } => write!(out, ", correlated noise of {ms} ms ({rho})")?,
            Noise::Bursts(quiet, loud) => write!(out, ", noise of {quiet} ms in bursts of {loud} ms")?,
        }
        if self.late > 0.0 {
            write!(out, ", {} % of timestamps late", 100.0 * self.late)?;
        }
        if self.missed > 0.0 {
            write!(out, ", {} % of refreshes missed", 100.0 * self.missed)?;
        }
        if self.stall_every_s > 0.0 {
            write!(out, ", a stall every {} s", self.stall_every_s)?;
        }
        match self.clock_ns {
            1 => Ok(()),
            ns if ns < 1_000_000 => write!(out, ", a clock of {} µs", ns as f64 / 1e3),
            ns => write!(out, ", a clock of {} ms", ns as f64 / 1e6),
        }
    }
}
