//! Recordings of real displays: timestamps, and when images were shown.

use std::collections::VecDeque;
use std::time::Duration;

use evenstep::Presented;

use super::metrics::STALL_NS;

/// If a timestamp is this much before the previous one, the clock was set back; the pacer has the same rule.
const SET_BACK_NS: u64 = 250_000_000;
/// The first timestamp. Not 0, so that the next ones may step back.
const START_NS: u64 = 1_000_000_000;
/// A longer gap counts as one hour.
const GAP_NS_MAX: u64 = 3_600_000_000_000;
/// Known clock resolutions of browsers and operating systems, in nanoseconds, coarsest first.
const CLOCKS_NS: [u64; 6] = [16_000_000, 1_000_000, 100_000, 20_000, 5_000, 1_000];

/// How long after its timestamp a frame may be shown: more is a report about something else.
const DELAY_NS_MAX: u64 = 1_000_000_000;
/// Frames that a report can be about.
const RECENT: usize = 64;
/// Delays are counted in bins of this width.
const DELAY_BIN_NS: u64 = 10_000;

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
/// use evenstep_cli::analysis::recording::Recording;
/// use std::time::Duration;
///
/// let mut recording = Recording::default();
/// for n in 0..300 {
///     // What a loop at 75 Hz would get from a clock with a resolution of 0.1 ms.
///     recording.frame(Duration::from_micros(n * 10_000 / 75 * 100));
/// }
/// assert_eq!(recording.clock_ns(), Some(100_000));
/// ```
#[derive(Clone, Debug)]
pub struct Recording {
    stamps_ns: Vec<u64>,
    backwards: usize,
    /// The known clock resolutions that all timestamps fit so far.
    clocks_ns: Vec<u64>,
    /// The last timestamp as it was recorded.
    last_ns: Option<u64>,
    now_ns: u64,
    earlier: Earlier,
    /// The newest frames, forgotten or not, and whether each was reported as shown.
    recent: VecDeque<(u64, bool)>,
    presented: Vec<(usize, Presented)>,
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
            last_ns: None,
            now_ns: START_NS,
            earlier: Earlier::default(),
            recent: VecDeque::new(),
            presented: Vec::new(),
            delays: Vec::new(),
        }
    }
}

impl Recording {
    /// Adds a frame with its timestamp.
    pub fn frame(&mut self, at: Duration) {
        let at_ns = nanos(at);
        let last_ns = self.last_ns.replace(at_ns).unwrap_or(at_ns);
        if let Some(elapsed_ns) = at_ns.checked_sub(last_ns) {
            self.now_ns = self.now_ns.saturating_add(elapsed_ns.min(GAP_NS_MAX));
        } else {
            self.backwards += 1;
            let back_ns = last_ns - at_ns;
            // After the clock was set back, time continues from there.
            self.now_ns = self.now_ns.saturating_sub(if back_ns < SET_BACK_NS { back_ns } else { 0 });
        }
        self.stamps_ns.push(self.now_ns);
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back((self.now_ns, false));
        self.clocks_ns.retain(|&clock_ns| at_ns.is_multiple_of(clock_ns));
    }

    /// Adds a report on when a frame was shown. A report about a frame that is not among the last 64, or that was reported
    /// before, is ignored.
    ///
    /// ```
    /// use evenstep::Presented;
    /// use evenstep_cli::analysis::recording::Recording;
    /// use std::time::Duration;
    ///
    /// let at = |refresh: u64| Duration::from_millis(16 * refresh);
    /// let mut recording = Recording::default();
    /// for refresh in [0, 1, 2, 4, 5, 6, 7, 8] {
    ///     recording.frame(at(refresh));
    ///     recording.presented(Presented { frame: at(refresh), at: at(refresh + 2) });
    /// }
    /// let shown = recording.shown_facts().expect("there are reports");
    /// assert_eq!((shown.images, shown.missed, shown.delay_ns), (8, 1, 32_000_000));
    /// ```
    pub fn presented(&mut self, report: Presented) {
        let Some(last_ns) = self.last_ns else {
            return;
        };
        let here = |raw: Duration| {
            self.now_ns.saturating_add_signed(nanos(raw).cast_signed().wrapping_sub(last_ns.cast_signed()))
        };
        let frame_ns = here(report.frame);
        let at_ns = here(report.at);
        let frame = self.recent.iter_mut().rfind(|(stamp_ns, is_shown)| !is_shown && *stamp_ns == frame_ns);
        let delay_ns = at_ns.checked_sub(frame_ns).filter(|&delay_ns| delay_ns < DELAY_NS_MAX);
        if let Some(((_, is_shown), delay_ns)) = frame.zip(delay_ns) {
            *is_shown = true;
            let report = Presented { frame: Duration::from_nanos(frame_ns), at: Duration::from_nanos(at_ns) };
            self.presented.push((self.stamps_ns.len(), report));
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
        let times: Vec<u64> =
            earlier.chain(self.presented.iter().map(|(_, image)| nanos(image.at))).collect();
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

    /// The reports on images with the number of frames before each, without those that were forgotten.
    pub fn presentations(&self) -> &[(usize, Presented)] {
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
            shown_ns: self.presented.last().map(|(_, image)| nanos(image.at)).or(self.earlier.shown_ns),
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

fn nanos(at: Duration) -> u64 {
    at.as_nanos().try_into().unwrap_or(u64::MAX)
}
