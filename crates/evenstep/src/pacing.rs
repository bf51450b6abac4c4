//! The configuration: one type, four ready-made values, a builder for the rest.

use core::ops::RangeInclusive;
use core::time::Duration;

use crate::accumulator::Accumulator;
use crate::lock::DisplayLock;
use crate::rate::{Rate, to_nanos};
use crate::scale::{CHANNELS, Channel, ChannelRange};

/// What becomes of the whole steps that the step cap or the budget refuses.
///
/// ```
/// use evenstep::{Excess, Pacing};
///
/// let lockstep = Pacing::hz(60).with_excess(Excess::Carry);
/// assert_ne!(lockstep, Pacing::hz(60));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// Drop the whole steps and keep the fraction: the game loses time, its phase against the display does not jump.
    KeepPhase,
    /// Drop everything that waits, the fraction too, as seeds 000 and 001 do.
    Drain,
    /// Drop nothing: the steps wait for the next frame, up to the backlog ceiling.
    Carry,
}

/// How a [`Pacer`](crate::Pacer) turns time into steps: a rate and the limits around it.
///
/// Start from [`Pacing::hz`], the recommended one, or from a seed loop's, and change what you need:
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Pacing, Rate};
///
/// let pacing = Pacing::hz(60)
///     .with_stall(Duration::from_secs(1))            // Switch a limit on,
///     .with_longest_frame(None)                      // or off.
///     .with_draw_rate(Rate::hz(30));
/// ```
///
/// | | `hz(60)` | `starship` | `fixed_time_step` | `game_loop` |
/// |---|---|---|---|---|
/// | a gap that is dropped whole | - | above 0.2 s | - | - |
/// | longest frame | 0.25 s | 0.033 s | - | 0.25 s |
/// | backlog ceiling | - | 0.25 s | 5 steps | - |
/// | step cap at scale 1 | 0.25 s of steps | 4 | - | - |
/// | what the cap refuses | keeps its phase | drained | | |
/// | first phase | 7/8 of a step | 0 | 0 | 0 |
/// | display lock | follows | off | off | off |
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
    pub(crate) start_phase_eighths: u8,
    pub(crate) draw_rate: Option<Rate>,
    pub(crate) display_lock: DisplayLock,
    pub(crate) channels: [ChannelRange; CHANNELS],
}

impl Pacing {
    /// The rate of all seed loops unless told otherwise.
    pub const SIM_RATE: Rate = Rate::hz(60);
    /// The step of all seed loops in seconds, for code that wants a delta: 1/60.
    pub const SIM_DT: f64 = Self::SIM_RATE.step_secs();
    /// Seeds 000 and 001: steps a frame may run at scale 1, 60 ms worth, enough for a phone at 15 frames a second.
    pub const MAX_STEPS_BASE: u32 = 4;
    /// Seeds 000 and 001: the most time that may wait.
    pub const MAX_ACCUM: Duration = Duration::from_millis(250);
    /// Seeds 000 and 001: the longest frame that is believed. A 30 Hz display's 33.33 ms lie above it.
    pub const RAW_DT_MAX: Duration = Duration::from_millis(33);
    /// Seeds 000 and 001: a gap longer than this is a tab switch, not a frame.
    pub const STALL: Duration = Duration::from_millis(200);
    /// Seeds 000 and 001: what the juice channel may say.
    pub const JUICE_RANGE: RangeInclusive<f64> = 0.1..=1.0;
    /// The largest change of speed a network peer may ask for, either way.
    pub const NUDGE_RANGE: RangeInclusive<f64> = 0.9..=1.1;
    /// Seed 002: how many steps may wait.
    pub const MAX_INTERVALS: u32 = 5;
    /// Seed 002: what `setFps` clamps both of its rates to.
    pub const FPS_RANGE: RangeInclusive<u32> = 1..=60;
    /// Seed 003 and [`Pacing::hz`]: the longest frame that is believed.
    pub const MAX_FRAME_TIME: Duration = Duration::from_millis(250);

    /// The recommended loop at a whole rate: time is kept at any display rate down to 4 Hz, and phase always.
    ///
    /// # Panics
    ///
    /// If [`Rate::hz`] does.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{Pacer, Pacing};
    ///
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.reset_frame_timing(Duration::ZERO);
    /// let steps: u32 = (1..=30).map(|n| pacer.frame(Duration::from_secs(n) / 30).steps()).sum();
    /// assert_eq!(steps, 60, "a 30 Hz display loses nothing");
    /// ```
    pub fn hz(hz: u32) -> Self {
        Self::at(Rate::hz(hz))
    }

