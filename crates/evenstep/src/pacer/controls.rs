//! Controls and reports: what the game, the player and the host tell the pacer.

use core::time::Duration;

use super::{Gate, Pacer};
use crate::frame::DropReason;
use crate::ledger::Ledger;
use crate::pacing::{Effects, Excess, Pacing};
use crate::rate::to_nanos;
use crate::scale::Channel;

/// The highest tick that a game may go on from: no run gets past what is left above.
const TICK_MAX: u64 = 1 << 62;

/// Controls: what the game and the player do to time. They act from the next frame on.
impl Pacer {
    /// Opens or closes the gate. Leaving the pause forgets steps by hand that were not taken yet.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Gate, Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.set_gate(Gate::Paused);
    /// pacer.frame(Duration::ZERO);
    /// assert_eq!(pacer.frame(Duration::from_secs(1)).steps(), 0);
    /// ```
    pub fn set_gate(&mut self, gate: Gate) {
        self.gate = gate;
        if gate != Gate::Paused {
            self.steps_by_hand = 0;
        }
        self.find_plain();
    }

    /// Who holds the simulation now.
    ///
    /// ```
    /// # use evenstep::{Gate, Pacer, Pacing};
    /// assert_eq!(Pacer::new(Pacing::hz(60)).gate(), Gate::Open);
    /// ```
    pub const fn gate(&self) -> Gate {
        self.gate
    }

    /// Asks for steps by hand, taken from the next frame on, no more than the step cap in each. Only while paused:
    /// at any other time there is nothing to step through, and it does nothing.
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

    /// Sets a channel of the simulation's speed. NaN changes nothing; anything else is clamped to the channel's range
    /// where it is used.
    ///
    /// ```
    /// # use evenstep::{Channel, Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.set_scale(Channel::TIME_DILATION, 0.3);
    /// assert_eq!(pacer.scale(), 0.3);
    /// ```
    pub fn set_scale(&mut self, channel: Channel, scale: f64) {
        self.scales.set(channel, scale);
        self.update_limits();
    }

    /// Sets what a channel returns to, and leaves its value alone: a test speed is the resting time dilation.
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

    /// Holds the simulation for this much wall time from the next frame on, counted after the limits, as the UI clock counts
    /// it. It takes whole frames. Replaces a freeze under way; zero ends it at once and changes nothing else.
    ///
    /// When it runs out a [classic](crate::Effects::Classic) freeze returns the time dilation to its resting value.
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

    /// What is left of the hit-freeze.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// assert_eq!(Pacer::new(Pacing::hz(60)).freeze_left(), Duration::ZERO);
    /// ```
    pub const fn freeze_left(&self) -> Duration {
        Duration::from_nanos(self.freeze_left_ns)
    }

    /// Slows the game to `intensity` for as long as `frames` steps last in wall time, in place of the time dilation.
    ///
    /// An intensity of 0 stands still and still ends on time; NaN does nothing. Zero frames end it. It runs down while the
    /// simulation runs: pauses and freezes hold it. One that would end before the one under way is ignored, but for
    /// [classic](crate::Effects::Classic) effects, where it takes its place.
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
    pub fn hitstop(&mut self, frames: u32, intensity: f64) {
        if intensity.is_nan() {
            return;
        }
        let left_ns = self.steps.units_of(frames);
        if frames > 0 && left_ns < self.hitstop_left_ns && self.pacing.effects == Effects::Composed {
            return;
        }
        self.hitstop_left_ns = left_ns;
        self.scales.set_hitstop((frames > 0).then_some(intensity));
        self.update_limits();
    }

    /// What is left of the hitstop, in wall time.
    pub const fn hitstop_left(&self) -> Duration {
        Duration::from_nanos(self.hitstop_left_ns)
    }

    /// Whether a hitstop is under way.
    ///
    /// ```
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.hitstop(4, 0.05);
    /// assert!(pacer.is_in_hitstop());
    /// ```
    pub const fn is_in_hitstop(&self) -> bool {
        self.hitstop_left_ns > 0
    }

    /// Runs this many ticks more in the next frame that simulates, on top of those that time pays for and past every limit:
    /// for a player who joined late and has to catch up. Add them up with further calls.
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

    /// Goes on counting ticks from another number, as a game that is loaded or joined at tick N. Nothing else changes. Numbers above 2^62 count as that.
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

