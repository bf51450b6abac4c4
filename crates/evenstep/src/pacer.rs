//! The pacer: the order of one frame, written once.

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

/// Even with every limit off no frame counts for more than this (18 minutes): times the largest scale it is 2^60 ns.
const FRAME_LONGEST_NS: u64 = 1 << 40;
/// Even with every limit off no more than this waits (146 years): room for one more frame above it.
const BACKLOG_MAX_NS: u64 = 1 << 62;

/// A timestamp this much before the last is a clock that was set back; less is noise.
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
    // What the caller reported: one step's cost, and when its last steps were done.
    step_cost_ns: u64,
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
            limits: Limits::new(&pacing, &steps, &scales, 0),
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
            step_cost_ns: 0,
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
    /// A timestamp before the latest one counts as no time passed. A clock that was set back, by a quarter of a second or
    /// more, goes on from there.
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
        self.last = match last {
            Some(last) if last - now < SET_BACK_NS => Some(last),
            _ => Some(now),
        };
        self.frame_after(now, 0)
    }

    #[inline]
    fn frame_after(&mut self, now: u64, elapsed: u64) -> Frame {
        self.ledger.wall_ns += u128::from(elapsed);

        // The order of one frame. Everything that is done to the game's time is decided here, in this order.
        let advance = match self.pacing.display_lock {
            DisplayLock::Off => elapsed,
            DisplayLock::Follow | DisplayLock::RateLock => self.follow_display(elapsed),
        };
        let draw = self.draw.is_due(advance);
        let gap = if advance <= self.limits.ordinary_ns { Gap::ordinary(advance) } else { self.cut(advance) };
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
            draw,
            over_budget: self.limits.steps_now < self.limits.steps_max,
            steps: run.steps,
            missed: gap.missed,
            rate: self.pacing.rate,
            first_tick,
            alpha: self.steps.alpha(),
            scale: self.scales.fixed,
            now,
            elapsed,
            advance,
            raw: gap.raw,
            scaled: run.scaled,
            pending: self.steps.pending(),
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
            draw: false,
            over_budget: false,
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
            gap.missed = (advance / self.steps.step_units().max(1)).min(u32::MAX.into()) as u32;
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
        Run { steps, ..Run::none(Outcome::Ran) }
    }

    /// Scale, accumulate, take the steps, drop what the cap refuses.
    #[inline]
    fn simulate(&mut self, raw: u64) -> Run {
        self.ui_ns += u128::from(raw);
        let scaled = self.game_time(raw);
        self.steps.add_bounded(scaled);
        let mut dropped_backlog = 0;
        if self.steps.pending() > self.limits.backlog_ns {
            dropped_backlog = self.steps.clamp_to(self.limits.backlog_ns);
            self.drop_as_slow(DropReason::Backlog, dropped_backlog);
        }

        let waiting = self.steps.pending();
        let steps = self.steps.take(self.limits.steps_now);
        self.ledger.simulated_ns += u128::from(waiting - self.steps.pending());
        let dropped_steps = if steps == self.limits.steps_now { self.refuse_steps() } else { 0 };

        if self.hitstop_left_ns > 0 {
            self.run_down_hitstop(raw);
        }
        Run { outcome: Outcome::Ran, steps, scaled, dropped_backlog, dropped_steps }
    }

    /// Wall time at the present scale, with the part below a nanosecond kept for the next frame.
    #[inline]
    fn game_time(&mut self, wall_ns: u64) -> u64 {
        let scale = self.scales.fixed;
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
        if refused > 0 {
            let is_budget = self.limits.steps_now < self.limits.steps_max;
            self.drop_as_slow(if is_budget { DropReason::Budget } else { DropReason::Cap }, refused);
        }
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
        self.limits = Limits::new(&self.pacing, &self.steps, &self.scales, self.step_cost_ns);
    }
}

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
    pub const fn set_gate(&mut self, gate: Gate) {
        self.gate = gate;
        if !matches!(gate, Gate::Paused) {
            self.steps_by_hand = 0;
        }
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
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.set_resting_scale(Channel::TIME_DILATION, 4.0);
    /// pacer.hit_freeze(Duration::from_millis(10));
    /// pacer.frame(Duration::ZERO);
    /// pacer.frame(Duration::from_millis(10));
    /// assert_eq!(pacer.scale(), 4.0);
    /// ```
    pub fn set_resting_scale(&mut self, channel: Channel, scale: f64) {
        self.scales.set_resting(channel, scale);
    }

    /// Holds the simulation for this much wall time from the next frame on; then the time dilation returns to its
    /// resting value. Replaces a freeze under way; zero ends it.
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
    pub const fn hit_freeze(&mut self, wall_time: Duration) {
        self.freeze_left_ns = to_nanos(wall_time);
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
    /// An intensity of 0 stands still and still ends on time; NaN does nothing. Zero frames end it.
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
        self.hitstop_left_ns = self.steps.units_of(frames);
        self.scales.set_hitstop((frames > 0).then_some(intensity));
        self.update_limits();
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

    /// Another configuration. The time that waits, the clocks and the channels' values stay.
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
        }
        self.draw.set_rate(pacing.draw_rate);
        self.scales.set_ranges(pacing.channels);
        let display_lock = core::mem::replace(&mut self.pacing, pacing).display_lock;
        if pacing.display_lock != display_lock {
            self.start_lock_over();
        }
        self.update_limits();
    }

    /// Forgets the frame timing alone: what waits is dropped, and the next frame is measured against `last_frame`.
    ///
    /// For a host that was away, or a test runner before it pumps synthetic frames. Ticks, clocks, channels, freezes
    /// and statistics stay.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::from_secs(9));
    /// pacer.reset_frame_timing(Duration::from_secs(20));
    /// assert_eq!(pacer.frame(Duration::from_millis(20_017)).steps(), 1);
    /// ```
    pub fn reset_frame_timing(&mut self, last_frame: Duration) {
        if self.last.replace(to_nanos(last_frame)).is_some() {
            self.ledger.drop_time(DropReason::Reset, self.steps.clear());
            self.scale_rest = 0;
            self.give_head_start();
            self.start_lock_over();
        }
    }

    /// Forgets all that a game can see, as for a new one: tick 0, all channels at rest, no freeze, gate open, UI clock
    /// and statistics at zero. The next frame is measured against `last_frame`.
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
    pub fn reset(&mut self, last_frame: Duration) {
        let new = Self::new(self.pacing);
        let old = core::mem::replace(self, new);
        self.last = Some(to_nanos(last_frame));
        self.lock = old.lock;
        self.start_lock_over();
        // A pacer that has seen no frame has nothing on record yet.
        if old.last.is_some() {
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
    /// [`Stats`], and the measure for the [budget](Pacing::with_budget).
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
        let now = to_nanos(now);
        let took = now.saturating_sub(self.last.unwrap_or(now));
        self.stats.record_step_time(took);
        // The last cost alone, not an average: one good frame is enough to be trusted with catching up again.
        if self.steps_run > 0 {
            self.step_cost_ns = took / u64::from(self.steps_run);
            self.update_limits();
        }
        self.steps_done = now;
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
        self.stats.record_draw_time(to_nanos(now).saturating_sub(self.steps_done));
    }
}

