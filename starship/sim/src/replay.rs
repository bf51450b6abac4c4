//! The game as a simulation that can be recorded, replayed, rewound and rolled back.

use std::panic::{AssertUnwindSafe, catch_unwind};

use evenstep::Rate;
#[cfg(any(feature = "testing", target_arch = "wasm32"))]
use evenstep_replay::RecordingWriter;
use evenstep_replay::{Header, LoadError, RewindOptions, Simulation};
use xxhash_rust::xxh3::Xxh3;

#[cfg(any(feature = "testing", target_arch = "wasm32"))]
use crate::autopilot::Autopilot;
use crate::input::{Input, Pad};
use crate::save::RestoreError;
use crate::signals::Signal;
use crate::state::{RunDef, State};
use crate::tick::Sim;
use crate::tuning::TICK_HZ;

/// How much the game's ring keeps: a minute at 60 ticks per second. Going back takes half a snapshot interval of ticks on
/// average.
pub const RING: RewindOptions = RewindOptions { ticks: 3_600, bytes: 32 << 20, snapshot_every: 180 };

/// Everything from outside that a tick depends on: the player's input, and a run that the menu starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// The player's input.
    pub input: Input,
    /// The run that starts before this tick.
    pub launch: Option<RunDef>,
    /// How many runs were launched before it without a single tick. They count as runs, but leave no other trace.
    pub unplayed: u32,
}

impl Turn {
    /// Launches a run and ticks once without any input.
    pub fn launching(run: RunDef) -> Self {
        Self { launch: Some(run), ..Self::default() }
    }
}

impl From<Input> for Turn {
    fn from(input: Input) -> Self {
        Self { input, ..Self::default() }
    }
}

impl Sim {
    /// Describes the game in recordings.
    pub fn replay_header() -> Header {
        Header::new("starship", env!("CARGO_PKG_VERSION"), Rate::hz(TICK_HZ))
            .with_hash_every(120)
            .with_snapshot_every(960)
    }

    /// Launches the run of a turn, if it has one.
    pub(crate) fn begin(&mut self, turn: &Turn) {
        if let Some(run) = turn.launch {
            self.skip_runs(turn.unplayed);
            self.launch(run);
        }
    }

    /// Creates the first state of every recording that does not begin with a snapshot. Its first turn launches a run.
    pub fn before_any_run() -> Self {
        Self::new(RunDef::seeded(0))
    }
}

const BOOST: u8 = 1;
const CONFIRM: u8 = 1 << 1;
const PAD: u8 = 1 << 2;
const PAD_BOOST: u8 = 1 << 3;
const PAD_CONFIRM: u8 = 1 << 4;
const CHOICE: u8 = 1 << 5;

/// The length of an input without a run.
const INPUT_LEN: usize = 6;

impl Simulation for Sim {
    type Input = Turn;

    fn step(&mut self, turn: &Turn) {
        self.begin(turn);
        self.tick(turn.input, &mut ());
    }

    fn save(&self, bytes: &mut Vec<u8>) {
        self.state().save_into(bytes);
    }

    /// Keeps the scratch memory, whose contents must not matter.
    ///
    /// A crafted snapshot can make the physics engine panic. Natively, that is an error like any other; on wasm, where a
    /// panic cannot be caught, it ends the page's game.
    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let restored = without_panic(|| State::restore(bytes)).unwrap_or(Err(RestoreError::Panicked));
        self.replace_state(restored?);
        Ok(())
    }

    fn hash(&self, part: &mut dyn FnMut(&'static str, u64)) -> u64 {
        let mut hasher = Xxh3::new();
        for (name, hash) in self.state().subsystem_hashes() {
            part(name, hash);
            hasher.update(&hash.to_le_bytes());
        }
        hasher.digest()
    }

    fn write_input(turn: &Turn, bytes: &mut Vec<u8>) {
        let Input { keys, gamepad, choice } = turn.input;
        let pad = gamepad.unwrap_or_default();
        let flag = |is_set, flag| if is_set { flag } else { 0 };
        let flags = flag(keys.boost, BOOST)
            | flag(keys.confirm, CONFIRM)
            | flag(gamepad.is_some(), PAD)
            | flag(pad.boost, PAD_BOOST)
            | flag(pad.confirm, PAD_CONFIRM)
            | flag(choice.is_some(), CHOICE);
        let [x, y, pad_x, pad_y] = [keys.x, keys.y, pad.x, pad.y].map(i8::cast_unsigned);
        bytes.extend([flags, x, y, pad_x, pad_y, choice.unwrap_or_default()]);
        if let Some(run) = turn.launch {
            let launch =
                postcard::to_allocvec(&(turn.unplayed, run)).expect("a run can always be serialised");
            bytes.extend(launch);
        }
    }

    fn read_input(bytes: &[u8]) -> Option<Turn> {
        let (&[flags, x, y, pad_x, pad_y, choice], launch) = bytes.split_first_chunk::<INPUT_LEN>()?;
        let has = |flag| flags & flag != 0;
        let pad =
            |x: u8, y: u8, boost, confirm| Pad { x: x.cast_signed(), y: y.cast_signed(), boost, confirm };
        let input = Input {
            keys: pad(x, y, has(BOOST), has(CONFIRM)),
            gamepad: has(PAD).then(|| pad(pad_x, pad_y, has(PAD_BOOST), has(PAD_CONFIRM))),
            choice: has(CHOICE).then_some(choice),
        };
        if launch.is_empty() {
            return Some(Turn::from(input));
        }
        let (unplayed, run) = postcard::from_bytes(launch).ok()?;
        Some(Turn { input, launch: Some(run), unplayed })
    }
}

