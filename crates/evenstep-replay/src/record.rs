//! Recording: a stream of blocks that is complete up to the last second, whatever happens.

use std::io::{self, Write};
use std::time::Duration;

use crate::error::{Error, with_causes};
use crate::format::{
    BLOCK_BYTES_MAX, BLOCK_HEAD, FORMAT_VERSION, INPUT_BYTES_MAX, MAGIC, begin_block, end_block, kind,
    put_bytes, put_varint,
};
use crate::frames::{FrameRecord, FramesWriter, Recent};
use crate::header::{Header, Origin, TICK_MAX};
use crate::inputs::RunsWriter;
use crate::pack::Packer;
use crate::simulation::{Simulation, StateHash, part_names};

/// Ticks, or frames, after which a recorder writes: so many are lost at most when the process is killed.
pub const UNWRITTEN_MAX: u64 = 60;

/// The longest label of a mark.
pub const MARK_BYTES_MAX: usize = 64;

/// Records a simulation into a writer: a file, or memory.
///
/// Call [`tick`](Self::tick) *before* each step. Every 60 ticks or frames, the recorder writes what it has collected, in
/// blocks that are complete in themselves: if the process dies, all but the last 60 ticks are in the file. Dropping a
/// recorder, as a panic does, loses none.
///
/// If writing fails, or the game does what the format cannot hold, the recording ends there and the simulation goes on:
/// later calls do nothing, and [`error`](Self::error) and [`finish`](Self::finish) return what went wrong. Use a writer
/// that does not block.
///
/// Once its buffers have grown, a recorder allocates nothing. The default [`hash`](Simulation::hash) of a simulation does.
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
/// use evenstep_replay::{Header, Recorder, Recording, Verdict, verify};
///
/// # fn main() -> Result<(), evenstep_replay::Error> {
/// let mut ball = Ball { x: 0 };
/// let mut recorder = Recorder::new(Vec::new(), Header::new("ball", "1.0", Rate::hz(60)), &ball)?;
/// for input in [1, 1, -1, 5] {
///     recorder.tick(&input, &ball);
///     ball.step(&input);
/// }
/// let file = recorder.finish(&ball)?;
///
/// let recording = Recording::read(&file[..])?;
/// assert!(matches!(verify(&recording, &mut Ball { x: 0 }, |_| ())?, Verdict::Same { .. }));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Recorder<W: Write> {
    /// `None` once the recording has ended.
    writer: Option<W>,
    error: Option<Error>,
    header: Header,
    offset: u64,
    tick: u64,
    frames_total: u64,
    inputs: RunsWriter,
    frames: FramesWriter,
    /// With the first tick of each.
    recent: Recent<u64>,
    /// Finished entries of the blocks of hashes and marks.
    hashes: Vec<u8>,
    hash_count: u64,
    hashed_tick: u64,
    marks: Vec<u8>,
    mark_count: u64,
    marked_tick: u64,
    snapshot_tick: Option<u64>,
    // Memory that is reused.
    packer: Packer,
    input: Vec<u8>,
    state: Vec<u8>,
    hash: StateHash,
    out: Vec<u8>,
}

impl<W: Write> Recorder<W> {
    /// Starts a recording: writes the header, and a snapshot if the header asks for one.
    ///
    /// # Errors
    ///
    /// If the header exceeds a limit of the format, or cannot be written.
    pub fn new<S: Simulation>(writer: W, mut header: Header, sim: &S) -> Result<Self, Error> {
        header.parts = part_names(sim);
        header.check_limits()?;
        let first_tick = header.first_tick;
        let mut recorder = Self {
            writer: Some(writer),
            error: None,
            offset: 0,
            tick: first_tick,
            frames_total: 0,
            inputs: RunsWriter::starting_at(first_tick),
            frames: FramesWriter::starting_at(0, first_tick),
            recent: Recent::default(),
            hashes: Vec::new(),
            hash_count: 0,
            hashed_tick: 0,
            marks: Vec::new(),
            mark_count: 0,
            marked_tick: 0,
            snapshot_tick: None,
            packer: Packer::default(),
            input: Vec::new(),
            state: Vec::new(),
            hash: StateHash::default(),
            out: Vec::new(),
            header,
        };
        write_start(&mut recorder.out, &recorder.header);
        recorder.send();
        if recorder.header.origin == Origin::Snapshot {
            recorder.snapshot(sim)?;
        }
        match recorder.error.take() {
            Some(error) => Err(error),
            None => Ok(recorder),
        }
    }

    /// Records the input of the next tick. Call it before the step, with the simulation as it is then.
    pub fn tick<S: Simulation>(&mut self, input: &S::Input, sim: &S) {
        if self.writer.is_none() {
            return;
        }
        if let Err(error) = self.collect(input, sim) {
            return self.give_up(error);
        }
        if self.inputs.count() >= UNWRITTEN_MAX {
            self.flush_due();
        }
    }

