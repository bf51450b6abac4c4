//! The sync test: finds state that a snapshot misses, before rollback does.

use std::collections::VecDeque;
use std::fmt;

use crate::simulation::{Simulation, StateHash, part_names};

/// Rolls a simulation back on every tick and steps it again, and compares the hashes.
///
/// Rollback and rewind are only correct if saving and loading catch everything that a tick depends on. What they miss,
/// such as a cache, a static or an iteration order, makes the second run of a tick differ from the first.
///
/// ```
/// # use evenstep_replay::LoadError;
/// use evenstep_replay::{Simulation, SyncTest};
///
/// struct Leaky { x: i32, cached: i32 }
///
/// impl Simulation for Leaky {
/// #   type Input = i8;
///     fn step(&mut self, input: &i8) {
///         self.x += i32::from(*input) * self.cached;
///         self.cached = self.x % 7;   // Never saved.
///     }
/// #   fn save(&self, bytes: &mut Vec<u8>) { bytes.extend(self.x.to_le_bytes()); }
/// #   fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
/// #       self.x = i32::from_le_bytes(bytes.try_into()?);
/// #       Ok(())
/// #   }
/// #   fn write_input(input: &i8, bytes: &mut Vec<u8>) { bytes.push(input.cast_unsigned()); }
/// #   fn read_input(bytes: &[u8]) -> Option<i8> { Some(bytes.first()?.cast_signed()) }
///     // ...
/// }
///
/// let mut leaky = Leaky { x: 1, cached: 3 };
/// let mut test = SyncTest::new(4);
/// let found = (0..10).find_map(|_| test.step(&mut leaky, 1).err());
/// assert!(found.is_some());
/// ```
#[derive(Debug)]
pub struct SyncTest<I> {
    distance: usize,
    tick: u64,
    past: VecDeque<Past<I>>,
}

/// A tick that may be rolled back: the state before it, its input, and the hash after it.
#[derive(Debug)]
struct Past<I> {
    state: Vec<u8>,
    input: I,
    hash: StateHash,
}

/// What a [`SyncTest`] found.
#[non_exhaustive]
pub struct Desync {
    /// The tick that gave another state when it ran again.
    pub tick: u64,
    /// The tick at which the test rolled back.
    pub found_at: u64,
    /// The first part that differs, or `whole` if the simulation names none.
    pub part: String,
    /// The hash of the first run.
    pub expected: u64,
    /// The hash of the second run.
    pub actual: u64,
    /// Why the state could not be loaded, if it could not.
    pub load: Option<crate::simulation::LoadError>,
}

impl fmt::Display for Desync {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, found_at, part, expected, actual, load } = self;
        if let Some(load) = load {
            return write!(out, "the state before tick {tick} cannot be loaded again: {load}");
        }
        write!(
            out,
            "tick {tick} gave another state when it ran again after a rollback from tick {found_at}: \
             {part} was {expected:x} and is {actual:x}"
        )
    }
}

/// Reads like `Display`: what a `main` that returns an error prints.
impl fmt::Debug for Desync {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl std::error::Error for Desync {}

impl<I> SyncTest<I> {
    /// Creates a test that rolls back this many ticks.
    ///
    /// # Panics
    ///
    /// If the distance is 0.
    pub fn new(distance: usize) -> Self {
        assert!(distance > 0, "a rollback of 0 ticks tests nothing");
        Self { distance, tick: 0, past: VecDeque::new() }
    }

    /// Steps the simulation, rolls it back and steps it again.
    ///
    /// # Errors
    ///
    /// If a tick gave another state when it ran again. The simulation is then in that other state.
    pub fn step<S: Simulation<Input = I>>(&mut self, sim: &mut S, input: I) -> Result<(), Box<Desync>> {
        // The oldest tick's memory serves the newest.
        let oldest = if self.past.len() == self.distance { self.past.pop_front() } else { None };
        let (mut state, mut hash) = oldest.map_or_else(Default::default, |past| (past.state, past.hash));
        state.clear();
        sim.save(&mut state);
        sim.step(&input);
        hash.update(sim);
        self.past.push_back(Past { state, input, hash });
        self.tick += 1;
        self.roll_back(sim)
    }

    fn roll_back<S: Simulation<Input = I>>(&self, sim: &mut S) -> Result<(), Box<Desync>> {
        let first = self.tick - self.past.len() as u64;
        let Some(oldest) = self.past.front() else { return Ok(()) };
        if let Err(load) = sim.load(&oldest.state) {
            let desync = Desync {
                tick: first,
                found_at: self.tick,
                part: "whole".to_owned(),
                expected: 0,
                actual: 0,
                load: Some(load),
            };
            return Err(Box::new(desync));
        }
        let mut again = StateHash::default();
        for (tick, past) in (first..).zip(&self.past) {
            sim.step(&past.input);
            again.update(sim);
            if again != past.hash {
                let part = past.hash.differences(&again).next();
                let (part, expected, actual) = match part {
                    Some(n) => {
                        let name = part_names(sim).swap_remove(n);
                        (name, past.hash.parts[n].into(), again.parts[n].into())
                    }
                    None => ("whole".to_owned(), past.hash.whole, again.whole),
                };
                let found_at = self.tick;
                return Err(Box::new(Desync { tick, found_at, part, expected, actual, load: None }));
            }
        }
        Ok(())
    }
}
