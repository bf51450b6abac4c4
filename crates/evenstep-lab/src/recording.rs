//! Recordings of real displays: timestamps, when images were shown, and the refresh behind them.

use std::collections::VecDeque;

use crate::display::Shown;
use crate::fit::Grid;
use crate::metrics::STALL_NS;
use crate::policy::Host;
use crate::session::Session;

/// If a timestamp is this much before the previous one, the clock was set back; the pacer has the same rule.
const SET_BACK_MS: f64 = 250.0;
/// The first timestamp.
const START_NS: u64 = 1_000_000_000;
/// A longer gap counts as one hour.
const GAP_MS_MAX: f64 = 3.6e6;
/// Known clock resolutions of browsers and operating systems, in nanoseconds, coarsest first.
const CLOCKS_NS: [u64; 6] = [16_000_000, 1_000_000, 100_000, 20_000, 5_000, 1_000];

/// How long after its timestamp a frame may be shown: more is a report about something else.
const DELAY_NS_MAX: u64 = 1_000_000_000;
/// Frames that a report can be about.
const RECENT: usize = 64;
/// Delays are counted in bins of this width.
const DELAY_BIN_NS: u64 = 10_000;

/// When an image was shown, as the host reported it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presented {
    /// How many frames of the recording, without those that were forgotten, came before the report.
    pub before: usize,
    /// The timestamp of the image's frame, as in [`Recording::stamps_ns`].
    pub stamp_ns: u64,
    /// When it was shown.
    pub at_ns: u64,
}

/// What presentation times say about a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownFacts {
    /// Images that were shown.
    pub images: u64,
    /// Refreshes that showed the previous image once more, where the usual image stays for one. Zero for an app that never
    /// draws in two consecutive refreshes.
    pub missed: u64,
    /// The median of the delay from a frame's timestamp to its display, in nanoseconds.
    pub delay_ns: u64,
    /// The 99th percentile of that delay.
    pub delay_p99_ns: u64,
}

/// The timestamps of a real display.
///
/// ```
/// use evenstep_lab::recording::{Measured, Recording};
///
/// let mut recording = Recording::default();
/// for n in 0..300 {
///     // What a loop at 75 Hz would get from a clock with a resolution of 0.1 ms.
///     recording.frame((f64::from(n) * 1e4 / 75.0).round() / 10.0);
/// }
/// assert_eq!(recording.clock_ns(), Some(100_000));
/// let measured = Measured::of(&recording, "my display");
/// assert!((measured.session.grid_hz.unwrap() - 75.0).abs() < 0.01);
/// ```
#[derive(Clone, Debug)]
pub struct Recording {
    stamps_ns: Vec<u64>,
    backwards: usize,
    /// The known clock resolutions that all timestamps fit so far.
    clocks_ns: Vec<u64>,
    last_ms: Option<f64>,
    now_ns: u64,
    earlier: Earlier,
    // The last timestamp as it was recorded.
    last_ns: Option<i64>,
    /// The newest frames, forgotten or not, and whether each was reported as shown.
    recent: VecDeque<(u64, bool)>,
    presented: Vec<Presented>,
    delays: Vec<u32>,
}

/// What is left of the frames that [`Recording::forget`] dropped.
#[derive(Clone, Copy, Debug, Default)]
struct Earlier {
    frames: usize,
    stalls: usize,
    first_ns: Option<u64>,
    last_ns: Option<u64>,
    shown_missed: u64,
    /// When the last image was shown.
    shown_ns: Option<u64>,
}

impl Default for Recording {
    fn default() -> Self {
        Self {
            stamps_ns: Vec::new(),
            backwards: 0,
            clocks_ns: CLOCKS_NS.to_vec(),
            last_ms: None,
            // Not 0, so that the first timestamps may step back.
            now_ns: START_NS,
            earlier: Earlier::default(),
            last_ns: None,
            recent: VecDeque::new(),
            presented: Vec::new(),
            delays: Vec::new(),
        }
    }
}

