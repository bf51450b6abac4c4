//! Replaying pacing traces: reads the recorded frames and controls, and prints what the loop decides.
//!
//! `evenstep-trace` reads a line, [`play`] passes it to the loop, and [`output`] writes the result.

use std::io::{BufRead, Write};

use evenstep_trace::{Line, Reader};

pub mod output;
pub mod play;

pub use evenstep_trace::Error;

use output::Style;
use play::Replay;

/// What to print for a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// One line per frame.
    Frames(Style),
    /// A single line at the end: where every nanosecond went.
    Ledger,
}

/// Replays the trace in `input` and writes what the loop decided to `output`, frame by frame.
///
/// # Errors
///
/// At the first line that does not follow the format; nothing is written after it.
pub fn run(input: impl BufRead, output: &mut impl Write, show: Show) -> Result<(), Error> {
    let reader = Reader::open(input)?;
    let mut replay = Replay::new(reader.header());
    let mut written_any = false;
    for line in reader {
        match line? {
            Line::Controls(controls) => replay.apply(&controls),
            Line::Control(control) => replay.control(&control),
            Line::Frame { at_ms, at_ns, .. } => {
                let row = replay.frame(at_ms, at_ns);
                if let Show::Frames(style) = show {
                    if !written_any {
                        style.write_head(&row, output).map_err(Error::Write)?;
                        written_any = true;
                    }
                    style.write_row(&row, output).map_err(Error::Write)?;
                }
            }
        }
    }
    if show == Show::Ledger {
        Style::JSON.write_row(&replay.ledger_row(), output).map_err(Error::Write)?;
    }
    output.flush().map_err(Error::Write)
}
