//! The pacing lab's bench: simulated displays, pacing policies, and what the player would have seen.
//!
//! [`display`] makes frames (when each appeared, what the loop's clock said), [`policy`] turns the clock's readings
//! into decisions, [`metrics`] compares the two, and a [`session`] does all three. A [`recording`] is a display that
//! somebody has: [`fit`] finds the refresh behind its timestamps. [`words`] says what was measured.
//!
//! Each of the first three is a stream, for a page that shows them as time passes, and a whole session is that stream
//! taken to its end. Nothing here reads a clock or a file, and the same seed gives the same bits on every target.

#![forbid(unsafe_code)]

mod random;

pub mod display;
pub mod policy;

pub mod metrics;
pub mod session;

pub mod fit;
pub mod recording;
pub mod words;

/// The README's code compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
