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
/// Deadlines are where the rate puts them, to the nanosecond, whatever happens in between; one that was missed is
/// skipped. Use it for a loop of your own, such as a server's:
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
///     deadlines.skip_to(Instant::now());
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

    /// On to the first deadline after `now`.
    ///
    /// ```
    /// # use std::time::{Duration, Instant};
    /// # use evenstep::Rate;
    /// # use evenstep_host::native::Deadlines;
    /// let start = Instant::now();
    /// let mut deadlines = Deadlines::new(Rate::hz(10), start);
    /// deadlines.skip_to(start + Duration::from_millis(420));
    /// assert_eq!(deadlines.next() - start, Duration::from_millis(500));
    /// ```
    pub fn skip_to(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.origin);
        // By division, so that an hour of absence costs no loop; the estimate is off by one at most.
        let n = (passed.as_secs_f64() * self.rate.as_hz()) as u64;
        self.n = self.n.max(n.saturating_sub(1));
        while self.next() <= now {
            self.n += 1;
        }
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
            deadlines.skip_to(now);
            assert!(
                deadlines.next() > now && deadlines.next() - now <= rate.step() + Duration::from_nanos(1)
            );
            assert_eq!(deadlines.next(), start + rate.time_of(deadlines.n));
        }
    }
}
