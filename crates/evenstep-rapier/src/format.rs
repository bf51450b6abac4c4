//! What a snapshot is wrapped in: a name, a version and a checksum, with limits on what is read back.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::bounded::{Bounded, Budget};
use crate::error::SnapshotError;

/// A format for snapshots: how they are wrapped, and what reading one may cost.
///
/// [`Physics`](crate::Physics) has one of its own; a game that keeps a world inside a larger state defines another.
///
/// ```text
/// bytes   | name: 4 | version: 2 | the value, as postcard writes it | xxh3 of all before: 8 |
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

/// Bytes of the name and the version, and of the checksum.
const HEADER: usize = 6;
const CHECKSUM: usize = 8;

impl SnapshotFormat {
    /// A format of this name and version, with limits that suit a world of some ten thousand bodies.
    ///
    /// # Panics
    ///
    /// If the name is not four bytes long; in a constant, at compile time.
    pub const fn new(name: &'static str, version: u16) -> Self {
        assert!(name.len() == 4, "a format's name has four letters");
        Self { name, version, bytes_max: 16 << 20, memory_max: 256 << 20 }
    }

    /// Refuses snapshots longer than this. 16 MiB unless set.
    pub const fn with_bytes_max(self, bytes_max: usize) -> Self {
        Self { bytes_max, ..self }
    }

    /// Refuses snapshots whose lists take more memory than this while they are decoded. 256 MiB unless set.
    pub const fn with_memory_max(self, memory_max: usize) -> Self {
        Self { memory_max, ..self }
    }

    /// The longest snapshot that is read, in bytes.
    pub const fn bytes_max(&self) -> usize {
        self.bytes_max
    }

    /// The most memory that decoding takes, in bytes.
    pub const fn memory_max(&self) -> usize {
        self.memory_max
    }

    /// The value as a snapshot.
    ///
    /// # Panics
    ///
    /// If the value refuses to be written. Memory itself can always be written to.
    pub fn write(&self, value: &impl Serialize) -> Vec<u8> {
        let mut bytes = postcard::to_extend(value, self.header().to_vec()).expect("memory can be written to");
        let checksum = xxh3_64(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// A value from a snapshot. Nothing is decoded before the checksum is right.
    ///
    /// # Errors
    ///
    /// When the bytes are too many, of another name or version, damaged, no such value, or more than one.
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

    /// The part between header and checksum, when both are right.
    fn open<'de>(&self, bytes: &'de [u8]) -> Result<&'de [u8], SnapshotError> {
        if bytes.len() > self.bytes_max {
            return Err(SnapshotError::TooLong { bytes: bytes.len(), bytes_max: self.bytes_max });
        }
        let header = || SnapshotError::Header { bytes: bytes.len(), name: self.name, version: self.version };
        let (checked, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or_else(header)?;
        let value = checked.strip_prefix(&self.header()).ok_or_else(header)?;
        let (stored, computed) = (u64::from_le_bytes(*checksum), xxh3_64(checked));
        if stored != computed {
            return Err(SnapshotError::Checksum { stored, computed });
        }
        Ok(value)
    }

    fn header(&self) -> [u8; HEADER] {
        let (mut header, version) = ([0; HEADER], self.version.to_le_bytes());
        header[..4].copy_from_slice(self.name.as_bytes());
        header[4..].copy_from_slice(&version);
        header
    }
}
