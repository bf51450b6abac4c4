//! Statistics of recent frames, in constant memory.

use core::time::Duration;

use crate::rate::NANOS_PER_SEC;

/// Frames over which percentiles are computed: two seconds at 60 Hz, and enough for a p99.
const WINDOW: usize = 128;
const ROW: usize = 32;

/// How long "running slowly" stays set after the last slow frame.
const SLOW_HOLD_NS: u64 = NANOS_PER_SEC / 2;

/// Frame rate, frame times, step and draw times, and lag spikes, without allocation.
///
/// Rates are averages over whole seconds. Until the first second has passed, they are the rate of the simulation.
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Pacer, Pacing, Rate};
///
/// let ms = Duration::from_millis;
/// let mut pacer = Pacer::new(Pacing::hz(60));
/// for n in 0..=300 {
///     let now = Rate::hz(120).time_of(n);
///     pacer.frame(now);
///     pacer.steps_done(now + ms(2));
///     pacer.draw_done(now + ms(5));
/// }
/// let stats = pacer.stats();
/// assert_eq!((stats.fps().round(), stats.ticks_per_second().round()), (120.0, 60.0));
/// assert_eq!((stats.frame_time(0.99).as_micros(), stats.frames()), (8_333, 301));
/// assert_eq!((stats.step_time(), stats.draw_time()), (ms(2), ms(3)));
///
/// pacer.frame(ms(3_500)); // One second late.
/// assert_eq!((pacer.stats().lag_spikes(), pacer.stats().missed_steps()), (1, 60));
/// assert!(pacer.stats().is_running_slowly());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Stats {
    // Frames that ended an interval, and frames that started the clock.
    intervals: u64,
    starts: u64,
    skipped: u64,
    lag_spikes: u64,
    missed: u64,
    // The current second, and the results of the last whole one.
    second_ns: u64,
    second_first_interval: u64,
    second_first_tick: u64,
    fps: f64,
    ticks_per_second: f64,
    slow_left_ns: u64,
    step_time_ns: u64,
    draw_time_ns: u64,
    // The latest frame times. They saturate at four seconds. In rows, because serde knows arrays up to 32 only.
    times_ns: [[u32; ROW]; WINDOW / ROW],
}

impl Stats {
    pub(crate) const fn new(rate_hz: f64) -> Self {
        Self {
            intervals: 0,
            starts: 0,
            skipped: 0,
            lag_spikes: 0,
            missed: 0,
            second_ns: 0,
            second_first_interval: 0,
            second_first_tick: 0,
            fps: rate_hz,
            ticks_per_second: rate_hz,
            slow_left_ns: 0,
            step_time_ns: 0,
            draw_time_ns: 0,
            times_ns: [[0; ROW]; WINDOW / ROW],
        }
    }

    /// Frames since the pacer was created or reset, without skipped ones.
    pub const fn frames(&self) -> u64 {
        self.intervals + self.starts
    }

    /// Frames per second of wall time, averaged over the last whole second.
    ///
    /// Dropped time counts. A frame that starts the clock does not end an interval and is not counted.
    pub const fn fps(&self) -> f64 {
        self.fps
    }

    /// Steps per second of wall time, averaged over the last whole second.
    pub const fn ticks_per_second(&self) -> f64 {
        self.ticks_per_second
    }

    /// Steps per frame, averaged over the last whole second.
    pub fn ticks_per_frame(&self) -> f64 {
        self.ticks_per_second / self.fps
    }

    /// Returns a percentile of the last 128 frame times: 0.5 is the median, 0.99 the p99.
    ///
    /// `share` is clamped to 0..=1, and NaN counts as 0. Frames that start the clock have no length and are not
    /// counted; without any others the result is zero.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// for ms in [0, 10, 20, 30, 70] {
    ///     pacer.frame(Duration::from_millis(ms));
    /// }
    /// assert_eq!(pacer.stats().frame_time(0.5), Duration::from_millis(10));
    /// assert_eq!(pacer.stats().frame_time(1.0), Duration::from_millis(40));
    /// ```
    pub fn frame_time(&self, share: f64) -> Duration {
        let filled = self.intervals.min(WINDOW as u64) as usize;
        if filled == 0 {
            return Duration::ZERO;
        }
        let mut times_ns = self.times_ns;
        let times_ns = &mut times_ns.as_flattened_mut()[..filled];
        times_ns.sort_unstable();
        let rank = (share.clamp(0.0, 1.0) * filled as f64 + 0.999_999) as usize;
        Duration::from_nanos(times_ns[rank.clamp(1, filled) - 1].into())
    }

