//! Formatted results, the same on the command line and on the web page.

use super::metrics::Report;

/// The column names of [`cells`].
pub const HEADS: [&str; 6] = ["judder RMS us", "p99 us", "max us", "cadence error %", "drift ms", "lag ms"];

/// Formats the numbers of a report, in the order of [`HEADS`].
///
/// ```
/// use evenstep_cli::analysis::metrics::Report;
/// use evenstep_cli::analysis::words::{HEADS, cells};
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

/// Formats a number with this many decimals, without a minus sign in front of zero.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.trim_start_matches('-').chars().all(|digit| matches!(digit, '0' | '.')) {
        text.trim_start_matches('-').to_owned()
    } else {
        text
    }
}
