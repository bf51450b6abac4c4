//! Verification: does this build still play what was recorded?

use std::fmt;

use crate::entries::HashRecord;
use crate::error::{Error, hex};
use crate::play::load_snapshot;
use crate::recording::{Inputs, Recording};
use crate::simulation::{Simulation, StateHash};

/// The result of [`verify`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Every recorded hash was reached.
    #[non_exhaustive]
    Same {
        /// Ticks played.
        ticks: u64,
        /// Hashes compared.
        hashes: u64,
    },
    /// A hash differs.
    Diverged(Box<Divergence>),
}

/// The first difference between a recording and this build.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Divergence {
    /// The first tick whose recorded hash differs.
    pub tick: u64,
    /// The last tick whose recorded hash was reached. The difference arose in between.
    pub last_same: Option<u64>,
    /// The first part that differs, or `whole` if none does, as in a recording without parts.
    pub part: String,
    /// All parts that differ.
    pub parts: Vec<String>,
    /// The recorded hash of the part.
    pub expected: u64,
    /// The hash of the part in this build.
    pub actual: u64,
    /// Whether the difference is still there if play starts from the recorded snapshot before it. `None` without one that
    /// can be loaded.
    pub from_snapshot: Option<FromSnapshot>,
}

/// What playing from the last snapshot before a difference shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FromSnapshot {
    /// It differs again: the ticks since this snapshot compute something else in this build.
    #[non_exhaustive]
    Differs {
        /// The tick of the snapshot.
        tick: u64,
    },
    /// It does not: the difference was there before this snapshot, in state that the hash does not cover.
    #[non_exhaustive]
    Same {
        /// The tick of the snapshot.
        tick: u64,
    },
}

impl fmt::Display for Divergence {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, part, expected, actual, .. } = self;
        write!(out, "diverged at tick {tick} in {part}: expected {expected:x}, got {actual:x}")?;
        match self.last_same {
            Some(last) if last + 1 < *tick => {
                write!(out, " (tick {last} is the same; no tick in between was hashed)")?;
            }
            Some(last) => write!(out, " (tick {last} is the same)")?,
            None => {}
        }
        if self.parts.len() > 1 {
            write!(out, "; parts that differ: {}", self.parts.join(", "))?;
        }
        match self.from_snapshot {
            Some(FromSnapshot::Differs { tick }) => {
                write!(out, "; it differs again from the snapshot of tick {tick}")
            }
            Some(FromSnapshot::Same { tick }) => write!(
                out,
                "; from the snapshot of tick {tick} it does not: look for state that the hash does not cover"
            ),
            None => Ok(()),
        }
    }
}

/// How far verification has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Ticks played.
    pub done: u64,
    /// Ticks in the recording.
    pub total: u64,
}

/// Plays a recording and compares every recorded hash and snapshot, up to the first difference.
///
/// One pass over the hashes finds the first difference; a search over snapshots would not be faster, since a tick that is
/// not played cannot be checked, and 100,000 ticks of a game take seconds. Snapshots then narrow the difference down: from
/// the last one before it, play either differs again, so the ticks since then are to blame, or it does not, so the
/// difference is older and in state that the hash misses. See [`FromSnapshot`].
///
/// Pass the simulation as the game creates it from the [header](Recording::header). A snapshot counts as a hash of its
/// tick. `progress` is called at every hash, and every 1000 ticks between them.
///
/// # Errors
///
/// If the game cannot load a snapshot or read an input. A difference is no error, but a [`Verdict`].
pub fn verify<S: Simulation>(
    recording: &Recording,
    sim: &mut S,
    mut progress: impl FnMut(Progress),
) -> Result<Verdict, Error> {
    let first = recording.first_tick();
    let total = recording.ticks();
    let mut playhead = Playhead::start(recording, sim)?;
    let mut snapshots = Vec::new();
    let mut ours = Vec::new();
    let mut hashes = 0;
    let mut last_same = None;
    let mut actual = StateHash::default();
    let mut records = recording.hashes().peekable();
    let mut snapshot_ticks = recording.snapshot_ticks().peekable();
    loop {
        let hash_tick = records.peek().map(|it| it.tick);
        let snapshot_tick = snapshot_ticks.peek().copied();
        let Some(tick) = hash_tick.into_iter().chain(snapshot_tick).min() else {
            break;
        };
        playhead.play_to(tick, sim, |tick| progress(Progress { done: tick - first, total }))?;
        actual.update(sim);
        let mut expected =
            records.next_if(|record| record.tick == tick).filter(|it| !it.hash.matches(&actual));
        if snapshot_ticks.next_if_eq(&tick).is_some() {
            if expected.is_none() {
                let hash = hash_of_snapshot(recording, tick, sim, &mut ours)?;
                expected = hash.filter(|hash| !hash.matches(&actual)).map(|hash| HashRecord { tick, hash });
            }
            snapshots.push(tick);
        }
        hashes += 1;
        progress(Progress { done: tick - first, total });
        if let Some(expected) = expected {
            let mut divergence = describe(recording, &expected, &actual, last_same);
            let start = snapshots.iter().rev().copied().find(|&at| at < tick);
            // A snapshot that cannot be loaded must not hide the difference.
            divergence.from_snapshot =
                start.and_then(|start| from_snapshot(recording, start, &expected, sim).ok());
            return Ok(Verdict::Diverged(Box::new(divergence)));
        }
        last_same = Some(tick);
    }
    // Ticks after the last hash, in a recording without an end.
    playhead.play_to(recording.last_tick(), sim, |tick| progress(Progress { done: tick - first, total }))?;
    progress(Progress { done: total, total });
    Ok(Verdict::Same { ticks: total, hashes })
}

