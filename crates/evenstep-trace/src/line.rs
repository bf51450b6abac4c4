//! The lines after the first: frames and controls.

use std::time::Duration;

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
        /// The host's timestamp, in milliseconds: a finite number.
        at_ms: f64,
    },
    /// What the game did before the next frame.
    Controls(Box<Controls>),
}

const STARSHIP: &[Profile] = &[Profile::Starship];
const FIXED: &[Profile] = &[Profile::FixedTimeStep];
const SCALED: &[Profile] = &[Profile::GameLoop, Profile::Evenstep];
const ALL: &[Profile] = &[Profile::Starship, Profile::FixedTimeStep, Profile::GameLoop, Profile::Evenstep];

/// The controls with fields of their own.
const OBJECTS: &[&str] = &["mission", "set_fps", "hitstop"];

/// Declares every control once: its name in the file, its type, and the profiles that have it.
macro_rules! controls {
    ($($(#[$doc:meta])* $name:ident: $type:ty, $profiles:ident;)*) => {
        /// Controls that share a line, applied in the order of these fields.
        ///
        /// Names and units are those of the file. A profile has some of the controls; a line with one that it
        /// does not have is an error.
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

        /// A line as it stands in the file, before anything is known of the profile.
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
            /// The controls that are there: their names, and the profiles that have them.
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
    /// Starship: one of the two resets.
    reset: Reset, STARSHIP;
    /// Starship: the phase that begins. A trace starts in [`Phase::Playing`].
    phase: Phase, STARSHIP;
    /// Starship: a channel of the simulation's speed, for slow motion.
    time_dilation: f64, STARSHIP;
    /// Starship: a channel of the simulation's speed, for the level.
    level_speed: f64, STARSHIP;
    /// Starship: a channel of the simulation's speed, for effects.
    juice: f64, STARSHIP;
    /// Starship: the `time_dilation` that a hit-freeze leaves behind; 0 means 1.
    test_speed: f64, STARSHIP;
    /// Starship: holds the simulation for so many seconds of wall time.
    hit_freeze_s: f64, STARSHIP;
    /// Starship: inverts the picture for so many seconds of wall time.
    invert_s: f64, STARSHIP;
    /// Starship: a mission begins.
    mission: Mission, STARSHIP;
    /// Fixed time step: new rates.
    set_fps: SetFps, FIXED;
    /// Game loop and Evenstep: the speed of the simulation; negative values are taken as 0.
    time_scale: f64, SCALED;
    /// Game loop and Evenstep: a hitstop begins.
    hitstop: Hitstop, SCALED;
    /// Every profile: holds the simulation, or resumes it.
    pause: bool, ALL;
    /// Every profile: runs so many steps by hand while paused.
    step: u32, ALL;
}

/// The phases of Starship's game, for [`Controls::phase`].
///
/// ```
/// use evenstep_trace::{Controls, Phase};
///
/// let mut controls = Controls::default();
/// controls.phase = Some(Phase::Menu);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Nothing moves.
    Menu,
    /// The ship appears.
    Birth,
    /// The game runs.
    Playing,
    /// The game goes on ticking without physics and mission timer.
    Dead,
}

/// Starship's two resets, for [`Controls::reset`].
///
/// ```
/// use evenstep_trace::{Controls, Reset};
///
/// let mut controls = Controls::default();
/// controls.reset = Some(Reset::NewGame);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reset {
    /// Forgets the accumulated time.
    FrameTiming,
    /// Starts over, ticks and clocks included.
    NewGame,
}

/// A mission of Starship, for [`Controls::mission`].
///
/// ```
/// use evenstep_trace::{Controls, Mission};
///
/// let mut controls = Controls::default();
/// controls.mission = Some(Mission { timer_s: 90.0, sandbox: false, boss_room: false });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct Mission {
    /// How long the mission lasts, in seconds; overtime follows.
    pub timer_s: f64,
    /// A sandbox's timer stands still.
    #[serde(default)]
    pub sandbox: bool,
    /// A boss room's timer stands still.
    #[serde(default)]
    pub boss_room: bool,
}

/// New rates for a fixed time step, for [`Controls::set_fps`]. The loop clamps both to 1 to 60 per second.
///
/// ```
/// use evenstep_trace::{Controls, SetFps};
///
/// let mut controls = Controls::default();
/// controls.set_fps = Some(SetFps { render: 30.0, fixed: Some(60.0) });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct SetFps {
    /// Drawings per second.
    pub render: f64,
    /// Steps per second; as many as drawings if absent.
    #[serde(default, deserialize_with = "json::present", skip_serializing_if = "Option::is_none")]
    pub fixed: Option<f64>,
}

/// A hitstop, for [`Controls::hitstop`]: the game slows down for a moment, as when a blow lands.
///
/// ```
/// use evenstep_trace::{Controls, Hitstop};
///
/// let mut controls = Controls::default();
/// controls.hitstop = Some(Hitstop { frames: 3, intensity: 0.1 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct Hitstop {
    /// How long it lasts, in step lengths of wall time.
    pub frames: u32,
    /// The speed meanwhile: 0.1 is a tenth.
    pub intensity: f64,
}

impl Line {
    pub(crate) fn parse(text: &str, profile: Profile) -> Result<Self, String> {
        let expected = |error| format!("expected a frame or a control of {}: {error}", profile.name());
        let raw: RawLine = json::parse_object(text, OBJECTS).map_err(expected)?;
        let frame_ms = raw.frame_ms;
        let controls = Controls::from(raw);
        controls.check_profile(profile).map_err(expected)?;
        let is_controlled = controls.given().next().is_some();
        match (frame_ms, is_controlled) {
            (Some(at_ms), false) => Ok(Self::Frame { at_ms }),
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
    /// The opposite of [`Line::parse`]: refuses what that would refuse, in the same words.
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
