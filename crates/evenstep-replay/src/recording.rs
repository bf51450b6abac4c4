//! Reading: block by block, never more than one block's worth of memory on trust.

use std::borrow::Cow;
use std::io::Read;

use crate::blocks::{Block, RawBlock, Reader};
use crate::entries::{HashRecord, HashesReader, Mark, MarksReader, read_end};
use crate::error::Error;
use crate::format::{BLOCK_HEAD, Cursor, LIST_BYTES_MAX, Problem, kind};
use crate::header::{Header, Origin, TICK_MAX};
use crate::inputs::RunsReader;
use crate::simulation::StateHash;

/// A recording in memory, as it is in the file: its blocks are decoded when they are needed.
///
/// A recording whose end is missing or damaged opens all the same, up to there: [`problem`](Self::problem) tells what
/// is wrong, and [`is_complete`](Self::is_complete) whether anything is.
#[derive(Debug)]
pub struct Recording {
    header: Header,
    inputs: Vec<Block>,
    hashes: Vec<Block>,
    snapshots: Vec<Block>,
    marks: Vec<Block>,
    /// The tick of the last hash.
    hashed_tick: Option<u64>,
    /// The tick of the last mark.
    marked_tick: u64,
    next_tick: u64,
    /// The hash of the last state, from the end block.
    end: Option<StateHash>,
    problem: Option<Error>,
    bytes: u64,
}

impl Recording {
    /// Reads a recording.
    ///
    /// # Errors
    ///
    /// If it does not begin with a header of this version. Damage behind the header ends the recording there.
    pub fn read(input: impl Read) -> Result<Self, Error> {
        let mut reader = Reader::new(input)?;
        let header = match reader.next()? {
            Some(raw) if raw.kind == kind::HEADER => {
                let header = raw.decoded().and_then(|payload| Header::parse(&payload));
                header.map_err(|problem| Error::Block { offset: raw.offset, kind: raw.kind, problem })?
            }
            Some(raw) => {
                let problem = "the first block must be the header";
                return Err(Error::Block { offset: raw.offset, kind: raw.kind, problem });
            }
            None => return Err(Error::Truncated { offset: reader.offset, missing: BLOCK_HEAD as u64 }),
        };
        let mut recording = Self {
            next_tick: header.first_tick,
            header,
            inputs: Vec::new(),
            hashes: Vec::new(),
            snapshots: Vec::new(),
            marks: Vec::new(),
            hashed_tick: None,
            marked_tick: 0,
            end: None,
            problem: None,
            bytes: 0,
        };
        recording.problem = recording.read_blocks(&mut reader).err();
        recording.bytes = reader.offset;
        Ok(recording)
    }

    fn read_blocks(&mut self, reader: &mut Reader<impl Read>) -> Result<(), Error> {
        let mut input = Vec::new();
        while let Some(raw) = reader.next()? {
            let offset = raw.offset;
            let kind = raw.kind;
            self.add(raw, &mut input).map_err(|problem| Error::Block { offset, kind, problem })?;
        }
        Ok(())
    }