/// Answers: where time stands.
impl Pacer {
    /// The configuration.
    ///
    /// ```
    /// # use evenstep::{Pacer, Pacing, Rate};
    /// assert_eq!(Pacer::new(Pacing::hz(60)).pacing().rate(), Rate::hz(60));
    /// ```
    pub const fn pacing(&self) -> Pacing {
        self.pacing
    }

    /// The deterministic clock: ticks run since the pacer began or was reset. [`Rate::time_of`](crate::Rate::time_of)
    /// turns it into game time.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::ZERO);
    /// pacer.frame(Duration::from_millis(200));
    /// assert_eq!(pacer.tick(), 12);
    /// ```
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// The wall clock: all time between the timestamps, dropped or not.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::starship());
    /// pacer.frame(Duration::ZERO);
    /// pacer.frame(Duration::from_secs(5));
    /// assert_eq!(pacer.wall_time(), Duration::from_secs(5));
    /// ```
    pub fn wall_time(&self) -> Duration {
        Duration::from_nanos_u128(self.ledger.wall_ns)
    }

    /// The UI clock: wall time after the limits. Scales, pauses and freezes do not touch it; a menu holds it.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Gate, Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.set_gate(Gate::Paused);
    /// pacer.frame(Duration::ZERO);
    /// pacer.frame(Duration::from_millis(16));
    /// assert_eq!(pacer.ui_time(), Duration::from_millis(16));
    /// ```
    pub const fn ui_time(&self) -> Duration {
        Duration::from_nanos_u128(self.ui_ns)
    }

