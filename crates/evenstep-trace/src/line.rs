//! The lines after the header: frames and commands.

use std::time::Duration;

use evenstep::{Command, Pacer, Pacing};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::json;
use crate::options;

/// A line after the header.
///
/// ```
/// use evenstep::{Command, Gate};
/// use evenstep_trace::{Line, Reader};
/// use std::time::Duration;
///
/// # fn main() -> Result<(), evenstep_trace::Error> {
/// let trace = "{\"trace\":2}\n{\"gate\":\"paused\"}\n{\"frame_ns\":16700000}\n";
/// let lines: Result<Vec<Line>, _> = Reader::open(trace.as_bytes())?.collect();
/// let pause = Command::Gate(Gate::Paused);
/// assert_eq!(lines?, [Line::Command(Box::new(pause)), Line::Frame(Duration::from_micros(16_700))]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Line {
    /// A display frame, with the host's timestamp.
    Frame(Duration),
    /// What the pacer was told before the next frame. A [`Command::Pacing`] has all options, whatever the file left out.
    Command(Box<Command>),
    /// The complete pacer, at the start of a recording that begins in the middle of a game.
    State(Box<Pacer>),
}

impl Line {
    /// Parses a line. Options that a change of configuration leaves out are those of `pacing`.
    pub(crate) fn parse(text: &str, pacing: &Pacing) -> Result<Self, String> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Frame {
            frame_ns: u64,
        }
        // Almost every line has this form.
        let plain = text.strip_prefix("{\"frame_ns\":").and_then(|rest| rest.strip_suffix('}'));
        if let Some(at_ns) =
            plain.filter(|digits| json::is_plain_number(digits)).and_then(|it| it.parse().ok())
        {
            return Ok(Self::Frame(Duration::from_nanos(at_ns)));
        }
        let line = json::first_name(text).and_then(|name| match &*name {
            "frame_ns" => json::parse::<Frame>(text).map(|it| Self::Frame(Duration::from_nanos(it.frame_ns))),
            "state" => parse_state(text).map(Self::State),
            _ => parse_command(text, pacing).map(|command| Self::Command(Box::new(command))),
        });
        line.map_err(|error| format!("expected a frame (`frame_ns`) or a command: {error}"))
    }
}

/// Parses a complete pacer, spelled as serde writes it: nothing left out, nothing added.
fn parse_state(text: &str) -> Result<Box<Pacer>, String> {
    #[derive(Deserialize, Serialize)]
    #[serde(deny_unknown_fields)]
    struct State {
        state: Box<Pacer>,
    }
    let read: State = json::parse(text)?;
    let written = serde_json::to_string(&read).map_err(|error| error.to_string())?;
    if json::parse::<Value>(text)? == json::parse::<Value>(&written)? {
        Ok(read.state)
    } else {
        Err("a state has every field of a pacer, each in its own form".into())
    }
}

fn parse_command(text: &str, pacing: &Pacing) -> Result<Command, String> {
    let command = json::parse(text)?;
    let fields = json::fields(text)?;
    match command {
        Command::Pacing(_) => options::onto(pacing, fields.get("pacing")).map(Command::Pacing),
        command => Ok(command),
    }
}
