//! The lines of a pacing trace, format 1.

use std::time::Duration;

use serde::de::{Deserialize, Deserializer};

/// The format that this reader knows.
const VERSION: u64 = 1;

/// Which loop plays the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// Seeds 000 and 001.
    Starship,
    /// Seed 002.
    FixedTimeStep,
    /// Seed 003.
    GameLoop,
    /// The recommended defaults.
    Evenstep,
}

impl Profile {
    /// The name in a header.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Starship => "starship",
            Self::FixedTimeStep => "fixed-time-step",
            Self::GameLoop => "game-loop",
            Self::Evenstep => "evenstep",
        }
    }
}

/// The first line.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    trace: u64,
    /// Which loop plays the trace.
    pub profile: Profile,
    /// Overrides the profile's display lock.
    #[serde(default, deserialize_with = "present")]
    pub display_lock: Option<bool>,
    /// The instant before the first frame.
    #[serde(default)]
    pub start_ms: f64,
}

impl Header {
    /// Reads the first line.
    ///
    /// # Errors
    ///
    /// What was expected, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let header: Self = parse_object(text).map_err(|error| {
            format!("expected a header such as {{\"trace\":1,\"profile\":\"evenstep\"}}: {error}")
        })?;
        if header.trace != VERSION {
            return Err(format!("expected trace format {VERSION}, found {}", header.trace));
        }
        Ok(header)
    }
}

/// A line after the first.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// A display frame at the host's timestamp.
    Frame {
        /// In milliseconds.
        at_ms: f64,
    },
    /// What the game did before the next frame.
    Controls(Box<Controls>),
}

/// Controls that share a line; applied in the order of these fields.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the format, which documents them")]
pub struct Controls {
    pub reset: Option<Reset>,
    pub phase: Option<Phase>,
    pub time_dilation: Option<f64>,
    pub level_speed: Option<f64>,
    pub juice: Option<f64>,
    pub test_speed: Option<f64>,
    pub hit_freeze: Option<Duration>,
    pub invert: Option<Duration>,
    pub mission: Option<Mission>,
    pub set_fps: Option<SetFps>,
    pub time_scale: Option<f64>,
    pub hitstop: Option<Hitstop>,
    pub pause: Option<bool>,
    pub step: Option<u32>,
}

/// Starship's phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are those of the format, which documents them")]
pub enum Phase {
    Menu,
    Birth,
    Playing,
    Dead,
}

/// Starship's two resets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are those of the format, which documents them")]
pub enum Reset {
    FrameTiming,
    NewGame,
}

/// A mission that begins.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are those of the format, which documents them")]
pub struct Mission {
    pub timer_s: f64,
    #[serde(default)]
    pub sandbox: bool,
    #[serde(default)]
    pub boss_room: bool,
}

/// Seed 002's `setFps`.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are those of the format, which documents them")]
pub struct SetFps {
    pub render: f64,
    #[serde(default, deserialize_with = "present")]
    pub fixed: Option<f64>,
}

/// Seed 003's `triggerHitstop`.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are those of the format, which documents them")]
pub struct Hitstop {
    pub frames: u32,
    pub intensity: f64,
}

/// A line as it stands in the file, before anything is known of the profile.
#[derive(Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawLine {
    #[serde(deserialize_with = "present")]
    frame_ms: Option<f64>,
    #[serde(deserialize_with = "present")]
    reset: Option<Reset>,
    #[serde(deserialize_with = "present")]
    phase: Option<Phase>,
    #[serde(deserialize_with = "present")]
    time_dilation: Option<f64>,
    #[serde(deserialize_with = "present")]
    level_speed: Option<f64>,
    #[serde(deserialize_with = "present")]
    juice: Option<f64>,
    #[serde(deserialize_with = "present")]
    test_speed: Option<f64>,
    #[serde(deserialize_with = "present")]
    hit_freeze_s: Option<f64>,
    #[serde(deserialize_with = "present")]
    invert_s: Option<f64>,
    #[serde(deserialize_with = "present")]
    mission: Option<Mission>,
    #[serde(deserialize_with = "present")]
    set_fps: Option<SetFps>,
    #[serde(deserialize_with = "present")]
    time_scale: Option<f64>,
    #[serde(deserialize_with = "present")]
    hitstop: Option<Hitstop>,
    #[serde(deserialize_with = "present")]
    pause: Option<bool>,
    #[serde(deserialize_with = "present")]
    step: Option<u32>,
}

impl Line {
    /// Reads a line after the first.
    ///
    /// # Errors
    ///
    /// What was expected, in words.
    pub fn parse(text: &str, profile: Profile) -> Result<Self, String> {
        let expected = |error| format!("expected a frame or a control of {}: {error}", profile.name());
        let raw: RawLine = parse_object(text).map_err(expected)?;
        raw.check_profile(profile).map_err(expected)?;
        if let Some(at_ms) = raw.frame_ms {
            if raw.controls() > 0 {
                return Err("expected a frame or controls, found both on one line".into());
            }
            return Ok(Self::Frame { at_ms });
        }
        if raw.controls() == 0 {
            return Err("expected a frame or a control, found an empty object".into());
        }
        raw.into_controls().map(|controls| Self::Controls(Box::new(controls)))
    }
}

