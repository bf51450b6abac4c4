//! The controls of version 2: everything that can be told to a pacer, one per line.

use std::time::Duration;

use evenstep::{Channel, Gate, Pacer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::json;
use crate::line::{Hitstop, Reset};
use crate::pacing::PacingOptions;
use crate::words::Spelled;

/// One call to a pacer between two frames, in any profile.
///
/// The names in a file are those of the variants in snake case, with their unit.
///
/// ```
/// use evenstep::{Gate, Pacer, Pacing};
/// use evenstep_trace::{Control, Line, Reader};
///
/// # fn main() -> Result<(), evenstep_trace::Error> {
/// let trace = "{\"trace\":2}\n{\"gate\":\"paused\"}\n{\"step\":1}\n{\"frame_ns\":16683000}\n";
/// let mut pacer = Pacer::new(Pacing::hz(60));
/// for line in Reader::open(trace.as_bytes())? {
///     if let Line::Control(control) = line? {
///         control.apply(&mut pacer);
///     }
/// }
/// assert_eq!((pacer.gate(), pacer.steps_by_hand_left()), (Gate::Paused, 1));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Control {
    /// [`Pacer::set_gate`].
    #[serde(with = "gate")]
    Gate(Gate),
    /// [`Pacer::step_by_hand`].
    Step(u32),
    /// [`Pacer::set_scale`].
    Scale(ChannelValue),
    /// [`Pacer::set_resting_scale`].
    RestingScale(ChannelValue),
    /// [`Pacer::hit_freeze`], in nanoseconds.
    #[serde(rename = "hit_freeze_ns")]
    HitFreeze(u64),
    /// [`Pacer::hitstop`].
    Hitstop(Hitstop),
    /// [`Pacer::fast_forward`].
    FastForward(u32),
    /// [`Pacer::set_tick`].
    Tick(u64),
    /// [`Pacer::set_pacing`]. Options that are left out stay as they are.
    Pacing(Box<PacingOptions>),
    /// [`Pacer::go_away`].
    GoAway(Always),
    /// [`Pacer::reset_frame_timing`] or [`Pacer::reset`].
    Reset(ResetAt),
    /// [`Pacer::hint_refresh`], in nanoseconds.
    #[serde(rename = "refresh_ns")]
    Refresh(u64),
    /// [`Pacer::set_variable_refresh`].
    VariableRefresh(bool),
    /// [`Pacer::presented`].
    Presented(Presented),
    /// [`Pacer::steps_done`], in nanoseconds.
    #[serde(rename = "steps_done_ns")]
    StepsDone(u64),
    /// [`Pacer::draw_done`], in nanoseconds.
    #[serde(rename = "draw_done_ns")]
    DrawDone(u64),
    /// A frame without a valid timestamp: [`Pacer::frame_millis`] with NaN.
    Skip(Always),
    /// The complete pacer, as [`Pacer::save`] saves it: for changes that no other control describes.
    State(Box<Pacer>),
}

/// The value of a channel, for [`Control::Scale`] and [`Control::RestingScale`].
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ChannelValue {
    /// The channel.
    #[serde(with = "channel")]
    pub channel: Channel,
    /// Its value.
    pub value: f64,
}

/// A reset, for [`Control::Reset`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ResetAt {
    /// What is reset.
    #[serde(with = "reset")]
    pub kind: Reset,
    /// The timestamp that the next frame is measured against, in nanoseconds. `None`: the next frame starts the clock.
    #[serde(default, deserialize_with = "json::present", skip_serializing_if = "Option::is_none")]
    pub last_frame_ns: Option<u64>,
}

/// When the display showed a frame, for [`Control::Presented`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Presented {
    /// The frame's timestamp, in nanoseconds.
    pub frame_ns: u64,
    /// When it was shown, in nanoseconds on the same clock.
    pub at_ns: u64,
}

/// The value of a control that has none: `true` in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Always;

impl Serialize for Always {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_bool(true)
    }
}

impl<'de> Deserialize<'de> for Always {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        if bool::deserialize(input)? {
            Ok(Self)
        } else {
            Err(serde::de::Error::custom("expected true, found false"))
        }
    }
}