    fn add(&mut self, raw: RawBlock, input: &mut Vec<u8>) -> Result<(), Problem> {
        if self.end.is_some() {
            return Err("a block after the end");
        }
        if raw.kind >= kind::OPTIONAL {
            return Ok(());
        }
        let payload = raw.decoded()?;
        if raw.kind != kind::SNAPSHOT && payload.len() > LIST_BYTES_MAX {
            return Err("only a snapshot may be longer than 1 MiB");
        }
        match raw.kind {
            kind::INPUTS => {
                let runs = RunsReader::new(&payload)?;
                if runs.first_tick != self.next_tick {
                    return Err("its inputs do not follow the ones before");
                }
                let tick = runs.first_tick;
                let count = runs.count;
                runs.check(input)?;
                self.next_tick = tick_below_max(tick.saturating_add(count))?;
                drop(payload);
                self.inputs.push(raw.keep(tick));
            }
            kind::HASHES => {
                let mut hashes = HashesReader::new(&payload, self.header.parts.len())?;
                let mut tick = None;
                let mut last = self.hashed_tick;
                while let Some(record) = hashes.next()? {
                    self.check_tick(record.tick)?;
                    if last.is_some_and(|last| last >= record.tick) {
                        return Err("its ticks do not follow the hashes before");
                    }
                    tick = tick.or(Some(record.tick));
                    last = Some(record.tick);
                }
                self.hashed_tick = last;
                drop(payload);
                if let Some(tick) = tick {
                    self.hashes.push(raw.keep(tick));
                }
            }
            kind::SNAPSHOT => {
                let tick = Cursor::new(&payload).varint()?;
                self.check_tick(tick)?;
                if self.snapshots.last().is_some_and(|last| last.tick >= tick) {
                    return Err("its tick does not follow the one of the snapshot before");
                }
                drop(payload);
                self.snapshots.push(raw.keep(tick));
            }
            kind::MARKS => {
                let mut marks = MarksReader::new(&payload)?;
                let mut tick = None;
                let mut last = self.marked_tick;
                while let Some((at, _)) = marks.next()? {
                    self.check_tick(at)?;
                    if at < last {
                        return Err("its ticks do not follow the marks before");
                    }
                    tick = tick.or(Some(at));
                    last = at;
                }
                self.marked_tick = last;
                drop(payload);
                if let Some(tick) = tick {
                    self.marks.push(raw.keep(tick));
                }
            }
            kind::END => {
                let end = read_end(&payload, self.header.parts.len())?;
                if end.tick != self.next_tick {
                    return Err("its number of ticks is wrong");
                }
                self.end = Some(end.hash);
            }
            kind::HEADER => return Err("a second header"),
            _ => return Err("an unknown kind of block"),
        }
        Ok(())
    }

    fn check_tick(&self, tick: u64) -> Result<(), Problem> {
        if (self.header.first_tick..=self.next_tick).contains(&tick) {
            Ok(())
        } else {
            Err("a tick that the inputs do not reach")
        }
    }
}

/// What a recording contains.
impl Recording {
    /// The header.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The number of the first tick.
    pub const fn first_tick(&self) -> u64 {
        self.header.first_tick
    }

    /// The number of the last state: one more than the last tick with an input.
    pub const fn last_tick(&self) -> u64 {
        self.next_tick
    }

    /// The number of ticks.
    pub const fn ticks(&self) -> u64 {
        self.next_tick - self.header.first_tick
    }

    /// The bytes that were read.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the recording has a valid end.
    pub const fn is_complete(&self) -> bool {
        self.end.is_some() && self.problem.is_none()
    }

    /// What ended the recording early. `None` if it ends with an end block, or after a whole block.
    pub const fn problem(&self) -> Option<&Error> {
        self.problem.as_ref()
    }

    /// The ticks that have a label, in order.
    pub fn marks(&self) -> impl Iterator<Item = Mark> {
        self.marks.iter().flat_map(|block| {
            let payload = block.payload();
            let mut marks = Vec::new();
            if let Ok(mut reader) = MarksReader::new(&payload) {
                while let Ok(Some((tick, label))) = reader.next() {
                    marks.push(Mark { tick, label: label.to_owned() });
                }
            }
            marks
        })
    }

    /// The hashes of the states at some ticks, the last one included if the recording is complete.
    pub fn hashes(&self) -> impl Iterator<Item = HashRecord> {
        let parts = self.header.parts.len();
        let records = self.hashes.iter().flat_map(move |block| {
            let payload = block.payload();
            let mut records = Vec::new();
            if let Ok(mut reader) = HashesReader::new(&payload, parts) {
                while let Ok(Some(record)) = reader.next() {
                    records.push(record);
                }
            }
            records
        });
        let end = self.end.iter().map(|hash| HashRecord { tick: self.next_tick, hash: hash.clone() });
        records.chain(end)
    }

    /// The ticks that have a snapshot.
    pub fn snapshot_ticks(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.snapshots.iter().map(|block| block.tick)
    }

