//! Rapier 2D behind Evenstep's clock: deterministic physics at its own rate inside a fixed-timestep tick.
//!
//! [`Physics`] is a Rapier world plus the clock that drives it. Each simulation tick calls [`Physics::tick`] once; the
//! world runs as many of its own steps as have come due (exactly one at equal rates), and answers where a body is at the
//! instant of the tick and, for drawing, between two ticks:
//!
//! ```text
//! ticks    |-----|-----|-----|-----|      60 Hz, what the game runs
//! steps    |-----------|-----------|      30 Hz, what Rapier runs
//! alpha    0    .5     0    .5     0      how far the tick stands into the next step
//! ```
//!
//! ```
//! use evenstep_rapier::Physics;
//! use evenstep_rapier::rapier::prelude::*;
//!
//! let mut physics = Physics::at_hz(60, 60);
//! physics.world.gravity = Vector::new(0.0, -9.81);
//! let (ball, _) = physics.world.insert(RigidBodyBuilder::dynamic(), ColliderBuilder::ball(0.5));
//!
//! for _ in 0..60 {
//!     assert_eq!(physics.tick().steps, 1);
//! }
//! assert!(physics.motion(ball).unwrap().position.y < -4.0);
//! ```
//!
//! Everything is deterministic to the bit (Rapier's `enhanced-determinism`) on every target: [`Physics::hash`] compares
//! two worlds, [`Physics::save`] and [`Physics::restore`] move one through bytes, and a clone is a fast snapshot.
//! A game that keeps a world inside a larger state saves it with a [`SnapshotFormat`] of its own and hashes it with
//! [`hash_of`].

#![forbid(unsafe_code)]

mod physics;

mod clock;
mod history;
mod motion;

mod hash;

mod bounded;
mod check;
mod error;
mod format;
mod snapshot;
mod tree;

pub use error::SnapshotError;
pub use format::SnapshotFormat;
pub use hash::hash_of;
pub use motion::Motion;
pub use physics::{Physics, Stepped};

/// The physics engine itself, so that a game has one version of it.
pub use rapier2d as rapier;

/// The README's code compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