    /// Game seconds per wall second: the product of the channels, hitstop included.
    ///
    /// ```
    /// # use evenstep::{Pacer, Pacing};
    /// assert_eq!(Pacer::new(Pacing::hz(60)).scale(), 1.0);
    /// ```
    pub fn scale(&self) -> f64 {
        self.scales.product()
    }

    /// What a channel was set to, before its clamp.
    ///
    /// ```
    /// # use evenstep::{Channel, Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.set_scale(Channel::NETWORK_NUDGE, 2.0);
    /// assert_eq!(pacer.channel(Channel::NETWORK_NUDGE), 2.0);
    /// assert_eq!(pacer.scale(), 1.1, "a nudge is at most 10 %");
    /// ```
    pub fn channel(&self, channel: Channel) -> f64 {
        self.scales.value(channel)
    }

    /// Where all time went.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::ZERO);
    /// pacer.frame(Duration::from_millis(100));
    /// assert_eq!(pacer.ledger().wall_ns, 100_000_000);
    /// ```
    pub fn ledger(&self) -> Ledger {
        Ledger {
            pending_ns: self.steps.pending().into(),
            held_ns: self.lock.held_ns().into(),
            followed_ns: self.lock.followed_ns().into(),
            ..self.ledger
        }
    }

    /// What the frames were like lately.
    ///
    /// ```
    /// # use evenstep::{Pacer, Pacing};
    /// assert!(!Pacer::new(Pacing::hz(60)).stats().is_running_slowly());
    /// ```
    pub const fn stats(&self) -> &Stats {
        &self.stats
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
    scaled: u64,
    dropped_backlog: u64,
    dropped_steps: u64,
}

impl Run {
    const fn none(outcome: Outcome) -> Self {
        Self { outcome, steps: 0, scaled: 0, dropped_backlog: 0, dropped_steps: 0 }
    }
}

/// The configuration's limits in the core's own units, for the present scale. `MAX` is "off".
#[derive(Clone, Copy, Debug, PartialEq)]
struct Limits {
    // No limit of a single frame lies below this.
    ordinary_ns: u64,
    stall_ns: u64,
    frame_longest_ns: u64,
    spike_ns: u64,
    backlog_ns: u64,
    steps_max: u32,
    // The same, or less while the budget affords less.
    steps_now: u32,
}

impl Limits {
    fn new(pacing: &Pacing, steps: &Accumulator, scales: &Scales, step_cost_ns: u64) -> Self {
        let or_off = |limit: Option<Duration>| limit.map_or(u64::MAX, to_nanos);
        let stall_ns = or_off(pacing.stall);
        let frame_longest_ns = or_off(pacing.frame_longest).min(FRAME_LONGEST_NS);
        let spike_ns = pacing.spike_nanos();
        let steps_max = pacing.steps_max.map_or(u32::MAX, |base| steps_max_at(base, scales.product()));
        let backlog_steps_ns = pacing.backlog_steps.map_or(u64::MAX, |most| steps.units_of(most));
        Self {
            ordinary_ns: stall_ns.min(frame_longest_ns).min(spike_ns),
            stall_ns,
            frame_longest_ns,
            spike_ns,
            backlog_ns: or_off(pacing.backlog).min(backlog_steps_ns).min(BACKLOG_MAX_NS),
            steps_max,
            steps_now: match or_off(pacing.budget).checked_div(step_cost_ns) {
                Some(affordable) if pacing.budget.is_some() => affordable.clamp(1, steps_max.into()) as u32,
                _ => steps_max,
            },
        }
    }
}

/// `max(base, ceil(scale * base))`: a game at four times its speed may run four times the steps.
fn steps_max_at(base: u32, scale: f64) -> u32 {
    let scaled = scale * f64::from(base);
    let whole = scaled as u32;
    let ceiling = if f64::from(whole) < scaled { whole.saturating_add(1) } else { whole };
    base.max(ceiling)
}
