//! Reading a trace, line by line.

use std::io::{BufRead, Read as _};

use evenstep::{Command, Pacing};

use crate::error::Error;
use crate::line::Line;
use crate::options::{EXAMPLE, parse_header};

/// The longest line that a [`Reader`] accepts, in bytes, including its line end. A frame needs about thirty.
///
/// ```
/// use evenstep_trace::{LINE_BYTES_MAX, Reader};
///
/// // Refused without reading it to the end.
/// let garbage = vec![b' '; LINE_BYTES_MAX + 1];
/// let error = Reader::open(&garbage[..]).unwrap_err();
/// assert_eq!(error.to_string(), "line 1: expected a line of 1048576 bytes at most, found a longer one");
/// ```
pub const LINE_BYTES_MAX: usize = 1 << 20;

/// Reads a trace: first the header, then one line at a time, in constant memory.
///
/// Blank lines are skipped. The first error ends the iteration, so nothing is read after a bad line.
///
/// ```
/// use evenstep::Pacing;
/// use evenstep_trace::{Line, Reader};
/// use std::time::Duration;
///
/// # fn main() -> Result<(), evenstep_trace::Error> {
/// let trace = "{\"trace\":2,\"profile\":\"game-loop\"}\n{\"frame_ns\":16600000}\n{\"frame_ns\":33500000}\n";
/// let reader = Reader::open(trace.as_bytes())?; // A file: Reader::open(BufReader::new(file))
/// assert_eq!(reader.pacing(), Pacing::game_loop());
///
/// let mut last = Duration::ZERO;
/// for line in reader {
///     if let Line::Frame(at) = line? {
///         println!("{:?}", at - last);
///         last = at;
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    lines: Lines<R>,
    pacing: Pacing,
    is_over: bool,
}

impl<R: BufRead> Reader<R> {
    /// Creates a reader, and reads the header.
    ///
    /// # Errors
    ///
    /// If the header is missing or invalid, or reading fails.
    pub fn open(input: R) -> Result<Self, Error> {
        let mut lines = Lines { input, buffer: Vec::new(), number: 0 };
        match lines.parse_next(parse_header)? {
            Some(pacing) => Ok(Self { lines, pacing, is_over: false }),
            None => Err(Error::in_line(1, &format!("expected a header such as {EXAMPLE}, found nothing"))),
        }
    }

    /// Returns the configuration after the lines that have been read: at first, the header's.
    pub const fn pacing(&self) -> Pacing {
        self.pacing
    }
}

/// Returns the lines after the header. Ends after the last line or the first error.
impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Line, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let line = self.lines.parse_next(|text| Line::parse(text, &self.pacing)).transpose();
        match &line {
            Some(Ok(Line::Command(command))) => {
                if let Command::Pacing(pacing) = **command {
                    self.pacing = pacing;
                }
            }
            Some(Ok(Line::State(pacer))) => self.pacing = pacer.pacing(),
            Some(Ok(Line::Frame(_))) => {}
            Some(Err(_)) | None => self.is_over = true,
        }
        line
    }
}

/// The lines of the input, read into one buffer.
#[derive(Debug)]
struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// The number of the line in the buffer, counted from 1.
    number: usize,
}

impl<R: BufRead> Lines<R> {
    /// Parses the next line that is not blank, trimmed. Returns `None` at the end.
    fn parse_next<T>(&mut self, parse: impl FnOnce(&str) -> Result<T, String>) -> Result<Option<T>, Error> {
        loop {
            self.buffer.clear();
            // One byte more than allowed, to detect a line that is too long.
            let mut input = self.input.by_ref().take(LINE_BYTES_MAX as u64 + 1);
            if input.read_until(b'\n', &mut self.buffer).map_err(Error::Read)? == 0 {
                return Ok(None);
            }
            self.number += 1;
            let failed = |message: &str| Error::in_line(self.number, message);
            if self.buffer.len() > LINE_BYTES_MAX {
                let message =
                    format!("expected a line of {LINE_BYTES_MAX} bytes at most, found a longer one");
                return Err(failed(&message));
            }
            let text = std::str::from_utf8(&self.buffer).map_err(|_| failed("expected UTF-8 text"))?;
            let text = text.trim_matches([' ', '\t', '\r', '\n']);
            if !text.is_empty() {
                return parse(text).map(Some).map_err(|message| failed(&message));
            }
        }
    }
}
