//! Why bytes are no snapshot.

use std::error::Error;
use std::fmt;

use evenstep::Rate;

use crate::clock::StepClock;

/// Why bytes are no snapshot.
///
/// ```
/// use evenstep_rapier::{Physics, SnapshotError};
///
/// let mut bytes = Physics::at_hz(60, 60).save();
/// bytes[20] ^= 1;
/// assert!(matches!(Physics::restore(&bytes), Err(SnapshotError::Checksum { .. })));
/// ```
#[derive(Debug)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are the numbers that the message names")]
pub enum SnapshotError {
    /// They do not begin with the name and the version of the format.
    #[non_exhaustive]
    Header { bytes: usize, name: &'static str, version: u16 },
    /// There are more of them than a snapshot may have.
    #[non_exhaustive]
    TooLong { bytes: usize, bytes_max: usize },
    /// They were changed since they were saved, or cut off.
    #[non_exhaustive]
    Checksum { stored: u64, computed: u64 },
    /// They do not decode.
    #[non_exhaustive]
    Malformed { bytes: usize, source: postcard::Error },
    /// They decode, but some are left.
    #[non_exhaustive]
    Trailing { bytes: usize },
    /// They ask for more memory than restoring may take.
    #[non_exhaustive]
    Memory { bytes_max: usize },
    /// They hold lists within lists, deeper than any world has.
    #[non_exhaustive]
    Depth { depth_max: u32 },
    /// A rate is 0, above 1,000,000 Hz or below one an hour.
    #[non_exhaustive]
    Rate { ticks: u32, seconds: u32 },
    /// Two rates that no clock runs at: too many steps a tick, or nothing in common.
    #[non_exhaustive]
    Rates { ticks: Rate, steps: Rate },
    /// More ticks wait than the two rates can leave waiting.
    #[non_exhaustive]
    Ticks { ticked: u64, period: u64 },
    /// A count in the world is above its bound.
    #[non_exhaustive]
    Count { what: &'static str, count: usize, count_max: usize },
    /// An item in the world refers to one that is not there.
    #[non_exhaustive]
    Reference { what: &'static str, index: u32 },
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header { bytes, name, version } => {
                write!(out, "{bytes} bytes that do not begin with {name} version {version}")
            }
            Self::TooLong { bytes, bytes_max } => {
                write!(out, "a snapshot of {bytes} bytes, at most {bytes_max} are read")
            }
            Self::Checksum { stored, computed } => {
                write!(out, "a damaged snapshot: checksum {stored:016x} stored, {computed:016x} computed")
            }
            Self::Malformed { bytes, .. } => write!(out, "a snapshot of {bytes} bytes that do not decode"),
            Self::Trailing { bytes } => write!(out, "a snapshot with {bytes} bytes after its end"),
            Self::Memory { bytes_max } => {
                write!(out, "a snapshot that takes more than {bytes_max} bytes of memory")
            }
            Self::Depth { depth_max } => write!(out, "a snapshot nested deeper than {depth_max} lists"),
            Self::Rate { ticks, seconds } => write!(out, "no rate: {ticks} in {seconds} s"),
            Self::Rates { ticks, steps } => write!(
                out,
                "ticks at {ticks} with steps at {steps}: more than {} steps a tick, or nothing in common",
                StepClock::STEPS_MAX
            ),
            Self::Ticks { ticked, period } => {
                write!(out, "{ticked} ticks wait for a step, fewer than {period} can")
            }
            Self::Count { what, count, count_max } => write!(out, "{count} {what}, at most {count_max}"),
            Self::Reference { what, index } => write!(out, "{what} of item {index} refers to nothing"),
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
