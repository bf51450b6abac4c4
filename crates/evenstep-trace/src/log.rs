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
    writer: Result<Writer<W>, Error>,
}

impl<W: Write> Log<W> {
    /// Writes the header and, unless the pacer is new, its complete state. Wrap a file in a
    /// [`BufWriter`](std::io::BufWriter), because every line is a separate write.
    pub fn new(output: W, pacer: &Pacer) -> Self {
        let mut log = Self { writer: Writer::new(output, &pacer.pacing()) };
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
    pub fn error(&self) -> Option<&Error> {
        self.writer.as_ref().err()
    }

    /// Returns the output, unless an error has ended the trace.
    pub fn output(&self) -> Option<&W> {
        self.writer.as_ref().ok().map(Writer::output)
    }

    /// Flushes and returns the output.
    ///
    /// # Errors
    ///
    /// If the trace has ended with an error, or writing fails now.
    pub fn finish(self) -> Result<W, Error> {
        self.writer?.finish()
    }

    fn write(&mut self, line: impl FnOnce(&mut Writer<W>) -> Result<(), Error>) {
        if let Ok(writer) = &mut self.writer
            && let Err(error) = line(writer)
        {
            self.writer = Err(error);
        }
    }
}
