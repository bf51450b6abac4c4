//! What a display did, and what a loop would have made of it: an analysis of the timestamps of frames.
//!
//! ```text
//! recording  ->  fit  ->  session  ->  metrics  ->  words, chart
//! timestamps     the      what each    how even
//! of a real      refresh  policy       the motion
//! display        behind   decided      was
//! ```
//!
//! A [`survey`] does all of it, for a recording of any length. `evenstep import` and `evenstep measure` print its findings;
//! the lab plays simulated displays through the same [`session`] and [`metrics`]. Nothing here reads a clock, and only
//! [`timestamps`] knows the format of a trace.

pub mod policy;

pub mod metrics;
pub mod session;

pub mod fit;
pub mod recording;
pub mod survey;

pub mod timestamps;
pub mod words;

pub mod chart;
pub mod svg;
