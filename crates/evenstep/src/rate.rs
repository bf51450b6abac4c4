//! Rates as exact fractions, and conversions between nanoseconds and `Duration`.

use core::cmp::Ordering;
use core::fmt;
use core::time::Duration;

pub(crate) const NANOS_PER_SEC: u64 = 1_000_000_000;

/// A measured rate this close to a whole or a broadcast rate, relative to itself, is taken to be that rate.
const RATE_TOLERANCE: f64 = 2e-5;

/// A frequency as an exact fraction: ticks over seconds.
///
/// 60 Hz is 60/1 and NTSC's 59.94 Hz is 60000/1001. The length of a step is never rounded, so errors do not
/// accumulate: tick 1,000,000,000 begins exactly where a billion steps end.
///
/// ```
/// use core::time::Duration;
/// use evenstep::Rate;
///
/// const NTSC: Rate = Rate::new(60_000, 1_001);
/// assert!(NTSC < Rate::hz(60));
/// assert_eq!(NTSC.to_string(), "60000/1001 Hz");
/// assert_eq!(Rate::new(120, 2), Rate::hz(60), "fractions are reduced");
///
/// // One step is rounded down to a nanosecond; 60,000 of them are still exact.
/// assert_eq!(NTSC.step(), Duration::from_nanos(16_683_333));
/// assert_eq!(NTSC.time_of(60_000), Duration::from_secs(1_001));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rate {
    // Invariant: reduced, both above zero, and 1 us <= seconds / ticks <= 1 h.
    ticks: u32,
    seconds: u32,
}

impl Rate {
    /// Creates a rate of a whole number of ticks per second.
    ///
    /// # Panics
    ///
    /// If `hz` is 0 or above one million. In a const context, this is a compile-time error.
    pub const fn hz(hz: u32) -> Self {
        Self::new(hz, 1)
    }

    /// Creates a rate of `ticks` per `seconds`.
    ///
    /// # Panics
    ///
    /// If the rate is above one million hertz or below one tick per hour. In a const context, this is a compile-time
    /// error.
    pub const fn new(ticks: u32, seconds: u32) -> Self {
        assert!(ticks > 0 && seconds > 0, "a rate needs at least one tick and one second");
        assert!(ticks as u64 <= seconds as u64 * 1_000_000, "a rate is at most 1,000,000 Hz");
        assert!(seconds as u64 <= ticks as u64 * 3_600, "a rate is at least one tick per hour");
        let shared = greatest_common_divisor(ticks as u64, seconds as u64) as u32;
        Self { ticks: ticks / shared, seconds: seconds / shared }
    }

    /// Creates a rate of `ticks` per `seconds`, or returns `None` where [`Rate::new`] would panic. Use it for
    /// untrusted input.
    pub const fn try_new(ticks: u32, seconds: u32) -> Option<Self> {
        let is_rate = ticks > 0
            && seconds > 0
            && ticks as u64 <= seconds as u64 * 1_000_000
            && seconds as u64 <= ticks as u64 * 3_600;
        if is_rate { Some(Self::new(ticks, seconds)) } else { None }
    }

    /// Returns the rate closest to a measured or configured frequency.
    ///
    /// A number within 20 parts per million of a whole rate becomes that rate, and one equally close to a broadcast
    /// rate becomes its exact fraction. Anything else is rounded to a millionth of a hertz (above 4 kHz to a
    /// thousandth; below 1 Hz the period is rounded to a millisecond). Returns `None` for NaN and for numbers outside
    /// the range of [`Rate::new`].
    ///
    /// ```
    /// use evenstep::Rate;
    ///
    /// assert_eq!(Rate::from_hz(59.94), Some(Rate::new(60_000, 1_001)));
    /// assert_eq!(Rate::from_hz(23.976), Some(Rate::new(24_000, 1_001)));
    /// assert_eq!(Rate::from_hz(143.999), Some(Rate::hz(144)));
    /// assert_eq!(Rate::from_hz(60.05), Some(Rate::new(1_201, 20)));
    /// assert_eq!(Rate::from_hz(f64::NAN), None);
    /// ```
    pub const fn from_hz(hz: f64) -> Option<Self> {
        // Broadcast rates are whole rates slowed down by 1000/1001.
        let whole = (hz + 0.5) as u32;
        let slowed = (hz * 1.001 + 0.5) as u32;
        let off = (hz - whole as f64).abs();
        let off_slowed = (hz - slowed as f64 / 1.001).abs();
        if off.min(off_slowed) > hz * RATE_TOLERANCE {
            return Self::to_a_millionth(hz);
        }
        match slowed.checked_mul(1_000) {
            Some(ticks) if off_slowed < off => Self::try_new(ticks, 1_001),
            _ => Self::try_new(whole, 1),
        }
    }

