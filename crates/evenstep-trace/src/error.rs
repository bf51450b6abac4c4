//! Errors of reading and writing.

use std::{fmt, io};

/// The longest message about a line, in bytes. A line can be longer.
const MESSAGE_MAX: usize = 1_000;

/// Why a trace could not be read or written.
///
/// ```
/// use evenstep_trace::{Error, Reader};
///
/// let trace = "{\"trace\":2}\n{\"frame_ns\":\"16\"}\n";
/// let error = Reader::open(trace.as_bytes()).unwrap().next().unwrap().unwrap_err();
/// assert!(matches!(error, Error::Line { number: 2, .. }));
/// assert_eq!(
///     error.to_string(),
///     "line 2: expected a frame (`frame_ns`) or a command: \
///      invalid type: string \"16\", expected u64 (column 16)"
/// );
/// ```
#[non_exhaustive]
pub enum Error {
    /// A line does not follow the format.
    Line {
        /// The number of the line, counted from 1. Blank lines count.
        number: usize,
        /// What was expected and what was found.
        message: String,
    },
    /// Reading from the input failed.
    Read(io::Error),
    /// Writing to the output failed.
    Write(io::Error),
}

impl Error {
    /// Creates an error in a line of the input. The message may quote that line, so control and invisible characters
    /// are escaped.
    pub(crate) fn in_line(number: usize, message: &str) -> Self {
        let mut visible = String::new();
        for character in message.chars() {
            if visible.len() > MESSAGE_MAX {
                visible.push('…');
                break;
            }
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

/// What `main() -> Result<(), Error>` prints: the message and its cause.
impl fmt::Debug for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match std::error::Error::source(self) {
            Some(cause) => write!(out, "{self}: {cause}"),
            None => write!(out, "{self}"),
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
