//! The first line of a trace.

use std::fmt::Write as _;

use evenstep::{DisplayLock, Pacing};

use crate::json;
use crate::pacing::PacingOptions;

/// An example for errors.
pub(crate) const EXAMPLE: &str = "{\"trace\":1,\"profile\":\"evenstep\"}";

/// The kind of game loop that a trace is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// The loop of Starship Survivors, with phases, missions and three speed channels.
    Starship,
    /// A fixed time step with separate rates for steps and drawing.
    FixedTimeStep,
    /// A game loop with hitstop and a time scale.
    GameLoop,
    /// Evenstep's defaults, with the display lock.
    #[default]
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

    /// Returns the loop's configuration.
    pub const fn pacing(self) -> Pacing {
        match self {
            Self::Starship => Pacing::starship(),
            Self::FixedTimeStep => Pacing::fixed_time_step(),
            Self::GameLoop => Pacing::game_loop(),
            Self::Evenstep => Pacing::hz(60),
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
///
/// [`Header::new`] makes a header of version 1, for timestamps. [`Header::of`] makes one of version 2, which says
/// everything about a pacer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Header {
    /// The loop to replay the trace with; in version 2, its options are changed by `options`.
    pub profile: Profile,
    /// Version 1: turns the display lock on or off. `None` keeps the profile's setting.
    pub display_lock: Option<bool>,
    /// Version 1: the time of the start, in milliseconds, from which the first frame's elapsed time counts. In version 2
    /// the first frame starts the clock.
    pub start_ms: f64,
    /// Version 2: the options that differ from the profile's. `None` in version 1.
    pub options: Option<PacingOptions>,
}

/// The version of a header.
#[derive(serde::Deserialize)]
struct RawVersion {
    trace: u64,
}

/// The header as stored in a file of version 1.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct RawHeader {
    #[serde(rename = "trace")]
    _version: u64,
    profile: Profile,
    #[serde(default, deserialize_with = "json::present")]
    display_lock: Option<bool>,
    #[serde(default)]
    start_ms: f64,
}

/// The header as stored in a file of version 2.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct RawHeader2 {
    #[serde(rename = "trace")]
    _version: u64,
    #[serde(default)]
    profile: Profile,
    #[serde(default)]
    pacing: PacingOptions,
}

impl Header {
    /// Creates a header of version 1 with the profile's own display lock setting, starting at 0 ms.
    pub const fn new(profile: Profile) -> Self {
        Self { profile, display_lock: None, start_ms: 0.0, options: None }
    }

    /// Creates a header of version 2 with all options of a configuration.
    pub fn of(pacing: &Pacing) -> Self {
        Self { options: Some(PacingOptions::of(pacing)), ..Self::new(Profile::Evenstep) }
    }

    /// Returns the version of the format: 1 or 2.
    pub const fn version(&self) -> u64 {
        if self.options.is_some() { 2 } else { 1 }
    }

    /// Returns the configuration to replay the trace with.
    pub fn pacing(&self) -> Pacing {
        let pacing = self.profile.pacing();
        match (&self.options, self.display_lock) {
            (Some(options), _) => options.onto(pacing),
            (None, Some(true)) => pacing.with_display_lock(DisplayLock::Follow),
            (None, Some(false)) => pacing.with_display_lock(DisplayLock::Off),
            (None, None) => pacing,
        }
    }

    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let expected = |error| format!("expected a header such as {EXAMPLE}: {error}");
        let version = json::parse::<RawVersion>(text).map_or(1, |raw| raw.trace);
        match version {
            1 => {
                let raw: RawHeader = json::parse_object(text, &[]).map_err(expected)?;
                let RawHeader { profile, display_lock, start_ms, .. } = raw;
                Ok(Self { profile, display_lock, start_ms, options: None })
            }
            2 => {
                if let Some(name) = json::names_an_array(text) {
                    return Err(expected(format!("{name} cannot be an array")));
                }
                let raw: RawHeader2 = json::parse(text).map_err(expected)?;
                raw.pacing.check().map_err(expected)?;
                Ok(Self { options: Some(raw.pacing), ..Self::new(raw.profile) })
            }
            _ => Err(format!("expected trace format 1 or 2, found {version}")),
        }
    }

    /// Formats the header for [`Self::parse`]. Version 1 is written by hand, so that a page that only writes it needs no
    /// JSON library.
    pub(crate) fn to_text(&self) -> Result<String, String> {
        let mut text = format!("{{\"trace\":{},\"profile\":\"{}\"", self.version(), self.profile.name());
        if let Some(options) = &self.options {
            options.check()?;
            let options = serde_json::to_string(options).map_err(|error| error.to_string())?;
            let _ = write!(text, ",\"pacing\":{options}}}");
            return Ok(text);
        }
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
