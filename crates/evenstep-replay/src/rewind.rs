//! Rewinding: the last seconds in memory, within a budget.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::Arc;

use crate::entries::{EntriesWriter, write_end};
use crate::error::{Error, hex};
use crate::format::{BLOCK_HEAD, COUNT_MAX, INPUT_BYTES_MAX, Problem, kind};
use crate::header::{Header, TICK_MAX};
use crate::inputs::{RunsReader, RunsWriter};
use crate::pack::{Packer, apply_difference, difference};
use crate::simulation::{Simulation, StateHash, part_names};
use crate::write::{Sink, check_parts, check_snapshot, write_snapshot, write_start};

/// How much a [`Rewind`] keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RewindOptions {
    /// Ticks to keep, at least. There may be up to two snapshot intervals more.
    pub ticks: u64,
    /// Bytes to keep them in. If they do not suffice, there are fewer ticks; two snapshots, and what happened since the
    /// older one, are always kept.
    pub bytes: usize,
    /// Ticks between two snapshots, at most 8192. Fewer make going back faster and cost more. A state above 128 KiB is
    /// saved more often: n times as often if it is n times as large, because a larger world usually steps more slowly.
    pub snapshot_every: u64,
}

/// States up to this size are saved every [`RewindOptions::snapshot_every`] ticks.
const SMALL_STATE: u64 = 128 << 10;

/// Snapshots that are stored as the difference to the same one.
const PER_BASE: usize = 3;

/// The last seconds of a simulation in memory: to go back to any of their ticks, or to save what just happened.
///
/// Inputs are stored as runs, and snapshots as differences to an earlier one. Call [`tick`](Self::tick) before each
/// step, like that of a [`RecordingWriter`](crate::RecordingWriter).
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
/// use evenstep_replay::{Rewind, RewindOptions};
///
/// let mut ball = Ball { x: 0 };
/// let mut rewind = Rewind::new(RewindOptions { ticks: 600, bytes: 1 << 20, snapshot_every: 60 }, 0);
/// for _ in 0..1_000 {
///     rewind.tick(&1, &ball);
///     ball.step(&1);
/// }
/// rewind.back_to(777, &mut ball)?;
/// assert_eq!(ball.x, 777);
/// # Ok::<(), evenstep_replay::Error>(())
/// ```
#[derive(Debug)]
pub struct Rewind {
    options: RewindOptions,
    tick: u64,
    segments: VecDeque<Segment>,
    /// The newest snapshot that is stored in full, and how many were stored as differences to it.
    base: Option<(Arc<[u8]>, usize)>,
    bytes: usize,
    /// Marks before the first tick.
    early: EntriesWriter,
    input: Vec<u8>,
    state: Vec<u8>,
}

/// A snapshot, and what happened until the next.
#[derive(Debug)]
struct Segment {
    first_tick: u64,
    base: Arc<[u8]>,
    /// `None` if the base is this snapshot.
    difference: Option<Box<[u8]>>,
    state_len: usize,
    hash: StateHash,
    inputs: RunsWriter,
    marks: EntriesWriter,
}

impl Rewind {
    /// Creates an empty ring. `tick` is the number of the simulation's state.
    ///
    /// # Panics
    ///
    /// If `snapshot_every` is not from 1 to 8192.
    pub fn new(options: RewindOptions, tick: u64) -> Self {
        assert!(
            (1..=COUNT_MAX).contains(&options.snapshot_every),
            "snapshots come every 1 to 8192 ticks, not every {}",
            options.snapshot_every
        );
        Self {
            options,
            tick,
            segments: VecDeque::new(),
            base: None,
            bytes: 0,
            early: EntriesWriter::default(),
            input: Vec::new(),
            state: Vec::new(),
        }
    }

    /// Forgets everything, for a simulation whose state was replaced. `tick` is the number of the new state.
    pub fn restart(&mut self, tick: u64) {
        self.segments.clear();
        self.base = None;
        self.bytes = 0;
        self.early.clear();
        self.tick = tick;
    }

    /// Keeps the input of the next tick. Call it before the step, with the simulation as it is then.
    ///
    /// An input longer than [`INPUT_BYTES_MAX`] or a snapshot too large for a block is a bug in the game: the ring then
    /// forgets everything.
    pub fn tick<S: Simulation>(&mut self, input: &S::Input, sim: &S) {
        if self.segments.back().is_none_or(|last| last.inputs.count() >= self.interval(last)) {
            self.snapshot(sim);
        }
        self.input.clear();
        S::write_input(input, &mut self.input);
        self.tick = self.tick.saturating_add(1);
        if let Some(last) = self.segments.back_mut()
            && self.input.len() <= INPUT_BYTES_MAX
        {
            last.inputs.push(&self.input);
            self.fit(0);
        } else {
            self.restart(self.tick);
        }
    }

