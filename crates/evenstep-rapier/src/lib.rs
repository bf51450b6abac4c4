//! Rapier 2D driven by Evenstep: deterministic physics at its own rate inside a fixed-timestep tick.
//!
//! [`Physics`] is a Rapier world plus the clock that drives it. Call [`Physics::tick`] once per simulation tick: it
//! runs the physics steps that are due (exactly one at equal rates). Then ask where a body is at the instant of the
//! tick or, for drawing, between two ticks:
//!
//! ```text
//! ticks    |-----|-----|-----|-----|      60 Hz, what the game runs
//! steps    |-----------|-----------|      30 Hz, what Rapier runs
//! alpha    0    .5     0    .5     0      how far the tick is into the next step
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
//! Results are bit-for-bit identical on every target (Rapier's `enhanced-determinism`). Compare two worlds with
//! [`Physics::hash`], serialise one with [`Physics::save`] and [`Physics::restore`], or clone it for a fast snapshot in
//! memory. A game that keeps a world inside a larger state defines its own [`SnapshotFormat`] and hashes with
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

/// The physics engine, re-exported so that a game uses the same version of it.
pub use rapier2d as rapier;

/// The README's code compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
