//! The configuration: one type, four ready-made values, a builder for the rest.

mod profiles;

use core::ops::RangeInclusive;
use core::time::Duration;

use crate::lock::DisplayLock;
use crate::rate::Rate;
use crate::scale::{CHANNELS, Channel, ChannelRange};

/// What becomes of the whole steps that the step cap or the budget refuses.
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Excess, Pacer, Pacing};
///
/// let ms = Duration::from_millis;
/// // Lockstep netplay must not lose a tick: what does not fit into this frame runs in the next.
/// let mut pacer = Pacer::new(Pacing::hz(60).with_steps_max(2).with_excess(Excess::Carry));
/// pacer.frame(ms(0));
/// let steps = [100, 100, 100].map(|at| pacer.frame(ms(at)).steps());
/// assert_eq!(steps, [2, 2, 2]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// Drop whole steps and keep the fraction: the game loses time, its phase against the display does not move. The
    /// longest frame cuts whole steps off, too, and a change of rate leaves one new step waiting at most.
    KeepPhase,
    /// Drop everything that waits, the fraction too, as the original Starship loop does.
    Drain,
    /// Drop nothing: the steps wait for the next frame, up to the backlog ceiling. With a budget and no ceiling, up to
    /// the longest frame.
    Carry,
}

/// How hit-freeze and hitstop treat what the game asked for before.
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Channel, Effects, Pacer, Pacing};
///
/// let ms = Duration::from_millis;
/// let dilation_after_a_freeze = |effects| {
///     let mut pacer = Pacer::new(Pacing::hz(60).with_effects(effects));
///     pacer.frame(ms(0));
///     pacer.hit_freeze(ms(10));
///     pacer.set_scale(Channel::TIME_DILATION, 0.3); // Slow motion, asked for during the freeze.
///     pacer.frame(ms(10));
///     pacer.scale()
/// };
/// assert_eq!(dilation_after_a_freeze(Effects::Composed), 0.3);
/// assert_eq!(dilation_after_a_freeze(Effects::Classic), 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effects {
    /// A hit-freeze leaves the time dilation alone, and a hitstop that would end before the one under way is ignored.
    Composed,
    /// As in the original loops: the end of a hit-freeze returns the time dilation to its resting value, and a hitstop
    /// replaces the one under way.
    Classic,
}

/// How a [`Pacer`](crate::Pacer) turns time into steps: a rate and the limits around it.
///
/// Start from [`Pacing::hz`], the recommended one, or from one of the original loops', and change what you need. Every
/// option has a builder and a getter:
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Pacing, Rate};
///
/// const PACING: Pacing = Pacing::hz(60);
/// let pacing = PACING
///     .with_stall(Duration::from_secs(1))            // Switch a limit on,
///     .with_longest_frame(None)                      // or off.
///     .with_draw_rate(Rate::hz(30));
/// assert_eq!(pacing.draw_rate(), Some(Rate::hz(30)));
/// ```
///
/// | | `hz(60)` | `starship` | `fixed_time_step` | `game_loop` |
/// |---|---|---|---|---|
/// | a gap that is dropped whole | - | above 0.2 s | - | - |
/// | longest frame | 0.25 s | 0.033 s | - | 0.25 s |
/// | backlog ceiling | - | 0.25 s | 5 steps | - |
/// | step cap at scale 1 | 0.25 s of steps | 4 | - | - |
/// | what the cap refuses | keeps its phase | drained | | |
/// | freeze and hitstop | composed | classic | classic | classic |
/// | first phase | 7/8 of a step | 0 | 0 | 0 |
/// | display lock | follows | off | off | off |
///
/// No limit holds the game for ever: a backlog ceiling counts as two steps at least, the longest frame and the stall
/// threshold as one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pacing {
    pub(crate) rate: Rate,
    pub(crate) stall: Option<Duration>,
    pub(crate) frame_longest: Option<Duration>,
    pub(crate) backlog: Option<Duration>,
    pub(crate) backlog_steps: Option<u32>,
    pub(crate) steps_max: Option<u32>,
    pub(crate) excess: Excess,
    pub(crate) budget: Option<Duration>,
    pub(crate) effects: Effects,
    pub(crate) start_phase: f64,
    pub(crate) draw_rate: Option<Rate>,
    pub(crate) display_lock: DisplayLock,
    pub(crate) channels: [ChannelRange; CHANNELS],
}

impl Default for Pacing {
    /// The recommended loop at 60 Hz.
    fn default() -> Self {
        Self::hz(60)
    }
}

/// The options.
impl Pacing {
    /// Steps at another rate; limits given in time or in steps stay as they are, the step cap too. The recommended loop at
    /// another rate is [`Pacing::at`].
    ///
    /// ```
    /// use evenstep::{Pacing, Rate};
    ///
    /// let ntsc = Pacing::game_loop().with_rate(Rate::new(60_000, 1_001));
    /// assert_eq!(ntsc.rate().as_hz().round(), 60.0);
    /// ```
    pub const fn with_rate(self, rate: Rate) -> Self {
        Self { rate, ..self }
    }

