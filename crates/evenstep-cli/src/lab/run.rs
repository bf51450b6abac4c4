//! `evenstep lab run`: simulates one display and prints a table, optionally with a chart and a trace.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use evenstep_lab::session::{Outcome, Session};
use evenstep_trace::{Header, Profile, Writer};

use super::arguments::RunArguments;
use super::progress::Progress;
use super::{Error, chart, table, write_file};

/// Fewer decisions take less than two seconds and need no progress bar.
const FRAMES_QUICK: usize = 5_000_000;

/// Simulates one display and prints the metrics of each policy.
///
/// # Errors
///
/// If arguments contradict each other or a file cannot be written.
pub fn run(arguments: &RunArguments, output: &mut impl Write) -> Result<(), Error> {
    let display = arguments.display.display().map_err(Error::Arguments)?;
    let session = Session::of(&display, arguments.session.seconds, arguments.session.seed)
        .with_host(arguments.host.host());
    let progress = (session.shown.len() * arguments.policy.0.len() > FRAMES_QUICK)
        .then(|| Progress::new(arguments.policy.0.len() as u64, "policies"));
    let outcomes: Vec<Outcome> = arguments
        .policy
        .0
        .iter()
        .map(|&policy| {
            let mut outcome = session.under(policy);
            if arguments.svg.is_none() {
                // An hour of motion takes a gigabyte.
                outcome.motion = Vec::new();
            }
            progress.iter().for_each(Progress::advance);
            outcome
        })
        .collect();
    progress.iter().for_each(Progress::finish);
    if let Some(path) = &arguments.trace {
        write_trace(path, &session)?;
    }
    if let Some(path) = &arguments.svg {
        write_file(path, &chart::draw(&session, &outcomes))?;
    }
    let mut print = || {
        writeln!(output, "{}; {}\n", session.title, session.about)?;
        table::of_outcomes(&outcomes).write_text(output)?;
        let locks: Vec<_> = outcomes.iter().filter_map(Outcome::lock_in_words).collect();
        if !locks.is_empty() {
            writeln!(output, "\n{}", locks.join("\n"))?;
        }
        Ok(())
    };
    print().map_err(Error::Write)
}

/// Writes the timestamps as a pacing trace.
fn write_trace(path: &Path, session: &Session) -> Result<(), Error> {
    let write = || {
        let file = BufWriter::new(File::create(path).map_err(evenstep_trace::Error::Write)?);
        let mut header = Header::new(Profile::Evenstep);
        header.start_ms = (session.shown[0].stamp_ns - session.lead_ns) as f64 / 1e6;
        let mut trace = Writer::new(file, &header)?;
        for frame in &session.shown {
            trace.frame(Duration::from_nanos(frame.stamp_ns))?;
        }
        trace.finish()
    };
    match write() {
        Ok(_) => Ok(()),
        Err(evenstep_trace::Error::Write(source)) => Err(Error::File { path: path.to_owned(), source }),
        Err(error) => Err(Error::File { path: path.to_owned(), source: io::Error::other(error) }),
    }
}
