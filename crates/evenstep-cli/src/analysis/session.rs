//! Sessions: the frames of a display, and what each policy makes of them.

use std::time::Duration;

use evenstep::{Command, LockState, Pacer, Presented};

use super::metrics::{Motion, Report, Tally, Watch};
use super::policy::{Decision, Policy, STEP_HZ};

/// Steps of a frame that are counted separately; the last count stands for more.
pub const STEPS: usize = 6;

/// One frame that the display showed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// When the frame appeared, in nanoseconds.
    pub at_ns: f64,
    /// The refresh that the frame appeared on, counted from the first; `None` if the display has no fixed grid.
    pub refresh: Option<u64>,
    /// The refresh interval at that time, in nanoseconds.
    pub interval_ns: f64,
    /// The timestamp that the loop got from its monotonic clock, in nanoseconds.
    pub stamp_ns: u64,
}

/// The frames that one display showed.
///
/// ```
/// use evenstep_cli::analysis::policy::Policy;
/// use evenstep_cli::analysis::recording::Recording;
/// use evenstep_cli::analysis::survey::{Survey, in_turn};
/// use std::time::Duration;
///
/// let mut recording = Recording::default();
/// for n in 0..600 {
///     // A loop at 75 Hz whose timestamps are up to 0.4 ms late.
///     recording.frame(Duration::from_nanos(n * 13_333_333 + n * 7_919 % 400 * 1_000));
/// }
/// let session = Survey::new("my display").part(&mut recording, in_turn).expect("frames");
/// for outcome in session.under_each(&[Policy::Plain, Policy::Evenstep]) {
///     println!("{}: {:.1} us of judder", outcome.policy.name(), outcome.report.judder_us);
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    /// A description of the display, and of what the host tells.
    pub title: String,
    /// The length, and the seed of a simulation, in words.
    pub about: String,
    /// The rate of the display's refresh grid, if it has a single fixed one.
    pub grid_hz: Option<f64>,
    /// How long before its first timestamp the loop started its clock, in nanoseconds.
    pub lead_ns: u64,
    /// The frames, at least one.
    pub shown: Vec<Shown>,
    /// What the host tells the pacer before the frame with this index, in the order of the frames.
    pub told: Vec<(usize, Command)>,
    /// When images were shown, as the host reports it before the frame with this index, in the order of the frames.
    pub presented: Vec<(usize, Presented)>,
}

impl Session {
    /// Runs one policy on the session.
    pub fn under(&self, policy: Policy) -> Outcome {
        let mut run = Run::new(policy, self.grid_hz).with_lead(self.lead_ns);
        let mut motion = Vec::with_capacity(self.shown.len());
        self.play(&mut run, |_, frame| motion.extend(frame));
        Outcome { motion, ..run.outcome() }
    }

    /// Runs several policies on the session; the results have the same order.
    pub fn under_each(&self, policies: &[Policy]) -> Vec<Outcome> {
        policies.iter().map(|&policy| self.under(policy)).collect()
    }

    /// Plays all frames. `each` gets the run after each frame, and the frame's motion; the first frame of a run has none.
    pub fn play(&self, run: &mut Run, mut each: impl FnMut(&Run, Option<Motion>)) {
        let mut told = self.told.iter().peekable();
        let mut presented = self.presented.iter().peekable();
        for (n, &shown) in self.shown.iter().enumerate() {
            while let Some(&(_, command)) = told.next_if(|(before, _)| *before <= n) {
                run.tell(command);
            }
            while let Some(&(_, report)) = presented.next_if(|(before, _)| *before <= n) {
                run.tell(Command::Presented(report));
            }
            let motion = run.frame(shown);
            each(run, motion);
        }
    }
}

/// A pacer under a policy, and the motion that follows from its decisions, frame by frame.
#[derive(Clone, Debug)]
pub struct Run {
    policy: Policy,
    pacer: Pacer,
    grid_hz: Option<f64>,
    lead_ns: u64,
    /// Whole steps that the first frame runs for the time before it.
    steps_owed: u32,
    watch: Option<Watch>,
    tally: Tally,
    steps: [u64; STEPS],
    frames: usize,
    lock: LockHistory,
    locked_after_s: Option<f64>,
}

