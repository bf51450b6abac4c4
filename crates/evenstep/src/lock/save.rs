//! Whether a lock that was read from outside can be real.

use super::feedback::Feedback;
use super::lattice::Lattice;
use super::{ABSENCE_NS, Lock, PERIODS_NS, WINDOW};

/// Times, and powers of times, that a lattice can have.
const TIME_MAX_NS: f64 = 1e12;
const POWER_MAX: f64 = 1e24;

impl Lock {
    pub(crate) fn is_possible(&self) -> bool {
        self.lattice.as_ref().is_none_or(Lattice::is_possible)
            && self.gaps_ns.iter().all(|gap_ns| (0.0..=ABSENCE_NS as f64).contains(gap_ns))
            && self.gap_last < WINDOW
            && (1..=WINDOW).contains(&self.gaps_missing)
            && self.hint_ns.is_none_or(f64::is_finite)
            && (0.0..Lattice::MEMORY).contains(&self.patience)
            && !(self.is_variable && self.lattice.is_some())
            && self.held_ns.unsigned_abs() <= ABSENCE_NS
            && self.forfeited_ns.unsigned_abs() <= 1 << 62
    }
}

impl Lattice {
    fn is_possible(&self) -> bool {
        let shares = [self.missed, self.again, self.late, self.gone];
        let powers = [self.noise, self.burst, self.clipped, self.naive];
        shares.iter().chain(&self.belief).all(|share| (0.0..=1.0).contains(share))
            && powers.iter().all(|power| (0.0..=POWER_MAX).contains(power))
            // Rounding can exceed the limit by a little.
            && self.lags.iter().all(|&power| (0.0..=2.0 * POWER_MAX).contains(&f64::from(power)))
            && PERIODS_NS.contains(&self.period_ns)
            && self.phase_ns.abs() <= ABSENCE_NS as f64
            && (1.0..=Self::MEMORY).contains(&self.age)
            && self.skipped.abs() <= 1e6
            && self.watch_skipped.abs() <= 1e6
            && self.watch <= 5
            && self.doubts <= Self::DOUBTS_MAX
            // Index 1 is the most likely of four.
            && self.belief[1] >= 0.2
            && self.feedback.as_ref().is_none_or(Feedback::is_possible)
    }
}

impl Feedback {
    fn is_possible(&self) -> bool {
        [self.at_ns, self.delay_ns, self.drift_ns].iter().all(|time_ns| time_ns.abs() <= TIME_MAX_NS)
            && [self.noise, self.reports].iter().all(|power| (0.0..=POWER_MAX).contains(power))
            && (1e6..=1e8).contains(&self.period_ns)
            && self.reports <= Self::MEMORY
            && self.silence <= Self::SILENCE_MAX
            && self.turned < Self::TURNED_MAX
    }
}