    /// Another configuration. The clocks and the channels' values stay; a resting value changes where the configuration's
    /// does. The time that waits stays, too; only with [`Excess::KeepPhase`](crate::Excess::KeepPhase) and another rate
    /// what exceeds one new step is dropped, or a faster rate would begin with a burst.
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
        // What was reported before there was a budget may be long out of date.
        if old.budget.is_none() {
            (self.costs.step_ns, self.costs.draw_ns) = (0, 0);
        }
        if pacing.display_lock != old.display_lock {
            self.lock.start_over();
            self.record_lock();
        }
        self.update_limits();
    }

    /// Sets the rates of a [`FixedTimeStep`](Pacing::fixed_time_step): both are clamped to 1..=60, and without `fixed`
    /// the steps come at `render`, too.
    ///
    /// ```
    /// # use evenstep::{Pacer, Pacing, Rate};
    /// let mut pacer = Pacer::new(Pacing::fixed_time_step());
    /// pacer.set_fps(30.0, 50.0);
    /// assert_eq!(pacer.pacing().rate(), Rate::hz(50));
    /// ```
    pub fn set_fps(&mut self, render: f64, fixed: impl Into<Option<f64>>) {
        self.set_pacing(self.pacing.with_fps(render, fixed));
    }

    /// The host goes away: no time passes until the next frame, which starts the clock. What waits and all else stays, so
    /// nothing jumps when the host is back.
    ///
    /// For a hidden window or a page in the background. Where what waits must not survive, use
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

    /// Forgets the frame timing alone: what waits is dropped, and the next frame is measured against `last_frame`, or with
    /// `None` starts the clock anew.
    ///
    /// For a test runner before it pumps synthetic frames. Ticks, clocks, channels, freezes and statistics stay.
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
        // Before any time has passed the head start is all that waits, and is given anew.
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

    /// Forgets all that a game can see, as for a new one: tick 0, all channels at rest, no freeze, gate open, UI clock
    /// and statistics at zero. The next frame is measured against `last_frame`, or with `None` starts the clock anew: what
    /// a game wants that does not know its host's timestamps.
    ///
    /// The configuration stays, and so does the record of where the host's time went: ledger and wall clock run on.
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
        // A reset from within a frame leaves that frame's reports to come.
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

    /// Tells the display lock the refresh period, for a host that knows its display; it sharpens the first guess and
    /// a wrong one does no harm. Zero means nothing.
    ///
    /// ```
    /// # use evenstep::{LockState, Pacer, Pacing, Rate};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.hint_refresh(Rate::hz(144).step());
    /// for n in 0..75 {
    ///     pacer.frame(Rate::hz(144).time_of(n));
    /// }
    /// assert!(matches!(pacer.stats().lock_state(), LockState::Locked { .. }));
    /// ```
    pub fn hint_refresh(&mut self, period: Duration) {
        self.lock.hint(to_nanos(period));
    }

    /// Reports when this frame's steps were done, on the clock of its timestamps: the step time of the
    /// [`Stats`](crate::Stats), and the measure for the [budget](Pacing::with_budget). Reports about a skipped frame, or
    /// before the first, are ignored.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// let frame = pacer.frame(Duration::from_millis(500));
    /// // Run the steps.
    /// pacer.steps_done(Duration::from_millis(502));
    /// assert_eq!(pacer.stats().step_time(), Duration::from_millis(2));
    /// ```
    pub fn steps_done(&mut self, now: Duration) {
        if self.costs.is_off {
            return;
        }
        let now_ns = to_nanos(now);
        let took_ns = now_ns.saturating_sub(self.frame_at_ns);
        self.stats.record_step_time(took_ns);
        // The last cost alone, not an average: one good frame is enough to be trusted with catching up again.
        if self.steps_run > 0 {
            self.costs.step_ns = took_ns / u64::from(self.steps_run);
        }
        self.steps_done_at_ns = now_ns;
        self.apply_costs();
    }

    /// Reports when this frame's drawing was done, on the clock of its timestamps.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::from_millis(500));
    /// pacer.draw_done(Duration::from_millis(504));
    /// assert_eq!(pacer.stats().draw_time(), Duration::from_millis(4));
    /// ```
    pub fn draw_done(&mut self, now: Duration) {
        if self.costs.is_off {
            return;
        }
        self.costs.draw_ns = to_nanos(now).saturating_sub(self.steps_done_at_ns);
        self.costs.is_draw_owed = false;
        self.stats.record_draw_time(self.costs.draw_ns);
        self.apply_costs();
    }

    /// Reports come on every frame, and only a budget asks what things cost.
    fn apply_costs(&mut self) {
        if self.pacing.budget.is_some() {
            self.update_limits();
        }
    }
}
