//! The library behind the `evenstep` command.

#![forbid(unsafe_code)]

pub mod lab;
#[cfg(feature = "measure")]
pub mod measure;
pub mod replay;
pub mod trace;

/// The README's code compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
