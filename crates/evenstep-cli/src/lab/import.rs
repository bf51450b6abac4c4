//! `evenstep lab import`: analyses a recorded trace.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use evenstep_lab::fit::FRAMES_MIN;
use evenstep_lab::metrics::SETTLE_S;
use evenstep_lab::recording::{Measured, Recording};
use evenstep_lab::session::Outcome;
use evenstep_lab::words::{facts, fixed};
use evenstep_trace::{Line, Reader};

use super::arguments::ImportArguments;
use super::table::Table;
use super::{Error, chart, table, write_file};

/// Analyses a recorded trace and prints its refresh and the metrics of each policy.
///
/// # Errors
///
/// If the trace cannot be read, does not follow the format, or has too few frames; or if a file cannot be written.
pub fn import(arguments: &ImportArguments, output: &mut impl Write) -> Result<(), Error> {
    let path = &arguments.file;
    let in_trace = |source| Error::Trace { path: path.clone(), source };
    let imported = if path == Path::new("-") {
        Imported::read(io::stdin().lock())
    } else {
        File::open(path)
            .map_err(evenstep_trace::Error::Read)
            .and_then(|file| Imported::read(BufReader::new(file)))
    }
    .map_err(in_trace)?;
    let frames = imported.recording.stamps_ns().len();
    if frames < FRAMES_MIN {
        return Err(Error::Arguments(format!(
            "{}: expected {FRAMES_MIN} frames or more, found {frames}",
            path.display()
        )));
    }
    let measured = Measured::of(&imported.recording, &path.display().to_string());
    let outcomes = measured.session.under_each(&arguments.policy.0);
    if let Some(path) = &arguments.svg {
        write_file(path, &chart::draw(&measured.session, &outcomes))?;
    }
    print(&imported, &measured, &outcomes, output).map_err(Error::Write)
}

/// The parts of a trace that the lab uses.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// The timestamps.
    pub recording: Recording,
    /// The number of lines with controls, which the lab does not apply.
    pub controls: usize,
}

impl Imported {
    /// Reads a trace.
    ///
    /// # Errors
    ///
    /// At the first line that does not follow the format.
    pub fn read(input: impl BufRead) -> Result<Self, evenstep_trace::Error> {
        let mut imported = Self::default();
        for line in Reader::open(input)? {
            match line? {
                Line::Frame { at_ms, .. } => imported.recording.frame(at_ms),
                Line::Controls(_) => imported.controls += 1,
            }
        }
        Ok(imported)
    }
}

fn print(
    imported: &Imported,
    measured: &Measured,
    outcomes: &[Outcome],
    out: &mut impl Write,
) -> io::Result<()> {
    let recording = &imported.recording;
    writeln!(out, "{}\n", measured.session.title)?;
    for (name, fact) in facts(recording, measured.grid.as_ref()) {
        writeln!(out, "{name:<9} {fact}")?;
    }
    if imported.controls > 0 {
        writeln!(out, "controls  {} lines, not applied here", imported.controls)?;
    }

    if measured.grid.is_none() {
        writeln!(
            out,
            "\nWithout a refresh to compare with, motion is measured against the timestamps themselves."
        )?;
    }
    if recording.seconds() <= SETTLE_S {
        writeln!(out, "\nThe first {SETTLE_S} s are not measured, and this is all there is.")?;
    }
    writeln!(out)?;
    table::of_outcomes(outcomes).write_text(out)?;
    writeln!(out, "\nShare of frames by steps, in %:\n")?;
    steps_table(outcomes).write_text(out)?;
    let locks: Vec<_> = outcomes.iter().filter_map(Outcome::lock_in_words).collect();
    if !locks.is_empty() {
        writeln!(out, "\n{}", locks.join("\n"))?;
    }
    Ok(())
}

fn steps_table(outcomes: &[Outcome]) -> Table {
    let mut table = Table::new(["policy", "0 steps", "1", "2", "3", "4", "more"]);
    for outcome in outcomes {
        let mut counts = [0_usize; 6];
        for frame in &outcome.motion {
            counts[(frame.steps as usize).min(5)] += 1;
        }
        let share = |count| fixed(100.0 * f64::from(count as u32) / outcome.motion.len() as f64, 2);
        table.row(std::iter::once(outcome.policy.name().to_owned()).chain(counts.map(share)));
    }
    table
}
