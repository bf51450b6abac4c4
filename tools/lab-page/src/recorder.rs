//! "Measure my display": ten seconds of a browser's own timestamps, and what they say.

use evenstep_lab::fit::FRAMES_MIN;
use evenstep_lab::policy::Policy;
use evenstep_lab::recording::{Measured, Recording};
use evenstep_lab::session::Outcome;
use evenstep_lab::words;
use evenstep_trace::{Error, Header, Profile, Writer};

/// How long a recording lasts.
pub const SECONDS: f64 = 10.0;
/// More frames than any display shows in that time.
const FRAMES_MAX: usize = 20_000;
/// The file that a trace is saved as.
pub const FILE_NAME: &str = "display.trace.jsonl";

/// Records timestamps.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    stamps_ms: Vec<f64>,
    times_hidden: usize,
}

impl Recorder {
    /// Takes a frame's timestamp, in milliseconds. One that is no number is no frame.
    pub fn frame(&mut self, at_ms: f64) {
        if at_ms.is_finite() && !self.is_done() {
            self.stamps_ms.push(at_ms);
        }
    }

    /// The tab was hidden: browsers show no frames meanwhile.
    pub const fn hide(&mut self) {
        self.times_hidden += 1;
    }

    /// How much of the time has passed, from 0 to 1.
    pub fn progress(&self) -> f64 {
        match self.stamps_ms[..] {
            [first, .., last] => ((last - first) / (1e3 * SECONDS)).clamp(0.0, 1.0),
            _ => 0.0,
        }
    }

    /// Whether there is nothing left to record.
    pub fn is_done(&self) -> bool {
        self.progress() >= 1.0 || self.stamps_ms.len() >= FRAMES_MAX
    }

    /// What the timestamps say.
    ///
    /// # Errors
    ///
    /// If there are too few, in words.
    pub fn finish(self) -> Result<Findings, String> {
        let frames = self.stamps_ms.len();
        if frames < FRAMES_MIN {
            let why = match self.times_hidden {
                0 => "Does this browser hold frames back, to save power perhaps?",
                _ => "The tab was hidden meanwhile, and browsers show no frames then.",
            };
            return Err(format!(
                "Only {frames} frames came, and it takes {FRAMES_MIN} to say anything. {why}"
            ));
        }
        let mut recording = Recording::default();
        for &at_ms in &self.stamps_ms {
            recording.frame(at_ms);
        }
        let measured = Measured::of(&recording, "display");
        let outcomes = measured.session.under_each(&Policy::ALL);
        Ok(Findings { recorder: self, recording, measured, outcomes })
    }

    /// The timestamps as a pacing trace, to the last bit.
    fn trace(&self) -> String {
        // Not `expect`, which would bring the words of every error in std to the page: ten kilobytes.
        let Ok(trace) = self.write_trace() else {
            unreachable!("timestamps are finite, and memory does not fail")
        };
        String::from_utf8(trace).unwrap_or_default()
    }

    fn write_trace(&self) -> Result<Vec<u8>, Error> {
        let mut header = Header::new(Profile::Evenstep);
        // The loop starts at the first frame, not when the page was opened.
        header.start_ms = self.stamps_ms.first().copied().unwrap_or(0.0);
        let mut trace = Writer::new(Vec::new(), &header)?;
        for &at_ms in &self.stamps_ms {
            trace.frame_millis(at_ms)?;
        }
        trace.finish()
    }
}

/// What a recording says.
#[derive(Debug)]
pub struct Findings {
    recorder: Recorder,
    recording: Recording,
    measured: Measured,
    outcomes: Vec<Outcome>,
}

impl Findings {
    /// The display's rate, if it has a fixed one.
    pub fn refresh_hz(&self) -> Option<f64> {
        self.measured.session.grid_hz
    }

    /// The refresh, the noise and the rest: names and sentences, as `evenstep lab import` prints them.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = words::facts(&self.recording, self.measured.grid.as_ref());
        if self.recorder.times_hidden > 0 {
            facts.push(("hidden", "the tab was hidden while recording: measure again to be sure".to_owned()));
        }
        facts
    }

    /// What each policy makes of it: its name, then the cells of [`words::HEADS`].
    pub fn rows(&self) -> Vec<(&'static str, [String; 6])> {
        self.outcomes.iter().map(|outcome| (outcome.policy.name(), words::cells(&outcome.report))).collect()
    }

    /// How often each interval came.
    pub fn histogram(&self) -> Histogram {
        Histogram::of(&self.recorder.stamps_ms)
    }

    /// The timestamps as a pacing trace, for `evenstep trace` and `evenstep lab import`.
    pub fn trace(&self) -> String {
        self.recorder.trace()
    }
}

/// How often each interval between frames came.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// Frames in each bin. The last one also holds what is longer, the first what went back.
    pub counts: Vec<usize>,
    /// How wide a bin is, in milliseconds.
    pub bin_ms: f64,
    /// The typical interval, in milliseconds.
    pub median_ms: f64,
}

impl Histogram {
    /// Bins, from 0 to three typical intervals.
    pub const BINS: usize = 90;

    fn of(stamps_ms: &[f64]) -> Self {
        let mut intervals: Vec<f64> = stamps_ms.windows(2).map(|pair| pair[1] - pair[0]).collect();
        intervals.sort_unstable_by(f64::total_cmp);
        let median_ms = intervals.get(intervals.len() / 2).copied().unwrap_or(0.0).max(0.1);
        let bin_ms = 3.0 * median_ms / Self::BINS as f64;
        let mut counts = vec![0; Self::BINS];
        for interval in intervals {
            // Half a bin on, so that a whole number of refreshes lies in the middle of its bin. The cast clamps at 0.
            let bin = (interval / bin_ms + 0.5) as usize;
            counts[bin.min(Self::BINS - 1)] += 1;
        }
        Self { counts, bin_ms, median_ms }
    }
}
