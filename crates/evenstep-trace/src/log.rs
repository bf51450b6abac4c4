//! A trace in progress.

use std::io::Write;
use std::time::Duration;

use evenstep::{Command, Pacer};

use crate::error::Error;
use crate::write::Writer;

/// Writes what happens to a pacer, for code that has the pacer itself: call it before each frame and each command. A
/// [`Recorder`](crate::Recorder) does that by itself.
///
/// The first error of the output ends the trace and nothing else; [`error`](Self::error) returns it.
#[derive(Debug)]
pub struct Log<W> {
    // `None` if not even the header could be written.
    writer: Option<Writer<W>>,
    error: Option<Error>,
}

impl<W: Write> Log<W> {
    /// Writes the header and, unless the pacer is new, its complete state. Wrap a file in a
    /// [`BufWriter`](std::io::BufWriter), because every line is a separate write.
    pub fn new(output: W, pacer: &Pacer) -> Self {
        let (writer, error) = match Writer::new(output, &pacer.pacing()) {
            Ok(writer) => (Some(writer), None),
            Err(error) => (None, Some(error)),
        };
        let mut log = Self { writer, error };
        if *pacer != Pacer::new(pacer.pacing()) {
            log.write(|writer| writer.state(pacer));
        }
        log
    }

    /// Writes a frame.
    pub fn frame(&mut self, now: Duration) {
        self.write(|writer| writer.frame(now));
    }

    /// Writes a command.
    pub fn command(&mut self, command: &Command) {
        self.write(|writer| match writer.command(command) {
            // A NaN: the pacer ignores it as well.
            Err(Error::Line { .. }) => Ok(()),
            result => result,
        });
    }

    /// Returns the error that ended the trace.
    pub const fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// Returns the output, with what was written before an error. `None` if not even the header could be written.
    pub fn output(&self) -> Option<&W> {
        self.writer.as_ref().map(Writer::output)
    }

    /// Flushes and returns the output.
    ///
    /// # Errors
    ///
    /// If the trace has ended with an error, or writing fails now.
    pub fn finish(self) -> Result<W, Error> {
        match (self.error, self.writer) {
            (None, Some(writer)) => writer.finish(),
            (Some(error), _) => Err(error),
            (None, None) => unreachable!("without a writer there is an error"),
        }
    }

    fn write(&mut self, line: impl FnOnce(&mut Writer<W>) -> Result<(), Error>) {
        if let (None, Some(writer)) = (&self.error, &mut self.writer) {
            self.error = line(writer).err();
        }
    }
}
