//! Absolute deadlines, and a precise wait for them.

use std::time::{Duration, Instant};

use evenstep::Rate;
use spin_sleep::{SpinSleeper, SpinStrategy};

/// How late an event loop's timer may be.
pub(crate) const HAND_OVER: Duration = Duration::from_micros(1_500);
/// How late the system's sleep may be. The thread spins for the last part of the wait.
const SPIN: Duration = Duration::from_micros(250);

/// Absolute deadlines at a fixed rate, for frames without vertical sync.
///
/// Deadlines are multiples of the interval, exact to the nanosecond, however long the work in between takes:
///
/// ```text
/// deadlines  |-----|-----|-----|-----|-----|-----|-----|-----|
/// work       ###   ########    ###   ################# ###        late once; later, late with one skipped
///                          ###                        ###
/// ```
///
/// Use them in a loop of your own, such as a server's. They are in the feature `deadlines`, which needs no window:
///
/// ```
/// use std::time::Instant;
/// use evenstep::Rate;
/// use evenstep_host::Deadlines;
///
/// # let start = Instant::now();
/// let mut deadlines = Deadlines::new(Rate::hz(1_000), Instant::now());
/// for _ in 0..3 {
///     deadlines.wait();
///     // Run a tick.
///     deadlines.advance(Instant::now());
/// }
/// # assert!(start.elapsed().as_micros() >= 3_000);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Deadlines {
    rate: Rate,
    // Deadline `n` is at `origin + rate.time_of(n)`.
    origin: Instant,
    n: u64,
}

impl Deadlines {
    /// Creates deadlines at a rate. The first one is one interval after `now`.
    pub const fn new(rate: Rate, now: Instant) -> Self {
        Self { rate, origin: now, n: 1 }
    }

    /// Returns the rate.
    pub const fn rate(&self) -> Rate {
        self.rate
    }

    /// Returns the next deadline.
    pub fn next(&self) -> Instant {
        self.origin + self.rate.time_of(self.n)
    }

    /// Returns when an event loop should stop waiting on its own timer and call [`wait`](Self::wait).
    pub fn hand_over(&self) -> Instant {
        self.next().checked_sub(HAND_OVER).unwrap_or(self.origin)
    }

    /// Blocks until the next deadline. Returns at once if it has passed.
    pub fn wait(&self) {
        wait_until(self.next());
    }

    /// Moves on to the following deadline. If it has passed, the next frame begins at once. If several have passed, all
    /// but the last are skipped.
    ///
    /// ```
    /// # use std::time::{Duration, Instant};
    /// # use evenstep::Rate;
    /// # use evenstep_host::Deadlines;
    /// let start = Instant::now();
    /// let mut deadlines = Deadlines::new(Rate::hz(10), start);
    /// deadlines.advance(start + Duration::from_millis(120));
    /// assert_eq!(deadlines.next() - start, Duration::from_millis(200));
    /// deadlines.advance(start + Duration::from_millis(470));
    /// assert_eq!(deadlines.next() - start, Duration::from_millis(400));
    /// ```
    pub fn advance(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.origin);
        // Division instead of a loop, so that an hour of absence costs nothing. Rounding is off by one at most, which
        // makes one frame late.
        let last = (passed.as_secs_f64() * self.rate.as_hz()) as u64;
        self.n = last.max(self.n + 1);
    }
}

/// Blocks until an instant. Returns at once if it has passed.
pub(crate) fn wait_until(at: Instant) {
    SpinSleeper::new(SPIN.subsec_nanos()).with_spin_strategy(SpinStrategy::SpinLoopHint).sleep_until(at);
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "there is no other way to create an instant")]
mod tests {
    use super::*;

    #[test]
    fn deadlines_stay_on_their_grid_whatever_the_work_takes() {
        let start = Instant::now();
        let rate = Rate::new(59_940, 1_000);
        let mut deadlines = Deadlines::new(rate, start);
        let mut now = start;
        for work_us in [1, 3_000, 16_000, 17_000, 40_000, 5_000_000, 16_683].into_iter().cycle().take(7_000) {
            now = now.max(deadlines.next()) + Duration::from_micros(work_us);
            deadlines.advance(now);
            assert_eq!(deadlines.next(), start + rate.time_of(deadlines.n));
            assert!(now.saturating_duration_since(deadlines.next()) <= rate.step() + Duration::from_nanos(2));
        }
    }

    #[test]
    fn work_that_fits_never_lowers_the_rate() {
        let start = Instant::now();
        let mut deadlines = Deadlines::new(Rate::hz(100), start);
        let mut now = start;
        // Every tenth frame takes almost twice its time; the others make up for it.
        for n in 0..1_000_u64 {
            now = now.max(deadlines.next()) + Duration::from_millis(if n % 10 == 0 { 19 } else { 6 });
            deadlines.advance(now);
        }
        assert_eq!(deadlines.next() - start, Duration::from_millis(10_010));
    }
}
