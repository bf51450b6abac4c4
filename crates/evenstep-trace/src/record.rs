//! Recording a pacer as it runs.

use std::io::Write;
use std::ops::Deref;
use std::time::Duration;

use evenstep::{Command, Frame, Pacer, from_millis};

use crate::error::Error;
use crate::log::Log;

/// A pacer that writes down every frame, and everything it is told in between.
///
/// Use it in place of the pacer: it takes the same commands by the same names, and answers the same questions. A
/// [`Replay`](crate::Replay) of the trace makes the same decisions, bit for bit.
///
/// ```
/// use evenstep::{Pacer, Pacing};
/// use evenstep_trace::Recorder;
/// use std::time::Duration;
///
/// # fn main() -> Result<(), evenstep_trace::Error> {
/// // A file: BufWriter::new(File::create("stutter.jsonl")?)
/// let mut pacer = Recorder::new(Vec::new(), Pacer::new(Pacing::hz(60)));
/// let frame = pacer.frame(Duration::from_millis(16));
/// pacer.pause();
/// assert_eq!((frame.steps(), pacer.tick()), (0, 0));
/// let text = String::from_utf8(pacer.finish()?).unwrap();
/// assert!(text.ends_with("{\"frame_ns\":16000000}\n{\"gate\":\"paused\"}\n"));
/// # Ok(())
/// # }
/// ```
///
/// An error of the output ends the recording and nothing else; [`error`](Self::error) returns it.
#[derive(Debug)]
pub struct Recorder<W> {
    pacer: Pacer,
    log: Log<W>,
}

impl<W: Write> Recorder<W> {
    /// Starts a recording: writes the header and, unless the pacer is new, its complete state. Wrap a file in a
    /// [`BufWriter`](std::io::BufWriter), because every line is a separate write.
    pub fn new(output: W, pacer: Pacer) -> Self {
        Self { log: Log::new(output, &pacer), pacer }
    }

    /// Plans a frame, and records it.
    #[must_use = "a plan does nothing until its steps are run"]
    pub fn frame(&mut self, now: Duration) -> Frame {
        self.log.frame(now);
        self.pacer.frame(now)
    }

    /// Plans a frame at a timestamp in milliseconds, and records it. NaN and the infinities are recorded as a skipped
    /// frame.
    #[must_use = "a plan does nothing until its steps are run"]
    pub fn frame_millis(&mut self, now_ms: f64) -> Frame {
        match from_millis(now_ms) {
            Some(now) => self.log.frame(now),
            None => self.log.command(&Command::Skip),
        }
        self.pacer.frame_millis(now_ms)
    }

    /// Records a command, and carries it out. The methods below are short for it.
    pub fn tell(&mut self, command: Command) {
        self.log.command(&command);
        self.pacer.tell(command);
    }

    evenstep::command_methods!();

    /// Returns the error that ended the recording.
    pub const fn error(&self) -> Option<&Error> {
        self.log.error()
    }

    /// Returns the output, with what was written before an error. `None` if not even the header could be written.
    pub fn output(&self) -> Option<&W> {
        self.log.output()
    }

    /// Flushes and returns the output.
    ///
    /// # Errors
    ///
    /// If the recording has ended with an error, or writing fails now.
    pub fn finish(self) -> Result<W, Error> {
        self.log.finish()
    }
}

/// The pacer, for its answers.
impl<W> Deref for Recorder<W> {
    type Target = Pacer;

    fn deref(&self) -> &Pacer {
        &self.pacer
    }
}
