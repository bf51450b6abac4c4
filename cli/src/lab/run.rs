//! `evenstep lab run`: one display, a table, and on request a picture and a trace.

use std::fmt::Write as _;
use std::io::Write;

use evenstep_lab::display::Shown;
use evenstep_lab::session::{Outcome, Session};

use super::arguments::RunArguments;
use super::progress::Progress;
use super::{Error, chart, table, write_file};

/// So many decisions take less than two seconds.
const FRAMES_QUICK: usize = 5_000_000;

/// Plays one simulated display and prints what each policy made of it.
///
/// # Errors
///
/// Where arguments contradict each other or a file cannot be written.
pub fn run(arguments: &RunArguments, output: &mut impl Write) -> Result<(), Error> {
    let display = arguments.display.display().map_err(Error::Arguments)?;
    let session = Session::of(&display, arguments.session.seconds, arguments.session.seed);
    let progress = (session.shown.len() * arguments.policy.0.len() > FRAMES_QUICK)
        .then(|| Progress::new(arguments.policy.0.len() as u64, "policies"));
    let outcomes: Vec<Outcome> = arguments
        .policy
        .0
        .iter()
        .map(|&policy| {
            let mut outcome = session.under(policy);
            if arguments.svg.is_none() {
                // An hour of it fills a gigabyte.
                outcome.motion = Vec::new();
            }
            progress.iter().for_each(Progress::advance);
            outcome
        })
        .collect();
    progress.iter().for_each(Progress::finish);
    if let Some(path) = &arguments.trace {
        write_file(path, &trace_of(&session.shown))?;
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

/// The timestamps as a pacing trace.
fn trace_of(shown: &[Shown]) -> String {
    let mut text = String::from("{\"trace\":1,\"profile\":\"evenstep\"}\n");
    for frame in shown {
        // Whole nanoseconds are exact in six decimals.
        let (ms, ns) = (frame.stamp_ns / 1_000_000, frame.stamp_ns % 1_000_000);
        let _ = writeln!(text, "{{\"frame_ms\":{ms}.{ns:06}}}");
    }
    text
}
