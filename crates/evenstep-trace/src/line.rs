//! The lines after the header: frames and controls.

use std::time::Duration;

use crate::control::Control;
use crate::header::Profile;
use crate::json;

/// A line after the header.
///
/// ```
/// use evenstep_trace::{Line, Reader};
///
/// # fn main() -> Result<(), evenstep_trace::Error> {
/// let trace = "{\"trace\":1,\"profile\":\"evenstep\"}\n{\"pause\":true}\n{\"frame_ms\":16.7}\n";
/// for line in Reader::open(trace.as_bytes())? {
///     match line? {
///         Line::Frame { at_ms, .. } => assert_eq!(at_ms, 16.7),
///         Line::Controls(controls) => assert_eq!(controls.pause, Some(true)),
///         Line::Control(_) => unreachable!("version 2"),
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// A display frame.
    #[non_exhaustive]
    Frame {
        /// The host's timestamp in milliseconds, always finite.
        at_ms: f64,
        /// Version 2: the same in nanoseconds, exactly.
        at_ns: Option<u64>,
    },
    /// Version 1: changes of the game's controls before the next frame.
    Controls(Box<Controls>),
    /// Version 2: one call to the pacer before the next frame.
    Control(Box<Control>),
}

const STARSHIP: &[Profile] = &[Profile::Starship];
const FIXED: &[Profile] = &[Profile::FixedTimeStep];
const SCALED: &[Profile] = &[Profile::GameLoop, Profile::Evenstep];
const ALL: &[Profile] = &[Profile::Starship, Profile::FixedTimeStep, Profile::GameLoop, Profile::Evenstep];

/// Controls whose value is an object.
const OBJECTS: &[&str] = &["mission", "set_fps", "hitstop"];

/// Declares every control once: its name in the file, its type and the profiles that support it.
macro_rules! controls {
    ($($(#[$doc:meta])* $name:ident: $type:ty, $profiles:ident;)*) => {
        /// The controls on one line, applied in the order of these fields.
        ///
        /// Names and units are the same as in the file. Each profile supports some of the controls; any other control
        /// is an error.
        ///
        /// ```
        /// use evenstep_trace::{Controls, Header, Hitstop, Profile, Writer};
        ///
        /// # fn main() -> Result<(), evenstep_trace::Error> {
        /// let mut controls = Controls::default();
        /// controls.time_scale = Some(0.5);
        /// controls.hitstop = Some(Hitstop { frames: 3, intensity: 0.1 });
        ///
        /// let mut writer = Writer::new(Vec::new(), &Header::new(Profile::GameLoop))?;
        /// writer.controls(&controls)?;
        /// let file = String::from_utf8(writer.finish()?).unwrap();
        /// assert!(file.ends_with("{\"time_scale\":0.5,\"hitstop\":{\"frames\":3,\"intensity\":0.1}}\n"));
        /// # Ok(())
        /// # }
        /// ```
        #[derive(Clone, Debug, Default, PartialEq)]
        #[non_exhaustive]
        pub struct Controls {
            $($(#[$doc])* pub $name: Option<$type>,)*
        }

        /// A line as stored in the file, not yet checked against the profile.
        #[derive(Default, serde::Deserialize, serde::Serialize)]
        #[serde(deny_unknown_fields, default)]
        struct RawLine {
            #[serde(deserialize_with = "json::present", skip_serializing_if = "Option::is_none")]
            frame_ms: Option<f64>,
            $(
                #[serde(deserialize_with = "json::present", skip_serializing_if = "Option::is_none")]
                $name: Option<$type>,
            )*
        }

        impl Controls {
            /// Returns the names of the controls that are set, and the profiles that support them.
            fn given(&self) -> impl Iterator<Item = (&'static str, &'static [Profile])> {
                [$((stringify!($name), self.$name.is_some(), $profiles),)*]
                    .into_iter()
                    .filter(|(_, is_given, _)| *is_given)
                    .map(|(name, _, profiles)| (name, profiles))
            }
        }

        impl From<&Controls> for RawLine {
            fn from(controls: &Controls) -> Self {
                Self { frame_ms: None, $($name: controls.$name,)* }
            }
        }

        impl From<RawLine> for Controls {
            fn from(line: RawLine) -> Self {
                Self { $($name: line.$name,)* }
            }
        }
    };
}

controls! {
    /// Starship: resets the clock or the game.
    reset: Reset, STARSHIP;
    /// Starship: enters a phase. A trace starts in [`Phase::Playing`].
    phase: Phase, STARSHIP;
    /// Starship: speed channel for slow motion.
    time_dilation: f64, STARSHIP;
    /// Starship: speed channel for the level.
    level_speed: f64, STARSHIP;
    /// Starship: speed channel for effects.
    juice: f64, STARSHIP;
    /// Starship: the `time_dilation` after a hit-freeze; 0 means 1.
    test_speed: f64, STARSHIP;
    /// Starship: freezes the simulation for this many seconds of wall time.
    hit_freeze_s: f64, STARSHIP;
    /// Starship: inverts the image for this many seconds of wall time.
    invert_s: f64, STARSHIP;
    /// Starship: starts a mission.
    mission: Mission, STARSHIP;
    /// Fixed time step: sets the rates.
    set_fps: SetFps, FIXED;
    /// Game loop and Evenstep: sets the speed of the simulation; negative values count as 0.
    time_scale: f64, SCALED;
    /// Game loop and Evenstep: starts a hitstop.
    hitstop: Hitstop, SCALED;
    /// All profiles: pauses or resumes the simulation.
    pause: bool, ALL;
    /// All profiles: runs this many single steps while paused.
    step: u32, ALL;
}

/// A phase of Starship, for [`Controls::phase`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Nothing moves.
    Menu,
    /// The ship appears.
    Birth,
    /// The game runs.
    Playing,
    /// The game keeps ticking, without physics or the mission timer.
    Dead,
}

/// A reset of Starship, for [`Controls::reset`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reset {
    /// Clears the accumulated time.
    FrameTiming,
    /// Starts a new game: clears ticks and clocks too.
    NewGame,
}

/// A mission of Starship, for [`Controls::mission`].
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct Mission {
    /// Length of the mission in seconds, before overtime.
    pub timer_s: f64,
    /// Whether this is a sandbox, in which the timer does not run.
    #[serde(default)]
    pub sandbox: bool,
    /// Whether this is a boss room, in which the timer does not run.
    #[serde(default)]
    pub boss_room: bool,
}

/// Rates of a fixed time step, for [`Controls::set_fps`]. The loop clamps both to 1..=60 per second.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct SetFps {
    /// Images per second.
    pub render: f64,
    /// Steps per second. `None` means the same rate as `render`.
    #[serde(default, deserialize_with = "json::present", skip_serializing_if = "Option::is_none")]
    pub fixed: Option<f64>,
}

/// A hitstop, for [`Controls::hitstop`]: slows the game down briefly, as when a blow lands.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct Hitstop {
    /// Duration in wall time, as a number of step lengths.
    pub frames: u32,
    /// The speed during the hitstop: 0.1 is a tenth of normal.
    pub intensity: f64,
}

