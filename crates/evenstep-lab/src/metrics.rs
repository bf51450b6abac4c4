//! What the player saw.
//!
//! Displayed game time is `D = (steps so far - 1 + alpha) / 60 s`, and the frame that shows it appears at the instant
//! `V`. Perfect pacing advances `D` by exactly what `V` advances by, on every frame:
//!
//! ```text
//! V      |-----------|-----------|-----------|-----------|
//! D      |-----------|--------|--------------|-----------|
//! error  0           0       -3             +3           0      judder: the RMS of these
//! ```
//!
//! The first three seconds are left out, and so is every gap so long that a pacer may drop it.

use std::cmp::Ordering;

use crate::display::Shown;
use crate::policy::{Decision, STEP_HZ};

/// Left out at the start of every session, in seconds.
pub const SETTLE_S: f64 = 3.0;
/// A longer gap is a stall.
pub const STALL_NS: f64 = 0.25e9;
/// A display within this share of a whole ratio to the step rate has an ideal pattern of steps.
const NEAR_RATIO: f64 = 0.002;
const STEP_NS: f64 = 1e9 / STEP_HZ;

/// One frame against the frame before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// When it appeared, in seconds since the session began.
    pub at_s: f64,
    /// Its steps.
    pub steps: u32,
    /// How much farther the game moved than the display, in microseconds; `None` after a stall.
    pub error_us: Option<f64>,
    /// Whether its steps are those of the ideal pattern; `None` where there is no such pattern.
    pub is_ideal: Option<bool>,
    /// How far the game stands behind the display, in milliseconds.
    pub behind_ms: f64,
}

impl Motion {
    /// [`Motion::error_us`] in milliseconds.
    pub fn error_ms(&self) -> Option<f64> {
        self.error_us.map(|error_us| error_us / 1e3)
    }
}

/// The motion of every frame but the first.
///
/// `grid_hz` is the rate of the display's refresh grid, if it has one.
///
/// # Panics
///
/// Without exactly one decision per frame, or without frames.
pub fn motion(grid_hz: Option<f64>, shown: &[Shown], decided: &[Decision]) -> Vec<Motion> {
    assert_eq!(shown.len(), decided.len(), "one decision per frame");
    let mut watch = Watch::new(grid_hz, shown[0], decided[0]);
    shown[1..].iter().zip(&decided[1..]).map(|(&shown, &decided)| watch.frame(shown, decided)).collect()
}

/// Watches the motion of a session, a frame at a time.
#[derive(Clone, Debug)]
pub struct Watch {
    cadence: Option<Cadence>,
    start_ns: f64,
    last: (Shown, Decision),
    behind_ns: f64,
}

impl Watch {
    /// Starts at a session's first frame. `grid_hz` is the rate of the display's refresh grid, if it has one.
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

    /// The next frame against the last.
    pub fn frame(&mut self, shown: Shown, decided: Decision) -> Motion {
        let (shown_last, decided_last) = std::mem::replace(&mut self.last, (shown, decided));
        let true_advance = shown.at_ns - shown_last.at_ns;
        let advance = (f64::from(decided.steps) + decided.alpha - decided_last.alpha) * STEP_NS;
        let is_ideal = self
            .cadence
            .as_mut()
            .zip(shown_last.refresh.zip(shown.refresh))
            .map(|(cadence, (before, now))| cadence.accepts(now - before, decided.steps));
        let is_stall = true_advance > STALL_NS;
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

/// The metrics of one session under one policy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// Frames that count.
    pub frames: usize,
    /// The RMS of the motion error, in microseconds.
    pub judder_us: f64,
    /// Its 99th percentile, either way.
    pub judder_us_p99: f64,
    /// The largest.
    pub judder_us_max: f64,
    /// The share of frames whose steps differ from the ideal pattern, in percent; `None` where there is no such pattern.
    pub cadence_error: Option<f64>,
    /// How far the game ran ahead of the display over the session, in milliseconds.
    pub drift_ms: f64,
    /// How far it stood behind the display, on average, in milliseconds.
    pub lag_ms: f64,
}

impl Report {
    /// Sums up a session's motion.
    pub fn of(motion: &[Motion]) -> Self {
        let mut tally = Tally::default();
        for frame in motion {
            tally.add(frame);
        }
        let settled = motion.iter().filter(|frame| frame.at_s >= SETTLE_S);
        let mut errors: Vec<f64> = settled.filter_map(|frame| frame.error_us).map(f64::abs).collect();
        if errors.is_empty() {
            return Self::default();
        }
        errors.sort_unstable_by(f64::total_cmp);
        Self {
            frames: tally.frames(),
            judder_us: tally.judder_us(),
            judder_us_p99: errors[(errors.len() - 1) * 99 / 100],
            judder_us_max: tally.judder_us_max(),
            cadence_error: tally.cadence_error(),
            drift_ms: tally.drift_ms(),
            lag_ms: tally.lag_ms(),
        }
    }
}

/// The sums behind a [`Report`], a frame at a time: all of it but the percentile, which needs every error.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    frames: usize,
    squares: f64,
    max_us: f64,
    drift_us: f64,
    lag_ms: f64,
    patterned: u64,
    wrong: u64,
}

impl Tally {
    /// Adds a frame, if it counts: not in the first seconds, and not after a stall.
    pub fn add(&mut self, frame: &Motion) {
        let Some(error_us) = frame.error_us.filter(|_| frame.at_s >= SETTLE_S) else { return };
        self.frames += 1;
        self.squares += error_us * error_us;
        self.max_us = self.max_us.max(error_us.abs());
        self.drift_us += error_us;
        self.lag_ms += frame.behind_ms;
        self.patterned += u64::from(frame.is_ideal.is_some());
        self.wrong += u64::from(frame.is_ideal == Some(false));
    }

    /// Frames that count.
    pub const fn frames(&self) -> usize {
        self.frames
    }

    /// The RMS of the motion error, in microseconds.
    pub fn judder_us(&self) -> f64 {
        (self.squares / self.divisor()).sqrt()
    }

    /// The largest motion error, in microseconds.
    pub const fn judder_us_max(&self) -> f64 {
        self.max_us
    }

    /// The share of frames whose steps differ from the ideal pattern, in percent; `None` without such a pattern.
    pub fn cadence_error(&self) -> Option<f64> {
        (self.patterned > 0).then(|| 100.0 * self.wrong as f64 / self.patterned as f64)
    }

    /// How far the game ran ahead of the display, in milliseconds.
    pub fn drift_ms(&self) -> f64 {
        self.drift_us / 1e3
    }

    /// How far it stood behind the display, on average, in milliseconds.
    pub fn lag_ms(&self) -> f64 {
        self.lag_ms / self.divisor()
    }

    /// Without a frame, every sum is 0, and so is its mean.
    fn divisor(&self) -> f64 {
        self.frames.max(1) as f64
    }
}

/// The ideal pattern where `refreshes` refreshes take `steps` steps: one a frame at 60 Hz, 0 and 1 in turn at 120 Hz,
/// two a frame at 30 Hz.
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

    /// Says whether `steps` is right after so many refreshes; where it is not, the pattern goes on from what happened.
    fn accepts(&mut self, refreshes: u64, steps: u32) -> bool {
        let due = self.phase + refreshes * self.steps;
        let (due_now, steps) = (due / self.refreshes, u64::from(steps));
        self.phase = match steps.cmp(&due_now) {
            Ordering::Equal => due % self.refreshes,
            // A step that came early or doubled happened now; one that is owed is due at the next refresh.
            Ordering::Greater => 0,
            Ordering::Less => self.refreshes - 1,
        };
        steps == due_now
    }
}
