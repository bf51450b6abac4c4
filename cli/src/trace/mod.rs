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

/// Reads a trace line by line.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    number: usize,
    header: Header,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// If there is none, or not as described.
    pub fn open(mut input: R) -> Result<Self, Error> {
        let mut number = 0;
        let Some(text) = next_text(&mut input, &mut number)? else {
            let message =
                "expected a header such as {\"trace\":1,\"profile\":\"evenstep\"}, found nothing".into();
            return Err(Error::Line { number: 1, message });
        };
        let header = Header::parse(&text).map_err(|message| Error::Line { number, message })?;
        Ok(Self { input, number, header })
    }

    /// The first line.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Reads the next frame or controls; `None` at the end.
    ///
    /// # Errors
    ///
    /// If the line is not as described.
    pub fn line(&mut self) -> Result<Option<Line>, Error> {
        let Some(text) = next_text(&mut self.input, &mut self.number)? else { return Ok(None) };
        let number = self.number;
        Line::parse(&text, self.header.profile).map(Some).map_err(|message| Error::Line { number, message })
    }
}

/// The next line that is not blank, without the space around it; counts all lines in `number`.
fn next_text(input: &mut impl BufRead, number: &mut usize) -> Result<Option<String>, Error> {
    loop {
        let mut bytes = Vec::new();
        if input.read_until(b'\n', &mut bytes).map_err(Error::Read)? == 0 {
            return Ok(None);
        }
        *number += 1;
        let text = std::str::from_utf8(&bytes)
            .map_err(|_| Error::Line { number: *number, message: "expected UTF-8 text".into() })?
            .trim();
        if !text.is_empty() {
            return Ok(Some(text.to_owned()));
        }
    }
}

/// Plays the trace in `input` and writes what the loop decided to `output`, frame by frame.
///
/// # Errors
///
/// At the first line that is not as described; nothing is written after it.
pub fn run(input: impl BufRead, output: &mut impl Write, show: Show) -> Result<(), Error> {
    let mut reader = Reader::open(input)?;
    let mut player = Player::new(reader.header());
    let mut written_any = false;
    while let Some(line) = reader.line()? {
        match line {
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
    if show == Show::Ledger {
        Style::JSON.write_row(&player.ledger_row(), output).map_err(Error::Write)?;
    }
    output.flush().map_err(Error::Write)
}
