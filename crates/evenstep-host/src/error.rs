//! What a host may fail at.

use std::error;
use std::fmt;

/// What a host may fail at.
///
/// ```
/// use evenstep_host::Error;
///
/// let error = Error::NoCanvas { id: "game".to_owned() };
/// assert_eq!(error.to_string(), "no canvas with the id \"game\" on the page");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// There is no display to open a window on.
    NoDisplay {
        /// What the system said.
        source: Box<dyn error::Error>,
    },
    /// The system refused a window, or took it away.
    Window {
        /// What the system said.
        source: Box<dyn error::Error>,
    },
    /// The page has no such canvas.
    NoCanvas {
        /// The id that was looked for.
        id: String,
    },
    /// The browser lacks something, or refused it.
    Page {
        /// What it said.
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

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::NoDisplay { source } | Self::Window { source } => Some(&**source),
            Self::NoCanvas { .. } | Self::Page { .. } => None,
        }
    }
}
