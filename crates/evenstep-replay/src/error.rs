//! Errors of recording, reading and playing.

use std::fmt::Write as _;
use std::{fmt, io};

/// What went wrong in recording, reading or playing.
///
/// An error of a file names the offset of the byte, or of the block, at which it was found.
///
/// ```
/// use evenstep_replay::{Error, Recording};
///
/// let error = Recording::read(&b"GIF89a-------"[..]).unwrap_err();
/// assert!(matches!(error, Error::NotARecording { .. }));
/// assert_eq!(error.to_string(), "at byte 0: not a recording: it begins with 47 49 46 38 39 61 2d 2d");
/// ```
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are the numbers that the message names")]
pub enum Error {
    /// The input could not be read.
    #[non_exhaustive]
    Read { offset: u64, source: io::Error },
    /// The recording could not be written.
    #[non_exhaustive]
    Write { offset: u64, source: io::Error },
    /// The file does not begin like a recording.
    #[non_exhaustive]
    NotARecording { offset: u64, found: Vec<u8> },
    /// The file has a newer version of the format.
    #[non_exhaustive]
    NewerVersion { offset: u64, found: u16, newest: u16 },
    /// The file ends in the middle of a block, as after a crash.
    #[non_exhaustive]
    Truncated { offset: u64, missing: u64 },
    /// A block claims to be longer than any block may be.
    #[non_exhaustive]
    BlockTooLong { offset: u64, bytes: u64, bytes_max: u64 },
    /// A block's checksum does not match its bytes.
    #[non_exhaustive]
    Checksum { offset: u64, stored: u32, computed: u32 },
    /// A block's checksum matches, but its contents do not follow the format.
    #[non_exhaustive]
    Block { offset: u64, kind: u8, problem: &'static str },
    /// The recording was made by another engine, game, rate or configuration.
    #[non_exhaustive]
    Refused { field: &'static str, recorded: String, expected: String },
    /// Something is too large for the format.
    #[non_exhaustive]
    TooLarge { what: &'static str, bytes: u64, bytes_max: u64 },
    /// A number is not one that the format can hold.
    #[non_exhaustive]
    OutOfRange { what: &'static str, value: u64, min: u64, max: u64 },
    /// The simulation reports other parts than when the recording began.
    #[non_exhaustive]
    Parts { tick: u64, parts: usize, recorded: usize },
    /// There is nothing in the ring to write.
    EmptyRing,
    /// A tick is not in the recording.
    #[non_exhaustive]
    NoSuchTick { tick: u64, first: u64, last: u64 },
    /// The game cannot read the input of a tick.
    #[non_exhaustive]
    Input { tick: u64, hex: String },
    /// The game cannot load the snapshot of a tick.
    #[non_exhaustive]
    Load { tick: u64, source: Box<dyn std::error::Error + Send + Sync> },
}

impl Error {
    /// Returns where in the file the error is, if it is in a file.
    pub const fn offset(&self) -> Option<u64> {
        match self {
            Self::Read { offset, .. }
            | Self::Write { offset, .. }
            | Self::NotARecording { offset, .. }
            | Self::NewerVersion { offset, .. }
            | Self::Truncated { offset, .. }
            | Self::BlockTooLong { offset, .. }
            | Self::Checksum { offset, .. }
            | Self::Block { offset, .. } => Some(*offset),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(offset) = self.offset() {
            write!(out, "at byte {offset}: ")?;
        }
        match self {
            Self::Read { .. } => write!(out, "the recording cannot be read"),
            Self::Write { .. } => write!(out, "the recording cannot be written and ends here"),
            Self::NotARecording { found, .. } if found.is_empty() => {
                write!(out, "not a recording: the file is empty")
            }
            Self::NotARecording { found, .. } => {
                write!(out, "not a recording: it begins with {}", spaced(found))
            }
            Self::NewerVersion { found, newest, .. } => {
                write!(out, "format version {found} is newer than {newest}, the newest known here")
            }
            Self::Truncated { missing, .. } => {
                write!(out, "the file ends in the middle of a block, {missing} bytes too early")
            }
            Self::BlockTooLong { bytes, bytes_max, .. } => {
                write!(out, "a block of {bytes} bytes is longer than the limit of {bytes_max}")
            }
            Self::Checksum { stored, computed, .. } => {
                write!(out, "damaged block: its checksum is {computed:08x}, not {stored:08x}")
            }
            Self::Block { kind, problem, .. } => write!(out, "block of kind {kind}: {problem}"),
            Self::Refused { field, recorded, expected } => {
                // They come from a file, and go to a terminal.
                let recorded = recorded.escape_debug();
                let expected = expected.escape_debug();
                write!(out, "recorded with {field} {recorded}, but this is {expected}")
            }
            Self::TooLarge { what, bytes, bytes_max } => {
                write!(out, "{what} of {bytes} bytes exceeds the limit of {bytes_max}")
            }
            Self::OutOfRange { what, value, min, max } => {
                write!(out, "{what} is {value}, which is not from {min} to {max}")
            }
            Self::Parts { tick, parts, recorded } => write!(
                out,
                "the state of tick {tick} has {parts} parts, not {recorded} as in the recording: report the same parts \
                 at every tick"
            ),
            Self::EmptyRing => write!(out, "the ring is empty: keep a tick before it is written"),
            Self::NoSuchTick { tick, first, last } => {
                write!(out, "tick {tick} is not in the recording, which has ticks {first} to {last}")
            }
            Self::Input { tick, hex } => write!(out, "the game cannot read the input of tick {tick}: {hex}"),
            Self::Load { tick, .. } => write!(out, "the game cannot load the snapshot of tick {tick}"),
        }
    }
}

/// Reads like `Display`, with the cause: what a `main` that returns an error prints.
impl fmt::Debug for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&with_causes(self))
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { source, .. } | Self::Write { source, .. } => Some(source),
            Self::Load { source, .. } => Some(source.as_ref()),
            _ => None,
        }
    }
}

/// Formats an error with its causes: `the recording cannot be written and ends here: no space left on device`.
///
/// ```
/// use evenstep_replay::{Error, Recording, with_causes};
///
/// struct Broken;
/// impl std::io::Read for Broken {
///     fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> { Err(std::io::Error::other("unplugged")) }
/// }
/// let error = Recording::read(Broken).unwrap_err();
/// assert_eq!(with_causes(&error), "at byte 0: the recording cannot be read: unplugged");
/// ```
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let said = error.to_string();
        // Some errors already say what caused them.
        if !text.ends_with(&said) {
            let _ = write!(text, ": {said}");
        }
        cause = error.source();
    }
    text
}

fn spaced(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// Formats bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