    /// The state at a tick, if it has a snapshot.
    pub fn snapshot(&self, tick: u64) -> Option<Vec<u8>> {
        let block = &self.snapshots[self.snapshots.binary_search_by_key(&tick, |block| block.tick).ok()?];
        let payload = block.payload();
        let mut cursor = Cursor::new(&payload);
        cursor.varint().ok()?;
        let tick_len = payload.len() - cursor.left();
        Some(match payload {
            Cow::Borrowed(stored) => stored[tick_len..].to_vec(),
            // Cut in place: a large snapshot is not in memory twice.
            Cow::Owned(mut state) => {
                state.drain(..tick_len);
                state
            }
        })
    }

    /// Whether the first state comes from a snapshot, and not from the seed.
    pub(crate) fn needs_snapshot(&self) -> bool {
        self.header.origin == Origin::Snapshot
    }

    /// The inputs from a tick on.
    ///
    /// # Errors
    ///
    /// If the recording does not have the tick.
    pub fn inputs_from(&self, tick: u64) -> Result<Inputs<'_>, Error> {
        let mut at = InputsAt::default();
        at.seek(self, tick)?;
        Ok(Inputs { recording: self, at })
    }
}

fn tick_below_max(tick: u64) -> Result<u64, Problem> {
    if tick <= TICK_MAX { Ok(tick) } else { Err("a tick beyond 2^62") }
}

/// The inputs of a recording as bytes, tick by tick.
#[derive(Debug)]
pub struct Inputs<'a> {
    recording: &'a Recording,
    at: InputsAt,
}

impl Inputs<'_> {
    /// Returns the next tick and its input.
    #[expect(clippy::should_implement_trait, reason = "an iterator cannot lend the bytes")]
    pub fn next(&mut self) -> Option<(u64, &[u8])> {
        self.at.next(self.recording)
    }
}

/// A place among the inputs of a recording.
#[derive(Clone, Debug, Default)]
pub(crate) struct InputsAt {
    tick: u64,
    /// The next block to decode.
    block: usize,
    payload: Vec<u8>,
    /// Bytes of the payload that are read.
    done: usize,
    repeats: u64,
    input: Vec<u8>,
}

impl InputsAt {
    pub(crate) const fn tick(&self) -> u64 {
        self.tick
    }

    /// Goes to a tick. The one after the last is allowed; it has no input.
    pub(crate) fn seek(&mut self, recording: &Recording, tick: u64) -> Result<(), Error> {
        let first = recording.first_tick();
        let last = recording.last_tick();
        if !(first..=last).contains(&tick) {
            return Err(Error::NoSuchTick { tick, first, last });
        }
        let block = recording.inputs.partition_point(|block| block.tick <= tick);
        self.block = block.saturating_sub(1);
        self.payload.clear();
        self.done = 0;
        self.repeats = 0;
        self.tick = recording.inputs.get(self.block).map_or(tick, |block| block.tick);
        while self.tick < tick && self.fill(recording).is_some() {
            let skipped = self.repeats.min(tick - self.tick);
            self.tick += skipped;
            self.repeats -= skipped;
        }
        Ok(())
    }

    pub(crate) fn next(&mut self, recording: &Recording) -> Option<(u64, &[u8])> {
        self.fill(recording)?;
        self.repeats -= 1;
        self.tick += 1;
        Some((self.tick - 1, &self.input))
    }

    /// Takes back the input that [`next`](Self::next) has just returned.
    pub(crate) const fn unread(&mut self) {
        self.repeats += 1;
        self.tick -= 1;
    }

    /// Decodes until an input is there. `None` at the end.
    fn fill(&mut self, recording: &Recording) -> Option<()> {
        while self.repeats == 0 {
            if self.done == self.payload.len() {
                let payload = recording.inputs.get(self.block)?.payload();
                self.block += 1;
                self.payload.clear();
                self.payload.extend_from_slice(&payload);
                self.input.clear();
                let runs = RunsReader::new(&self.payload).ok()?;
                self.done = self.payload.len() - runs.cursor.left();
                continue;
            }
            let mut runs =
                RunsReader { first_tick: 0, count: 0, cursor: Cursor::new(&self.payload[self.done..]) };
            self.repeats = runs.next(&mut self.input).ok()?;
            self.done = self.payload.len() - runs.cursor.left();
        }
        Some(())
    }
}
