//! Reads and writes pacing traces: the timestamps of a game's display frames, and its controls between them.
//!
//! A trace makes "it stuttered on my machine" reproducible elsewhere. It is a text file with one JSON object per line:
//! first a [`Header`] that names the loop, then a [`Line`] for each frame or change of the game's controls.
//!
//! ```
//! use evenstep_trace::{Header, Line, Profile, Reader, Writer};
//! use std::time::Duration;
//!
//! # fn main() -> Result<(), evenstep_trace::Error> {
//! // The game writes one line per frame.
//! let mut writer = Writer::new(Vec::new(), &Header::new(Profile::Evenstep))?;
//! for n in 1..=3 {
//!     writer.frame(n * Duration::from_millis(16))?;
//! }
//! let file = writer.finish()?;
//!
//! // A tool reads the lines back, one at a time.
//! let mut frames = 0;
//! for line in Reader::open(&file[..])? {
//!     frames += usize::from(matches!(line?, Line::Frame { .. }));
//! }
//! assert_eq!(frames, 3);
//! # Ok(())
//! # }
//! ```
//!
//! Both [`Reader`] and [`Writer`] stream: memory use does not grow with the trace, and the reader refuses lines longer
//! than [`LINE_BYTES_MAX`]. Whatever the writer accepts, the reader reads back.

#![forbid(unsafe_code)]

mod header;
mod line;

mod read;
mod write;

mod error;
mod json;

pub use error::Error;
pub use header::{Header, Profile};
pub use line::{Controls, Hitstop, Line, Mission, Phase, Reset, SetFps};
pub use read::{LINE_BYTES_MAX, Reader};
pub use write::Writer;

/// Tests the code in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
