//! Tables in plain text and Markdown.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::session::Outcome;
use crate::analysis::words::{HEADS, cells};

/// A table. Text is left-aligned, numbers are right-aligned.
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
    /// The number of text columns, which come first.
    words: usize,
}

impl Table {
    /// Creates a table with these column names; the first column is text.
    pub fn new<'a>(head: impl IntoIterator<Item = &'a str>) -> Self {
        Self { rows: vec![head.into_iter().map(str::to_owned).collect()], words: 1 }
    }

    /// Sets the number of text columns, which come first.
    pub fn with_words(self, words: usize) -> Self {
        Self { words, ..self }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Writes the table for a terminal, with aligned columns.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let columns = self.rows[0].len();
        let width = |n: usize| self.rows.iter().map(|row| row[n].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (n, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                let space = if n == 0 { "" } else { "  " };
                let _ = if n < self.words {
                    write!(line, "{space}{cell:<width$}")
                } else {
                    write!(line, "{space}{cell:>width$}")
                };
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// Formats the table as Markdown.
    pub fn to_markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let head = &self.rows[0];
        let mut text = line(head);
        let columns = (0..head.len()).map(|n| if n < self.words { "---|" } else { "--:|" });
        let _ = writeln!(text, "|{}", columns.collect::<String>());
        text.extend(self.rows[1..].iter().map(|row| line(row)));
        text
    }
}

/// Writes names and sentences, one line each.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_facts(
    facts: impl IntoIterator<Item = (&'static str, String)>,
    out: &mut impl Write,
) -> io::Result<()> {
    facts.into_iter().try_for_each(|(name, fact)| writeln!(out, "{name:<9} {fact}"))
}

/// Writes the metrics of a session, one row per policy, and what the display lock did.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_outcomes(outcomes: &[Outcome], out: &mut impl Write) -> io::Result<()> {
    let mut table = Table::new(std::iter::once("policy").chain(HEADS));
    for outcome in outcomes {
        table.row(std::iter::once(outcome.policy.name().to_owned()).chain(cells(&outcome.report)));
    }
    table.write_text(out)?;
    let locks: Vec<_> = outcomes.iter().filter_map(Outcome::lock_in_words).collect();
    if !locks.is_empty() {
        writeln!(out, "\n{}", locks.join("\n"))?;
    }
    Ok(())
}
