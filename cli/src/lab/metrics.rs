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

use super::display::Shown;
use super::policy::{Decision, STEP_HZ};

/// Left out at the start of every session, in seconds.
pub const SETTLE_S: f64 = 3.0;
/// A longer gap is a stall.
pub const STALL_NS: f64 = 0.25e9;
/// A display within this share of a whole ratio to the step rate has an ideal pattern of steps.
const NEAR_RATIO: f64 = 0.002;

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

/// The motion of every frame but the first.
///
/// `grid_hz` is the rate of the display's refresh grid, if it has one.
///
/// # Panics
///
/// Without exactly one decision per frame, or without frames.
pub fn motion(grid_hz: Option<f64>, shown: &[Shown], decided: &[Decision]) -> Vec<Motion> {
    assert_eq!(shown.len(), decided.len(), "one decision per frame");
    let step_ns = 1e9 / STEP_HZ;
    let start_ns = shown[0].at_ns;
    let mut cadence = grid_hz.and_then(Cadence::of);
    // Game time starts at the first timestamp.
    let first_ns = (f64::from(decided[0].steps) - 1.0 + decided[0].alpha) * step_ns;
    let mut behind_ns = start_ns - shown[0].stamp_ns as f64 - first_ns;
    let pairs = shown.windows(2).zip(decided.windows(2));
    pairs
        .map(|(shown, decided)| {
            let true_advance = shown[1].at_ns - shown[0].at_ns;
            let advance = (f64::from(decided[1].steps) + decided[1].alpha - decided[0].alpha) * step_ns;
            let is_ideal = cadence
                .as_mut()
                .zip(shown[0].refresh.zip(shown[1].refresh))
                .map(|(cadence, (before, now))| cadence.accepts(now - before, decided[1].steps));
            let is_stall = true_advance > STALL_NS;
            let error_ns = advance - true_advance;
            if !is_stall {
                behind_ns -= error_ns;
            }
            Motion {
                at_s: (shown[1].at_ns - start_ns) / 1e9,
                steps: decided[1].steps,
                error_us: (!is_stall).then_some(error_ns / 1e3),
                is_ideal: is_ideal.filter(|_| !is_stall),
                behind_ms: behind_ns / 1e6,
            }
        })
        .collect()
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
        let settled = motion.iter().filter(|frame| frame.at_s >= SETTLE_S);
        let (mut errors, mut drift_us, mut lag_ms) = (Vec::with_capacity(motion.len()), 0.0, 0.0);
        let (mut patterned, mut wrong) = (0_u64, 0_u64);
        for frame in settled {
            let Some(error_us) = frame.error_us else { continue };
            errors.push(error_us.abs());
            drift_us += error_us;
            lag_ms += frame.behind_ms;
            patterned += u64::from(frame.is_ideal.is_some());
            wrong += u64::from(frame.is_ideal == Some(false));
        }
        let frames = errors.len();
        if frames == 0 {
            return Self::default();
        }
        let square: f64 = errors.iter().map(|error| error * error).sum();
        errors.sort_unstable_by(f64::total_cmp);
        Self {
            frames,
            judder_us: (square / frames as f64).sqrt(),
            judder_us_p99: errors[(frames - 1) * 99 / 100],
            judder_us_max: errors[frames - 1],
            cadence_error: (patterned > 0).then(|| 100.0 * wrong as f64 / patterned as f64),
            drift_ms: drift_us / 1e3,
            lag_ms: lag_ms / frames as f64,
        }
    }
}

/// The ideal pattern where `refreshes` refreshes take `steps` steps: one a frame at 60 Hz, 0 and 1 in turn at 120 Hz,
/// two a frame at 30 Hz.
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
