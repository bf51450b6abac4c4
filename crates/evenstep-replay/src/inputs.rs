//! Inputs as runs: how often an input repeats, and which of its bytes differ from the input before.

use crate::format::{
    BLOCK_HEAD, Cursor, INPUT_BYTES_MAX, LIST_BYTES_MAX, Problem, begin_block, end_block, kind, put_varint,
};
use crate::record::UNWRITTEN_MAX;

/// Collects the inputs of consecutive ticks for one block.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunsWriter {
    first_tick: u64,
    count: u64,
    /// Finished runs.
    bytes: Vec<u8>,
    /// The input of the finished runs' last, and the one that repeats now.
    before: Vec<u8>,
    current: Vec<u8>,
    repeats: u64,
}

impl RunsWriter {
    pub(crate) fn starting_at(first_tick: u64) -> Self {
        Self { first_tick, ..Self::default() }
    }

    /// Starts a new block, and keeps the memory.
    pub(crate) fn restart(&mut self, first_tick: u64) {
        self.first_tick = first_tick;
        self.count = 0;
        self.repeats = 0;
        self.bytes.clear();
        self.before.clear();
        self.current.clear();
    }

    pub(crate) const fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn memory(&self) -> usize {
        self.bytes.capacity() + self.before.capacity() + self.current.capacity()
    }

    pub(crate) fn push(&mut self, input: &[u8]) {
        debug_assert!(input.len() <= INPUT_BYTES_MAX, "the caller checks the length");
        if self.repeats == 0 || self.current != input {
            self.end_run();
            std::mem::swap(&mut self.before, &mut self.current);
            self.current.clear();
            self.current.extend_from_slice(input);
        }
        self.repeats += 1;
        self.count += 1;
    }

    fn end_run(&mut self) {
        let Self { bytes, before, current, repeats, .. } = self;
        if *repeats > 0 {
            put_run(bytes, before, current, *repeats);
            *repeats = 0;
        }
    }

    /// Appends the block. More inputs may follow, and a later call writes all of them again.
    pub(crate) fn write_block(&self, out: &mut Vec<u8>) {
        let start = begin_block(out, kind::INPUTS);
        put_varint(out, self.first_tick);
        put_varint(out, self.count);
        out.extend_from_slice(&self.bytes);
        if self.repeats > 0 {
            put_run(out, &self.before, &self.current, self.repeats);
        }
        end_block(out, start, 0);
    }

    /// Appends the block, or several if it is longer than a block may be.
    pub(crate) fn write_blocks(&self, out: &mut Vec<u8>) {
        let start = out.len();
        self.write_block(out);
        if out.len() - start <= BLOCK_HEAD + LIST_BYTES_MAX {
            return;
        }
        let long = out.split_off(start);
        let ours = "runs are made and kept in memory";
        let mut runs = RunsReader::new(&long[BLOCK_HEAD..]).expect(ours);
        let mut part = Self::starting_at(self.first_tick);
        let mut input = Vec::new();
        let mut left = self.count;
        while left > 0 {
            for _ in 0..runs.next(&mut input).expect(ours) {
                part.push(&input);
                left -= 1;
                if part.count == UNWRITTEN_MAX || left == 0 {
                    part.write_block(out);
                    part.restart(self.first_tick + self.count - left);
                }
            }
        }
    }
}

/// Appends a run: twice the repetitions, plus one if the length changes, which follows; a bit for each byte that
/// changes, and those bytes.
fn put_run(out: &mut Vec<u8>, before: &[u8], current: &[u8], repeats: u64) {
    let is_other_len = before.len() != current.len();
    put_varint(out, repeats << 1 | u64::from(is_other_len));
    if is_other_len {
        put_varint(out, current.len() as u64);
    }
    let old = |n: usize| before.get(n).copied().unwrap_or(0);
    for (chunk, new) in current.chunks(8).enumerate() {
        let changed = new.iter().enumerate().filter(|&(n, &byte)| byte != old(chunk * 8 + n));
        out.push(changed.fold(0, |mask, (n, _)| mask | 1 << n));
    }
    out.extend(current.iter().enumerate().filter(|&(n, &byte)| byte != old(n)).map(|(_, &byte)| byte));
}

/// Reads the runs of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunsReader<'a> {
    pub(crate) first_tick: u64,
    pub(crate) count: u64,
    pub(crate) cursor: Cursor<'a>,
}

impl<'a> RunsReader<'a> {
    pub(crate) fn new(payload: &'a [u8]) -> Result<Self, Problem> {
        let mut cursor = Cursor::new(payload);
        let first_tick = cursor.varint()?;
        let count = cursor.count()?;
        Ok(Self { first_tick, count, cursor })
    }

    /// Reads the next run: changes `input` from the previous run's to its own, and returns how often it repeats.
    pub(crate) fn next(&mut self, input: &mut Vec<u8>) -> Result<u64, Problem> {
        let head = self.cursor.varint()?;
        let repeats = head >> 1;
        if repeats == 0 {
            return Err("a run of no inputs");
        }
        if head & 1 == 1 {
            let len = self.cursor.varint()?;
            if len > INPUT_BYTES_MAX as u64 {
                return Err("an input is longer than 4096 bytes");
            }
            input.resize(len as usize, 0);
        }
        let mask = self.cursor.take(input.len().div_ceil(8))?;
        for (n, byte) in input.iter_mut().enumerate() {
            if mask[n / 8] >> (n % 8) & 1 == 1 {
                *byte = self.cursor.u8()?;
            }
        }
        Ok(repeats)
    }

    /// Checks that the whole block can be read.
    pub(crate) fn check(mut self, input: &mut Vec<u8>) -> Result<(), Problem> {
        input.clear();
        let mut left = self.count;
        while left > 0 {
            left = left.checked_sub(self.next(input)?).ok_or("more inputs than the block claims")?;
        }
        self.cursor.end()
    }
}
