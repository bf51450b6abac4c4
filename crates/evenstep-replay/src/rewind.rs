//! Rewinding: the last seconds in memory, within a budget.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use crate::error::{Error, hex};
use crate::format::{BLOCK_HEAD, COUNT_MAX, Cursor, INPUT_BYTES_MAX, Problem, kind};
use crate::frames::{Controls, FrameRecord, FramesWriter, Recent};
use crate::header::{Header, TICK_MAX};
use crate::inputs::{RunsReader, RunsWriter};
use crate::pack::{Packer, apply_difference, difference};
use crate::record::{
    MARK_BYTES_MAX, check_parts, check_snapshot, put_hash, put_mark, write_end, write_list, write_snapshot,
    write_start,
};
use crate::simulation::{Simulation, StateHash, part_names};

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
/// step, like that of a [`Recorder`](crate::Recorder).
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
    /// The controls in force, and whether the next frame must state them: the frames that did may be forgotten.
    controls: Controls,
    must_state: bool,
    /// With the first ticks of its segment and of the frame.
    recent: Recent<(u64, u64)>,
    /// Marks before the first tick.
    early: Vec<u8>,
    early_count: u64,
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
    /// One, unless steps were not recorded.
    frames: Vec<FramesWriter>,
    marks: Vec<u8>,
    mark_count: u64,
    marked_tick: u64,
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
            controls: Controls::default(),
            must_state: false,
            recent: Recent::default(),
            early: Vec::new(),
            early_count: 0,
            input: Vec::new(),
            state: Vec::new(),
        }
    }

    /// Forgets everything, for a simulation whose state was replaced. `tick` is the number of the new state.
    pub fn restart(&mut self, tick: u64) {
        self.segments.clear();
        self.base = None;
        self.bytes = 0;
        self.recent.clear();
        self.early.clear();
        self.early_count = 0;
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

    /// Keeps a frame, after its ticks: at most 8192 between two snapshots. When the display showed it can be told
    /// until 8 others have followed: see [`presented`](Self::presented).
    pub fn frame(&mut self, record: &FrameRecord) {
        let first_tick = self.tick.saturating_sub(record.steps.into());
        self.controls = record.controls.after(self.controls);
        let Some(last) = self.segments.back_mut() else { return };
        if last.frame_count() + self.recent.len() as u64 >= COUNT_MAX {
            self.must_state = true;
            return;
        }
        let mut record = record.clone();
        if std::mem::take(&mut self.must_state) {
            record.controls = self.controls;
        }
        if let Some((place, record)) = self.recent.push((last.first_tick, first_tick), record) {
            self.keep_frame(place, &record);
        }
        self.fit(0);
    }

    /// Notes when the display showed a frame: one of the newest 8, by its timestamp.
    pub fn presented(&mut self, frame: Duration, at: Duration) {
        self.recent.presented(frame, at);
    }

    /// Puts a frame into its segment, unless that is forgotten.
    fn keep_frame(&mut self, (segment_tick, first_tick): (u64, u64), record: &FrameRecord) {
        let segment = self.segments.iter_mut().rfind(|segment| segment.first_tick == segment_tick);
        if let Some(segment) = segment {
            segment.push_frame(first_tick, record);
        }
    }

    /// Marks the current tick with a label: at most 8192 between two snapshots.
    pub fn mark(&mut self, label: &str) {
        match self.segments.back_mut() {
            Some(last) if last.mark_count < COUNT_MAX => {
                last.push_mark(self.tick, label);
                self.fit(0);
            }
            None if self.early_count < EARLY_MAX => {
                put_mark(&mut self.early, 0, label);
                self.early_count += 1;
            }
            _ => {}
        }
    }

    /// Goes back to a tick, and forgets what came after it.
    ///
    /// # Errors
    ///
    /// If the ring does not reach back that far, or the game cannot load its own snapshot. The ring then stays as it was.
    pub fn back_to<S: Simulation>(&mut self, tick: u64, sim: &mut S) -> Result<(), Error> {
        let (first, last) = (self.first_tick(), self.tick);
        if !(first..=last).contains(&tick) || self.segments.is_empty() {
            return Err(Error::NoSuchTick { tick, first, last });
        }
        while let Some((place, record)) = self.recent.pop() {
            self.keep_frame(place, &record);
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
        let (mut at, mut bytes) = (segment.first_tick, Vec::new());
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
        segment.forget_after(tick).map_err(ours)?;
        self.must_state = true;
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
    /// `header` describes the game, as for a recorder.
    ///
    /// # Errors
    ///
    /// If the ring is empty, or writing fails.
    pub fn write<S: Simulation, W: Write>(&self, writer: W, header: Header, sim: &S) -> Result<W, Error> {
        let hash = StateHash::of(sim);
        self.write_ring(writer, header, part_names(sim), Some(&hash))
    }

    /// Writes the ring as a recording without an end, for a simulation that is not there to be asked: after a panic
    /// inside its step, the last input is the one that caused it.
    ///
    /// # Errors
    ///
    /// If the ring is empty, or writing fails.
    pub fn write_crashed<W: Write>(&self, writer: W, header: Header, parts: Vec<String>) -> Result<W, Error> {
        self.write_ring(writer, header, parts, None)
    }

    fn write_ring<W: Write>(
        &self,
        mut writer: W,
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
        let (mut packer, mut out, mut entry) = (Packer::default(), Vec::new(), Vec::new());
        let (mut offset, mut frames_total) = (0, 0);
        write_start(&mut out, &header);
        for segment in &self.segments {
            write_snapshot(&mut out, segment.first_tick, &segment.state(), &mut packer);
            entry.clear();
            put_hash(&mut entry, segment.first_tick, &segment.hash);
            write_list(&mut out, kind::HASHES, 1, &entry);
            segment.inputs.write_blocks(&mut out);
            if segment.mark_count > 0 {
                write_list(&mut out, kind::MARKS, segment.mark_count, &segment.marks);
            }
            for frames in &segment.frames {
                frames.write_block_as(frames_total, &mut out, &mut packer);
                frames_total += frames.count();
            }
            // Those that may still be presented, each in a block of its own.
            for ((_, first_tick), record) in
                self.recent.iter().filter(|((segment_tick, _), _)| *segment_tick == segment.first_tick)
            {
                let mut frame = FramesWriter::starting_at(frames_total, *first_tick);
                frame.push(record);
                frame.write_block(&mut out, &mut packer);
                frames_total += 1;
            }
            send(&mut writer, &mut out, &mut offset)?;
        }
        if let Some(hash) = end {
            write_end(&mut out, self.tick, frames_total, hash);
        }
        send(&mut writer, &mut out, &mut offset)?;
        Ok(writer)
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
            frames: Vec::new(),
            marks: Vec::new(),
            mark_count: 0,
            marked_tick: 0,
        });
        self.must_state = true;
        self.keep_early_marks();
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

    /// Gives the first segment the marks from before it.
    fn keep_early_marks(&mut self) {
        if let Some(last) = self.segments.back_mut()
            && self.early_count > 0
        {
            let mut cursor = Cursor::new(&self.early);
            while let Ok((_, label)) = read_mark(&mut cursor) {
                last.push_mark(self.tick, label);
            }
            self.early.clear();
            self.early_count = 0;
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
        let frames = self.frames.iter().map(FramesWriter::memory).sum::<usize>();
        let columns = self.frames.capacity() * size_of::<FramesWriter>();
        self.inputs.memory() + frames + columns + self.marks.capacity()
    }

    fn frame_count(&self) -> u64 {
        self.frames.iter().map(FramesWriter::count).sum()
    }

    fn push_frame(&mut self, first_tick: u64, record: &FrameRecord) {
        if self.frames.last().is_none_or(|last| last.next_tick() != first_tick) {
            // The first, or steps that were not recorded: begin a block that says where it is.
            self.frames.reserve_exact(1);
            self.frames.push(FramesWriter::starting_at(0, first_tick));
        }
        if let Some(last) = self.frames.last_mut() {
            last.push(record);
        }
    }

    fn push_mark(&mut self, tick: u64, label: &str) {
        put_mark(&mut self.marks, tick - self.marked_tick, label);
        self.marked_tick = tick;
        self.mark_count += 1;
    }

    /// Forgets the frames and marks after a tick.
    fn forget_after(&mut self, tick: u64) -> Result<(), Problem> {
        for column in std::mem::take(&mut self.frames) {
            let mut frames = column.read();
            let mut at = frames.first_tick;
            while let Some(record) = frames.next()? {
                let first_tick = at;
                at = at.saturating_add(record.steps.into());
                if at <= tick {
                    self.push_frame(first_tick, &record);
                }
            }
        }
        let marks = std::mem::take(&mut self.marks);
        let (mut cursor, mut at) = (Cursor::new(&marks), 0);
        (self.mark_count, self.marked_tick) = (0, 0);
        while cursor.left() > 0 {
            let (ticks_later, label) = read_mark(&mut cursor)?;
            at += ticks_later;
            if at <= tick {
                self.push_mark(at, label);
            }
        }
        Ok(())
    }
}

/// The most marks before the first tick.
const EARLY_MAX: u64 = 64;

fn read_mark<'a>(cursor: &mut Cursor<'a>) -> Result<(u64, &'a str), Problem> {
    Ok((cursor.varint()?, cursor.text(MARK_BYTES_MAX, "a label is longer than 64 bytes")?))
}

fn send(writer: &mut impl Write, out: &mut Vec<u8>, offset: &mut u64) -> Result<(), Error> {
    let sent = writer.write_all(out).and_then(|()| writer.flush());
    sent.map_err(|source| Error::Write { offset: *offset, source })?;
    *offset += out.len() as u64;
    out.clear();
    Ok(())
}
