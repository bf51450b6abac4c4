//! Pacing policies: the real pacer in six configurations.

use std::fmt;
use std::time::Duration;

use evenstep::{DisplayLock, LockState, Pacer, Pacing};

use crate::display::Shown;
use crate::feedback::{Feedback, Reports};
use crate::recording::Presented;

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
/// use evenstep_lab::policy::{Host, Policy, PolicyRun};
///
/// let steps = |policy| {
///     let mut run = PolicyRun::new(policy, Host::default());
///     Display::new(120.0).play(1.0, 1).into_iter().map(|shown| run.frame(shown).steps).sum::<u32>()
/// };
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
}

/// What the host tells the pacer besides timestamps. By default nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Host {
    /// The refresh is variable, or a frame cap keeps the loop below it.
    pub is_variable: bool,
    /// The refresh interval, before the first frame and whenever it changes.
    pub tells_refresh: bool,
    /// When frames were shown.
    pub feedback: Option<Feedback>,
}

/// A part of a session's description.
impl fmt::Display for Host {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_variable {
            write!(out, ", told that the refresh is variable")?;
        }
        if self.tells_refresh {
            write!(out, ", told the refresh")?;
        }
        self.feedback.map_or(Ok(()), |feedback| write!(out, "{feedback}"))
    }
}

/// A pacer under a policy, frame by frame.
///
/// ```
/// use evenstep_lab::display::Display;
/// use evenstep_lab::policy::{Host, Policy, PolicyRun};
///
/// let mut run = PolicyRun::new(Policy::Evenstep, Host::default());
/// for shown in Display::new(60.0).frames(1).take(120) {
///     let decision = run.frame(shown);
///     println!("{} steps, alpha {:.3}", decision.steps, decision.alpha);
/// }
/// assert!(run.lock().first_locked.is_some(), "two seconds are enough for the display lock");
/// ```
#[derive(Clone, Debug)]
pub struct PolicyRun {
    pacer: Pacer,
    host: Host,
    hinted_ns: f64,
    reports: Option<Reports>,
    frames: usize,
    /// Whole steps that the first frame runs for the time before it.
    steps_owed: u32,
    lock: LockHistory,
}

impl PolicyRun {
    /// Starts a session.
    pub fn new(policy: Policy, host: Host) -> Self {
        let mut pacer = Pacer::new(policy.pacing());
        pacer.set_variable_refresh(host.is_variable);
        let lock = LockHistory::default();
        Self { pacer, host, hinted_ns: 0.0, reports: None, frames: 0, steps_owed: 0, lock }
    }

    /// Starts the loop's clock this long before the first timestamp: that much more than the policy's own start phase is
    /// pending. The display lock sees frames only.
    #[must_use]
    pub fn with_lead(mut self, lead_ns: u64) -> Self {
        let pacing = self.pacer.pacing();
        let pending = pacing.start_phase() + lead_ns as f64 / 1e9 * STEP_HZ;
        self.pacer = Pacer::new(pacing.with_start_phase(pending.fract()));
        self.pacer.set_variable_refresh(self.host.is_variable);
        self.steps_owed = pending as u32;
        self
    }

    /// Decides the next frame, from its timestamp and what the host knows by then.
    pub fn frame(&mut self, shown: Shown) -> Decision {
        if self.host.tells_refresh && shown.interval_ns != self.hinted_ns {
            self.hinted_ns = shown.interval_ns;
            self.pacer.hint_refresh(Duration::from_nanos(shown.interval_ns as u64));
        }
        for report in self.reports.iter_mut().flat_map(Reports::arrive) {
            self.pacer.presented(report);
        }
        let frame = self.pacer.frame(Duration::from_nanos(shown.stamp_ns));
        if let Some(feedback) = self.host.feedback {
            self.reports.get_or_insert_with(|| Reports::new(feedback, shown)).frame(shown);
        }
        self.lock.record(self.frames, self.pacer.lock_state());
        self.frames += 1;
        Decision { steps: frame.steps() + std::mem::take(&mut self.steps_owed), alpha: frame.alpha() }
    }

    /// Tells the pacer when an image of a recording was shown.
    pub fn presented(&mut self, report: &Presented) {
        let frame = Duration::from_nanos(report.stamp_ns);
        self.pacer.presented(evenstep::Presented { frame, at: Duration::from_nanos(report.at_ns) });
    }

    /// When the latest frame is expected on the display, in nanoseconds, while the display lock is locked.
    pub fn shown_at_ns(&self) -> Option<u64> {
        self.pacer.shown_at().map(|at| at.as_nanos() as u64)
    }

    /// The state of the display lock so far.
    pub const fn lock(&self) -> &LockHistory {
        &self.lock
    }
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
