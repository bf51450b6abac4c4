//! The rate lock: the simulation runs at the display's speed.

use super::{BLEND, round};

/// The input of the rate lock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RateLock {
    /// The length of one simulation step.
    pub(crate) step_ns: f64,
    /// The time pending before this frame, less than a step.
    pub(crate) pending_ns: f64,
}

impl RateLock {
    /// The highest alpha of the pattern: little lag, at a safe distance from the next step.
    pub(super) const PARK: f64 = 0.92;
    /// The largest relative difference between simulation speed and wall time: 59.94 Hz is 0.1 % from 60 Hz.
    const SPEED: f64 = 0.002;

    /// Returns the time to simulate in this frame, eased towards a phase at which the step count is stable. `None` if
    /// the display is not near any of the ratios.
    pub(super) fn advance(self, pace_ns: f64, period_ns: f64) -> Option<i64> {
        let steps_per_refresh = [1.0, 2.0, 0.5, 1.0 / 3.0, 0.25];
        let is_near = |steps: &f64| (period_ns / (steps * self.step_ns) - 1.0).abs() < Self::SPEED;
        let steps = steps_per_refresh.into_iter().find(is_near)?;
        let pace_ns = pace_ns * (steps * self.step_ns / period_ns);
        // The phase repeats every refresh, or every step if that is shorter.
        let turn = steps.min(1.0);
        let turns = ((self.pending_ns + pace_ns) / self.step_ns + 1.0 - Self::PARK) / turn;
        let off_ns = (turns - round(turns)) * turn * self.step_ns;
        Some((pace_ns - (off_ns / BLEND).clamp(-Self::SPEED * pace_ns, Self::SPEED * pace_ns) + 0.5) as i64)
    }
}
