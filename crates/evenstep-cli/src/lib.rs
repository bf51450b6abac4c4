//! The library behind the `evenstep` command, and behind the lab.

#![forbid(unsafe_code)]

pub mod analysis;
pub mod trace;

#[cfg(feature = "command")]
mod error;
#[cfg(feature = "command")]
pub mod import;
#[cfg(feature = "measure")]
pub mod measure;
#[cfg(feature = "command")]
pub mod progress;
#[cfg(feature = "command")]
pub mod replay;
#[cfg(feature = "command")]
pub mod table;

#[cfg(feature = "command")]
pub use error::{Error, Output, run, write_file};

/// The README's code compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
