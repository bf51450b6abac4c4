//! State to bytes and back, and to hashes: one for everything, one for each subsystem.

use std::error::Error;
use std::fmt;

use postcard::ser_flavors::Flavor;
use serde::Serialize;
use xxhash_rust::xxh3::Xxh3;

use crate::state::State;

/// What the bytes begin with: a name and a version.
const HEADER: [u8; 6] = *b"STAR\x01\x00";

impl State {
    /// Everything as bytes, the same on every machine.
    ///
    /// # Panics
    ///
    /// Never: writing to memory cannot fail, and every part of the state can be written.
    ///
    /// ```
    /// use starship_sim::{RunDef, State};
    ///
    /// let state = State::new(RunDef::seeded(1));
    /// let again = State::restore(&state.save()).unwrap();
    /// assert_eq!(again.hash(), state.hash());
    /// ```
    pub fn save(&self) -> Vec<u8> {
        postcard::to_extend(self, HEADER.to_vec()).expect("a state in memory can always be written to memory")
    }

    /// A state from [`State::save`]'s bytes.
    ///
    /// # Errors
    ///
    /// When the bytes are not such a state, or one of another version.
    ///
    /// ```
    /// use starship_sim::State;
    ///
    /// let error = State::restore(b"nonsense").unwrap_err();
    /// assert_eq!(error.to_string(), "not a saved game: 8 bytes that do not begin with STAR version 1");
    /// ```
    pub fn restore(bytes: &[u8]) -> Result<Self, RestoreError> {
        let len = bytes.len();
        let body = bytes.strip_prefix(&HEADER).ok_or(RestoreError::Header { bytes: len })?;
        let mut state: Self =
            postcard::from_bytes(body).map_err(|source| RestoreError::Malformed { bytes: len, source })?;
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

/// The hash of a value's bytes: floats by their bits, integers by their value, nothing by its address.
fn hash_of(value: &impl Serialize) -> u64 {
    postcard::serialize_with_flavor(value, HashFlavor(Xxh3::new())).unwrap_or_default()
}

/// Hashes what postcard writes, without keeping it.
struct HashFlavor(Xxh3);

impl Flavor for HashFlavor {
    type Output = u64;

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.update(&[byte]);
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.update(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<u64> {
        Ok(self.0.digest())
    }
}

/// Why bytes are no saved game.
#[derive(Debug)]
#[non_exhaustive]
pub enum RestoreError {
    /// They do not begin as one of this version does.
    #[non_exhaustive]
    Header {
        /// How many bytes there were.
        bytes: usize,
    },
    /// They begin well and go wrong.
    #[non_exhaustive]
    Malformed {
        /// How many bytes there were.
        bytes: usize,
        /// What the decoder said.
        source: postcard::Error,
    },
}

impl fmt::Display for RestoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header { bytes } => {
                write!(out, "not a saved game: {bytes} bytes that do not begin with STAR version 1")
            }
            Self::Malformed { bytes, .. } => write!(out, "a damaged saved game: {bytes} bytes"),
        }
    }
}

impl Error for RestoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Header { .. } => None,
            Self::Malformed { source, .. } => Some(source),
        }
    }
}
