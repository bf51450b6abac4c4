//! Output formats: JSON Lines and CSV.

use std::fmt;
use std::io::{self, Write};

use evenstep::Outcome;

/// One value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A count, or a time in nanoseconds.
    Int(i128),
    /// A measurement, written in the shortest form that parses to the same value.
    Number(f64),
    /// A flag.
    Bool(bool),
    /// A word or a sentence.
    Text(String),
}

/// Names and values, in output order.
pub type Row = Vec<(&'static str, Value)>;

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Comma-separated values with a header line, instead of one JSON object per line.
    pub csv: bool,
    /// Include the sentence that explains each frame.
    pub explain: bool,
}

/// The column that only [`Style::explain`] shows.
pub(crate) const EXPLAIN: &str = "explain";

impl Style {
    /// JSON objects without explanations.
    pub const JSON: Self = Self { csv: false, explain: false };

    /// Writes the header, if the format has one.
    pub(crate) fn write_head(self, row: &Row, out: &mut impl Write) -> io::Result<()> {
        if self.csv {
            let names: Vec<_> = self.shown(row).map(|(name, _)| *name).collect();
            writeln!(out, "{}", names.join(","))?;
        }
        Ok(())
    }

    /// Writes a row.
    pub(crate) fn write_row(self, row: &Row, out: &mut impl Write) -> io::Result<()> {
        if self.csv {
            let values: Vec<_> = self.shown(row).map(|(_, value)| value.to_string()).collect();
            return writeln!(out, "{}", values.join(","));
        }
        let fields: Vec<_> = self.shown(row).map(|(name, value)| format!("\"{name}\":{value}")).collect();
        writeln!(out, "{{{}}}", fields.join(","))
    }

    fn shown(self, row: &Row) -> impl Iterator<Item = &(&'static str, Value)> {
        row.iter().filter(move |(name, _)| self.explain || *name != EXPLAIN)
    }
}

/// Formats a value for JSON and CSV. Text comes from this program only, so it never needs escaping.
impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(out, "{value}"),
            // The shortest form that parses to the same value, with an exponent where JavaScript uses one.
            Self::Number(value) if *value != 0.0 && !(1e-6..1e21).contains(&value.abs()) => {
                write!(out, "{value:e}")
            }
            Self::Number(value) => write!(out, "{value}"),
            Self::Bool(value) => write!(out, "{value}"),
            Self::Text(text) => write!(out, "\"{text}\""),
        }
    }
}

/// The name of an outcome in every output.
pub(crate) const fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ran => "ran",
        Outcome::Stalled => "stalled",
        Outcome::Menu => "menu",
        Outcome::Paused => "paused",
        Outcome::Frozen => "frozen",
        // Only for timestamps that are not finite, which a trace cannot contain.
        Outcome::Skipped => "skipped",
    }
}