    /// A longer gap than this is dropped whole, with all that waits; `None`: none is. At least one step.
    ///
    /// Keep it above the interval of the slowest display, which the pacer cannot know: a threshold below it would drop
    /// every frame.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{Outcome, Pacer, Pacing};
    ///
    /// let mut pacer = Pacer::new(Pacing::hz(60).with_stall(Duration::from_secs(1)));
    /// pacer.frame(Duration::ZERO);
    /// assert_eq!(pacer.frame(Duration::from_secs(2)).outcome(), Outcome::Stalled);
    /// ```
    pub fn with_stall(self, longer_than: impl Into<Option<Duration>>) -> Self {
        Self { stall: longer_than.into(), ..self }
    }

    /// A frame counts for this much at most; `None`: for all of it. At least one step.
    ///
    /// Even without a limit no frame counts for more than 2.4 hours.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{Pacer, Pacing};
    ///
    /// let mut pacer = Pacer::new(Pacing::game_loop().with_longest_frame(Duration::from_millis(100)));
    /// pacer.frame(Duration::ZERO);
    /// assert_eq!(pacer.frame(Duration::from_secs(2)).raw_dt(), Duration::from_millis(100));
    /// ```
    pub fn with_longest_frame(self, longest: impl Into<Option<Duration>>) -> Self {
        Self { frame_longest: longest.into(), ..self }
    }

    /// At most this much game time waits to be simulated, or two steps if they are longer; `None`: no ceiling in time.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{DropReason, Pacer, Pacing};
    ///
    /// let ms = Duration::from_millis;
    /// let mut pacer = Pacer::new(Pacing::game_loop().with_backlog(ms(100)));
    /// pacer.frame(ms(0));
    /// assert_eq!(pacer.frame(ms(150)).dropped_by(DropReason::Backlog), ms(50));
    /// ```
    pub fn with_backlog(self, ceiling: impl Into<Option<Duration>>) -> Self {
        Self { backlog: ceiling.into(), ..self }
    }

    /// At most this many steps wait to be simulated, and never fewer than two; `None`: no ceiling in steps.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{Pacer, Pacing};
    ///
    /// let mut pacer = Pacer::new(Pacing::game_loop().with_backlog_steps(3));
    /// pacer.frame(Duration::ZERO);
    /// assert_eq!(pacer.frame(Duration::from_millis(200)).steps(), 3);
    /// ```
    pub fn with_backlog_steps(self, ceiling: impl Into<Option<u32>>) -> Self {
        Self { backlog_steps: ceiling.into(), ..self }
    }

    /// A frame runs `base` steps at most, and `ceil(scale * base)` when the scale is above 1; `None`: no cap.
    ///
    /// A base of 0 counts as 1, or the game would never move.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{Pacer, Pacing};
    ///
    /// let mut pacer = Pacer::new(Pacing::hz(60).with_steps_max(8));
    /// pacer.frame(Duration::ZERO);
    /// assert_eq!(pacer.frame(Duration::from_millis(200)).steps(), 8);
    /// ```
    pub fn with_steps_max(self, base: impl Into<Option<u32>>) -> Self {
        Self { steps_max: base.into().map(|base| base.max(1)), ..self }
    }

    /// What becomes of the steps that the cap or the budget refuses, and of the fraction when time is dropped.
    pub const fn with_excess(self, excess: Excess) -> Self {
        Self { excess, ..self }
    }

    /// Steps beyond a frame's first must fit, together with the drawing, into this much wall time, by the costs that the
    /// caller last reported.
    ///
    /// Without reports ([`Pacer::steps_done`](crate::Pacer::steps_done), [`Pacer::draw_done`](crate::Pacer::draw_done))
    /// there is nothing to go by and nothing is held back. A drawing counts against frames that are to be drawn, until one
    /// of them goes by without a report.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{Pacer, Pacing};
    ///
    /// let ms = Duration::from_millis;
    /// let mut pacer = Pacer::new(Pacing::hz(60).with_budget(ms(10)));
    /// pacer.frame(ms(0));
    /// assert_eq!(pacer.frame(ms(20)).steps(), 2);
    /// pacer.steps_done(ms(30)); // 5 ms each: two fit into the budget.
    /// assert_eq!(pacer.frame(ms(100)).steps(), 2);
    /// ```
    pub fn with_budget(self, budget: impl Into<Option<Duration>>) -> Self {
        Self { budget: budget.into(), ..self }
    }

    /// How hit-freeze and hitstop treat what the game asked for before.
    pub const fn with_effects(self, effects: Effects) -> Self {
        Self { effects, ..self }
    }

