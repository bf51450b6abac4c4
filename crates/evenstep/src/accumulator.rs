//! The accumulator: time goes in, whole steps come out, and the remainder stays.

use crate::rate::Rate;

/// The largest alpha: the last float before 1.
pub(crate) const ALPHA_MAX: f64 = 1.0 - f64::EPSILON / 2.0;

/// The most units that may be pending. They also fit into a signed integer.
const UNITS_MAX: u64 = i64::MAX as u64;

/// Up to this many steps, subtracting one by one is faster than dividing.
const STEPS_ONE_BY_ONE: u32 = 32;

/// Divides a stream of whole units into steps of an exact fractional length.
///
/// A step of 1/60 s is 16,666,666 2/3 ns. Each step therefore costs 16,666,666 or 16,666,667 ns, such that step *k*
/// ends at the first whole nanosecond that is not before *k*/60 s:
///
/// ```text
/// ns in     |.......................|.......................|.......................|
/// steps     0         16_666_667 -->1         33_333_334 -->2         50_000_000 -->3
/// ```
///
/// Integers are enough for this, nothing is rounded away, and the [`Ledger`](crate::Ledger) can account for every
/// nanosecond. A [`Pacer`](crate::Pacer) feeds its accumulator with wall time. A physics world that steps at its own
/// rate inside a tick feeds one with ticks:
///
/// ```
/// use evenstep::{Accumulator, Rate};
///
/// let mut physics = Accumulator::of_ticks(Rate::hz(60), Rate::hz(90));
/// let steps = [(); 4].map(|()| {
///     physics.add(1);
///     physics.take(u32::MAX)
/// });
/// assert_eq!(steps, [1, 2, 1, 2]);
/// ```
///
/// With a limit, the rest stays pending until it is taken or cleared:
///
/// ```
/// use evenstep::{Accumulator, Rate};
///
/// let mut steps = Accumulator::of_nanos(Rate::hz(100));
/// steps.add(54_000_000);
/// assert_eq!((steps.take(3), steps.pending()), (3, 24_000_000));
/// assert_eq!(steps.take(3), 2);
/// assert_eq!(steps.alpha(), 0.4, "4 ms into a step of 10 ms");
/// assert_eq!(steps.clear(), 4_000_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Saved", into = "Saved")
)]
pub struct Accumulator {
    // `whole + part / parts` units are pending. Invariant: part < parts, and whole <= UNITS_MAX.
    whole: u64,
    part: u64,
    // A step is `step_whole + step_part / parts` units. Invariant: step_part < parts, and the step is not zero.
    step_whole: u64,
    step_part: u64,
    parts: u64,
    // As floats, for alpha.
    parts_float: f64,
    step_parts_float: f64,
}

impl Accumulator {
    /// Creates an empty accumulator that turns nanoseconds into steps at `rate`.
    pub const fn of_nanos(rate: Rate) -> Self {
        let (nanos, per) = rate.step_nanos();
        Self::with_step(nanos, per)
    }

    /// Creates an empty accumulator that turns ticks at one rate into steps at another.
    ///
    /// At equal rates every tick yields exactly one step.
    ///
    /// # Panics
    ///
    /// If the common denominator of the two rates exceeds 63 bits. In a const context, this is a compile-time error.
    pub const fn of_ticks(ticks: Rate, steps: Rate) -> Self {
        let (units, per) = steps.step_in_steps_of(ticks);
        Self::with_step(units, per)
    }

    /// A step of `numerator / parts` units.
    const fn with_step(numerator: u64, parts: u64) -> Self {
        assert!(
            parts <= UNITS_MAX,
            "the common denominator of the two rates is too large: round one of them"
        );
        Self {
            whole: 0,
            part: 0,
            step_whole: numerator / parts,
            step_part: numerator % parts,
            parts,
            parts_float: parts as f64,
            step_parts_float: numerator as f64,
        }
    }

    /// Adds whole units, saturating at 2^63 pending units.
    #[inline]
    pub const fn add(&mut self, units: u64) {
        let room = UNITS_MAX - self.whole;
        self.whole += if units < room { units } else { room };
    }

    /// Adds whole units without saturation; the caller keeps both the pending and the added units below 2^62.
    #[inline]
    pub(crate) const fn add_bounded(&mut self, units: u64) {
        debug_assert!(units <= UNITS_MAX - self.whole);
        self.whole += units;
    }

    /// Takes as many whole steps as are pending, up to `limit`, and returns their number.
    #[inline]
    pub const fn take(&mut self, limit: u32) -> u32 {
        let mut steps = 0;
        while steps < limit {
            let borrows = self.part < self.step_part;
            let cost = self.step_whole + borrows as u64;
            if self.whole < cost {
                return steps;
            }
            self.whole -= cost;
            self.part = if borrows { self.part + self.parts } else { self.part } - self.step_part;
            steps += 1;
            if steps == STEPS_ONE_BY_ONE {
                return steps + self.take_many(limit - steps);
            }
        }
        steps
    }

