//! State to bytes and back, and to hashes: one for everything, one for each subsystem.

use std::error::Error;
use std::fmt;

use evenstep::Rate;
use evenstep_rapier::{SnapshotError, SnapshotFormat, hash_of};
use xxhash_rust::xxh3::Xxh3;

use crate::state::State;

impl State {
    /// The format of [`State::save`], with the limits that [`State::restore`] keeps: 4 MiB for the bytes, 64 MiB for the
    /// memory that its lists take while they are decoded. A full arena has about 400 KiB.
    pub const FORMAT: SnapshotFormat =
        SnapshotFormat::new("STAR", 2).with_bytes_max(4 << 20).with_memory_max(64 << 20);

    /// Everything as bytes, the same on every machine.
    ///
    /// ```
    /// use starship_sim::{RunDef, State};
    ///
    /// let state = State::new(RunDef::seeded(1));
    /// let again = State::restore(&state.save()).unwrap();
    /// assert_eq!(again.hash(), state.hash());
    /// ```
    pub fn save(&self) -> Vec<u8> {
        Self::FORMAT.write(self)
    }

    /// A state from [`State::save`]'s bytes.
    ///
    /// Damage is found: by the checksum first, then by the bounds of every number in the game. Of the physics world
    /// only what can be read from outside is checked, so saved games from strangers are not safe: see
    /// [`Physics::restore`](evenstep_rapier::Physics::restore).
    ///
    /// # Errors
    ///
    /// When the bytes are not such a state, or one of another version.
    ///
    /// ```
    /// use starship_sim::State;
    ///
    /// let error = State::restore(b"nonsense").unwrap_err();
    /// assert_eq!(error.to_string(), "not a saved game: 8 bytes that do not begin with STAR version 2");
    /// ```
    pub fn restore(bytes: &[u8]) -> Result<Self, RestoreError> {
        let mut state: Self = Self::FORMAT.read(bytes).map_err(|source| RestoreError::Snapshot { source })?;
        state.check()?;
        state.reserve();
        Ok(state)
    }

    /// One number for everything: equal for equal states, and for all practical purposes only for those.
    ///
    /// ```
    /// use starship_sim::{RunDef, State};
    ///
    /// let (a, b) = (State::new(RunDef::seeded(1)), State::new(RunDef::seeded(2)));
    /// assert_ne!(a.hash(), b.hash());
    /// ```
    pub fn hash(&self) -> u64 {
        let mut hasher = Xxh3::new();
        for (_, hash) in self.subsystem_hashes() {
            hasher.update(&hash.to_le_bytes());
        }
        hasher.digest()
    }

    /// One number for each subsystem, in the order of the tick, so that a divergence can be blamed.
    ///
    /// ```
    /// use starship_sim::{RunDef, State};
    ///
    /// let state = State::new(RunDef::seeded(1));
    /// assert_eq!(state.subsystem_hashes()[0].0, "run");
    /// ```
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
            ("shots", hash_of(&self.shots)),
            ("enemies", hash_of(&self.enemies)),
            ("boss", hash_of(&(self.boss, self.boss_room, self.juice))),
            ("pickups", hash_of(&(&self.pickups, self.progress))),
            ("crates", hash_of(&self.crates)),
            ("dice", hash_of(&self.rng)),
        ]
    }

    /// The first subsystem in the order of the tick in which two states differ.
    ///
    /// ```
    /// use starship_sim::{RunDef, State};
    ///
    /// let (a, b) = (State::new(RunDef::seeded(1)), State::new(RunDef::seeded(2)));
    /// assert_eq!(a.first_difference(&b), Some("run"));
    /// ```
    pub fn first_difference(&self, other: &Self) -> Option<&'static str> {
        let pairs = self.subsystem_hashes().into_iter().zip(other.subsystem_hashes());
        pairs.into_iter().find(|(a, b)| a.1 != b.1).map(|((name, _), _)| name)
    }
}

/// How many subsystems are hashed.
pub(crate) const SUBSYSTEMS: usize = 18;

/// Why bytes are no saved game.
#[derive(Debug)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are the numbers that the message names")]
pub enum RestoreError {
    /// They are no snapshot of this version, or a damaged one.
    #[non_exhaustive]
    Snapshot { source: SnapshotError },
    /// A count is above its bound.
    #[non_exhaustive]
    Count { what: &'static str, count: u64, count_max: u64 },
    /// A pool's places do not add up.
    #[non_exhaustive]
    Pool { what: &'static str, index: u32 },
    /// Something has no body in the physics world, or shares one.
    #[non_exhaustive]
    Body { what: &'static str, index: u32 },
    /// The physics world runs at other rates than the game.
    #[non_exhaustive]
    Rates { ticks: Rate, steps: Rate },
}

impl fmt::Display for RestoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "not a saved game: ")?;
        match self {
            Self::Snapshot { source } => write!(out, "{source}"),
            Self::Count { what, count, count_max } => write!(out, "{what}: {count}, at most {count_max}"),
            Self::Pool { what, index } => write!(out, "the pool of {what} does not add up at {index}"),
            Self::Body { what, index } => write!(out, "{what} is missing or shared: {index}"),
            Self::Rates { ticks, steps } => write!(out, "ticks at {ticks} and physics at {steps}"),
        }
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
