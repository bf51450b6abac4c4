//! Ready-made configurations: the recommended loop, and three loops that people know, each with its constants.

use core::ops::RangeInclusive;
use core::time::Duration;

use super::{Effects, Excess, Pacing};
use crate::accumulator::Accumulator;
use crate::lock::DisplayLock;
use crate::rate::{Rate, to_nanos};
use crate::scale::{CHANNELS, Channel, ChannelRange};

/// The recommended loop.
impl Pacing {
    /// The largest change of speed a network peer may ask for, either way.
    pub const NUDGE_RANGE: RangeInclusive<f64> = 0.9..=1.1;

    /// The recommended loop at a whole rate: a display at 4 Hz or faster loses no time, and what is lost to longer frames
    /// is lost in whole steps, so the phase against the display stays.
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
    pub const fn hz(hz: u32) -> Self {
        Self::at(Rate::hz(hz))
    }

    /// The recommended loop at any rate. A frame counts for 0.25 s at most, or for two steps where they are longer.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{Pacing, Rate};
    ///
    /// const NTSC: Pacing = Pacing::at(Rate::new(60_000, 1_001));
    /// assert_eq!(NTSC.longest_frame(), Some(Duration::from_millis(250)));
    /// assert_eq!(Pacing::hz(1).longest_frame(), Some(Duration::from_secs(2)));
    /// ```
    pub const fn at(rate: Rate) -> Self {
        let steps = Accumulator::of_nanos(rate);
        let (two_steps_ns, usual_ns) = (steps.units_of(2), to_nanos(Self::MAX_FRAME_TIME));
        let longest_ns = if two_steps_ns > usual_ns { two_steps_ns } else { usual_ns };
        Self {
            frame_longest: Some(Duration::from_nanos(longest_ns)),
            // A frame of the longest length runs in full: the cap is for what comes on top of it.
            steps_max: Some(steps.steps_to_cover(longest_ns)),
            excess: Excess::KeepPhase,
            effects: Effects::Composed,
            // At least half a millisecond from the step boundary of every common display rate. From phase 0 a 60 Hz game on a
            // 60 Hz display stands on the boundary itself and the smallest noise makes it run 0 or 2 steps.
            start_phase: 0.875,
            display_lock: DisplayLock::Follow,
            ..Self::unlimited(rate)
        }
    }

    /// Every limit off: what the ready-made values switch on from.
    const fn unlimited(rate: Rate) -> Self {
        let mut channels = [ChannelRange::FREE; CHANNELS];
        channels[Channel::JUICE.index()] = ChannelRange::new(&Self::JUICE_RANGE, 1.0);
        channels[Channel::NETWORK_NUDGE.index()] = ChannelRange::new(&Self::NUDGE_RANGE, 1.0);
        Self {
            rate,
            stall: None,
            frame_longest: None,
            backlog: None,
            backlog_steps: None,
            steps_max: None,
            excess: Excess::Drain,
            budget: None,
            effects: Effects::Classic,
            start_phase: 0.0,
            draw_rate: None,
            display_lock: DisplayLock::Off,
            channels,
        }
    }
}

/// The original Starship loop.
impl Pacing {
    /// The rate of all three original loops unless told otherwise.
    pub const SIM_RATE: Rate = Rate::hz(60);
    /// The step of all three original loops in seconds, for code that wants a delta: 1/60.
    pub const SIM_DT: f64 = Self::SIM_RATE.step_secs();
    /// Steps that a frame may run at scale 1: 66.7 ms worth. [`RAW_DT_MAX`](Self::RAW_DT_MAX) keeps it out of reach.
    pub const MAX_STEPS_BASE: u32 = 4;
    /// The most time that may wait.
    pub const MAX_ACCUM: Duration = Duration::from_millis(250);
    /// The longest frame that counts in full. A 30 Hz display's 33.33 ms lie above it.
    pub const RAW_DT_MAX: Duration = Duration::from_millis(33);
    /// A gap longer than this is a tab switch, not a frame.
    pub const STALL: Duration = Duration::from_millis(200);
    /// What the juice channel is clamped to.
    pub const JUICE_RANGE: RangeInclusive<f64> = 0.1..=1.0;

    /// Starship Survivors' loop: 60 Hz, with its constants.
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
    pub const fn starship() -> Self {
        Self {
            stall: Some(Self::STALL),
            frame_longest: Some(Self::RAW_DT_MAX),
            backlog: Some(Self::MAX_ACCUM),
            steps_max: Some(Self::MAX_STEPS_BASE),
            ..Self::unlimited(Self::SIM_RATE)
        }
    }
}

/// The `FixedTimeStep` of the `JollyPixel` engine.
impl Pacing {
    /// How many steps of a `FixedTimeStep` may wait.
    pub const MAX_INTERVALS: u32 = 5;
    /// What [`with_fps`](Self::with_fps) clamps both of its rates to.
    pub const FPS_RANGE: RangeInclusive<u32> = 1..=60;

    /// `FixedTimeStep`: five intervals may wait, and the drawing rate has a limit of its own.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{Pacer, Pacing};
    ///
    /// let mut pacer = Pacer::new(Pacing::fixed_time_step());
    /// pacer.reset_frame_timing(Duration::ZERO);
    /// assert_eq!(pacer.frame(Duration::from_secs(3)).steps(), 5);
    /// ```
    pub const fn fixed_time_step() -> Self {
        Self {
            backlog_steps: Some(Self::MAX_INTERVALS),
            draw_rate: Some(Self::SIM_RATE),
            ..Self::unlimited(Self::SIM_RATE)
        }
    }

    /// Draws and steps at the rates that `setFps(render, fixed)` asks for, each clamped to 1..=60 and taken to a millionth
    /// of a hertz; without `fixed` both are `render`. NaN leaves a rate as it is.
    ///
    /// ```
    /// use evenstep::{Pacing, Rate};
    ///
    /// let pacing = Pacing::fixed_time_step().with_fps(30.0, 144.0);
    /// assert_eq!((pacing.draw_rate(), pacing.rate()), (Some(Rate::hz(30)), Rate::hz(60)));
    /// ```
    pub fn with_fps(self, render: f64, fixed: impl Into<Option<f64>>) -> Self {
        let clamped = |fps: f64| {
            let (least, most) = (*Self::FPS_RANGE.start(), *Self::FPS_RANGE.end());
            Rate::to_a_millionth(fps.clamp(least.into(), most.into()))
        };
        Self {
            draw_rate: clamped(render).or(self.draw_rate),
            rate: clamped(fixed.into().unwrap_or(render)).unwrap_or(self.rate),
            ..self
        }
    }
}

/// The classic `GameLoop` with hitstop and stats.
impl Pacing {
    /// The longest frame that counts in full, here and in the recommended loop.
    pub const MAX_FRAME_TIME: Duration = Duration::from_millis(250);

    /// `GameLoop`: a frame counts for 0.25 s at most.
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
    pub const fn game_loop() -> Self {
        Self { frame_longest: Some(Self::MAX_FRAME_TIME), ..Self::unlimited(Self::SIM_RATE) }
    }
}
