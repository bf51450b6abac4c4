//! Pacing policies: the real pacer in six configurations, fed with a session's timestamps.

use std::time::Duration;

use evenstep::{DisplayLock, LockState, Pacer, Pacing};

/// Steps a second, in every policy.
pub const STEP_HZ: f64 = 60.0;

/// What one frame does: it runs `steps`, then draws at `alpha` between the last two.
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
    /// An accumulator without limits that starts empty: "fix your timestep", by hand.
    Plain,
    /// The original Starship loop.
    Starship,
    /// `JollyPixel`'s `FixedTimeStep`.
    FixedTimeStep,
    /// The classic `GameLoop`.
    GameLoop,
    /// The recommended loop, with the display lock.
    Evenstep,
    /// The same, and the simulation follows the display's speed.
    EvenstepRateLock,
}

impl Policy {
    /// All of them, in the order of reports.
    pub const ALL: [Self; 6] = [
        Self::Plain,
        Self::Starship,
        Self::FixedTimeStep,
        Self::GameLoop,
        Self::Evenstep,
        Self::EvenstepRateLock,
    ];

    /// Its name on the command line.
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

    /// What it is, in a few words.
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

    /// The configuration itself.
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

    /// Plays a session: what the pacer decides on each timestamp.
    pub fn play(self, stamps_ns: impl IntoIterator<Item = u64>) -> Played {
        let mut player = Player::new(self);
        let decisions = stamps_ns.into_iter().map(|stamp_ns| player.frame(stamp_ns)).collect();
        Played { decisions, lock: player.lock }
    }
}

/// A policy at work, a frame at a time.
#[derive(Clone, Debug)]
pub struct Player {
    pacer: Pacer,
    frames: usize,
    lock: LockHistory,
}

impl Player {
    /// Starts a session.
    pub fn new(policy: Policy) -> Self {
        Self { pacer: Pacer::new(policy.pacing()), frames: 0, lock: LockHistory::default() }
    }

    /// What the pacer decides on the next timestamp.
    pub fn frame(&mut self, stamp_ns: u64) -> Decision {
        let frame = self.pacer.frame(Duration::from_nanos(stamp_ns));
        self.lock.record(self.frames, self.pacer.stats().lock_state());
        self.frames += 1;
        Decision { steps: frame.steps(), alpha: frame.alpha() }
    }

    /// What its display lock has known so far.
    pub const fn lock(&self) -> &LockHistory {
        &self.lock
    }
}

/// What a policy made of a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Played {
    /// One a frame.
    pub decisions: Vec<Decision>,
    /// What its display lock knew.
    pub lock: LockHistory,
}

/// What the display lock knew over a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LockHistory {
    /// The frame it first locked on.
    pub first_locked: Option<usize>,
    /// Frames on which it was locked.
    pub frames_locked: usize,
    /// The state after the last frame.
    pub last: Option<LockState>,
}

impl LockHistory {
    fn record(&mut self, frame: usize, state: LockState) {
        if let LockState::Locked { .. } = state {
            self.first_locked.get_or_insert(frame);
            self.frames_locked += 1;
        }
        self.last = Some(state);
    }
}
