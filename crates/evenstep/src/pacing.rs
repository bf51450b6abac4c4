//! The configuration: one type, four presets, and a builder.

mod profiles;

use core::ops::RangeInclusive;
use core::time::Duration;

use crate::lock::DisplayLock;
use crate::rate::Rate;
use crate::scale::{CHANNELS, Channel, ChannelRange};
#[cfg(feature = "serde")]
use crate::serial;

/// What happens to whole steps that exceed the step cap or the budget.
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Excess, Pacer, Pacing};
///
/// let ms = Duration::from_millis;
/// // Lockstep netplay must not lose a tick: what exceeds the cap runs in the next frame.
/// let mut pacer = Pacer::new(Pacing::hz(60).with_steps_max(2).with_excess(Excess::Carry));
/// pacer.frame(ms(0));
/// let steps = [100, 100, 100].map(|at| pacer.frame(ms(at)).steps());
/// assert_eq!(steps, [2, 2, 2]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Excess {
    /// Drops whole steps and keeps the remainder: the game loses time, but its phase relative to the display stays.
    /// The longest frame is then also cut by whole steps, and after a change of rate at most one new step is pending.
    KeepPhase,
    /// Drops everything pending, including the remainder, like the original Starship loop.
    Drain,
    /// Drops nothing: the steps run in later frames, up to the backlog ceiling. With a budget and without a ceiling,
    /// up to the longest frame.
    Carry,
}

/// How hit-freeze and hitstop combine with earlier effects.
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
///     pacer.set_scale(Channel::TIME_DILATION, 0.3); // Slow motion, set during the freeze.
///     pacer.frame(ms(10));
///     pacer.scale()
/// };
/// assert_eq!(dilation_after_a_freeze(Effects::Composed), 0.3);
/// assert_eq!(dilation_after_a_freeze(Effects::Classic), 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Effects {
    /// A hit-freeze leaves the time dilation alone, and a hitstop that would end before the current one is ignored.
    Composed,
    /// As in the original loops: the end of a hit-freeze returns the time dilation to its resting value, and a
    /// hitstop replaces the current one.
    Classic,
}

/// How a [`Pacer`](crate::Pacer) turns time into steps: a rate and its limits.
///
/// Start from the recommended [`Pacing::hz`] or from one of the original loops, and change what you need. Every
/// option has a builder and a getter:
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Pacing, Rate};
///
/// let pacing = Pacing::hz(60)
///     .with_stall(Duration::from_secs(1)) // Enable a limit,
///     .with_longest_frame(None)           // or disable it.
///     .with_draw_rate(Rate::hz(30));
/// assert_eq!(pacing.stall(), Some(Duration::from_secs(1)));
/// assert_eq!(pacing.longest_frame(), None);
/// assert_eq!(pacing.draw_rate(), Some(Rate::hz(30)));
/// ```
///
/// | | `hz(60)` | `starship` | `fixed_time_step` | `game_loop` |
/// |---|---|---|---|---|
/// | stall threshold | - | 0.2 s | - | - |
/// | longest frame | 0.25 s | 0.033 s | - | 0.25 s |
/// | backlog ceiling | - | 0.25 s | 5 steps | - |
/// | step cap at scale 1 | 0.25 s of steps | 4 | - | - |
/// | excess steps | dropped, phase kept | drained | | |
/// | freeze and hitstop | composed | classic | classic | classic |
/// | start phase | 7/8 of a step | 0 | 0 | 0 |
/// | display lock | follows | off | off | off |
///
/// No limit can block the game permanently: a backlog ceiling is at least two steps, the longest frame and the stall
/// threshold at least one.
///
/// With the feature `serde`, a configuration is a map of the options that differ from `hz(60)`, with the names of
/// [traces](https://docs.rs/evenstep-trace): `{"rate":{"ticks":30},"stall_ns":200000000}`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Pacing {
    pub(crate) rate: Rate,
    #[cfg_attr(feature = "serde", serde(rename = "stall_ns", with = "serial::optional_nanos"))]
    pub(crate) stall: Option<Duration>,
    #[cfg_attr(feature = "serde", serde(rename = "longest_frame_ns", with = "serial::optional_nanos"))]
    pub(crate) frame_longest: Option<Duration>,
    #[cfg_attr(feature = "serde", serde(rename = "backlog_ns", with = "serial::optional_nanos"))]
    pub(crate) backlog: Option<Duration>,
    pub(crate) backlog_steps: Option<u32>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serial::steps_max"))]
    pub(crate) steps_max: Option<u32>,
    pub(crate) excess: Excess,
    #[cfg_attr(feature = "serde", serde(rename = "budget_ns", with = "serial::optional_nanos"))]
    pub(crate) budget: Option<Duration>,
    pub(crate) effects: Effects,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serial::share"))]
    pub(crate) start_phase: f64,
    pub(crate) draw_rate: Option<Rate>,
    pub(crate) display_lock: DisplayLock,
    #[cfg_attr(feature = "serde", serde(with = "serial::channels"))]
    pub(crate) channels: [ChannelRange; CHANNELS],
}

impl Default for Pacing {
    /// Returns [`Pacing::hz(60)`](Pacing::hz).
    fn default() -> Self {
        Self::hz(60)
    }
}

/// Builders.
impl Pacing {
    /// Sets the rate of the simulation.
    ///
    /// All limits stay as they are, including the step cap. For the recommended loop at another rate use
    /// [`Pacing::at`].
    pub const fn with_rate(self, rate: Rate) -> Self {
        Self { rate, ..self }
    }

