//! The constants of the three original loops, under the names that their users know.
//!
//! [`Pacing::starship`](crate::Pacing::starship), [`Pacing::fixed_time_step`](crate::Pacing::fixed_time_step) and
//! [`Pacing::game_loop`](crate::Pacing::game_loop) are made of them.

use core::ops::RangeInclusive;
use core::time::Duration;

use crate::rate::Rate;

/// The default rate of all three loops.
pub const SIM_RATE: Rate = Rate::hz(60);
/// The default step of all three loops in seconds: 1/60.
pub const SIM_DT: f64 = SIM_RATE.step_secs();

/// Starship: the step cap at scale 1, 66.7 ms. [`RAW_DT_MAX`] keeps it from being reached.
pub const MAX_STEPS_BASE: u32 = 4;
/// Starship: the backlog ceiling.
pub const MAX_ACCUM: Duration = Duration::from_millis(250);
/// Starship: the longest frame. A 30 Hz display's 33.33 ms exceed it.
pub const RAW_DT_MAX: Duration = Duration::from_millis(33);
/// Starship: the stall threshold. A longer gap is a tab switch, not a frame.
pub const STALL: Duration = Duration::from_millis(200);
/// Starship: the range of [`Channel::JUICE`](crate::Channel::JUICE).
pub const JUICE_RANGE: RangeInclusive<f64> = 0.1..=1.0;

/// `FixedTimeStep`: the backlog ceiling in steps.
pub const MAX_INTERVALS: u32 = 5;
/// `FixedTimeStep`: the range of both rates of [`Pacing::with_fps`](crate::Pacing::with_fps).
pub const FPS_RANGE: RangeInclusive<u32> = 1..=60;

/// `GameLoop`: the longest frame, which the recommended loop has, too.
pub const MAX_FRAME_TIME: Duration = Duration::from_millis(250);
