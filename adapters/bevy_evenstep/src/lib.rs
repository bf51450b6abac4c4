//! Bevy's fixed timestep, driven by Evenstep: every press reaches exactly one tick, and time advances by the display's
//! refreshes instead of noisy timestamps.
//!
//! Add one line after `DefaultPlugins`. `FixedUpdate`, [`Time<Fixed>`](bevy_time::Fixed),
//! [`Time<Virtual>`](bevy_time::Virtual), `overstep_fraction`, `pause`, `set_relative_speed` and `set_timestep` keep
//! working. The README lists what differs.
//!
//! ```
//! use bevy_app::prelude::*;
//! use bevy_ecs::prelude::*;
//! use bevy_evenstep::{Evenstep, EvenstepPlugin};
//! use bevy_input::{InputPlugin, prelude::*};
//! use bevy_time::TimePlugin;
//! use core::time::Duration;
//!
//! fn jump(keys: Res<ButtonInput<KeyCode>>, mut evenstep: ResMut<Evenstep>) {
//!     if keys.just_pressed(KeyCode::Space) {             // True in exactly one tick per press.
//!         evenstep.hit_freeze(Duration::from_millis(80)); // Holds the simulation for 80 ms.
//!     }
//! }
//!
//! App::new()
//!     .add_plugins((TimePlugin, InputPlugin)) // DefaultPlugins has both.
//!     .add_plugins(EvenstepPlugin::hz(60))
//!     .add_systems(FixedUpdate, jump)
//!     .update();
//! ```
//!
//! - [`EvenstepPlugin`] replaces the driver of Bevy's fixed loop.
//! - [`Evenstep`] is the resource with the controls and the numbers.
//! - [`TickInput`] makes a resource of your own exactly-once, too.
//! - [`EvenstepDiagnosticsPlugin`] measures, and with the feature `overlay`, `EvenstepOverlayPlugin` shows it.
//!
//! All decisions are made by the [`evenstep`] crate, which is re-exported.

mod plugin;
mod resource;

mod clocks;
mod ticks;

mod input;

mod diagnostics;
#[cfg(feature = "overlay")]
mod overlay;

pub use diagnostics::EvenstepDiagnosticsPlugin;
pub use evenstep;
pub use input::{AddTickInput, PausedInput, TickInput};
#[cfg(feature = "overlay")]
pub use overlay::{EvenstepOverlay, EvenstepOverlayPlugin};
pub use plugin::EvenstepPlugin;
pub use resource::Evenstep;

/// Compiles and runs the README's code.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
