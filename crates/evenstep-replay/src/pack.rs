//! Compression: of blocks alone, and of snapshots against an earlier one.

use lz4_flex::block::{
    CompressTable, compress_into_with_dict, compress_into_with_table, decompress_into,
    decompress_into_with_dict, get_maximum_output_size,
};

use crate::format::{BLOCK_BYTES_MAX, BLOCK_HEAD, COMPRESSED, Cursor, Problem, end_block};

/// Compresses blocks, and keeps its memory between them.
pub(crate) struct Packer {
    table: CompressTable,
    buffer: Vec<u8>,
}

impl Default for Packer {
    fn default() -> Self {
        // The large table at once, or the first large snapshot would replace it.
        Self { table: CompressTable::large(), buffer: Vec::new() }
    }
}

impl std::fmt::Debug for Packer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Packer").finish_non_exhaustive()
    }
}

impl Packer {
    /// Completes the block that begins at `start`, compressed if that makes it shorter.
    pub(crate) fn end_block(&mut self, out: &mut Vec<u8>, start: usize) {
        let payload = &out[start + BLOCK_HEAD..];
        let raw_len = payload.len();
        let room = get_maximum_output_size(raw_len);
        if self.buffer.len() < room {
            self.buffer.resize(room, 0);
        }
        let packed = compress_into_with_table(payload, &mut self.buffer, &mut self.table);
        match packed {
            Ok(len) if len + 4 < raw_len && 4 + len + raw_len <= BLOCK_BYTES_MAX => {
                out.truncate(start + BLOCK_HEAD);
                out.extend_from_slice(&(raw_len as u32).to_le_bytes());
                out.extend_from_slice(&self.buffer[..len]);
                end_block(out, start, COMPRESSED);
            }
            _ => end_block(out, start, 0),
        }
    }
}

/// Decodes a compressed payload.
pub(crate) fn unpack(payload: &[u8]) -> Result<Vec<u8>, Problem> {
    let mut cursor = Cursor::new(payload);
    let raw_len = cursor.u32()? as usize;
    if raw_len.saturating_add(payload.len()) > BLOCK_BYTES_MAX {
        return Err("it claims to decode to more than a block may hold");
    }
    let mut raw = vec![0; raw_len];
    match decompress_into(cursor.take(cursor.left())?, &mut raw) {
        Ok(len) if len == raw_len => Ok(raw),
        _ => Err("its compressed bytes are damaged"),
    }
}

/// Bytes that are compressed at a time.
const CHUNK: usize = 24 << 10;
/// How far bytes may have moved and still be found. A chunk and its surroundings fit into LZ4's window of 64 KiB.
const AROUND: usize = 3 << 10;

/// Compresses `new`, which resembles `base`: each chunk with the bytes around its place in `base` as its dictionary.
pub(crate) fn difference(base: &[u8], new: &[u8]) -> Vec<u8> {
    let mut delta = Vec::new();
    let mut buffer = vec![0; get_maximum_output_size(CHUNK)];
    for (n, chunk) in new.chunks(CHUNK).enumerate() {
        let len = compress_into_with_dict(chunk, &mut buffer, surroundings(base, n));
        let len = len.expect("the buffer has the size that the compressor asks for");
        delta.extend_from_slice(&(len as u32).to_le_bytes());
        delta.extend_from_slice(&buffer[..len]);
    }
    delta
}

/// Reverts [`difference`]. `len` is the length of the result.
pub(crate) fn apply_difference(base: &[u8], delta: &[u8], len: usize) -> Vec<u8> {
    let mut new = vec![0; len];
    let mut cursor = Cursor::new(delta);
    for (n, chunk) in new.chunks_mut(CHUNK).enumerate() {
        let packed = cursor.u32().and_then(|len| cursor.take(len as usize));
        let packed = packed.expect("differences are made and kept in memory");
        let done = decompress_into_with_dict(packed, chunk, surroundings(base, n));
        assert_eq!(done.ok(), Some(chunk.len()), "differences are made and kept in memory");
    }
    new
}

fn surroundings(base: &[u8], chunk: usize) -> &[u8] {
    let from = (chunk * CHUNK).saturating_sub(AROUND - 1).min(base.len());
    &base[from..(chunk * CHUNK + CHUNK + AROUND).min(base.len())]
}

const _: () =
    assert!(2 * CHUNK + 2 * AROUND <= 1 << 16, "a chunk and its surroundings fit into LZ4's window");

#[cfg(test)]
mod tests {
    use super::{CHUNK, apply_difference, difference};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_difference_gives_the_new_bytes_back(
            base in prop::collection::vec(0_u8..4, 0..5_000),
            (repeat, at, inserted) in (1_usize..40, 0_usize..5_000, prop::collection::vec(any::<u8>(), 0..600)),
        ) {
            let base = base.repeat(repeat);
            let mut new = base.clone();
            new.splice(at.min(base.len()).., inserted).for_each(drop);
            new.extend_from_slice(&base[base.len() / 3..]);
            prop_assert_eq!(apply_difference(&base, &difference(&base, &new), new.len()), new);
        }
    }

    #[test]
    fn what_stays_costs_next_to_nothing_even_if_it_moves() {
        // Bytes that LZ4 alone cannot compress.
        let mut word = 1_u64;
        let mut noise = || {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (word >> 56) as u8
        };
        let base: Vec<u8> = (0..10 * CHUNK).map(|_| noise()).collect();
        let mut new = base.clone();
        new.splice(CHUNK..CHUNK, (0..700).map(|_| 0));
        new[5 * CHUNK] ^= 0xFF;
        let delta = difference(&base, &new);
        assert!(delta.len() * 50 < new.len(), "{} of {}", delta.len(), new.len());
    }
}
