//! Metrics of the motion that a player sees.
//!
//! Displayed game time is `D = (steps so far - 1 + alpha) / 60 s`, and the frame that shows it appears at time `V`. With
//! perfect pacing, `D` advances by exactly as much as `V` on every frame:
//!
//! ```text
//! V      |-----------|-----------|-----------|-----------|
//! D      |-----------|--------|--------------|-----------|
//! error  0           0       -3             +3           0      judder: the RMS of these
//! ```
//!
//! The first three seconds of a session are excluded, and so are gaps that a pacer may drop.

use std::cmp::Ordering;

use super::policy::{Decision, STEP_HZ};
use super::session::Shown;

/// Time at the start of a session that is not measured, in seconds.
pub const SETTLE_S: f64 = 3.0;
/// A gap longer than this, on the display or between timestamps, is a stall, in nanoseconds. Pacers cut frames at 0.25 s,
/// and a gap of about that length (six refreshes at 24 Hz) is cut or not, as noise decides.
pub const STALL_NS: f64 = 0.245e9;
/// A stutter is a frame whose motion is off by more than this, in microseconds: a pixel, for what moves a thousand pixels a
/// second.
pub const STUTTER_US: f64 = 1e3;
/// A display has an ideal pattern of steps if its rate is within this share of a whole ratio to the step rate.
const NEAR_RATIO: f64 = 0.002;
const STEP_NS: f64 = 1e9 / STEP_HZ;

/// The motion from one frame to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// When the frame appeared, in seconds since the session began.
    pub at_s: f64,
    /// The steps that the frame ran.
    pub steps: u32,
    /// How much farther the game advanced than the display, in microseconds; `None` after a stall.
    pub error_us: Option<f64>,
    /// Whether the number of steps matches the ideal pattern; `None` if the display has no such pattern.
    pub is_ideal: Option<bool>,
    /// How far the game is behind the display, in milliseconds.
    pub behind_ms: f64,
}

impl Motion {
    /// [`Motion::error_us`] in milliseconds.
    pub fn error_ms(&self) -> Option<f64> {
        self.error_us.map(|error_us| error_us / 1e3)
    }
}

/// Computes the motion of every frame except the first.
///
/// `grid_hz` is the rate of the display's refresh grid, if it has one.
///
/// # Panics
///
/// If there is not exactly one decision per frame, or there are no frames.
pub fn motion(grid_hz: Option<f64>, shown: &[Shown], decided: &[Decision]) -> Vec<Motion> {
    assert_eq!(shown.len(), decided.len(), "one decision per frame");
    let mut watch = Watch::new(grid_hz, shown[0], decided[0]);
    shown[1..].iter().zip(&decided[1..]).map(|(&shown, &decided)| watch.frame(shown, decided)).collect()
}

/// Measures the motion of a session frame by frame.
///
/// ```
/// use evenstep_cli::analysis::metrics::{Tally, Watch};
/// use evenstep_cli::analysis::policy::Decision;
/// use evenstep_cli::analysis::session::Shown;
///
/// // A 60 Hz display, and a loop that runs one step on every frame.
/// let shown = |refresh: u64| {
///     let stamp_ns = 1_000_000_000 + refresh * 1_000_000_000 / 60;
///     Shown { at_ns: stamp_ns as f64, refresh: Some(refresh), interval_ns: 1e9 / 60.0, stamp_ns }
/// };
/// let step = Decision { steps: 1, alpha: 0.5 };
/// let mut watch = Watch::new(Some(60.0), shown(0), step);
/// let mut tally = Tally::default();
/// for refresh in 1..600 {
///     tally.add(&watch.frame(shown(refresh), step));
/// }
/// let report = tally.report();
/// assert!(report.judder_us < 0.001);
/// assert_eq!(report.cadence_error, Some(0.0));
/// ```
#[derive(Clone, Debug)]
pub struct Watch {
    cadence: Option<Cadence>,
    start_ns: f64,
    last: (Shown, Decision),
    behind_ns: f64,
}