    /// Marks the current tick with a label: at most 8192 between two snapshots.
    pub fn mark(&mut self, label: &str) {
        match self.segments.back_mut() {
            Some(last) if last.marks.count() < COUNT_MAX => {
                last.marks.push_mark(self.tick, label);
                self.fit(0);
            }
            None if self.early.count() < EARLY_MAX => self.early.push_mark(self.tick, label),
            _ => {}
        }
    }

    /// Goes back to a tick, and forgets what came after it.
    ///
    /// # Errors
    ///
    /// If the ring does not reach back that far, or the game cannot load its own snapshot. The ring then stays as it was.
    pub fn back_to<S: Simulation>(&mut self, tick: u64, sim: &mut S) -> Result<(), Error> {
        let first = self.first_tick();
        let last = self.tick;
        if !(first..=last).contains(&tick) || self.segments.is_empty() {
            return Err(Error::NoSuchTick { tick, first, last });
        }
        // At a snapshot's own tick, the segment before it ends: the ring goes on as if the snapshot were yet to come.
        let index = self.segments.partition_point(|segment| segment.first_tick < tick).saturating_sub(1);
        let segment = &self.segments[index];
        sim.load(&segment.state()).map_err(|source| Error::Load { tick: segment.first_tick, source })?;
        let mut kept = RunsWriter::starting_at(segment.first_tick);
        let mut block = Vec::new();
        segment.inputs.write_block(&mut block);
        let ours = |problem| Error::Block { offset: 0, kind: kind::INPUTS, problem };
        let mut runs = RunsReader::new(&block[BLOCK_HEAD..]).map_err(ours)?;
        let mut bytes = Vec::new();
        let mut at = segment.first_tick;
        while at < tick {
            for _ in 0..runs.next(&mut bytes).map_err(ours)?.min(tick - at) {
                let input =
                    S::read_input(&bytes).ok_or_else(|| Error::Input { tick: at, hex: hex(&bytes) })?;
                kept.push(&bytes);
                sim.step(&input);
                at += 1;
            }
        }
        // Only now is nothing left that can fail: the rest is forgotten.
        self.segments.truncate(index + 1);
        let segment = &mut self.segments[index];
        segment.inputs = kept;
        segment.forget_marks_after(tick).map_err(ours)?;
        self.base = None;
        self.tick = tick;
        self.count();
        Ok(())
    }

    /// The oldest tick to go back to.
    pub fn first_tick(&self) -> u64 {
        self.segments.front().map_or(self.tick, |first| first.first_tick)
    }

    /// The number of the current state.
    pub const fn next_tick(&self) -> u64 {
        self.tick
    }

    /// The bytes in use for what is kept.
    pub fn bytes(&self) -> usize {
        let newest = self.segments.back().map_or(0, Segment::memory);
        self.bytes + newest
    }

    /// Writes the ring as a recording that ends with the current state.
    ///
    /// `header` describes the game, as for a [`RecordingWriter`](crate::RecordingWriter).
    ///
    /// # Errors
    ///
    /// If the ring is empty, or writing fails.
    pub fn write<S: Simulation, W: Write>(&self, output: W, header: Header, sim: &S) -> Result<W, Error> {
        let hash = StateHash::of(sim);
        self.write_ring(output, header, part_names(sim), Some(&hash))
    }

    /// Writes the ring as a recording without an end, for a simulation that is not there to be asked: after a panic
    /// inside its step, the last input is the one that caused it.
    ///
    /// # Errors
    ///
    /// If the ring is empty, or writing fails.
    pub fn write_crashed<W: Write>(&self, output: W, header: Header, parts: Vec<String>) -> Result<W, Error> {
        self.write_ring(output, header, parts, None)
    }

