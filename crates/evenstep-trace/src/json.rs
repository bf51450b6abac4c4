//! Parses JSON objects, one per line, with clear error messages.

use serde::de::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// How many characters of a line an error quotes.
const QUOTED_MAX: usize = 40;

/// Parses an object. Only the fields named in `objects` may be objects themselves.
pub(crate) fn parse_object<'de, T: Deserialize<'de>>(text: &'de str, objects: &[&str]) -> Result<T, String> {
    let parsed = parse(text)?;
    check_shape(text, objects)?;
    Ok(parsed)
}

/// Parses an object.
pub(crate) fn parse<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, String> {
    if !text.starts_with('{') {
        return Err(format!("a line is a JSON object, not {}", quoted(text)));
    }
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        // To serde each line is a separate document, and its "line 1" would be misleading.
        match message.rsplit_once(" at line ") {
            Some((what, _)) if error.column() > 0 => format!("{what} (column {})", error.column()),
            Some((what, _)) => what.to_owned(),
            None => message,
        }
    })
}

/// The name in front of an array. Version 2 has none, but serde would take one for a struct.
pub(crate) fn names_an_array(text: &str) -> Option<&str> {
    let name = text.split_once('[')?.0.trim_end().strip_suffix(':')?.trim_end();
    Some(&name[name.trim_end_matches('"').rfind('"').unwrap_or(0)..])
}

/// Rejects what serde accepts but the format does not: a struct as an array of its fields, and an enum as an object.
fn check_shape(text: &str, objects: &[&str]) -> Result<(), String> {
    // Almost every line is flat and needs no further check.
    if !text[1..].contains(['[', '{']) {
        return Ok(());
    }
    let fields: Map<String, Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    for (name, value) in fields {
        match value {
            Value::Array(_) => return Err(format!("`{name}` cannot be an array")),
            Value::Object(_) if !objects.contains(&&*name) => {
                return Err(format!("`{name}` cannot be an object"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Deserializes an optional field that must have a value if it is present: `null` does not mean "absent".
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    field: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(field).map(Some)
}

/// Formats a number in the shortest form that reads back the same. JSON has only finite numbers.
pub(crate) fn number(name: &str, value: f64) -> Result<String, String> {
    if value.is_finite() {
        Ok(value.to_string())
    } else {
        Err(format!("expected `{name}` to be a finite number, found {value}"))
    }
}

fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED_MAX) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// Whether this is a JSON number of digits with at most one point, and short enough to be finite.
pub(crate) fn is_plain_number(text: &str) -> bool {
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, part) = text.split_once('.').map_or((text, None), |(whole, part)| (whole, Some(part)));
    let has_no_zero_in_front = whole == "0" || !whole.starts_with('0');
    text.len() <= 40 && is_digits(whole) && has_no_zero_in_front && part.is_none_or(is_digits)
}
