//! Presets: the recommended loop and the three original loops with their constants.

use core::ops::RangeInclusive;
use core::time::Duration;

use super::{Effects, Excess, Pacing};
use crate::accumulator::Accumulator;
use crate::classic;
use crate::lock::DisplayLock;
use crate::rate::{Rate, to_nanos};
use crate::scale::{CHANNELS, Channel, ChannelRange};

/// The recommended loop.
impl Pacing {
    /// The range of [`Channel::NETWORK_NUDGE`].
    pub const NUDGE_RANGE: RangeInclusive<f64> = 0.9..=1.1;

    /// Creates the recommended configuration at a whole rate.
    ///
    /// Displays at 4 Hz or faster lose no time. Longer frames lose whole steps, so the phase relative to the display
    /// stays.
    ///
    /// # Panics
    ///
    /// If [`Rate::hz`] panics.
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

    /// Creates the recommended configuration at any rate.
    ///
    /// A frame counts for at most 0.25 s, or for two steps if that is longer.
    pub const fn at(rate: Rate) -> Self {
        let steps = Accumulator::of_nanos(rate);
        let two_steps_ns = steps.units_of(2);
        let usual_ns = to_nanos(classic::MAX_FRAME_TIME);
        let longest_ns = if two_steps_ns > usual_ns { two_steps_ns } else { usual_ns };
        Self {
            frame_longest: Some(Duration::from_nanos(longest_ns)),
            // The longest frame runs in full: the cap only applies to what comes on top of it.
            steps_max: Some(steps.steps_to_cover(longest_ns)),
            excess: Excess::KeepPhase,
            effects: Effects::Composed,
            // At least half a millisecond from the step boundary at every common display rate. From phase 0, a
            // 60 Hz game on a 60 Hz display sits on the boundary, where the slightest noise gives 0 or 2 steps.
            start_phase: 0.875,
            display_lock: DisplayLock::Follow,
            ..Self::unlimited(rate)
        }
    }

    /// Everything off: the base of the presets.
    const fn unlimited(rate: Rate) -> Self {
        let mut channels = [ChannelRange::FREE; CHANNELS];
        channels[Channel::JUICE.index()] = ChannelRange::new(&classic::JUICE_RANGE, 1.0);
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
    /// Creates the configuration of the original Starship loop: 60 Hz, with its constants.
    ///
    /// Its longest frame of 33 ms is below the 33.33 ms of a 30 Hz display, where the game runs 1 % slow, as in the
    /// original. [`Pacing::hz`] does not have this problem.
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
            stall: Some(classic::STALL),
            frame_longest: Some(classic::RAW_DT_MAX),
            backlog: Some(classic::MAX_ACCUM),
            steps_max: Some(classic::MAX_STEPS_BASE),
            ..Self::unlimited(classic::SIM_RATE)
        }
    }
}

/// `JollyPixel`'s `FixedTimeStep`.
impl Pacing {
    /// Creates the configuration of `FixedTimeStep`: at most five steps are pending, and the draw rate has its own
    /// limit.
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
            backlog_steps: Some(classic::MAX_INTERVALS),
            draw_rate: Some(classic::SIM_RATE),
            ..Self::unlimited(classic::SIM_RATE)
        }
    }

    /// Sets the draw rate and the simulation rate, like `setFps(render, fixed)`.
    ///
    /// Both are clamped to 1..=60 and rounded to a millionth of a hertz. Without `fixed`, both are `render`. NaN
    /// leaves a rate unchanged.
    ///
    /// ```
    /// use evenstep::{Pacing, Rate};
    ///
    /// let pacing = Pacing::fixed_time_step().with_fps(30.0, 144.0);
    /// assert_eq!((pacing.draw_rate(), pacing.rate()), (Some(Rate::hz(30)), Rate::hz(60)));
    /// ```
    pub fn with_fps(self, render: f64, fixed: impl Into<Option<f64>>) -> Self {
        let clamped = |fps: f64| {
            let least = f64::from(*classic::FPS_RANGE.start());
            let most = f64::from(*classic::FPS_RANGE.end());
            Rate::to_a_millionth(fps.clamp(least, most))
        };
        Self {
            draw_rate: clamped(render).or(self.draw_rate),
            rate: clamped(fixed.into().unwrap_or(render)).unwrap_or(self.rate),
            ..self
        }
    }
}

/// The classic `GameLoop`.
impl Pacing {
    /// Creates the configuration of `GameLoop`: a frame counts for at most 0.25 s.
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
        Self { frame_longest: Some(classic::MAX_FRAME_TIME), ..Self::unlimited(classic::SIM_RATE) }
    }
}
