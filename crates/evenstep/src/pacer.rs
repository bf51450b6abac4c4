//! The pacer: the order of one frame, written once.

mod answers;
mod controls;
mod limits;

use core::time::Duration;

use crate::accumulator::Accumulator;
use crate::draw::DrawLimit;
use crate::frame::{DropReason, Frame, Outcome};
use crate::ledger::Ledger;
use crate::lock::{DisplayLock, Follow, Lock, LockState};
use crate::pacing::{Excess, Pacing};
use crate::rate::{from_millis, to_nanos};
use crate::scale::{Channel, Scale, Scales};
use crate::stats::Stats;
use limits::{Costs, Limits};

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
    gate: Gate,
    last: Option<u64>,
    tick: u64,
    steps: Accumulator,
    scales: Scales,
    // What scaling left below a nanosecond, in 1/2^32 ns.
    scale_rest: u32,
    steps_by_hand: u32,
    freeze_left_ns: u64,
    hitstop_left_ns: u64,
    ui_ns: u128,
    lock: Lock,
    draw: DrawLimit,
    // What the caller reported: costs, and when its last steps were done.
    costs: Costs,
    steps_run: u32,
    steps_done: u64,
    ledger: Ledger,
    stats: Stats,
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
            gate: Gate::Open,
            last: None,
            tick: 0,
            steps,
            scales,
            scale_rest: 0,
            steps_by_hand: 0,
            freeze_left_ns: 0,
            hitstop_left_ns: 0,
            ui_ns: 0,
            lock: Lock::new(),
            draw: DrawLimit::new(pacing.draw_rate),
            costs: Costs::default(),
            steps_run: 0,
            steps_done: 0,
            ledger: Ledger::default(),
            stats: Stats::new(pacing.rate.as_hz()),
        };
        pacer.give_head_start();
        pacer.start_lock_over();
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
        let elapsed = match self.last {
            Some(last) if last <= now => now - last,
            last => return self.frame_out_of_order(now, last),
        };
        self.last = Some(now);
        self.frame_after(now, elapsed)
    }

    /// The first frame, or one whose timestamp lies before the latest: no time passed.
    #[cold]
    fn frame_out_of_order(&mut self, now: u64, last: Option<u64>) -> Frame {
        let is_noise = |last| self.pacing.display_lock != DisplayLock::Off && last - now < SET_BACK_NS;
        self.last = Some(last.filter(|&last| is_noise(last)).unwrap_or(now));
        self.frame_after(now, 0)
    }

    #[inline]
    fn frame_after(&mut self, now: u64, elapsed: u64) -> Frame {
        self.ledger.wall_ns += u128::from(elapsed);
        self.stats.run_down_slowness(elapsed);

        // The order of one frame. Everything that is done to the game's time is decided here, in this order.
        let advance = match self.pacing.display_lock {
            DisplayLock::Off => elapsed,
            DisplayLock::Follow | DisplayLock::RateLock => self.follow_display(elapsed),
        };
        let should_draw = self.draw.is_due(advance);
        let gap = if advance <= self.limits.ordinary_ns { Gap::ordinary(advance) } else { self.cut(advance) };
        // The end of a hitstop changes the limits: those of the next frame.
        let over_budget = self.limits.steps_now < self.limits.steps_max;
        let run = match (gap.outcome, self.gate) {
            (Outcome::Stalled, _) => Run::none(Outcome::Stalled),
            (_, Gate::Open) if self.freeze_left_ns == 0 => self.simulate(gap.raw),
            _ => self.hold(gap.raw),
        };

        let first_tick = self.tick;
        self.tick += u64::from(run.steps);
        self.steps_run = run.steps;
        self.steps_done = now;
        self.stats.record(elapsed, gap.raw, self.tick);
        Frame {
            outcome: run.outcome,
            should_draw,
            over_budget,
            by_hand: run.by_hand,
            steps: run.steps,
            missed: gap.missed,
            rate: self.pacing.rate,
            first_tick,
            alpha: self.steps.alpha(),
            scale: run.scale,
            now,
            elapsed,
            advance,
            raw: gap.raw,
            scaled: run.scaled,
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
            missed: 0,
            rate: self.pacing.rate,
            first_tick: self.tick,
            alpha: self.steps.alpha(),
            scale: self.scales.fixed,
            now: self.last.unwrap_or_default(),
            elapsed: 0,
            advance: 0,
            raw: 0,
            scaled: 0,
            pending: self.steps.pending(),
            pending_part: self.steps.pending_part(),
            dropped_gap: 0,
            dropped_backlog: 0,
            dropped_steps: 0,
        }
    }

    /// The time that passed by the display's refreshes, or by the timestamps while there is none to follow.
    fn follow_display(&mut self, elapsed: u64) -> u64 {
        let is_rate_locked = self.pacing.display_lock == DisplayLock::RateLock;
        // At another scale steps and refreshes have no common rhythm.
        let follow = (is_rate_locked && self.scales.fixed == Scale::ONE).then(|| Follow {
            step_ns: self.pacing.rate.step_secs() * 1e9,
            pending_ns: self.steps.pending() as f64,
        });
        let advance = self.lock.advance(elapsed, follow);
        self.stats.record_lock(self.lock.state());
        advance
    }

    /// A gap that is a stall is dropped whole, with what waits; one that is merely too long is cut short.
    #[cold]
    fn cut(&mut self, advance: u64) -> Gap {
        let mut gap = Gap::ordinary(advance);
        if advance > self.limits.spike_ns {
            gap.missed = self.steps.steps_in(advance);
            self.stats.record_spike(gap.missed);
        }
        if advance > self.limits.stall_ns {
            let waited = match self.pacing.excess {
                Excess::KeepPhase => self.steps.drop_whole_steps(),
                Excess::Drain | Excess::Carry => self.steps.clear(),
            };
            self.ledger.drop_time(DropReason::Stall, advance);
            self.ledger.drop_time(DropReason::Stall, waited);
            self.stats.record_stall(advance);
            return Gap { outcome: Outcome::Stalled, raw: 0, dropped: advance.saturating_add(waited), ..gap };
        }
        gap.raw = advance.min(self.limits.frame_longest_ns);
        gap.dropped = advance - gap.raw;
        self.drop_as_slow(DropReason::Clamp, gap.dropped);
        gap
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
                // The freeze runs down in wall time and takes whole frames; then the time dilation rests again.
                self.ledger.frozen_ns += u128::from(raw);
                self.ui_ns += u128::from(raw);
                self.freeze_left_ns = self.freeze_left_ns.saturating_sub(raw);
                if self.freeze_left_ns == 0 {
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
    fn simulate(&mut self, raw: u64) -> Run {
        self.ui_ns += u128::from(raw);
        let scale = self.scales.fixed;
        let scaled = self.game_time(raw, scale);
        self.steps.add_bounded(scaled);
        let mut dropped_backlog = 0;
        if self.steps.pending() > self.limits.backlog_ns {
            dropped_backlog = self.steps.clamp_to((self.limits.backlog_ns, self.limits.backlog_part));
            self.drop_as_slow(DropReason::Backlog, dropped_backlog);
        }

        let waiting = self.steps.pending();
        let steps = self.steps.take(self.limits.steps_now);
        self.ledger.simulated_ns += u128::from(waiting - self.steps.pending());
        let dropped_steps = if steps == self.limits.steps_now { self.refuse_steps() } else { 0 };

        if self.hitstop_left_ns > 0 {
            self.run_down_hitstop(raw);
        }
        Run { outcome: Outcome::Ran, steps, by_hand: false, scale, scaled, dropped_backlog, dropped_steps }
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
        let refused = match self.pacing.excess {
            Excess::KeepPhase => self.steps.drop_whole_steps(),
            Excess::Drain => self.steps.clear(),
            Excess::Carry => 0,
        };
        let is_budget = self.limits.steps_now < self.limits.steps_max;
        self.drop_as_slow(if is_budget { DropReason::Budget } else { DropReason::Cap }, refused);
        refused
    }

    /// Drops time because frames or steps are too slow.
    #[cold]
    fn drop_as_slow(&mut self, reason: DropReason, nanos: u64) {
        self.ledger.drop_time(reason, nanos);
        self.stats.record_slowness();
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
        let nanos = self.steps.step_units() * u64::from(self.pacing.start_phase_eighths) / 8;
        self.steps.add(nanos);
        self.ledger.head_start_ns += u128::from(nanos);
    }

    fn start_lock_over(&mut self) {
        self.lock.forget();
        self.stats.record_lock(match self.pacing.display_lock {
            DisplayLock::Off => LockState::Off,
            DisplayLock::Follow | DisplayLock::RateLock => self.lock.state(),
        });
    }

    fn update_limits(&mut self) {
        self.limits = Limits::new(&self.pacing, &self.steps, &self.scales, self.costs);
    }
}

/// What the limits leave of the time since the last frame.
struct Gap {
    outcome: Outcome,
    raw: u64,
    missed: u32,
    dropped: u64,
}

impl Gap {
    const fn ordinary(advance: u64) -> Self {
        Self { outcome: Outcome::Ran, raw: advance, missed: 0, dropped: 0 }
    }
}

/// What a frame simulates.
struct Run {
    outcome: Outcome,
    steps: u32,
    by_hand: bool,
    scale: Scale,
    scaled: u64,
    dropped_backlog: u64,
    dropped_steps: u64,
}

impl Run {
    const fn none(outcome: Outcome) -> Self {
        Self {
            outcome,
            steps: 0,
            by_hand: false,
            scale: Scale::ONE,
            scaled: 0,
            dropped_backlog: 0,
            dropped_steps: 0,
        }
    }
}
