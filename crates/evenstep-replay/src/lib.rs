//! Records, replays, rewinds and verifies any simulation that can step, save, load and hash.
//!
//! Implement [`Simulation`] for your game, and you have:
//!
//! - [`RecordingWriter`]: a small file that survives a crash, written while the game runs;
//! - [`Player`]: plays a recording, seeks in it, and lets live input take over at any tick;
//! - [`verify()`]: the first tick and the part of the state in which this build differs from the one that recorded;
//! - [`Rewind`]: the last seconds in memory, to go back to or to save;
//! - [`SyncTest`]: finds state that snapshots miss, before rollback does;
//! - [`cli::run`]: the command line `replay verify` for your game's own program.
//!
//! None of it needs our pacer. What a loop did with its frames is in a *trace*: see the crate `evenstep-trace`.
//!
//! The file format is stable and described byte by byte in `docs/replay-format.md`. `evenstep replay` shows, compares,
//! exports and cuts recordings of any game.
//!
//! ```text
//! input      0     1     2     3
//!         |-----|-----|-----|-----|
//! state   0     1     2     3     4      a hash or snapshot of tick n is that of state n
//! ```

#![forbid(unsafe_code)]

mod simulation;

mod header;
mod record;
mod recording;

mod play;
mod verify;

mod rewind;
mod sync_test;

mod edit;

mod entries;
mod inputs;

mod blocks;
mod format;
mod pack;
mod write;

mod error;

#[cfg(not(target_arch = "wasm32"))]
pub mod cli;

pub use edit::{Diff, HashDiff, diff, trim};
pub use entries::{HashRecord, MARK_BYTES_MAX, Mark};
pub use error::{Error, hex, with_causes};
pub use format::{BLOCK_BYTES_MAX, FORMAT_VERSION, INPUT_BYTES_MAX};
pub use header::{ENGINE_VERSION, Header, Origin};
pub use play::Player;
pub use record::{RecordingWriter, UNWRITTEN_MAX};
pub use recording::{Inputs, Recording};
pub use rewind::{Rewind, RewindOptions};
pub use simulation::{LoadError, Simulation, StateHash, part_names};
pub use sync_test::{Desync, SyncTest};
pub use verify::{Divergence, FromSnapshot, Progress, Verdict, verify};

/// Tests the code in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
