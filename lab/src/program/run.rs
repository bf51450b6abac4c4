//! `lab run`: simulates one display and prints a table, optionally with a chart and a trace.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use evenstep::{Command, Reset};
use evenstep_cli::progress::Progress;
use evenstep_cli::{Error, table, write_file};

use super::arguments::RunArguments;
use crate::chart;
use crate::policy::Policy;
use crate::session::{Outcome, Session};
use evenstep_trace::Writer;

/// Fewer decisions take less than two seconds and need no progress bar.
const FRAMES_QUICK: usize = 5_000_000;

/// Simulates one display and prints the metrics of each policy.
///
/// # Errors
///
/// If arguments contradict each other or a file cannot be written.
pub fn run(arguments: &RunArguments, output: &mut impl Write) -> Result<(), Error> {
    let display = arguments.display.display().map_err(Error::Refused)?;
    let session = display.session(arguments.session.seconds, arguments.session.seed);
    let session = arguments.host.host().tell(session);
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
        write_file(path, chart::draw(&session, &outcomes))?;
    }
    writeln!(output, "{}; {}\n", session.title, session.about)
        .and_then(|()| table::write_outcomes(&outcomes, output))
        .map_err(Error::Write)
}

/// Writes the timestamps as a pacing trace.
fn write_trace(path: &Path, session: &Session) -> Result<(), Error> {
    let write = || {
        let mut trace = Writer::new(Vec::new(), &Policy::Evenstep.pacing())?;
        let start = Duration::from_nanos(session.shown[0].stamp_ns - session.lead_ns);
        trace.command(&Command::Reset { kind: Reset::NewGame, last_frame: Some(start) })?;
        for frame in &session.shown {
            trace.frame(Duration::from_nanos(frame.stamp_ns))?;
        }
        trace.finish()
    };
    let trace = write().map_err(|source| Error::Trace { path: path.to_owned(), source })?;
    write_file(path, trace)
}
