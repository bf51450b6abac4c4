//! Playing a recording: to a tick, by seeking, and on from there live.

use crate::error::{Error, hex};
use crate::recording::{InputsAt, Recording};
use crate::simulation::Simulation;

/// Plays a recording into a simulation.
///
/// The simulation stays with the caller, who may draw it, copy it, or at any tick stop playing and continue with live
/// input.
///
/// ```
/// # use evenstep_replay::{LoadError, Simulation};
/// # struct Ball { x: i32 }
/// # impl Simulation for Ball {
/// #     type Input = i8;
/// #     fn step(&mut self, input: &i8) { self.x += i32::from(*input); }
/// #     fn save(&self, bytes: &mut Vec<u8>) { bytes.extend(self.x.to_le_bytes()); }
/// #     fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
/// #         self.x = i32::from_le_bytes(bytes.try_into()?);
/// #         Ok(())
/// #     }
/// #     fn write_input(input: &i8, bytes: &mut Vec<u8>) { bytes.push(input.cast_unsigned()); }
/// #     fn read_input(bytes: &[u8]) -> Option<i8> { Some(bytes.first()?.cast_signed()) }
/// # }
/// # use evenstep::Rate;
/// # use evenstep_replay::{Header, Recording, RecordingWriter};
/// use evenstep_replay::Player;
/// # fn main() -> Result<(), evenstep_replay::Error> {
/// # let mut ball = Ball { x: 0 };
/// # let mut writer = RecordingWriter::new(Vec::new(), Header::new("ball", "1.0", Rate::hz(60)), &ball)?;
/// # for _ in 0..100 {
/// #     writer.tick(&1, &ball);
/// #     ball.step(&1);
/// # }
/// # let file = writer.finish(&ball)?;
///
/// let mut ball = Ball { x: 0 };
/// let mut player = Player::new(Recording::read(&file[..])?, &mut ball)?;
/// player.seek(90, &mut ball)?;
/// player.seek(40, &mut ball)?;      // Back through a snapshot.
/// assert_eq!(ball.x, 40);
/// player.take_over();
/// ball.step(&-3);                   // On from here with live input.
/// player.seek(50, &mut ball)?;      // And back to what was recorded.
/// assert_eq!(ball.x, 50);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Player {
    recording: Recording,
    at: InputsAt,
    /// The first state, for recordings without snapshots.
    start: Vec<u8>,
    /// The simulation is not in the state of the tick: it was taken over, or failed half-way.
    is_lost: bool,
}

impl Player {
    /// Starts at the first tick.
    ///
    /// Pass the simulation as the game creates it from the [header](Recording::header). If the recording began in the
    /// middle of a game, its first snapshot is loaded.
    ///
    /// # Errors
    ///
    /// If the first snapshot is missing or cannot be loaded.
    pub fn new<S: Simulation>(recording: Recording, sim: &mut S) -> Result<Self, Error> {
        let first = recording.first_tick();
        if recording.needs_snapshot() {
            load_snapshot(&recording, first, sim)?;
        }
        let mut start = Vec::new();
        sim.save(&mut start);
        let mut at = InputsAt::default();
        at.seek(&recording, first)?;
        Ok(Self { recording, at, start, is_lost: false })
    }

    /// The recording.
    pub const fn recording(&self) -> &Recording {
        &self.recording
    }

    /// The tick that plays next, which is the number of the current state.
    pub const fn tick(&self) -> u64 {
        self.at.tick()
    }

    /// Returns the input of the next tick, for a caller who steps the simulation. `None` at the end.
    ///
    /// # Errors
    ///
    /// If the game cannot read the input. The player stays at its tick.
    pub fn next_input<S: Simulation>(&mut self) -> Result<Option<S::Input>, Error> {
        let Some((tick, bytes)) = self.at.next(&self.recording) else {
            return Ok(None);
        };
        if let Some(input) = S::read_input(bytes) {
            return Ok(Some(input));
        }
        let error = Error::Input { tick, hex: hex(bytes) };
        self.at.unread();
        Err(error)
    }

    /// Plays one tick. Returns `false` at the end.
    ///
    /// # Errors
    ///
    /// If the game cannot read the input. The player stays at its tick.
    pub fn step<S: Simulation>(&mut self, sim: &mut S) -> Result<bool, Error> {
        let input = self.next_input::<S>()?;
        if let Some(input) = &input {
            // Should the step panic, the state is anything.
            let was_lost = std::mem::replace(&mut self.is_lost, true);
            sim.step(input);
            self.is_lost = was_lost;
        }
        Ok(input.is_some())
    }

    /// Tells the player that the simulation continues with live input. The next [`seek`](Self::seek) then loads a state,
    /// even to return to this tick.
    pub const fn take_over(&mut self) {
        self.is_lost = true;
    }

    /// Goes to a tick, forwards or backwards: loads the nearest snapshot before it, unless the simulation is nearer,
    /// and plays the rest. The simulation must be as the player left it, unless it was [taken over](Self::take_over).
    ///
    /// # Errors
    ///
    /// If the recording does not have the tick, or the game cannot load the snapshot or read an input. The next seek
    /// starts from a snapshot again.
    pub fn seek<S: Simulation>(&mut self, tick: u64, sim: &mut S) -> Result<(), Error> {
        let first = self.recording.first_tick();
        let last = self.recording.last_tick();
        if !(first..=last).contains(&tick) {
            return Err(Error::NoSuchTick { tick, first, last });
        }
        let now = self.tick();
        let snapshot = self.recording.snapshot_ticks().rev().find(|&at| at <= tick);
        match snapshot {
            Some(at) if self.is_lost || tick < now || at > now => {
                self.is_lost = true;
                load_snapshot(&self.recording, at, sim)?;
                self.at.seek(&self.recording, at)?;
            }
            None if self.is_lost || tick < now => {
                self.is_lost = true;
                sim.load(&self.start).map_err(|source| Error::Load { tick: first, source })?;
                self.at.seek(&self.recording, first)?;
            }
            _ => {}
        }
        self.is_lost = false;
        while self.tick() < tick && self.step(sim)? {}
        Ok(())
    }
}

/// Loads the snapshot of a tick.
pub(crate) fn load_snapshot<S: Simulation>(
    recording: &Recording,
    tick: u64,
    sim: &mut S,
) -> Result<(), Error> {
    let state = recording.snapshot(tick).ok_or(Error::Load { tick, source: "there is none".into() })?;
    sim.load(&state).map_err(|source| Error::Load { tick, source })
}
