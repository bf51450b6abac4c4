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
//! A [`Recorder`] writes what a running pacer does. There are two versions of the format: version 1 has timestamps and a
//! few controls of each profile, and version 2 has everything that a pacer can be told. The reader reads both.
//!
//! Both [`Reader`] and [`Writer`] stream: memory use does not grow with the trace, and the reader refuses lines longer
//! than [`LINE_BYTES_MAX`]. Whatever the writer accepts, the reader reads back.

#![forbid(unsafe_code)]

mod header;
mod line;

mod control;
mod pacing;

mod read;
mod write;

mod record;

mod error;
mod json;
mod words;

pub use control::{Always, ChannelValue, Control, Presented, ResetAt};
pub use error::Error;
pub use header::{Header, Profile};
pub use line::{Controls, Hitstop, Line, Mission, Phase, Reset, SetFps};
pub use pacing::PacingOptions;
pub use read::{LINE_BYTES_MAX, Reader};
pub use record::Recorder;
pub use write::Writer;

/// Tests the code in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
