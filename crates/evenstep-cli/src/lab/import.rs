//! `evenstep lab import`: analyses a recorded trace.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use evenstep_lab::fit::FRAMES_MIN;
use evenstep_lab::metrics::SETTLE_S;
use evenstep_lab::recording::{Measured, Recording};
use evenstep_lab::session::{Outcome, Session};
use evenstep_lab::survey::{Lane, PART_FRAMES, STEPS, Survey};
use evenstep_lab::words::{GridFacts, facts_of, fixed};
use evenstep_trace::{Control, Line, Presented, Reader};

use super::arguments::ImportArguments;
use super::progress::Progress;
use super::table::Table;
use super::{Error, chart, table, write_file};

/// Analyses a recorded trace and prints its refresh and the metrics of each policy. Memory does not grow with the trace:
/// a long one is read and measured in parts.
///
/// # Errors
///
/// If the trace cannot be read, does not follow the format, or has too few frames; or if a file cannot be written.
pub fn import(arguments: &ImportArguments, output: &mut impl Write) -> Result<(), Error> {
    let path = &arguments.file;
    if path == Path::new("-") {
        return import_from(io::stdin().lock(), None, arguments, output);
    }
    let in_trace = |source| Error::Trace { path: path.clone(), source: evenstep_trace::Error::Read(source) };
    let file = File::open(path).map_err(in_trace)?;
    let bytes = file.metadata().map_or(0, |data| data.len());
    let counted = Counted { input: BufReader::with_capacity(1 << 16, file), bytes: Arc::default() };
    let progress = Progress::of_bytes(bytes, Arc::clone(&counted.bytes));
    import_from(counted, Some(progress), arguments, output)
}

fn import_from(
    input: impl BufRead,
    mut progress: Option<Progress>,
    arguments: &ImportArguments,
    output: &mut impl Write,
) -> Result<(), Error> {
    let name = arguments.file.display().to_string();
    let in_trace = |source| Error::Trace { path: arguments.file.clone(), source };
    let mut reader = Reader::open(input).map_err(in_trace)?;
    let mut imported = Imported::default();
    let is_short = !imported.read_part(&mut reader, &mut progress).map_err(in_trace)?;
    let frames = imported.recording.frames();
    if frames < FRAMES_MIN {
        return Err(Error::Arguments(format!(
            "{name}: expected {FRAMES_MIN} frames or more, found {frames}"
        )));
    }
    let policies = &arguments.policy.0;
    let found = if is_short {
        let measured = Measured::of(&imported.recording, &name);
        let outcomes = measured.session.under_each(policies);
        if let Some(path) = &arguments.svg {
            write_file(path, &chart::draw(&measured.session, &outcomes))?;
        }
        Found {
            title: measured.session.title,
            grid: measured.grid.as_ref().map(GridFacts::from),
            steps: outcomes.iter().map(steps_of).collect(),
            outcomes,
        }
    } else {
        if let Some(path) = &arguments.svg {
            // The first part: no chart shows more.
            let measured = Measured::of(&imported.recording, &name);
            write_file(path, &chart::draw(&measured.session, &measured.session.under_each(policies)))?;
        }
        let mut survey = Survey::new(&name, policies);
        loop {
            survey.part(&mut imported.recording, play);
            if !imported.read_part(&mut reader, &mut progress).map_err(in_trace)? {
                break;
            }
        }
        survey.part(&mut imported.recording, play);
        let grid = survey.grid();
        let title = match grid {
            Some(grid) => format!("{name}: recorded at {:.3} Hz", 1e9 / grid.period_ns),
            None => format!("{name}: recorded without a fixed refresh"),
        };
        Found { title, grid, steps: survey.steps(), outcomes: survey.outcomes() }
    };
    progress.iter().for_each(Progress::finish);
    print(&imported, &found, output).map_err(Error::Write)
}

/// Plays a part under all policies, on two threads or more.
fn play(lanes: &mut [Lane], session: &Session) {
    std::thread::scope(|scope| {
        for lane in lanes {
            scope.spawn(|| lane.play(session));
        }
    });
}

