//! Sessions: the frames of a display, and the results of policies on them.

use evenstep::LockState;

use crate::display::{Display, Shown};
use crate::metrics::{Motion, Report, Watch};
use crate::policy::{Host, LockHistory, Policy, PolicyRun};
use crate::recording::Presented;

/// The frames that one display showed.
///
/// ```
/// use evenstep_lab::display::{Display, Noise};
/// use evenstep_lab::policy::Policy;
/// use evenstep_lab::session::Session;
///
/// let display = Display { noise: Noise::Gauss(0.3), ..Display::new(60.0) };
/// let session = Session::of(&display, 10.0, 1); // Ten seconds, seed 1.
/// for outcome in session.under_each(&[Policy::Plain, Policy::Evenstep]) {
///     println!("{}: {:.1} us of judder", outcome.policy.name(), outcome.report.judder_us);
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    /// A description of the display, and of what the host tells.
    pub title: String,
    /// The length and the seed, in words.
    pub about: String,
    /// The rate of the display's refresh grid, if it has a single fixed one.
    pub grid_hz: Option<f64>,
    /// How long before its first timestamp the loop started its clock, in nanoseconds; see
    /// [`Frames::lead_ns`](crate::display::Frames::lead_ns).
    pub lead_ns: u64,
    /// What the host tells the pacer.
    pub host: Host,
    /// The frames, at least one.
    pub shown: Vec<Shown>,
    /// When images were shown, as a recording reports it, in the order of [`Presented::before`].
    pub presented: Vec<Presented>,
}

impl Session {
    /// Simulates a session of a display. The host tells nothing.
    pub fn of(display: &Display, seconds: f64, seed: u64) -> Self {
        Self {
            title: display.to_string(),
            about: format!("{seconds} s, seed {seed}"),
            grid_hz: display.grid_hz(),
            lead_ns: display.frames(seed).lead_ns(),
            host: Host::default(),
            shown: display.play(seconds, seed),
            presented: Vec::new(),
        }
    }

    /// Lets a host report to the pacer, with these reports.
    #[must_use]
    pub fn with_host(self, host: Host) -> Self {
        Self { title: format!("{}{host}", self.title), host, ..self }
    }

    /// Runs one policy on the session.
    pub fn under(&self, policy: Policy) -> Outcome {
        let mut run = PolicyRun::new(policy, self.host).with_lead(self.lead_ns);
        let first = self.shown[0];
        let mut watch = Watch::new(self.grid_hz, first, run.frame(first)).with_lead(self.lead_ns);
        let mut reports = self.presented.iter().peekable();
        let rest = self.shown.iter().enumerate().skip(1);
        let motion: Vec<Motion> = rest
            .map(|(n, &shown)| {
                while let Some(report) = reports.next_if(|report| report.before <= n) {
                    run.presented(report);
                }
                watch.frame(shown, run.frame(shown))
            })
            .collect();
        let lock = run.lock().clone();
        let start_ns = first.at_ns;
        Outcome {
            policy,
            report: Report::of(&motion),
            frames: self.shown.len(),
            locked_after_s: lock.first_locked.map(|frame| (self.shown[frame].at_ns - start_ns) / 1e9),
            motion,
            lock,
        }
    }

    /// Runs several policies on the session; the results have the same order.
    pub fn under_each(&self, policies: &[Policy]) -> Vec<Outcome> {
        policies.iter().map(|&policy| self.under(policy)).collect()
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