impl Recording {
    /// Adds a frame with its timestamp in milliseconds, which must be finite.
    pub fn frame(&mut self, at_ms: f64) {
        let elapsed_ms = at_ms - self.last_ms.unwrap_or(at_ms);
        self.last_ms = Some(at_ms);
        self.backwards += usize::from(elapsed_ms < 0.0);
        // After the clock was set back, time continues from there.
        let elapsed_ms = if elapsed_ms <= -SET_BACK_MS { 0.0 } else { elapsed_ms.min(GAP_MS_MAX) };
        self.now_ns = self.now_ns.saturating_add_signed((elapsed_ms * 1e6).round() as i64);
        self.last_ns = Some((at_ms * 1e6).round() as i64);
        self.stamps_ns.push(self.now_ns);
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back((self.now_ns, false));
        self.clocks_ns.retain(|&clock_ns| {
            let ticks = at_ms * 1e6 / clock_ns as f64;
            (ticks - ticks.round()).abs() < 1e-3
        });
    }

    /// Adds a report: the frame with the timestamp `frame_ns` was shown at `at_ns`, both on the clock of the frames. A report
    /// about a frame that is not among the last 64, or that was reported before, is ignored.
    ///
    /// ```
    /// use evenstep_lab::recording::Recording;
    ///
    /// let mut recording = Recording::default();
    /// for refresh in [0, 1, 2, 4, 5, 6, 7, 8] {
    ///     recording.frame(refresh as f64 * 16.0);
    ///     recording.presented(refresh * 16_000_000, (refresh + 2) * 16_000_000);
    /// }
    /// let shown = recording.shown_facts().expect("there are reports");
    /// assert_eq!((shown.images, shown.missed, shown.delay_ns), (8, 1, 32_000_000));
    /// ```
    pub fn presented(&mut self, frame_ns: u64, at_ns: u64) {
        let Some(last_ns) = self.last_ns else {
            return;
        };
        let here = |raw_ns: u64| self.now_ns.saturating_add_signed((raw_ns as i64).wrapping_sub(last_ns));
        let (frame_ns, at_ns) = (here(frame_ns), here(at_ns));
        // Timestamps in milliseconds are not exact to the nanosecond.
        let is_it = |(stamp_ns, is_shown): &(u64, bool)| !is_shown && stamp_ns.abs_diff(frame_ns) < 1_000;
        let frame = self.recent.iter_mut().rfind(|frame| is_it(frame));
        let delay_ns = at_ns.checked_sub(frame_ns).filter(|&delay_ns| delay_ns < DELAY_NS_MAX);
        if let Some(((stamp_ns, is_shown), delay_ns)) = frame.zip(delay_ns) {
            *is_shown = true;
            let (before, stamp_ns) = (self.stamps_ns.len(), *stamp_ns);
            self.presented.push(Presented { before, stamp_ns, at_ns });
            let bin = (delay_ns / DELAY_BIN_NS) as usize;
            if self.delays.len() <= bin {
                self.delays.resize(bin + 1, 0);
            }
            self.delays[bin] += 1;
        }
    }

    /// What presentation times say, or `None` if there are none.
    pub fn shown_facts(&self) -> Option<ShownFacts> {
        let images: u64 = self.delays.iter().map(|&count| u64::from(count)).sum();
        let at = |share: f64| {
            let wanted = (images as f64 * share).ceil().max(1.0) as u64;
            let mut seen = 0;
            let bin = self.delays.iter().position(|&count| {
                seen += u64::from(count);
                seen >= wanted
            });
            bin.unwrap_or(0) as u64 * DELAY_BIN_NS
        };
        (images > 0).then(|| ShownFacts {
            images,
            missed: self.earlier.shown_missed + self.shown_missed(),
            delay_ns: at(0.5),
            delay_p99_ns: at(0.99),
        })
    }

    /// The refreshes that showed an image once more.
    fn shown_missed(&self) -> u64 {
        let earlier = self.earlier.shown_ns.into_iter();
        let times: Vec<u64> = earlier.chain(self.presented.iter().map(|image| image.at_ns)).collect();
        let gaps = times.windows(2).map(|pair| pair[1].saturating_sub(pair[0]));
        let gaps: Vec<u64> = gaps.filter(|&gap_ns| gap_ns > 0 && gap_ns as f64 <= STALL_NS).collect();
        let mut sorted = gaps.clone();
        sorted.sort_unstable();
        // One refresh, as long as a quarter of the images were on time.
        let Some(&refresh_ns) = sorted.get(sorted.len() / 4) else {
            return 0;
        };
        gaps.iter().map(|gap_ns| ((gap_ns + refresh_ns / 2) / refresh_ns).saturating_sub(1)).sum()
    }

    /// The reports on images, without those that were forgotten.
    pub fn presentations(&self) -> &[Presented] {
        &self.presented
    }

