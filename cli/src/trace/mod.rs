//! Pacing traces: a list of display frames and of what the game did between them, and what the loop decides.
//!
//! [`mod@format`] reads a line, [`play`] feeds it to the loop, [`output`] writes what came of it.

use std::fmt;
use std::io::{self, BufRead, Write};

pub mod format;
pub mod output;
pub mod play;

use format::{Header, Line};
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

/// Why a trace could not be played to its end.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A line of the trace is not what the format describes.
    Line {
        /// Its number, from 1.
        number: usize,
        /// What was wrong and what was expected.
        message: String,
    },
    /// The trace could not be read.
    Read(io::Error),
    /// The output could not be written.
    Write(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { number, message } => write!(out, "line {number}: {message}"),
            Self::Read(_) => write!(out, "the trace cannot be read"),
            Self::Write(_) => write!(out, "the output cannot be written"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Line { .. } => None,
            Self::Read(error) | Self::Write(error) => Some(error),
        }
    }
}

/// Plays the trace in `input` and writes what the loop decided to `output`, frame by frame.
///
/// # Errors
///
/// At the first line that is not as described; nothing is written after it.
pub fn run(mut input: impl BufRead, output: &mut impl Write, show: Show) -> Result<(), Error> {
    let mut player: Option<Player> = None;
    let mut written_any = false;
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes).map_err(Error::Read)? == 0 {
            break;
        }
        let at_line = |message| Error::Line { number, message };
        let text = std::str::from_utf8(&bytes).map_err(|_| at_line("expected UTF-8 text".into()))?.trim();
        if text.is_empty() {
            continue;
        }
        let Some(player) = &mut player else {
            player = Some(Player::new(&Header::parse(text).map_err(at_line)?));
            continue;
        };
        match Line::parse(text, player.profile()).map_err(at_line)? {
            Line::Controls(controls) => player.apply(&controls),
            Line::Frame { at_ms } => {
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
    let Some(player) = player else {
        let message =
            "expected a header such as {\"trace\":1,\"profile\":\"evenstep\"}, found nothing".into();
        return Err(Error::Line { number: 1, message });
    };
    if show == Show::Ledger {
        Style::JSON.write_row(&player.ledger_row(), output).map_err(Error::Write)?;
    }
    output.flush().map_err(Error::Write)
}
