//! Carrying commands out: what the game, the player and the host tell the pacer.

use super::Pacer;
use crate::command::{Command, Gate, Presented, Reset};
use crate::frame::DropReason;
use crate::ledger::Ledger;
use crate::pacing::{Effects, Excess, Pacing};
use crate::rate::{nanos_from_millis, to_nanos};

/// The highest tick that can be set. It leaves a larger range than any run can use.
const TICK_MAX: u64 = 1 << 62;
/// Presentation feedback that is older says nothing about the latest frames.
const PRESENTED_AGO_NS: u64 = 1_000_000_000;

/// Commands. They take effect from the next frame on.
impl Pacer {
    /// Carries out a command. The methods below are short for it.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{Command, Outcome, Pacer, Pacing};
    ///
    /// let ms = Duration::from_millis;
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(ms(0));
    /// pacer.tell(Command::HitFreeze(ms(20)));
    /// let outcomes = [16, 33, 50].map(|at| pacer.frame(ms(at)).outcome());
    /// assert_eq!(outcomes, [Outcome::Frozen, Outcome::Frozen, Outcome::Ran]);
    /// ```
    pub fn tell(&mut self, command: Command) {
        match command {
            Command::Gate(gate) => self.apply_gate(gate),
            Command::StepByHand(steps) => self.request_steps_by_hand(steps),
            Command::Scale { channel, value } => {
                self.scales.set(channel, value);
                self.update_limits();
            }
            Command::RestingScale { channel, value } => self.scales.set_resting(channel, value),
            Command::HitFreeze(wall_time) => self.freeze_left_ns = to_nanos(wall_time),
            Command::Hitstop { steps, intensity } => self.apply_hitstop(steps, intensity),
            Command::FastForward(ticks) => self.steps_ahead = self.steps_ahead.saturating_add(ticks),
            Command::Tick(tick) => self.renumber(tick.min(TICK_MAX)),
            Command::Pacing(pacing) => self.configure(pacing),
            Command::Suspend => self.stop_clock(),
            Command::Reset { kind: Reset::FrameTiming, last_frame } => {
                self.restart_timing(last_frame.map(to_nanos));
            }
            Command::Reset { kind: Reset::NewGame, last_frame } => self.start_over(last_frame.map(to_nanos)),
            Command::RefreshHint(period) => self.lock.hint(to_nanos(period)),
            Command::VariableRefresh(is_variable) => self.lock.set_variable(is_variable),
            Command::Presented(presented) => self.note_presented(presented),
            Command::StepsDone(now) => self.steps_done_at(to_nanos(now)),
            Command::DrawDone(now) => self.draw_done_at(to_nanos(now)),
            Command::Skip => _ = self.skip(),
        }
    }

    command_methods!();

    /// Sets the draw rate and the simulation rate, like `setFps` of [`FixedTimeStep`](Pacing::fixed_time_step).
    ///
    /// Both are clamped to 1..=60; without `fixed`, both are `render`. See [`Pacing::with_fps`].
    pub fn set_fps(&mut self, render: f64, fixed: impl Into<Option<f64>>) {
        self.set_pacing(self.pacing.with_fps(render, fixed));
    }

    /// Reports when this frame's steps were done, in milliseconds on the clock of [`frame_millis`](Self::frame_millis). NaN
    /// and the infinities are ignored.
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

    /// Reports when this frame's drawing was done, in milliseconds; see [`steps_done_millis`](Self::steps_done_millis).
    #[inline]
    pub fn draw_done_millis(&mut self, now_ms: f64) {
        if let Some(now_ns) = nanos_from_millis(now_ms) {
            self.draw_done_at(now_ns);
        }
    }

    fn apply_gate(&mut self, gate: Gate) {
        self.gate = gate;
        if gate != Gate::Paused {
            self.steps_by_hand = 0;
        }
    }

    fn request_steps_by_hand(&mut self, steps: u32) {
        if self.gate == Gate::Paused {
            self.steps_by_hand = self.steps_by_hand.saturating_add(steps);
        }
    }

    fn apply_hitstop(&mut self, steps: u32, intensity: f64) {
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

    fn renumber(&mut self, tick: u64) {
        self.stats.renumber_ticks(self.tick, tick);
        self.tick = tick;
    }

    fn configure(&mut self, pacing: Pacing) {
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
            self.costs.step_ns = 0;
            self.costs.draw_ns = 0;
        }
        if pacing.display_lock != old.display_lock {
            self.lock.start_over();
        }
        self.update_limits();
    }

    fn stop_clock(&mut self) {
        self.last_ns = None;
        self.stats.forget_slowness();
        self.lock.start_over();
    }

    fn restart_timing(&mut self, last_ns: Option<u64>) {
        self.last_ns = last_ns;
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
    }

    fn start_over(&mut self, last_ns: Option<u64>) {
        let new = Self::new(self.pacing);
        let old = core::mem::replace(self, new);
        let old_ledger = old.ledger();
        self.last_ns = last_ns;
        // After a reset within a frame, the reports about that frame are still to come.
        self.frame_at_ns = old.frame_at_ns;
        self.steps_run = old.steps_run;
        self.costs.is_off = old.costs.is_off;
        self.steps_done_at_ns = old.steps_done_at_ns;
        self.lock = old.lock;
        self.lock.forget();
        if !old_ledger.is_blank() {
            let head_start_ns = old.ledger.head_start_ns + self.ledger.head_start_ns;
            self.ledger = Ledger { head_start_ns, ..old.ledger };
            self.ledger.drop_time(DropReason::Reset, old.steps.pending());
        }
    }

    fn note_presented(&mut self, presented: Presented) {
        let at_ns = to_nanos(presented.at);
        let Some(last_ns) = self.last_ns else { return };
        let Some(ago_ns) = last_ns.checked_sub(to_nanos(presented.frame)) else { return };
        if ago_ns <= PRESENTED_AGO_NS && at_ns.abs_diff(last_ns) <= PRESENTED_AGO_NS {
            self.lock.presented(ago_ns, at_ns.wrapping_sub(last_ns) as i64);
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
