//! The plan for one frame, and its explanation.

mod explain;

use core::ops::Range;
use core::time::Duration;

use crate::rate::Rate;
use crate::scale::Scale;
pub use explain::Explanation;

/// What a frame did with its time.
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Gate, Outcome, Pacer, Pacing};
///
/// let ms = Duration::from_millis;
/// let mut pacer = Pacer::new(Pacing::starship());
/// pacer.frame(ms(0));
/// assert_eq!(pacer.frame(ms(16)).outcome(), Outcome::Ran);
/// assert_eq!(pacer.frame(ms(900)).outcome(), Outcome::Stalled);
/// pacer.set_gate(Gate::Paused);
/// assert_eq!(pacer.frame(ms(916)).outcome(), Outcome::Paused);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The simulation ran, possibly for zero steps. Also if it was stepped by hand.
    Ran,
    /// The gap since the last frame exceeded the stall threshold and was dropped.
    Stalled,
    /// A menu held everything, including the UI clock.
    Menu,
    /// The simulation was paused; the UI clock ran on.
    Paused,
    /// A hit-freeze held the simulation; the UI clock ran on.
    Frozen,
    /// The timestamp was not a finite number. The frame was counted, and no time passed.
    Skipped,
}

/// Why time was dropped instead of simulated.
///
/// ```
/// use core::time::Duration;
/// use evenstep::{DropReason, Pacer, Pacing};
///
/// let mut pacer = Pacer::new(Pacing::game_loop());
/// pacer.frame(Duration::ZERO);
/// let frame = pacer.frame(Duration::from_secs(1));
/// assert_eq!(frame.dropped_by(DropReason::Clamp), Duration::from_millis(750));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DropReason {
    /// The gap was a stall, or the time was pending when one occurred.
    Stall,
    /// The frame exceeded the longest frame.
    Clamp,
    /// The pending time exceeded the backlog ceiling.
    Backlog,
    /// The pending steps exceeded the step cap.
    Cap,
    /// The pending steps exceeded the wall-time budget.
    Budget,
    /// The time was pending when the frame timing was reset.
    Reset,
    /// The time was pending when the rate changed, and exceeded one new step.
    Rate,
}

impl DropReason {
    /// All reasons, in the order of the frame.
    pub const ALL: [Self; DROP_REASONS] =
        [Self::Stall, Self::Clamp, Self::Backlog, Self::Cap, Self::Budget, Self::Reset, Self::Rate];

    /// The reason as one lower-case word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stall => "stall",
            Self::Clamp => "clamp",
            Self::Backlog => "backlog",
            Self::Cap => "cap",
            Self::Budget => "budget",
            Self::Reset => "reset",
            Self::Rate => "rate",
        }
    }
}

pub(crate) const DROP_REASONS: usize = 7;

/// The plan for one frame: returned by [`Pacer::frame`](crate::Pacer::frame) and carried out by the caller.
///
/// ```text
/// ticks     |---------|---------|---------|---------|
/// frames         |                 |           |
///                                  |<-- alpha of the way from the tick before last to the last one
/// ```
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Outcome, Pacer, Pacing};
///
/// let ms = Duration::from_millis;
/// let mut pacer = Pacer::new(Pacing::game_loop()); // 60 steps per second, at most 250 ms per frame.
/// pacer.frame(ms(0));
///
/// let frame = pacer.frame(ms(40));
/// assert_eq!(frame.outcome(), Outcome::Ran);
/// assert_eq!((frame.steps(), frame.ticks()), (2, 0..2));
/// assert_eq!(frame.alpha(), 0.4, "40 ms are 2.4 steps");
/// assert_eq!((frame.elapsed(), frame.dt()), (ms(40), Duration::from_nanos(33_333_333)));
///
/// let lag_spike = pacer.frame(ms(540));
/// assert_eq!((lag_spike.missed(), lag_spike.steps(), lag_spike.first_tick()), (30, 15, 2));
/// assert_eq!((lag_spike.raw_dt(), lag_spike.dropped()), (ms(250), ms(250)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    pub(crate) outcome: Outcome,
    pub(crate) should_draw: bool,
    pub(crate) over_budget: bool,
    pub(crate) by_hand: bool,
    pub(crate) steps: u32,
    // The fast-forwarded ones among them, which wall time has not paid for.
    pub(crate) steps_ahead: u32,
    pub(crate) missed: u32,
    pub(crate) rate: Rate,
    pub(crate) first_tick: u64,
    pub(crate) alpha: f64,
    pub(crate) scale: Scale,
    // `elapsed_ns` is the time since the last timestamp, `advance_ns` that time after the display lock, which
    // withholds `held_ns` in total, `raw_ns` after the limits, and `scaled_ns` in game time. `undrawn_ns` is the raw
    // time since the last frame to draw. `pending_ns` remains after the frame, plus `pending_part` in the parts of
    // the rate.
    pub(crate) now_ns: u64,
    pub(crate) elapsed_ns: u64,
    pub(crate) advance_ns: u64,
    pub(crate) held_ns: i64,
    pub(crate) raw_ns: u64,
    pub(crate) scaled_ns: u64,
    pub(crate) undrawn_ns: u64,
    pub(crate) pending_ns: u64,
    pub(crate) pending_part: u64,
    // Dropped by a stall, or otherwise by the clamp; by the backlog ceiling; by the cap or the budget.
    pub(crate) dropped_gap_ns: u64,
    pub(crate) dropped_backlog_ns: u64,
    pub(crate) dropped_steps_ns: u64,
}

