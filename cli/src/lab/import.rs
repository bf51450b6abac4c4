//! `evenstep lab import`: a recorded trace, its refresh, and what each policy would have made of it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use super::arguments::ImportArguments;
use super::display::Shown;
use super::fit::{FRAMES_MIN, Grid};
use super::metrics::{SETTLE_S, STALL_NS};
use super::session::{Outcome, Session};
use super::table::{Table, fixed};
use super::{Error, chart, table, write_file};
use crate::trace::format::Line;
use crate::trace::{self, Reader};

/// A timestamp this much before the last is a clock that was set back, as for the pacer.
const SET_BACK_MS: f64 = 250.0;
/// Where timestamps start.
const START_NS: u64 = 1_000_000_000;
/// A longer gap counts as one of an hour.
const GAP_MS_MAX: f64 = 3.6e6;
/// Resolutions that clocks in browsers and systems are known for, in nanoseconds.
const CLOCKS_NS: [u64; 6] = [16_000_000, 1_000_000, 100_000, 20_000, 5_000, 1_000];

/// Measures a recorded trace and prints what each policy would have made of it.
///
/// # Errors
///
/// If the trace cannot be read, is not as described, or has too few frames; or a file cannot be written.
pub fn import(arguments: &ImportArguments, output: &mut impl Write) -> Result<(), Error> {
    let path = &arguments.file;
    let in_trace = |source| Error::Trace { path: path.clone(), source };
    let recording = if path == Path::new("-") {
        Recording::read(io::stdin().lock())
    } else {
        File::open(path).map_err(trace::Error::Read).and_then(|file| Recording::read(BufReader::new(file)))
    }
    .map_err(in_trace)?;
    if recording.stamps_ns.len() < FRAMES_MIN {
        let frames = recording.stamps_ns.len();
        return Err(Error::Arguments(format!(
            "{}: expected {FRAMES_MIN} frames or more, found {frames}",
            path.display()
        )));
    }
    let measured = Measured::of(&recording, &path.display().to_string());
    let outcomes = measured.session.under_each(&arguments.policy.0);
    if let Some(path) = &arguments.svg {
        write_file(path, &chart::draw(&measured.session, &outcomes))?;
    }
    print(&recording, &measured, &outcomes, output).map_err(Error::Write)
}

/// The frames of a trace.
#[derive(Debug, Default)]
pub struct Recording {
    /// Timestamps in nanoseconds. They may step back by what is noise; where the clock was set back, they go on.
    pub stamps_ns: Vec<u64>,
    /// The coarsest known clock that all timestamps fit, in nanoseconds.
    pub clock_ns: Option<u64>,
    /// Controls, which the lab does not apply.
    pub controls: usize,
    /// Frames whose timestamp lay before the last.
    pub backwards: usize,
}

impl Recording {
    /// Reads a trace's frames.
    ///
    /// # Errors
    ///
    /// At the first line that is not as described.
    pub fn read(input: impl BufRead) -> Result<Self, trace::Error> {
        let mut reader = Reader::open(input)?;
        let mut recording = Self::default();
        let mut clocks = CLOCKS_NS.to_vec();
        // Not from 0, so that the first ones may step back, too.
        let (mut last_ms, mut now_ns) = (None, START_NS);
        while let Some(line) = reader.line()? {
            let Line::Frame { at_ms } = line else {
                recording.controls += 1;
                continue;
            };
            let elapsed_ms = at_ms - last_ms.unwrap_or(at_ms);
            last_ms = Some(at_ms);
            recording.backwards += usize::from(elapsed_ms < 0.0);
            // A clock that was set back goes on from there.
            let elapsed_ms = if elapsed_ms <= -SET_BACK_MS { 0.0 } else { elapsed_ms.min(GAP_MS_MAX) };
            now_ns = now_ns.saturating_add_signed((elapsed_ms * 1e6).round() as i64);
            recording.stamps_ns.push(now_ns);
            clocks.retain(|&clock_ns| {
                let ticks = at_ms * 1e6 / clock_ns as f64;
                (ticks - ticks.round()).abs() < 1e-3
            });
        }
        recording.clock_ns = clocks.first().copied();
        Ok(recording)
    }
}

