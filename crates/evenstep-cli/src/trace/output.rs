//! Writing what the loop decided: JSON Lines or CSV.

use std::fmt;
use std::io::{self, Write};

/// One value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A count or a number of nanoseconds.
    Int(i128),
    /// A measure, written in the shortest form that reads back the same.
    Number(f64),
    /// Yes or no.
    Bool(bool),
    /// A word or a sentence.
    Text(String),
}

/// Names and values, in the order they are written.
pub type Row = Vec<(&'static str, Value)>;

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Comma-separated with a head line, instead of an object a line.
    pub csv: bool,
    /// With the sentence that explains each frame.
    pub explain: bool,
}

/// The column that only [`Style::explain`] shows.
pub(crate) const EXPLAIN: &str = "explain";

impl Style {
    /// Objects without explanations.
    pub const JSON: Self = Self { csv: false, explain: false };

    /// Writes what comes before the first row.
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

/// As in JSON. Text is our own words: nothing in it needs more than the quotes, in either form.
impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(out, "{value}"),
            // The shortest digits that read back the same; with an exponent where JavaScript has one.
            Self::Number(value) if *value != 0.0 && !(1e-6..1e21).contains(&value.abs()) => {
                write!(out, "{value:e}")
            }
            Self::Number(value) => write!(out, "{value}"),
            Self::Bool(value) => write!(out, "{value}"),
            Self::Text(text) => write!(out, "\"{text}\""),
        }
    }
}
