//! The host's clock, and how times on other clocks translate to it.

#![expect(clippy::disallowed_methods, reason = "owns the clock")]

use std::time::{Duration, Instant};

/// A time on another clock that translates to one this far away is not on that clock at all.
#[cfg(target_os = "linux")]
const PLAUSIBLE: Duration = Duration::from_millis(500);

/// The clock of frames and events: the time since the host was created.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    origin: Instant,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self { origin: Instant::now() }
    }

    pub(super) fn now(self) -> Duration {
        self.origin.elapsed()
    }

    pub(super) fn instant(self, at: Duration) -> Instant {
        self.origin + at
    }

    /// Translates a time on one of the system's clocks, numbered as in `clock_gettime`. `None` if that clock is unknown,
    /// or if the time is not close to the present on it.
    ///
    /// Both clocks are read now: over the few frames that a report takes, they drift apart by less than a microsecond.
    #[cfg(target_os = "linux")]
    pub(super) fn translate(self, clock: u32, at: Duration) -> Option<Duration> {
        use rustix::time::{ClockId, clock_gettime};
        let id = match clock {
            0 => ClockId::Realtime,
            MONOTONIC => ClockId::Monotonic,
            4 => ClockId::MonotonicRaw,
            7 => ClockId::Boottime,
            _ => return None,
        };
        // The closest of three pairs: another program may run between two readings.
        let readings = [(); 3].map(|()| {
            let before = self.now();
            let time = clock_gettime(id);
            let after = self.now();
            (after.saturating_sub(before), before, Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
        });
        let (_, here, there) = readings.into_iter().min().unwrap_or_default();
        if there.abs_diff(at) > PLAUSIBLE {
            return None;
        }
        Some((here + at.saturating_sub(there)).saturating_sub(there.saturating_sub(at)))
    }
}

/// The clock that X servers and most compositors use.
#[cfg(target_os = "linux")]
pub(super) const MONOTONIC: u32 = 1;

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_time_on_another_clock_is_translated_and_one_from_elsewhere_is_refused() {
        let clock = Clock::start();
        for id in [0, 1, 4, 7] {
            let time = rustix::time::clock_gettime(match id {
                0 => rustix::time::ClockId::Realtime,
                1 => rustix::time::ClockId::Monotonic,
                4 => rustix::time::ClockId::MonotonicRaw,
                _ => rustix::time::ClockId::Boottime,
            });
            let before = clock.now();
            let there = Duration::new(time.tv_sec as u64, time.tv_nsec as u32);
            let here = clock.translate(id, there).expect("a system clock");
            assert!(here <= clock.now(), "clock {id}");
            // The two readings are microseconds apart, however busy the machine is between other lines.
            assert!(
                before.abs_diff(here) < Duration::from_millis(400),
                "clock {id}: {here:?} is not {before:?}"
            );
            assert_eq!(clock.translate(id, there + Duration::from_mins(1)), None);
            assert_eq!(clock.translate(id, there.saturating_sub(Duration::from_mins(1))), None);
        }
        assert_eq!(clock.translate(99, Duration::from_secs(1)), None, "nobody knows this clock");
    }
}