/// Runs a part of a recording. A crafted one may make the physics engine panic: then this returns `None`, except on wasm,
/// where a panic cannot be caught. What the part has changed must not be used after a panic.
pub fn without_panic<R>(part: impl FnOnce() -> R) -> Option<R> {
    if cfg!(target_arch = "wasm32") {
        return Some(part());
    }
    catch_unwind(AssertUnwindSafe(part)).ok()
}

/// The label that a signal gets in a recording, if it is worth finding again: `damage`, `death`, `boss`, `victory` or `run`.
pub const fn mark_of(signal: Signal) -> Option<&'static str> {
    match signal {
        Signal::Hurt { .. } => Some("damage"),
        Signal::Died { .. } => Some("death"),
        Signal::BossArrived { .. } | Signal::BossPhase { .. } | Signal::BossDefeated { .. } => Some("boss"),
        Signal::Won { .. } => Some("victory"),
        Signal::RunStarted { .. } => Some("run"),
        _ => None,
    }
}

/// Returns the autopilot's turn at a tick. The first one launches the run.
#[cfg(any(feature = "testing", target_arch = "wasm32"))]
fn autopilot_turn(sim: &Sim, seed: u64, tick: u64) -> Turn {
    match tick {
        0 => Turn::launching(RunDef::seeded(seed)),
        _ => Turn::from(Autopilot.input(sim.state())),
    }
}

/// Records a run that the autopilot plays, for tests: the file, and the hash at its end.
#[cfg(any(feature = "testing", target_arch = "wasm32"))]
#[expect(clippy::missing_panics_doc, reason = "memory can be written, and the header is within its limits")]
pub fn record_autopilot(seed: u64, ticks: u64) -> (Vec<u8>, u64) {
    let mut sim = Sim::before_any_run();
    let header = Sim::replay_header().with_seed(seed);
    let mut writer = RecordingWriter::new(Vec::new(), header, &sim).expect("memory can be written");
    for tick in 0..ticks {
        let turn = autopilot_turn(&sim, seed, tick);
        writer.tick(&turn, &sim);
        sim.step(&turn);
        for label in sim.signals().into_iter().filter_map(|&signal| mark_of(signal)) {
            writer.mark(label);
        }
    }
    let hash = sim.state().hash();
    (writer.finish(&sim).expect("memory can be written"), hash)
}

/// Plays a run with the autopilot, and lists the hashes at some ticks, for tests: a line with tick and hash for each.
#[cfg(any(feature = "testing", target_arch = "wasm32"))]
pub fn autopilot_hashes(seed: u64, ticks: &[u64]) -> String {
    let mut sim = Sim::before_any_run();
    let mut lines = Vec::new();
    for tick in 0..ticks.iter().copied().max().unwrap_or(0) {
        let turn = autopilot_turn(&sim, seed, tick);
        sim.step(&turn);
        if ticks.contains(&(tick + 1)) {
            lines.push(format!("{} {:016x}\n", tick + 1, sim.state().hash()));
        }
    }
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_while_a_state_is_restored_is_an_error() {
        assert_eq!(without_panic(|| -> u8 { panic!("index out of bounds") }), None);
        assert_eq!(without_panic(|| 1), Some(1));
        let error = RestoreError::Panicked;
        assert_eq!(error.to_string(), "not a saved game: the physics world is inconsistent");
        assert_eq!(format!("{error:?}"), error.to_string());
    }
}