/// What is printed about a trace.
struct Found {
    title: String,
    grid: Option<GridFacts>,
    outcomes: Vec<Outcome>,
    steps: Vec<[u64; STEPS]>,
}

/// An input that counts the bytes that were read.
struct Counted<R> {
    input: R,
    bytes: Arc<AtomicU64>,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }
    fn consume(&mut self, bytes: usize) {
        self.input.consume(bytes);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// The parts of a trace that the lab uses.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// The timestamps, and when images were shown.
    pub recording: Recording,
    /// The number of lines with controls, which the lab does not apply.
    pub controls: usize,
}

impl Imported {
    /// Reads a whole trace.
    ///
    /// # Errors
    ///
    /// At the first line that does not follow the format.
    pub fn read(input: impl BufRead) -> Result<Self, evenstep_trace::Error> {
        let mut imported = Self::default();
        Reader::open(input)?.try_for_each(|line| line.map(|line| imported.line(&line)))?;
        Ok(imported)
    }

    /// Reads the next part. Returns whether there may be more.
    fn read_part(
        &mut self,
        reader: &mut Reader<impl BufRead>,
        progress: &mut Option<Progress>,
    ) -> Result<bool, evenstep_trace::Error> {
        while self.recording.stamps_ns().len() < PART_FRAMES {
            let Some(line) = reader.next() else { return Ok(false) };
            self.line(&line?);
        }
        match progress {
            Some(progress) => progress.show(),
            // Nobody knows how long standard input is.
            None => eprintln!("{} frames", self.recording.frames()),
        }
        Ok(true)
    }

    fn line(&mut self, line: &Line) {
        match line {
            Line::Frame { at_ms, .. } => self.recording.frame(*at_ms),
            Line::Controls(_) => self.controls += 1,
            Line::Control(control) => {
                if let Control::Presented(Presented { frame_ns, at_ns }) = **control {
                    self.recording.presented(frame_ns, at_ns);
                }
                self.controls += usize::from(!control.is_report());
            }
        }
    }
}

fn print(imported: &Imported, found: &Found, out: &mut impl Write) -> io::Result<()> {
    let recording = &imported.recording;
    writeln!(out, "{}\n", found.title)?;
    for (name, fact) in facts_of(recording, found.grid) {
        writeln!(out, "{name:<9} {fact}")?;
    }
    if imported.controls > 0 {
        writeln!(out, "controls  {} lines, not applied here", imported.controls)?;
    }

    if found.grid.is_none() {
        writeln!(
            out,
            "\nWithout a refresh to compare with, motion is measured against the timestamps themselves."
        )?;
    }
    if recording.seconds() <= SETTLE_S {
        writeln!(out, "\nThe first {SETTLE_S} s are not measured, and this is all there is.")?;
    }
    writeln!(out)?;
    table::of_outcomes(&found.outcomes).write_text(out)?;
    writeln!(out, "\nShare of frames by steps, in %:\n")?;
    steps_table(found).write_text(out)?;
    let locks: Vec<_> = found.outcomes.iter().filter_map(Outcome::lock_in_words).collect();
    if !locks.is_empty() {
        writeln!(out, "\n{}", locks.join("\n"))?;
    }
    Ok(())
}

fn steps_of(outcome: &Outcome) -> [u64; STEPS] {
    let mut counts = [0; STEPS];
    for frame in &outcome.motion {
        counts[(frame.steps as usize).min(STEPS - 1)] += 1;
    }
    counts
}

fn steps_table(found: &Found) -> Table {
    let mut table = Table::new(["policy", "0 steps", "1", "2", "3", "4", "more"]);
    for (outcome, counts) in found.outcomes.iter().zip(&found.steps) {
        let frames: u64 = counts.iter().sum();
        let share = |&count: &u64| fixed(100.0 * count as f64 / frames as f64, 2);
        table.row(std::iter::once(outcome.policy.name().to_owned()).chain(counts.iter().map(share)));
    }
    table
}
