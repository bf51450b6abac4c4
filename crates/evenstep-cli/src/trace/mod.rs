//! Replaying pacing traces: prints what the loop decides.
//!
//! `evenstep-trace` replays the file, `rows` says what a frame prints, and [`output`] writes it.

use std::io::{BufRead, Write};

use evenstep::Outcome;
use evenstep_trace::Replay;

pub mod output;
mod rows;

pub use evenstep_trace::Error;

use output::Style;

/// What to print for a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// One line per frame.
    Frames(Style),
    /// A single line at the end: where every nanosecond went.
    Ledger,
}

/// Replays the trace in `input` and writes what the loop decided to `output`, frame by frame. Skipped frames, which have no
/// timestamp, have no line.
///
/// # Errors
///
/// At the first line that does not follow the format; nothing is written after it.
pub fn run(input: impl BufRead, output: &mut impl Write, show: Show) -> Result<(), Error> {
    let mut replay = Replay::open(input)?;
    let mut number = 0;
    while let Some(frame) = replay.next() {
        let frame = frame?;
        if frame.outcome() == Outcome::Skipped {
            continue;
        }
        if let Show::Frames(style) = show {
            let row = rows::frame_row(number, &frame, replay.pacer());
            if number == 0 {
                style.write_head(&row, output).map_err(Error::Write)?;
            }
            style.write_row(&row, output).map_err(Error::Write)?;
        }
        number += 1;
    }
    if show == Show::Ledger {
        Style::JSON.write_row(&rows::ledger_row(replay.pacer()), output).map_err(Error::Write)?;
    }
    output.flush().map_err(Error::Write)
}
