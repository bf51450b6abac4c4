//! Starship Survivors: the rules of the game as a deterministic library.
//!
//! The crate has no window, no clock, no I/O and no threads. A tick is a function of the [`State`] and the [`Input`],
//! so the same seed and inputs give the same game, bit for bit, on every display, machine and target.
//!
//! [`Sim`] is the bare simulation, which the caller ticks. [`Play`] adds what the loop around it needs: it turns hit-freeze,
//! slow motion, pause and new runs into commands for a pacer. Whoever owns the pacer drives it: a host, a test or a tool.
//!
//! ```
//! use starship_sim::{Autopilot, RunDef, Sim};
//!
//! let mut sim = Sim::new(RunDef::seeded(7));
//! sim.launch(RunDef::seeded(7));
//! for _ in 0..600 {
//!     let input = Autopilot.input(sim.state());
//!     sim.tick(input, &mut ());
//! }
//! assert_eq!(sim.state().clock.tick(), 600);
//! ```

#![forbid(unsafe_code)]

mod tick;

mod clock;
mod input;

mod bodies;
mod movement;
mod ship;

mod camera;
mod difficulty;
mod mission;
mod modifiers;
mod warp;

mod behaviours;
mod boss;
mod crates;
mod enemies;
mod game_master;
mod grid;
mod pickups;
mod shots;
mod upgrades;
mod weapons;

mod check;
mod phases;
mod save;
mod signals;
mod state;

mod math;
mod pool;
mod rng;
mod track;
pub mod tuning;

mod autopilot;
mod commands;
mod frame_times;
mod play;
mod probe;
mod replay;
#[cfg(feature = "testing")]
mod stress;

pub use autopilot::Autopilot;
pub use behaviours::Mood;
pub use boss::{Boss, BossRoom, Juice};
pub use camera::Camera;
pub use clock::Clock;
pub use crates::Crate;
pub use difficulty::Difficulty;
pub use enemies::{Enemy, EnemyKind};
pub use frame_times::FrameTimes;
pub use game_master::GameMaster;
pub use input::{Controls, Input, Pad};
pub use math::Vec2;
pub use mission::Mission;
pub use modifiers::{Modifier, ModifierKind, Modifiers};
pub use phases::Phase;
pub use pickups::{Pickup, PickupKind, Progress};
pub use play::{Play, RunId};
pub use pool::{Id, Pool};
pub use probe::{Pass, Probe};
pub use replay::{RING, Turn, mark_of, without_panic};
#[cfg(any(feature = "testing", target_arch = "wasm32"))]
pub use replay::{autopilot_hashes, record_autopilot};
pub use rng::Rng;
pub use save::RestoreError;
pub use ship::{Ship, Stats};
pub use shots::{Shot, ShotKind};
pub use signals::{Signal, Signals};
pub use state::{Hud, RunDef, State};
pub use tick::Sim;
pub use upgrades::{OFFERS, Part, Upgrade, Upgrades};
pub use warp::Puddle;
pub use weapons::{Weapon, WeaponKind};
