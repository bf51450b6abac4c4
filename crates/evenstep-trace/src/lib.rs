//! Reads, writes and replays pacing traces: the timestamps of a game's display frames, and its commands between them.
//!
//! A trace makes "it stuttered on my machine" reproducible elsewhere. It is a text file with one JSON object per line:
//! first a header with the configuration, then a [`Line`] for each frame or [`Command`](evenstep::Command). A
//! [`Recorder`] is a pacer that writes down what it is told, and a [`Replay`] makes the recorded decisions again, bit for
//! bit:
//!
//! ```
//! use evenstep::{Pacer, Pacing};
//! use evenstep_trace::{Recorder, Replay};
//! use std::time::Duration;
//!
//! # fn main() -> Result<(), evenstep_trace::Error> {
//! let mut pacer = Recorder::new(Vec::new(), Pacer::new(Pacing::hz(60)));
//! let mut steps = 0;
//! for n in 0..100 {
//!     if n == 50 {
//!         pacer.hit_freeze(Duration::from_millis(80));
//!     }
//!     steps += pacer.frame(n * Duration::from_millis(16)).steps();
//! }
//! let file = pacer.finish()?;
//!
//! let mut replayed = 0;
//! for frame in Replay::open(&file[..])? {
//!     replayed += frame?.steps();
//! }
//! assert_eq!(replayed, steps);
//! # Ok(())
//! # }
//! ```
//!
//! [`Reader`] and [`Writer`] stream: memory use does not grow with the trace, and the reader refuses lines longer than
//! [`LINE_BYTES_MAX`]. Whatever the writer accepts, the reader reads back. The repository's docs/trace.md describes the
//! format.

#![forbid(unsafe_code)]

mod line;
mod options;

mod read;
mod write;

mod log;
mod record;
mod replay;

mod error;
mod json;

pub use error::Error;
pub use line::Line;
pub use log::Log;
pub use read::{LINE_BYTES_MAX, Reader};
pub use record::Recorder;
pub use replay::Replay;
pub use write::Writer;

/// Tests the code in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