    /// The pending time as a fraction of a step: 0 <= alpha < 1.
    ///
    /// While whole steps are pending because a limit held them back, alpha is the largest float below 1.
    #[inline]
    pub const fn alpha(&self) -> f64 {
        // Exact up to the division for every practical rate, so alpha is the float nearest to the true fraction.
        // Signed integers convert to floats in one instruction, unsigned ones in eight.
        let whole = self.whole as i64 as f64;
        let part = self.part as i64 as f64;
        ((whole * self.parts_float + part) / self.step_parts_float).min(ALPHA_MAX)
    }

    /// The number of whole units pending.
    #[inline]
    pub const fn pending(&self) -> u64 {
        self.whole
    }

    /// The pending fraction of a unit, in parts: at 60 Hz, a part is a 60th of a nanosecond.
    #[inline]
    pub(crate) const fn pending_part(&self) -> u64 {
        self.part
    }

    /// Discards everything pending and returns the number of whole units discarded.
    pub const fn clear(&mut self) -> u64 {
        let dropped = self.whole;
        (self.whole, self.part) = (0, 0);
        dropped
    }

    /// Whether a whole step is pending.
    #[inline]
    pub(crate) const fn holds_a_step(&self) -> bool {
        self.whole >= self.step_whole + (self.part < self.step_part) as u64
    }

    /// Discards pending whole steps and keeps the remainder, and with it the phase relative to the display. Returns
    /// the units discarded.
    pub(crate) const fn drop_whole_steps(&mut self) -> u64 {
        let before = self.whole;
        self.set_waiting(self.waiting_in_parts() % self.step_in_parts());
        before - self.whole
    }

    /// Discards whole units beyond one step and returns their number.
    pub(crate) const fn clamp_to_a_step(&mut self) -> u64 {
        if self.holds_a_step() { self.clamp_to((self.step_whole, self.step_part)) } else { 0 }
    }

    /// Discards whole units above a ceiling of `(units, parts)` and returns their number.
    pub(crate) const fn clamp_to(&mut self, (whole, part): (u64, u64)) -> u64 {
        if self.whole <= whole {
            return 0;
        }
        let dropped = self.whole - whole;
        (self.whole, self.part) = (whole, part);
        dropped
    }

    /// Changes the step length. Pending whole units stay.
    pub(crate) const fn set_rate(&mut self, rate: Rate) {
        let new = Self::of_nanos(rate);
        if new.parts != self.parts || new.step_in_parts() != self.step_in_parts() {
            *self = Self { whole: self.whole, ..new };
        }
    }

    /// The units of one step, rounded down.
    #[inline]
    pub(crate) const fn step_units(&self) -> u64 {
        self.step_whole
    }

    /// The exact length of `steps` steps, as whole units and parts.
    pub(crate) const fn exact_units_of(&self, steps: u32) -> (u64, u64) {
        let parts = self.step_in_parts() * steps as u128;
        let whole = parts / self.parts as u128;
        if whole > u64::MAX as u128 {
            (u64::MAX, 0)
        } else {
            (whole as u64, (parts % self.parts as u128) as u64)
        }
    }

    /// How many whole steps fit into `units`.
    pub(crate) const fn steps_in(&self, units: u64) -> u32 {
        let steps = units as u128 * self.parts as u128 / self.step_in_parts();
        if steps > u32::MAX as u128 { u32::MAX } else { steps as u32 }
    }

    /// The wall time, to the nearest unit, of the fewest whole steps that last at least `wall_ns` at a scale in 32.32
    /// fixed point. `None` at scale 0 and on overflow.
    pub(crate) fn wall_time_of_whole_steps(&self, wall_ns: u64, scale: u64) -> Option<u64> {
        // The step in 32.32 fixed point, first in game time and then in wall time. Rounded up, or a wall time of
        // exactly n steps would count as n + 1.
        let step = (u128::from(self.step_whole) << 32)
            + (u128::from(self.step_part) << 32).div_ceil(u128::from(self.parts));
        let step = (scale > 0).then(|| (step << 32).div_ceil(scale.into()))?;
        let steps = (u128::from(wall_ns) << 32).div_ceil(step);
        let wall = (steps.checked_mul(step)? + (1 << 31)) >> 32;
        u64::try_from(wall).ok()
    }

    /// The units missing until the next step.
    pub(crate) const fn missing(&self) -> u64 {
        let step = self.step_in_parts();
        let waiting = self.waiting_in_parts();
        if waiting >= step { 0 } else { (step - waiting).div_ceil(self.parts as u128) as u64 }
    }

