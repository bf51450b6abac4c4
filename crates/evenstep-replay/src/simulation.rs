//! What a simulation must be able to do.

use xxhash_rust::xxh3::xxh3_64;

/// A simulation that advances in ticks and depends on nothing but its state and its inputs.
///
/// Recording, replay, rewind, verification and rollback all work through this trait. Whatever changes the state is an
/// input: a player's stick, but also the start of a new run or the arrival of a player. For several players, the input
/// is the input of all of them.
///
/// State number *t* is the state after *t* ticks; input number *t* leads from state *t* to state *t* + 1.
///
/// ```
/// use evenstep_replay::{LoadError, Simulation};
///
/// struct Ball { x: i32 }
///
/// impl Simulation for Ball {
///     type Input = i8;
///     fn step(&mut self, input: &i8) { self.x += i32::from(*input); }
///     fn save(&self, bytes: &mut Vec<u8>) { bytes.extend(self.x.to_le_bytes()); }
///     fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
///         self.x = i32::from_le_bytes(bytes.try_into()?);
///         Ok(())
///     }
///     fn write_input(input: &i8, bytes: &mut Vec<u8>) { bytes.push(input.cast_unsigned()); }
///     fn read_input(bytes: &[u8]) -> Option<i8> { Some(bytes.first()?.cast_signed()) }
/// }
/// ```
pub trait Simulation {
    /// Everything from outside that a tick depends on.
    type Input;

    /// Advances the simulation by one tick.
    fn step(&mut self, input: &Self::Input);

    /// Appends the whole state to `bytes`: the same bytes for the same state, on every machine.
    fn save(&self, bytes: &mut Vec<u8>);

    /// Replaces the state with a saved one.
    ///
    /// Must not leave anything of the old state behind: [`SyncTest`](crate::SyncTest) finds what it leaves.
    ///
    /// # Errors
    ///
    /// If the bytes are not a state of this version. The state may then be anything.
    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError>;

    /// Hashes the state. Reports the hash of each part by name, always the same names in the same order, and returns
    /// the hash of the whole.
    ///
    /// The parts tell where two runs differ. By default there are none, and the hash is that of the saved bytes.
    fn hash(&self, part: &mut dyn FnMut(&'static str, u64)) -> u64 {
        let _ = part;
        let mut bytes = Vec::new();
        self.save(&mut bytes);
        xxh3_64(&bytes)
    }

    /// Appends an input to `bytes`, at most [`INPUT_BYTES_MAX`](crate::INPUT_BYTES_MAX) of them. A fixed length, with
    /// each field at its own place, makes the smallest recordings.
    fn write_input(input: &Self::Input, bytes: &mut Vec<u8>);

    /// Reads an input from the bytes of [`write_input`](Self::write_input). `None` if they are not an input.
    fn read_input(bytes: &[u8]) -> Option<Self::Input>;
}

/// Why a state cannot be loaded.
pub type LoadError = Box<dyn std::error::Error + Send + Sync>;

/// The hash of a state: of the whole, and the low 32 bits of each part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateHash {
    /// The hash of the whole state.
    pub whole: u64,
    /// The low 32 bits of the hash of each part, in the order of the [header](crate::Header::parts).
    pub parts: Vec<u32>,
}

impl StateHash {
    /// Hashes a simulation.
    pub fn of<S: Simulation>(sim: &S) -> Self {
        let mut hash = Self::default();
        hash.update(sim);
        hash
    }

    /// Hashes a simulation, and reuses the memory of this hash.
    pub(crate) fn update<S: Simulation>(&mut self, sim: &S) {
        let Self { whole, parts } = self;
        parts.clear();
        *whole = sim.hash(&mut |_, hash| parts.push(hash as u32));
    }

    /// Whether two hashes are of the same state. Hashes with different numbers of parts come from different versions
    /// of a game: only the hash of the whole is compared.
    pub fn matches(&self, other: &Self) -> bool {
        self.whole == other.whole && (self.parts.len() != other.parts.len() || self.parts == other.parts)
    }

    /// The numbers of the parts that differ, in order.
    pub fn differences(&self, other: &Self) -> impl Iterator<Item = usize> {
        let pairs = self.parts.iter().zip(&other.parts);
        pairs.enumerate().filter(|(_, (a, b))| a != b).map(|(n, _)| n)
    }
}

/// The names of a simulation's parts.
pub fn part_names<S: Simulation>(sim: &S) -> Vec<String> {
    let mut names = Vec::new();
    sim.hash(&mut |name, _| names.push(name.to_owned()));
    names
}