impl Default for Frame {
    /// Creates an empty plan: nothing to run or to draw. A place for the first frame's plan until there is one.
    fn default() -> Self {
        Self {
            outcome: Outcome::Skipped,
            should_draw: false,
            over_budget: false,
            by_hand: false,
            steps: 0,
            steps_ahead: 0,
            missed: 0,
            rate: Rate::hz(60),
            first_tick: 0,
            alpha: 0.0,
            scale: Scale::ONE,
            now_ns: 0,
            elapsed_ns: 0,
            advance_ns: 0,
            held_ns: 0,
            raw_ns: 0,
            scaled_ns: 0,
            undrawn_ns: 0,
            pending_ns: 0,
            pending_part: 0,
            dropped_gap_ns: 0,
            dropped_backlog_ns: 0,
            dropped_steps_ns: 0,
        }
    }
}

impl Frame {
    /// What the frame did with its time.
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The number of steps to run now.
    pub const fn steps(&self) -> u32 {
        self.steps
    }

    /// The numbers of the ticks to run now, counted from 0 since the pacer was created or reset.
    pub const fn ticks(&self) -> Range<u64> {
        self.first_tick..self.first_tick + self.steps as u64
    }

    /// The number of the first tick to run now, or of the next tick if none runs.
    pub const fn first_tick(&self) -> u64 {
        self.first_tick
    }

    /// The position of the frame between the last two ticks: 0 <= alpha < 1.
    ///
    /// A cast to `f32` may round up to 1.0, which is harmless in an interpolation.
    pub const fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Whether to draw this frame, given the limit on the [draw rate](crate::Pacing::with_draw_rate).
    pub const fn should_draw(&self) -> bool {
        self.should_draw
    }

    /// The game time that this frame's steps simulate: `steps` times the step, 0 if none run.
    pub const fn dt(&self) -> Duration {
        self.rate.time_of(self.steps as u64)
    }

    /// The frame's wall time after the limits, unscaled. 0 for a stall.
    pub const fn raw_dt(&self) -> Duration {
        Duration::from_nanos(self.raw_ns)
    }

    /// The frame's wall time after limits and scale, for animation per frame. 0 while the simulation is held.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let ms = Duration::from_millis;
    /// let mut pacer = Pacer::new(Pacing::game_loop());
    /// pacer.frame(ms(0));
    /// pacer.hitstop(1, 0.5);
    /// let frame = pacer.frame(ms(20));
    /// assert_eq!((frame.scaled_dt(), frame.scale()), (ms(10), 0.5));
    /// assert_eq!(pacer.scale(), 1.0, "this frame ended the hitstop");
    /// ```
    pub const fn scaled_dt(&self) -> Duration {
        Duration::from_nanos(self.scaled_ns)
    }

    /// [`raw_dt`](Self::raw_dt) in nanoseconds, for bindings to languages that have no `Duration`: converting one takes
    /// longer than planning a frame.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::game_loop());
    /// pacer.frame(Duration::ZERO);
    /// pacer.hitstop(3, 0.5);
    /// let frame = pacer.frame(Duration::from_micros(16_700));
    /// let millis = |nanos: u64| nanos as f64 / 1e6;
    /// assert_eq!((millis(frame.raw_dt_ns()), millis(frame.scaled_dt_ns())), (16.7, 8.35));
    /// ```
    pub const fn raw_dt_ns(&self) -> u64 {
        self.raw_ns
    }

    /// [`scaled_dt`](Self::scaled_dt) in nanoseconds; see [`raw_dt_ns`](Self::raw_dt_ns).
    pub const fn scaled_dt_ns(&self) -> u64 {
        self.scaled_ns
    }

    /// The wall time after the limits since the last frame with [`should_draw`](Self::should_draw): the time delta
    /// for a renderer that skips frames.
    ///
    /// ```
    /// # use evenstep::{Pacer, Pacing, Rate};
    /// let display = Rate::hz(60);
    /// let mut pacer = Pacer::new(Pacing::fixed_time_step().with_draw_rate(Rate::hz(30)));
    /// let frames = [0, 1, 2].map(|n| pacer.frame(display.time_of(n)));
    /// assert!(frames[2].should_draw());
    /// assert_eq!(frames[2].draw_dt().as_micros(), 33_333);
    /// ```
    pub const fn draw_dt(&self) -> Duration {
        Duration::from_nanos(self.undrawn_ns)
    }

