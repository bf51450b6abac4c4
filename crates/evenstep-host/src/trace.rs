//! Recording what a driver's pacer does.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use evenstep::{Command, Pacer};
use evenstep_trace::{Error, Log};

/// The longest text that a trace may become in memory: an hour and more at 60 frames a second.
pub(crate) const TEXT_BYTES_MAX: usize = 32 << 20;

/// Where a trace goes.
enum Output {
    Stream(Box<dyn Write + Send>),
    Text(Vec<u8>),
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stream(stream) => stream.write(bytes),
            Self::Text(text) if text.len() + bytes.len() > TEXT_BYTES_MAX => {
                Err(io::Error::other(format!("the text has {TEXT_BYTES_MAX} bytes, which is the limit")))
            }
            Self::Text(text) => text.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stream(stream) => stream.flush(),
            Self::Text(_) => Ok(()),
        }
    }
}

/// A recording in progress. It ends with the first error of its output, and the game goes on without it.
pub(crate) struct Trace {
    // `None` once it is finished.
    log: Option<Log<Output>>,
    /// For the message about an error.
    name: String,
    is_reported: bool,
}

impl Trace {
    pub(crate) fn to_stream(stream: Box<dyn Write + Send>, name: &str, pacer: &Pacer) -> Self {
        Self::new(Output::Stream(stream), name, pacer)
    }

    pub(crate) fn to_text(pacer: &Pacer) -> Self {
        Self::new(Output::Text(Vec::new()), "the text", pacer)
    }

    pub(crate) fn to_file(path: &Path, pacer: &Pacer) -> io::Result<Self> {
        let file = BufWriter::new(File::create(path)?);
        Ok(Self::to_stream(Box::new(file), &path.display().to_string(), pacer))
    }

    fn new(output: Output, name: &str, pacer: &Pacer) -> Self {
        let mut trace =
            Self { log: Some(Log::new(output, pacer)), name: name.to_owned(), is_reported: false };
        trace.report_error();
        trace
    }

    pub(crate) fn frame(&mut self, now: Duration) {
        self.write(|log| log.frame(now));
    }

    pub(crate) fn command(&mut self, command: &Command) {
        self.write(|log| log.command(command));
    }

    pub(crate) fn error(&self) -> Option<&Error> {
        self.log.as_ref()?.error()
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self.log.as_ref()?.output()? {
            Output::Text(text) => std::str::from_utf8(text).ok(),
            Output::Stream(_) => None,
        }
    }

    pub(crate) fn finish(mut self) -> Result<(), Error> {
        self.log.take().map_or(Ok(()), |log| log.finish().map(drop))
    }

    fn write(&mut self, line: impl FnOnce(&mut Log<Output>)) {
        if let Some(log) = &mut self.log {
            line(log);
        }
        self.report_error();
    }

    fn report_error(&mut self) {
        if let Some(error) = self.error().filter(|_| !self.is_reported) {
            report(&self.name, error);
            self.is_reported = true;
        }
    }
}

/// Writes what is buffered. Nobody gets the result, so an error is printed.
impl Drop for Trace {
    fn drop(&mut self) {
        let is_reported = self.is_reported;
        if let Some(Err(error)) = self.log.take().map(Log::finish).filter(|_| !is_reported) {
            report(&self.name, &error);
        }
    }
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trace")
            .field("name", &self.name)
            .field("error", &self.error())
            .finish_non_exhaustive()
    }
}

/// Prints on standard error why a trace ended. Nobody reads that on a page, which asks for the error instead.
pub(crate) fn report(name: &str, error: &dyn std::error::Error) {
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    // Not `eprintln!`, which panics if nobody can be told.
    let _ = writeln!(io::stderr(), "evenstep: no more trace in {name}: {error}{cause}");
}
