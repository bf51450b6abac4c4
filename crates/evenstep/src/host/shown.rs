//! What presentation feedback says about the frames that were shown.

use core::time::Duration;

use crate::rate::to_nanos;

/// Images over which the latency is computed.
const WINDOW: usize = 128;

/// Images that are remembered as a whole.
const RECENT: usize = 8;

/// No display refreshes more often.
const REFRESH_NS_MIN: u64 = 1_000_000;

/// One image that the display has shown.
///
/// All instants are on the clock of the frames' timestamps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shown {
    /// The timestamp of the image's frame.
    pub frame_at: Duration,
    /// When the input was read that the image shows.
    pub input_at: Duration,
    /// When the display began to show the image.
    pub at: Duration,
    /// The display's refresh period, or zero if it is unknown or varies.
    pub refresh: Duration,
    /// The display's own count of refreshes, if it has one.
    pub sequence: Option<u64>,
    /// How many refreshes after the previous image this one was meant to be shown: 1, or more if the app draws less
    /// often.
    pub refreshes_planned: u32,
}

/// Counts the images that a display has shown, the refreshes that they missed, and the latency from input to display.
///
/// A refresh is missed if the display had to show the previous image once more although a new one was planned. The
/// display's own count decides, or the time between two images where there is none.
///
/// ```
/// use core::time::Duration;
/// use evenstep::Rate;
/// use evenstep::host::{Shown, ShownCounts};
///
/// let mut counts = ShownCounts::new();
/// for refresh in [10, 11, 12, 14, 15] {
///     counts.record(Shown {
///         frame_at: Rate::hz(60).time_of(refresh - 2),
///         input_at: Rate::hz(60).time_of(refresh - 2),
///         at: Rate::hz(60).time_of(refresh),
///         refresh: Rate::hz(60).step(),
///         sequence: Some(refresh),
///         refreshes_planned: 1,
///     });
/// }
/// assert_eq!((counts.shown(), counts.missed()), (5, 1));
/// assert_eq!(counts.latency(0.5).expect("five images").as_micros(), 33_333);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownCounts {
    shown: u64,
    missed: u64,
    discarded: u64,
    last: Option<Shown>,
    // They saturate at four seconds.
    latencies_ns: [u32; WINDOW],
    // Image `n` is at `n % RECENT`.
    recent: [Option<Shown>; RECENT],
}

impl Default for ShownCounts {
    fn default() -> Self {
        Self::new()
    }
}

impl ShownCounts {
    /// Creates counts that start at zero.
    pub const fn new() -> Self {
        Self {
            shown: 0,
            missed: 0,
            discarded: 0,
            last: None,
            latencies_ns: [0; WINDOW],
            recent: [None; RECENT],
        }
    }

    /// Records an image, and returns how many refreshes it missed.
    pub fn record(&mut self, image: Shown) -> u64 {
        let latency_ns = to_nanos(image.at.saturating_sub(image.input_at));
        self.latencies_ns[self.shown as usize % WINDOW] = latency_ns.min(u32::MAX.into()) as u32;
        self.recent[self.shown as usize % RECENT] = Some(image);
        self.shown += 1;
        let passed = self.last.replace(image).and_then(|last| refreshes_between(&last, &image));
        let missed = passed.map_or(0, |passed| passed.saturating_sub(image.refreshes_planned.into()));
        self.missed = self.missed.saturating_add(missed);
        missed
    }

    /// Records an image that was replaced before the display showed it.
    pub const fn discard(&mut self) {
        self.discarded += 1;
    }

    /// Interrupts the count, as when a window is hidden: the refreshes until the next image are not missed.
    pub const fn pause(&mut self) {
        self.last = None;
    }

    /// Images shown.
    pub const fn shown(&self) -> u64 {
        self.shown
    }

    /// Refreshes missed.
    pub const fn missed(&self) -> u64 {
        self.missed
    }

    /// Images that were replaced before the display showed them.
    pub const fn discarded(&self) -> u64 {
        self.discarded
    }

    /// The last image, unless the count was interrupted after it.
    pub const fn last(&self) -> Option<&Shown> {
        self.last.as_ref()
    }

    /// The images that were shown since [`shown`](Self::shown) had this value, oldest first. Only the last eight are
    /// remembered: ask in every frame.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::host::{Shown, ShownCounts};
    ///
    /// let mut counts = ShownCounts::new();
    /// let seen = counts.shown();
    /// for n in 1..=3 {
    ///     counts.record(Shown { at: Duration::from_millis(16 * n), ..Shown::default() });
    /// }
    /// let times: Vec<_> = counts.since(seen).map(|image| image.at.as_millis()).collect();
    /// assert_eq!(times, [16, 32, 48]);
    /// assert_eq!(counts.since(counts.shown()).count(), 0);
    /// ```
    pub fn since(&self, shown: u64) -> impl Iterator<Item = &Shown> {
        let oldest = self.shown.saturating_sub(RECENT as u64);
        (shown.max(oldest)..self.shown).filter_map(|n| self.recent[n as usize % RECENT].as_ref())
    }

    /// The latency from input to display that a share of the last 128 images did not exceed: 0.5 is the median. `None`
    /// before the first image.
    pub fn latency(&self, share: f64) -> Option<Duration> {
        let len = (self.shown as usize).min(WINDOW);
        let mut sorted = self.latencies_ns;
        let sorted = sorted.get_mut(..len).filter(|sorted| !sorted.is_empty())?;
        sorted.sort_unstable();
        // A share that is not a number becomes 0.
        let index = ((len - 1) as f64 * share.clamp(0.0, 1.0)) as usize;
        Some(Duration::from_nanos(sorted[index.min(len - 1)].into()))
    }
}

/// Returns how many refreshes lie between two images, or `None` if that cannot be told.
fn refreshes_between(last: &Shown, image: &Shown) -> Option<u64> {
    let refresh_ns = to_nanos(image.refresh);
    let apart_ns = to_nanos(image.at.checked_sub(last.at)?);
    if let (Some(last), Some(sequence)) = (last.sequence, image.sequence) {
        // A count that starts again, or leaps ahead, is that of another display.
        let possible = apart_ns / REFRESH_NS_MIN + 2;
        return sequence.checked_sub(last).filter(|&passed| passed <= possible);
    }
    (refresh_ns > 0).then(|| apart_ns.saturating_add(refresh_ns / 2) / refresh_ns)
}