/// A recording and the refresh behind it.
#[derive(Debug)]
pub struct Measured {
    /// The refresh grid, if there is a fixed one.
    pub grid: Option<Grid>,
    /// The frames on that grid; without one, where their timestamps are.
    pub session: Session,
}

impl Measured {
    /// Finds the refresh behind a recording.
    pub fn of(recording: &Recording, name: &str) -> Self {
        // A timestamp before the last one is noise, and the latest one stands.
        let stamps: Vec<f64> = recording
            .stamps_ns
            .iter()
            .scan(0, |latest: &mut u64, &stamp| {
                *latest = stamp.max(*latest);
                Some(*latest as f64)
            })
            .collect();
        let grid = Grid::fit(&stamps);
        let shown = |(frame, &stamp_ns): (usize, &u64)| match &grid {
            Some(grid) => Shown { at_ns: grid.at_ns(frame), refresh: Some(grid.counts[frame]), stamp_ns },
            None => Shown { at_ns: stamps[frame], refresh: None, stamp_ns },
        };
        let session = Session {
            title: match &grid {
                Some(grid) => format!("{name}: recorded at {:.3} Hz", 1e9 / grid.period_ns),
                None => format!("{name}: recorded without a fixed refresh"),
            },
            about: format!("{} frames", recording.stamps_ns.len()),
            grid_hz: grid.as_ref().map(|grid| 1e9 / grid.period_ns),
            shown: recording.stamps_ns.iter().enumerate().map(shown).collect(),
        };
        Self { grid, session }
    }
}

fn print(
    recording: &Recording,
    measured: &Measured,
    outcomes: &[Outcome],
    out: &mut impl Write,
) -> io::Result<()> {
    let stamps = &recording.stamps_ns;
    let seconds = stamps[stamps.len() - 1].saturating_sub(stamps[0]) as f64 / 1e9;
    let frames = stamps.len();
    writeln!(out, "{}\n", measured.session.title)?;
    writeln!(out, "frames    {frames} in {seconds:.3} s")?;
    if let Some(grid) = &measured.grid {
        let percent = |count: f64, of: f64| fixed(100.0 * count / of, 2);
        let refreshes = grid.counts[frames - 1];
        let (missed, late) = (grid.missed(STALL_NS), grid.late);
        writeln!(out, "refresh   {:.4} Hz, every {:.4} ms", 1e9 / grid.period_ns, grid.period_ns / 1e6)?;
        writeln!(out, "noise     {:.4} ms deviation of timestamps from the refresh", grid.noise_ns / 1e6)?;
        writeln!(
            out,
            "late      {late} timestamps ({} %), by more than four deviations",
            percent(late as f64, frames as f64)
        )?;
        writeln!(out, "missed    {missed} refreshes ({} %)", percent(missed as f64, refreshes as f64))?;
    } else {
        writeln!(out, "refresh   no single fixed one: it is variable, or changed, or noise hides it")?;
    }
    let stalls = stamps.windows(2).filter(|pair| pair[1].saturating_sub(pair[0]) as f64 > STALL_NS).count();
    writeln!(out, "stalls    {stalls} gaps over {} s", STALL_NS / 1e9)?;
    if let Some(clock_ns) = recording.clock_ns {
        writeln!(out, "clock     all timestamps are multiples of {} ms", clock_ns as f64 / 1e6)?;
    }
    if recording.backwards > 0 {
        writeln!(out, "backwards {} timestamps lie before the last", recording.backwards)?;
    }
    if recording.controls > 0 {
        writeln!(out, "controls  {} lines, not applied here", recording.controls)?;
    }

    if measured.grid.is_none() {
        writeln!(
            out,
            "\nWithout a refresh to compare with, motion is measured against the timestamps themselves."
        )?;
    }
    if seconds <= SETTLE_S {
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
