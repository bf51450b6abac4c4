//! Controls and reports: what the game, the player and the host tell the pacer.

use core::time::Duration;

use super::{Gate, Pacer};
use crate::frame::DropReason;
use crate::ledger::Ledger;
use crate::pacing::{Effects, Excess, Pacing};
use crate::rate::{nanos_from_millis, to_nanos};
use crate::scale::Channel;

/// The highest tick that can be set. It leaves a larger range than any run can use.
const TICK_MAX: u64 = 1 << 62;
/// Presentation feedback that is older says nothing about the latest frames.
const PRESENTED_AGO_NS: u64 = 1_000_000_000;

/// Controls and reports. They take effect from the next frame on.
impl Pacer {
    /// Holds or releases the simulation. Leaving a pause discards steps by hand that have not run yet.
    pub fn set_gate(&mut self, gate: Gate) {
        self.gate = gate;
        if gate != Gate::Paused {
            self.steps_by_hand = 0;
        }
        self.find_plain();
    }

    /// Pauses the simulation: [`set_gate`](Self::set_gate) with [`Gate::Paused`]. The UI clock runs on.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Outcome, Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.pause();
    /// assert_eq!(pacer.frame(Duration::ZERO).outcome(), Outcome::Paused);
    /// pacer.resume();
    /// assert_eq!(pacer.frame(Duration::from_millis(17)).steps(), 1, "the pause itself does not count");
    /// ```
    pub fn pause(&mut self) {
        self.set_gate(Gate::Paused);
    }

    /// Opens the gate again, after a pause or a menu.
    pub fn resume(&mut self) {
        self.set_gate(Gate::Open);
    }

    /// What holds the simulation now.
    pub const fn gate(&self) -> Gate {
        self.gate
    }

    /// Requests single steps while paused. They run from the next frame on, at most the step cap per frame.
    ///
    /// Does nothing unless the gate is [`Gate::Paused`].
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Gate, Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.set_gate(Gate::Paused);
    /// pacer.step_by_hand(1);
    /// let steps = [0, 16, 33].map(|ms| pacer.frame(Duration::from_millis(ms)).steps());
    /// assert_eq!(steps, [1, 0, 0]);
    /// ```
    pub const fn step_by_hand(&mut self, steps: u32) {
        if matches!(self.gate, Gate::Paused) {
            self.steps_by_hand = self.steps_by_hand.saturating_add(steps);
        }
    }

    /// The steps by hand that were requested and have not run yet.
    pub const fn steps_by_hand_left(&self) -> u32 {
        self.steps_by_hand
    }

    /// Sets a channel of the simulation's speed. NaN is ignored; other values are clamped to the channel's range on
    /// use.
    pub fn set_scale(&mut self, channel: Channel, scale: f64) {
        self.scales.set(channel, scale);
        self.update_limits();
    }

    /// Sets the resting value of a channel, for example to a test speed. The current value does not change.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Channel, Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::starship());
    /// pacer.set_resting_scale(Channel::TIME_DILATION, 4.0);
    /// pacer.hit_freeze(Duration::from_millis(10));
    /// pacer.frame(Duration::ZERO);
    /// pacer.frame(Duration::from_millis(10));
    /// assert_eq!(pacer.scale(), 4.0);
    /// ```
    pub fn set_resting_scale(&mut self, channel: Channel, scale: f64) {
        self.scales.set_resting(channel, scale);
    }

    /// Holds the simulation for this much wall time, from the next frame on. Replaces a current freeze; zero ends it
    /// immediately.
    ///
    /// The time is counted after the limits, like the UI clock, and a freeze holds whole frames. When it runs out, a
    /// [classic](crate::Effects::Classic) freeze returns the time dilation to its resting value.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Outcome, Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::ZERO);
    /// pacer.hit_freeze(Duration::from_millis(20));
    /// let outcomes = [16, 33, 50].map(|ms| pacer.frame(Duration::from_millis(ms)).outcome());
    /// assert_eq!(outcomes, [Outcome::Frozen, Outcome::Frozen, Outcome::Ran]);
    /// ```
    pub fn hit_freeze(&mut self, wall_time: Duration) {
        self.freeze_left_ns = to_nanos(wall_time);
        self.find_plain();
    }

    /// The remaining wall time of the hit-freeze.
    pub const fn freeze_left(&self) -> Duration {
        Duration::from_nanos(self.freeze_left_ns)
    }

