//! What can go wrong with a trace.

use std::{fmt, io};

/// Why a trace could not be read or written.
///
/// ```
/// use evenstep_trace::{Error, Reader};
///
/// let trace = "{\"trace\":1,\"profile\":\"evenstep\"}\n{\"frame_ms\":\"16\"}\n";
/// let error = Reader::open(trace.as_bytes()).unwrap().next().unwrap().unwrap_err();
/// assert!(matches!(error, Error::Line { number: 2, .. }));
/// assert_eq!(
///     error.to_string(),
///     "line 2: expected a frame or a control of evenstep: \
///      invalid type: string \"16\", expected f64 (column 16)"
/// );
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A line is not what the format describes.
    Line {
        /// The line's number, from 1. Blank lines count.
        number: usize,
        /// What was expected, and what was found.
        message: String,
    },
    /// The input failed.
    Read(io::Error),
    /// The output failed.
    Write(io::Error),
}

impl Error {
    /// An error in a line that was read. The message may quote it, so what a terminal would obey or hide is escaped.
    pub(crate) fn in_line(number: usize, message: &str) -> Self {
        let mut visible = String::with_capacity(message.len());
        for character in message.chars() {
            match character {
                '"' | '\'' | '\\' => visible.push(character),
                _ => visible.extend(character.escape_debug()),
            }
        }
        Self::Line { number, message: visible }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { number, message } => write!(out, "line {number}: {message}"),
            Self::Read(_) => write!(out, "the trace cannot be read"),
            Self::Write(_) => write!(out, "the output cannot be written"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Line { .. } => None,
            Self::Read(error) | Self::Write(error) => Some(error),
        }
    }
}
