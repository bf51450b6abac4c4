//! When the next frame begins, and waiting for it.

use std::time::{Duration, Instant};

use evenstep::Rate;
use spin_sleep::{SpinSleeper, SpinStrategy};

/// An event loop's own timer may be this late.
const HAND_OVER: Duration = Duration::from_micros(1_500);
/// How late the system's sleep may be. From here on to the deadline the thread spins.
const SPIN: Duration = Duration::from_micros(250);

/// Absolute deadlines at a fixed rate: the beat that a display without a vertical sync does not give.
///
/// Deadlines are where the rate puts them, to the nanosecond, whatever happens in between:
///
/// ```text
/// deadlines  |-----|-----|-----|-----|-----|-----|-----|-----|
/// work       ###   ########    ###   ################# ###        late once; then late and one skipped
///                          ###                        ###
/// ```
///
/// Use it for a loop of your own, such as a server's:
///
/// ```
/// use std::time::Instant;
/// use evenstep::Rate;
/// use evenstep_host::native::Deadlines;
///
/// # let start = Instant::now();
/// let mut deadlines = Deadlines::new(Rate::hz(1_000), Instant::now());
/// for _ in 0..3 {
///     deadlines.wait();
///     // Work.
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
    /// The first deadline lies one interval after `now`.
    ///
    /// ```
    /// # use std::time::Instant;
    /// # use evenstep::Rate;
    /// # use evenstep_host::native::Deadlines;
    /// let now = Instant::now();
    /// assert_eq!(Deadlines::new(Rate::hz(50), now).next(), now + Rate::hz(50).step());
    /// ```
    pub const fn new(rate: Rate, now: Instant) -> Self {
        Self { rate, origin: now, n: 1 }
    }

    /// The rate.
    ///
    /// ```
    /// # use std::time::Instant;
    /// # use evenstep::Rate;
    /// # use evenstep_host::native::Deadlines;
    /// assert_eq!(Deadlines::new(Rate::hz(50), Instant::now()).rate(), Rate::hz(50));
    /// ```
    pub const fn rate(&self) -> Rate {
        self.rate
    }

    /// The next deadline.
    ///
    /// ```
    /// # use std::time::{Duration, Instant};
    /// # use evenstep::Rate;
    /// # use evenstep_host::native::Deadlines;
    /// let now = Instant::now();
    /// assert_eq!(Deadlines::new(Rate::hz(10), now).next() - now, Duration::from_millis(100));
    /// ```
    pub fn next(&self) -> Instant {
        self.origin + self.rate.time_of(self.n)
    }

    /// When an event loop should stop to wait by its own means and call [`wait`](Self::wait).
    ///
    /// ```
    /// # use std::time::Instant;
    /// # use evenstep::Rate;
    /// # use evenstep_host::native::Deadlines;
    /// let deadlines = Deadlines::new(Rate::hz(50), Instant::now());
    /// assert!(deadlines.hand_over() < deadlines.next());
    /// ```
    pub fn hand_over(&self) -> Instant {
        self.next().checked_sub(HAND_OVER).unwrap_or(self.origin)
    }

    /// Waits for the next deadline; not at all when it has passed.
    ///
    /// ```
    /// # use std::time::Instant;
    /// # use evenstep::Rate;
    /// # use evenstep_host::native::Deadlines;
    /// let deadlines = Deadlines::new(Rate::hz(1_000), Instant::now());
    /// deadlines.wait();
    /// assert!(deadlines.next() <= Instant::now());
    /// ```
    pub fn wait(&self) {
        SpinSleeper::new(SPIN.subsec_nanos())
            .with_spin_strategy(SpinStrategy::SpinLoopHint)
            .sleep_until(self.next());
    }

    /// On to the following deadline. It may have passed: then the next frame begins at once, late but not lost. Of
    /// several that have passed all but the last are skipped.
    ///
    /// ```
    /// # use std::time::{Duration, Instant};
    /// # use evenstep::Rate;
    /// # use evenstep_host::native::Deadlines;
    /// let start = Instant::now();
    /// let mut deadlines = Deadlines::new(Rate::hz(10), start);
    /// deadlines.advance(start + Duration::from_millis(120));
    /// assert_eq!(deadlines.next() - start, Duration::from_millis(200));
    /// deadlines.advance(start + Duration::from_millis(470));
    /// assert_eq!(deadlines.next() - start, Duration::from_millis(400));
    /// ```
    pub fn advance(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.origin);
        // By division, so that an hour of absence costs no loop; rounding is off by one at most, which is late by one.
        let last = (passed.as_secs_f64() * self.rate.as_hz()) as u64;
        self.n = last.max(self.n + 1);
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "an instant cannot be had otherwise")]
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
        // Now and then a frame takes twice its time; the others make up for it.
        for n in 0..1_000_u64 {
            now = now.max(deadlines.next()) + Duration::from_millis(if n % 10 == 0 { 19 } else { 6 });
            deadlines.advance(now);
        }
        assert_eq!(deadlines.next() - start, Duration::from_millis(10_010));
    }
}
