//! How commands end: errors, and the exit status.

use std::error::Error as _;
use std::fmt;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Exit status for bad input.
const USAGE: u8 = 2;

/// Why a command failed.
#[non_exhaustive]
pub enum Error {
    /// Arguments contradict each other, or there is nothing to measure; with a message for the user.
    Refused(String),
    /// A trace could not be read, or does not follow the format.
    Trace {
        /// The path of the trace.
        path: PathBuf,
        /// The cause.
        source: evenstep_trace::Error,
    },
    /// A recording cannot be opened, read or cut.
    Recording {
        /// The path of the recording.
        path: PathBuf,
        /// The cause.
        source: Box<dyn std::error::Error>,
    },
    /// A file could not be written.
    File {
        /// The path of the file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The output could not be written.
    Write(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(message) => write!(out, "{message}"),
            Self::Trace { path, source } => write!(out, "{}: {source}", path.display()),
            Self::Recording { path, .. } => write!(out, "{}", path.display()),
            Self::File { path, .. } => write!(out, "{}: the file cannot be written", path.display()),
            Self::Write(_) => write!(out, "the output cannot be written"),
        }
    }
}

/// What `main() -> Result<(), Error>` prints: the message and its cause.
impl fmt::Debug for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.source() {
            Some(cause) => write!(out, "{self}: {cause}"),
            None => write!(out, "{self}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Refused(_) => None,
            // The message of the trace error is already part of ours.
            Self::Trace { source, .. } => source.source(),
            Self::Recording { source, .. } => Some(source.as_ref()),
            Self::File { source, .. } | Self::Write(source) => Some(source),
        }
    }
}

/// The standard output of a command.
pub type Output<'a> = BufWriter<StdoutLock<'a>>;

/// Runs a command and returns its exit status. An error is printed with its causes, after what the command has written.
pub fn run(program: &str, command: impl FnOnce(&mut Output<'_>) -> Result<ExitCode, Error>) -> ExitCode {
    let mut output = BufWriter::new(io::stdout().lock());
    let result = command(&mut output);
    let fail = |error: &Error| {
        let words: Vec<_> = causes(error).map(ToString::to_string).collect();
        // Not `eprintln!`, which panics if nobody can be told.
        let _ = writeln!(io::stderr(), "{program}: {}", words.join(": "));
        ExitCode::from(USAGE)
    };
    match (output.flush(), result) {
        (Err(error), Ok(_)) if !is_closed(&error) => fail(&Error::Write(error)),
        (_, Ok(status)) => status,
        (_, Err(error)) if is_closed(&error) => ExitCode::SUCCESS,
        (_, Err(error)) => fail(&error),
    }
}

/// An error and its causes, down to the first.
fn causes<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    std::iter::successors(Some(error), |&cause| cause.source())
}

/// Whether the reader of the output closed the pipe, as `head` does.
fn is_closed(error: &(dyn std::error::Error + 'static)) -> bool {
    causes(error).any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// Writes a file.
///
/// # Errors
///
/// If it cannot be written.
pub fn write_file(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Error> {
    std::fs::write(path, contents).map_err(|source| Error::File { path: path.to_owned(), source })
}
