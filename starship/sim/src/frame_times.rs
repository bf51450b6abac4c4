//! The timestamps of synthetic frames.

use core::time::Duration;

use crate::rng::Rng;

/// Length of a stall: longer than any pacing accepts as a frame.
const STALL: Duration = Duration::from_millis(600);

/// The timestamps of a simulated display: an endless iterator at a refresh rate, with optional jitter and stalls.
///
/// ```
/// use core::time::Duration;
/// use starship_sim::FrameTimes;
///
/// let millis: Vec<_> = FrameTimes::hz(50.0).map(|now| now.as_millis()).take(3).collect();
/// assert_eq!(millis, [20, 40, 60]);
/// let mut noisy = FrameTimes::hz(60.0).with_jitter(Duration::from_millis(4)).with_stalls(Duration::from_secs(5));
/// assert!(noisy.next().is_some_and(|now| now > Duration::from_millis(12)));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FrameTimes {
    hz: f64,
    jitter: Duration,
    stall_every: Option<Duration>,
    frame: u64,
    stalled: Duration,
    stalls: u32,
    last: Duration,
    rng: Rng,
}

impl FrameTimes {
    /// Creates the timestamps of a display without jitter or stalls.
    ///
    /// # Panics
    ///
    /// If `hz` is not between 1 and 10,000.
    pub fn hz(hz: f64) -> Self {
        assert!((1.0..=10_000.0).contains(&hz), "a refresh rate must be 1 to 10,000 Hz, not {hz}");
        Self {
            hz,
            jitter: Duration::ZERO,
            stall_every: None,
            frame: 0,
            stalled: Duration::ZERO,
            stalls: 0,
            last: Duration::ZERO,
            rng: Rng::new(0xD15B),
        }
    }

    /// Makes timestamps up to this much early or late.
    pub fn with_jitter(self, jitter: Duration) -> Self {
        Self { jitter, ..self }
    }

    /// Inserts a gap of 600 ms at this interval.
    pub fn with_stalls(self, every: Duration) -> Self {
        Self { stall_every: (!every.is_zero()).then_some(every), ..self }
    }

    /// Sets the seed of the jitter.
    pub fn with_seed(self, seed: u64) -> Self {
        Self { rng: Rng::new(seed), ..self }
    }
}

impl Iterator for FrameTimes {
    type Item = Duration;

    /// Returns the next timestamp, which is never before the last one.
    fn next(&mut self) -> Option<Duration> {
        self.frame += 1;
        let ideal = Duration::from_secs_f64(self.frame as f64 / self.hz) + self.stalled;
        if self.stall_every.is_some_and(|every| ideal >= (every + STALL) * (self.stalls + 1)) {
            self.stalls += 1;
            self.stalled += STALL;
        }
        let noise = self.jitter.mul_f64(f64::from(self.rng.unit()) * 2.0);
        let timestamp = (ideal + noise).saturating_sub(self.jitter);
        self.last = timestamp.max(self.last);
        Some(self.last)
    }
}
