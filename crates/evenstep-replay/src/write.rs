//! Writing: what a `RecordingWriter`, a ring and `trim` have in common.

use std::io::Write;

use crate::error::Error;
use crate::format::{
    BLOCK_BYTES_MAX, BLOCK_HEAD, FORMAT_VERSION, MAGIC, begin_block, end_block, kind, put_varint,
};
use crate::header::Header;
use crate::pack::Packer;
use crate::simulation::StateHash;

/// Finished blocks on their way to an output, a few at a time: some bytes of a recording may stand for thousands of ticks.
pub(crate) struct Sink<W> {
    /// The blocks that are not yet written.
    pub(crate) blocks: Vec<u8>,
    output: W,
    /// Bytes written so far.
    offset: u64,
}

impl<W: Write> Sink<W> {
    /// The bytes that are collected before they are written.
    const BYTES: usize = 1 << 16;

    pub(crate) const fn new(output: W) -> Self {
        Self { blocks: Vec::new(), output, offset: 0 }
    }

    pub(crate) fn send_if_full(&mut self) -> Result<(), Error> {
        if self.blocks.len() < Self::BYTES { Ok(()) } else { self.send() }
    }

    fn send(&mut self) -> Result<(), Error> {
        let sent = self.output.write_all(&self.blocks);
        sent.map_err(|source| Error::Write { offset: self.offset, source })?;
        self.offset += self.blocks.len() as u64;
        self.blocks.clear();
        Ok(())
    }

    /// Writes what is left, and returns the output.
    pub(crate) fn finish(mut self) -> Result<W, Error> {
        self.send()?;
        self.output.flush().map_err(|source| Error::Write { offset: self.offset, source })?;
        Ok(self.output)
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

pub(crate) fn write_snapshot(out: &mut Vec<u8>, tick: u64, state: &[u8], packer: &mut Packer) {
    let start = begin_block(out, kind::SNAPSHOT);
    put_varint(out, tick);
    out.extend_from_slice(state);
    packer.end_block(out, start);
}

/// Checks that a hash has as many parts as the header names, or no reader would find what comes after it.
pub(crate) fn check_parts(tick: u64, hash: &StateHash, names: &[String]) -> Result<(), Error> {
    let parts = hash.parts.len();
    let recorded = names.len();
    if parts == recorded { Ok(()) } else { Err(Error::Parts { tick, parts, recorded }) }
}

pub(crate) fn check_snapshot(state: &[u8]) -> Result<(), Error> {
    // With room for the tick in front of it.
    let bytes_max = (BLOCK_BYTES_MAX - BLOCK_HEAD) as u64;
    let bytes = state.len() as u64;
    if bytes > bytes_max { Err(Error::TooLarge { what: "a snapshot", bytes, bytes_max }) } else { Ok(()) }
}
