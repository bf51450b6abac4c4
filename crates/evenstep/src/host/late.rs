//! Late start: how long a frame may wait for fresher input and still be shown on time.

use core::time::Duration;

use crate::rate::to_nanos;

/// Frames whose cost is remembered. The highest of them stands for the 99.9th percentile.
const COSTS: usize = 512;
/// Frames that start early until their cost is known, and reports that must agree before the first late start.
const WARM_UP: u32 = 64;
/// The time before a refresh at which the display is assumed to take its image, until reports say otherwise.
const LATCH_NS: u64 = 2_000_000;
const LATCH_STEP_NS: u64 = 500_000;
/// Images in a row that were shown on time before the display is given a step less: over a minute at 60 Hz. If that was
/// wrong, it costs one refresh.
const LATCH_IMAGES: u32 = 4_096;
/// Spare time, and what a miss adds to it. It decays by a tenth per second.
const MARGIN_NS: u64 = 1_500_000;
const MARGIN_STEP_NS: u64 = 1_000_000;
/// Frames that start at once after a miss.
const CALM_FRAMES: u32 = 8;
/// If work, latch and margin take more than this share of a refresh, there is nothing to win.
const FULL: (u64, u64) = (4, 5);
/// Reports may lag behind by a few frames. Without any for this many frames, there is no evidence to act on.
const SILENCE: u32 = 32;

/// A report of a longer delay makes no sense, and a longer period is no display's.
const DELAY_NS_MAX: u64 = 1_000_000_000;

/// Decides how long after the display's sync a frame may start, so that its input is as fresh as possible.
///
/// ```text
/// sync                                    next refresh
/// |---- wait ----|-- work --|-margin-|-latch-|
///                input is read here          the image is shown, with or without the wait
/// ```
///
/// The wait is a refresh minus the highest cost of recent frames, a margin, and the time before the refresh at which the
/// display takes its image. A frame that is shown a refresh later than expected was too late: the next ones start at
/// once, and later ones leave more time. After a minute without such a miss, they leave a little less again. Without presentation feedback there is no wait.
///
/// The pacer must still be given the time of the sync: fed with the time of the late start, the display lock would
/// follow our own timer.
///
/// ```
/// use core::time::Duration;
/// use evenstep::Rate;
/// use evenstep::host::LateStart;
///
/// let mut late = LateStart::new();
/// let period = Rate::hz(60).step();
/// let mut waited = Duration::ZERO;
/// for n in 0..600 {
///     let sync = Rate::hz(60).time_of(n);
///     waited = late.wait(sync, Some(period));
///     late.cost(Duration::from_millis(3));
///     late.shown(sync, sync + period); // On the next refresh, as always.
/// }
/// assert_eq!(waited.as_micros(), 16_666 - 3_000 - 2_000 - 1_500);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LateStart {
    // In microseconds, rounded up; they saturate at an hour.
    costs_us: [u32; COSTS],
    costs: u64,
    latch_ns: u64,
    // Images shown on time since the latch last changed.
    on_time: u32,
    margin_ns: u64,
    decayed_at_ns: u64,
    // Frames left that start at once.
    calm: u32,
    // Frames since the last report.
    unreported: u32,
    // From sync to display, of frames that started at once, and how many reports agreed.
    delay_ns: u64,
    agreed: u32,
    // The last frames that waited, by the time of their sync.
    waited: [(u64, u64); 16],
    frames: u64,
    misses: u64,
    period_ns: u64,
}

impl Default for LateStart {
    fn default() -> Self {
        Self::new()
    }
}

impl LateStart {
    /// Creates a late start without any measurements: frames start at once.
    pub const fn new() -> Self {
        Self {
            costs_us: [0; COSTS],
            costs: 0,
            latch_ns: LATCH_NS,
            on_time: 0,
            margin_ns: MARGIN_NS,
            decayed_at_ns: 0,
            calm: 0,
            unreported: 0,
            delay_ns: 0,
            agreed: 0,
            waited: [(0, 0); 16],
            frames: 0,
            misses: 0,
            period_ns: 0,
        }
    }

    /// Returns how long after `sync` the frame should start: zero to start at once. `period` is the refresh period, or
    /// `None` while the display lock is not locked.
    pub fn wait(&mut self, sync: Duration, period: Option<Duration>) -> Duration {
        let wait_ns = self.begin(sync, period);
        self.remember(sync, wait_ns);
        Duration::from_nanos(wait_ns)
    }

    /// Returns how long after `sync` the frame could start, for a frame that starts at once: what a late start would save.
    ///
    /// Call it in place of [`wait`](Self::wait) while the late start is switched off.
    pub fn observe(&mut self, sync: Duration, period: Option<Duration>) -> Duration {
        let wait_ns = self.begin(sync, period);
        self.remember(sync, 0);
        Duration::from_nanos(wait_ns)
    }