    /// Records a frame, after its ticks. The newest 8 frames are kept back for [`presented`](Self::presented).
    pub fn frame(&mut self, record: &FrameRecord) {
        if self.writer.is_none() {
            return;
        }
        let first_tick = self.tick.saturating_sub(record.steps.into());
        if let Some((first_tick, record)) = self.recent.push(first_tick, record.clone()) {
            self.collect_frame(first_tick, &record);
        }
        if self.frames.count() + self.recent.len() as u64 >= UNWRITTEN_MAX {
            self.flush_due();
        }
    }

    /// Records when the display showed a frame: one of the newest 8, by its timestamp.
    pub fn presented(&mut self, frame: Duration, at: Duration) {
        self.recent.presented(frame, at);
    }

    /// Marks the current tick with a label, to find it again: at most [`MARK_BYTES_MAX`] bytes, the rest is cut off.
    pub fn mark(&mut self, label: &str) {
        if self.writer.is_none() {
            return;
        }
        put_mark(&mut self.marks, self.tick - self.marked_tick, label);
        self.marked_tick = self.tick;
        self.mark_count += 1;
        if self.mark_count >= UNWRITTEN_MAX {
            self.flush_due();
        }
    }

    /// Writes everything collected so far.
    pub fn flush(&mut self) {
        self.collect_recent();
        self.flush_due();
    }

    /// Writes everything but the frames that may still be presented.
    fn flush_due(&mut self) {
        self.write_pending();
        self.send();
    }

    fn collect_recent(&mut self) {
        while let Some((first_tick, record)) = self.recent.pop() {
            self.collect_frame(first_tick, &record);
        }
    }

    fn collect_frame(&mut self, first_tick: u64, record: &FrameRecord) {
        if self.frames.count() > 0 && self.frames.next_tick() != first_tick {
            // Steps that were not recorded: begin a block that says where it is.
            self.flush_due();
        }
        if self.frames.count() == 0 {
            self.frames.restart(self.frames_total, first_tick);
        }
        self.frames.push(record);
        self.frames_total += 1;
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

    /// Ends the recording with the hash of the last state, and returns the writer.
    ///
    /// # Errors
    ///
    /// The error that ended the recording, if it has ended before.
    pub fn finish<S: Simulation>(mut self, sim: &S) -> Result<W, Error> {
        self.collect_recent();
        self.write_pending();
        let mut out = std::mem::take(&mut self.out);
        let written = self.write_end(sim, &mut out);
        self.out = out;
        match written {
            Ok(()) => self.send(),
            Err(error) => self.give_up(error),
        }
        match (self.error.take(), self.writer.take()) {
            (None, Some(writer)) => Ok(writer),
            (Some(error), _) => Err(error),
            (None, None) => Err(self.ended()),
        }
    }

    /// The error of a recording that has ended before, or whose writer panicked.
    fn ended(&self) -> Error {
        let why =
            self.error.as_ref().map_or_else(|| "the writer panicked".to_owned(), |error| with_causes(error));
        Error::Write { offset: self.offset, source: io::Error::other(why) }
    }

    /// Appends the end block, with the hash of the last state, to `out`.
    fn write_end<S: Simulation>(&mut self, sim: &S, out: &mut Vec<u8>) -> Result<(), Error> {
        self.hash.update(sim);
        check_parts(self.tick, &self.hash, &self.header.parts)?;
        write_end(out, self.tick, self.frames_total, &self.hash);
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
            let (bytes, bytes_max) = (self.input.len() as u64, INPUT_BYTES_MAX as u64);
            return Err(Error::TooLarge { what: "an input", bytes, bytes_max });
        }
        let since = self.tick - self.header.first_tick;
        if since.is_multiple_of(self.header.hash_every) {
            self.hash.update(sim);
            check_parts(self.tick, &self.hash, &self.header.parts)?;
            put_hash(&mut self.hashes, self.tick - self.hashed_tick, &self.hash);
            self.hashed_tick = self.tick;
            self.hash_count += 1;
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
        write_snapshot(&mut self.out, self.tick, &self.state, &mut self.packer);
        self.send();
        Ok(())
    }

    /// Turns what is collected into blocks.
    fn write_pending(&mut self) {
        if self.inputs.count() > 0 {
            self.inputs.write_block(&mut self.out);
            self.inputs.restart(self.tick);
        }
        if self.hash_count > 0 {
            write_list(&mut self.out, kind::HASHES, self.hash_count, &self.hashes);
            self.hashes.clear();
            (self.hash_count, self.hashed_tick) = (0, 0);
        }
        if self.mark_count > 0 {
            write_list(&mut self.out, kind::MARKS, self.mark_count, &self.marks);
            self.marks.clear();
            (self.mark_count, self.marked_tick) = (0, 0);
        }
        if self.frames.count() > 0 {
            self.frames.write_block(&mut self.out, &mut self.packer);
            self.frames.restart(self.frames_total, self.tick);
        }
    }

    /// Passes the blocks to the writer, all at once.
    fn send(&mut self) {
        // Taken out, so that a writer that panics is not used again when the recorder is dropped.
        if !self.out.is_empty()
            && let Some(mut writer) = self.writer.take()
        {
            match writer.write_all(&self.out).and_then(|()| writer.flush()) {
                Ok(()) => {
                    self.offset += self.out.len() as u64;
                    self.writer = Some(writer);
                }
                Err(source) => self.fail(Error::Write { offset: self.offset, source }),
            }
        }
        self.out.clear();
    }

    /// Ends the recording while the writer still works, so what was collected is written.
    fn give_up(&mut self, error: Error) {
        self.flush();
        self.fail(error);
    }

    fn fail(&mut self, error: Error) {
        self.writer = None;
        self.error.get_or_insert(error);
    }
}

impl Recorder<Vec<u8>> {
    /// Returns a complete recording of everything so far, and goes on. Frames that are copied can no longer be
    /// [presented](Self::presented).
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
    /// use evenstep_replay::{Header, Recorder, Recording};
    ///
    /// # fn main() -> Result<(), evenstep_replay::Error> {
    /// let mut ball = Ball { x: 0 };
    /// let mut recorder = Recorder::new(Vec::new(), Header::new("ball", "1.0", Rate::hz(60)), &ball)?;
    /// for input in [1, 1, -1, 5] {
    ///     recorder.tick(&input, &ball);
    ///     ball.step(&input);
    ///     let so_far = Recording::read(&recorder.so_far(&ball)?[..])?;
    ///     assert!(so_far.is_complete());
    ///     assert_eq!(so_far.last_tick(), recorder.next_tick());
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
        let mut copy = self.writer.clone().ok_or_else(|| self.ended())?;
        self.write_end(sim, &mut copy)?;
        Ok(copy)
    }
}