    /// Sets the stall threshold: a longer gap is dropped as a whole, together with all pending steps. `None` disables
    /// it.
    ///
    /// Values below one step count as one step. Keep it above the frame interval of the slowest display, or every
    /// frame there is a stall.
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

    /// Sets the longest frame: time beyond it is dropped. `None` disables it.
    ///
    /// Values below one step count as one step. Even without this limit, a frame counts for at most 2.4 hours.
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

    /// Sets how much game time may be pending; the rest is dropped. `None` disables the limit.
    ///
    /// Values below two steps count as two steps.
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

    /// Sets how many steps may be pending; the rest is dropped. `None` disables the limit.
    ///
    /// Values below two count as two.
    pub fn with_backlog_steps(self, ceiling: impl Into<Option<u32>>) -> Self {
        Self { backlog_steps: ceiling.into(), ..self }
    }

    /// Sets the step cap: a frame runs at most `base` steps, or `ceil(scale * base)` at scales above 1. `None`
    /// disables it.
    ///
    /// A base of 0 counts as 1: with 0 the game would never move.
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

    /// Sets what happens to steps that exceed the cap or the budget, and to the remainder when time is dropped.
    pub const fn with_excess(self, excess: Excess) -> Self {
        Self { excess, ..self }
    }

    /// Sets the wall-time budget of a frame: steps after the first must fit into it together with the drawing. `None`
    /// disables it.
    ///
    /// Costs are those last reported with [`Pacer::steps_done`](crate::Pacer::steps_done) and
    /// [`Pacer::draw_done`](crate::Pacer::draw_done); without reports the budget has no effect. The drawing counts in
    /// frames that are to be drawn, until one of them passes without a report.
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

    /// Sets how hit-freeze and hitstop combine with earlier effects.
    pub const fn with_effects(self, effects: Effects) -> Self {
        Self { effects, ..self }
    }

    /// Sets the share of a step that is pending when the clock starts.
    ///
    /// # Panics
    ///
    /// If `share` is not in 0 <= share < 1. In a const context, this is a compile-time error.
    pub const fn with_start_phase(self, share: f64) -> Self {
        assert!(0.0 <= share && share < 1.0, "the start phase is a share of a step: 0 <= share < 1");
        Self { start_phase: share, ..self }
    }

    /// Sets a limit on the draw rate, which [`Frame::should_draw`](crate::Frame::should_draw) applies. `None` draws
    /// every frame.
    ///
    /// A limit within 0.5 % of the display's rate is ignored, so no image is skipped there.
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

    /// Sets whether the pacer follows the display's refresh or the raw timestamps.
    pub const fn with_display_lock(self, display_lock: DisplayLock) -> Self {
        Self { display_lock, ..self }
    }

    /// Sets the range of a channel and its resting value, which is also its initial value.
    ///
    /// # Panics
    ///
    /// If the range exceeds `0..=1_000_000` or does not contain the resting value.
    pub fn with_channel(mut self, channel: Channel, range: RangeInclusive<f64>, resting: f64) -> Self {
        self.channels[channel.index()] = ChannelRange::new(&range, resting);
        self
    }
}

/// Getters; each option is described at its builder.
impl Pacing {
    /// The rate of the simulation.
    pub const fn rate(&self) -> Rate {
        self.rate
    }

    /// The stall threshold; see [`with_stall`](Self::with_stall).
    pub const fn stall(&self) -> Option<Duration> {
        self.stall
    }

    /// The longest frame; see [`with_longest_frame`](Self::with_longest_frame).
    pub const fn longest_frame(&self) -> Option<Duration> {
        self.frame_longest
    }

    /// The backlog ceiling as a time; see [`with_backlog`](Self::with_backlog).
    pub const fn backlog(&self) -> Option<Duration> {
        self.backlog
    }

    /// The backlog ceiling in steps; see [`with_backlog_steps`](Self::with_backlog_steps).
    pub const fn backlog_steps(&self) -> Option<u32> {
        self.backlog_steps
    }

    /// The step cap at scale 1; see [`with_steps_max`](Self::with_steps_max).
    pub const fn steps_max(&self) -> Option<u32> {
        self.steps_max
    }

    /// What happens to excess steps; see [`with_excess`](Self::with_excess).
    pub const fn excess(&self) -> Excess {
        self.excess
    }

    /// The wall-time budget of a frame; see [`with_budget`](Self::with_budget).
    pub const fn budget(&self) -> Option<Duration> {
        self.budget
    }

    /// How effects combine; see [`with_effects`](Self::with_effects).
    pub const fn effects(&self) -> Effects {
        self.effects
    }

    /// The share of a step pending at the start; see [`with_start_phase`](Self::with_start_phase).
    pub const fn start_phase(&self) -> f64 {
        self.start_phase
    }

    /// The limit on the draw rate; see [`with_draw_rate`](Self::with_draw_rate).
    pub const fn draw_rate(&self) -> Option<Rate> {
        self.draw_rate
    }

    /// The display lock; see [`with_display_lock`](Self::with_display_lock).
    pub const fn display_lock(&self) -> DisplayLock {
        self.display_lock
    }

    /// The range of a channel; see [`with_channel`](Self::with_channel).
    pub const fn channel_range(&self, channel: Channel) -> RangeInclusive<f64> {
        let range = &self.channels[channel.index()];
        range.min..=range.max
    }

    /// The resting value of a channel; see [`with_channel`](Self::with_channel).
    pub const fn channel_resting(&self, channel: Channel) -> f64 {
        self.channels[channel.index()].resting
    }
}
