//! The deterministic clock, which counts ticks.

use core::time::Duration;

use evenstep::Rate;
use serde::{Deserialize, Serialize};

use crate::tuning::TICK_HZ;

/// Counts the ticks since the run began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    tick: u64,
}

impl Clock {
    /// Counts one tick.
    pub(crate) fn advance_sim_step(&mut self) {
        self.tick += 1;
    }

    /// Returns the ticks since the run began, including the current one.
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// Returns the time since the run began, exact to the nanosecond.
    pub const fn time(&self) -> Duration {
        Rate::hz(TICK_HZ).time_of(self.tick)
    }
}
