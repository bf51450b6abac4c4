//! What the frames were like lately, in a fixed amount of memory.

use core::time::Duration;

use crate::codec::Codec;
use crate::lock::LockState;
use crate::rate::NANOS_PER_SEC;

/// Frames that percentiles are taken over: two seconds at 60 Hz, and enough for a p99.
const WINDOW: usize = 128;

/// How long "running slowly" stays on after the last sign of it.
const SLOW_HOLD_NS: u64 = NANOS_PER_SEC / 2;

/// Frame rate, frame times, step and draw times, lag spikes: without allocation and nearly free.
///
/// Rates are averages over whole seconds; until the first second is over they are the rate that the pacer began with.
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Pacer, Pacing, Rate};
///
/// let mut pacer = Pacer::new(Pacing::hz(60));
/// for n in 0..=300 {
///     pacer.frame(Rate::hz(144).time_of(n));
/// }
/// assert_eq!(pacer.stats().fps().round(), 144.0);
/// assert_eq!(pacer.stats().frame_time(0.5).as_micros(), 6_944);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stats {
    // Frames that ended an interval, and frames that started the clock.
    intervals: u64,
    starts: u64,
    skipped: u64,
    lag_spikes: u64,
    missed: u64,
    // The second under way, and what the last whole one came to.
    second_ns: u64,
    second_first_interval: u64,
    second_first_tick: u64,
    fps: f64,
    ticks_per_second: f64,
    slow_left_ns: u64,
    lock: LockState,
    step_time_ns: u64,
    draw_time_ns: u64,
    // The last frame times in nanoseconds; one of four seconds or more is as good as any other.
    times_ns: [u32; WINDOW],
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
            lock: LockState::Off,
            step_time_ns: 0,
            draw_time_ns: 0,
            times_ns: [0; WINDOW],
        }
    }

    /// Frames since the pacer began or was reset; those skipped for their timestamp do not count.
    pub const fn frames(&self) -> u64 {
        self.intervals + self.starts
    }

    /// Frames a second of wall time, averaged over the last whole second.
    ///
    /// Times that second's length it is the number of its frames, whatever was dropped. A frame that only starts the clock
    /// ends no interval and does not count.
    pub const fn fps(&self) -> f64 {
        self.fps
    }

    /// Steps a second of wall time, averaged over the last whole second.
    ///
    /// ```
    /// # use evenstep::{Pacer, Pacing};
    /// assert_eq!(Pacer::new(Pacing::hz(50)).stats().ticks_per_second(), 50.0);
    /// ```
    pub const fn ticks_per_second(&self) -> f64 {
        self.ticks_per_second
    }

    /// Steps a frame, averaged over the last whole second.
    ///
    /// ```
    /// # use evenstep::{Pacer, Pacing, Rate};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// for n in 0..=100 {
    ///     pacer.frame(Rate::hz(30).time_of(n));
    /// }
    /// assert_eq!(pacer.stats().ticks_per_frame(), 2.0);
    /// ```
    pub fn ticks_per_frame(&self) -> f64 {
        self.ticks_per_second / self.fps
    }

    /// The frame time that a share of the last 128 frames did not exceed: 0.5 is the median, 0.99 the bad ones.
    ///
    /// Shares are clamped to 0..=1 and NaN is 0. A frame that starts the clock, the first or one after the host was away,
    /// has no length and does not count; zero while there are no others.
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
        let times_ns = &mut times_ns[..filled];
        times_ns.sort_unstable();
        let rank = (share.clamp(0.0, 1.0) * filled as f64 + 0.999_999) as usize;
        Duration::from_nanos(times_ns[rank.clamp(1, filled) - 1].into())
    }

    /// How long the last frame's steps took, as reported to [`Pacer::steps_done`](crate::Pacer::steps_done).
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::from_millis(100));
    /// pacer.steps_done(Duration::from_millis(103));
    /// assert_eq!(pacer.stats().step_time(), Duration::from_millis(3));
    /// ```
    pub const fn step_time(&self) -> Duration {
        Duration::from_nanos(self.step_time_ns)
    }

    /// How long the last drawing took, as reported to [`Pacer::draw_done`](crate::Pacer::draw_done).
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::from_millis(100));
    /// pacer.steps_done(Duration::from_millis(103));
    /// pacer.draw_done(Duration::from_millis(108));
    /// assert_eq!(pacer.stats().draw_time(), Duration::from_millis(5));
    /// ```
    pub const fn draw_time(&self) -> Duration {
        Duration::from_nanos(self.draw_time_ns)
    }

    /// Lag spikes: gaps above the stall threshold (or above the longest frame, where there is no such threshold), and all
    /// others that lost a step or more to the longest frame, the backlog ceiling or the step cap.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::ZERO);
    /// pacer.frame(Duration::from_secs(1));
    /// assert_eq!((pacer.stats().lag_spikes(), pacer.stats().missed_frames()), (1, 60));
    /// ```
    pub const fn lag_spikes(&self) -> u64 {
        self.lag_spikes
    }

    /// The steps that all lag spikes together were long.
    ///
    /// ```
    /// # use evenstep::{Pacer, Pacing};
    /// assert_eq!(Pacer::new(Pacing::hz(60)).stats().missed_frames(), 0);
    /// ```
    pub const fn missed_frames(&self) -> u64 {
        self.missed
    }

    /// Frames whose timestamp was not a number.
    ///
    /// ```
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame_millis(f64::NAN);
    /// assert_eq!(pacer.stats().skipped_frames(), 1);
    /// ```
    pub const fn skipped_frames(&self) -> u64 {
        self.skipped
    }

    /// Whether the game lost time lately because frames or steps were too slow; off again within half a second.
    ///
    /// Stalls do not count, nor does what a pause, a menu or a freeze drops: a game that was away is not slow.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60).with_steps_max(1));
    /// pacer.frame(Duration::ZERO);
    /// pacer.frame(Duration::from_millis(100));
    /// assert!(pacer.stats().is_running_slowly());
    /// ```
    pub const fn is_running_slowly(&self) -> bool {
        self.slow_left_ns > 0
    }

    /// What the display lock knows about the display.
    ///
    /// ```
    /// # use evenstep::{LockState, Pacer, Pacing};
    /// assert_eq!(Pacer::new(Pacing::hz(60)).stats().lock_state(), LockState::Searching);
    /// assert_eq!(Pacer::new(Pacing::starship()).stats().lock_state(), LockState::Off);
    /// ```
    pub const fn lock_state(&self) -> LockState {
        self.lock
    }

    #[inline]
    pub(crate) fn record_frame(&mut self, elapsed_ns: u64, tick: u64) {
        // Less than a second is under way, so only a gap of 584 years gets past the integers, and is of that length.
        let (second_ns, is_past) = self.second_ns.overflowing_add(elapsed_ns);
        self.second_ns = second_ns;
        if is_past || second_ns >= NANOS_PER_SEC {
            self.close_second(if is_past { u64::MAX } else { second_ns }, tick);
        }
    }

    #[inline]
    pub(crate) fn record_interval(&mut self, elapsed_ns: u64) {
        self.times_ns[self.intervals as usize % WINDOW] = elapsed_ns.min(u32::MAX.into()) as u32;
        self.intervals += 1;
    }

    /// Before the frame is planned: slowness that it finds out itself holds from now on.
    pub(crate) const fn run_down_slowness(&mut self, elapsed_ns: u64) {
        self.slow_left_ns = self.slow_left_ns.saturating_sub(elapsed_ns);
    }

    pub(crate) const fn record_start(&mut self) {
        self.starts += 1;
    }

    /// Ticks are counted from another number on; those of the second under way stay as many.
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

    pub(crate) const fn record_lock(&mut self, lock: LockState) {
        self.lock = lock;
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

    /// All but the state of the lock, which the lock knows; no count above `most`.
    pub(crate) fn code(&mut self, codec: &mut impl Codec, most: u64) {
        for count in [
            &mut self.intervals,
            &mut self.starts,
            &mut self.skipped,
            &mut self.lag_spikes,
            &mut self.missed,
            &mut self.second_first_interval,
            &mut self.slow_left_ns,
        ] {
            codec.u64(count);
            codec.require(*count <= most);
        }
        // Any tick will do: it may have been renumbered past zero.
        codec.u64(&mut self.second_first_tick);
        codec.u64(&mut self.second_ns);
        codec.require(self.second_ns < NANOS_PER_SEC);
        if self.second_first_interval > self.intervals {
            codec.refuse();
            self.second_first_interval = self.intervals;
        }
        for rate in [&mut self.fps, &mut self.ticks_per_second] {
            codec.f64(rate);
            codec.require(rate.is_finite() && *rate >= 0.0);
        }
        codec.u64(&mut self.step_time_ns);
        codec.u64(&mut self.draw_time_ns);
        for time in &mut self.times_ns {
            codec.u32(time);
        }
    }

    #[cold]
    fn close_second(&mut self, second_ns: u64, tick: u64) {
        let seconds = second_ns as f64 / NANOS_PER_SEC as f64;
        self.fps = (self.intervals - self.second_first_interval) as f64 / seconds;
        self.ticks_per_second = tick.wrapping_sub(self.second_first_tick) as f64 / seconds;
        (self.second_ns, self.second_first_interval, self.second_first_tick) = (0, self.intervals, tick);
    }
}
