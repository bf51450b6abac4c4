//! The commands of the pacing lab: tables, charts and reports on top of the library `evenstep-lab`.
//!
//! [`arguments`] parses the command line, and [`family`] defines the displays of every report. The commands are
//! [`run()`], [`compare()`], [`harm()`] and [`import()`].

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub mod arguments;
pub mod chart;
pub mod family;
mod svg;
pub mod table;

mod compare;
pub mod exception;
pub mod harm;
pub mod import;
pub mod matrix;
mod mixture;
pub mod parallel;
pub(crate) mod progress;
mod report;
mod run;

pub use compare::compare;
pub use harm::harm;
pub use import::import;
pub use run::run;

use arguments::LabCommand;

/// An error of a lab command.
#[non_exhaustive]
pub enum Error {
    /// Arguments contradict each other.
    Arguments(String),
    /// A trace could not be read, or does not follow the format.
    Trace {
        /// The path of the trace.
        path: PathBuf,
        /// The cause.
        source: evenstep_trace::Error,
    },
    /// A file could not be written.
    File {
        /// The path of the file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The display could not be measured.
    Measure(String),
    /// The output could not be written.
    Write(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arguments(message) | Self::Measure(message) => write!(out, "{message}"),
            Self::Trace { path, source } => write!(out, "{}: {source}", path.display()),
            Self::File { path, .. } => write!(out, "{}: the file cannot be written", path.display()),
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
            Self::Arguments(_) | Self::Measure(_) => None,
            // The message of the trace error is already part of ours.
            Self::Trace { source, .. } => source.source(),
            Self::File { source, .. } | Self::Write(source) => Some(source),
        }
    }
}

/// Runs a command and prints to `output`.
///
/// # Errors
///
/// If arguments contradict each other, a trace is invalid, or output cannot be written.
pub fn execute(command: &LabCommand, output: &mut impl Write) -> Result<(), Error> {
    match command {
        LabCommand::Run(arguments) => run(arguments, output),
        LabCommand::Import(arguments) => import(arguments, output),
        LabCommand::Compare(arguments) => compare(arguments, output),
        LabCommand::Harm(arguments) => harm(arguments, output),
    }
}

/// Writes a file.
pub(crate) fn write_file(path: &Path, contents: &str) -> Result<(), Error> {
    std::fs::write(path, contents).map_err(|source| Error::File { path: path.to_owned(), source })
}
