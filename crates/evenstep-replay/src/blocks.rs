//! Blocks as they are in a file: length and checksum, but not yet what they mean.

use std::borrow::Cow;
use std::io::{self, Read};

use crate::error::Error;
use crate::format::{
    BLOCK_BYTES_MAX, BLOCK_HEAD, COMPRESSED, FILE_HEAD, FORMAT_VERSION, MAGIC, Problem, checksum,
};
use crate::pack::unpack;

/// Reads blocks, and checks their length and checksum.
pub(crate) struct Reader<R> {
    input: R,
    /// Bytes read so far, in whole blocks.
    pub(crate) offset: u64,
}

/// A block with a valid checksum.
pub(crate) struct RawBlock {
    pub(crate) offset: u64,
    pub(crate) kind: u8,
    flags: u8,
    payload: Vec<u8>,
}

impl RawBlock {
    pub(crate) fn decoded(&self) -> Result<Cow<'_, [u8]>, Problem> {
        match self.flags {
            0 => Ok(Cow::Borrowed(&self.payload)),
            COMPRESSED => unpack(&self.payload).map(Cow::Owned),
            _ => Err("an unknown flag"),
        }
    }

    pub(crate) fn keep(self, tick: u64) -> Block {
        Block { tick, is_compressed: self.flags == COMPRESSED, payload: self.payload.into() }
    }
}

impl<R: Read> Reader<R> {
    pub(crate) fn new(input: R) -> Result<Self, Error> {
        let mut reader = Self { input, offset: 0 };
        let mut head = [0; FILE_HEAD];
        let len = reader.fill(&mut head)?;
        if len < MAGIC.len() || head[..MAGIC.len()] != MAGIC {
            let found = head[..len.min(MAGIC.len())].to_vec();
            return Err(Error::NotARecording { offset: 0, found });
        }
        if len < FILE_HEAD {
            return Err(Error::Truncated { offset: 0, missing: (FILE_HEAD - len) as u64 });
        }
        let found = u16::from_le_bytes([head[8], head[9]]);
        if found > FORMAT_VERSION {
            return Err(Error::NewerVersion { offset: 8, found, newest: FORMAT_VERSION });
        }
        if found == 0 || head[10..] != [0, 0] {
            return Err(Error::NotARecording { offset: 8, found: head[8..].to_vec() });
        }
        reader.offset = FILE_HEAD as u64;
        Ok(reader)
    }

    /// Reads the next block. `None` at the end of the file.
    pub(crate) fn next(&mut self) -> Result<Option<RawBlock>, Error> {
        let offset = self.offset;
        let mut head = [0; BLOCK_HEAD];
        let got = self.fill(&mut head)?;
        if got == 0 {
            return Ok(None);
        }
        if got < BLOCK_HEAD {
            return Err(Error::Truncated { offset, missing: (BLOCK_HEAD - got) as u64 });
        }
        let [kind, flags, a, b, c, d, ref sum @ ..] = head;
        let len = u32::from_le_bytes([a, b, c, d]) as usize;
        let stored = u32::from_le_bytes(*sum);
        if len > BLOCK_BYTES_MAX {
            let bytes = len as u64;
            let bytes_max = BLOCK_BYTES_MAX as u64;
            return Err(Error::BlockTooLong { offset, bytes, bytes_max });
        }
        // Allocated zeroed, so that a false length costs address space and no time.
        let mut payload = vec![0; len];
        let got = self.fill(&mut payload)?;
        if got < len {
            return Err(Error::Truncated { offset, missing: (len - got) as u64 });
        }
        let computed = checksum(&head[..6], &payload);
        if computed != stored {
            return Err(Error::Checksum { offset, stored, computed });
        }
        self.offset += (BLOCK_HEAD + len) as u64;
        Ok(Some(RawBlock { offset, kind, flags, payload }))
    }

    /// Reads until the buffer is full or the input ends. Returns how many bytes were read.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        let mut done = 0;
        while done < buffer.len() {
            match self.input.read(&mut buffer[done..]) {
                Ok(0) => break,
                Ok(len) => done += len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => return Err(Error::Read { offset: self.offset + done as u64, source }),
            }
        }
        Ok(done)
    }
}

/// A block whose contents have been checked.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Of its first tick.
    pub(crate) tick: u64,
    is_compressed: bool,
    payload: Box<[u8]>,
}

impl Block {
    pub(crate) fn payload(&self) -> Cow<'_, [u8]> {
        if self.is_compressed {
            Cow::Owned(unpack(&self.payload).unwrap_or_default())
        } else {
            Cow::Borrowed(&self.payload)
        }
    }
}
