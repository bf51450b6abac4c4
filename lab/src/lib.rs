//! Research on frame pacing: simulated displays, and the motion that a player would see on them.
//!
//! ```text
//! display  ->  policy  ->  metrics
//! when each    what the    how even the motion was:
//! frame        pacer       judder, cadence error,
//! appeared     decided     drift, lag
//! ```
//!
//! [`display`] simulates frames: when each appeared, and what the loop's clock said. A [`host`] tells the pacer what a
//! window system would, with [`feedback`] among it. What follows is the same for simulated displays and for real ones, so
//! it comes from the library of the `evenstep` command: a [`session`] runs each [`policy`], and [`metrics`] compare its
//! decisions with the display. [`random`] is the generator behind it all.
//!
//! ```
//! use evenstep_lab::display::{Display, Noise};
//! use evenstep_lab::policy::Policy;
//!
//! let display = Display { noise: Noise::Gauss(0.3), ..Display::new(144.0) };
//! let session = display.session(10.0, 1); // Ten seconds, seed 1.
//! let [plain, evenstep] = [Policy::Plain, Policy::Evenstep].map(|policy| session.under(policy).report);
//! assert!(evenstep.judder_us < plain.judder_us / 100.0);
//! ```
//!
//! The program `lab` plays families of displays and prints tables, charts and reports. Nothing here reads a
//! clock, and the same seed gives the same bits on every target.

#![forbid(unsafe_code)]

pub mod random;

pub mod display;
pub mod feedback;
pub mod host;

#[cfg(feature = "command")]
pub mod program;

pub use evenstep_cli::analysis::{
    chart, fit, metrics, policy, recording, session, survey, timestamps, words,
};

/// The README's code compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