    /// How much of a step waits when the clock starts: 0 is none of it.
    ///
    /// # Panics
    ///
    /// If `share` lies outside 0 <= share < 1; in a constant, at compile time.
    ///
    /// ```
    /// use evenstep::{Pacer, Pacing};
    ///
    /// let pacer = Pacer::new(Pacing::hz(100).with_start_phase(0.5));
    /// assert_eq!(pacer.alpha(), 0.5);
    /// ```
    pub const fn with_start_phase(self, share: f64) -> Self {
        assert!(0.0 <= share && share < 1.0, "a start phase is a share of a step: 0 <= share < 1");
        Self { start_phase: share, ..self }
    }

    /// [`Frame::should_draw`](crate::Frame::should_draw) asks for an image at most this often; `None`: on every frame. A
    /// limit within 0.5 % of the display's own rate is no limit: no image is skipped there.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{Pacer, Pacing, Rate};
    ///
    /// let mut pacer = Pacer::new(Pacing::hz(60).with_draw_rate(Rate::hz(60)));
    /// let display = Rate::hz(144);
    /// let drawn = (0..1_440).filter(|&n| pacer.frame(display.time_of(n)).should_draw()).count();
    /// assert_eq!(drawn, 600, "60.0 a second, not 48");
    /// ```
    pub fn with_draw_rate(self, rate: impl Into<Option<Rate>>) -> Self {
        Self { draw_rate: rate.into(), ..self }
    }

    /// Whether the pacer follows the display's refresh instead of the noisy timestamps.
    pub const fn with_display_lock(self, display_lock: DisplayLock) -> Self {
        Self { display_lock, ..self }
    }

    /// What a channel is clamped to and what it starts from and returns to.
    ///
    /// # Panics
    ///
    /// If the range leaves `0..=1_000_000` or does not hold the resting value.
    ///
    /// ```
    /// use evenstep::{Channel, Pacer, Pacing};
    ///
    /// let half_speed_game = Pacing::hz(60).with_channel(Channel::LEVEL_SPEED, 0.0..=2.0, 0.5);
    /// assert_eq!(Pacer::new(half_speed_game).scale(), 0.5);
    /// ```
    pub fn with_channel(mut self, channel: Channel, range: RangeInclusive<f64>, resting: f64) -> Self {
        self.channels[channel.index()] = ChannelRange::new(&range, resting);
        self
    }
}

/// What the options are set to; each is described at its builder.
impl Pacing {
    /// The simulation's rate.
    pub const fn rate(&self) -> Rate {
        self.rate
    }

    /// The gap above which time is dropped whole: [`with_stall`](Self::with_stall).
    pub const fn stall(&self) -> Option<Duration> {
        self.stall
    }

    /// The most that a frame counts for: [`with_longest_frame`](Self::with_longest_frame).
    pub const fn longest_frame(&self) -> Option<Duration> {
        self.frame_longest
    }

    /// The ceiling of what waits, in time: [`with_backlog`](Self::with_backlog).
    pub const fn backlog(&self) -> Option<Duration> {
        self.backlog
    }

    /// The ceiling of what waits, in steps: [`with_backlog_steps`](Self::with_backlog_steps).
    pub const fn backlog_steps(&self) -> Option<u32> {
        self.backlog_steps
    }

    /// The step cap at scale 1: [`with_steps_max`](Self::with_steps_max).
    pub const fn steps_max(&self) -> Option<u32> {
        self.steps_max
    }

    /// What becomes of refused steps: [`with_excess`](Self::with_excess).
    pub const fn excess(&self) -> Excess {
        self.excess
    }

    /// The wall time for steps and drawing: [`with_budget`](Self::with_budget).
    pub const fn budget(&self) -> Option<Duration> {
        self.budget
    }

    /// How hit-freeze and hitstop behave: [`with_effects`](Self::with_effects).
    pub const fn effects(&self) -> Effects {
        self.effects
    }

    /// The share of a step that waits at the start: [`with_start_phase`](Self::with_start_phase).
    pub const fn start_phase(&self) -> f64 {
        self.start_phase
    }

    /// The limit on the drawing rate: [`with_draw_rate`](Self::with_draw_rate).
    pub const fn draw_rate(&self) -> Option<Rate> {
        self.draw_rate
    }

    /// Whether the display's refresh is followed: [`with_display_lock`](Self::with_display_lock).
    pub const fn display_lock(&self) -> DisplayLock {
        self.display_lock
    }

    /// What a channel is clamped to: [`with_channel`](Self::with_channel).
    pub const fn channel_range(&self, channel: Channel) -> RangeInclusive<f64> {
        let range = &self.channels[channel.index()];
        range.min..=range.max
    }

    /// What a channel starts from and returns to: [`with_channel`](Self::with_channel).
    pub const fn channel_resting(&self, channel: Channel) -> f64 {
        self.channels[channel.index()].resting
    }
}