    fn write_ring<W: Write>(
        &self,
        output: W,
        header: Header,
        parts: Vec<String>,
        end: Option<&StateHash>,
    ) -> Result<W, Error> {
        let first = self.first_tick();
        if self.segments.is_empty() {
            return Err(Error::EmptyRing);
        }
        if self.tick > TICK_MAX {
            let value = self.tick;
            return Err(Error::OutOfRange { what: "the next tick", value, min: 0, max: TICK_MAX });
        }
        let mut header = header.with_start(first).with_snapshot_every(self.options.snapshot_every);
        header.hash_every = self.options.snapshot_every;
        header.parts = parts;
        header.check_limits()?;
        for segment in &self.segments {
            check_parts(segment.first_tick, &segment.hash, &header.parts)?;
        }
        if let Some(hash) = end {
            check_parts(self.tick, hash, &header.parts)?;
        }
        let mut sink = Sink::new(output);
        let mut packer = Packer::default();
        let mut hashes = EntriesWriter::default();
        write_start(&mut sink.blocks, &header);
        for segment in &self.segments {
            write_snapshot(&mut sink.blocks, segment.first_tick, &segment.state(), &mut packer);
            hashes.clear();
            hashes.push_hash(segment.first_tick, &segment.hash);
            hashes.write_block(kind::HASHES, &mut sink.blocks);
            segment.inputs.write_blocks(&mut sink.blocks);
            segment.marks.write_block(kind::MARKS, &mut sink.blocks);
            sink.send_if_full()?;
        }
        if let Some(hash) = end {
            write_end(&mut sink.blocks, self.tick, hash);
        }
        sink.finish()
    }

    /// Begins a segment.
    fn snapshot<S: Simulation>(&mut self, sim: &S) {
        self.state.clear();
        sim.save(&mut self.state);
        if check_snapshot(&self.state).is_err() {
            return self.restart(self.tick);
        }
        let (base, difference) = match &mut self.base {
            Some((base, used)) if *used < PER_BASE => {
                *used += 1;
                (Arc::clone(base), Some(difference(base, &self.state).into()))
            }
            _ => {
                let base: Arc<[u8]> = self.state.as_slice().into();
                self.base = Some((Arc::clone(&base), 0));
                (base, None)
            }
        };
        self.segments.push_back(Segment {
            first_tick: self.tick,
            base,
            difference,
            state_len: self.state.len(),
            hash: StateHash::of(sim),
            inputs: RunsWriter::starting_at(self.tick),
            // Only the first segment of a ring finds any: they are of its own first tick.
            marks: std::mem::take(&mut self.early),
        });
        self.count();
        // The newest segment will grow about as large as the one before it.
        let reserve = self.segments.iter().rev().nth(1).map_or(0, |last| 2 * last.run_memory());
        let is_too_long =
            |ring: &Self| ring.segments[1].first_tick.saturating_add(ring.options.ticks) <= ring.tick;
        while self.segments.len() > 2 && is_too_long(self) {
            self.segments.pop_front();
            self.count();
        }
        self.fit(reserve);
    }

    /// Ticks from the snapshot of a segment to the next.
    fn interval(&self, segment: &Segment) -> u64 {
        let every = self.options.snapshot_every;
        (every * SMALL_STATE / (segment.state_len as u64).max(SMALL_STATE)).max(1)
    }

    /// Forgets the oldest ticks until the budget has this much room.
    fn fit(&mut self, reserve: usize) {
        while self.segments.len() > 2 && self.bytes().saturating_add(reserve) > self.options.bytes {
            self.segments.pop_front();
            self.count();
        }
    }

    /// Counts the bytes in use, without those of the newest segment, which still grows. A base counts once.
    fn count(&mut self) {
        let mut bytes = 0;
        let mut last_base: Option<&Arc<[u8]>> = None;
        for segment in &self.segments {
            if last_base.is_none_or(|base| !Arc::ptr_eq(base, &segment.base)) {
                bytes += segment.base.len();
            }
            last_base = Some(&segment.base);
            bytes += segment.memory();
        }
        self.bytes = bytes - self.segments.back().map_or(0, Segment::memory);
    }
}

impl Segment {
    fn state(&self) -> Vec<u8> {
        match &self.difference {
            Some(difference) => apply_difference(&self.base, difference, self.state_len),
            None => self.base.to_vec(),
        }
    }

    fn memory(&self) -> usize {
        let difference = self.difference.as_ref().map_or(0, |difference| difference.len());
        size_of::<Self>() + difference + self.hash.parts.capacity() * 4 + self.run_memory()
    }

    /// What the segment takes beside its snapshot.
    fn run_memory(&self) -> usize {
        self.inputs.memory() + self.marks.memory()
    }

    fn forget_marks_after(&mut self, tick: u64) -> Result<(), Problem> {
        let all = std::mem::take(&mut self.marks);
        let mut marks = all.marks();
        while let Some((at, label)) = marks.next()? {
            if at <= tick {
                self.marks.push_mark(at, label);
            }
        }
        Ok(())
    }
}

/// The most marks before the first tick.
const EARLY_MAX: u64 = 64;
