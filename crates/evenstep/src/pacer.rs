//! The pacer: the order of one frame, in one place.

mod answers;
mod controls;
mod effects;
mod limits;
mod losses;
mod save;

use core::time::Duration;

use crate::accumulator::Accumulator;
use crate::draw::DrawLimit;
use crate::frame::{Frame, Outcome};
use crate::ledger::Ledger;
use crate::lock::{DisplayLock, Follow, Lock, LockState};
use crate::pacing::{Excess, Pacing};
use crate::rate::{nanos_from_millis, to_nanos};
use crate::scale::{Scale, Scales};
use crate::stats::Stats;
use limits::{Costs, GAME_TIME_MAX_NS, Limits};
pub use save::RestoreError;

/// With the display lock, a timestamp this far before the latest means that the clock was set back; less is noise.
const SET_BACK_NS: u64 = 250_000_000;

/// What holds the simulation.
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Gate, Pacer, Pacing};
///
/// let ms = Duration::from_millis;
/// let mut pacer = Pacer::new(Pacing::hz(60));
/// pacer.frame(ms(0));
/// pacer.set_gate(Gate::Paused);
/// assert_eq!(pacer.frame(ms(100)).steps(), 0);
/// assert_eq!(pacer.ui_time(), ms(100), "the UI clock runs on");
/// pacer.set_gate(Gate::Menu);
/// pacer.frame(ms(200));
/// assert_eq!(pacer.ui_time(), ms(100), "a menu stops it as well");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Gate {
    /// Nothing: the simulation runs.
    #[default]
    Open,
    /// A pause: the simulation is held and can be stepped by hand. The UI clock and wall timers run on.
    Paused,
    /// A menu: everything is held, including the UI clock.
    Menu,
}

/// Turns timestamps into plans, one frame at a time.
///
/// For any sequence of timestamps and controls, the pacer does not panic, never exceeds the step cap (except to
/// [fast-forward](Self::fast_forward)), keeps alpha within 0 <= alpha < 1 and accounts for every nanosecond. It reads
/// no clock and does not allocate.
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Pacer, Pacing};
///
/// let mut pacer = Pacer::new(Pacing::hz(60));
/// let mut position = 0.0;
/// for n in 0..=144 {
///     let now = Duration::from_secs(n) / 144; // Your clock.
///     let frame = pacer.frame(now);
///     for _tick in frame.ticks() {
///         position += 2.0 * pacer.pacing().rate().step_secs();
///     }
///     // Draw with frame.alpha().
/// }
/// assert_eq!((pacer.tick(), pacer.wall_time()), (60, Duration::from_secs(1)));
/// assert_eq!((position * 100.0_f64).round(), 200.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pacer {
    pacing: Pacing,
    limits: Limits,
    // See `find_plain`.
    is_plain: bool,
    gate: Gate,
    last_ns: Option<u64>,
    tick: u64,
    steps: Accumulator,
    scales: Scales,
    // The remainder of scaling below a nanosecond, in 1/2^32 ns.
    scale_rest: u32,
    // Requested and not run yet: by hand while paused, and by fast-forward.
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
    /// Creates a pacer with the default [`Pacing`].
    fn default() -> Self {
        Self::new(Pacing::default())
    }
}