/// Words in fields of public types.
macro_rules! spelled {
    ($name:ident, $type:ty) => {
        mod $name {
            use super::{Deserialize, Deserializer, Serialize, Serializer, Spelled};

            pub(super) fn serialize<S: Serializer>(value: &$type, out: S) -> Result<S::Ok, S::Error> {
                Spelled(*value).serialize(out)
            }

            pub(super) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<$type, D::Error> {
                Spelled::deserialize(input).map(|it| it.0)
            }
        }
    };
}

spelled!(gate, super::Gate);
spelled!(channel, super::Channel);
spelled!(reset, super::Reset);

impl Control {
    /// Makes the call that this control stands for.
    pub fn apply(&self, pacer: &mut Pacer) {
        let nanos = Duration::from_nanos;
        match self {
            Self::Gate(gate) => pacer.set_gate(*gate),
            Self::Step(steps) => pacer.step_by_hand(*steps),
            Self::Scale(ChannelValue { channel, value }) => pacer.set_scale(*channel, *value),
            Self::RestingScale(ChannelValue { channel, value }) => pacer.set_resting_scale(*channel, *value),
            Self::HitFreeze(wall_ns) => pacer.hit_freeze(nanos(*wall_ns)),
            Self::Hitstop(Hitstop { frames, intensity }) => pacer.hitstop(*frames, *intensity),
            Self::FastForward(ticks) => pacer.fast_forward(*ticks),
            Self::Tick(tick) => pacer.set_tick(*tick),
            Self::Pacing(options) => pacer.set_pacing(options.onto(pacer.pacing())),
            Self::GoAway(Always) => pacer.suspend(),
            Self::Reset(ResetAt { kind: Reset::FrameTiming, last_frame_ns }) => {
                pacer.reset_frame_timing(last_frame_ns.map(nanos));
            }
            Self::Reset(ResetAt { kind: Reset::NewGame, last_frame_ns }) => {
                pacer.reset(last_frame_ns.map(nanos));
            }
            Self::Refresh(period_ns) => pacer.hint_refresh(nanos(*period_ns)),
            Self::VariableRefresh(is_variable) => pacer.set_variable_refresh(*is_variable),
            Self::Presented(Presented { frame_ns, at_ns }) => {
                pacer.presented(evenstep::Presented { frame: nanos(*frame_ns), at: nanos(*at_ns) });
            }
            Self::StepsDone(now_ns) => pacer.steps_done(nanos(*now_ns)),
            Self::DrawDone(now_ns) => pacer.draw_done(nanos(*now_ns)),
            Self::Skip(Always) => _ = pacer.frame_millis(f64::NAN),
            Self::State(state) => pacer.clone_from(state),
        }
    }

    /// Whether this reports something about frames, rather than controlling the game.
    pub const fn is_report(&self) -> bool {
        matches!(
            self,
            Self::Refresh(_)
                | Self::VariableRefresh(_)
                | Self::Presented(_)
                | Self::StepsDone(_)
                | Self::DrawDone(_)
                | Self::Skip(_)
        )
    }

    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let expected = |error| format!("expected a frame (`frame_ns`) or a control: {error}");
        if let Some(name) = json::names_an_array(text) {
            return Err(expected(format!("{name} cannot be an array")));
        }
        let control: Self = json::parse(text).map_err(expected)?;
        control.check().map(|()| control)
    }

    /// Formats the control for [`Self::parse`], with the same errors for what that would refuse.
    pub(crate) fn to_text(&self) -> Result<String, String> {
        self.check()?;
        serde_json::to_string(self).map_err(|error| error.to_string())
    }

    fn check(&self) -> Result<(), String> {
        match self {
            Self::Pacing(options) => options.check(),
            Self::Scale(ChannelValue { value, .. }) | Self::RestingScale(ChannelValue { value, .. }) => {
                json::number("value", *value).map(drop)
            }
            Self::Hitstop(Hitstop { intensity, .. }) => json::number("intensity", *intensity).map(drop),
            _ => Ok(()),
        }
    }
}
