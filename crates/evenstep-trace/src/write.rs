//! Writing a trace, line by line.

use std::io::Write;
use std::time::Duration;

use evenstep::from_millis;

use crate::control::Control;
use crate::error::Error;
use crate::header::{Header, Profile};
use crate::json;
use crate::line::Controls;
use crate::pacing::saturated_ns;

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
    version: u64,
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
        let mut writer = Self { output, version: header.version(), profile: header.profile, number: 0 };
        writer.line(header.to_text())?;
        Ok(writer)
    }

    /// Writes a display frame, exact to the nanosecond.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn frame(&mut self, at: Duration) -> Result<(), Error> {
        if self.version == 2 {
            return self.frame_ns(saturated_ns(at));
        }
        let (ms, ns) = (at.as_millis(), at.subsec_nanos() % 1_000_000);
        self.line(Ok(format!("{{\"frame_ms\":{ms}.{ns:06}}}")))
    }

    /// Writes a display frame at a timestamp in milliseconds, exact to the last bit.
    ///
    /// # Errors
    ///
    /// If the timestamp is not finite, or writing fails.
    pub fn frame_millis(&mut self, at_ms: f64) -> Result<(), Error> {
        if self.version == 2 {
            let at = from_millis(at_ms).ok_or_else(|| {
                json::number("frame_ms", at_ms).err().unwrap_or_else(|| "expected a time".into())
            });
            return match at {
                Ok(at) => self.frame_ns(saturated_ns(at)),
                Err(message) => self.line(Err(message)),
            };
        }
        self.line(json::number("frame_ms", at_ms).map(|at_ms| format!("{{\"frame_ms\":{at_ms}}}")))
    }

    /// Writes controls that apply before the next frame, in a trace of version 1.
    ///
    /// # Errors
    ///
    /// If no control is set, one belongs to another profile or is out of range, or writing fails.
    pub fn controls(&mut self, controls: &Controls) -> Result<(), Error> {
        let text = match self.version {
            1 => controls.to_text(self.profile),
            _ => Err("expected a control of version 2: see `Writer::control`".into()),
        };
        self.line(text)
    }

    /// Writes a call to the pacer before the next frame, in a trace of version 2.
    ///
    /// # Errors
    ///
    /// If a value is not a finite number, the trace has version 1, or writing fails.
    pub fn control(&mut self, control: &Control) -> Result<(), Error> {
        let text = match self.version {
            2 => control.to_text(),
            _ => Err("expected controls of version 1: see `Writer::controls`".into()),
        };
        self.line(text)
    }

    pub(crate) fn frame_ns(&mut self, at_ns: u64) -> Result<(), Error> {
        self.line(Ok(format!("{{\"frame_ns\":{at_ns}}}")))
    }

    pub(crate) const fn output(&self) -> &W {
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
        self.output.write_all(text.as_bytes()).map_err(Error::Write)?;
        self.number += 1;
        Ok(())
    }
}
