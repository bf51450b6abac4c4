//! "Measure my display": records ten seconds of a browser's own timestamps and analyses them.

use evenstep_lab::fit::FRAMES_MIN;
use evenstep_lab::metrics::{Motion, SETTLE_S, STALL_NS};
use evenstep_lab::policy::Policy;
use evenstep_lab::recording::{Measured, Recording};
use evenstep_lab::session::Outcome;
use evenstep_lab::words;
use evenstep_trace::{Error, Header, Profile, Writer};

/// Length of a recording, in seconds.
pub const SECONDS: f64 = 10.0;
/// A limit that no display reaches in that time.
const FRAMES_MAX: usize = 20_000;
/// A stutter is a frame whose motion is off by more than this, in milliseconds: a pixel, for what moves a thousand pixels a
/// second.
pub const STUTTER_MS: f64 = 1.0;
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
    stamps_ms: Vec<f64>,
    times_hidden: usize,
}

impl Recorder {
    /// Records a frame's timestamp, in milliseconds. Timestamps that are not finite are ignored.
    pub fn frame(&mut self, at_ms: f64) {
        if at_ms.is_finite() && !self.is_done() {
            self.stamps_ms.push(at_ms);
        }
    }

    /// Notes that the tab was hidden: browsers show no frames during that time.
    pub const fn hide(&mut self) {
        self.times_hidden += 1;
    }

    /// How much of the recording time has passed, from 0 to 1.
    pub fn progress(&self) -> f64 {
        match self.stamps_ms[..] {
            [first, .., last] => ((last - first) / (1e3 * SECONDS)).clamp(0.0, 1.0),
            _ => 0.0,
        }
    }

    /// Whether the recording is complete.
    pub fn is_done(&self) -> bool {
        self.progress() >= 1.0 || self.stamps_ms.len() >= FRAMES_MAX
    }

    /// Analyses the timestamps.
    ///
    /// # Errors
    ///
    /// A message for the user if there are too few.
    pub fn finish(self) -> Result<Findings, String> {
        let frames = self.stamps_ms.len();
        if frames < FRAMES_MIN {
            let why = match self.times_hidden {
                0 => "The browser may be throttling frames, for example to save power.",
                _ => "The tab was hidden, and browsers show no frames in hidden tabs.",
            };
            return Err(format!("Only {frames} frames arrived, but at least {FRAMES_MIN} are needed. {why}"));
        }
        let mut recording = Recording::default();
        for &at_ms in &self.stamps_ms {
            recording.frame(at_ms);
        }
        let measured = Measured::of(&recording, "display");
        let outcomes = measured.session.under_each(&Policy::ALL);
        Ok(Findings { recorder: self, recording, measured, outcomes })
    }

    /// The timestamps as a pacing trace, without loss of precision.
    fn trace(&self) -> String {
        // Not `expect`, which would add the formatting of every std error to the page: ten kilobytes.
        let Ok(trace) = self.write_trace() else {
            unreachable!("timestamps are finite, and writing to memory does not fail")
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

/// The analysis of a recording.
#[derive(Debug)]
pub struct Findings {
    recorder: Recorder,
    recording: Recording,
    measured: Measured,
    outcomes: Vec<Outcome>,
}

impl Findings {
    /// The display's refresh rate, if it is fixed.
    pub fn refresh_hz(&self) -> Option<f64> {
        self.measured.session.grid_hz
    }

    /// The refresh, the noise and other facts: names and sentences, as `evenstep lab import` prints them.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = words::facts(&self.recording, self.measured.grid.as_ref());
        if self.recorder.times_hidden > 0 {
            facts.push(("hidden", "the tab was hidden while recording: measure again to be sure".to_owned()));
        }
        facts
    }

    /// The result in words for a player: the display, and how often a plain loop and Evenstep would have stuttered on it.
    pub fn verdict(&self) -> String {
        let frames = self.recording.stamps_ns().len();
        let Some(grid) = &self.measured.grid else {
            return format!(
                "No fixed refresh rate was found in {frames} frames: it is variable, or it changed, or the timestamps are \
                 too noisy. Without one there is no even motion to compare with; Evenstep then follows the timestamps, \
                 as a plain loop does."
            );
        };
        let hz = plain_number(1e9 / grid.period_ns);
        let missed = grid.missed(STALL_NS);
        let display = match missed {
            0 => format!("A steady {hz} Hz display"),
            _ => format!(
                "A {hz} Hz display; {} missed",
                counted(missed as usize, "refresh was", "refreshes were")
            ),
        };
        let late = match grid.late {
            0 => "no frame came late".to_owned(),
            late => format!("{} late", counted(late, "frame came", "frames came")),
        };
        let times = |policy| counted(self.stutters(policy).unwrap_or(0), "time", "times");
        format!(
            "{display}; {late}. In the last {:.0} s, a plain loop would have stuttered {}, Evenstep {}.",
            (self.recording.seconds() - SETTLE_S).max(0.0),
            times(Policy::Plain),
            times(Policy::Evenstep),
        )
    }

    /// How often the motion of a policy was off by more than [`STUTTER_MS`], after the seconds that are not measured.
    pub fn stutters(&self, policy: Policy) -> Option<usize> {
        let outcome = self.outcomes.iter().find(|outcome| outcome.policy == policy)?;
        let is_stutter = |motion: &&Motion| {
            motion.at_s >= SETTLE_S && motion.error_ms().is_some_and(|error_ms| error_ms.abs() > STUTTER_MS)
        };
        Some(outcome.motion.iter().filter(is_stutter).count())
    }

    /// The results of each policy, in the order of [`Policy::ALL`]: the cells of [`words::HEADS`].
    pub fn rows(&self) -> Vec<(Policy, [String; 6])> {
        self.outcomes.iter().map(|outcome| (outcome.policy, words::cells(&outcome.report))).collect()
    }

    /// The distribution of intervals between frames.
    pub fn histogram(&self) -> Histogram {
        Histogram::of(&self.recorder.stamps_ms)
    }

    /// The timestamps as a pacing trace, for `evenstep trace` and `evenstep lab import`.
    pub fn trace(&self) -> String {
        self.recorder.trace()
    }
}

/// A number with at most two decimals.
fn plain_number(value: f64) -> String {
    let text = words::fixed(value, 2);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The distribution of intervals between frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// Frames in each bin. The last bin includes longer intervals, the first one negative intervals.
    pub counts: Vec<usize>,
    /// Width of a bin, in milliseconds.
    pub bin_ms: f64,
    /// The median interval, in milliseconds.
    pub median_ms: f64,
}

impl Histogram {
    /// The number of bins, which cover 0 to three median intervals.
    pub const BINS: usize = 90;

    fn of(stamps_ms: &[f64]) -> Self {
        let mut intervals: Vec<f64> = stamps_ms.windows(2).map(|pair| pair[1] - pair[0]).collect();
        intervals.sort_unstable_by(f64::total_cmp);
        let median_ms = intervals.get(intervals.len() / 2).copied().unwrap_or(0.0).max(0.1);
        let bin_ms = 3.0 * median_ms / Self::BINS as f64;
        let mut counts = vec![0; Self::BINS];
        for interval in intervals {
            // Shifted by half a bin, so that whole refreshes are in the middle of a bin. The cast clamps at 0.
            let bin = (interval / bin_ms + 0.5) as usize;
            counts[bin.min(Self::BINS - 1)] += 1;
        }
        Self { counts, bin_ms, median_ms }
    }
}
