//! The envelope of a snapshot: name, version and checksum, with limits on what is read back.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::bounded::{Bounded, Budget};
use crate::error::SnapshotError;

/// A snapshot format: a name, a version, and limits on what reading one may cost.
///
/// [`Physics`](crate::Physics) has its own; a game that keeps a world inside a larger state defines another.
///
/// ```text
/// bytes   | name: 4 | version: 2 | value in postcard encoding | xxh3 of everything before: 8 |
/// ```
///
/// ```
/// use evenstep_rapier::{SnapshotError, SnapshotFormat};
///
/// const SCORES: SnapshotFormat = SnapshotFormat::new("SCOR", 1).with_bytes_max(1_024);
/// let bytes = SCORES.write(&vec![300_u32, 120]);
/// assert_eq!(SCORES.read::<Vec<u32>>(&bytes).unwrap(), [300, 120]);
/// assert!(matches!(SCORES.read::<Vec<u32>>(&bytes[1..]), Err(SnapshotError::Header { .. })));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SnapshotFormat {
    name: &'static str,
    version: u16,
    bytes_max: usize,
    memory_max: usize,
}

/// Length of name and version in bytes.
const HEADER: usize = 6;
/// Length of the checksum in bytes.
const CHECKSUM: usize = 8;

impl SnapshotFormat {
    /// Creates a format with limits that suit a world of about ten thousand bodies.
    ///
    /// # Panics
    ///
    /// If the name is not four bytes long; in a constant, at compile time.
    pub const fn new(name: &'static str, version: u16) -> Self {
        assert!(name.len() == 4, "the name of a snapshot format must be four bytes long");
        Self { name, version, bytes_max: 16 << 20, memory_max: 256 << 20 }
    }

    /// Rejects snapshots longer than this. The default is 16 MiB.
    pub const fn with_bytes_max(self, bytes_max: usize) -> Self {
        Self { bytes_max, ..self }
    }

    /// Rejects snapshots whose lists take more memory than this to decode. The default is 256 MiB.
    pub const fn with_memory_max(self, memory_max: usize) -> Self {
        Self { memory_max, ..self }
    }

    /// Returns the maximum length of a snapshot, in bytes.
    pub const fn bytes_max(&self) -> usize {
        self.bytes_max
    }

    /// Returns the maximum memory for decoding lists, in bytes.
    pub const fn memory_max(&self) -> usize {
        self.memory_max
    }

    /// Writes a value as a snapshot.
    ///
    /// # Panics
    ///
    /// If the value's `Serialize` implementation fails.
    pub fn write(&self, value: &impl Serialize) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write_into(value, &mut bytes);
        bytes
    }

    /// Appends a snapshot to `bytes`, and reuses their memory.
    ///
    /// # Panics
    ///
    /// If the value's `Serialize` implementation fails.
    pub fn write_into(&self, value: &impl Serialize, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        bytes.extend(self.header());
        *bytes = postcard::to_extend(value, std::mem::take(bytes)).expect("the value can be serialised");
        let checksum = xxh3_64(&bytes[start..]);
        bytes.extend(checksum.to_le_bytes());
    }

    /// Reads a value from a snapshot. Nothing is decoded unless the checksum matches.
    ///
    /// # Errors
    ///
    /// If the bytes are too long, have another name or version, are damaged, do not decode as a `T`, or continue after
    /// it.
    pub fn read<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T, SnapshotError> {
        let value = self.open(bytes)?;
        let budget = Budget::new(self.memory_max);
        let mut input = postcard::Deserializer::from_bytes(value);
        let decoded = T::deserialize(Bounded::new(&mut input, &budget));
        let malformed =
            |source| budget.exceeded().unwrap_or(SnapshotError::Malformed { bytes: bytes.len(), source });
        let decoded = decoded.map_err(malformed)?;
        match input.finalize().map_err(malformed)? {
            [] => Ok(decoded),
            left => Err(SnapshotError::Trailing { bytes: left.len() }),
        }
    }

    /// Returns the bytes between header and checksum if both are valid.
    fn open<'de>(&self, bytes: &'de [u8]) -> Result<&'de [u8], SnapshotError> {
        if bytes.len() > self.bytes_max {
            return Err(SnapshotError::TooLong { bytes: bytes.len(), bytes_max: self.bytes_max });
        }
        let header = || SnapshotError::Header { bytes: bytes.len(), name: self.name, version: self.version };
        let (checked, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or_else(header)?;
        let value = checked.strip_prefix(&self.header()).ok_or_else(header)?;
        let stored = u64::from_le_bytes(*checksum);
        let computed = xxh3_64(checked);
        if stored != computed {
            return Err(SnapshotError::Checksum { stored, computed });
        }
        Ok(value)
    }

    fn header(&self) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        let version = self.version.to_le_bytes();
        header[..4].copy_from_slice(self.name.as_bytes());
        header[4..].copy_from_slice(&version);
        header
    }
}
