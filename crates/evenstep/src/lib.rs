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
//!         x.advance(x.current() + 120.0 * pacer.step_secs());
//!     }
//!     let _drawn_at = x.at(frame.alpha());
//! }
//! # assert!(x.current() > 90.0);
//! ```
//!
//! # Overview
//!
//! - Configure: [`Pacing`], [`Rate`], [`Channel`], [`Excess`], [`Effects`], [`DisplayLock`]; [`classic`] has the constants of
//!   the loops that Evenstep grew out of.
//! - Run: a [`Pacer`] returns one [`Frame`] per timestamp, with its [`Outcome`].
//! - Control: a [`Command`] pauses, slows, freezes or reconfigures a pacer; its methods are short for commands.
//! - Observe: [`Frame::explain`], [`Ledger`] and [`DropReason`], [`Stats`] and [`LockState`].
//! - Simulate and draw: [`InputLatch`], [`Interpolated`] and [`Lerp`], [`TickTimer`], [`WallTimer`], [`Every`],
//!   [`Accumulator`] for physics at another rate, and [`GameClock`] for a clock that must not drift.
//! - Write a host: [`host`].

#![no_std]
#![forbid(unsafe_code)]

mod rate;
#[cfg(feature = "serde")]
mod serial;

mod accumulator;
mod lock;
mod scale;

pub mod classic;
mod draw;
mod pacing;

#[macro_use]
mod command;
mod pacer;

mod frame;
mod ledger;
mod stats;

mod clock;
mod input;
mod interpolate;
mod timers;

pub mod host;

pub use accumulator::Accumulator;
pub use clock::GameClock;
pub use command::{Command, Gate, Presented, Reset};
pub use frame::{DropReason, Explanation, Frame, Outcome};
pub use input::{InputLatch, Latching};
pub use interpolate::{Angle, Interpolated, Lerp, lerp, lerp_angle};
pub use ledger::Ledger;
pub use lock::{DisplayLock, LockState};
pub use pacer::Pacer;
pub use pacing::{Effects, Excess, Pacing};
pub use rate::{Rate, from_millis};
pub use scale::Channel;
pub use stats::Stats;
pub use timers::{Every, TickTimer, WallTimer};

/// Compiles and runs the README's code.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
