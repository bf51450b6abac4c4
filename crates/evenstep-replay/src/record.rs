//! Recording: a stream of blocks that is complete up to the last second, whatever happens.

use std::io::{self, Write};

use crate::entries::{EntriesWriter, write_end};
use crate::error::{Error, with_causes};
use crate::format::{INPUT_BYTES_MAX, kind};
use crate::header::{Header, Origin, TICK_MAX};
use crate::inputs::RunsWriter;
use crate::pack::Packer;
use crate::simulation::{Simulation, StateHash, part_names};
use crate::write::{check_parts, check_snapshot, write_snapshot, write_start};

/// The most ticks that a [`RecordingWriter`] collects before it writes them, and so the most that a killed process loses.
pub const UNWRITTEN_MAX: u64 = 60;

/// Writes a recording of a simulation, into a file or memory, while the simulation runs.
///
/// Call [`tick`](Self::tick) *before* each step. What it collects is written every 60 ticks, in blocks that are complete in
/// themselves: if the process dies, all but the last 60 ticks are in the file. Dropping a writer, as a panic does, loses
/// none.
///
/// If writing fails, or the game does what the format cannot hold, the recording ends there and the simulation goes on:
/// later calls do nothing, and [`error`](Self::error) and [`finish`](Self::finish) return what went wrong. Use an output
/// that does not block.
///
/// Once its buffers have grown, a writer allocates nothing. The default [`hash`](Simulation::hash) of a simulation does.
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
/// use evenstep::Rate;
/// use evenstep_replay::{Header, Recording, RecordingWriter, Verdict, verify};
///
/// # fn main() -> Result<(), evenstep_replay::Error> {
/// let mut ball = Ball { x: 0 };
/// let mut writer = RecordingWriter::new(Vec::new(), Header::new("ball", "1.0", Rate::hz(60)), &ball)?;
/// for input in [1, 1, -1, 5] {
///     writer.tick(&input, &ball);
///     ball.step(&input);
/// }
/// let file = writer.finish(&ball)?;
///
/// let recording = Recording::read(&file[..])?;
/// assert!(matches!(verify(&recording, &mut Ball { x: 0 }, |_| ())?, Verdict::Same { .. }));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct RecordingWriter<W: Write> {
    /// `None` once the recording has ended.
    output: Option<W>,
    error: Option<Error>,
    header: Header,
    offset: u64,
    tick: u64,
    inputs: RunsWriter,
    hashes: EntriesWriter,
    marks: EntriesWriter,
    snapshot_tick: Option<u64>,
    // Memory that is reused.
    packer: Packer,
    input: Vec<u8>,
    state: Vec<u8>,
    hash: StateHash,
    blocks: Vec<u8>,
}

impl<W: Write> RecordingWriter<W> {
    /// Starts a recording: writes the header, and a snapshot if the header asks for one.
    ///
    /// # Errors
    ///
    /// If the header exceeds a limit of the format, or cannot be written.
    pub fn new<S: Simulation>(output: W, mut header: Header, sim: &S) -> Result<Self, Error> {
        header.parts = part_names(sim);
        header.check_limits()?;
        let first_tick = header.first_tick;
        let mut writer = Self {
            output: Some(output),
            error: None,
            offset: 0,
            tick: first_tick,
            inputs: RunsWriter::starting_at(first_tick),
            hashes: EntriesWriter::default(),
            marks: EntriesWriter::default(),
            snapshot_tick: None,
            packer: Packer::default(),
            input: Vec::new(),
            state: Vec::new(),
            hash: StateHash::default(),
            blocks: Vec::new(),
            header,
        };
        write_start(&mut writer.blocks, &writer.header);
        writer.send();
        if writer.header.origin == Origin::Snapshot {
            writer.snapshot(sim)?;
        }
        match writer.error.take() {
            Some(error) => Err(error),
            None => Ok(writer),
        }
    }

    /// Records the input of the next tick. Call it before the step, with the simulation as it is then.
    pub fn tick<S: Simulation>(&mut self, input: &S::Input, sim: &S) {
        if self.output.is_none() {
            return;
        }
        if let Err(error) = self.collect(input, sim) {
            return self.give_up(error);
        }
        if self.inputs.count() >= UNWRITTEN_MAX {
            self.flush();
        }
    }

    /// Marks the current tick with a label, to find it again. It has at most [`MARK_BYTES_MAX`](crate::MARK_BYTES_MAX) bytes; the
    /// rest is cut off.
    pub fn mark(&mut self, label: &str) {
        if self.output.is_none() {
            return;
        }
        self.marks.push_mark(self.tick, label);
        if self.marks.count() >= UNWRITTEN_MAX {
            self.flush();
        }
    }

    /// Writes everything collected so far.
    pub fn flush(&mut self) {
        self.write_pending();
        self.send();
    }

    /// Returns the error that ended the recording.
    pub const fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// Returns the number of the next tick.
    pub const fn next_tick(&self) -> u64 {
        self.tick
    }

    /// Returns how many bytes were written so far.
    pub const fn bytes(&self) -> u64 {
        self.offset
    }

