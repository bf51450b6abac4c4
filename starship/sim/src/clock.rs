//! The deterministic clock: it counts ticks and knows no other time.

use core::time::Duration;

use evenstep::Rate;
use serde::{Deserialize, Serialize};

use crate::tuning::TICK_HZ;

/// Ticks since the run began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    tick: u64,
}

impl Clock {
    /// One step, whatever the wall clock says.
    pub(crate) fn advance_sim_step(&mut self) {
        self.tick += 1;
    }

    /// Ticks since the run began; the one under way counts.
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// The same in time, exact to the nanosecond however late it is.
    pub const fn time(&self) -> Duration {
        Rate::hz(TICK_HZ).time_of(self.tick)
    }
}