    /// Slows the game to `intensity` for the wall time of `steps` steps, overriding the time dilation. Zero steps end
    /// a hitstop.
    ///
    /// An intensity of 0 stops the game for that time; NaN is ignored. Pauses and freezes suspend the countdown. A
    /// hitstop that would end before the current one is ignored, except with [classic](crate::Effects::Classic)
    /// effects, where it replaces the current one.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::ZERO);
    /// pacer.hitstop(3, 0.0);
    /// let stopped = [20, 40, 60].map(|ms| {
    ///     pacer.frame(Duration::from_millis(ms));
    ///     pacer.is_in_hitstop()
    /// });
    /// assert_eq!(stopped, [true, true, false]);
    /// ```
    pub fn hitstop(&mut self, steps: u32, intensity: f64) {
        if intensity.is_nan() {
            return;
        }
        let left_ns = self.steps.units_of(steps);
        if steps > 0 && left_ns < self.hitstop_left_ns && self.pacing.effects == Effects::Composed {
            return;
        }
        self.hitstop_left_ns = left_ns;
        self.scales.set_hitstop((steps > 0).then_some(intensity));
        self.update_limits();
    }

    /// The remaining wall time of the hitstop.
    pub const fn hitstop_left(&self) -> Duration {
        Duration::from_nanos(self.hitstop_left_ns)
    }

    /// The intensity of the hitstop, as it was set; `None` if there is none.
    pub const fn hitstop_intensity(&self) -> Option<f64> {
        self.scales.hitstop()
    }

    /// Whether a hitstop is active.
    pub const fn is_in_hitstop(&self) -> bool {
        self.hitstop_left_ns > 0
    }

    /// Runs `ticks` additional ticks in the next frame that simulates, regardless of all limits. Repeated calls add
    /// up.
    ///
    /// For example, a player who joins late catches up this way.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::ZERO);
    /// pacer.fast_forward(300);
    /// assert_eq!(pacer.frame(Duration::from_millis(16)).steps(), 301);
    /// assert_eq!(pacer.ledger().fast_forward_ns, 300 * 16_666_666);
    /// ```
    pub fn fast_forward(&mut self, ticks: u32) {
        self.steps_ahead = self.steps_ahead.saturating_add(ticks);
        self.find_plain();
    }

    /// The additional ticks that were requested and have not run yet.
    pub const fn fast_forward_left(&self) -> u32 {
        self.steps_ahead
    }

    /// Sets the tick counter, as for a game that is loaded or joined at tick N. Nothing else changes. The maximum is
    /// 2^62.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.set_tick(7_200);
    /// pacer.frame(Duration::ZERO);
    /// assert_eq!(pacer.frame(Duration::from_millis(20)).ticks(), 7_200..7_202);
    /// ```
    pub fn set_tick(&mut self, tick: u64) {
        let tick = tick.min(TICK_MAX);
        self.stats.renumber_ticks(self.tick, tick);
        self.tick = tick;
    }

    /// Changes the configuration. Clocks, channel values and pending time stay. A resting value changes only if the
    /// new configuration has a different one.
    ///
    /// With [`Excess::KeepPhase`], a change of rate drops pending time beyond one new step, so that a faster rate
    /// does not begin with a burst of steps.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing, Rate};
    /// let mut pacer = Pacer::new(Pacing::game_loop());
    /// pacer.frame(Duration::ZERO);
    /// pacer.frame(Duration::from_millis(10));
    /// pacer.set_pacing(pacer.pacing().with_rate(Rate::hz(100)));
    /// assert_eq!(pacer.frame(Duration::from_millis(10)).steps(), 1);
    /// ```
    pub fn set_pacing(&mut self, pacing: Pacing) {
        if pacing.rate != self.pacing.rate {
            self.steps.set_rate(pacing.rate);
            if pacing.excess == Excess::KeepPhase {
                self.ledger.drop_time(DropReason::Rate, self.steps.clamp_to_a_step());
            }
        }
        self.draw.set_rate(pacing.draw_rate);
        self.scales.set_ranges(pacing.channels);
        let old = core::mem::replace(&mut self.pacing, pacing);
        // Costs reported before there was a budget may be out of date.
        if old.budget.is_none() {
            (self.costs.step_ns, self.costs.draw_ns) = (0, 0);
        }
        if pacing.display_lock != old.display_lock {
            self.lock.start_over();
            self.record_lock();
        }
        self.update_limits();
    }

