//! Pacing traces: a list of display frames and of what the game did between them, and what the loop decides.
//!
//! `evenstep-trace` reads a line, [`play`] feeds it to the loop, [`output`] writes what came of it.

use std::io::{BufRead, Write};

use evenstep_trace::{Line, Reader};

pub mod output;
pub mod play;

pub use evenstep_trace::Error;

use output::Style;
use play::Player;

/// What to print of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// A line a frame.
    Frames(Style),
    /// One last line: where every nanosecond went.
    Ledger,
}

/// Plays the trace in `input` and writes what the loop decided to `output`, frame by frame.
///
/// # Errors
///
/// At the first line that is not as described; nothing is written after it.
pub fn run(input: impl BufRead, output: &mut impl Write, show: Show) -> Result<(), Error> {
    let reader = Reader::open(input)?;
    let mut player = Player::new(reader.header());
    let mut written_any = false;
    for line in reader {
        match line? {
            Line::Controls(controls) => player.apply(&controls),
            Line::Frame { at_ms, .. } => {
                let row = player.frame(at_ms);
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
        Style::JSON.write_row(&player.ledger_row(), output).map_err(Error::Write)?;
    }
    output.flush().map_err(Error::Write)
}