    fn begin(&mut self, sync: Duration, period: Option<Duration>) -> u64 {
        self.decay(to_nanos(sync));
        self.unreported = self.unreported.saturating_add(1);
        self.calm = self.calm.saturating_sub(1);
        let period_ns = period.map_or(0, to_nanos).min(DELAY_NS_MAX);
        if period_ns.abs_diff(self.period_ns) > self.period_ns / 50 {
            // Another display: what was learned about the delay is void.
            (self.period_ns, self.agreed) = (period_ns, 0);
        }
        self.wait_ns(period_ns)
    }

    fn remember(&mut self, sync: Duration, wait_ns: u64) {
        self.waited[self.frames as usize % self.waited.len()] = (to_nanos(sync), wait_ns);
        self.frames += 1;
    }

    fn wait_ns(&self, period_ns: u64) -> u64 {
        let is_known =
            self.agreed >= WARM_UP && self.costs >= u64::from(WARM_UP) && self.unreported <= SILENCE;
        if !is_known || self.calm > 0 {
            return 0;
        }
        let cost_ns = u64::from(self.costs_us.iter().copied().max().unwrap_or(0)) * 1_000;
        let needed_ns = cost_ns.saturating_add(self.latch_ns).saturating_add(self.margin_ns);
        let is_full = needed_ns > period_ns / FULL.1 * FULL.0;
        if is_full { 0 } else { period_ns - needed_ns }
    }

    /// Reports how long a frame took from its start to its finished image, without time spent waiting for the display.
    pub fn cost(&mut self, took: Duration) {
        let took_us = to_nanos(took).div_ceil(1_000).min(3_600_000_000);
        self.costs_us[self.costs as usize % COSTS] = took_us as u32;
        self.costs += 1;
    }

    /// Reports when the display showed the frame of a sync.
    pub fn shown(&mut self, sync: Duration, at: Duration) {
        let sync_ns = to_nanos(sync);
        let at_ns = to_nanos(at);
        let Some(&(_, wait_ns)) = self.waited.iter().find(|&&(of_ns, _)| of_ns == sync_ns && self.frames > 0)
        else {
            return;
        };
        let delay_ns = at_ns.checked_sub(sync_ns).filter(|&delay_ns| delay_ns <= DELAY_NS_MAX);
        let (Some(delay_ns), false) = (delay_ns, self.period_ns == 0) else {
            return;
        };
        self.unreported = 0;
        let is_later = delay_ns > self.delay_ns.saturating_add(self.period_ns / 2);
        self.on_time = if is_later { 0 } else { self.on_time + 1 };
        if self.on_time == LATCH_IMAGES {
            self.on_time = 0;
            self.latch_ns = self.latch_ns.saturating_sub(LATCH_STEP_NS).max(LATCH_NS);
        }
        if wait_ns > 0 {
            if is_later {
                self.misses += 1;
                self.calm = CALM_FRAMES;
                self.margin_ns = (self.margin_ns + MARGIN_STEP_NS).min(self.period_ns.max(MARGIN_NS));
                self.latch_ns = (self.latch_ns + LATCH_STEP_NS).min(self.period_ns.max(LATCH_NS));
            }
        } else if self.agreed > 0 && delay_ns.abs_diff(self.delay_ns) <= self.period_ns / 2 {
            self.agreed = self.agreed.saturating_add(1);
            // Slowly, so that one odd report does not count.
            self.delay_ns = (self.delay_ns * 7 + delay_ns) / 8;
        } else if self.agreed >= WARM_UP && is_later {
            // A frame that missed although it started at once: the work, not the wait, was too long.
            self.agreed -= 1;
        } else {
            (self.delay_ns, self.agreed) = (delay_ns, 1);
        }
    }

    /// Forgets what was learned about the display, as when the window was hidden.
    pub const fn pause(&mut self) {
        (self.agreed, self.unreported, self.period_ns) = (0, 0, 0);
        self.waited = [(0, 0); 16];
        self.frames = 0;
    }

    /// Frames that were shown a refresh later because they waited.
    pub const fn misses(&self) -> u64 {
        self.misses
    }

    /// The time before a refresh at which the display is taken to need its image.
    pub const fn latch(&self) -> Duration {
        Duration::from_nanos(self.latch_ns)
    }

    /// The spare time.
    pub const fn margin(&self) -> Duration {
        Duration::from_nanos(self.margin_ns)
    }

    /// Lets the margin shrink by a tenth of its excess per second.
    fn decay(&mut self, now_ns: u64) {
        const TENTH_NS: u64 = 100_000_000;
        let passed_ns = now_ns.saturating_sub(self.decayed_at_ns);
        if now_ns < self.decayed_at_ns || passed_ns >= TENTH_NS {
            self.decayed_at_ns = now_ns;
            self.margin_ns -= (self.margin_ns - MARGIN_NS).div_ceil(100);
        }
    }
}