    /// How long the last frame's steps took, as reported to [`Pacer::steps_done`](crate::Pacer::steps_done).
    pub const fn step_time(&self) -> Duration {
        Duration::from_nanos(self.step_time_ns)
    }

    /// How long the last drawing took, as reported to [`Pacer::draw_done`](crate::Pacer::draw_done).
    pub const fn draw_time(&self) -> Duration {
        Duration::from_nanos(self.draw_time_ns)
    }

    /// The number of lag spikes: gaps above the stall threshold (or above the longest frame if there is no
    /// threshold), and other gaps that lost at least one step to the longest frame, the backlog ceiling or the step
    /// cap.
    pub const fn lag_spikes(&self) -> u64 {
        self.lag_spikes
    }

    /// The total length of all lag spikes in simulation steps.
    pub const fn missed_steps(&self) -> u64 {
        self.missed
    }

    /// The number of frames skipped because their timestamp was not a finite number.
    pub const fn skipped_frames(&self) -> u64 {
        self.skipped
    }

    /// Whether the game lost time within the last half second because frames or steps were too slow.
    ///
    /// Stalls do not count, nor does time dropped during a pause, a menu or a freeze.
    pub const fn is_running_slowly(&self) -> bool {
        self.slow_left_ns > 0
    }

    #[inline]
    pub(crate) fn record_frame(&mut self, elapsed_ns: u64, tick: u64) {
        // Less than a second has accumulated, so only a gap of 584 years overflows, and the sum is about that long.
        let (second_ns, is_past) = self.second_ns.overflowing_add(elapsed_ns);
        self.second_ns = second_ns;
        if is_past || second_ns >= NANOS_PER_SEC {
            self.close_second(if is_past { u64::MAX } else { second_ns }, tick);
        }
    }

    #[inline]
    pub(crate) fn record_interval(&mut self, elapsed_ns: u64) {
        let at = self.intervals as usize % WINDOW;
        self.times_ns[at / ROW][at % ROW] = elapsed_ns.min(u32::MAX.into()) as u32;
        self.intervals += 1;
    }

    /// Counts down before the frame is planned, so that slowness found in the frame itself is held in full.
    pub(crate) const fn run_down_slowness(&mut self, elapsed_ns: u64) {
        self.slow_left_ns = self.slow_left_ns.saturating_sub(elapsed_ns);
    }

    pub(crate) const fn record_start(&mut self) {
        self.starts += 1;
    }

    /// Continues from another tick number without changing the ticks counted in the current second.
    pub(crate) const fn renumber_ticks(&mut self, old: u64, new: u64) {
        self.second_first_tick = new.wrapping_sub(old.wrapping_sub(self.second_first_tick));
    }

    pub(crate) const fn record_spike(&mut self, missed: u32) {
        self.lag_spikes += 1;
        self.missed = self.missed.saturating_add(missed as u64);
    }

    pub(crate) const fn record_slowness(&mut self) {
        self.slow_left_ns = SLOW_HOLD_NS;
    }

    pub(crate) const fn forget_slowness(&mut self) {
        self.slow_left_ns = 0;
    }

    pub(crate) const fn record_skip(&mut self) {
        self.skipped += 1;
    }

    pub(crate) const fn record_step_time(&mut self, step_time_ns: u64) {
        self.step_time_ns = step_time_ns;
    }

    pub(crate) const fn record_draw_time(&mut self, draw_time_ns: u64) {
        self.draw_time_ns = draw_time_ns;
    }

    /// Whether no count exceeds what a run can reach.
    #[cfg(feature = "serde")]
    pub(crate) fn is_possible(&self) -> bool {
        const COUNT_MAX: u64 = 1 << 62;
        let counts =
            [self.intervals, self.starts, self.skipped, self.lag_spikes, self.missed, self.slow_left_ns];
        // Any first tick is possible: renumbering may wrap below zero.
        counts.iter().all(|&count| count <= COUNT_MAX)
            && self.second_ns < NANOS_PER_SEC
            && self.second_first_interval <= self.intervals
            && [self.fps, self.ticks_per_second].iter().all(|rate| rate.is_finite() && *rate >= 0.0)
    }

    #[cold]
    fn close_second(&mut self, second_ns: u64, tick: u64) {
        let seconds = second_ns as f64 / NANOS_PER_SEC as f64;
        self.fps = (self.intervals - self.second_first_interval) as f64 / seconds;
        self.ticks_per_second = tick.wrapping_sub(self.second_first_tick) as f64 / seconds;
        self.second_ns = 0;
        self.second_first_interval = self.intervals;
        self.second_first_tick = tick;
    }
}
