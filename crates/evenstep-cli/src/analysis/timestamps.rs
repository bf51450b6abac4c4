//! Traces of timestamps: the only place of the analysis that knows the format of a trace.

use std::io::BufRead;

use evenstep::Command;
use evenstep_trace::{Error, Line, Reader};

use super::recording::Recording;
use super::survey::PART_FRAMES;

/// Reads the timestamps of a trace, part by part.
#[derive(Debug)]
pub struct TimestampReader<R> {
    lines: Reader<R>,
    /// The timestamps, and when images were shown.
    pub recording: Recording,
    /// The number of commands to the game, which the analysis does not apply.
    pub commands: usize,
}

impl<R: BufRead> TimestampReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// If there is none, or it does not follow the format.
    pub fn open(input: R) -> Result<Self, Error> {
        Ok(Self { lines: Reader::open(input)?, recording: Recording::default(), commands: 0 })
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
                Line::Frame(at) => self.recording.frame(at),
                Line::Command(command) => {
                    if let Command::Presented(presented) = *command {
                        self.recording.presented(presented);
                    }
                    self.commands += usize::from(!command.is_report());
                }
                _ => self.commands += 1,
            }
        }
        Ok(true)
    }
}
