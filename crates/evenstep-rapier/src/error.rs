//! The error of reading a snapshot.

use std::error::Error;
use std::fmt;

use evenstep::Rate;

use crate::clock::StepClock;

/// The reason why bytes cannot be read as a snapshot.
///
/// ```
/// use evenstep_rapier::{Physics, SnapshotError};
///
/// let mut bytes = Physics::at_hz(60, 60).save();
/// bytes[20] ^= 1;
/// let error = Physics::restore(&bytes).unwrap_err();
/// assert!(matches!(error, SnapshotError::Checksum { .. }));
/// assert_eq!(format!("{error:?}"), error.to_string(), "what `main` prints");
/// ```
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are the numbers that the message names")]
pub enum SnapshotError {
    /// The bytes do not start with the name and version of the format.
    #[non_exhaustive]
    Header { bytes: usize, name: &'static str, version: u16 },
    /// The snapshot is longer than the format allows.
    #[non_exhaustive]
    TooLong { bytes: usize, bytes_max: usize },
    /// The checksum does not match: the bytes were changed or truncated.
    #[non_exhaustive]
    Checksum { stored: u64, computed: u64 },
    /// The bytes do not decode.
    #[non_exhaustive]
    Malformed { bytes: usize, source: postcard::Error },
    /// Bytes are left over after decoding.
    #[non_exhaustive]
    Trailing { bytes: usize },
    /// Decoding needs more memory than the format allows.
    #[non_exhaustive]
    Memory { bytes_max: usize },
    /// Lists are nested deeper than in any valid world.
    #[non_exhaustive]
    Depth { depth_max: u32 },
    /// A rate is 0, above 1,000,000 Hz or below one per hour.
    #[non_exhaustive]
    Rate { ticks: u32, seconds: u32 },
    /// The two rates cannot be combined: too many steps per tick, or too long a common period.
    #[non_exhaustive]
    Rates { ticks: Rate, steps: Rate },
    /// The tick count is not below the common period of the two rates.
    #[non_exhaustive]
    Ticks { ticked: u64, period: u64 },
    /// A count in the world exceeds its limit.
    #[non_exhaustive]
    Count { what: &'static str, count: usize, count_max: usize },
    /// A number that decides every step is not finite, or not positive where it must be.
    #[non_exhaustive]
    Number { what: &'static str, value: f32 },
    /// An item in the world refers to one that does not exist.
    #[non_exhaustive]
    Reference { what: &'static str, index: u32 },
}

/// What `main() -> Result<(), SnapshotError>` prints: the message.
impl fmt::Debug for SnapshotError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header { bytes, name, version } => {
                write!(out, "{bytes} bytes do not start with the header of {name} version {version}")
            }
            Self::TooLong { bytes, bytes_max } => {
                write!(out, "snapshot of {bytes} bytes exceeds the limit of {bytes_max}")
            }
            Self::Checksum { stored, computed } => {
                write!(out, "damaged snapshot: stored checksum {stored:016x}, computed {computed:016x}")
            }
            Self::Malformed { bytes, .. } => write!(out, "snapshot of {bytes} bytes cannot be decoded"),
            Self::Trailing { bytes } => write!(out, "{bytes} unexpected bytes after the end of the snapshot"),
            Self::Memory { bytes_max } => {
                write!(out, "decoding the snapshot takes more than {bytes_max} bytes of memory")
            }
            Self::Depth { depth_max } => write!(out, "snapshot is nested deeper than {depth_max} lists"),
            Self::Rate { ticks, seconds } => write!(out, "invalid rate: {ticks} in {seconds} s"),
            Self::Rates { ticks, steps } => write!(
                out,
                "ticks at {ticks} with steps at {steps}: more than {} steps per tick, or too long a common period",
                StepClock::STEPS_MAX
            ),
            Self::Ticks { ticked, period } => {
                write!(out, "{ticked} ticks since the last common step, must be below {period}")
            }
            Self::Count { what, count, count_max } => write!(out, "{count} {what}, at most {count_max}"),
            Self::Number { what, value } => write!(out, "invalid {what}: {value}"),
            Self::Reference { what, index } => write!(out, "{what} of item {index} refers to a missing item"),
        }
    }
}

impl Error for SnapshotError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Malformed { source, .. } => Some(source),
            _ => None,
        }
    }
}