impl Watch {
    /// Starts with the first frame of a session. `grid_hz` is the rate of the display's refresh grid, if it has one.
    pub fn new(grid_hz: Option<f64>, shown: Shown, decided: Decision) -> Self {
        // Game time starts at the first timestamp.
        let first_ns = (f64::from(decided.steps) - 1.0 + decided.alpha) * STEP_NS;
        Self {
            cadence: grid_hz.and_then(Cadence::of),
            start_ns: shown.at_ns,
            last: (shown, decided),
            behind_ns: shown.at_ns - shown.stamp_ns as f64 - first_ns,
        }
    }

    /// Starts game time this long before the first timestamp.
    #[must_use]
    pub fn with_lead(mut self, lead_ns: u64) -> Self {
        self.behind_ns += lead_ns as f64;
        self
    }

    /// Continues on a grid of another rate, as between the parts of a long recording.
    pub(crate) fn set_grid(&mut self, grid_hz: Option<f64>) {
        let cadence = grid_hz.and_then(Cadence::of);
        let ratio = |cadence: &Option<Cadence>| cadence.as_ref().map(|it| (it.steps, it.refreshes));
        if ratio(&cadence) != ratio(&self.cadence) {
            self.cadence = cadence;
        }
    }

    /// Adds a frame and returns its motion since the previous one.
    pub fn frame(&mut self, shown: Shown, decided: Decision) -> Motion {
        let (shown_last, decided_last) = std::mem::replace(&mut self.last, (shown, decided));
        let true_advance = shown.at_ns - shown_last.at_ns;
        let advance = (f64::from(decided.steps) + decided.alpha - decided_last.alpha) * STEP_NS;
        let is_ideal = self
            .cadence
            .as_mut()
            .zip(shown_last.refresh.zip(shown.refresh))
            .map(|(cadence, (before, now))| cadence.accepts(now - before, decided.steps));
        let stamp_gap = shown.stamp_ns.saturating_sub(shown_last.stamp_ns) as f64;
        let is_stall = true_advance.max(stamp_gap) > STALL_NS;
        let error_ns = advance - true_advance;
        if !is_stall {
            self.behind_ns -= error_ns;
        }
        Motion {
            at_s: (shown.at_ns - self.start_ns) / 1e9,
            steps: decided.steps,
            error_us: (!is_stall).then_some(error_ns / 1e3),
            is_ideal: is_ideal.filter(|_| !is_stall),
            behind_ms: self.behind_ns / 1e6,
        }
    }
}

/// Metrics of one session under one policy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// Number of measured frames.
    pub frames: usize,
    /// The RMS of the motion error, in microseconds.
    pub judder_us: f64,
    /// The 99th percentile of the absolute motion error, in microseconds, within 0.2 %.
    pub judder_us_p99: f64,
    /// The largest absolute motion error, in microseconds.
    pub judder_us_max: f64,
    /// The share of frames whose steps differ from the ideal pattern, in percent; `None` if there is no such pattern.
    pub cadence_error: Option<f64>,
    /// How far the game moved ahead of the display over the session, in milliseconds.
    pub drift_ms: f64,
    /// How far the game was behind the display on average, in milliseconds.
    pub lag_ms: f64,
    /// Frames whose motion was off by more than [`STUTTER_US`].
    pub stutters: usize,
}

impl Report {
    /// Computes the metrics of a session's motion.
    pub fn of(motion: &[Motion]) -> Self {
        let mut tally = Tally::default();
        for frame in motion {
            tally.add(frame);
        }
        tally.report()
    }
}

/// Running metrics, frame by frame. Memory does not grow with them.
///
/// See [`Watch`] for an example.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    frames: usize,
    squares: f64,
    max_us: f64,
    drift_us: f64,
    lag_ms: f64,
    patterned: u64,
    wrong: u64,
    stutters: usize,
    errors: Errors,
}

