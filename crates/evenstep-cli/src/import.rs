//! `evenstep import`: finds the display behind a trace.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;

use crate::analysis::chart;
use crate::analysis::fit::FRAMES_MIN;
use crate::analysis::metrics::SETTLE_S;
use crate::analysis::session::{Outcome, Run, Session};
use crate::analysis::survey::{Findings, Survey};
use crate::analysis::timestamps::TimestampReader;
use crate::analysis::words::fixed;
use crate::progress::Progress;
use crate::table::{self, Table};
use crate::{Error, write_file};

/// Arguments of `evenstep import`.
#[derive(Debug, Args)]
pub struct ImportArguments {
    /// Trace file, as for `evenstep trace`; only its frames are used; `-` reads standard input
    pub file: PathBuf,
    /// Draw a chart of a plain loop and Evenstep: motion error over time, steps per frame, a histogram
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

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
    let mut trace = TimestampReader::open(input).map_err(in_trace)?;
    let mut survey = Survey::new(&name);
    let mut picture = arguments.svg.as_ref();
    loop {
        let has_more = trace.read_part().map_err(in_trace)?;
        let frames = trace.recording.frames();
        if frames < FRAMES_MIN {
            return Err(Error::Refused(format!(
                "{name}: expected {FRAMES_MIN} frames or more, found {frames}"
            )));
        }
        if has_more {
            match &mut progress {
                Some(progress) => progress.show(),
                // Nobody knows how long standard input is.
                None => eprintln!("{frames} frames"),
            }
        }
        let session = survey.part(&mut trace.recording, side_by_side);
        // Of a long trace, the first part: no chart shows more.
        if let Some((session, path)) = session.as_ref().zip(picture.take()) {
            write_file(path, chart::picture(session))?;
        }
        if !has_more {
            break;
        }
    }
    progress.iter().for_each(Progress::finish);
    print(&trace, &survey.findings(), output).map_err(Error::Write)
}

/// Plays a part under each policy, on a thread for each.
fn side_by_side(runs: &mut [Run], session: &Session) {
    std::thread::scope(|scope| {
        for run in runs {
            scope.spawn(|| session.play(run, |_, _| {}));
        }
    });
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

fn print<R>(trace: &TimestampReader<R>, found: &Findings, out: &mut impl Write) -> io::Result<()> {
    let recording = &trace.recording;
    writeln!(out, "{}\n\n{}\n", found.title, found.verdict(recording))?;
    table::write_facts(found.facts(recording), out)?;
    if trace.commands > 0 {
        writeln!(out, "commands  {} lines, not applied here", trace.commands)?;
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
    table::write_outcomes(&found.outcomes, out)?;
    writeln!(out, "\nShare of frames by steps, in %:\n")?;
    steps_table(&found.outcomes).write_text(out)
}

fn steps_table(outcomes: &[Outcome]) -> Table {
    let mut table = Table::new(["policy", "0 steps", "1", "2", "3", "4", "more"]);
    for outcome in outcomes {
        let frames: u64 = outcome.steps.iter().sum();
        let share = |&count: &u64| fixed(100.0 * count as f64 / frames as f64, 2);
        table.row(std::iter::once(outcome.policy.name().to_owned()).chain(outcome.steps.iter().map(share)));
    }
    table
}
