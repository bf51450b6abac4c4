//! Recordings of real displays: timestamps, and the refresh behind them.

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
        self.stamps_ns.push(self.now_ns);
        self.clocks_ns.retain(|&clock_ns| {
            let ticks = at_ms * 1e6 / clock_ns as f64;
            (ticks - ticks.round()).abs() < 1e-3
        });
    }

    /// Timestamps in nanoseconds. They may step back by small amounts of noise, but not where the clock was set back.
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
        let gap_ns = |pair: &[u64]| pair[1].saturating_sub(pair[0]) as f64;
        self.stamps_ns.windows(2).filter(|pair| gap_ns(pair) > STALL_NS).count()
    }

    /// The time from the first frame to the last, in seconds.
    pub fn seconds(&self) -> f64 {
        match self.stamps_ns[..] {
            [first, .., last] => last.saturating_sub(first) as f64 / 1e9,
            _ => 0.0,
        }
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
        // A timestamp before the previous one is noise: use the latest.
        let stamps: Vec<f64> = recording
            .stamps_ns
            .iter()
            .scan(0, |latest: &mut u64, &stamp| {
                *latest = stamp.max(*latest);
                Some(*latest as f64)
            })
            .collect();
        let grid = Grid::fit(&stamps);
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
            host: Host::default(),
            shown: recording.stamps_ns.iter().enumerate().map(shown).collect(),
        };
        Self { grid, session }
    }
}
