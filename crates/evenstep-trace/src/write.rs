//! Writing a trace, line by line.

use std::io::Write;
use std::time::Duration;

use crate::error::Error;
use crate::header::{Header, Profile};
use crate::json;
use crate::line::Controls;

/// Writes a trace: first the header, then one line at a time.
///
/// A line that would not read back is refused with [`Error::Line`], and nothing is written.
///
/// ```
/// use evenstep_trace::{Controls, Header, Profile, Writer};
/// use std::time::Duration;
///
/// # fn main() -> Result<(), evenstep_trace::Error> {
/// let mut writer = Writer::new(Vec::new(), &Header::new(Profile::Evenstep))?;
/// writer.frame(Duration::from_micros(16_683))?; // From a monotonic clock.
/// writer.frame_millis(33.4)?;                   // From a browser.
///
/// let mut controls = Controls::default();
/// controls.pause = Some(true);
/// writer.controls(&controls)?;
///
/// assert!(writer.frame_millis(f64::NAN).is_err());
/// assert_eq!(
///     String::from_utf8(writer.finish()?).unwrap(),
///     r#"{"trace":1,"profile":"evenstep"}
/// {"frame_ms":16.683000}
/// {"frame_ms":33.4}
/// {"pause":true}
/// "#
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    profile: Profile,
    /// The number of the last line written, counted from 1.
    number: usize,
}

impl<W: Write> Writer<W> {
    /// Creates a writer, and writes the header. Wrap a file in a [`BufWriter`](std::io::BufWriter), because every line
    /// is a separate write.
    ///
    /// # Errors
    ///
    /// If `start_ms` is not finite, or writing fails.
    pub fn new(output: W, header: &Header) -> Result<Self, Error> {
        let mut writer = Self { output, profile: header.profile, number: 0 };
        writer.line(header.to_text())?;
        Ok(writer)
    }

    /// Writes a display frame, exact to the nanosecond.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn frame(&mut self, at: Duration) -> Result<(), Error> {
        let (ms, ns) = (at.as_millis(), at.subsec_nanos() % 1_000_000);
        self.line(Ok(format!("{{\"frame_ms\":{ms}.{ns:06}}}")))
    }

    /// Writes a display frame at a timestamp in milliseconds, exact to the last bit.
    ///
    /// # Errors
    ///
    /// If the timestamp is not finite, or writing fails.
    pub fn frame_millis(&mut self, at_ms: f64) -> Result<(), Error> {
        self.line(json::number("frame_ms", at_ms).map(|at_ms| format!("{{\"frame_ms\":{at_ms}}}")))
    }

    /// Writes controls that apply before the next frame.
    ///
    /// # Errors
    ///
    /// If no control is set, one belongs to another profile or is out of range, or writing fails.
    pub fn controls(&mut self, controls: &Controls) -> Result<(), Error> {
        self.line(controls.to_text(self.profile))
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
        self.output.write_all(text.as_bytes()).map_err(Error::Write)?;
        self.number += 1;
        Ok(())
    }
}