    /// Drops the timestamps but keeps their number, their length and the stalls among them, so that a long recording can be
    /// read in parts.
    pub fn forget(&mut self) {
        self.earlier = Earlier {
            frames: self.frames(),
            stalls: self.stalls(),
            first_ns: self.earlier.first_ns.or(self.stamps_ns.first().copied()),
            last_ns: self.stamps_ns.last().copied().or(self.earlier.last_ns),
            shown_missed: self.earlier.shown_missed + self.shown_missed(),
            shown_ns: self.presented.last().map(|image| image.at_ns).or(self.earlier.shown_ns),
        };
        self.stamps_ns.clear();
        self.presented.clear();
    }

    /// The number of all frames, with those that were forgotten.
    pub fn frames(&self) -> usize {
        self.earlier.frames + self.stamps_ns.len()
    }

    /// Timestamps in nanoseconds, without those that were forgotten. They may step back by small amounts of noise, but not
    /// where the clock was set back.
    pub fn stamps_ns(&self) -> &[u64] {
        &self.stamps_ns
    }

    /// The coarsest known clock resolution that all timestamps fit, in nanoseconds.
    pub fn clock_ns(&self) -> Option<u64> {
        self.clocks_ns.first().copied()
    }

    /// The number of timestamps that are before the previous one.
    pub const fn backwards(&self) -> usize {
        self.backwards
    }

    /// The number of gaps longer than [`STALL_NS`].
    pub fn stalls(&self) -> usize {
        let is_stall = |from: u64, to: u64| to.saturating_sub(from) as f64 > STALL_NS;
        let between = self.earlier.last_ns.zip(self.stamps_ns.first().copied());
        self.earlier.stalls
            + usize::from(between.is_some_and(|(from, to)| is_stall(from, to)))
            + self.stamps_ns.windows(2).filter(|pair| is_stall(pair[0], pair[1])).count()
    }

    /// The time from the first frame to the last, in seconds.
    pub fn seconds(&self) -> f64 {
        let first_ns = self.earlier.first_ns.or(self.stamps_ns.first().copied());
        let last_ns = self.stamps_ns.last().copied().or(self.earlier.last_ns);
        first_ns.zip(last_ns).map_or(0.0, |(first, last)| last.saturating_sub(first) as f64 / 1e9)
    }
}

/// The refresh behind a recording, and its frames as a session.
///
/// See [`Recording`] for an example.
#[derive(Debug)]
pub struct Measured {
    /// The refresh grid, if the display has a fixed refresh.
    pub grid: Option<Grid>,
    /// The frames, placed on the grid, or at their timestamps if there is none.
    pub session: Session,
}

impl Measured {
    /// Finds the refresh behind a recording.
    pub fn of(recording: &Recording, name: &str) -> Self {
        Self::after(None, recording, name)
    }

    /// Finds the refresh behind a part of a recording; it is probably that of an earlier part.
    pub(crate) fn after(before: Option<&Grid>, recording: &Recording, name: &str) -> Self {
        // A timestamp before the previous one is noise: use the latest.
        let stamps: Vec<f64> = recording
            .stamps_ns
            .iter()
            .scan(0, |latest: &mut u64, &stamp| {
                *latest = stamp.max(*latest);
                Some(*latest as f64)
            })
            .collect();
        let grid = before.and_then(|before| before.fit_again(&stamps)).or_else(|| Grid::fit(&stamps));
        let shown = |(frame, &stamp_ns): (usize, &u64)| Shown {
            at_ns: grid.as_ref().map_or(stamps[frame], |grid| grid.at_ns(frame)),
            refresh: grid.as_ref().map(|grid| grid.counts[frame]),
            interval_ns: grid
                .as_ref()
                .map_or(stamps[frame] - stamps[frame.max(1) - 1], |grid| grid.period_ns),
            stamp_ns,
        };
        let session = Session {
            title: match &grid {
                Some(grid) => format!("{name}: recorded at {:.3} Hz", 1e9 / grid.period_ns),
                None => format!("{name}: recorded without a fixed refresh"),
            },
            about: format!("{} frames", recording.stamps_ns.len()),
            grid_hz: grid.as_ref().map(|grid| 1e9 / grid.period_ns),
            // A recording begins with a frame, and that frame starts the clock.
            lead_ns: 0,
            host: Host::default(),
            shown: recording.stamps_ns.iter().enumerate().map(shown).collect(),
            presented: recording.presented.clone(),
        };
        Self { grid, session }
    }
}
