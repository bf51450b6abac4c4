//! The plan for one frame, and why it is what it is.

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
/// let mut pacer = Pacer::new(Pacing::hz(60));
/// pacer.set_gate(Gate::Paused);
/// assert_eq!(pacer.frame(Duration::ZERO).outcome(), Outcome::Paused);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The simulation ran, be it for no step at all; also when it was stepped by hand.
    Ran,
    /// The gap since the last frame was too long to be one and was dropped.
    Stalled,
    /// A menu held everything, the UI clock too.
    Menu,
    /// The simulation was paused; the UI clock ran on.
    Paused,
    /// A hit-freeze held the simulation; the UI clock ran on.
    Frozen,
    /// The timestamp was not a number; the frame was counted and nothing else happened.
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
    /// The gap was a stall, or waited when one came.
    Stall,
    /// The frame was longer than the longest that is believed.
    Clamp,
    /// More waited than the backlog ceiling lets wait.
    Backlog,
    /// More steps waited than the step cap lets run.
    Cap,
    /// More steps waited than fit into the wall-time budget.
    Budget,
    /// A reset of the frame timing found it waiting.
    Reset,
    /// It waited when the rate changed, and was more than one of the new steps.
    Rate,
}

impl DropReason {
    /// Every reason, in the order of the frame.
    ///
    /// ```
    /// use evenstep::{DropReason, Pacer, Pacing};
    ///
    /// let ledger = Pacer::new(Pacing::hz(60)).ledger();
    /// assert!(DropReason::ALL.iter().all(|&reason| ledger.dropped_ns(reason) == 0));
    /// ```
    pub const ALL: [Self; DROP_REASONS] =
        [Self::Stall, Self::Clamp, Self::Backlog, Self::Cap, Self::Budget, Self::Reset, Self::Rate];

    /// The reason in one lower-case word.
    ///
    /// ```
    /// assert_eq!(evenstep::DropReason::Cap.name(), "cap");
    /// ```
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

/// The plan for one frame: what [`Pacer::frame`](crate::Pacer::frame) answers and the caller carries out.
///
/// ```text
/// ticks     |---------|---------|---------|---------|
/// frames         |                 |           |
///                                  |<-- alpha of the way from the tick before last to the last one
/// ```
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Pacer, Pacing};
///
/// let mut pacer = Pacer::new(Pacing::hz(60));
/// let mut steps_run = 0;
/// for n in 0..60 {
///     let frame = pacer.frame(Duration::from_micros(16_667) * n);
///     for _tick in frame.ticks() {
///         steps_run += 1;
///     }
///     assert!((0.0..1.0).contains(&frame.alpha()));
/// }
/// assert_eq!(steps_run, pacer.tick());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    pub(crate) outcome: Outcome,
    pub(crate) should_draw: bool,
    pub(crate) over_budget: bool,
    pub(crate) by_hand: bool,
    pub(crate) steps: u32,
    // Of these, fast-forwarded: no passing time paid for them.
    pub(crate) steps_ahead: u32,
    pub(crate) missed: u32,
    pub(crate) rate: Rate,
    pub(crate) first_tick: u64,
    pub(crate) alpha: f64,
    pub(crate) scale: Scale,
    // All below in nanoseconds. `elapsed` is what the timestamps said, `advance` what the display lock made of it, `held`
    // what it withholds by now, `raw` what the limits left, `scaled` what that is in game time, `undrawn` the raw time since
    // the last frame to draw, `pending` what waits afterwards, with its fraction in the parts of the rate.
    pub(crate) now_ns: u64,
    pub(crate) elapsed_ns: u64,
    pub(crate) advance_ns: u64,
    pub(crate) held_ns: i64,
    pub(crate) raw_ns: u64,
    pub(crate) scaled_ns: u64,
    pub(crate) undrawn_ns: u64,
    pub(crate) pending_ns: u64,
    pub(crate) pending_part: u64,
    // Dropped by a stall, or by the clamp if there was none; by the backlog ceiling; by the cap or the budget.
    pub(crate) dropped_gap_ns: u64,
    pub(crate) dropped_backlog_ns: u64,
    pub(crate) dropped_steps_ns: u64,
}

impl Frame {
    /// What the frame did with its time.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Outcome, Pacer, Pacing};
    /// # let mut pacer = Pacer::new(Pacing::hz(60));
    /// assert_eq!(pacer.frame(Duration::ZERO).outcome(), Outcome::Ran);
    /// ```
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// How many steps to run now.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// # let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::ZERO);
    /// assert_eq!(pacer.frame(Duration::from_millis(50)).steps(), 3);
    /// ```
    pub const fn steps(&self) -> u32 {
        self.steps
    }

    /// The numbers of the ticks to run now, counted from 0 since the pacer began or was reset.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// # let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::ZERO);
    /// assert_eq!(pacer.frame(Duration::from_millis(50)).ticks(), 0..3);
    /// assert_eq!(pacer.frame(Duration::from_millis(70)).ticks(), 3..5);
    /// ```
    pub const fn ticks(&self) -> Range<u64> {
        self.first_tick..self.first_tick + self.steps as u64
    }

    /// The number of the first tick to run now, or of the next one when there is none.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// # let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::ZERO);
    /// pacer.frame(Duration::from_millis(50));
    /// assert_eq!(pacer.frame(Duration::from_millis(51)).first_tick(), 3);
    /// ```
    pub const fn first_tick(&self) -> u64 {
        self.first_tick
    }

