//! What the frames were like lately, in a fixed amount of memory.

use core::time::Duration;

use crate::lock::LockState;
use crate::rate::NANOS_PER_SEC;

/// Frames that percentiles are taken over: two seconds at 60 Hz, and enough for a p99.
const WINDOW: usize = 128;

/// How long "running slowly" stays on after the last sign of it.
const SLOW_HOLD_NS: u64 = NANOS_PER_SEC / 2;

/// Frame rate, frame times, step and draw times, lag spikes: without allocation and nearly free.
///
/// Rates are averages over whole seconds; until the first second is over they are the simulation's own rate.
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
    frames: u64,
    skipped: u64,
    lag_spikes: u64,
    missed: u64,
    // The second under way, and what the last whole one came to.
    second_ns: u64,
    second_first_frame: u64,
    second_first_tick: u64,
    fps: f64,
    ticks_per_second: f64,
    slow_left_ns: u64,
    lock: LockState,
    step_time_ns: u64,
    draw_time_ns: u64,
    // The last frame times in nanoseconds; one of four seconds or more is as good as any other.
    times: [u32; WINDOW],
}

impl Stats {
    pub(crate) const fn new(rate_hz: f64) -> Self {
        Self {
            frames: 0,
            skipped: 0,
            lag_spikes: 0,
            missed: 0,
            second_ns: 0,
            second_first_frame: 0,
            second_first_tick: 0,
            fps: rate_hz,
            ticks_per_second: rate_hz,
            slow_left_ns: 0,
            lock: LockState::Off,
            step_time_ns: 0,
            draw_time_ns: 0,
            times: [0; WINDOW],
        }
    }

    /// Frames a second, averaged over the last whole second.
    ///
    /// ```
    /// # use evenstep::{Pacer, Pacing};
    /// assert_eq!(Pacer::new(Pacing::hz(60)).stats().fps(), 60.0);
    /// ```
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
    /// Shares are clamped to 0..=1 and NaN is 0. Zero before the second frame, since the first has no length.
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
        // The first frame has no length: it only starts the clock.
        let filled = self.frames.saturating_sub(1).min(WINDOW as u64) as usize;
        if filled == 0 {
            return Duration::ZERO;
        }
        let mut times = self.times;
        // Slots are written from index 1 on and wrap around, so a short history stands in 1..=filled.
        let times = if filled < WINDOW { &mut times[1..=filled] } else { &mut times[..] };
        times.sort_unstable();
        let rank = (share.clamp(0.0, 1.0) * filled as f64 + 0.999_999) as usize;
        Duration::from_nanos(times[rank.clamp(1, filled) - 1].into())
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

    /// Gaps so long that they were dropped or cut short.
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
    /// A stall does not count: a game that was away is not slow.
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
    pub(crate) fn record(&mut self, elapsed_ns: u64, raw_ns: u64, tick: u64) {
        self.times[self.frames as usize % WINDOW] = elapsed_ns.min(u32::MAX.into()) as u32;
        self.frames += 1;
        self.second_ns += raw_ns;
        if self.second_ns >= NANOS_PER_SEC {
            self.close_second(tick);
        }
    }

    /// Before the frame is planned: what it finds out itself holds from now on.
    #[inline]
    pub(crate) fn run_down_slowness(&mut self, elapsed_ns: u64) {
        if self.slow_left_ns > 0 {
            self.slow_left_ns = self.slow_left_ns.saturating_sub(elapsed_ns);
        }
    }

    pub(crate) const fn record_spike(&mut self, missed: u32) {
        self.lag_spikes += 1;
        self.missed = self.missed.saturating_add(missed as u64);
    }

    /// A stall has no time of its own, yet the second passes.
    pub(crate) fn record_stall(&mut self, elapsed_ns: u64) {
        self.second_ns += elapsed_ns.min(NANOS_PER_SEC);
    }

    pub(crate) const fn record_slowness(&mut self) {
        self.slow_left_ns = SLOW_HOLD_NS;
    }

    pub(crate) const fn record_lock(&mut self, lock: LockState) {
        self.lock = lock;
    }

    pub(crate) const fn record_skip(&mut self) {
        self.skipped += 1;
    }

    pub(crate) const fn record_step_time(&mut self, nanos: u64) {
        self.step_time_ns = nanos;
    }

    pub(crate) const fn record_draw_time(&mut self, nanos: u64) {
        self.draw_time_ns = nanos;
    }

    #[cold]
    fn close_second(&mut self, tick: u64) {
        let seconds = self.second_ns as f64 / NANOS_PER_SEC as f64;
        self.fps = (self.frames - self.second_first_frame) as f64 / seconds;
        self.ticks_per_second = (tick - self.second_first_tick) as f64 / seconds;
        (self.second_ns, self.second_first_frame, self.second_first_tick) = (0, self.frames, tick);
    }
}
