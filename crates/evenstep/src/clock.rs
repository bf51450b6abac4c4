//! The game clock: ticks in, exact game time out.

use core::time::Duration;

use crate::rate::{Rate, from_nanos, to_nanos};

/// Counts game time in ticks, exactly, also when the rate changes.
///
/// Tick *k* ends at *k* / rate, rounded up to a nanosecond, like the steps of a [`Pacer`](crate::Pacer). Use it where
/// something else keeps a clock of its own that must not drift, such as an engine's fixed clock.
///
/// ```
/// use core::time::Duration;
/// use evenstep::{GameClock, Rate};
///
/// let mut clock = GameClock::new(Rate::hz(60));
/// clock.advance(1);
/// assert_eq!(clock.now(), Duration::from_nanos(16_666_667));
/// clock.advance(60 * 3_600 - 1);
/// assert_eq!(clock.now(), Duration::from_secs(3_600));
///
/// clock.set_rate(Rate::hz(50)); // Time goes on from here.
/// clock.advance(1);
/// assert_eq!(clock.now(), Duration::from_millis(3_600_020));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    rate: Rate,
    // The time at which the rate was set, and the ticks since.
    since_ns: u128,
    ticks: u64,
}

impl GameClock {
    /// Creates a clock at zero.
    pub const fn new(rate: Rate) -> Self {
        Self { rate, since_ns: 0, ticks: 0 }
    }

    /// The length of the ticks to come.
    pub const fn rate(&self) -> Rate {
        self.rate
    }

    /// Changes the length of the ticks to come. The time stays.
    pub fn set_rate(&mut self, rate: Rate) {
        if rate != self.rate {
            *self = Self { rate, since_ns: self.now_ns(), ticks: 0 };
        }
    }

    /// Sets the time, as for a game that is loaded.
    pub const fn set_now(&mut self, now: Duration) {
        *self = Self { rate: self.rate, since_ns: to_nanos(now) as u128, ticks: 0 };
    }

    /// Counts ticks.
    pub const fn advance(&mut self, ticks: u64) {
        self.ticks = self.ticks.saturating_add(ticks);
    }

    /// The game time.
    pub const fn now(&self) -> Duration {
        from_nanos(self.now_ns())
    }

    const fn now_ns(&self) -> u128 {
        let (nanos, per) = self.rate.step_nanos();
        let ticks_ns = match self.ticks.checked_mul(nanos) {
            // A 64-bit division is several times faster, and enough for 18 billion ticks at a whole rate.
            Some(parts) => parts.div_ceil(per) as u128,
            None => (self.ticks as u128 * nanos as u128).div_ceil(per as u128),
        };
        self.since_ns + ticks_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_exact_on_both_sides_of_64_bits() {
        for rate in [Rate::hz(60), Rate::hz(64), Rate::new(60_000, 1_001), Rate::hz(1_000_000)] {
            let (nanos, per) = rate.step_nanos();
            let past = u64::MAX / nanos;
            for ticks in [0, 1, 2, 59, 216_000, past - 1, past, past + 1, past * 3, u64::MAX] {
                let mut clock = GameClock::new(rate);
                clock.advance(ticks);
                let exact = (u128::from(ticks) * u128::from(nanos)).div_ceil(per.into());
                assert_eq!(clock.now(), from_nanos(exact), "{ticks} ticks at {rate}");
            }
        }
    }

    #[test]
    fn many_changes_of_rate_round_up_by_less_than_a_nanosecond_each() {
        let mut clock = GameClock::new(Rate::hz(60));
        for n in 0..1_000 {
            clock.set_rate(if n % 2 == 0 { Rate::hz(7) } else { Rate::hz(60) });
            clock.advance(1);
        }
        let exact = Rate::hz(7).time_of(500) + Rate::hz(60).time_of(500);
        assert!(clock.now() >= exact && clock.now().abs_diff(exact) <= Duration::from_micros(1));
    }
}