    /// The scale of this frame: game seconds per wall second.
    pub const fn scale(&self) -> f64 {
        self.scale.as_f64()
    }

    /// The time of this frame: its timestamp, or the latest one if the display lock treated a step back as noise. A
    /// [skipped](Outcome::Skipped) frame has the time of the previous one.
    pub const fn now(&self) -> Duration {
        Duration::from_nanos(self.now_ns)
    }

    /// The time since the last timestamp, before the display lock and the limits.
    pub const fn elapsed(&self) -> Duration {
        Duration::from_nanos(self.elapsed_ns)
    }

    /// Whether the steps were [requested by hand](crate::Pacer::step_by_hand) while paused.
    pub const fn is_by_hand(&self) -> bool {
        self.by_hand
    }

    /// How many of the steps are [fast-forwarded](crate::Pacer::fast_forward).
    pub const fn fast_forwarded(&self) -> u32 {
        self.steps_ahead
    }

    /// The total time dropped in this frame.
    pub fn dropped(&self) -> Duration {
        let dropped_ns = [self.dropped_gap_ns, self.dropped_backlog_ns, self.dropped_steps_ns];
        dropped_ns.iter().map(|&nanos| Duration::from_nanos(nanos)).sum()
    }

    /// The time dropped in this frame for one reason.
    pub const fn dropped_by(&self, reason: DropReason) -> Duration {
        let stalled = matches!(self.outcome, Outcome::Stalled);
        Duration::from_nanos(match reason {
            DropReason::Stall if stalled => self.dropped_gap_ns,
            DropReason::Clamp if !stalled => self.dropped_gap_ns,
            DropReason::Backlog => self.dropped_backlog_ns,
            DropReason::Cap if !self.over_budget => self.dropped_steps_ns,
            DropReason::Budget if self.over_budget => self.dropped_steps_ns,
            _ => 0,
        })
    }

    /// The length of the gap in steps if it was a lag spike, otherwise 0.
    pub const fn missed(&self) -> u32 {
        self.missed
    }

    /// Returns the time at which a tick of this frame ends, on the clock of the timestamps. `tick` is one of
    /// [`Frame::ticks`].
    ///
    /// An event belongs to the first tick that does not end before it; [`InputLatch`](crate::InputLatch) implements
    /// this rule. With the display lock, ticks end relative to the refresh, but never after the frame. Steps by hand
    /// end with the frame.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::game_loop());
    /// pacer.frame(Duration::ZERO);
    /// let frame = pacer.frame(Duration::from_millis(60));
    /// assert_eq!(frame.tick_end(2), Duration::from_millis(50));
    /// ```
    pub const fn tick_end(&self, tick: u64) -> Duration {
        if self.by_hand || self.scale.0 == 0 {
            return self.now();
        }
        let after = self.ticks().end.saturating_sub(tick.saturating_add(1));
        let (nanos, per) = self.rate.step_nanos();
        let after_parts = self.pending_part as u128 + after as u128 * nanos as u128;
        let game_ns = self.pending_ns as u128 + after_parts / per as u128;
        let wall_ns = if game_ns > u64::MAX as u128 {
            i128::MAX
        } else {
            ((game_ns << 32) / self.scale.0 as u128) as i128
        };
        // The game is at the display's time, which differs from the timestamp by what the lock withholds.
        let before_ns = wall_ns.saturating_add(self.held_ns as i128);
        let end_ns = self.now_ns as i128 - if before_ns > 0 { before_ns } else { 0 };
        Duration::from_nanos(if end_ns > 0 { end_ns as u64 } else { 0 })
    }

    /// Explains the number of steps in one line.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::game_loop());
    /// pacer.frame(Duration::ZERO);
    /// assert_eq!(
    ///     pacer.frame(Duration::from_millis(40)).explain().to_string(),
    ///     "2 steps: 40.000 ms came on top of 0.000 ms waiting; at 16.667 ms a step they leave 6.667 ms (alpha 0.400)",
    /// );
    /// ```
    pub const fn explain(&self) -> Explanation {
        Explanation::of(*self)
    }

    /// The advance of the UI clock and wall timers: 0 for a stall and in a menu.
    pub(crate) const fn ui_ns(&self) -> u64 {
        match self.outcome {
            Outcome::Ran | Outcome::Paused | Outcome::Frozen => self.raw_ns,
            Outcome::Stalled | Outcome::Menu | Outcome::Skipped => 0,
        }
    }

    /// The time pending before this frame: spent, kept and dropped time minus what came in.
    const fn waited_ns(&self) -> u64 {
        let (nanos, per) = self.rate.step_nanos();
        let spent_ns = ((self.steps - self.steps_ahead) as u128 * nanos as u128 / per as u128) as u64;
        let after_ns = self.pending_ns.saturating_add(spent_ns);
        after_ns
            .saturating_add(self.dropped_backlog_ns)
            .saturating_add(self.dropped_steps_ns)
            .saturating_sub(self.scaled_ns)
    }
}
