//! A pacer's configuration in a file of version 2.

#![expect(clippy::option_option, reason = "absent, off and a limit are three things")]

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use evenstep::{Channel, DisplayLock, Effects, Excess, Pacing, Rate};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::json::present;
use crate::words::{Spelled, Word};

/// The most that a channel's range allows, as in the core.
const SCALE_MAX: f64 = 1_000_000.0;

/// Options of a [`Pacing`]: all of them, or only those that differ from another.
///
/// ```
/// use evenstep::{Pacing, Rate};
/// use evenstep_trace::PacingOptions;
///
/// let pacing = Pacing::hz(60).with_rate(Rate::new(60_000, 1_001)).with_stall(None);
/// assert_eq!(PacingOptions::of(&pacing).onto(Pacing::starship()), pacing);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct PacingOptions {
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    rate: Option<RawRate>,
    // `null` turns a limit off; an absent one stays as it is.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    stall_ns: Option<Option<u64>>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    longest_frame_ns: Option<Option<u64>>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    backlog_ns: Option<Option<u64>>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    backlog_steps: Option<Option<u32>>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    steps_max: Option<Option<u32>>,
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    excess: Option<Spelled<Excess>>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    budget_ns: Option<Option<u64>>,
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    effects: Option<Spelled<Effects>>,
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    start_phase: Option<f64>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    draw_rate: Option<Option<RawRate>>,
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    display_lock: Option<Spelled<DisplayLock>>,
    #[serde(deserialize_with = "distinct", skip_serializing_if = "BTreeMap::is_empty")]
    channels: BTreeMap<String, RawChannel>,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct RawRate {
    ticks: u32,
    #[serde(default = "one")]
    seconds: u32,
}

const fn one() -> u32 {
    1
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct RawChannel {
    min: f64,
    max: f64,
    resting: f64,
}

/// Deserializes a field that is present: `null` is a value.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(field: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(field).map(Some)
}

/// Deserializes channels, each of which may be named once.
fn distinct<'de, D: Deserializer<'de>>(channels: D) -> Result<BTreeMap<String, RawChannel>, D::Error> {
    struct Channels;
    impl<'de> Visitor<'de> for Channels {
        type Value = BTreeMap<String, RawChannel>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(out, "channels by name")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut channels = BTreeMap::new();
            while let Some((name, channel)) = map.next_entry::<String, RawChannel>()? {
                if channels.contains_key(&name) {
                    return Err(serde::de::Error::custom(format!("duplicate channel `{name}`")));
                }
                channels.insert(name, channel);
            }
            Ok(channels)
        }
    }
    channels.deserialize_map(Channels)
}

impl PacingOptions {
    /// All options of a configuration.
    pub fn of(pacing: &Pacing) -> Self {
        let rate = |rate: Rate| RawRate { ticks: rate.ticks(), seconds: rate.seconds() };
        let nanos = |limit: Option<Duration>| Some(limit.map(saturated_ns));
        let channel = |channel: &Channel| {
            let range = pacing.channel_range(*channel);
            let resting = pacing.channel_resting(*channel);
            (channel.word().to_owned(), RawChannel { min: *range.start(), max: *range.end(), resting })
        };
        Self {
            rate: Some(rate(pacing.rate())),
            stall_ns: nanos(pacing.stall()),
            longest_frame_ns: nanos(pacing.longest_frame()),
            backlog_ns: nanos(pacing.backlog()),
            backlog_steps: Some(pacing.backlog_steps()),
            steps_max: Some(pacing.steps_max()),
            excess: Some(Spelled(pacing.excess())),
            budget_ns: nanos(pacing.budget()),
            effects: Some(Spelled(pacing.effects())),
            start_phase: Some(pacing.start_phase()),
            draw_rate: Some(pacing.draw_rate().map(rate)),
            display_lock: Some(Spelled(pacing.display_lock())),
            channels: Channel::ALL.iter().map(channel).collect(),
        }
    }

    /// Whether every value is one that a pacer accepts.
    pub(crate) fn check(&self) -> Result<(), String> {
        for (name, rate) in [("rate", self.rate), ("draw_rate", self.draw_rate.flatten())] {
            if let Some(RawRate { ticks, seconds }) = rate
                && Rate::try_new(ticks, seconds).is_none()
            {
                return Err(format!(
                    "expected `{name}` to be a rate that the pacer supports, found {ticks} ticks in {seconds} seconds"
                ));
            }
        }
        if let Some(share) = self.start_phase.filter(|share| !(0.0..1.0).contains(share)) {
            return Err(format!("expected `start_phase` to be 0 or more and below 1, found {share}"));
        }
        for (name, &RawChannel { min, max, resting }) in &self.channels {
            Channel::of(name)?;
            let is_range = 0.0 <= min && min <= max && max <= SCALE_MAX;
            if !is_range || !(min..=max).contains(&resting) {
                return Err(format!(
                    "expected `{name}` to be a range within 0 to 1000000 with its resting value, \
                     found {min} to {max} and {resting}"
                ));
            }
        }
        Ok(())
    }

    /// Applies the options to a configuration.
    pub fn onto(&self, pacing: Pacing) -> Pacing {
        // `check` has accepted the values, or they come from a `Pacing`.
        let rate =
            |raw: RawRate| Rate::try_new(raw.ticks, raw.seconds).unwrap_or(evenstep::classic::SIM_RATE);
        let nanos = |limit: Option<Option<u64>>, old: Option<Duration>| {
            limit.map_or(old, |limit| limit.map(Duration::from_nanos))
        };
        let mut new = pacing
            .with_rate(self.rate.map_or(pacing.rate(), rate))
            .with_stall(nanos(self.stall_ns, pacing.stall()))
            .with_longest_frame(nanos(self.longest_frame_ns, pacing.longest_frame()))
            .with_backlog(nanos(self.backlog_ns, pacing.backlog()))
            .with_backlog_steps(self.backlog_steps.unwrap_or(pacing.backlog_steps()))
            .with_steps_max(self.steps_max.unwrap_or(pacing.steps_max()))
            .with_excess(self.excess.map_or(pacing.excess(), |it| it.0))
            .with_budget(nanos(self.budget_ns, pacing.budget()))
            .with_effects(self.effects.map_or(pacing.effects(), |it| it.0))
            .with_start_phase(self.start_phase.unwrap_or(pacing.start_phase()))
            .with_draw_rate(self.draw_rate.map_or(pacing.draw_rate(), |raw| raw.map(rate)))
            .with_display_lock(self.display_lock.map_or(pacing.display_lock(), |it| it.0));
        for (name, raw) in &self.channels {
            if let Ok(channel) = Channel::of(name) {
                new = new.with_channel(channel, raw.min..=raw.max, raw.resting);
            }
        }
        new
    }
}

/// The core cuts longer times to this as well.
pub(crate) fn saturated_ns(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