    /// Sets the draw rate and the simulation rate, like `setFps` of [`FixedTimeStep`](Pacing::fixed_time_step).
    ///
    /// Both are clamped to 1..=60; without `fixed`, both are `render`. See [`Pacing::with_fps`].
    pub fn set_fps(&mut self, render: f64, fixed: impl Into<Option<f64>>) {
        self.set_pacing(self.pacing.with_fps(render, fixed));
    }

    /// Stops the clock until the next frame, as for a hidden window or a page in the background.
    ///
    /// Pending time and everything else stays, so nothing jumps on return. To drop pending time as well, use
    /// [`reset_frame_timing`](Self::reset_frame_timing).
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::ZERO);
    /// pacer.frame(Duration::from_millis(10));
    /// let alpha = pacer.alpha();
    /// pacer.go_away();
    /// let back = pacer.frame(Duration::from_secs(3_600));
    /// assert_eq!((back.steps(), back.alpha()), (0, alpha));
    /// ```
    pub fn go_away(&mut self) {
        self.last_ns = None;
        self.stats.forget_slowness();
        self.lock.start_over();
        self.record_lock();
        self.find_plain();
    }

    /// Drops pending time and measures the next frame against `last_frame`. With `None`, the next frame starts the
    /// clock.
    ///
    /// A test runner calls this before it sends synthetic frames. Ticks, clocks, channels, freezes and statistics
    /// stay.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::from_secs(9));
    /// pacer.reset_frame_timing(Duration::from_secs(20));
    /// assert_eq!(pacer.frame(Duration::from_millis(20_017)).steps(), 1);
    /// ```
    pub fn reset_frame_timing(&mut self, last_frame: impl Into<Option<Duration>>) {
        self.last_ns = last_frame.into().map(to_nanos);
        let is_blank = self.ledger().is_blank();
        let waited_ns = self.steps.clear();
        // Before any time has passed, only the head start is pending. It is granted again below.
        if is_blank {
            self.ledger.head_start_ns = 0;
        } else {
            self.ledger.drop_time(DropReason::Reset, waited_ns);
        }
        self.give_head_start();
        self.scale_rest = 0;
        self.stats.forget_slowness();
        self.lock.forget();
        self.record_lock();
        self.find_plain();
    }

    /// Resets everything that a game can observe, as for a new game. The next frame is measured against `last_frame`;
    /// with `None`, it starts the clock.
    ///
    /// The tick is 0, all channels are at rest, no freeze or hitstop is active, the gate is open, and the UI clock
    /// and the statistics are zero. The configuration, the ledger and the wall clock stay.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::ZERO);
    /// pacer.frame(Duration::from_millis(100));
    /// pacer.reset(Duration::from_millis(100));
    /// assert_eq!((pacer.tick(), pacer.ui_time()), (0, Duration::ZERO));
    /// ```
    pub fn reset(&mut self, last_frame: impl Into<Option<Duration>>) {
        let new = Self::new(self.pacing);
        let old = core::mem::replace(self, new);
        let old_ledger = old.ledger();
        self.last_ns = last_frame.into().map(to_nanos);
        // After a reset within a frame, the reports about that frame are still to come.
        (self.frame_at_ns, self.steps_run) = (old.frame_at_ns, old.steps_run);
        self.costs.is_off = old.costs.is_off;
        self.steps_done_at_ns = old.steps_done_at_ns;
        self.lock = old.lock;
        self.lock.forget();
        self.record_lock();
        self.find_plain();
        if !old_ledger.is_blank() {
            let head_start_ns = old.ledger.head_start_ns + self.ledger.head_start_ns;
            self.ledger = Ledger { head_start_ns, ..old.ledger };
            self.ledger.drop_time(DropReason::Reset, old.steps.pending());
        }
    }

    /// Tells the display lock the display's refresh period, if the host knows it.
    ///
    /// The lock then locks sooner. A wrong hint is harmless, and zero is ignored.
    pub fn hint_refresh(&mut self, period: Duration) {
        self.lock.hint(to_nanos(period));
        self.record_lock();
    }

    /// Tells the display lock that frames appear when they are ready rather than on a fixed refresh: the window system
    /// says that the refresh is variable, or the host itself limits the frame rate below the refresh.
    ///
    /// Timestamps alone cannot tell such frames from a fixed refresh with noise. The lock then stays
    /// [free](crate::LockState::Free) until it is told otherwise.
    ///
    /// ```
    /// use evenstep::{LockState, Pacer, Pacing, Rate};
    ///
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.set_variable_refresh(true);
    /// for n in 0..600 {
    ///     pacer.frame(Rate::hz(90).time_of(n));
    /// }
    /// assert_eq!(pacer.stats().lock_state(), LockState::Free);
    /// ```
    pub fn set_variable_refresh(&mut self, is_variable: bool) {
        self.lock.set_variable(is_variable);
        self.record_lock();
    }

    /// Reports when the display showed the frame that was planned at `now`, on the clock of the timestamps.
    ///
    /// Optional: window systems and graphics drivers call it presentation feedback. With it, the display lock follows
    /// what was shown instead of the timestamps. Reports may come a few frames late, out of order, or not at all.
    /// Reports about unknown frames, from another clock, or that make no sense are ignored.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{Pacer, Pacing, Rate};
    ///
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// let shown_after = Duration::from_millis(20);
    /// for n in 0..600 {
    ///     let now = Rate::hz(60).time_of(n);
    ///     pacer.frame(now);
    ///     pacer.presented(now, now + shown_after);
    /// }
    /// let (now, shown_at) = (Rate::hz(60).time_of(599), pacer.shown_at().expect("locked"));
    /// assert!((shown_at - now).abs_diff(shown_after).as_micros() < 10);
    /// ```
    pub fn presented(&mut self, now: Duration, at: Duration) {
        let (now_ns, at_ns) = (to_nanos(now), to_nanos(at));
        let Some((last_ns, ago_ns)) = self.last_ns.and_then(|it| Some((it, it.checked_sub(now_ns)?))) else {
            return;
        };
        if ago_ns <= PRESENTED_AGO_NS && at_ns.abs_diff(last_ns) <= PRESENTED_AGO_NS {
            self.lock.presented(ago_ns, at_ns.wrapping_sub(last_ns) as i64);
            self.record_lock();
        }
    }

    /// Reports when this frame's steps were done, on the clock of the timestamps.
    ///
    /// The [`Stats`](crate::Stats) and the [budget](Pacing::with_budget) use it. Reports before the first frame or
    /// about a skipped one are ignored.
    pub fn steps_done(&mut self, now: Duration) {
        self.steps_done_at(to_nanos(now));
    }

    /// Reports as [`steps_done`](Self::steps_done) does, in the milliseconds of [`frame_millis`](Self::frame_millis). NaN and
    /// the infinities are no report.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame_millis(1_000.0);
    /// pacer.steps_done_millis(1_002.5);
    /// pacer.draw_done_millis(1_006.0);
    /// pacer.draw_done_millis(f64::NAN);
    /// let stats = pacer.stats();
    /// assert_eq!((stats.step_time().as_micros(), stats.draw_time().as_micros()), (2_500, 3_500));
    /// ```
    #[inline]
    pub fn steps_done_millis(&mut self, now_ms: f64) {
        if let Some(now_ns) = nanos_from_millis(now_ms) {
            self.steps_done_at(now_ns);
        }
    }

    fn steps_done_at(&mut self, now_ns: u64) {
        if self.costs.is_off {
            return;
        }
        let took_ns = now_ns.saturating_sub(self.frame_at_ns);
        self.stats.record_step_time(took_ns);
        // The last cost, not an average: after one good frame the game may catch up again.
        if self.steps_run > 0 {
            self.costs.step_ns = took_ns / u64::from(self.steps_run);
        }
        self.steps_done_at_ns = now_ns;
        self.apply_costs();
    }

    /// Reports when this frame's drawing was done, on the clock of the timestamps. See
    /// [`steps_done`](Self::steps_done).
    pub fn draw_done(&mut self, now: Duration) {
        self.draw_done_at(to_nanos(now));
    }

    /// Reports as [`draw_done`](Self::draw_done) does, in milliseconds; see
    /// [`steps_done_millis`](Self::steps_done_millis).
    #[inline]
    pub fn draw_done_millis(&mut self, now_ms: f64) {
        if let Some(now_ns) = nanos_from_millis(now_ms) {
            self.draw_done_at(now_ns);
        }
    }

    fn draw_done_at(&mut self, now_ns: u64) {
        if self.costs.is_off {
            return;
        }
        self.costs.draw_ns = now_ns.saturating_sub(self.steps_done_at_ns);
        self.costs.is_draw_owed = false;
        self.stats.record_draw_time(self.costs.draw_ns);
        self.apply_costs();
    }

    /// Recomputes the limits, which depend on costs only if there is a budget.
    fn apply_costs(&mut self) {
        if self.pacing.budget.is_some() {
            self.update_limits();
        }
    }
}
