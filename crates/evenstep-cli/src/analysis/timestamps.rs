//! Timestamps in traces: the only place of the analysis that knows the format of a trace.

use std::io::{BufRead, Write};
use std::time::Duration;

use evenstep::{Command, Pacing, Presented};
use evenstep_trace::{
    Always, ChannelValue, Control, Error, Header, Line, PacingOptions, Reader, ResetAt, Writer,
};

use super::recording::Recording;
use super::survey::PART_FRAMES;

/// Reads the timestamps of a trace, part by part.
#[derive(Debug)]
pub struct TimestampReader<R> {
    lines: Reader<R>,
    /// The timestamps, and when images were shown.
    pub recording: Recording,
    /// The number of lines with controls, which the analysis does not apply.
    pub controls: usize,
}

impl<R: BufRead> TimestampReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// If there is none, or it does not follow the format.
    pub fn open(input: R) -> Result<Self, Error> {
        Ok(Self { lines: Reader::open(input)?, recording: Recording::default(), controls: 0 })
    }

    /// Reads the next part into the recording. Returns whether there may be more.
    ///
    /// # Errors
    ///
    /// At the first line that does not follow the format.
    pub fn read_part(&mut self) -> Result<bool, Error> {
        while self.recording.stamps_ns().len() < PART_FRAMES {
            let Some(line) = self.lines.next() else { return Ok(false) };
            match line? {
                Line::Frame { at_ms, at_ns, .. } => {
                    let at = at_ns.map(Duration::from_nanos).or_else(|| evenstep::from_millis(at_ms));
                    self.recording.frame(at.unwrap_or_default());
                }
                Line::Controls(_) => self.controls += 1,
                Line::Control(control) => {
                    if let Control::Presented(report) = *control {
                        let frame = Duration::from_nanos(report.frame_ns);
                        let at = Duration::from_nanos(report.at_ns);
                        self.recording.presented(Presented { frame, at });
                    }
                    self.controls += usize::from(!control.is_report());
                }
            }
        }
        Ok(true)
    }
}

/// Writes a trace, for `evenstep trace` and `evenstep import`.
///
/// ```
/// use evenstep::Pacing;
/// use evenstep_cli::analysis::timestamps::{TimestampReader, TraceWriter};
/// use std::time::Duration;
///
/// # fn main() -> Result<(), evenstep_trace::Error> {
/// let mut trace = TraceWriter::new(Vec::new(), &Pacing::hz(60))?;
/// for n in 0..100 {
///     trace.frame(Duration::from_secs(n) / 60)?;
/// }
/// let file = trace.finish()?;
/// let mut trace = TimestampReader::open(&file[..])?;
/// trace.read_part()?;
/// assert_eq!(trace.recording.frames(), 100);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct TraceWriter<W: Write>(Writer<W>);

impl<W: Write> TraceWriter<W> {
    /// Writes the header: the trace is of a loop with this configuration.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn new(output: W, pacing: &Pacing) -> Result<Self, Error> {
        Writer::new(output, &Header::of(pacing)).map(Self)
    }

    /// Writes a frame's timestamp.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn frame(&mut self, at: Duration) -> Result<(), Error> {
        self.0.frame(at)
    }

    /// Writes what the pacer is told before the next frame.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn command(&mut self, command: &Command) -> Result<(), Error> {
        self.0.control(&control_of(command))
    }

    /// Flushes and returns the output.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn finish(self) -> Result<W, Error> {
        self.0.finish()
    }
}

fn control_of(command: &Command) -> Control {
    match *command {
        Command::Gate(gate) => Control::Gate(gate),
        Command::StepByHand(steps) => Control::Step(steps),
        Command::Scale { channel, value } => Control::Scale(ChannelValue { channel, value }),
        Command::HitFreeze(wall) => Control::HitFreeze(nanos(wall)),
        Command::Pacing(pacing) => Control::Pacing(Box::new(PacingOptions::of(&pacing))),
        Command::Reset { last_frame, .. } => {
            let last_frame_ns = last_frame.map(nanos);
            Control::Reset(ResetAt { kind: evenstep_trace::Reset::NewGame, last_frame_ns })
        }
        Command::Presented(Presented { frame, at }) => {
            let frame_ns = nanos(frame);
            let at_ns = nanos(at);
            Control::Presented(evenstep_trace::Presented { frame_ns, at_ns })
        }
        Command::Skip => Control::Skip(Always),
        _ => unreachable!("the commands above are all that is written here"),
    }
}

fn nanos(at: Duration) -> u64 {
    at.as_nanos().try_into().unwrap_or(u64::MAX)
}