impl Pacer {
    /// Creates a pacer. The first timestamp starts its clock; no time passes on that frame.
    pub fn new(pacing: Pacing) -> Self {
        let scales = Scales::new(pacing.channels);
        let steps = Accumulator::of_nanos(pacing.rate);
        let mut pacer = Self {
            pacing,
            limits: Limits::new(&pacing, &steps, &scales, Costs::default()),
            is_plain: false,
            gate: Gate::Open,
            last_ns: None,
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
            costs: Costs { is_off: true, ..Costs::default() },
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

    /// Plans the frame at `now`, a time since an arbitrary but fixed origin.
    ///
    /// If `now` is before the last timestamp, no time passes and the next frame is measured from `now`. With the
    /// display lock, a step back of less than 0.25 s is noise: the next frame is then measured from the latest
    /// timestamp.
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
        self.frame_at(to_nanos(now))
    }

    #[inline]
    fn frame_at(&mut self, now_ns: u64) -> Frame {
        let elapsed_ns = match &mut self.last_ns {
            Some(last_ns) if *last_ns <= now_ns => now_ns - core::mem::replace(last_ns, now_ns),
            &mut last_ns => return self.frame_out_of_order(now_ns, last_ns),
        };
        self.stats.record_interval(elapsed_ns);
        if !self.is_plain {
            return self.frame_with_effects(now_ns, elapsed_ns);
        }
        let advance_ns = self.advance::<true>(elapsed_ns);
        if advance_ns <= self.limits.ordinary_ns {
            self.frame_after::<true>(now_ns, elapsed_ns, advance_ns)
        } else {
            self.frame_in_full(now_ns, elapsed_ns, advance_ns)
        }
    }

    /// Plans the first frame, or one whose timestamp is before the latest: no time passes.
    #[cold]
    fn frame_out_of_order(&mut self, now_ns: u64, last_ns: Option<u64>) -> Frame {
        let is_noise =
            |last_ns| self.pacing.display_lock != DisplayLock::Off && last_ns - now_ns < SET_BACK_NS;
        self.last_ns = Some(last_ns.filter(|&last_ns| is_noise(last_ns)).unwrap_or(now_ns));
        // The frame that starts the clock does not end an interval.
        match last_ns {
            Some(_) => self.stats.record_interval(0),
            None => self.stats.record_start(),
        }
        // If the timestamp is noise, the game stays at the latest one. Costs are still measured from this one.
        let frame = self.frame_with_effects(self.last_ns.unwrap_or(now_ns), 0);
        (self.frame_at_ns, self.steps_done_at_ns) = (now_ns, now_ns);
        frame
    }

    #[inline(never)]
    fn frame_with_effects(&mut self, now_ns: u64, elapsed_ns: u64) -> Frame {
        self.stats.run_down_slowness(elapsed_ns);
        let advance_ns = self.advance::<false>(elapsed_ns);
        self.frame_in_full(now_ns, elapsed_ns, advance_ns)
    }

    /// Plans a frame with all checks. The next frame may be a plain one.
    #[inline(never)]
    fn frame_in_full(&mut self, now_ns: u64, elapsed_ns: u64, advance_ns: u64) -> Frame {
        let frame = self.frame_after::<false>(now_ns, elapsed_ns, advance_ns);
        self.find_plain();
        frame
    }

    /// Finds out whether the next frame is plain: nothing holds or scales it, it is drawn at any cost, and nothing is
    /// left over from earlier frames. All of this changes only between frames, so `frame` does not have to check each
    /// condition.
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
            && !self.costs.is_off
            && !self.stats.is_running_slowly();
    }

    /// Returns the time that passed on the display.
    #[inline]
    fn advance<const PLAIN: bool>(&mut self, elapsed_ns: u64) -> u64 {
        match self.pacing.display_lock {
            DisplayLock::Off if PLAIN || self.lock.held_ns() == 0 => elapsed_ns,
            DisplayLock::Off => self.lock.return_held(elapsed_ns),
            DisplayLock::Follow => self.follow_display(elapsed_ns, None),
            DisplayLock::RateLock => self.follow_display(elapsed_ns, self.rate_to_follow()),
        }
    }

    /// The order of one frame after the display lock: every decision about game time is made here. A `PLAIN` frame of
    /// ordinary length skips the checks whose results are known.
    #[inline]
    fn frame_after<const PLAIN: bool>(&mut self, now_ns: u64, elapsed_ns: u64, advance_ns: u64) -> Frame {
        self.ledger.wall_ns += u128::from(elapsed_ns);
        let should_draw = PLAIN || self.draw.is_due(advance_ns);
        let steps_now = if PLAIN { self.limits.steps_max } else { self.steps_affordable(should_draw) };
        let is_ordinary = PLAIN || advance_ns <= self.limits.ordinary_ns;
        let gap = if is_ordinary { Gap::ordinary(advance_ns) } else { self.cut(advance_ns) };
        // The end of a hitstop changes limits and scale, but only from the next frame on.
        let (over_budget, scale) = (steps_now < self.limits.steps_max, self.scales.fixed);
        let run = match (gap.outcome, self.gate) {
            (Outcome::Stalled, _) => Run::none(Outcome::Stalled),
            (_, Gate::Open) if PLAIN || self.freeze_left_ns == 0 => {
                self.simulate::<PLAIN>(gap.raw_ns, steps_now)
            }
            _ => self.hold(gap.raw_ns),
        };
        let is_cut = gap.dropped_ns | run.dropped_backlog_ns | run.dropped_steps_ns != 0;
        let missed = if is_cut { self.record_loss(advance_ns, &gap, &run, over_budget) } else { 0 };

        let first_tick = self.tick;
        self.tick += u64::from(run.steps);
        self.frame_at_ns = now_ns;
        self.steps_run = run.steps;
        self.steps_done_at_ns = now_ns;
        self.stats.record_frame(elapsed_ns, self.tick);
        let undrawn_ns = if PLAIN { gap.raw_ns } else { self.undrawn_ns.saturating_add(gap.raw_ns) };
        if !PLAIN {
            self.undrawn_ns = if should_draw { 0 } else { undrawn_ns };
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
            now_ns,
            elapsed_ns,
            advance_ns,
            held_ns: self.lock.held_ns(),
            raw_ns: gap.raw_ns,
            scaled_ns: run.scaled_ns,
            undrawn_ns,
            pending_ns: self.steps.pending(),
            pending_part: self.steps.pending_part(),
            dropped_gap_ns: gap.dropped_ns,
            dropped_backlog_ns: run.dropped_backlog_ns,
            dropped_steps_ns: run.dropped_steps_ns,
        }
    }