impl Line {
    /// Parses a line of version 2.
    pub(crate) fn parse_2(text: &str) -> Result<Self, String> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct RawFrame {
            frame_ns: u64,
        }
        // Almost every line has this form.
        let plain = text.strip_prefix("{\"frame_ns\":").and_then(|rest| rest.strip_suffix('}'));
        if let Some(at_ns) =
            plain.filter(|digits| json::is_plain_number(digits)).and_then(|it| it.parse().ok())
        {
            return Ok(Self::at(at_ns));
        }
        if text.contains("\"frame_ns\"") && !text.contains("\"presented\"") {
            let expected = |error| format!("expected a frame (`frame_ns`) or a control: {error}");
            return json::parse::<RawFrame>(text).map(|raw| Self::at(raw.frame_ns)).map_err(expected);
        }
        Control::parse(text).map(Box::new).map(Self::Control)
    }

    const fn at(at_ns: u64) -> Self {
        Self::Frame { at_ms: at_ns as f64 / 1e6, at_ns: Some(at_ns) }
    }

    /// Parses a line of version 1.
    pub(crate) fn parse(text: &str, profile: Profile) -> Result<Self, String> {
        // Almost every line has this form.
        let plain = text.strip_prefix("{\"frame_ms\":").and_then(|rest| rest.strip_suffix('}'));
        if let Some(at_ms) =
            plain.filter(|digits| json::is_plain_number(digits)).and_then(|it| it.parse().ok())
        {
            return Ok(Self::Frame { at_ms, at_ns: None });
        }
        let expected = |error| format!("expected a frame or a control of {}: {error}", profile.name());
        let raw: RawLine = json::parse_object(text, OBJECTS).map_err(expected)?;
        let frame_ms = raw.frame_ms;
        let controls = Controls::from(raw);
        controls.check_profile(profile).map_err(expected)?;
        let is_controlled = controls.given().next().is_some();
        match (frame_ms, is_controlled) {
            (Some(at_ms), false) => Ok(Self::Frame { at_ms, at_ns: None }),
            (Some(_), true) => Err("expected a frame or controls, found both on one line".into()),
            (None, false) => Err("expected a frame or a control, found an empty object".into()),
            (None, true) => {
                controls.check_ranges()?;
                Ok(Self::Controls(Box::new(controls)))
            }
        }
    }
}

impl Controls {
    /// Formats the controls for [`Line::parse`], with the same errors for what that would refuse.
    pub(crate) fn to_text(&self, profile: Profile) -> Result<String, String> {
        let text = serde_json::to_string(&RawLine::from(self)).map_err(|error| error.to_string())?;
        Line::parse(&text, profile)?;
        Ok(text)
    }

    fn check_profile(&self, profile: Profile) -> Result<(), String> {
        match self.given().find(|(_, profiles)| !profiles.contains(&profile)) {
            None => Ok(()),
            Some((name, profiles)) => {
                let owners: Vec<_> = profiles.iter().map(|owner| owner.name()).collect();
                Err(format!("`{name}` belongs to {}", owners.join(" and ")))
            }
        }
    }

    fn check_ranges(&self) -> Result<(), String> {
        for (name, value) in [
            ("timer_s", self.mission.map(|mission| mission.timer_s)),
            ("intensity", self.hitstop.map(|hitstop| hitstop.intensity)),
            ("time_dilation", self.time_dilation),
            ("level_speed", self.level_speed),
            ("test_speed", self.test_speed),
        ] {
            check_not_negative(name, value.unwrap_or_default())?;
        }
        for (name, value) in [("hit_freeze_s", self.hit_freeze_s), ("invert_s", self.invert_s)] {
            let value = value.unwrap_or_default();
            check_not_negative(name, value)?;
            if Duration::try_from_secs_f64(value).is_err() {
                return Err(format!("expected `{name}` to be a time in seconds, found {value}"));
            }
        }
        Ok(())
    }
}

fn check_not_negative(name: &str, value: f64) -> Result<(), String> {
    if value < 0.0 { Err(format!("expected `{name}` to be 0 or more, found {value}")) } else { Ok(()) }
}
