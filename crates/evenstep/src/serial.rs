//! How serde writes the core's types: times in nanoseconds, rates as fractions, channels by name.

use core::fmt;
use core::time::Duration;

use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::pacing::Pacing;
use crate::rate::{Rate, to_nanos};
use crate::scale::{CHANNELS, Channel, ChannelRange, finite};

/// A time in nanoseconds.
pub(crate) mod nanos {
    use super::{Deserialize, Deserializer, Duration, Serializer, to_nanos};

    pub(crate) fn serialize<S: Serializer>(time: &Duration, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_u64(to_nanos(*time))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Duration, D::Error> {
        u64::deserialize(input).map(Duration::from_nanos)
    }
}

/// An optional time in nanoseconds.
pub(crate) mod optional_nanos {
    use super::{Deserialize, Deserializer, Duration, Serialize, Serializer, to_nanos};

    #[expect(clippy::ref_option, reason = "serde passes the field")]
    pub(crate) fn serialize<S: Serializer>(time: &Option<Duration>, out: S) -> Result<S::Ok, S::Error> {
        time.map(to_nanos).serialize(out)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(input)?.map(Duration::from_nanos))
    }
}

/// A reset. In a text, the last frame is left out if there is none, and an explicit `null` is an error; a binary format cannot
/// leave anything out.
pub(crate) mod reset {
    use super::{Deserialize, Deserializer, Duration, Serialize, Serializer, nanos, optional_nanos};
    use crate::command::Reset;

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Text {
        kind: Reset,
        #[serde(
            default,
            serialize_with = "optional_nanos::serialize",
            deserialize_with = "present",
            skip_serializing_if = "Option::is_none"
        )]
        last_frame_ns: Option<Duration>,
    }

    #[derive(Serialize, Deserialize)]
    struct Binary {
        kind: Reset,
        #[serde(with = "optional_nanos")]
        last_frame: Option<Duration>,
    }

    fn present<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Duration>, D::Error> {
        nanos::deserialize(input).map(Some)
    }

    #[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde passes the fields")]
    pub(crate) fn serialize<S: Serializer>(
        kind: &Reset,
        last_frame: &Option<Duration>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        let kind = *kind;
        let last_frame = *last_frame;
        if out.is_human_readable() {
            Text { kind, last_frame_ns: last_frame }.serialize(out)
        } else {
            Binary { kind, last_frame }.serialize(out)
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        input: D,
    ) -> Result<(Reset, Option<Duration>), D::Error> {
        if input.is_human_readable() {
            Text::deserialize(input).map(|text| (text.kind, text.last_frame_ns))
        } else {
            Binary::deserialize(input).map(|binary| (binary.kind, binary.last_frame))
        }
    }
}

/// The value of a command that has none: `true`.
pub(crate) mod always {
    use super::{Deserialize, Deserializer, Error, Serializer};

    pub(crate) fn serialize<S: Serializer>(out: S) -> Result<S::Ok, S::Error> {
        out.serialize_bool(true)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<(), D::Error> {
        if bool::deserialize(input)? { Ok(()) } else { Err(Error::custom("expected true, found false")) }
    }
}

/// A number that a pacer acts on: an infinity as the largest number, which acts alike; NaN is an error.
#[cfg_attr(
    target_pointer_width = "64",
    expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes the field")
)]
pub(crate) fn number<S: Serializer>(value: &f64, out: S) -> Result<S::Ok, S::Error> {
    match finite(*value) {
        Some(value) => out.serialize_f64(value),
        None => Err(serde::ser::Error::custom("expected a number, found NaN")),
    }
}

/// A share of a step: 0 or more and below 1.
pub(crate) fn share<'de, D: Deserializer<'de>>(input: D) -> Result<f64, D::Error> {
    let share = f64::deserialize(input)?;
    if (0.0..1.0).contains(&share) {
        return Ok(share);
    }
    Err(Error::custom(format_args!("expected `start_phase` to be 0 or more and below 1, found {share}")))
}

/// A step cap. A frame runs at least one step, as in [`Pacing::with_steps_max`].
pub(crate) fn steps_max<'de, D: Deserializer<'de>>(input: D) -> Result<Option<u32>, D::Error> {
    Ok(Option::<u32>::deserialize(input)?.map(|steps| steps.max(1)))
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        Fraction { ticks: self.ticks(), seconds: self.seconds() }.serialize(out)
    }
}

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let Fraction { ticks, seconds } = Fraction::deserialize(input)?;
        Self::try_new(ticks, seconds).ok_or_else(|| {
            Error::custom(format_args!(
                "expected a rate that the pacer supports, found {ticks} ticks in {seconds} seconds"
            ))
        })
    }
}

/// A [`Rate`] as serde sees it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fraction {
    ticks: u32,
    #[serde(default = "one")]
    seconds: u32,
}

const fn one() -> u32 {
    1
}

impl Serialize for Channel {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Channel {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = Channel;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(out, "the name of a channel")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Channel, E> {
                let channel = Channel::ALL.into_iter().find(|channel| channel.name() == name);
                channel.ok_or_else(|| E::unknown_variant(name, &Channel::NAMES))
            }
        }
        input.deserialize_str(Name)
    }
}

/// The range of a channel as serde sees it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Range {
    min: f64,
    max: f64,
    resting: f64,
}

/// The ranges of all channels, by name. Those that are left out are as in the default configuration.
pub(crate) mod channels {
    use super::{CHANNELS, Channel, ChannelRange, Channels, Deserializer, Range, SerializeMap, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        ranges: &[ChannelRange; CHANNELS],
        out: S,
    ) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(Some(CHANNELS))?;
        for (channel, &ChannelRange { min, max, resting }) in Channel::ALL.iter().zip(ranges) {
            map.serialize_entry(channel, &Range { min, max, resting })?;
        }
        map.end()
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        input: D,
    ) -> Result<[ChannelRange; CHANNELS], D::Error> {
        input.deserialize_map(Channels)
    }
}

struct Channels;

impl<'de> Visitor<'de> for Channels {
    type Value = [ChannelRange; CHANNELS];

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "channels by name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut ranges = Pacing::default().channels;
        let mut is_given = [false; CHANNELS];
        while let Some((channel, range)) = map.next_entry::<Channel, Range>()? {
            let name = channel.name();
            if core::mem::replace(&mut is_given[channel.index()], true) {
                return Err(Error::custom(format_args!("duplicate channel `{name}`")));
            }
            let Range { min, max, resting } = range;
            ranges[channel.index()] = ChannelRange::try_new(min, max, resting).ok_or_else(|| {
                Error::custom(format_args!(
                    "expected `{name}` to be a range within 0 to 1000000 with its resting value, \
                     found {min} to {max} and {resting}"
                ))
            })?;
        }
        Ok(ranges)
    }
}