    /// Where the display stands between the last two ticks: 0 <= alpha < 1.
    ///
    /// Casting it to `f32` may round up to 1.0, which interpolation takes in its stride.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// # let mut pacer = Pacer::new(Pacing::game_loop());
    /// pacer.frame(Duration::ZERO);
    /// assert_eq!(pacer.frame(Duration::from_millis(75)).alpha(), 0.5);
    /// ```
    pub const fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Whether to draw now, under the [draw rate](crate::Pacing::with_draw_rate) asked for.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing, Rate};
    /// let mut pacer = Pacer::new(Pacing::hz(60).with_draw_rate(Rate::hz(30)));
    /// let display = Rate::hz(60);
    /// let drawn = [0, 1, 2, 3].map(|n| pacer.frame(display.time_of(n)).should_draw());
    /// assert_eq!(drawn, [true, false, true, false]);
    /// ```
    pub const fn should_draw(&self) -> bool {
        self.should_draw
    }

    /// The game time that this frame's steps simulate: `steps` times the step, and 0 when nothing ran.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// # let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::ZERO);
    /// assert_eq!(pacer.frame(Duration::from_millis(50)).dt(), Duration::from_millis(50));
    /// ```
    pub const fn dt(&self) -> Duration {
        self.rate.time_of(self.steps as u64)
    }

    /// The frame's wall time after the limits and before any scale. 0 for a stall: that time was dropped.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::starship());
    /// pacer.frame(Duration::ZERO);
    /// assert_eq!(pacer.frame(Duration::from_millis(40)).raw_dt(), Duration::from_millis(33));
    /// ```
    pub const fn raw_dt(&self) -> Duration {
        Duration::from_nanos(self.raw_ns)
    }

    /// The frame's wall time after the limits and the scale: how far game time moved, for what is animated per frame.
    /// 0 when the simulation was held.
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

    /// The wall time since the last frame that [asked to be drawn](Self::should_draw), after the limits: the delta of a
    /// renderer that skips frames.
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

    /// The speed that this frame ran at: game seconds per wall second.
    pub const fn scale(&self) -> f64 {
        self.scale.as_f64()
    }

    /// The instant that this frame was planned at: its timestamp, or the latest one where the display lock took a small step
    /// back for noise. A [skipped](Outcome::Skipped) frame has the last one's.
    pub const fn now(&self) -> Duration {
        Duration::from_nanos(self.now_ns)
    }

    /// The time since the last timestamp, before the display lock and the limits.
    pub const fn elapsed(&self) -> Duration {
        Duration::from_nanos(self.elapsed_ns)
    }

    /// Whether the steps were [asked for by hand](crate::Pacer::step_by_hand) while paused.
    pub const fn is_by_hand(&self) -> bool {
        self.by_hand
    }

    /// How many of the steps were [fast-forwarded](crate::Pacer::fast_forward).
    pub const fn fast_forwarded(&self) -> u32 {
        self.steps_ahead
    }

    /// All the time that this frame refused to simulate.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::starship());
    /// pacer.frame(Duration::ZERO);
    /// assert_eq!(pacer.frame(Duration::from_millis(40)).dropped(), Duration::from_millis(7));
    /// ```
    pub fn dropped(&self) -> Duration {
        let dropped_ns = [self.dropped_gap_ns, self.dropped_backlog_ns, self.dropped_steps_ns];
        dropped_ns.iter().map(|&nanos| Duration::from_nanos(nanos)).sum()
    }

    /// The time that this frame refused to simulate for one reason.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{DropReason, Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::starship());
    /// pacer.frame(Duration::ZERO);
    /// let frame = pacer.frame(Duration::from_secs(3));
    /// assert_eq!(frame.dropped_by(DropReason::Stall), Duration::from_secs(3));
    /// ```
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

    /// How many steps long the gap was, if it was a lag spike, and 0 if it was none.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::game_loop());
    /// pacer.frame(Duration::ZERO);
    /// assert_eq!(pacer.frame(Duration::from_millis(500)).missed(), 30);
    /// ```
    pub const fn missed(&self) -> u32 {
        self.missed
    }

    /// The host instant at which one of this frame's ticks ends; `tick` counts as [`Frame::ticks`] does.
    ///
    /// An event belongs to the first tick that does not end before it; [`InputLatch`](crate::InputLatch) does this.
    /// Ticks end where the display lock puts them, and never after the frame itself. Steps by hand end with the frame.
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
        // The game stands at the display's instant, which what is held lies before the timestamp or after it.
        let before_ns = wall_ns.saturating_add(self.held_ns as i128);
        let end_ns = self.now_ns as i128 - if before_ns > 0 { before_ns } else { 0 };
        Duration::from_nanos(if end_ns > 0 { end_ns as u64 } else { 0 })
    }

    /// One line that answers "why 0 or 2 steps?".
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

    /// How far the UI clock and wall timers move: a stall has no time and a menu holds them.
    pub(crate) const fn ui_ns(&self) -> u64 {
        match self.outcome {
            Outcome::Ran | Outcome::Paused | Outcome::Frozen => self.raw_ns,
            Outcome::Stalled | Outcome::Menu | Outcome::Skipped => 0,
        }
    }

    /// What waited before this frame: what it spent, kept and dropped, less what came in.
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
