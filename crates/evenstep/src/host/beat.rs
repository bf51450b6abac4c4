//! Checks whether what starts a host's frames really is the display's beat.

use core::time::Duration;

use crate::rate::to_nanos;

/// Beats that are judged together: enough for the ends of the window not to matter, a quarter of a second at 60 Hz.
const WINDOW: u32 = 16;
/// Windows in a row that must agree before the verdict changes.
const WINDOWS: u8 = 2;
/// A beat that stays away for this long, or for eight refreshes, has stopped.
const STOPPED_NS: u64 = 250_000_000;
const STOPPED_REFRESHES: u64 = 8;
/// What counts as a display when the refresh is unknown: 10 to 1000 Hz.
const REFRESH_NS: (u64, u64) = (1_000_000, 100_000_000);

/// What a [`BeatCheck`] has found out about a beat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BeatState {
    /// Too few beats to tell.
    #[default]
    Checking,
    /// The beat keeps to the refresh.
    Steady,
    /// The beat does not keep to the refresh: it comes much more often, or its counts belong to another display.
    Wild,
    /// The beat stays away.
    Stopped,
}

/// Checks a beat, such as a vertical sync or a blocking present, against the refresh that it claims to follow.
///
/// Window systems and drivers do not always keep their word: a present that should wait for the display may return at
/// once, and a count of refreshes may be that of another display. A host that believes them runs hundreds of frames per
/// second, or at the wrong rate. Beats may be noisy, late or missing: only a beat that is too frequent, or whose counts
/// pass at another rate, is wild.
///
/// ```
/// use core::time::Duration;
/// use evenstep::Rate;
/// use evenstep::host::{BeatCheck, BeatState};
///
/// let mut check = BeatCheck::new(Some(Rate::hz(60).step()));
/// for n in 0..50 {
///     check.beat(Rate::hz(60).time_of(n), None);
/// }
/// assert_eq!(check.state(), BeatState::Steady);
/// for n in 0..50 {
///     check.beat(Duration::from_secs(1) + Rate::hz(400).time_of(n), None); // Nothing waits for the display.
/// }
/// assert_eq!(check.state(), BeatState::Wild);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeatCheck {
    // Zero if unknown.
    refresh_ns: u64,
    last: Option<(u64, Option<u64>)>,
    // When the host began to wait, if no beat has come since.
    waiting_since_ns: Option<u64>,
    beats: u32,
    elapsed_ns: u64,
    counted: u64,
    // The verdict of the last window, and how many windows in a row have given it.
    verdict: BeatState,
    verdicts: u8,
    measured_ns: u64,
    state: BeatState,
}

impl BeatCheck {
    /// Creates a check against a refresh period, or `None` if the window system does not say. Zero counts as unknown.
    pub fn new(refresh: Option<Duration>) -> Self {
        Self {
            refresh_ns: refresh.map_or(0, to_nanos),
            last: None,
            waiting_since_ns: None,
            beats: 0,
            elapsed_ns: 0,
            counted: 0,
            verdict: BeatState::Checking,
            verdicts: 0,
            measured_ns: 0,
            state: BeatState::Checking,
        }
    }

    /// Records a beat, with the display's own count of refreshes if there is one, and returns the verdict.
    ///
    /// A time or a count that runs backwards starts a new window.
    pub fn beat(&mut self, at: Duration, count: Option<u64>) -> BeatState {
        let at_ns = to_nanos(at);
        self.waiting_since_ns = None;
        if self.state == BeatState::Stopped {
            self.forget();
        }
        let last = self.last.replace((at_ns, count));
        let Some((last_ns, last_count)) = last else {
            return self.state;
        };
        let counted = match (last_count, count) {
            (Some(last), Some(count)) => count.checked_sub(last).filter(|&passed| passed > 0),
            (None, None) => Some(1),
            _ => None,
        };
        let (Some(elapsed_ns), Some(counted)) = (at_ns.checked_sub(last_ns), counted) else {
            (self.beats, self.elapsed_ns, self.counted) = (0, 0, 0);
            return self.state;
        };
        self.beats += 1;
        self.elapsed_ns = self.elapsed_ns.saturating_add(elapsed_ns);
        self.counted = self.counted.saturating_add(counted);
        if self.beats == WINDOW {
            self.judge(count.is_some());
            (self.beats, self.elapsed_ns, self.counted) = (0, 0, 0);
        }
        self.state
    }

    /// Tells the check that the host waits for a beat at `now`. After a quarter of a second without one, the beat has
    /// stopped.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::host::{BeatCheck, BeatState};
    ///
    /// let ms = Duration::from_millis;
    /// let mut check = BeatCheck::new(None);
    /// assert_eq!(check.wait(ms(1_000)), BeatState::Checking);
    /// assert_eq!(check.wait(ms(1_300)), BeatState::Stopped);
    /// assert_eq!(check.beat(ms(1_400), None), BeatState::Checking, "it is back, and checked again");
    /// ```
    pub fn wait(&mut self, now: Duration) -> BeatState {
        let now_ns = to_nanos(now);
        let since_ns = *self.waiting_since_ns.get_or_insert(now_ns);
        let patience_ns = STOPPED_NS.max(self.refresh_ns.saturating_mul(STOPPED_REFRESHES));
        if now_ns.saturating_sub(since_ns) >= patience_ns {
            self.state = BeatState::Stopped;
        }
        self.state
    }

    /// Interrupts the check while no beat is expected, as in a hidden window. The verdict stays, unless the beat had
    /// stopped.
    pub fn pause(&mut self) {
        let stays = self.state;
        self.forget();
        if stays != BeatState::Stopped {
            self.state = stays;
        }
    }

    /// The verdict.
    pub const fn state(&self) -> BeatState {
        self.state
    }

    /// The refresh period as measured over the last sixteen beats, or `None` before that. Only a beat with counts
    /// measures the refresh itself; another one measures the interval between frames.
    pub const fn measured(&self) -> Option<Duration> {
        match self.measured_ns {
            0 => None,
            period_ns => Some(Duration::from_nanos(period_ns)),
        }
    }

    fn forget(&mut self) {
        let refresh_ns = self.refresh_ns;
        *self = Self { refresh_ns, measured_ns: self.measured_ns, ..Self::new(None) };
    }

    fn judge(&mut self, has_counts: bool) {
        let period_ns = self.elapsed_ns / self.counted.max(1);
        self.measured_ns = period_ns;
        let (least_ns, most_ns) = match self.refresh_ns {
            0 => REFRESH_NS,
            // A tenth: no two common refresh rates that a screen switches between are closer.
            refresh_ns if has_counts => (refresh_ns / 10 * 9, refresh_ns.saturating_add(refresh_ns / 10)),
            // A frame that takes longer than a refresh may be late, but never early.
            refresh_ns => (refresh_ns / 5 * 4, u64::MAX),
        };
        let is_steady = (least_ns..=most_ns).contains(&period_ns) || (!has_counts && period_ns > most_ns);
        let verdict = if is_steady { BeatState::Steady } else { BeatState::Wild };
        self.verdicts = if verdict == self.verdict { self.verdicts.saturating_add(1) } else { 1 };
        self.verdict = verdict;
        if self.verdicts >= WINDOWS {
            self.state = verdict;
        }
    }
}
