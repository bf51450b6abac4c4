//! Recording what a driver's pacer does.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use evenstep::{Command, Pacer};
use evenstep_trace::{Error, Writer};

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
    writer: Option<Writer<Output>>,
    error: Option<Error>,
    /// For the message about an error.
    name: String,
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

    /// Writes the header and, unless the pacer is new, its complete state.
    fn new(output: Output, name: &str, pacer: &Pacer) -> Self {
        let mut trace = Self { writer: None, error: None, name: name.to_owned() };
        match Writer::new(output, &pacer.pacing()) {
            Ok(writer) => trace.writer = Some(writer),
            Err(error) => trace.end(error),
        }
        if *pacer != Pacer::new(pacer.pacing()) {
            trace.write(|writer| writer.state(pacer));
        }
        trace
    }

    pub(crate) fn frame(&mut self, now: Duration) {
        self.write(|writer| writer.frame(now));
    }

    pub(crate) fn command(&mut self, command: &Command) {
        self.write(|writer| match writer.command(command) {
            // A NaN: the pacer ignores it as well.
            Err(Error::Line { .. }) => Ok(()),
            result => result,
        });
    }

    pub(crate) const fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self.writer.as_ref()?.output() {
            Output::Text(text) => std::str::from_utf8(text).ok(),
            Output::Stream(_) => None,
        }
    }

    pub(crate) fn finish(self) -> Result<(), Error> {
        match (self.writer, self.error) {
            (_, Some(error)) => Err(error),
            (writer, None) => writer.map_or(Ok(()), |writer| writer.finish().map(drop)),
        }
    }

    fn write(&mut self, line: impl FnOnce(&mut Writer<Output>) -> Result<(), Error>) {
        if let Some(Err(error)) = self.writer.as_mut().map(line) {
            self.end(error);
        }
    }

    fn end(&mut self, error: Error) {
        report(&self.name, &error);
        self.writer = None;
        self.error = Some(error);
    }
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trace").field("name", &self.name).field("error", &self.error).finish_non_exhaustive()
    }
}

/// Prints on standard error why a trace ended. Nobody reads that on a page, which asks for the error instead.
pub(crate) fn report(name: &str, error: &dyn std::error::Error) {
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    eprintln!("evenstep: no more trace in {name}: {error}{cause}");
}
