//! Numbers with units.

use std::ops::RangeInclusive;

/// Parses a time with its unit, and returns milliseconds.
pub(super) fn milliseconds(text: &str, range_ms: RangeInclusive<f64>) -> Result<f64, String> {
    let (value, unit_ms) = [("ms", 1.0), ("us", 1e-3), ("ns", 1e-6), ("s", 1e3)]
        .into_iter()
        .find_map(|(unit, unit_ms)| Some((text.strip_suffix(unit)?, unit_ms)))
        .ok_or_else(|| {
            format!("expected a time with its unit, such as 0.3ms or 300us or 0.0003s, found `{text}`")
        })?;
    let value = number(value, f64::NEG_INFINITY..=f64::INFINITY, "")?;
    within(value * unit_ms, range_ms, "ms")
}

/// Parses a time in seconds; the unit is optional.
pub(super) fn seconds(text: &str, range_s: RangeInclusive<f64>) -> Result<f64, String> {
    number(text.strip_suffix('s').unwrap_or(text), range_s, "s")
}

/// Parses a percentage, and returns a fraction; the percent sign is optional.
pub(super) fn share(text: &str, range: RangeInclusive<f64>) -> Result<f64, String> {
    Ok(number(text.strip_suffix('%').unwrap_or(text), range, "%")? / 100.0)
}

/// Parses a number within a range.
pub(super) fn number(text: &str, range: RangeInclusive<f64>, unit: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => within(value, range, unit),
        _ => Err(format!("expected {}, found `{text}`", bounds(&range, unit))),
    }
}

fn within(value: f64, range: RangeInclusive<f64>, unit: &str) -> Result<f64, String> {
    if range.contains(&value) { Ok(value) } else { Err(format!("expected {}", bounds(&range, unit))) }
}

fn bounds(range: &RangeInclusive<f64>, unit: &str) -> String {
    if range.start().is_infinite() {
        return "a number".into();
    }
    format!("a number from {} to {} {unit}", range.start(), range.end()).trim_end().to_owned()
}
