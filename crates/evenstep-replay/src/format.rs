//! The layout of the file: magic, blocks, checksums, and the integers inside. `docs/replay-format.md` describes it.

use integer_encoding::VarInt;

/// The first bytes of a recording: like PNG's, they reveal a transfer as text.
pub(crate) const MAGIC: [u8; 8] = [0x89, b'E', b'V', b'R', b'P', 0x0D, 0x0A, 0x1A];

/// The version of the format that this crate writes, and the newest that it reads.
pub const FORMAT_VERSION: u16 = 1;

/// Magic, version and two reserved bytes.
pub(crate) const FILE_HEAD: usize = 12;

/// Kind, flags, length and checksum.
pub(crate) const BLOCK_HEAD: usize = 10;

/// The most that a block takes: its stored bytes, and if they are compressed, its decoded bytes as well.
pub const BLOCK_BYTES_MAX: usize = 4 << 20;

/// The longest input of a tick.
pub const INPUT_BYTES_MAX: usize = 4096;

/// The most that a block of any kind but a snapshot decodes to. Lists that are made from it stay below the limit above.
pub(crate) const LIST_BYTES_MAX: usize = 1 << 20;

/// The most ticks, hashes or marks in one block.
pub(crate) const COUNT_MAX: u64 = 1 << 13;

/// The kinds of blocks. Readers skip unknown kinds from 128 on, and refuse other unknown ones.
pub(crate) mod kind {
    pub(crate) const HEADER: u8 = 1;
    pub(crate) const INPUTS: u8 = 2;
    pub(crate) const HASHES: u8 = 3;
    pub(crate) const SNAPSHOT: u8 = 4;
    pub(crate) const MARKS: u8 = 5;
    pub(crate) const END: u8 = 6;
    pub(crate) const OPTIONAL: u8 = 128;
}

/// The payload is the decoded length in four bytes, then an LZ4 block.
pub(crate) const COMPRESSED: u8 = 1;

/// Appends the head of a block. Append its payload next, then call [`end_block`] with the result.
pub(crate) fn begin_block(out: &mut Vec<u8>, kind: u8) -> usize {
    let start = out.len();
    out.extend([kind, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    start
}

/// Completes the block that begins at `start`.
pub(crate) fn end_block(out: &mut [u8], start: usize, flags: u8) {
    let len = (out.len() - start - BLOCK_HEAD) as u32;
    out[start + 1] = flags;
    out[start + 2..start + 6].copy_from_slice(&len.to_le_bytes());
    let sum = checksum(&out[start..start + 6], &out[start + BLOCK_HEAD..]);
    out[start + 6..start + BLOCK_HEAD].copy_from_slice(&sum.to_le_bytes());
}

/// The CRC-32 of a block: of its kind, flags and length, and its payload.
pub(crate) fn checksum(head: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(head);
    hasher.update(payload);
    hasher.finalize()
}

pub(crate) fn put_varint(out: &mut Vec<u8>, value: u64) {
    let mut bytes = [0; 10];
    let len = value.encode_var(&mut bytes);
    out.extend_from_slice(&bytes[..len]);
}

pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Why a payload does not follow the format.
pub(crate) type Problem = &'static str;

/// Reads a payload from front to back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub(crate) const fn left(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], Problem> {
        let (taken, rest) = self.bytes.split_at_checked(len).ok_or("it ends too early")?;
        self.bytes = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Problem> {
        let (taken, rest) = self.bytes.split_first_chunk().ok_or("it ends too early")?;
        self.bytes = rest;
        Ok(*taken)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Problem> {
        self.array().map(|[byte]| byte)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Problem> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Problem> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn varint(&mut self) -> Result<u64, Problem> {
        let (value, len) = u64::decode_var(self.bytes).ok_or("a variable-length integer does not end")?;
        self.bytes = self.bytes.get(len..).ok_or("it ends too early")?;
        Ok(value)
    }

    /// A number of items in a block.
    pub(crate) fn count(&mut self) -> Result<u64, Problem> {
        let count = self.varint()?;
        if count > COUNT_MAX { Err("it claims more than 8192 items") } else { Ok(count) }
    }

    pub(crate) fn bytes(&mut self, len_max: usize, problem: Problem) -> Result<&'a [u8], Problem> {
        let len = self.varint()?;
        if len > len_max as u64 {
            return Err(problem);
        }
        self.take(len as usize)
    }

    pub(crate) fn text(&mut self, len_max: usize, problem: Problem) -> Result<&'a str, Problem> {
        str::from_utf8(self.bytes(len_max, problem)?).map_err(|_| "a text is not UTF-8")
    }

    pub(crate) fn end(&self) -> Result<(), Problem> {
        if self.bytes.is_empty() { Ok(()) } else { Err("bytes are left over") }
    }
}
