//! The live session: one display, every policy on it, and the frames shown so far.
//!
//! ```text
//! display -> Shown -> each policy's Run -> Motion -> Tally (the whole session)
//!                                                 \-> window (the last frames)
//! ```

use std::collections::VecDeque;

use evenstep_lab::display::{Display, Frames, Shown};
use evenstep_lab::metrics::Motion;
use evenstep_lab::policy::Policy;
use evenstep_lab::session::Run;

/// The number of recent frames that a lane keeps.
pub const WINDOW: usize = 240;
/// The most frames that one call plays: more than a second of any display.
pub const FRAMES_MAX: usize = 5_000;

/// A display and all policies on it, played as time passes.
///
/// ```
/// use evenstep_lab::display::Display;
/// use lab_page::live::LiveSession;
///
/// let mut live = LiveSession::new(Display::new(60.0), 1);
/// live.play_until(5.0);
/// for lane in live.lanes() {
///     println!("{}: {:.1} us of judder", lane.run().policy().name(), lane.run().tally().report().judder_us);
/// }
/// assert!(live.frames_shown() >= 300);
/// ```
#[derive(Clone, Debug)]
pub struct LiveSession {
    display: Display,
    frames: Frames,
    frames_shown: u64,
    lanes: Vec<Lane>,
}

impl LiveSession {
    /// Creates a session that has not shown a frame yet.
    pub fn new(display: Display, seed: u64) -> Self {
        let frames = display.frames(seed);
        let lane = |policy| Lane {
            run: Run::new(policy, display.grid_hz()).with_lead(frames.lead_ns()),
            window: VecDeque::with_capacity(WINDOW),
        };
        let lanes = Policy::ALL.map(lane).to_vec();
        Self { display, frames, frames_shown: 0, lanes }
    }

    /// Plays every frame before this time of the session, up to [`FRAMES_MAX`], and returns their number.
    pub fn play_until(&mut self, session_s: f64) -> usize {
        let mut played = 0;
        while played < FRAMES_MAX && self.frames.next_s() < session_s {
            self.play_frame();
            played += 1;
        }
        played
    }

    /// Plays the next frame.
    pub fn play_frame(&mut self) {
        let Some(shown) = self.frames.next() else { return };
        for lane in &mut self.lanes {
            lane.frame(shown);
        }
        self.frames_shown += 1;
    }

    /// The simulated display.
    pub const fn display(&self) -> &Display {
        &self.display
    }

    /// The number of frames shown so far.
    pub const fn frames_shown(&self) -> u64 {
        self.frames_shown
    }

    /// When the next frame appears, in seconds since the first.
    pub fn next_s(&self) -> f64 {
        self.frames.next_s()
    }

    /// The policies, in the order of [`Policy::ALL`].
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }
}

/// One policy in a [`LiveSession`].
#[derive(Clone, Debug)]
pub struct Lane {
    run: Run,
    window: VecDeque<Motion>,
}

impl Lane {
    fn frame(&mut self, shown: Shown) {
        let Some(motion) = self.run.frame(shown) else { return };
        if self.window.len() == WINDOW {
            self.window.pop_front();
        }
        self.window.push_back(motion);
    }

    /// The policy, its metrics and its display lock so far.
    pub const fn run(&self) -> &Run {
        &self.run
    }

    /// The motion of recent frames, the latest at the end.
    pub const fn window(&self) -> &VecDeque<Motion> {
        &self.window
    }

    /// The largest absolute error in the window, in milliseconds.
    pub fn error_ms_max(&self) -> f64 {
        let errors = self.window.iter().filter_map(Motion::error_ms);
        errors.fold(0.0, |max: f64, error_ms| max.max(error_ms.abs()))
    }

    /// How far the game is behind the display on average over the window, in milliseconds. A constant delay does not show
    /// as uneven motion.
    pub fn even_delay_ms(&self) -> f64 {
        let sum: f64 = self.window.iter().map(|motion| motion.behind_ms).sum();
        sum / self.window.len().max(1) as f64
    }
}
