//! Errors of the hosts.

use std::error;
use std::fmt;

/// Why a host could not run, or stopped.
///
/// `Debug` prints the same message as `Display`, so that a `main` that returns this error prints it in plain words.
///
/// ```
/// let error = evenstep_host::Error::NoCanvas { id: "game".into() };
/// assert_eq!(format!("{error:?}"), "no canvas with the id \"game\" on the page");
/// assert_eq!(format!("{error:?}"), error.to_string());
/// ```
#[non_exhaustive]
pub enum Error {
    /// There is no display to open a window on.
    NoDisplay {
        /// The system's error.
        source: Box<dyn error::Error>,
    },
    /// The system refused to open the window, or it failed later.
    Window {
        /// The system's error.
        source: Box<dyn error::Error>,
    },
    /// The page has no canvas with this id.
    NoCanvas {
        /// The id that was requested.
        id: String,
    },
    /// The browser lacks a feature, or refused access to it.
    Page {
        /// The browser's error message.
        message: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDisplay { source } => write!(f, "no display to open a window on: {source}"),
            Self::Window { source } => write!(f, "the window failed: {source}"),
            Self::NoCanvas { id } => write!(f, "no canvas with the id {id:?} on the page"),
            Self::Page { message } => write!(f, "the page failed: {message}"),
        }
    }
}

/// What `main() -> Result<(), Error>` prints.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::NoDisplay { source } | Self::Window { source } => Some(&**source),
            Self::NoCanvas { .. } | Self::Page { .. } => None,
        }
    }
}