/// Loads a snapshot and hashes it, then brings the simulation's own state back. `None` if the two are the same bytes.
fn hash_of_snapshot<S: Simulation>(
    recording: &Recording,
    tick: u64,
    sim: &mut S,
    ours: &mut Vec<u8>,
) -> Result<Option<StateHash>, Error> {
    ours.clear();
    sim.save(ours);
    if recording.snapshot(tick).is_some_and(|state| state == *ours) {
        return Ok(None);
    }
    load_snapshot(recording, tick, sim)?;
    let hash = StateHash::of(sim);
    sim.load(ours).map_err(|source| Error::Load { tick, source })?;
    Ok(Some(hash))
}

/// Plays from a snapshot to the tick that differs.
fn from_snapshot<S: Simulation>(
    recording: &Recording,
    start: u64,
    expected: &HashRecord,
    sim: &mut S,
) -> Result<FromSnapshot, Error> {
    load_snapshot(recording, start, sim)?;
    let mut playhead = Playhead::at(recording, start)?;
    playhead.play_to(expected.tick, sim, |_| ())?;
    Ok(if StateHash::of(sim).matches(&expected.hash) {
        FromSnapshot::Same { tick: start }
    } else {
        FromSnapshot::Differs { tick: start }
    })
}

fn describe(
    recording: &Recording,
    expected: &HashRecord,
    actual: &StateHash,
    last_same: Option<u64>,
) -> Divergence {
    let names = &recording.header().parts;
    // Parts of another version of the game cannot be told apart by their place.
    let is_comparable = expected.hash.parts.len() == actual.parts.len();
    let different: Vec<usize> = expected.hash.differences(actual).filter(|_| is_comparable).collect();
    // Names come from a file, and may go to a terminal.
    let name =
        |&n: &usize| names.get(n).map_or_else(|| format!("part {n}"), |name| name.escape_debug().to_string());
    let (part, values) = match different.first() {
        Some(n) => (name(n), (expected.hash.parts[*n].into(), actual.parts[*n].into())),
        None => ("whole".to_owned(), (expected.hash.whole, actual.whole)),
    };
    Divergence {
        tick: expected.tick,
        last_same,
        part,
        parts: different.iter().map(name).collect(),
        expected: values.0,
        actual: values.1,
        from_snapshot: None,
    }
}

/// Ticks between two reports of progress.
const SHOWN_EVERY: u64 = 1_000;

/// The inputs of a borrowed recording, played into a simulation.
struct Playhead<'a> {
    inputs: Inputs<'a>,
    tick: u64,
}

impl<'a> Playhead<'a> {
    fn start<S: Simulation>(recording: &'a Recording, sim: &mut S) -> Result<Self, Error> {
        let first = recording.first_tick();
        if recording.needs_snapshot() {
            load_snapshot(recording, first, sim)?;
        }
        Self::at(recording, first)
    }

    fn at(recording: &'a Recording, tick: u64) -> Result<Self, Error> {
        Ok(Self { inputs: recording.inputs_from(tick)?, tick })
    }

    /// Plays to a tick, and shows how far it has come on the way.
    fn play_to<S: Simulation>(
        &mut self,
        tick: u64,
        sim: &mut S,
        mut show: impl FnMut(u64),
    ) -> Result<(), Error> {
        while self.tick < tick {
            if self.tick.is_multiple_of(SHOWN_EVERY) {
                show(self.tick);
            }
            let Some((at, bytes)) = self.inputs.next() else { break };
            let input = S::read_input(bytes);
            let input = input.ok_or_else(|| Error::Input { tick: at, hex: hex(bytes) })?;
            sim.step(&input);
            self.tick += 1;
        }
        Ok(())
    }
}
