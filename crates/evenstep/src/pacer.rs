//! The pacer: the order of one frame, in one place.

mod answers;
mod effects;
mod limits;
mod losses;
#[cfg(feature = "serde")]
mod saved;
mod tell;

use core::time::Duration;

use crate::accumulator::Accumulator;
use crate::command::Gate;
use crate::draw::DrawLimit;
use crate::frame::{Frame, Outcome};
use crate::ledger::Ledger;
use crate::lock::{DisplayLock, Lock, RateLock};
use crate::pacing::{Excess, Pacing};
use crate::rate::{nanos_from_millis, to_nanos};
use crate::scale::{Scale, Scales};
use crate::stats::Stats;
use limits::{Costs, GAME_TIME_MAX_NS, Limits};

/// With the display lock, a timestamp this far before the latest means that the clock was set back; less is noise.
const SET_BACK_NS: u64 = 250_000_000;

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
///         position += 2.0 * pacer.step_secs();
///     }
///     // Draw with frame.alpha().
/// }
/// assert_eq!((pacer.tick(), pacer.wall_time()), (60, Duration::from_secs(1)));
/// assert_eq!((position * 100.0_f64).round(), 200.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self", deny_unknown_fields)
)]
pub struct Pacer {
    pacing: Pacing,
    // Follows from other fields.
    #[cfg_attr(feature = "serde", serde(skip))]
    limits: Limits,
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
    #[must_use = "a plan does nothing until its steps are run"]
    #[inline]
    pub fn frame(&mut self, now: Duration) -> Frame {
        self.frame_at(to_nanos(now))
    }

    /// The order of one frame: every decision about game time is made here.
    fn frame_at(&mut self, now_ns: u64) -> Frame {
        let elapsed_ns = self.move_clock(now_ns);
        // If the timestamp is noise, the game stays at the latest one. Costs are still measured from this one.
        self.frame_at_ns = now_ns;
        self.steps_done_at_ns = now_ns;
        self.stats.run_down_slowness(elapsed_ns);
        self.ledger.wall_ns += u128::from(elapsed_ns);

        let advance_ns = self.advance(elapsed_ns);
        let should_draw = self.draw.is_due(advance_ns);
        let steps_now = self.steps_affordable(should_draw);
        let over_budget = steps_now < self.limits.steps_max;
        // The end of a hitstop changes the scale, but only from the next frame on.
        let scale = self.scales.fixed;
        let gap = if advance_ns <= self.limits.ordinary_ns {
            Gap::ordinary(advance_ns)
        } else {
            self.cut(advance_ns)
        };
        let run = match self.gate {
            _ if gap.outcome == Outcome::Stalled => Run::none(Outcome::Stalled),
            Gate::Open if self.freeze_left_ns == 0 => self.simulate(gap.raw_ns, steps_now),
            _ => self.hold(gap.raw_ns),
        };
        let is_cut = gap.dropped_ns | run.dropped_backlog_ns | run.dropped_steps_ns != 0;
        let missed = if is_cut { self.record_loss(advance_ns, &gap, &run, over_budget) } else { 0 };
        self.steps_run = run.steps;
        let mut frame = self.publish(elapsed_ns, advance_ns, &gap, &run, scale);
        frame.should_draw = should_draw;
        frame.over_budget = over_budget;
        frame.missed = missed;
        self.stats.record_frame(elapsed_ns, self.tick);
        if should_draw {
            self.undrawn_ns = 0;
        }
        frame
    }

    /// Moves the clock to a timestamp, and returns the time since the last one.
    #[inline]
    fn move_clock(&mut self, now_ns: u64) -> u64 {
        match self.last_ns {
            Some(last_ns) if last_ns <= now_ns => {
                self.last_ns = Some(now_ns);
                self.stats.record_interval(now_ns - last_ns);
                now_ns - last_ns
            }
            last_ns => self.restart_clock(now_ns, last_ns),
        }
    }

    /// Handles the first timestamp, and one before the latest: no time passes.
    #[cold]
    fn restart_clock(&mut self, now_ns: u64, last_ns: Option<u64>) -> u64 {
        let is_noise =
            |last_ns| self.pacing.display_lock != DisplayLock::Off && last_ns - now_ns < SET_BACK_NS;
        self.last_ns = Some(last_ns.filter(|&last_ns| is_noise(last_ns)).unwrap_or(now_ns));
        // The frame that starts the clock does not end an interval.
        match last_ns {
            Some(_) => self.stats.record_interval(0),
            None => self.stats.record_start(),
        }
        0
    }

