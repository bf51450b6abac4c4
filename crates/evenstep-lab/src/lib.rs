//! Measures frame pacing: simulated displays, pacing policies, and the motion that a player would see.
//!
//! ```text
//! display  ->  policy  ->  metrics
//! when each    what the    how even the motion was:
//! frame        pacer       judder, cadence error,
//! appeared     decided     drift, lag
//! ```
//!
//! [`display`] simulates frames: when each appeared, and what the loop's clock said. [`policy`] turns timestamps, and
//! what the host knows besides ([`feedback`]), into decisions, and [`metrics`] compares decisions with the display. A [`session`] does all three. A [`recording`] comes
//! from a real display, [`fit`] finds the refresh behind its timestamps, and a [`survey`] does so for one of any length. [`words`] formats results, and
//! [`random`] is the generator behind it all.
//!
//! ```
//! use evenstep_lab::display::{Display, Noise};
//! use evenstep_lab::policy::Policy;
//! use evenstep_lab::session::Session;
//!
//! let display = Display { noise: Noise::Gauss(0.3), ..Display::new(144.0) };
//! let session = Session::of(&display, 10.0, 1);
//! let [plain, evenstep] = [Policy::Plain, Policy::Evenstep].map(|policy| session.under(policy).report);
//! assert!(evenstep.judder_us < plain.judder_us / 100.0);
//! ```
//!
//! Displays, policies and metrics are also available frame by frame, for programs that show them live. Nothing here reads
//! a clock or a file, and the same seed gives the same bits on every target.

#![forbid(unsafe_code)]

pub mod random;

pub mod display;
pub mod feedback;
pub mod policy;

pub mod metrics;
pub mod session;

pub mod fit;
pub mod recording;
pub mod survey;
pub mod words;

/// The README's code compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
