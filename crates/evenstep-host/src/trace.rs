//! Recording what a driver's pacer does.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use evenstep::{Frame, Pacer};
use evenstep_trace::{Control, Recorder};

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

/// A recording in progress.
pub(crate) struct Trace {
    recorder: Recorder<Output>,
    /// For the message about an error.
    name: String,
    is_error_said: bool,
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
        let recorder = Recorder::new(output, pacer);
        let mut trace = Self { recorder, name: name.to_owned(), is_error_said: false };
        trace.say_error();
        trace
    }

    pub(crate) fn frame(&mut self, pacer: &mut Pacer, now: Duration) -> Frame {
        let frame = self.recorder.frame(pacer, now);
        self.say_error();
        frame
    }

    pub(crate) fn skip(&mut self, pacer: &mut Pacer, now_ms: f64) -> Frame {
        self.recorder.frame_millis(pacer, now_ms)
    }

    pub(crate) fn control(&mut self, pacer: &mut Pacer, control: &Control) {
        self.recorder.control(pacer, control);
    }

    pub(crate) const fn error(&self) -> Option<&evenstep_trace::Error> {
        self.recorder.error()
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self.recorder.output()? {
            Output::Text(text) => std::str::from_utf8(text).ok(),
            Output::Stream(_) => None,
        }
    }

    pub(crate) fn finish(self) -> Result<(), evenstep_trace::Error> {
        self.recorder.finish().map(drop)
    }

    /// The game goes on without its trace, and somebody should know.
    fn say_error(&mut self) {
        if let Some(error) = self.recorder.error().filter(|_| !self.is_error_said) {
            say(&self.name, error);
            self.is_error_said = true;
        }
    }
}

/// Says why a trace ended. Nobody reads standard error on a page, which asks for the error instead.
pub(crate) fn say(name: &str, error: &dyn std::error::Error) {
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    eprintln!("evenstep: no more trace in {name}: {error}{cause}");
}