    /// Returns the rate whose steps last `step`, rounded like [`Rate::from_hz`]. Returns `None` for zero and for more
    /// than an hour.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::Rate;
    ///
    /// assert_eq!(Rate::from_step(Duration::from_nanos(16_666_667)), Some(Rate::hz(60)));
    /// assert_eq!(Rate::from_step(Duration::from_secs(2)), Some(Rate::new(1, 2)));
    /// ```
    pub const fn from_step(step: Duration) -> Option<Self> {
        let nanos = to_nanos(step);
        if nanos > 3_600 * NANOS_PER_SEC { None } else { Self::from_hz(NANOS_PER_SEC as f64 / nanos as f64) }
    }

    /// Rounds to a millionth of a hertz, or as closely as the integers allow.
    pub(crate) const fn to_a_millionth(hz: f64) -> Option<Self> {
        if !hz.is_finite() {
            return None;
        }
        if hz < 1.0 {
            return Self::try_new(1_000, (1_000.0 / hz + 0.5) as u32);
        }
        let per = if hz < 4_000.0 { 1_000_000 } else { 1_000 };
        Self::try_new((hz * per as f64 + 0.5) as u32, per)
    }

    /// The numerator of the reduced fraction: ticks per [`seconds`](Self::seconds).
    pub const fn ticks(self) -> u32 {
        self.ticks
    }

    /// The denominator of the reduced fraction; see [`ticks`](Self::ticks).
    pub const fn seconds(self) -> u32 {
        self.seconds
    }

    /// The rate in hertz, rounded to the nearest float.
    pub const fn as_hz(self) -> f64 {
        self.ticks as f64 / self.seconds as f64
    }

    /// The length of one step, rounded down to a nanosecond.
    ///
    /// Meant for display and for code that expects a time delta. The core never accumulates this rounded value.
    pub const fn step(self) -> Duration {
        self.time_of(1)
    }

    /// The length of one step in seconds: `SIM_DT` in the original Starship loop.
    pub const fn step_secs(self) -> f64 {
        self.seconds as f64 / self.ticks as f64
    }

    /// Returns the game time at which `tick` begins, rounded down to a nanosecond. The rounding error does not
    /// accumulate.
    pub const fn time_of(self, tick: u64) -> Duration {
        let numerator = tick as u128 * self.seconds as u128;
        let whole = numerator / self.ticks as u128;
        let rest = numerator % self.ticks as u128;
        if whole > u64::MAX as u128 {
            return Duration::MAX;
        }
        let nanos = rest * NANOS_PER_SEC as u128 / self.ticks as u128;
        Duration::new(whole as u64, nanos as u32)
    }

    /// The step as a fraction `(nanoseconds, per)`: 60 Hz is `(1_000_000_000, 60)`.
    pub(crate) const fn step_nanos(self) -> (u64, u64) {
        (self.seconds as u64 * NANOS_PER_SEC, self.ticks as u64)
    }

    /// One step of `self`, measured in steps of `other`, as a reduced fraction.
    pub(crate) const fn step_in_steps_of(self, other: Rate) -> (u64, u64) {
        let numerator = self.seconds as u64 * other.ticks as u64;
        let denominator = self.ticks as u64 * other.seconds as u64;
        let shared = greatest_common_divisor(numerator, denominator);
        (numerator / shared, denominator / shared)
    }
}

/// Rates are ordered by frequency: 59.94 Hz < 60 Hz.
impl Ord for Rate {
    fn cmp(&self, other: &Self) -> Ordering {
        let a = u64::from(self.ticks);
        let b = u64::from(other.ticks);
        (a * u64::from(other.seconds)).cmp(&(b * u64::from(self.seconds)))
    }
}

impl PartialOrd for Rate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Formats whole rates as `60 Hz` and others as `60000/1001 Hz`.
impl fmt::Display for Rate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seconds {
            1 => write!(out, "{} Hz", self.ticks),
            seconds => write!(out, "{}/{seconds} Hz", self.ticks),
        }
    }
}

