//! Encoding of the display lock.

use super::lattice::{Lattice, Screen};
use super::{ABSENCE_NS, Lock, PERIODS_NS, WINDOW};
use crate::codec::Codec;

/// Times, and powers of times, that a lattice can have.
const TIME_MAX_NS: f64 = 1e12;
const POWER_MAX: f64 = 1e24;

impl Lock {
    pub(crate) fn code(&mut self, codec: &mut impl Codec) {
        codec.option(&mut self.lattice, Lattice::new(*PERIODS_NS.start(), 1.0, 0.0), |codec, lattice| {
            lattice.code(codec);
        });
        for gap_ns in &mut self.gaps_ns {
            codec.f64(gap_ns);
            codec.require((0.0..=ABSENCE_NS as f64).contains(gap_ns));
        }
        codec.usize(&mut self.gap_last);
        codec.usize(&mut self.gaps_missing);
        codec.require(self.gap_last < WINDOW && (1..=WINDOW).contains(&self.gaps_missing));
        codec.option(&mut self.hint_ns, 0.0, Codec::f64);
        codec.require(self.hint_ns.is_none_or(f64::is_finite));
        codec.f64(&mut self.patience);
        codec.require((0.0..Lattice::MEMORY).contains(&self.patience));
        codec.bool(&mut self.is_hint_wrong);
        codec.bool(&mut self.is_free);
        codec.bool(&mut self.is_variable);
        codec.require(!self.is_variable || self.lattice.is_none());
        codec.i64(&mut self.held_ns);
        codec.i64(&mut self.followed_ns);
        codec
            .require(self.held_ns.unsigned_abs() <= ABSENCE_NS && self.followed_ns.unsigned_abs() <= 1 << 62);
    }
}

impl Lattice {
    fn code(&mut self, codec: &mut impl Codec) {
        let shares = [&mut self.missed, &mut self.again, &mut self.late, &mut self.gone];
        for share in shares.into_iter().chain(&mut self.belief) {
            codec.f64(share);
            codec.require((0.0..=1.0).contains(share));
        }
        for power in [&mut self.noise, &mut self.burst, &mut self.clipped, &mut self.naive] {
            codec.f64(power);
            codec.require((0.0..=POWER_MAX).contains(power));
        }
        for lag in &mut self.lags {
            let mut power = f64::from(*lag);
            codec.f64(&mut power);
            // Rounding can exceed the limit by a little.
            codec.require((0.0..=2.0 * POWER_MAX).contains(&power));
            *lag = power as f32;
        }
        codec.u64(&mut self.counts);
        codec.f64(&mut self.period_ns);
        codec.f64(&mut self.phase_ns);
        codec.f64(&mut self.age);
        codec.f64(&mut self.skipped);
        codec.f64(&mut self.watch_skipped);
        codec.bool(&mut self.is_locked);
        codec.bool(&mut self.is_foreign);
        codec.u32(&mut self.evens);
        codec.u32(&mut self.merge_after);
        codec.u32(&mut self.watch);
        codec.u32(&mut self.doubts);
        codec.require(
            PERIODS_NS.contains(&self.period_ns)
                && self.phase_ns.abs() <= ABSENCE_NS as f64
                && (1.0..=Self::MEMORY).contains(&self.age)
                && self.skipped.abs() <= 1e6
                && self.watch_skipped.abs() <= 1e6
                && self.watch <= 5
                && self.doubts <= Self::DOUBTS_MAX
                // Index 1 is the most likely of four.
                && self.belief[1] >= 0.2,
        );
        codec.option(&mut self.screen, Screen::new(0.0, *PERIODS_NS.start()), |codec, screen| {
            screen.code(codec);
        });
    }
}

impl Screen {
    fn code(&mut self, codec: &mut impl Codec) {
        for time_ns in [&mut self.at_ns, &mut self.delay_ns, &mut self.drift_ns] {
            codec.f64(time_ns);
            codec.require(time_ns.abs() <= TIME_MAX_NS);
        }
        for power in [&mut self.noise, &mut self.reports] {
            codec.f64(power);
            codec.require((0.0..=POWER_MAX).contains(power));
        }
        codec.f64(&mut self.period_ns);
        codec.u32(&mut self.silence);
        codec.u32(&mut self.turned);
        codec.bool(&mut self.agrees);
        codec.require(
            (1e6..=1e8).contains(&self.period_ns)
                && self.reports <= Self::MEMORY
                && self.silence <= Self::SILENCE_MAX
                && self.turned < Self::TURNED_MAX,
        );
    }
}
