//! Hashes and marks: lists of entries, each of a tick, in one code.

use crate::format::{Cursor, Problem, begin_block, end_block, kind, put_bytes, put_varint};
use crate::simulation::StateHash;

/// The longest label of a mark, in bytes.
pub const MARK_BYTES_MAX: usize = 64;

/// A tick with a label.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mark {
    /// The tick.
    pub tick: u64,
    /// The label.
    pub label: String,
}

/// The hash of the state at a tick.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HashRecord {
    /// The tick.
    pub tick: u64,
    /// The hash.
    pub hash: StateHash,
}

/// Collects the hashes, or the marks, of one block.
#[derive(Clone, Debug, Default)]
pub(crate) struct EntriesWriter {
    bytes: Vec<u8>,
    count: u64,
    /// The tick of the last entry.
    tick: u64,
}

impl EntriesWriter {
    pub(crate) fn push_hash(&mut self, tick: u64, hash: &StateHash) {
        self.push_tick(tick);
        put_hash(&mut self.bytes, hash);
    }

    /// Adds a mark, with as much of the label as a mark can have.
    pub(crate) fn push_mark(&mut self, tick: u64, label: &str) {
        self.push_tick(tick);
        put_bytes(&mut self.bytes, &label.as_bytes()[..label.floor_char_boundary(MARK_BYTES_MAX)]);
    }

    fn push_tick(&mut self, tick: u64) {
        put_varint(&mut self.bytes, tick - self.tick);
        self.tick = tick;
        self.count += 1;
    }

    pub(crate) const fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn memory(&self) -> usize {
        self.bytes.capacity()
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.count = 0;
        self.tick = 0;
    }

    /// Appends a block of the entries, unless there are none.
    pub(crate) fn write_block(&self, kind: u8, out: &mut Vec<u8>) {
        if self.count > 0 {
            let start = begin_block(out, kind);
            put_varint(out, self.count);
            out.extend_from_slice(&self.bytes);
            end_block(out, start, 0);
        }
    }

    /// Reads the marks that were collected.
    pub(crate) fn marks(&self) -> MarksReader<'_> {
        MarksReader(EntriesReader { cursor: Cursor::new(&self.bytes), left: self.count, tick: 0 })
    }
}

/// Appends the end block: the hash of the last state.
pub(crate) fn write_end(out: &mut Vec<u8>, tick: u64, hash: &StateHash) {
    let start = begin_block(out, kind::END);
    put_varint(out, tick);
    put_hash(out, hash);
    end_block(out, start, 0);
}

/// Reads the end block of a state with some parts.
pub(crate) fn read_end(payload: &[u8], parts: usize) -> Result<HashRecord, Problem> {
    let mut cursor = Cursor::new(payload);
    let tick = cursor.varint()?;
    let hash = read_hash(&mut cursor, parts)?;
    cursor.end()?;
    Ok(HashRecord { tick, hash })
}

fn put_hash(out: &mut Vec<u8>, hash: &StateHash) {
    out.extend(hash.whole.to_le_bytes());
    for part in &hash.parts {
        out.extend(part.to_le_bytes());
    }
}

fn read_hash(cursor: &mut Cursor<'_>, parts: usize) -> Result<StateHash, Problem> {
    let whole = cursor.u64()?;
    let parts = (0..parts).map(|_| cursor.u32()).collect::<Result<_, _>>()?;
    Ok(StateHash { whole, parts })
}

/// Reads the ticks of a block's entries; what follows each is read from the cursor.
struct EntriesReader<'a> {
    cursor: Cursor<'a>,
    left: u64,
    tick: u64,
}

impl<'a> EntriesReader<'a> {
    fn new(payload: &'a [u8]) -> Result<Self, Problem> {
        let mut cursor = Cursor::new(payload);
        let left = cursor.count()?;
        Ok(Self { cursor, left, tick: 0 })
    }

    /// Reads the tick of the next entry, or `None` at the end.
    fn next_tick(&mut self) -> Result<Option<u64>, Problem> {
        if self.left == 0 {
            self.cursor.end()?;
            return Ok(None);
        }
        self.left -= 1;
        self.tick = self.tick.saturating_add(self.cursor.varint()?);
        Ok(Some(self.tick))
    }
}

/// Reads the marks of a block.
pub(crate) struct MarksReader<'a>(EntriesReader<'a>);

impl<'a> MarksReader<'a> {
    pub(crate) fn new(payload: &'a [u8]) -> Result<Self, Problem> {
        EntriesReader::new(payload).map(Self)
    }

    pub(crate) fn next(&mut self) -> Result<Option<(u64, &'a str)>, Problem> {
        let Some(tick) = self.0.next_tick()? else { return Ok(None) };
        let label = self.0.cursor.text(MARK_BYTES_MAX, "a label is longer than 64 bytes")?;
        Ok(Some((tick, label)))
    }
}

/// Reads the hashes of a block.
pub(crate) struct HashesReader<'a> {
    entries: EntriesReader<'a>,
    parts: usize,
}

impl<'a> HashesReader<'a> {
    pub(crate) fn new(payload: &'a [u8], parts: usize) -> Result<Self, Problem> {
        Ok(Self { entries: EntriesReader::new(payload)?, parts })
    }

    pub(crate) fn next(&mut self) -> Result<Option<HashRecord>, Problem> {
        let Some(tick) = self.entries.next_tick()? else { return Ok(None) };
        let hash = read_hash(&mut self.entries.cursor, self.parts)?;
        Ok(Some(HashRecord { tick, hash }))
    }
}
