//! JSON objects, one a line, and the words for lines that are none.

use serde::de::{Deserialize, Deserializer};

/// How much of a line an error quotes, in characters.
const QUOTED_MAX: usize = 40;

/// Reads an object; the error says what was expected.
pub(crate) fn parse_object<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, String> {
    // Serde also reads a struct from an array of its fields; the format has objects only.
    if !text.starts_with('{') {
        return Err(format!("a line is a JSON object, not {}", quoted(text)));
    }
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        // To serde each line is a document of its own, and its "line 1" would only confuse.
        match message.rsplit_once(" at line ") {
            Some((what, _)) if error.column() > 0 => format!("{what} (column {})", error.column()),
            Some((what, _)) => what.to_owned(),
            None => message,
        }
    })
}

/// Reads a field that has a value if it is there: `null` does not mean "absent".
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    field: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(field).map(Some)
}

/// A number in its shortest form that reads back the same. JSON has no other numbers than finite ones.
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