    /// The recommended loop at any rate.
    ///
    /// ```
    /// use evenstep::{Pacing, Rate};
    ///
    /// const NTSC: Rate = Rate::new(60_000, 1_001);
    /// assert_eq!(Pacing::at(NTSC).rate(), NTSC);
    /// assert_eq!(Pacing::at(Rate::hz(60)), Pacing::hz(60));
    /// ```
    pub fn at(rate: Rate) -> Self {
        Self {
            frame_longest: Some(Self::MAX_FRAME_TIME),
            // A frame of the longest length runs in full: the cap is for what comes on top of it.
            steps_max: Some(Accumulator::of_nanos(rate).steps_to_cover(to_nanos(Self::MAX_FRAME_TIME))),
            excess: Excess::KeepPhase,
            // At least half a millisecond from the step boundary of every common display rate. From phase 0 a 60 Hz game on a
            // 60 Hz display stands on the boundary itself and the smallest noise makes it run 0 or 2 steps.
            start_phase_eighths: 7,
            display_lock: DisplayLock::Follow,
            ..Self::unlimited(rate)
        }
    }

    /// Seeds 000 and 001, Starship Survivors: 60 Hz, with their constants.
    ///
    /// Its 33 ms frame limit lies below the 33.33 ms of a 30 Hz display, so there the game runs 1 % slow, as the
    /// original does. [`Pacing::hz`] does not.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{Outcome, Pacer, Pacing};
    ///
    /// let mut pacer = Pacer::new(Pacing::starship());
    /// pacer.reset_frame_timing(Duration::ZERO);
    /// assert_eq!(pacer.frame(Duration::from_millis(201)).outcome(), Outcome::Stalled);
    /// ```
    pub fn starship() -> Self {
        Self {
            stall: Some(Self::STALL),
            frame_longest: Some(Self::RAW_DT_MAX),
            backlog: Some(Self::MAX_ACCUM),
            steps_max: Some(Self::MAX_STEPS_BASE),
            ..Self::unlimited(Self::SIM_RATE)
        }
    }

    /// Seed 002, `FixedTimeStep`: five intervals may wait, and the drawing rate has a limit of its own.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{Pacer, Pacing};
    ///
    /// let mut pacer = Pacer::new(Pacing::fixed_time_step());
    /// pacer.reset_frame_timing(Duration::ZERO);
    /// assert_eq!(pacer.frame(Duration::from_secs(3)).steps(), 5);
    /// ```
    pub fn fixed_time_step() -> Self {
        Self {
            backlog_steps: Some(Self::MAX_INTERVALS),
            draw_rate: Some(Self::SIM_RATE),
            ..Self::unlimited(Self::SIM_RATE)
        }
    }

    /// Seed 003, the `GameLoop` with hitstop and stats: a frame counts for 0.25 s at most.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{Pacer, Pacing};
    ///
    /// let mut pacer = Pacer::new(Pacing::game_loop());
    /// pacer.reset_frame_timing(Duration::ZERO);
    /// assert_eq!(pacer.frame(Duration::from_secs(3)).steps(), 15);
    /// assert_eq!(pacer.stats().lag_spikes(), 1);
    /// ```
    pub fn game_loop() -> Self {
        Self { frame_longest: Some(Self::MAX_FRAME_TIME), ..Self::unlimited(Self::SIM_RATE) }
    }

    /// Every limit off: what the ready-made values switch on from.
    fn unlimited(rate: Rate) -> Self {
        let mut channels = [ChannelRange::FREE; CHANNELS];
        channels[Channel::JUICE.index()] = ChannelRange::new(Self::JUICE_RANGE, 1.0);
        channels[Channel::NETWORK_NUDGE.index()] = ChannelRange::new(Self::NUDGE_RANGE, 1.0);
        Self {
            rate,
            stall: None,
            frame_longest: None,
            backlog: None,
            backlog_steps: None,
            steps_max: None,
            excess: Excess::Drain,
            budget: None,
            start_phase_eighths: 0,
            draw_rate: None,
            display_lock: DisplayLock::Off,
            channels,
        }
    }