    /// Ends the recording with the hash of the last state, and returns the output.
    ///
    /// # Errors
    ///
    /// The error that ended the recording, if it has ended before.
    pub fn finish<S: Simulation>(mut self, sim: &S) -> Result<W, Error> {
        self.write_pending();
        let mut out = std::mem::take(&mut self.blocks);
        let written = self.write_end(sim, &mut out);
        self.blocks = out;
        match written {
            Ok(()) => self.send(),
            Err(error) => self.give_up(error),
        }
        match (self.error.take(), self.output.take()) {
            (None, Some(output)) => Ok(output),
            (Some(error), _) => Err(error),
            (None, None) => Err(self.ended()),
        }
    }

    /// The error of a recording that has ended before, or whose output panicked.
    fn ended(&self) -> Error {
        let why =
            self.error.as_ref().map_or_else(|| "the output panicked".to_owned(), |error| with_causes(error));
        Error::Write { offset: self.offset, source: io::Error::other(why) }
    }

    /// Appends the end block, with the hash of the last state, to `out`.
    fn write_end<S: Simulation>(&mut self, sim: &S, out: &mut Vec<u8>) -> Result<(), Error> {
        self.hash.update(sim);
        check_parts(self.tick, &self.hash, &self.header.parts)?;
        write_end(out, self.tick, &self.hash);
        Ok(())
    }

    /// Takes the input, and before it the hash and the snapshot that are due.
    fn collect<S: Simulation>(&mut self, input: &S::Input, sim: &S) -> Result<(), Error> {
        if self.tick >= TICK_MAX {
            return Err(Error::OutOfRange {
                what: "the next tick",
                value: self.tick + 1,
                min: 0,
                max: TICK_MAX,
            });
        }
        self.input.clear();
        S::write_input(input, &mut self.input);
        if self.input.len() > INPUT_BYTES_MAX {
            let bytes = self.input.len() as u64;
            let bytes_max = INPUT_BYTES_MAX as u64;
            return Err(Error::TooLarge { what: "an input", bytes, bytes_max });
        }
        let since = self.tick - self.header.first_tick;
        if since.is_multiple_of(self.header.hash_every) {
            self.hash.update(sim);
            check_parts(self.tick, &self.hash, &self.header.parts)?;
            self.hashes.push_hash(self.tick, &self.hash);
        }
        let every = self.header.snapshot_every;
        if every != 0 && since.is_multiple_of(every) && self.snapshot_tick != Some(self.tick) {
            self.snapshot(sim)?;
        }
        self.inputs.push(&self.input);
        self.tick += 1;
        Ok(())
    }

    fn snapshot<S: Simulation>(&mut self, sim: &S) -> Result<(), Error> {
        self.state.clear();
        sim.save(&mut self.state);
        check_snapshot(&self.state)?;
        self.write_pending();
        self.snapshot_tick = Some(self.tick);
        write_snapshot(&mut self.blocks, self.tick, &self.state, &mut self.packer);
        self.send();
        Ok(())
    }

    /// Turns what is collected into blocks.
    fn write_pending(&mut self) {
        if self.inputs.count() > 0 {
            self.inputs.write_block(&mut self.blocks);
            self.inputs.restart(self.tick);
        }
        self.hashes.write_block(kind::HASHES, &mut self.blocks);
        self.hashes.clear();
        self.marks.write_block(kind::MARKS, &mut self.blocks);
        self.marks.clear();
    }

    /// Passes the blocks to the output, all at once.
    fn send(&mut self) {
        // Taken out, so that an output that panics is not used again when the writer is dropped.
        if !self.blocks.is_empty()
            && let Some(mut output) = self.output.take()
        {
            match output.write_all(&self.blocks).and_then(|()| output.flush()) {
                Ok(()) => {
                    self.offset += self.blocks.len() as u64;
                    self.output = Some(output);
                }
                Err(source) => self.fail(Error::Write { offset: self.offset, source }),
            }
        }
        self.blocks.clear();
    }

    /// Ends the recording while the output still works, so what was collected is written.
    fn give_up(&mut self, error: Error) {
        self.flush();
        self.fail(error);
    }

    fn fail(&mut self, error: Error) {
        self.output = None;
        self.error.get_or_insert(error);
    }
}

impl RecordingWriter<Vec<u8>> {
    /// Returns a complete recording of everything so far, and goes on.
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
    /// use evenstep::Rate;
    /// use evenstep_replay::{Header, Recording, RecordingWriter};
    ///
    /// # fn main() -> Result<(), evenstep_replay::Error> {
    /// let mut ball = Ball { x: 0 };
    /// let mut writer = RecordingWriter::new(Vec::new(), Header::new("ball", "1.0", Rate::hz(60)), &ball)?;
    /// for input in [1, 1, -1, 5] {
    ///     writer.tick(&input, &ball);
    ///     ball.step(&input);
    ///     let so_far = Recording::read(&writer.so_far(&ball)?[..])?;
    ///     assert!(so_far.is_complete());
    ///     assert_eq!(so_far.last_tick(), writer.next_tick());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the recording has ended, or the state has other parts than the first one.
    pub fn so_far<S: Simulation>(&mut self, sim: &S) -> Result<Vec<u8>, Error> {
        self.flush();
        let mut copy = self.output.clone().ok_or_else(|| self.ended())?;
        self.write_end(sim, &mut copy)?;
        Ok(copy)
    }
}

/// Writes what is left, without an end block.
impl<W: Write> Drop for RecordingWriter<W> {
    fn drop(&mut self) {
        self.flush();
    }
}
