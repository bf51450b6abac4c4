//! Parses JSON objects, one per line, with clear error messages.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

/// How many characters of a line an error quotes.
const QUOTED_MAX: usize = 40;

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

/// The first name in an object, which decides what the line is; empty if there is none.
pub(crate) fn first_name(text: &str) -> Result<Cow<'_, str>, String> {
    struct First<'a>(Cow<'a, str>);

    impl<'de: 'a, 'a> Deserialize<'de> for First<'a> {
        fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
            input.deserialize_map(FirstOf)
        }
    }

    struct FirstOf;

    impl<'de> Visitor<'de> for FirstOf {
        type Value = First<'de>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(out, "an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<First<'de>, A::Error> {
            let first = map.next_entry::<Name<'de>, IgnoredAny>()?;
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(First(first.map(|(name, _)| name.0).unwrap_or_default()))
        }
    }

    #[derive(Deserialize)]
    struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

    parse::<First<'_>>(text).map(|first| first.0)
}

/// The fields of an object. Refuses what serde accepts but the format does not: a struct as an array of its fields, a word
/// as an object, and `null` for anything but an option of a configuration.
pub(crate) fn fields(text: &str) -> Result<Map<String, Value>, String> {
    let fields: Map<String, Value> = parse(text)?;
    fields.iter().try_for_each(|(name, value)| check(name, value, false))?;
    Ok(fields)
}

fn check(name: &str, value: &Value, is_option: bool) -> Result<(), String> {
    match value {
        Value::Array(_) => Err(format!("`{name}` cannot be an array")),
        Value::Null if !is_option => Err(format!("`{name}` cannot be null")),
        Value::Object(inner) => {
            inner.iter().try_for_each(|(inner, value)| check(inner, value, name == "pacing"))
        }
        _ => Ok(()),
    }
}

fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED_MAX) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// Whether this is a JSON number without sign, point or exponent.
pub(crate) fn is_plain_number(text: &str) -> bool {
    let has_no_zero_in_front = text == "0" || !text.starts_with('0');
    has_no_zero_in_front && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
