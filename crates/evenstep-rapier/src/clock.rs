//! Converts simulation ticks into due physics steps.

use evenstep::{Accumulator, Rate};

use crate::error::SnapshotError;

/// Computes how many physics steps are due on each tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepClock {
    ticks: Rate,
    steps: Rate,
    due: Accumulator,
    // Ticks since the accumulator was last empty. With the two rates it determines the accumulator.
    // Invariant: ticked < period, so it is always 0 in lockstep.
    ticked: u64,
    // After this many ticks the accumulator is empty again.
    period: u64,
}

impl StepClock {
    /// Maximum steps in a tick, so that no pair of rates makes a tick take minutes.
    pub(crate) const STEPS_MAX: u64 = 1_000;

    /// Creates a clock that has ticked `ticked` times since its accumulator was last empty.
    pub(crate) fn new(ticks: Rate, steps: Rate, ticked: u64) -> Result<Self, SnapshotError> {
        // A tick is `many / period` steps, in lowest terms.
        let many = u64::from(ticks.seconds()) * u64::from(steps.ticks());
        let each = u64::from(ticks.ticks()) * u64::from(steps.seconds());
        let shared = greatest_common_divisor(many, each);
        let many = many / shared;
        let period = each / shared;
        if many > period.saturating_mul(Self::STEPS_MAX) || period > u64::from(u32::MAX) {
            return Err(SnapshotError::Rates { ticks, steps });
        }
        if ticked >= period {
            return Err(SnapshotError::Ticks { ticked, period });
        }
        let mut due = Accumulator::of_ticks(ticks, steps);
        due.add(ticked);
        // Every tick takes all whole steps, so only a fraction may remain. The limits above allow fewer than
        // `STEPS_MAX` rounds.
        while due.take(u32::MAX) > 0 {}
        Ok(Self { ticks, steps, due, ticked, period })
    }

    /// Counts one tick and returns the steps that are due.
    pub(crate) fn tick(&mut self) -> u32 {
        self.due.add(1);
        self.ticked = (self.ticked + 1) % self.period;
        self.due.take(u32::MAX)
    }

    pub(crate) fn alpha(&self) -> f64 {
        self.due.alpha()
    }

    pub(crate) const fn is_in_lockstep(&self) -> bool {
        self.period == 1
    }

    pub(crate) fn reset(&mut self) {
        self.due.clear();
        self.ticked = 0;
    }

    pub(crate) const fn ticks(&self) -> Rate {
        self.ticks
    }

    pub(crate) const fn steps(&self) -> Rate {
        self.steps
    }

    /// Ticks since the accumulator was last empty.
    pub(crate) const fn ticked(&self) -> u64 {
        self.ticked
    }
}

const fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
