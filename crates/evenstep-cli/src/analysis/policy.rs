//! Pacing policies: the real pacer in six configurations.

use evenstep::{DisplayLock, Pacing};

/// Steps per second, in every policy.
pub const STEP_HZ: f64 = 60.0;

/// What the pacer decided for one frame: run `steps`, then draw at `alpha` between the last two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// Steps to run.
    pub steps: u32,
    /// Where to draw, 0 <= alpha < 1.
    pub alpha: f64,
}

/// A configuration of the pacer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// A hand-written "fix your timestep" loop: an accumulator without limits that starts empty.
    Plain,
    /// The original Starship loop.
    Starship,
    /// `JollyPixel`'s `FixedTimeStep`.
    FixedTimeStep,
    /// The classic `GameLoop`.
    GameLoop,
    /// The recommended loop, with the display lock.
    Evenstep,
    /// The recommended loop with [`DisplayLock::RateLock`]: the simulation runs at the display's speed.
    EvenstepRateLock,
}

impl Policy {
    /// All policies, in the order of reports.
    pub const ALL: [Self; 6] = [
        Self::Plain,
        Self::Starship,
        Self::FixedTimeStep,
        Self::GameLoop,
        Self::Evenstep,
        Self::EvenstepRateLock,
    ];

    /// The policy's name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Starship => "starship",
            Self::FixedTimeStep => "fixed-time-step",
            Self::GameLoop => "game-loop",
            Self::Evenstep => "evenstep",
            Self::EvenstepRateLock => "evenstep-rate-lock",
        }
    }

    /// A short description of the policy.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Plain => "an accumulator without limits that starts empty",
            Self::Starship => "Pacing::starship(): stalls dropped, frames cut to 33 ms",
            Self::FixedTimeStep => "Pacing::fixed_time_step(): at most five steps wait",
            Self::GameLoop => "Pacing::game_loop(): frames cut to 0.25 s",
            Self::Evenstep => "Pacing::hz(60): follows the display's refresh, keeps wall time",
            Self::EvenstepRateLock => "the same with DisplayLock::RateLock: keeps the display's time",
        }
    }

    /// The configuration of the pacer.
    pub fn pacing(self) -> Pacing {
        match self {
            Self::Plain => Pacing::game_loop().with_longest_frame(None),
            Self::Starship => Pacing::starship(),
            Self::FixedTimeStep => Pacing::fixed_time_step(),
            Self::GameLoop => Pacing::game_loop(),
            Self::Evenstep => Pacing::hz(60),
            Self::EvenstepRateLock => Pacing::hz(60).with_display_lock(DisplayLock::RateLock),
        }
    }
}
