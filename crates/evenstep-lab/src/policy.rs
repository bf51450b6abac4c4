//! Pacing policies: the real pacer in six configurations.

use std::time::Duration;

use evenstep::{DisplayLock, LockState, Pacer, Pacing};

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
///
/// ```
/// use evenstep_lab::display::Display;
/// use evenstep_lab::policy::Policy;
///
/// let stamps = Display::new(120.0).play(1.0, 1).into_iter().map(|frame| frame.stamp_ns);
/// let steps = |policy: Policy| policy.play(stamps.clone()).decisions.iter().map(|it| it.steps).sum::<u32>();
/// for policy in Policy::ALL {
///     println!("{:20} {} steps in a second", policy.name(), steps(policy));
/// }
/// # assert!((59..=61).contains(&steps(Policy::Evenstep)));
/// ```
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

    /// Runs the pacer over a session's timestamps.
    pub fn play(self, stamps_ns: impl IntoIterator<Item = u64>) -> Played {
        let mut run = PolicyRun::new(self);
        let decisions = stamps_ns.into_iter().map(|stamp_ns| run.frame(stamp_ns)).collect();
        Played { decisions, lock: run.lock }
    }
}

/// A pacer under a policy, frame by frame.
///
/// ```
/// use evenstep_lab::display::Display;
/// use evenstep_lab::policy::{Policy, PolicyRun};
///
/// let mut run = PolicyRun::new(Policy::Evenstep);
/// for shown in Display::new(60.0).frames(1).take(120) {
///     let decision = run.frame(shown.stamp_ns);
///     println!("{} steps, alpha {:.3}", decision.steps, decision.alpha);
/// }
/// assert!(run.lock().first_locked.is_some(), "two seconds are enough for the display lock");
/// ```
#[derive(Clone, Debug)]
pub struct PolicyRun {
    pacer: Pacer,
    frames: usize,
    lock: LockHistory,
}

impl PolicyRun {
    /// Starts a session.
    pub fn new(policy: Policy) -> Self {
        Self { pacer: Pacer::new(policy.pacing()), frames: 0, lock: LockHistory::default() }
    }

    /// Decides the next frame, from its timestamp.
    pub fn frame(&mut self, stamp_ns: u64) -> Decision {
        let frame = self.pacer.frame(Duration::from_nanos(stamp_ns));
        self.lock.record(self.frames, self.pacer.stats().lock_state());
        self.frames += 1;
        Decision { steps: frame.steps(), alpha: frame.alpha() }
    }

    /// The state of the display lock so far.
    pub const fn lock(&self) -> &LockHistory {
        &self.lock
    }
}

/// The decisions of a policy over a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Played {
    /// One decision per frame.
    pub decisions: Vec<Decision>,
    /// The state of the display lock over the session.
    pub lock: LockHistory,
}

/// The state of the display lock over a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LockHistory {
    /// The first frame on which it was locked.
    pub first_locked: Option<usize>,
    /// The number of frames on which it was locked.
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
