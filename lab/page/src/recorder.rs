//! "Measure my display": records ten seconds of a browser's own timestamps and analyses them.

use std::time::Duration;

use evenstep_lab::chart;
use evenstep_lab::fit::FRAMES_MIN;
use evenstep_lab::policy::Policy;
use evenstep_lab::recording::Recording;
use evenstep_lab::survey::{self, Survey, in_turn};
use evenstep_lab::words;
use evenstep_trace::Writer;

/// Length of a recording, in seconds.
pub const SECONDS: f64 = 10.0;
/// A limit that no display reaches in that time.
const FRAMES_MAX: usize = 20_000;
/// The file name of a saved trace.
pub const FILE_NAME: &str = "display.trace.jsonl";

/// Records timestamps.
///
/// ```
/// use lab_page::recorder::Recorder;
///
/// let mut recorder = Recorder::default();
/// let mut now_ms = 0.0;
/// while !recorder.is_done() {
///     recorder.frame(now_ms);
///     now_ms += 1000.0 / 120.0;
/// }
/// let findings = recorder.finish().expect("enough frames");
/// assert!((findings.refresh_hz().unwrap() - 120.0).abs() < 0.01);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    stamps: Vec<Duration>,
    times_hidden: usize,
}

impl Recorder {
    /// Records a frame's timestamp, in milliseconds. Timestamps that are not finite are ignored.
    pub fn frame(&mut self, at_ms: f64) {
        if !self.is_done() {
            self.stamps.extend(evenstep::from_millis(at_ms));
        }
    }

    /// Notes that the tab was hidden: browsers show no frames during that time.
    pub const fn hide(&mut self) {
        self.times_hidden += 1;
    }

    /// How much of the recording time has passed, from 0 to 1.
    pub fn progress(&self) -> f64 {
        match self.stamps[..] {
            [first, .., last] => (last.saturating_sub(first).as_secs_f64() / SECONDS).min(1.0),
            _ => 0.0,
        }
    }

    /// Whether the recording is complete.
    pub fn is_done(&self) -> bool {
        self.progress() >= 1.0 || self.stamps.len() >= FRAMES_MAX
    }

    /// Analyses the timestamps.
    ///
    /// # Errors
    ///
    /// A message for the user if there are too few.
    pub fn finish(self) -> Result<Findings, String> {
        let frames = self.stamps.len();
        if frames < FRAMES_MIN {
            let why = match self.times_hidden {
                0 => "The browser may be throttling frames, for example to save power.",
                _ => "The tab was hidden, and browsers show no frames in hidden tabs.",
            };
            return Err(format!("Only {frames} frames arrived, but at least {FRAMES_MIN} are needed. {why}"));
        }
        let mut recording = Recording::default();
        for &at in &self.stamps {
            recording.frame(at);
        }
        let mut survey = Survey::new("display");
        let picture = survey.part(&mut recording, in_turn).map(|session| chart::picture(&session));
        let found = survey.findings();
        Ok(Findings { recorder: self, recording, found, picture: picture.unwrap_or_default() })
    }

    /// The timestamps as a pacing trace.
    fn trace(&self) -> String {
        let write = || {
            let mut trace = Writer::new(Vec::new(), &Policy::Evenstep.pacing())?;
            self.stamps.iter().try_for_each(|&at| trace.frame(at))?;
            trace.finish()
        };
        // Not `expect`, which would add the formatting of every std error to the page: ten kilobytes.
        let Ok(trace) = write() else { unreachable!("writing to memory does not fail") };
        String::from_utf8(trace).unwrap_or_default()
    }
}

/// The analysis of a recording.
#[derive(Debug)]
pub struct Findings {
    recorder: Recorder,
    recording: Recording,
    found: survey::Findings,
    picture: String,
}

impl Findings {
    /// The display's refresh rate, if it is fixed.
    pub fn refresh_hz(&self) -> Option<f64> {
        self.found.grid.map(|grid| 1e9 / grid.period_ns)
    }

    /// The refresh, the noise and other facts: names and sentences, as `evenstep import` prints them.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = self.found.facts(&self.recording);
        if self.recorder.times_hidden > 0 {
            facts.push(("hidden", "the tab was hidden while recording: measure again to be sure".to_owned()));
        }
        facts
    }

    /// The result in words for a player: the display, and how often a plain loop and Evenstep would have stuttered on it.
    pub fn verdict(&self) -> String {
        self.found.verdict(&self.recording)
    }

    /// A chart of a plain loop and Evenstep on this display, as SVG.
    pub fn picture(&self) -> &str {
        &self.picture
    }

    /// The results of each policy, in the order of [`Policy::ALL`]: the cells of [`words::HEADS`].
    pub fn rows(&self) -> Vec<(Policy, [String; 6])> {
        let outcomes = self.found.outcomes.iter();
        outcomes.map(|outcome| (outcome.policy, words::cells(&outcome.report))).collect()
    }

    /// The timestamps as a pacing trace, for `evenstep trace` and `evenstep import`.
    pub fn trace(&self) -> String {
        self.recorder.trace()
    }
}
