//! Writing a trace, line by line.

use std::io::{self, Write};
use std::time::Duration;

use evenstep::{Command, Pacer, Pacing};
use serde::Serialize;

use crate::error::Error;
use crate::options;

/// Writes a trace: first the header, then one line at a time.
///
/// A line that would not read back is refused with [`Error::Line`], and nothing is written. After an error of the output,
/// every line is refused.
///
/// ```
/// use evenstep::{Channel, Command, Gate, Pacing};
/// use evenstep_trace::Writer;
/// use std::time::Duration;
///
/// # fn main() -> Result<(), evenstep_trace::Error> {
/// let mut writer = Writer::new(Vec::new(), &Pacing::hz(60))?;
/// writer.frame(Duration::from_micros(16_683))?;
/// writer.command(&Command::Gate(Gate::Paused))?;
/// assert!(writer.command(&Command::Scale { channel: Channel::JUICE, value: f64::NAN }).is_err());
/// let text = String::from_utf8(writer.finish()?).unwrap();
/// assert!(text.starts_with("{\"trace\":2,"));
/// assert!(text.ends_with("{\"frame_ns\":16683000}\n{\"gate\":\"paused\"}\n"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    /// The number of the last line written, counted from 1.
    number: usize,
    /// A write failed, perhaps in the middle of a line: nothing that follows could be read.
    has_failed: bool,
}

impl<W: Write> Writer<W> {
    /// Creates a writer, and writes the header. Wrap a file in a [`BufWriter`](std::io::BufWriter), because every line
    /// is a separate write.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn new(output: W, pacing: &Pacing) -> Result<Self, Error> {
        let mut writer = Self { output, number: 0, has_failed: false };
        writer.line(options::header(pacing))?;
        Ok(writer)
    }

    /// Writes a display frame. A time beyond 584 years is one of 584 years, as for the pacer.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn frame(&mut self, at: Duration) -> Result<(), Error> {
        let at_ns = u64::try_from(at.as_nanos()).unwrap_or(u64::MAX);
        self.line(Ok(format!("{{\"frame_ns\":{at_ns}}}")))
    }

    /// Writes what the pacer is told before the next frame.
    ///
    /// # Errors
    ///
    /// If a value is NaN, which a pacer ignores and no file can have, or writing fails.
    pub fn command(&mut self, command: &Command) -> Result<(), Error> {
        self.line(serde_json::to_string(command).map_err(|error| error.to_string()))
    }

    /// Writes a complete pacer: a replay goes on with it.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn state(&mut self, pacer: &Pacer) -> Result<(), Error> {
        #[derive(Serialize)]
        struct State<'a> {
            state: &'a Pacer,
        }
        self.line(serde_json::to_string(&State { state: pacer }).map_err(|error| error.to_string()))
    }

    /// Returns the output.
    pub const fn output(&self) -> &W {
        &self.output
    }

    /// Flushes and returns the output.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn finish(mut self) -> Result<W, Error> {
        self.output.flush().map_err(Error::Write)?;
        Ok(self.output)
    }

    fn line(&mut self, text: Result<String, String>) -> Result<(), Error> {
        let mut text = text.map_err(|message| Error::Line { number: self.number + 1, message })?;
        text.push('\n');
        if self.has_failed {
            return Err(Error::Write(io::Error::other("an earlier line could not be written")));
        }
        self.output.write_all(text.as_bytes()).map_err(|error| {
            self.has_failed = true;
            Error::Write(error)
        })?;
        self.number += 1;
        Ok(())
    }
}
