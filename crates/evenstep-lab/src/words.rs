//! Formatted results, the same on the command line and on the web page.

use crate::fit::Grid;
use crate::metrics::{Report, STALL_NS};
use crate::recording::Recording;

/// The column names of [`cells`].
pub const HEADS: [&str; 6] = ["judder RMS us", "p99 us", "max us", "cadence error %", "drift ms", "lag ms"];

/// Formats the numbers of a report, in the order of [`HEADS`].
///
/// ```
/// use evenstep_lab::metrics::Report;
/// use evenstep_lab::words::{HEADS, cells};
///
/// let report = Report { judder_us: 423.07, drift_ms: -0.001, ..Report::default() };
/// for (name, value) in HEADS.iter().zip(cells(&report)) {
///     println!("{name}: {value}");
/// }
/// assert_eq!(cells(&report)[0], "423.1");
/// ```
pub fn cells(report: &Report) -> [String; 6] {
    [
        fixed(report.judder_us, 1),
        fixed(report.judder_us_p99, 1),
        fixed(report.judder_us_max, 1),
        report.cadence_error.map_or("-".into(), |error| fixed(error, 2)),
        fixed(report.drift_ms, 2),
        fixed(report.lag_ms, 2),
    ]
}

/// What [`facts`] says about a grid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GridFacts {
    /// Nanoseconds between refreshes.
    pub period_ns: f64,
    /// Standard deviation of the timestamps from the grid, in nanoseconds.
    pub noise_ns: f64,
    /// Refreshes from the first frame to the last.
    pub refreshes: u64,
    /// Refreshes without a frame.
    pub missed: u64,
    /// Late timestamps.
    pub late: usize,
}

impl From<&Grid> for GridFacts {
    fn from(grid: &Grid) -> Self {
        Self {
            period_ns: grid.period_ns,
            noise_ns: grid.noise_ns,
            refreshes: grid.counts.last().copied().unwrap_or(0),
            missed: grid.missed(STALL_NS),
            late: grid.late,
        }
    }
}

/// Describes a recording with at least one frame, and the grid behind it: names and sentences.
pub fn facts(recording: &Recording, grid: Option<&Grid>) -> Vec<(&'static str, String)> {
    facts_of(recording, grid.map(GridFacts::from))
}

/// Describes a recording as [`facts`] does.
pub fn facts_of(recording: &Recording, grid: Option<GridFacts>) -> Vec<(&'static str, String)> {
    let frames = recording.frames();
    let mut facts = vec![("frames", format!("{frames} in {:.3} s", recording.seconds()))];
    if let Some(GridFacts { period_ns, noise_ns, refreshes, missed, late }) = grid {
        let percent = |count: f64, of: f64| fixed(100.0 * count / of, 2);
        let late_share = percent(late as f64, frames as f64);
        let missed_share = percent(missed as f64, refreshes as f64);
        facts.extend([
            ("refresh", format!("{:.4} Hz, every {:.4} ms", 1e9 / period_ns, period_ns / 1e6)),
            ("noise", format!("{:.4} ms deviation of timestamps from the refresh", noise_ns / 1e6)),
            ("late", format!("{late} timestamps ({late_share} %), by more than four deviations")),
            ("missed", format!("{missed} refreshes ({missed_share} %)")),
        ]);
    } else {
        let none = "no single fixed one: it is variable, or changed, or noise hides it";
        facts.push(("refresh", none.to_owned()));
    }
    if let Some(shown) = recording.shown_facts() {
        let percent = fixed(100.0 * shown.missed as f64 / (shown.images + shown.missed) as f64, 2);
        let refreshes = if shown.missed == 1 { "refresh" } else { "refreshes" };
        facts.push((
            "shown",
            format!("{} images; {} {refreshes} missed ({percent} %)", shown.images, shown.missed),
        ));
        let millis = |ns: u64| fixed(ns as f64 / 1e6, 2);
        let (median, p99) = (millis(shown.delay_ns), millis(shown.delay_p99_ns));
        facts.push(("delay", format!("{median} ms from timestamp to display (median), {p99} ms (p99)")));
    }
    facts.push(("stalls", format!("{} gaps over {} s", recording.stalls(), STALL_NS / 1e9)));
    if let Some(clock_ns) = recording.clock_ns() {
        facts.push(("clock", format!("all timestamps are multiples of {} ms", clock_ns as f64 / 1e6)));
    }
    if recording.backwards() > 0 {
        facts.push(("backwards", format!("{} timestamps lie before the last", recording.backwards())));
    }
    facts
}

/// Formats a number with this many decimals, without a minus sign in front of zero.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.trim_start_matches('-').chars().all(|digit| matches!(digit, '0' | '.')) {
        text.trim_start_matches('-').to_owned()
    } else {
        text
    }
}
