//! The pacer: the order of one frame, written once.

mod answers;
mod controls;
mod limits;
mod save;

use core::time::Duration;

use crate::accumulator::Accumulator;
use crate::draw::DrawLimit;
use crate::frame::{DropReason, Frame, Outcome};
use crate::ledger::Ledger;
use crate::lock::{DisplayLock, Follow, Lock, LockState};
use crate::pacing::{Effects, Excess, Pacing};
use crate::rate::{from_millis, to_nanos};
use crate::scale::{Channel, Scale, Scales};
use crate::stats::Stats;
use limits::{Costs, Limits};
pub use save::RestoreError;

/// To the display lock a timestamp this much before the latest is a clock that was set back; less is noise.
const SET_BACK_NS: u64 = 250_000_000;

/// Who holds the simulation.
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Gate, Pacer, Pacing};
///
/// let mut pacer = Pacer::new(Pacing::hz(60));
/// pacer.set_gate(Gate::Menu);
/// pacer.frame(Duration::ZERO);
/// pacer.frame(Duration::from_millis(16));
/// assert_eq!(pacer.ui_time(), Duration::ZERO);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Gate {
    /// Nobody: time flows.
    #[default]
    Open,
    /// The player: the simulation is held and may be stepped by hand; the UI clock and wall timers run on.
    Paused,
    /// A menu: nothing moves, not even the UI clock.
    Menu,
}

/// Turns timestamps into plans, one frame at a time.
///
/// A total function of its state and the timestamp: no sequence of timestamps and controls makes it panic, run more
/// steps than its cap, answer with an alpha outside 0 <= alpha < 1, or lose a nanosecond. It reads no clock and
/// allocates nothing.
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Pacer, Pacing};
///
/// let mut pacer = Pacer::new(Pacing::hz(60));
/// let mut position = 0.0;
/// # let mut timestamps = (0..10).map(|n| Duration::from_micros(16_667 * n));
/// while let Some(now) = timestamps.next() {
///     let frame = pacer.frame(now);
///     for _tick in frame.ticks() {
///         position += 2.0 * pacer.pacing().rate().step_secs();
///     }
///     // Draw with frame.alpha().
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pacer {
    pacing: Pacing,
    limits: Limits,
    // See `find_plain`.
    is_plain: bool,
    gate: Gate,
    last: Option<u64>,
    tick: u64,
    steps: Accumulator,
    scales: Scales,
    // What scaling left below a nanosecond, in 1/2^32 ns.
    scale_rest: u32,
    // Asked for and not run yet: by hand while paused, and on top of what time pays for.
    steps_by_hand: u32,
    steps_ahead: u32,
    freeze_left_ns: u64,
    hitstop_left_ns: u64,
    ui_ns: u128,
    lock: Lock,
    draw: DrawLimit,
    // Wall time after the limits since the last frame to draw.
    undrawn_ns: u64,
    // What the caller reported about the last frame, which began at `frame_at_ns`.
    costs: Costs,
    frame_at_ns: u64,
    steps_run: u32,
    steps_done_at_ns: u64,
    ledger: Ledger,
    stats: Stats,
}

impl Default for Pacer {
    /// The recommended loop at 60 Hz.
    fn default() -> Self {
        Self::new(Pacing::default())
    }
}

impl Pacer {
    /// A pacer that has seen no frame. The first timestamp starts its clock and no time passes with it.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{Pacer, Pacing};
    ///
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// assert_eq!(pacer.frame(Duration::from_secs(86_400)).steps(), 0);
    /// ```
    pub fn new(pacing: Pacing) -> Self {
        let scales = Scales::new(pacing.channels);
        let steps = Accumulator::of_nanos(pacing.rate);
        let mut pacer = Self {
            pacing,
            limits: Limits::new(&pacing, &steps, &scales, Costs::default()),
            is_plain: false,
            gate: Gate::Open,
            last: None,
            tick: 0,
            steps,
            scales,
            scale_rest: 0,
            steps_by_hand: 0,
            steps_ahead: 0,
            freeze_left_ns: 0,
            hitstop_left_ns: 0,
            ui_ns: 0,
            lock: Lock::new(),
            draw: DrawLimit::new(pacing.draw_rate),
            undrawn_ns: 0,
            costs: Costs::default(),
            frame_at_ns: 0,
            steps_run: 0,
            steps_done_at_ns: 0,
            ledger: Ledger::default(),
            stats: Stats::new(pacing.rate.as_hz()),
        };
        pacer.give_head_start();
        pacer.record_lock();
        pacer.find_plain();
        pacer
    }