impl Run {
    /// Starts a session on a display with a grid of this rate, if it has one.
    pub fn new(policy: Policy, grid_hz: Option<f64>) -> Self {
        Self {
            policy,
            pacer: Pacer::new(policy.pacing()),
            grid_hz,
            lead_ns: 0,
            steps_owed: 0,
            watch: None,
            tally: Tally::default(),
            steps: [0; STEPS],
            frames: 0,
            lock: LockHistory::default(),
            locked_after_s: None,
        }
    }

    /// Starts the loop's clock this long before the first timestamp: that much more than the policy's own start phase is
    /// pending. The display lock sees frames only.
    #[must_use]
    pub fn with_lead(mut self, lead_ns: u64) -> Self {
        let pacing = self.pacer.pacing();
        let pending = pacing.start_phase() + lead_ns as f64 / 1e9 * STEP_HZ;
        self.pacer = Pacer::new(pacing.with_start_phase(pending.fract()));
        self.steps_owed = pending as u32;
        self.lead_ns = lead_ns;
        self
    }

    /// Continues on a grid of another rate, as between the parts of a long recording.
    pub(super) fn set_grid(&mut self, grid_hz: Option<f64>) {
        self.grid_hz = grid_hz;
        if let Some(watch) = &mut self.watch {
            watch.set_grid(grid_hz);
        }
    }

    /// Tells the pacer something.
    pub fn tell(&mut self, command: Command) {
        self.pacer.tell(command);
    }

    /// Decides the next frame, and returns the motion since the previous one.
    pub fn frame(&mut self, shown: Shown) -> Option<Motion> {
        let frame = self.pacer.frame(Duration::from_nanos(shown.stamp_ns));
        self.lock.record(self.frames, self.pacer.lock_state());
        self.frames += 1;
        let steps = frame.steps() + std::mem::take(&mut self.steps_owed);
        let decided = Decision { steps, alpha: frame.alpha() };
        let Some(watch) = &mut self.watch else {
            self.watch = Some(Watch::new(self.grid_hz, shown, decided).with_lead(self.lead_ns));
            return None;
        };
        let motion = watch.frame(shown, decided);
        self.tally.add(&motion);
        self.steps[(steps as usize).min(STEPS - 1)] += 1;
        if self.lock.first_locked.is_some() {
            self.locked_after_s.get_or_insert(motion.at_s);
        }
        Some(motion)
    }

    /// The policy.
    pub const fn policy(&self) -> Policy {
        self.policy
    }

    /// Metrics of the motion so far.
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The state of the display lock so far.
    pub const fn lock(&self) -> &LockHistory {
        &self.lock
    }

    /// When the latest frame is expected on the display, while the display lock is locked.
    pub fn shown_at(&self) -> Option<Duration> {
        self.pacer.shown_at()
    }

    /// The result so far, without the motion of single frames.
    pub fn outcome(&self) -> Outcome {
        Outcome {
            policy: self.policy,
            report: self.tally.report(),
            frames: self.frames,
            steps: self.steps,
            motion: Vec::new(),
            lock: self.lock.clone(),
            locked_after_s: self.locked_after_s,
        }
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

/// The result of one policy on a session.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The policy.
    pub policy: Policy,
    /// Metrics of the motion.
    pub report: Report,
    /// The number of frames in the session.
    pub frames: usize,
    /// The number of frames by their steps; the last one stands for five steps and more.
    pub steps: [u64; STEPS],
    /// The motion of every frame except the first.
    pub motion: Vec<Motion>,
    /// The state of the display lock over the session.
    pub lock: LockHistory,
    /// When the display lock first locked, in seconds since the session began.
    pub locked_after_s: Option<f64>,
}

impl Outcome {
    /// Describes the display lock's states; `None` if the policy has no lock.
    pub fn lock_in_words(&self) -> Option<String> {
        let state = match self.lock.last? {
            LockState::Off => return None,
            LockState::Searching => "searching at the end".to_owned(),
            LockState::Free => "free at the end: no fixed refresh".to_owned(),
            LockState::Locked { refresh_hz } => format!("{refresh_hz:.3} Hz at the end"),
        };
        let name = self.policy.name();
        Some(match self.lock.first_locked.zip(self.locked_after_s) {
            None => format!("{name}: never locked, {state}"),
            Some((frame, after_s)) => {
                let share = 100.0 * self.lock.frames_locked as f64 / self.frames as f64;
                format!(
                    "{name}: locked after {frame} frames ({after_s:.2} s), for {share:.1} % of all frames; {state}"
                )
            }
        })
    }
}
