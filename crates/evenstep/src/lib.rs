//! A fixed-timestep game loop that is exact, deterministic and smooth on every display.
//!
//! The core of Evenstep turns *timestamps* into *plans*: how many steps to simulate now, and where between the last
//! two to draw. It reads no clock, draws nothing, never sleeps and never allocates. The same loop therefore runs on
//! the desktop, in the browser, headless and on a server, and makes the same decisions from the same timestamps
//! everywhere.
//!
//! ```
//! use core::time::Duration;
//! use evenstep::{Interpolated, Pacer, Pacing};
//!
//! let mut pacer = Pacer::new(Pacing::hz(60));
//! let mut x = Interpolated::new(0.0_f64);
//!
//! # let mut clock = (0..120).map(|n| Duration::from_micros(6_944 * n));
//! while let Some(now) = clock.next() {
//!     let frame = pacer.frame(now);
//!     for _tick in frame.ticks() {
//!         x.advance(x.current() + 120.0 * pacer.pacing().rate().step_secs());
//!     }
//!     let _drawn_at = x.at(frame.alpha());
//! }
//! # assert!(x.current() > 90.0);
//! ```
//!
//! # The order of one frame
//!
//! ```text
//! timestamp -> display lock -> elapsed time
//!   -> stall?      drop it together with pending steps, run nothing
//!   -> clamp       to the longest frame
//!   -> gate        menu: everything is held; paused: no simulation except by hand
//!   -> freeze      wall timers run, no steps; the end of a classic freeze resets the time dilation
//!   -> scale       by the product of the channels
//!   -> accumulate  and clamp to the backlog ceiling
//!   -> plan        whole steps up to the cap, which grows with the scale; the excess is dropped
//!   -> publish     steps, ticks, dt, raw dt, alpha, outcome, dropped time by reason; clocks advance
//! ```
//!
//! [`Pacer::frame`] implements it in one place.
//!
//! # Overview
//!
//! - Configure: [`Pacing`], [`Rate`], [`Channel`], [`Excess`], [`Effects`], [`DisplayLock`].
//! - Run: a [`Pacer`] returns one [`Frame`] per timestamp, with its [`Outcome`]; a [`Gate`] pauses it.
//! - Observe: [`Frame::explain`], [`Ledger`] and [`DropReason`], [`Stats`] and [`LockState`].
//! - Simulate and draw: [`InputLatch`], [`Interpolated`] and [`Lerp`], [`TickTimer`], [`WallTimer`], [`Every`],
//!   [`Accumulator`] for physics at another rate, and [`GameClock`] for a clock that must not drift.
//! - Write a host: [`BeatCheck`] verifies what starts its frames, [`ShownCounts`] counts what was shown and missed,
//!   [`LateStart`] waits for fresher input.

#![no_std]
#![forbid(unsafe_code)]

mod codec;
mod rate;

mod accumulator;
mod lock;
mod scale;

mod draw;
mod pacing;

mod pacer;

mod frame;
mod ledger;
mod stats;

mod beat;
mod late;
mod shown;

mod clock;
mod input;
mod interpolate;
mod timers;

pub use accumulator::Accumulator;
pub use beat::{BeatCheck, BeatState};
pub use clock::GameClock;
pub use frame::{DropReason, Explanation, Frame, Outcome};
pub use input::{InputLatch, Latching};
pub use interpolate::{Angle, Interpolated, Lerp, lerp, lerp_angle};
pub use late::LateStart;
pub use ledger::Ledger;
pub use lock::{DisplayLock, LockState};
pub use pacer::{Gate, Pacer, RestoreError};
pub use pacing::{Effects, Excess, Pacing};
pub use rate::{Rate, from_millis};
pub use scale::Channel;
pub use shown::{Shown, ShownCounts};
pub use stats::Stats;
pub use timers::{Every, TickTimer, WallTimer};

/// Compiles and runs the README's code.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