impl RawLine {
    /// Every control: its name, whether the line has it, and the profiles it belongs to.
    fn each_control(&self) -> [(&'static str, bool, &'static [Profile]); 14] {
        const STARSHIP: &[Profile] = &[Profile::Starship];
        const FIXED: &[Profile] = &[Profile::FixedTimeStep];
        const SCALED: &[Profile] = &[Profile::GameLoop, Profile::Evenstep];
        const ALL: &[Profile] =
            &[Profile::Starship, Profile::FixedTimeStep, Profile::GameLoop, Profile::Evenstep];
        [
            ("reset", self.reset.is_some(), STARSHIP),
            ("phase", self.phase.is_some(), STARSHIP),
            ("time_dilation", self.time_dilation.is_some(), STARSHIP),
            ("level_speed", self.level_speed.is_some(), STARSHIP),
            ("juice", self.juice.is_some(), STARSHIP),
            ("test_speed", self.test_speed.is_some(), STARSHIP),
            ("hit_freeze_s", self.hit_freeze_s.is_some(), STARSHIP),
            ("invert_s", self.invert_s.is_some(), STARSHIP),
            ("mission", self.mission.is_some(), STARSHIP),
            ("set_fps", self.set_fps.is_some(), FIXED),
            ("time_scale", self.time_scale.is_some(), SCALED),
            ("hitstop", self.hitstop.is_some(), SCALED),
            ("pause", self.pause.is_some(), ALL),
            ("step", self.step.is_some(), ALL),
        ]
    }

    fn controls(&self) -> usize {
        self.each_control().iter().filter(|(_, given, _)| *given).count()
    }

    fn check_profile(&self, profile: Profile) -> Result<(), String> {
        for (name, given, profiles) in self.each_control() {
            if given && !profiles.contains(&profile) {
                let owners: Vec<_> = profiles.iter().map(|owner| owner.name()).collect();
                return Err(format!("`{name}` belongs to {}", owners.join(" and ")));
            }
        }
        Ok(())
    }

    fn into_controls(self) -> Result<Controls, String> {
        if let Some(mission) = self.mission {
            not_negative("timer_s", mission.timer_s)?;
        }
        if let Some(hitstop) = self.hitstop {
            not_negative("intensity", hitstop.intensity)?;
        }
        for (name, scale) in [
            ("time_dilation", self.time_dilation),
            ("level_speed", self.level_speed),
            ("test_speed", self.test_speed),
        ] {
            not_negative(name, scale.unwrap_or_default())?;
        }
        Ok(Controls {
            reset: self.reset,
            phase: self.phase,
            time_dilation: self.time_dilation,
            level_speed: self.level_speed,
            juice: self.juice,
            test_speed: self.test_speed,
            hit_freeze: seconds("hit_freeze_s", self.hit_freeze_s)?,
            invert: seconds("invert_s", self.invert_s)?,
            mission: self.mission,
            set_fps: self.set_fps,
            time_scale: self.time_scale,
            hitstop: self.hitstop,
            pause: self.pause,
            step: self.step,
        })
    }
}

fn not_negative(name: &str, value: f64) -> Result<(), String> {
    if value < 0.0 { Err(format!("expected `{name}` to be 0 or more, found {value}")) } else { Ok(()) }
}

fn seconds(name: &str, value: Option<f64>) -> Result<Option<Duration>, String> {
    let Some(value) = value else { return Ok(None) };
    not_negative(name, value)?;
    match Duration::try_from_secs_f64(value) {
        Ok(duration) => Ok(Some(duration)),
        Err(_) => Err(format!("expected `{name}` to be a time in seconds, found {value}")),
    }
}

/// A field that is there has a value: `null` is not "absent".
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(field: D) -> Result<Option<T>, D::Error> {
    T::deserialize(field).map(Some)
}

fn parse_object<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, String> {
    // A struct may also be read from an array of its fields; the format has objects only.
    if !text.starts_with('{') {
        return Err(format!("a line is a JSON object, not {}", shortened(text)));
    }
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        // Each line is a document of its own to the reader, so its "line 1" would only confuse.
        match message.rsplit_once(" at line ") {
            Some((what, _)) if error.column() > 0 => format!("{what} (column {})", error.column()),
            Some((what, _)) => what.to_owned(),
            None => message,
        }
    })
}

fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    if text.chars().count() <= SHOWN {
        return format!("`{text}`");
    }
    let start: String = text.chars().take(SHOWN).collect();
    format!("`{start}…`")
}