/// Converts a `requestAnimationFrame` timestamp into the [`Duration`] that [`Pacer::frame`](crate::Pacer::frame)
/// takes.
///
/// Returns `None` for NaN and the infinities. Negative timestamps become zero, and those beyond the core's range of
/// 584 years saturate.
///
/// ```
/// use core::time::Duration;
///
/// assert_eq!(evenstep::from_millis(16.683), Some(Duration::from_nanos(16_683_000)));
/// assert_eq!(evenstep::from_millis(f64::NAN), None);
/// assert_eq!(evenstep::from_millis(-4.0), Some(Duration::ZERO));
/// ```
pub const fn from_millis(ms: f64) -> Option<Duration> {
    match nanos_from_millis(ms) {
        Some(nanos) => Some(Duration::from_nanos(nanos)),
        None => None,
    }
}

/// Converts a timestamp as [`from_millis`] does, without the detour of a `Duration`.
pub(crate) const fn nanos_from_millis(ms: f64) -> Option<u64> {
    // The cast saturates at both ends, as documented.
    if ms.is_finite() { Some((ms * 1e6 + 0.5) as u64) } else { None }
}

/// Converts to nanoseconds, saturating after 584 years.
pub(crate) const fn to_nanos(instant: Duration) -> u64 {
    match instant.as_secs().checked_mul(NANOS_PER_SEC) {
        Some(whole) => whole.saturating_add(instant.subsec_nanos() as u64),
        None => u64::MAX,
    }
}

/// Converts a sum of nanoseconds to a `Duration`, saturating.
pub(crate) const fn from_nanos(nanos: u128) -> Duration {
    let secs = nanos / NANOS_PER_SEC as u128;
    let rest = nanos % NANOS_PER_SEC as u128;
    if secs > u64::MAX as u128 { Duration::MAX } else { Duration::new(secs as u64, rest as u32) }
}

const fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::string::ToString;

    #[test]
    fn a_rate_survives_conversion_to_hertz_or_to_a_step_and_back() {
        for whole in 1..=1_000 {
            let exact = Rate::hz(whole);
            let broadcast = Rate::new(whole * 1_000, 1_001);
            assert_eq!(Rate::from_hz(exact.as_hz()), Some(exact));
            assert_eq!(Rate::from_step(exact.step()), Some(exact));
            assert_eq!(Rate::from_hz(broadcast.as_hz()), Some(broadcast));
            assert_eq!(Rate::from_step(broadcast.step()), Some(broadcast));
            assert!(broadcast < exact && exact < Rate::new(whole * 1_000 + 1, 1_000));
        }
        assert_eq!(Rate::from_step(Duration::from_secs(3_600)), Some(Rate::new(1, 3_600)));
        for outside in [0.0, -60.0, 1e-9, 2e6, f64::NAN, f64::INFINITY, f64::MAX] {
            assert_eq!(Rate::from_hz(outside), None, "{outside}");
        }
        assert_eq!(Rate::from_step(Duration::ZERO), None);
        assert_eq!(Rate::from_step(Duration::MAX), None);
        assert_eq!(Rate::from_step(Duration::from_secs(3_601)), None);
        assert_eq!(Rate::from_hz(1.0 / 3_601.0), None);
        assert_eq!(Rate::from_step(Duration::from_millis(1_000_500)), Some(Rate::new(1_000, 1_000_500)));
    }

    #[test]
    fn a_rate_prints_as_people_write_it() {
        assert_eq!(Rate::hz(60).to_string(), "60 Hz");
        assert_eq!(Rate::new(60_000, 1_001).to_string(), "60000/1001 Hz");
    }

    #[test]
    fn a_distant_tick_is_within_a_nanosecond_of_its_exact_time() {
        let tick = 1_000_000_000_000_u64;
        assert_eq!(Rate::hz(60).time_of(tick), Duration::new(16_666_666_666, 666_666_666));
        assert_eq!(Rate::new(1, 3_600).time_of(u64::MAX), Duration::MAX);
    }

    #[test]
    fn timestamps_past_the_range_saturate() {
        assert_eq!(to_nanos(Duration::MAX), u64::MAX);
        assert_eq!(to_nanos(Duration::from_nanos(u64::MAX)), u64::MAX);
        assert_eq!(from_millis(1e308), Some(Duration::from_nanos(u64::MAX)));
    }

    #[test]
    #[should_panic(expected = "at least one tick")]
    fn a_rate_of_zero_is_a_programmer_error() {
        let _ = Rate::hz(0);
    }
}
