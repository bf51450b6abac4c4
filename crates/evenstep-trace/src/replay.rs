//! Replaying a trace.

use std::io::BufRead;

use evenstep::{Command, Frame, Pacer};

use crate::error::Error;
use crate::line::Line;
use crate::read::Reader;

/// Makes the decisions of a trace again: a pacer that gets the recorded frames and commands.
///
/// Iterating returns the plan of each frame, also of skipped ones. Between two of them, [`pacer`](Self::pacer) answers what
/// the game could have asked there.
///
/// ```
/// use evenstep::Gate;
/// use evenstep_trace::Replay;
///
/// # fn main() -> Result<(), evenstep_trace::Error> {
/// let trace = "{\"trace\":2}\n{\"frame_ns\":0}\n{\"frame_ns\":16683000}\n{\"gate\":\"paused\"}\n{\"frame_ns\":33400000}\n";
/// let mut replay = Replay::open(trace.as_bytes())?; // A file: Replay::open(BufReader::new(file))
/// let mut ticks = Vec::new();
/// while let Some(frame) = replay.next() {
///     ticks.push((frame?.steps(), replay.pacer().tick()));
/// }
/// assert_eq!(ticks, [(0, 0), (1, 1), (0, 1)]);
/// assert_eq!(replay.pacer().gate(), Gate::Paused);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Replay<R> {
    reader: Reader<R>,
    pacer: Pacer,
}

impl<R: BufRead> Replay<R> {
    /// Reads the header, and creates the pacer.
    ///
    /// # Errors
    ///
    /// If the header is missing or invalid, or reading fails.
    pub fn open(input: R) -> Result<Self, Error> {
        let reader = Reader::open(input)?;
        let pacer = Pacer::new(reader.pacing());
        Ok(Self { reader, pacer })
    }

    /// Returns the pacer as it is after the last frame; at the end of the trace, after all lines.
    pub const fn pacer(&self) -> &Pacer {
        &self.pacer
    }
}

/// Plans the next frame, after the commands before it. Ends after the last line or the first error.
impl<R: BufRead> Iterator for Replay<R> {
    type Item = Result<Frame, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.reader.next()? {
                Ok(Line::Frame(at)) => return Some(Ok(self.pacer.frame(at))),
                Ok(Line::Command(command)) if *command == Command::Skip => {
                    return Some(Ok(self.pacer.frame_millis(f64::NAN)));
                }
                Ok(Line::Command(command)) => self.pacer.tell(*command),
                Ok(Line::State(pacer)) => self.pacer = *pacer,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
