//! JSON objects, one a line, and the words for lines that are none.

use serde::de::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// How much of a line an error quotes, in characters.
const QUOTED_MAX: usize = 40;

/// Reads an object in which only the fields named in `objects` are objects themselves; the error says what was expected.
pub(crate) fn parse_object<'de, T: Deserialize<'de>>(text: &'de str, objects: &[&str]) -> Result<T, String> {
    if !text.starts_with('{') {
        return Err(format!("a line is a JSON object, not {}", quoted(text)));
    }
    let parsed = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        // To serde each line is a document of its own, and its "line 1" would only confuse.
        match message.rsplit_once(" at line ") {
            Some((what, _)) if error.column() > 0 => format!("{what} (column {})", error.column()),
            Some((what, _)) => what.to_owned(),
            None => message,
        }
    })?;
    check_shape(text, objects)?;
    Ok(parsed)
}

/// Serde also reads a struct from an array of its fields and a word from an object, and the format has neither.
fn check_shape(text: &str, objects: &[&str]) -> Result<(), String> {
    // Almost every line is flat, and needs no second look.
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