    /// Plans the frame at `now`, a time since any origin that stays the same.
    ///
    /// A timestamp before the last one counts as no time passed, and the next is measured from it. Only to the display
    /// lock a small step back is noise, which must not count as time: there the next is measured from the latest.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{Pacer, Pacing};
    ///
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::from_millis(1_000));
    /// assert_eq!(pacer.frame(Duration::from_millis(1_017)).steps(), 1);
    /// assert_eq!(pacer.frame(Duration::from_millis(900)).steps(), 0);
    /// ```
    #[inline]
    pub fn frame(&mut self, now: Duration) -> Frame {
        let now = to_nanos(now);
        let elapsed = match &mut self.last {
            Some(last) if *last <= now => now - core::mem::replace(last, now),
            &mut last => return self.frame_out_of_order(now, last),
        };
        self.stats.record_interval(elapsed);
        if !self.is_plain {
            return self.frame_with_effects(now, elapsed);
        }
        let advance = self.advance::<true>(elapsed);
        if advance <= self.limits.ordinary_ns {
            self.frame_after::<true>(now, elapsed, advance)
        } else {
            self.frame_in_full(now, elapsed, advance)
        }
    }

    /// The first frame, or one whose timestamp lies before the latest: no time passed.
    #[cold]
    fn frame_out_of_order(&mut self, now: u64, last: Option<u64>) -> Frame {
        let is_noise = |last| self.pacing.display_lock != DisplayLock::Off && last - now < SET_BACK_NS;
        self.last = Some(last.filter(|&last| is_noise(last)).unwrap_or(now));
        // The frame that starts the clock ends no interval.
        match last {
            Some(_) => self.stats.record_interval(0),
            None => self.stats.record_start(),
        }
        self.frame_with_effects(now, 0)
    }

    #[inline(never)]
    fn frame_with_effects(&mut self, now: u64, elapsed: u64) -> Frame {
        self.stats.run_down_slowness(elapsed);
        let advance = self.advance::<false>(elapsed);
        self.frame_in_full(now, elapsed, advance)
    }

    /// A frame with nothing left out; its end may leave a plain one.
    #[inline(never)]
    fn frame_in_full(&mut self, now: u64, elapsed: u64, advance: u64) -> Frame {
        let frame = self.frame_after::<false>(now, elapsed, advance);
        self.find_plain();
        frame
    }

    /// Finds out whether the next frame is a plain one: nobody holds it or slows it down, it is drawn whatever it costs, and
    /// nothing is owed. All of that is decided between frames, so a frame need not ask for each.
    fn find_plain(&mut self) {
        self.is_plain = self.gate == Gate::Open
            && self.freeze_left_ns == 0
            && self.hitstop_left_ns == 0
            && self.steps_ahead == 0
            && self.scales.fixed == Scale::ONE
            && self.pacing.draw_rate.is_none()
            && self.pacing.budget.is_none()
            && (self.pacing.display_lock != DisplayLock::Off || self.lock.held_ns() == 0)
            && self.undrawn_ns == 0
            && !self.stats.is_running_slowly();
    }

    /// The time that passed on the display.
    #[inline]
    fn advance<const PLAIN: bool>(&mut self, elapsed: u64) -> u64 {
        match self.pacing.display_lock {
            DisplayLock::Off if PLAIN || self.lock.held_ns() == 0 => elapsed,
            DisplayLock::Off => self.lock.return_held(elapsed),
            DisplayLock::Follow => self.follow_display(elapsed, None),
            DisplayLock::RateLock => self.follow_display(elapsed, self.rate_to_follow()),
        }
    }

    /// The order of one frame, after the display lock. Everything that is done to the game's time is decided here, in this
    /// order. A `PLAIN` frame, of an ordinary length, skips the questions whose answers are known.
    #[inline]
    fn frame_after<const PLAIN: bool>(&mut self, now: u64, elapsed: u64, advance: u64) -> Frame {
        self.ledger.wall_ns += u128::from(elapsed);
        let should_draw = PLAIN || self.draw.is_due(advance);
        let steps_now = if PLAIN { self.limits.steps_max } else { self.steps_affordable(should_draw) };
        let is_ordinary = PLAIN || advance <= self.limits.ordinary_ns;
        let gap = if is_ordinary { Gap::ordinary(advance) } else { self.cut(advance) };
        // The end of a hitstop changes the limits and the scale: those of the next frame.
        let (over_budget, scale) = (steps_now < self.limits.steps_max, self.scales.fixed);
        let run = match (gap.outcome, self.gate) {
            (Outcome::Stalled, _) => Run::none(Outcome::Stalled),
            (_, Gate::Open) if PLAIN || self.freeze_left_ns == 0 => {
                self.simulate::<PLAIN>(gap.raw, steps_now)
            }
            _ => self.hold(gap.raw),
        };
        let is_cut = gap.dropped | run.dropped_backlog | run.dropped_steps != 0;
        let missed = if is_cut { self.record_loss(advance, &gap, &run, over_budget) } else { 0 };

        let first_tick = self.tick;
        self.tick += u64::from(run.steps);
        self.frame_at_ns = now;
        self.steps_run = run.steps;
        self.steps_done_at_ns = now;
        self.stats.record_frame(elapsed, self.tick);
        let undrawn = if PLAIN { gap.raw } else { self.undrawn_ns.saturating_add(gap.raw) };
        if !PLAIN {
            self.undrawn_ns = if should_draw { 0 } else { undrawn };
        }
        Frame {
            outcome: run.outcome,
            should_draw,
            over_budget,
            by_hand: run.by_hand,
            steps: run.steps,
            steps_ahead: run.steps_ahead,
            missed,
            rate: self.pacing.rate,
            first_tick,
            alpha: self.steps.alpha(),
            scale,
            now,
            elapsed,
            advance,
            held: self.lock.held_ns(),
            raw: gap.raw,
            scaled: run.scaled,
            undrawn,
            pending: self.steps.pending(),
            pending_part: self.steps.pending_part(),
            dropped_gap: gap.dropped,
            dropped_backlog: run.dropped_backlog,
            dropped_steps: run.dropped_steps,
        }
    }

    /// Plans the frame at a `requestAnimationFrame` timestamp.
    ///
    /// One that is not a number is counted and skipped: no time passes, and the next frame makes up for it.
    ///
    /// ```
    /// use evenstep::{Outcome, Pacer, Pacing};
    ///
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame_millis(1_000.0);
    /// assert_eq!(pacer.frame_millis(f64::NAN).outcome(), Outcome::Skipped);
    /// assert_eq!(pacer.frame_millis(1_016.7).steps(), 1);
    /// ```
    pub fn frame_millis(&mut self, now_ms: f64) -> Frame {
        if let Some(now) = from_millis(now_ms) {
            return self.frame(now);
        }
        self.stats.record_skip();
        Frame {
            outcome: Outcome::Skipped,
            should_draw: false,
            over_budget: false,
            by_hand: false,
            steps: 0,
            steps_ahead: 0,
            missed: 0,
            rate: self.pacing.rate,
            first_tick: self.tick,
            alpha: self.steps.alpha(),
            scale: self.scales.fixed,
            now: self.frame_at_ns,
            elapsed: 0,
            advance: 0,
            held: self.lock.held_ns(),
            raw: 0,
            scaled: 0,
            undrawn: self.undrawn_ns,
            pending: self.steps.pending(),
            pending_part: self.steps.pending_part(),
            dropped_gap: 0,
            dropped_backlog: 0,
            dropped_steps: 0,
        }
    }

    /// The time that passed by the display's refreshes, or by the timestamps while there is none to follow.
    #[inline]
    fn follow_display(&mut self, elapsed: u64, follow: Option<Follow>) -> u64 {
        let advance = self.lock.advance(elapsed, follow);
        self.stats.record_lock(self.lock.state());
        advance
    }

    /// What a rate lock fits to the display's refresh. At another scale steps and refreshes have no common rhythm.
    fn rate_to_follow(&self) -> Option<Follow> {
        let (step_ns, pending_ns) = (self.pacing.rate.step_secs() * 1e9, self.steps.pending() as f64);
        (self.scales.fixed == Scale::ONE).then_some(Follow { step_ns, pending_ns })
    }

    /// How many steps this frame may run: fewer than the cap where a budget cannot afford them.
    #[inline]
    fn steps_affordable(&mut self, should_draw: bool) -> u32 {
        // A frame that was to be drawn and never reported it was not: nobody saw it, and its cost is history.
        if self.costs.draw_ns != 0 && self.costs.is_draw_owed {
            self.costs.draw_ns = 0;
            self.update_limits();
        }
        self.costs.is_draw_owed = should_draw;
        if should_draw { self.limits.steps_drawn } else { self.limits.steps_undrawn }
    }

    /// A gap that is a stall is dropped whole, with what waits; one that is merely too long is cut short.
    #[cold]
    fn cut(&mut self, advance: u64) -> Gap {
        if advance > self.limits.stall_ns {
            let waited = match self.pacing.excess {
                Excess::KeepPhase => self.steps.drop_whole_steps(),
                Excess::Drain | Excess::Carry => self.steps.clear(),
            };
            // Booked apart: together they may leave the integers.
            self.ledger.drop_time(DropReason::Stall, advance);
            self.ledger.drop_time(DropReason::Stall, waited);
            return Gap { outcome: Outcome::Stalled, raw: 0, dropped: advance.saturating_add(waited) };
        }
        let raw = self.clamp(advance);
        Gap { outcome: Outcome::Ran, raw, dropped: advance - raw }
    }

    /// What a frame longer than the longest counts for. Where the phase is to be kept, whole steps are dropped.
    fn clamp(&self, advance: u64) -> u64 {
        let longest = self.limits.frame_longest_ns;
        let is_running = self.gate == Gate::Open && self.freeze_left_ns == 0;
        if advance > longest && is_running && self.pacing.excess == Excess::KeepPhase {
            let whole_steps = self.steps.wall_time_of_whole_steps(advance - longest, self.scales.fixed.0);
            // A step that lasts longer than the longest frame, in slow motion, has no phase that anyone could see.
            if let Some(raw) = whole_steps.and_then(|dropped| advance.checked_sub(dropped)) {
                return raw;
            }
        }
        advance.min(longest)
    }

    /// Books what a frame dropped, and says how many steps its gap was long if it was a lag spike.
    #[cold]
    fn record_loss(&mut self, advance: u64, gap: &Gap, run: &Run, over_budget: bool) -> u32 {
        if gap.outcome != Outcome::Stalled {
            self.ledger.drop_time(DropReason::Clamp, gap.dropped);
        }
        let refused = if over_budget { DropReason::Budget } else { DropReason::Cap };
        self.ledger.drop_time(DropReason::Backlog, run.dropped_backlog);
        self.ledger.drop_time(refused, run.dropped_steps);
        // Whoever was away, or in a menu, is not slow.
        if run.outcome == Outcome::Ran && !run.by_hand {
            self.stats.record_slowness();
            self.find_plain();
        }
        // Steps too slow for the budget are no fault of the gap.
        let of_steps = if over_budget { 0 } else { run.dropped_steps };
        let cut = gap.dropped.saturating_add(run.dropped_backlog).saturating_add(of_steps);
        if advance <= self.limits.spike_ns && cut < self.steps.step_units() {
            return 0;
        }
        let missed = self.steps.steps_in(advance);
        self.stats.record_spike(missed);
        missed
    }

    /// A menu or a pause holds the simulation, or a freeze does.
    #[cold]
    fn hold(&mut self, raw: u64) -> Run {
        match self.gate {
            Gate::Menu => {
                self.ledger.menu_ns += u128::from(raw);
                Run::none(Outcome::Menu)
            }
            Gate::Paused => {
                self.ledger.paused_ns += u128::from(raw);
                self.ui_ns += u128::from(raw);
                self.take_steps_by_hand()
            }
            Gate::Open => {
                // The freeze runs down in wall time and takes whole frames.
                self.ledger.frozen_ns += u128::from(raw);
                self.ui_ns += u128::from(raw);
                self.freeze_left_ns = self.freeze_left_ns.saturating_sub(raw);
                if self.freeze_left_ns == 0 && self.pacing.effects == Effects::Classic {
                    self.scales.rest(Channel::TIME_DILATION);
                    self.update_limits();
                }
                Run::none(Outcome::Frozen)
            }
        }
    }

    fn take_steps_by_hand(&mut self) -> Run {
        if self.steps_by_hand == 0 {
            return Run::none(Outcome::Paused);
        }
        let steps = self.steps_by_hand.min(self.limits.steps_max);
        self.steps_by_hand -= steps;
        let nanos = u128::from(steps) * u128::from(self.steps.step_units());
        self.ledger.by_hand_ns += nanos;
        self.ledger.simulated_ns += nanos;
        Run { steps, by_hand: true, ..Run::none(Outcome::Ran) }
    }

    /// Scale, accumulate, take the steps, drop what the cap refuses.
    #[inline]
    fn simulate<const PLAIN: bool>(&mut self, raw: u64, steps_now: u32) -> Run {
        self.ui_ns += u128::from(raw);
        let scaled = if PLAIN { raw } else { self.game_time(raw, self.scales.fixed) };
        self.steps.add_bounded(scaled);
        let mut dropped_backlog = 0;
        if self.steps.pending() > self.limits.backlog_ns {
            dropped_backlog = self.steps.clamp_to((self.limits.backlog_ns, self.limits.backlog_part));
        }

        let waiting = self.steps.pending();
        let steps = self.steps.take(steps_now);
        self.ledger.simulated_ns += u128::from(waiting - self.steps.pending());
        let dropped_steps = if steps == steps_now { self.refuse_steps() } else { 0 };
        let steps_ahead = if PLAIN || self.steps_ahead == 0 { 0 } else { self.take_steps_ahead(steps) };

        if !PLAIN && self.hitstop_left_ns > 0 {
            self.run_down_hitstop(raw);
        }
        let steps = steps + steps_ahead;
        Run {
            outcome: Outcome::Ran,
            steps,
            steps_ahead,
            by_hand: false,
            scaled,
            dropped_backlog,
            dropped_steps,
        }
    }

    /// Steps on top of those that time paid for.
    #[cold]
    fn take_steps_ahead(&mut self, steps: u32) -> u32 {
        let ahead = self.steps_ahead.min(u32::MAX - steps);
        self.steps_ahead -= ahead;
        let nanos = u128::from(ahead) * u128::from(self.steps.step_units());
        self.ledger.fast_forward_ns += nanos;
        self.ledger.simulated_ns += nanos;
        ahead
    }

    /// Wall time at a scale, with the part below a nanosecond kept for the next frame.
    #[inline]
    fn game_time(&mut self, wall_ns: u64, scale: Scale) -> u64 {
        if scale == Scale::ONE {
            return wall_ns;
        }
        let game = u128::from(wall_ns) * u128::from(scale.0) + u128::from(self.scale_rest);
        self.scale_rest = game as u32;
        let game_ns = (game >> 32) as u64;
        self.ledger.stretch_ns += i128::from(game_ns) - i128::from(wall_ns);
        game_ns
    }

    /// What becomes of the whole steps that still wait when a frame has run all it may.
    #[cold]
    fn refuse_steps(&mut self) -> u64 {
        if !self.steps.holds_a_step() {
            return 0;
        }
        match self.pacing.excess {
            Excess::KeepPhase => self.steps.drop_whole_steps(),
            Excess::Drain => self.steps.clear(),
            Excess::Carry => 0,
        }
    }

    #[cold]
    fn run_down_hitstop(&mut self, raw: u64) {
        self.hitstop_left_ns = self.hitstop_left_ns.saturating_sub(raw);
        if self.hitstop_left_ns == 0 {
            self.scales.set_hitstop(None);
            self.update_limits();
        }
    }

    fn give_head_start(&mut self) {
        let nanos = (self.steps.step_units() as f64 * self.pacing.start_phase) as u64;
        self.steps.add(nanos);
        self.ledger.head_start_ns += u128::from(nanos);
    }

    /// What the statistics say of the lock after it started over.
    fn record_lock(&mut self) {
        self.stats.record_lock(match self.pacing.display_lock {
            DisplayLock::Off => LockState::Off,
            DisplayLock::Follow | DisplayLock::RateLock => self.lock.state(),
        });
    }

    fn update_limits(&mut self) {
        self.limits = Limits::new(&self.pacing, &self.steps, &self.scales, self.costs);
        self.find_plain();
    }
}

/// What the limits leave of the time since the last frame.
struct Gap {
    outcome: Outcome,
    raw: u64,
    dropped: u64,
}

impl Gap {
    const fn ordinary(advance: u64) -> Self {
        Self { outcome: Outcome::Ran, raw: advance, dropped: 0 }
    }
}

/// What a frame simulates.
struct Run {
    outcome: Outcome,
    steps: u32,
    steps_ahead: u32,
    by_hand: bool,
    scaled: u64,
    dropped_backlog: u64,
    dropped_steps: u64,
}

impl Run {
    const fn none(outcome: Outcome) -> Self {
        Self {
            outcome,
            steps: 0,
            steps_ahead: 0,
            by_hand: false,
            scaled: 0,
            dropped_backlog: 0,
            dropped_steps: 0,
        }
    }
}