    /// The simulation's rate.
    ///
    /// ```
    /// use evenstep::{Pacing, Rate};
    ///
    /// assert_eq!(Pacing::hz(30).rate(), Rate::hz(30));
    /// ```
    pub const fn rate(&self) -> Rate {
        self.rate
    }

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

    /// A longer gap than this is dropped whole, with all that waits; `None`: none is.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::Pacing;
    ///
    /// let patient = Pacing::starship().with_stall(Duration::from_secs(1));
    /// let believing = Pacing::starship().with_stall(None);
    /// assert_ne!(patient, believing);
    /// ```
    pub fn with_stall(self, longer_than: impl Into<Option<Duration>>) -> Self {
        Self { stall: longer_than.into(), ..self }
    }

    /// A frame counts for this much at most; `None`: for all of it.
    ///
    /// Even without a limit no frame counts for more than 18 minutes, the most that the core's integers scale.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::Pacing;
    ///
    /// let pacing = Pacing::hz(60).with_longest_frame(Duration::from_millis(100));
    /// assert_ne!(pacing, Pacing::hz(60));
    /// ```
    pub fn with_longest_frame(self, longest: impl Into<Option<Duration>>) -> Self {
        Self { frame_longest: longest.into(), ..self }
    }

    /// At most this much game time waits to be simulated; `None`: no ceiling in time.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::Pacing;
    ///
    /// let pacing = Pacing::hz(60).with_backlog(Duration::from_millis(250));
    /// assert_ne!(pacing, Pacing::hz(60));
    /// ```
    pub fn with_backlog(self, ceiling: impl Into<Option<Duration>>) -> Self {
        Self { backlog: ceiling.into(), ..self }
    }

    /// At most this many steps wait to be simulated; `None`: no ceiling in steps.
    ///
    /// ```
    /// use evenstep::Pacing;
    ///
    /// let pacing = Pacing::hz(60).with_backlog_steps(5);
    /// assert_ne!(pacing, Pacing::hz(60));
    /// ```
    pub fn with_backlog_steps(self, ceiling: impl Into<Option<u32>>) -> Self {
        Self { backlog_steps: ceiling.into(), ..self }
    }

    /// A frame runs `base` steps at most, and `ceil(scale * base)` when the scale is above 1; `None`: no cap.
    ///
    /// A base of 0 counts as 1, or the game would never move.
    ///
    /// ```
    /// use evenstep::Pacing;
    ///
    /// let pacing = Pacing::hz(60).with_steps_max(8);
    /// assert_ne!(pacing, Pacing::hz(60));
    /// ```
    pub fn with_steps_max(self, base: impl Into<Option<u32>>) -> Self {
        Self { steps_max: base.into().map(|base| base.max(1)), ..self }
    }

    /// What becomes of the steps that the cap or the budget refuses, and of the fraction when a stall drops time.
    ///
    /// ```
    /// use evenstep::{Excess, Pacing};
    ///
    /// let pacing = Pacing::hz(60).with_excess(Excess::Carry).with_backlog_steps(30);
    /// assert_ne!(pacing, Pacing::hz(60));
    /// ```
    pub const fn with_excess(self, excess: Excess) -> Self {
        Self { excess, ..self }
    }

    /// Steps beyond a frame's first must fit, together with the drawing, into this much wall time, by the costs that the
    /// caller last reported.
    ///
    /// Without reports ([`Pacer::steps_done`](crate::Pacer::steps_done), [`Pacer::draw_done`](crate::Pacer::draw_done))
    /// there is nothing to go by and nothing is held back.
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

    /// [`Frame::should_draw`](crate::Frame::should_draw) asks for an image at most this often; `None`: on every frame.
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
    ///
    /// ```
    /// use evenstep::{DisplayLock, Pacing};
    ///
    /// let arcade = Pacing::hz(60).with_display_lock(DisplayLock::RateLock);
    /// assert_ne!(arcade, Pacing::hz(60));
    /// ```
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
        self.channels[channel.index()] = ChannelRange::new(range, resting);
        self
    }

    /// A gap longer than this is a lag spike: where time is dropped or, failing that, cut short.
    pub(crate) fn spike_nanos(&self) -> u64 {
        self.stall.or(self.frame_longest).map_or(u64::MAX, to_nanos)
    }
}
