//! The header, and configurations of which a file has only the options that differ from another.

use evenstep::Pacing;
use serde::Deserialize;
use serde_json::Value;

use crate::json;

/// An example for errors.
pub(crate) const EXAMPLE: &str = "{\"trace\":2,\"profile\":\"evenstep\"}";

/// The version of the format.
const VERSION: u64 = 2;

/// The configuration that the options of a header are changes to.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Profile {
    Starship,
    FixedTimeStep,
    GameLoop,
    #[default]
    Evenstep,
}

impl Profile {
    const fn pacing(self) -> Pacing {
        match self {
            Self::Starship => Pacing::starship(),
            Self::FixedTimeStep => Pacing::fixed_time_step(),
            Self::GameLoop => Pacing::game_loop(),
            Self::Evenstep => Pacing::hz(60),
        }
    }
}

/// Parses the first line of a trace.
pub(crate) fn parse_header(text: &str) -> Result<Pacing, String> {
    #[derive(Deserialize)]
    struct Version {
        trace: u64,
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Header {
        #[serde(rename = "trace")]
        _version: u64,
        #[serde(default)]
        profile: Profile,
        #[serde(default, rename = "pacing")]
        _pacing: Pacing,
    }
    if let Ok(Version { trace }) = json::parse(text)
        && trace != VERSION
    {
        return Err(format!("expected trace format {VERSION}, found {trace}"));
    }
    let header = json::parse::<Header>(text)
        .and_then(|header| onto(&header.profile.pacing(), json::fields(text)?.get("pacing")));
    header.map_err(|error| format!("expected a header such as {EXAMPLE}: {error}"))
}

/// Formats the first line of a trace.
pub(crate) fn header(pacing: &Pacing) -> Result<String, String> {
    let options = serde_json::to_string(pacing).map_err(|error| error.to_string())?;
    Ok(format!("{{\"trace\":{VERSION},\"profile\":\"evenstep\",\"pacing\":{options}}}"))
}

/// Replaces the options that a file gives. They have been checked one by one.
pub(crate) fn onto(pacing: &Pacing, options: Option<&Value>) -> Result<Pacing, String> {
    let mut all = serde_json::to_value(pacing).map_err(|error| error.to_string())?;
    for (name, value) in options.and_then(Value::as_object).into_iter().flatten() {
        match (name.as_str(), value.as_object()) {
            ("channels", Some(given)) => {
                for (channel, range) in given {
                    all["channels"][channel] = range.clone();
                }
            }
            _ => all[name] = value.clone(),
        }
    }
    serde_json::from_value(all).map_err(|error| error.to_string())
}
