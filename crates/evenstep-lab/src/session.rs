//! A session: the frames of a display, and what the policies made of them.

use evenstep::LockState;

use crate::display::{Display, Shown};
use crate::metrics::{Motion, Report, motion};
use crate::policy::{LockHistory, Policy};

/// The frames that one display showed.
#[derive(Clone, Debug)]
pub struct Session {
    /// What was played, in words.
    pub title: String,
    /// How long and with which seed, in words.
    pub about: String,
    /// The rate of its refresh grid, if it has one.
    pub grid_hz: Option<f64>,
    /// The frames, at least one.
    pub shown: Vec<Shown>,
}

impl Session {
    /// Plays a display.
    pub fn of(display: &Display, seconds: f64, seed: u64) -> Self {
        Self {
            title: display.to_string(),
            about: format!("{seconds} s, seed {seed}"),
            grid_hz: display.grid_hz(),
            shown: display.play(seconds, seed),
        }
    }

    /// What a policy makes of it.
    pub fn under(&self, policy: Policy) -> Outcome {
        let played = policy.play(self.shown.iter().map(|frame| frame.stamp_ns));
        let motion = motion(self.grid_hz, &self.shown, &played.decisions);
        let start_ns = self.shown[0].at_ns;
        Outcome {
            policy,
            report: Report::of(&motion),
            frames: self.shown.len(),
            locked_after_s: played.lock.first_locked.map(|frame| (self.shown[frame].at_ns - start_ns) / 1e9),
            motion,
            lock: played.lock,
        }
    }

    /// What policies make of it, in their order.
    pub fn under_each(&self, policies: &[Policy]) -> Vec<Outcome> {
        policies.iter().map(|&policy| self.under(policy)).collect()
    }
}

/// What one policy made of a session.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The policy.
    pub policy: Policy,
    /// The metrics.
    pub report: Report,
    /// All frames of the session.
    pub frames: usize,
    /// The motion of every frame but the first.
    pub motion: Vec<Motion>,
    /// What its display lock knew.
    pub lock: LockHistory,
    /// When it first locked, in seconds since the session began.
    pub locked_after_s: Option<f64>,
}

impl Outcome {
    /// What its display lock knew, in words; `None` without a lock.
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