impl Tally {
    /// Adds a frame, unless it is in the first seconds or follows a stall.
    pub fn add(&mut self, frame: &Motion) {
        let Some(error_us) = frame.error_us.filter(|_| frame.at_s >= SETTLE_S) else { return };
        self.frames += 1;
        self.squares += error_us * error_us;
        self.max_us = self.max_us.max(error_us.abs());
        self.drift_us += error_us;
        self.lag_ms += frame.behind_ms;
        self.patterned += u64::from(frame.is_ideal.is_some());
        self.wrong += u64::from(frame.is_ideal == Some(false));
        self.stutters += usize::from(error_us.abs() > STUTTER_US);
        self.errors.add(error_us.abs());
    }

    /// The metrics so far.
    pub fn report(&self) -> Report {
        // Without frames every sum is 0, and so is its mean.
        let frames = self.frames.max(1) as f64;
        Report {
            frames: self.frames,
            judder_us: (self.squares / frames).sqrt(),
            judder_us_p99: self.errors.percentile(99).min(self.max_us),
            judder_us_max: self.max_us,
            cadence_error: (self.patterned > 0).then(|| 100.0 * self.wrong as f64 / self.patterned as f64),
            drift_ms: self.drift_us / 1e3,
            lag_ms: self.lag_ms / frames,
            stutters: self.stutters,
        }
    }
}

/// A histogram of errors with bins of constant ratio.
#[derive(Clone, Debug, Default, PartialEq)]
struct Errors {
    bins: Vec<u64>,
    count: u64,
}

impl Errors {
    /// Bins in an octave: a percentile is within 0.2 %.
    const BINS: f64 = 256.0;
    /// The smallest error that is told from 0, in microseconds.
    const LEAST_US: f64 = 1e-3;

    fn add(&mut self, error_us: f64) {
        // Not the function of std, which may differ in the last bit from target to target.
        let octaves = libm::log2((error_us / Self::LEAST_US).max(1.0));
        let bin = (octaves * Self::BINS) as usize;
        if bin >= self.bins.len() {
            self.bins.resize(bin + 1, 0);
        }
        self.bins[bin] += 1;
        self.count += 1;
    }

    /// The error at a percentile, in microseconds.
    fn percentile(&self, percent: u64) -> f64 {
        let wanted = self.count.saturating_sub(1) * percent / 100;
        let mut seen = 0;
        let bin = self.bins.iter().position(|count| {
            seen += count;
            seen > wanted
        });
        match bin {
            None | Some(0) => 0.0,
            Some(bin) => Self::LEAST_US * libm::exp2((bin as f64 + 0.5) / Self::BINS),
        }
    }
}

/// The ideal pattern, in which `refreshes` refreshes take `steps` steps: one per frame at 60 Hz, alternating 0 and 1 at
/// 120 Hz, two per frame at 30 Hz.
#[derive(Clone, Debug)]
struct Cadence {
    steps: u64,
    refreshes: u64,
    /// Refreshes times `steps` since the last step, below `refreshes`.
    phase: u64,
}

impl Cadence {
    fn of(hz: f64) -> Option<Self> {
        let steps_per_refresh = STEP_HZ / hz;
        [(1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6)]
            .into_iter()
            .find(|&(steps, refreshes)| {
                (steps_per_refresh * refreshes as f64 / steps as f64 - 1.0).abs() < NEAR_RATIO
            })
            .map(|(steps, refreshes)| Self { steps, refreshes, phase: 0 })
    }

    /// Whether `steps` is right after this many refreshes. If not, the pattern continues from what happened.
    fn accepts(&mut self, refreshes: u64, steps: u32) -> bool {
        let due = self.phase + refreshes * self.steps;
        let due_now = due / self.refreshes;
        let steps = u64::from(steps);
        self.phase = match steps.cmp(&due_now) {
            Ordering::Equal => due % self.refreshes,
            // An extra step restarts the pattern; a missing one is due at the next refresh.
            Ordering::Greater => 0,
            Ordering::Less => self.refreshes - 1,
        };
        steps == due_now
    }
}
