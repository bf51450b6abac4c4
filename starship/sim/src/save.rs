//! Saving, restoring and hashing of the state.

use std::error::Error;
use std::fmt;

use evenstep::Rate;
use evenstep_rapier::{SnapshotError, SnapshotFormat, hash_of};
use xxhash_rust::xxh3::Xxh3;

use crate::state::State;

impl State {
    /// The format of [`State::save`]. [`State::restore`] enforces its limits: 4 MiB for the bytes, 64 MiB of memory for
    /// decoding its lists. A full arena takes about 400 KiB.
    pub const FORMAT: SnapshotFormat =
        SnapshotFormat::new("STAR", 3).with_bytes_max(4 << 20).with_memory_max(64 << 20);

    /// Serialises the whole state. The bytes are the same on every machine.
    ///
    /// ```
    /// use starship_sim::{Autopilot, RunDef, Sim, State};
    ///
    /// fn play(sim: &mut Sim, ticks: u32) {
    ///     for _ in 0..ticks {
    ///         let input = Autopilot.input(sim.state());
    ///         sim.tick(input, &mut ());
    ///     }
    /// }
    ///
    /// let mut sim = Sim::new(RunDef::seeded(1));
    /// sim.launch(RunDef::seeded(1));
    /// play(&mut sim, 120);
    /// let saved = sim.state().save();
    /// play(&mut sim, 60);
    ///
    /// let mut restored = Sim::from_state(State::restore(&saved)?);
    /// play(&mut restored, 60);
    /// assert_eq!(restored.state().hash(), sim.state().hash());
    /// # Ok::<(), starship_sim::RestoreError>(())
    /// ```
    pub fn save(&self) -> Vec<u8> {
        Self::FORMAT.write(self)
    }

    /// Serialises the whole state like [`State::save`], appends it to `bytes`, and reuses their memory.
    pub fn save_into(&self, bytes: &mut Vec<u8>) {
        Self::FORMAT.write_into(self, bytes);
    }

    /// Restores a state from the bytes of [`State::save`].
    ///
    /// Detects damage: first by the checksum, then by range checks of every number in the game. **Do not restore saved
    /// games from untrusted sources.** Parts of the physics world cannot be checked, and a crafted save with a matching
    /// checksum can make Rapier panic: in `restore` itself, or in a later tick. See
    /// [`Physics::restore`](evenstep_rapier::Physics::restore).
    ///
    /// # Errors
    ///
    /// If the bytes are not a valid saved game of this version.
    ///
    /// # Panics
    ///
    /// Only on crafted bytes, as described above.
    pub fn restore(bytes: &[u8]) -> Result<Self, RestoreError> {
        let mut state: Self = Self::FORMAT.read(bytes).map_err(|source| RestoreError::Snapshot { source })?;
        state.check()?;
        state.reserve();
        Ok(state)
    }

    /// Hashes the whole state. Equal states have equal hashes on every machine.
    pub fn hash(&self) -> u64 {
        let mut hasher = Xxh3::new();
        for (_, hash) in self.subsystem_hashes() {
            hasher.update(&hash.to_le_bytes());
        }
        hasher.digest()
    }

    /// Hashes each subsystem, in the order of the tick; see [`State::first_difference`].
    pub fn subsystem_hashes(&self) -> [(&'static str, u64); SUBSYSTEMS] {
        [
            ("run", hash_of(&(self.run, self.runs))),
            ("phase", hash_of(&(self.phase, self.phase_ticks))),
            ("clock", hash_of(&(self.clock, self.time_ticks))),
            ("input", hash_of(&self.controls)),
            ("physics", self.physics.hash()),
            ("ship", hash_of(&self.ship)),
            ("modifiers", hash_of(&self.modifiers)),
            ("warp", hash_of(&self.puddles)),
            ("camera", hash_of(&self.camera)),
            ("mission", hash_of(&self.mission)),
            ("game master", hash_of(&self.master)),
            ("weapons", hash_of(&self.weapons)),
            ("upgrades", hash_of(&self.upgrades)),
            ("shots", hash_of(&self.shots)),
            ("enemies", hash_of(&self.enemies)),
            ("boss", hash_of(&(self.boss, self.boss_room, self.juice))),
            ("pickups", hash_of(&(&self.pickups, self.progress))),
            ("crates", hash_of(&self.crates)),
            ("rng", hash_of(&self.rng)),
        ]
    }

    /// Returns the first subsystem, in the order of the tick, in which two states differ: where to look for a
    /// divergence.
    ///
    /// ```
    /// use starship_sim::{Input, RunDef, Sim};
    ///
    /// let mut a = Sim::new(RunDef::seeded(1));
    /// a.launch(RunDef::seeded(1));
    /// let mut b = a.clone();
    /// let mut boosting = Input::default();
    /// boosting.keys.boost = true;
    /// a.tick(Input::default(), &mut ());
    /// b.tick(boosting, &mut ());
    /// assert_eq!(a.state().first_difference(b.state()), Some("input"));
    /// ```
    pub fn first_difference(&self, other: &Self) -> Option<&'static str> {
        let pairs = self.subsystem_hashes().into_iter().zip(other.subsystem_hashes());
        pairs.into_iter().find(|(a, b)| a.1 != b.1).map(|((name, _), _)| name)
    }
}

/// Number of subsystems.
pub(crate) const SUBSYSTEMS: usize = 19;

/// The reason why bytes cannot be restored as a saved game.
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are the numbers that the message names")]
pub enum RestoreError {
    /// The bytes are not a snapshot of this version, or are damaged.
    #[non_exhaustive]
    Snapshot { source: SnapshotError },
    /// A count exceeds its limit.
    #[non_exhaustive]
    Count { what: &'static str, count: u64, count_max: u64 },
    /// The slots of a pool are inconsistent.
    #[non_exhaustive]
    Pool { what: &'static str, index: u32 },
    /// An entity has no body in the physics world, or shares one.
    #[non_exhaustive]
    Body { what: &'static str, index: u32 },
    /// The physics world runs at different rates than the game.
    #[non_exhaustive]
    Rates { ticks: Rate, steps: Rate },
    /// The physics world cannot be built from the bytes.
    #[non_exhaustive]
    Panicked,
}

impl fmt::Display for RestoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "not a saved game: ")?;
        match self {
            Self::Snapshot { source } => write!(out, "{source}"),
            Self::Count { what, count, count_max } => write!(out, "{what}: {count}, at most {count_max}"),
            Self::Pool { what, index } => write!(out, "the pool of {what} is inconsistent at slot {index}"),
            Self::Body { what, index } => write!(out, "{what} is missing or shared: {index}"),
            Self::Rates { ticks, steps } => write!(out, "ticks at {ticks} and physics at {steps}"),
            Self::Panicked => write!(out, "the physics world is inconsistent"),
        }
    }
}

/// Reads like `Display`: what a `main` that returns an error prints.
impl fmt::Debug for RestoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for RestoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Snapshot { source } => Some(source),
            _ => None,
        }
    }
}