    /// The fewest steps that are at least `units` long.
    pub(crate) const fn steps_to_cover(&self, units: u64) -> u32 {
        let steps = self.steps_in(units);
        if self.units_of(steps) < units { steps + 1 } else { steps }
    }

    /// The fewest whole units that contain `steps` steps.
    pub(crate) const fn units_of(&self, steps: u32) -> u64 {
        let units = (self.step_in_parts() * steps as u128).div_ceil(self.parts as u128);
        if units > u64::MAX as u128 { u64::MAX } else { units as u64 }
    }

    #[cold]
    const fn take_many(&mut self, limit: u32) -> u32 {
        let waiting = self.waiting_in_parts();
        let ready = waiting / self.step_in_parts();
        let steps = if ready < limit as u128 { ready as u32 } else { limit };
        self.set_waiting(waiting - steps as u128 * self.step_in_parts());
        steps
    }

    const fn waiting_in_parts(&self) -> u128 {
        self.whole as u128 * self.parts as u128 + self.part as u128
    }

    const fn set_waiting(&mut self, in_parts: u128) {
        self.whole = (in_parts / self.parts as u128) as u64;
        self.part = (in_parts % self.parts as u128) as u64;
    }

    const fn step_in_parts(&self) -> u128 {
        self.step_whole as u128 * self.parts as u128 + self.step_part as u128
    }
}

/// An accumulator as serde sees it: what is pending, and the step as a fraction.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    whole: u64,
    part: u64,
    step: u64,
    parts: u64,
}

#[cfg(feature = "serde")]
impl From<Accumulator> for Saved {
    fn from(from: Accumulator) -> Self {
        let step = from.step_whole * from.parts + from.step_part;
        Self { whole: from.whole, part: from.part, step, parts: from.parts }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Saved> for Accumulator {
    type Error = &'static str;

    fn try_from(saved: Saved) -> Result<Self, Self::Error> {
        let Saved { whole, part, step, parts } = saved;
        if step == 0 || parts == 0 || parts > UNITS_MAX || part >= parts || whole > UNITS_MAX / 2 {
            return Err("expected pending time and a step that an accumulator can have");
        }
        Ok(Self { whole, part, ..Self::with_step(step, parts) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taking_one_by_one_and_taking_many_agree() {
        for rate in [Rate::hz(60), Rate::new(60_000, 1_001), Rate::hz(144), Rate::hz(7)] {
            let mut one_by_one = Accumulator::of_nanos(rate);
            let mut many = Accumulator::of_nanos(rate);
            for units in [1, 16_666_666, 16_666_667, 999_999_999, 33_333_333, 5_000_000_000] {
                one_by_one.add(units);
                many.add(units);
                let mut steps = 0;
                while one_by_one.take(1) == 1 {
                    steps += 1;
                }
                assert_eq!(many.take_many(u32::MAX), steps);
                assert_eq!(one_by_one, many);
            }
        }
    }

    #[test]
    fn step_k_ends_at_the_first_nanosecond_not_before_its_exact_instant() {
        for rate in [Rate::hz(60), Rate::new(60_000, 1_001), Rate::hz(144)] {
            let (nanos, per) = rate.step_nanos();
            let mut steps = Accumulator::of_nanos(rate);
            let mut filled = 0;
            for k in 1..10_000_u64 {
                let end = (u128::from(k) * u128::from(nanos)).div_ceil(u128::from(per)) as u64;
                steps.add(end - 1 - filled);
                assert_eq!(steps.take(9), 0, "step {k} at {rate:?} came a nanosecond early");
                steps.add(1);
                assert_eq!(steps.take(9), 1, "step {k} at {rate:?} came late");
                filled = end;
            }
        }
    }

    #[test]
    fn equal_rates_give_one_step_a_tick_from_any_start() {
        for rate in [Rate::hz(30), Rate::hz(60), Rate::new(60_000, 1_001), Rate::hz(120)] {
            let mut steps = Accumulator::of_ticks(rate, rate);
            for _ in 0..100 {
                steps.add(1);
                assert_eq!((steps.take(9), steps.alpha()), (1, 0.0));
            }
        }
    }

    #[test]
    fn dropping_whole_steps_keeps_the_phase() {
        let mut steps = Accumulator::of_nanos(Rate::hz(60));
        steps.add(12_345_678);
        let alpha = steps.alpha();
        steps.add(50_000_000);
        assert_eq!(steps.drop_whole_steps(), 50_000_000);
        assert_eq!(steps.alpha(), alpha);
        steps.add(u64::MAX);
        steps.drop_whole_steps();
        assert_eq!(steps.take(1), 0);
    }
}