/// Writes what is left, without an end block.
impl<W: Write> Drop for Recorder<W> {
    fn drop(&mut self) {
        self.flush();
    }
}

/// Appends the beginning of a file: its magic, and the header.
pub(crate) fn write_start(out: &mut Vec<u8>, header: &Header) {
    out.extend(MAGIC);
    out.extend(FORMAT_VERSION.to_le_bytes());
    out.extend([0, 0]);
    let start = begin_block(out, kind::HEADER);
    header.write(out);
    end_block(out, start, 0);
}

pub(crate) fn put_hash(out: &mut Vec<u8>, ticks_later: u64, hash: &StateHash) {
    put_varint(out, ticks_later);
    out.extend(hash.whole.to_le_bytes());
    for part in &hash.parts {
        out.extend(part.to_le_bytes());
    }
}

pub(crate) fn put_mark(out: &mut Vec<u8>, ticks_later: u64, label: &str) {
    put_varint(out, ticks_later);
    put_bytes(out, &label.as_bytes()[..label.floor_char_boundary(MARK_BYTES_MAX)]);
}

/// Appends a block of hashes or marks.
pub(crate) fn write_list(out: &mut Vec<u8>, kind: u8, count: u64, entries: &[u8]) {
    let start = begin_block(out, kind);
    put_varint(out, count);
    out.extend_from_slice(entries);
    end_block(out, start, 0);
}

/// Checks that a hash has as many parts as the header names, or no reader would find what comes after it.
pub(crate) fn check_parts(tick: u64, hash: &StateHash, names: &[String]) -> Result<(), Error> {
    let (parts, recorded) = (hash.parts.len(), names.len());
    if parts == recorded { Ok(()) } else { Err(Error::Parts { tick, parts, recorded }) }
}

pub(crate) fn check_snapshot(state: &[u8]) -> Result<(), Error> {
    // With room for the tick in front of it.
    let bytes_max = (BLOCK_BYTES_MAX - BLOCK_HEAD) as u64;
    let bytes = state.len() as u64;
    if bytes > bytes_max { Err(Error::TooLarge { what: "a snapshot", bytes, bytes_max }) } else { Ok(()) }
}

pub(crate) fn write_snapshot(out: &mut Vec<u8>, tick: u64, state: &[u8], packer: &mut Packer) {
    let start = begin_block(out, kind::SNAPSHOT);
    put_varint(out, tick);
    out.extend_from_slice(state);
    packer.end_block(out, start);
}

pub(crate) fn write_end(out: &mut Vec<u8>, tick: u64, frames: u64, hash: &StateHash) {
    let start = begin_block(out, kind::END);
    put_varint(out, tick);
    put_varint(out, frames);
    put_hash(out, 0, hash);
    end_block(out, start, 0);
}