    /// Plans the frame at a `requestAnimationFrame` timestamp in milliseconds.
    ///
    /// A frame with a NaN or infinite timestamp is counted and skipped: no time passes, and the next frame makes up
    /// for it.
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
        if let Some(now_ns) = nanos_from_millis(now_ms) {
            return self.frame_at(now_ns);
        }
        self.stats.record_skip();
        self.costs.is_off = true;
        self.find_plain();
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
            now_ns: self.frame_at_ns,
            elapsed_ns: 0,
            advance_ns: 0,
            held_ns: self.lock.held_ns(),
            raw_ns: 0,
            scaled_ns: 0,
            undrawn_ns: self.undrawn_ns,
            pending_ns: self.steps.pending(),
            pending_part: self.steps.pending_part(),
            dropped_gap_ns: 0,
            dropped_backlog_ns: 0,
            dropped_steps_ns: 0,
        }
    }

    /// Returns the time that passed by the display's refreshes, or by the timestamps while there is no refresh to
    /// follow.
    #[inline]
    fn follow_display(&mut self, elapsed_ns: u64, follow: Option<Follow>) -> u64 {
        let advance_ns = self.lock.advance(elapsed_ns, follow);
        self.stats.record_lock(self.lock.state());
        advance_ns
    }

    /// The input of the rate lock. `None` at other scales, where steps and refreshes have no common rhythm.
    fn rate_to_follow(&self) -> Option<Follow> {
        let (step_ns, pending_ns) = (self.pacing.rate.step_secs() * 1e9, self.steps.pending() as f64);
        (self.scales.fixed == Scale::ONE).then_some(Follow { step_ns, pending_ns })
    }

    /// Scales, accumulates, takes the steps, and drops what exceeds the cap.
    #[inline]
    fn simulate<const PLAIN: bool>(&mut self, raw_ns: u64, steps_now: u32) -> Run {
        self.ui_ns += u128::from(raw_ns);
        let scaled_ns = if PLAIN { raw_ns } else { self.game_time(raw_ns, self.scales.fixed) };
        self.steps.add_bounded(scaled_ns);
        let mut dropped_backlog_ns = 0;
        if self.steps.pending() > self.limits.backlog_ns {
            dropped_backlog_ns = self.steps.clamp_to((self.limits.backlog_ns, self.limits.backlog_part));
        }

        let waiting_ns = self.steps.pending();
        let steps = self.steps.take(steps_now);
        self.ledger.simulated_ns += u128::from(waiting_ns - self.steps.pending());
        let dropped_steps_ns = if steps == steps_now { self.refuse_steps() } else { 0 };
        let steps_ahead = if PLAIN || self.steps_ahead == 0 { 0 } else { self.take_steps_ahead(steps) };

        if !PLAIN && self.hitstop_left_ns > 0 {
            self.run_down_hitstop(raw_ns);
        }
        let steps = steps + steps_ahead;
        Run {
            outcome: Outcome::Ran,
            steps,
            steps_ahead,
            by_hand: false,
            scaled_ns,
            dropped_backlog_ns,
            dropped_steps_ns,
        }
    }

    /// Scales wall time. The remainder below a nanosecond is kept for the next frame.
    #[inline]
    fn game_time(&mut self, wall_ns: u64, scale: Scale) -> u64 {
        if scale == Scale::ONE {
            return wall_ns;
        }
        let game = u128::from(wall_ns) * u128::from(scale.0) + u128::from(self.scale_rest);
        self.scale_rest = game as u32;
        let game_ns = ((game >> 32) as u64).min(GAME_TIME_MAX_NS);
        self.ledger.stretch_ns += i128::from(game_ns) - i128::from(wall_ns);
        game_ns
    }

    /// Handles whole steps still pending after a frame has run as many as it may, and returns the time dropped.
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

    fn give_head_start(&mut self) {
        let head_start_ns = (self.steps.step_units() as f64 * self.pacing.start_phase) as u64;
        self.steps.add(head_start_ns);
        self.ledger.head_start_ns += u128::from(head_start_ns);
    }

    /// Copies the lock's state to the statistics.
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

/// The time since the last frame, after the limits.
struct Gap {
    outcome: Outcome,
    raw_ns: u64,
    dropped_ns: u64,
}

impl Gap {
    const fn ordinary(advance_ns: u64) -> Self {
        Self { outcome: Outcome::Ran, raw_ns: advance_ns, dropped_ns: 0 }
    }
}

/// What a frame simulates.
struct Run {
    outcome: Outcome,
    steps: u32,
    steps_ahead: u32,
    by_hand: bool,
    scaled_ns: u64,
    dropped_backlog_ns: u64,
    dropped_steps_ns: u64,
}

impl Run {
    const fn none(outcome: Outcome) -> Self {
        Self {
            outcome,
            steps: 0,
            steps_ahead: 0,
            by_hand: false,
            scaled_ns: 0,
            dropped_backlog_ns: 0,
            dropped_steps_ns: 0,
        }
    }
}
