//! The first line of a trace.

use std::fmt::Write as _;

use crate::json;

/// The format version that this crate reads and writes.
const VERSION: u64 = 1;

/// The kind of game loop that a trace is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// The loop of Starship Survivors, with phases, missions and three speed channels.
    Starship,
    /// A fixed time step with separate rates for steps and drawing.
    FixedTimeStep,
    /// A game loop with hitstop and a time scale.
    GameLoop,
    /// Evenstep's defaults, with the display lock.
    Evenstep,
}

impl Profile {
    /// Returns the profile's name in a header, such as `game-loop`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Starship => "starship",
            Self::FixedTimeStep => "fixed-time-step",
            Self::GameLoop => "game-loop",
            Self::Evenstep => "evenstep",
        }
    }
}

/// The first line of a trace: the loop to replay it with, and when time starts.
///
/// ```
/// use evenstep_trace::{Header, Profile, Reader, Writer};
///
/// # fn main() -> Result<(), evenstep_trace::Error> {
/// let mut header = Header::new(Profile::Evenstep);
/// header.start_ms = 54_321.5; // The page was opened long before its first frame.
/// let file = Writer::new(Vec::new(), &header)?.finish()?;
/// assert_eq!(file, b"{\"trace\":1,\"profile\":\"evenstep\",\"start_ms\":54321.5}\n");
/// assert_eq!(*Reader::open(&file[..])?.header(), header);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Header {
    /// The loop to replay the trace with.
    pub profile: Profile,
    /// Turns the display lock on or off. `None` keeps the profile's setting.
    pub display_lock: Option<bool>,
    /// The time of the start, in milliseconds, from which the first frame's elapsed time counts.
    pub start_ms: f64,
}

/// The header as stored in a file of version 1. Other versions get their own struct.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct RawHeader {
    trace: u64,
    profile: Profile,
    #[serde(default, deserialize_with = "json::present")]
    display_lock: Option<bool>,
    #[serde(default)]
    start_ms: f64,
}

impl Header {
    /// Creates a header with the profile's own display lock setting, starting at 0 ms.
    pub const fn new(profile: Profile) -> Self {
        Self { profile, display_lock: None, start_ms: 0.0 }
    }

    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let raw: RawHeader = json::parse_object(text, &[]).map_err(|error| {
            format!("expected a header such as {{\"trace\":1,\"profile\":\"evenstep\"}}: {error}")
        })?;
        if raw.trace != VERSION {
            return Err(format!("expected trace format {VERSION}, found {}", raw.trace));
        }
        let RawHeader { profile, display_lock, start_ms, .. } = raw;
        Ok(Self { profile, display_lock, start_ms })
    }

    /// Formats the header for [`Self::parse`]. Written by hand, so that a page that only writes needs no JSON library.
    pub(crate) fn to_text(&self) -> Result<String, String> {
        let mut text = format!("{{\"trace\":{VERSION},\"profile\":\"{}\"", self.profile.name());
        if let Some(display_lock) = self.display_lock {
            let _ = write!(text, ",\"display_lock\":{display_lock}");
        }
        if self.start_ms != 0.0 {
            let start_ms = json::number("start_ms", self.start_ms)?;
            let _ = write!(text, ",\"start_ms\":{start_ms}");
        }
        text.push('}');
        Ok(text)
    }
}