    /// Returns the time that passed on the display, or by the timestamps while there is no refresh to follow.
    #[inline]
    fn advance(&mut self, elapsed_ns: u64) -> u64 {
        match self.pacing.display_lock {
            DisplayLock::Off if self.lock.held_ns() == 0 => elapsed_ns,
            DisplayLock::Off => self.lock.return_held(elapsed_ns),
            DisplayLock::Follow => self.lock.advance(elapsed_ns, None),
            DisplayLock::RateLock => self.lock.advance(elapsed_ns, self.rate_lock()),
        }
    }

    /// Advances the tick, and builds the plan of a frame that is not drawn.
    #[inline]
    fn publish(&mut self, elapsed_ns: u64, advance_ns: u64, gap: &Gap, run: &Run, scale: Scale) -> Frame {
        let first_tick = self.tick;
        self.tick += u64::from(run.steps);
        self.undrawn_ns = self.undrawn_ns.saturating_add(gap.raw_ns);
        Frame {
            outcome: run.outcome,
            by_hand: run.by_hand,
            steps: run.steps,
            steps_ahead: run.steps_ahead,
            rate: self.pacing.rate,
            first_tick,
            alpha: self.steps.alpha(),
            scale,
            now_ns: self.last_ns.unwrap_or(self.frame_at_ns),
            elapsed_ns,
            advance_ns,
            held_ns: self.lock.held_ns(),
            raw_ns: gap.raw_ns,
            scaled_ns: run.scaled_ns,
            undrawn_ns: self.undrawn_ns,
            pending_ns: self.steps.pending(),
            pending_part: self.steps.pending_part(),
            dropped_gap_ns: gap.dropped_ns,
            dropped_backlog_ns: run.dropped_backlog_ns,
            dropped_steps_ns: run.dropped_steps_ns,
            ..Frame::default()
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
    #[must_use = "a plan does nothing until its steps are run"]
    pub fn frame_millis(&mut self, now_ms: f64) -> Frame {
        if let Some(now_ns) = nanos_from_millis(now_ms) {
            return self.frame_at(now_ns);
        }
        self.skip()
    }

    fn skip(&mut self) -> Frame {
        self.stats.record_skip();
        self.costs.is_off = true;
        self.publish(0, 0, &Gap::ordinary(0), &Run::none(Outcome::Skipped), self.scales.fixed)
    }

    /// The input of the rate lock. `None` at other scales, where steps and refreshes have no common rhythm.
    fn rate_lock(&self) -> Option<RateLock> {
        let step_ns = self.pacing.rate.step_secs() * 1e9;
        let pending_ns = self.steps.pending() as f64;
        (self.scales.fixed == Scale::ONE).then_some(RateLock { step_ns, pending_ns })
    }

    /// Scales, accumulates, takes the steps, and drops what exceeds the cap.
    #[inline]
    fn simulate(&mut self, raw_ns: u64, steps_now: u32) -> Run {
        self.ui_ns += u128::from(raw_ns);
        let scaled_ns = self.game_time(raw_ns, self.scales.fixed);
        self.steps.add_bounded(scaled_ns);
        let mut dropped_backlog_ns = 0;
        if self.steps.pending() > self.limits.backlog_ns {
            dropped_backlog_ns = self.steps.clamp_to((self.limits.backlog_ns, self.limits.backlog_part));
        }

        let waiting_ns = self.steps.pending();
        let steps = self.steps.take(steps_now);
        self.ledger.simulated_ns += u128::from(waiting_ns - self.steps.pending());
        let dropped_steps_ns = if steps == steps_now { self.refuse_steps() } else { 0 };
        let steps_ahead = if self.steps_ahead == 0 { 0 } else { self.take_steps_ahead(steps) };

        if self.hitstop_left_ns > 0 {
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

    fn update_limits(&mut self) {
        self.limits = Limits::new(&self.pacing, &self.steps, &self.scales, self.costs);
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
