//! Tables in plain text.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::session::Outcome;

/// Rows of cells. Words are set left, and numbers right.
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
    /// How many columns from the left hold words.
    words: usize,
}

impl Table {
    /// A table with a head, of names and numbers.
    pub fn new<'a>(head: impl IntoIterator<Item = &'a str>) -> Self {
        Self { rows: vec![head.into_iter().map(str::to_owned).collect()], words: 1 }
    }

    /// So many columns from the left hold words.
    pub fn with_words(self, words: usize) -> Self {
        Self { words, ..self }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// For a terminal: columns of equal width, two spaces between them.
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

    /// For Markdown.
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

/// The metrics of a session, a policy a row.
pub fn of_outcomes(outcomes: &[Outcome]) -> Table {
    let mut table =
        Table::new(["policy", "judder RMS us", "p99 us", "max us", "cadence error %", "drift ms", "lag ms"]);
    for outcome in outcomes {
        let report = &outcome.report;
        table.row([
            outcome.policy.name().to_owned(),
            fixed(report.judder_us, 1),
            fixed(report.judder_us_p99, 1),
            fixed(report.judder_us_max, 1),
            report.cadence_error.map_or("-".into(), |error| fixed(error, 2)),
            fixed(report.drift_ms, 2),
            fixed(report.lag_ms, 2),
        ]);
    }
    table
}

/// So many decimals, and no minus in front of a zero.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.trim_start_matches('-').chars().all(|digit| matches!(digit, '0' | '.')) {
        text.trim_start_matches('-').to_owned()
    } else {
        text
    }
}
