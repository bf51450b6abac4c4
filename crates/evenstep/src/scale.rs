//! How fast game time runs: named channels that are multiplied, and hitstop.

use core::ops::RangeInclusive;

/// The channels of a pacer: four with names and four for custom use.
pub(crate) const CHANNELS: usize = 8;

/// The upper bound of the scale. It keeps scaled time within its integers.
pub(crate) const SCALE_MAX: f64 = 1_000_000.0;

/// One factor of the simulation's speed.
///
/// The scale of the simulation is the product of all channels, each clamped to its own range. Clamping happens on
/// use: a channel remembers the value it was set to. Ranges and resting values are part of [`Pacing`](crate::Pacing);
/// values are set with [`Pacer::set_scale`](crate::Pacer::set_scale).
///
/// ```
/// use evenstep::{Channel, Pacer, Pacing};
///
/// const BULLET_TIME: Channel = Channel::custom(0);
/// let mut pacer = Pacer::new(Pacing::hz(60).with_channel(BULLET_TIME, 0.2..=1.0, 1.0));
/// pacer.set_scale(Channel::LEVEL_SPEED, 1.5);
/// pacer.set_scale(BULLET_TIME, 0.0);
/// assert_eq!(pacer.channel(BULLET_TIME), 0.0, "the value as set");
/// assert_eq!(pacer.scale(), 1.5 * 0.2, "clamped on use");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Channel(pub(crate) u8);

impl Channel {
    /// Global slow motion or fast motion. A hitstop overrides it, and the end of a [classic](crate::Effects::Classic)
    /// hit-freeze returns it to its resting value.
    pub const TIME_DILATION: Self = Self(0);
    /// The pace of a level.
    pub const LEVEL_SPEED: Self = Self(1);
    /// Slow motion for effect, clamped to 0.1..=1.0: a missed revert can neither freeze the game nor speed it up.
    /// The caller that sets it must reset it.
    pub const JUICE: Self = Self(2);
    /// A small change of speed that a network peer asks for, clamped to 0.9..=1.1.
    pub const NETWORK_NUDGE: Self = Self(3);

    /// All channels: the four with names, then the four for custom use.
    pub const ALL: [Self; CHANNELS] =
        [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// Returns one of four channels for custom use, `n` from 0 to 3.
    ///
    /// # Panics
    ///
    /// If `n` is above 3. In a const context, this is a compile-time error.
    pub const fn custom(n: u8) -> Self {
        assert!(n < 4, "custom channels are numbered 0 to 3");
        Self(4 + n)
    }

    /// The names of [`ALL`](Self::ALL), in that order.
    pub(crate) const NAMES: [&str; CHANNELS] = [
        "time_dilation",
        "level_speed",
        "juice",
        "network_nudge",
        "custom_0",
        "custom_1",
        "custom_2",
        "custom_3",
    ];

    /// The name of the channel in files: `time_dilation`, or `custom_0`.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self.index()]
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The range and the resting value of a channel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ChannelRange {
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) resting: f64,
}

impl ChannelRange {
    pub(crate) const FREE: Self = Self { min: 0.0, max: SCALE_MAX, resting: 1.0 };

    pub(crate) const fn new(range: &RangeInclusive<f64>, resting: f64) -> Self {
        match Self::try_new(*range.start(), *range.end(), resting) {
            Some(range) => range,
            None => panic!("a channel's range must lie within 0..=1,000,000 and contain its resting value"),
        }
    }

    /// `None` for a range that no channel may have, such as one with a NaN.
    pub(crate) const fn try_new(min: f64, max: f64, resting: f64) -> Option<Self> {
        let is_valid = 0.0 <= min && min <= resting && resting <= max && max <= SCALE_MAX;
        if is_valid { Some(Self { min, max, resting }) } else { None }
    }
}

/// Game nanoseconds per wall nanosecond in 32.32 fixed point, so that scaled time stays an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scale(pub(crate) u64);

impl Scale {
    pub(crate) const ONE: Self = Self(1 << 32);

    fn from_f64(scale: f64) -> Self {
        // The clamps of the channels keep this in range; otherwise the cast saturates.
        Self((scale * Self::ONE.0 as f64 + 0.5) as u64).min(SCALE_MAX)
    }

    fn min(self, max: f64) -> Self {
        Self(self.0.min(max as u64 * Self::ONE.0))
    }

    pub(crate) const fn as_f64(self) -> f64 {
        self.0 as f64 / Self::ONE.0 as f64
    }
}

/// All channels and their product, which is computed on every change so that frames only read it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Scales {
    // The configuration's ranges, and what follows from them.
    #[cfg_attr(feature = "serde", serde(skip))]
    ranges: [ChannelRange; CHANNELS],
    values: [f64; CHANNELS],
    resting: [f64; CHANNELS],
    hitstop: Option<f64>,
    #[cfg_attr(feature = "serde", serde(skip))]
    product: f64,
    /// The product in fixed point, as frames use it.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) fixed: Scale,
}

impl Scales {
    pub(crate) fn new(ranges: [ChannelRange; CHANNELS]) -> Self {
        let resting = ranges.map(|range| range.resting);
        let mut scales =
            Self { ranges, values: resting, resting, hitstop: None, product: 1.0, fixed: Scale::ONE };
        scales.recompute();
        scales
    }

    pub(crate) fn set_ranges(&mut self, ranges: [ChannelRange; CHANNELS]) {
        for ((resting, old), new) in self.resting.iter_mut().zip(&self.ranges).zip(&ranges) {
            if new.resting != old.resting {
                *resting = new.resting;
            }
        }
        self.ranges = ranges;
        self.recompute();
    }

    pub(crate) fn value(&self, channel: Channel) -> f64 {
        self.values[channel.index()]
    }

    pub(crate) fn resting(&self, channel: Channel) -> f64 {
        self.resting[channel.index()]
    }

    /// Sets a channel. NaN is ignored.
    pub(crate) fn set(&mut self, channel: Channel, value: f64) {
        if let Some(value) = finite(value) {
            self.values[channel.index()] = value;
            self.recompute();
        }
    }

    pub(crate) fn set_resting(&mut self, channel: Channel, value: f64) {
        if let Some(value) = finite(value) {
            self.resting[channel.index()] = value;
        }
    }

    pub(crate) fn rest(&mut self, channel: Channel) {
        self.set(channel, self.resting(channel));
    }

    /// Overrides the time dilation until it is set to `None`.
    pub(crate) fn set_hitstop(&mut self, intensity: Option<f64>) {
        self.hitstop = intensity.and_then(finite);
        self.recompute();
    }

    #[cfg(feature = "serde")]
    pub(crate) const fn hitstop(&self) -> Option<f64> {
        self.hitstop
    }

    pub(crate) fn product(&self) -> f64 {
        self.product
    }

    /// Gives values that were read from outside their ranges. Returns whether all values are possible.
    #[cfg(feature = "serde")]
    pub(crate) fn revive(&mut self, ranges: [ChannelRange; CHANNELS]) -> bool {
        self.ranges = ranges;
        self.recompute();
        self.values.iter().chain(&self.resting).chain(&self.hitstop).all(|value| value.is_finite())
    }

    fn recompute(&mut self) {
        let mut values = self.values;
        if let Some(intensity) = self.hitstop {
            values[Channel::TIME_DILATION.index()] = intensity;
        }
        let clamped = values.iter().zip(&self.ranges).map(|(value, range)| value.clamp(range.min, range.max));
        // Adding zero turns a negative zero into a positive one.
        self.product = clamped.product::<f64>().min(SCALE_MAX) + 0.0;
        self.fixed = Scale::from_f64(self.product);
    }
}

/// Replaces an infinity by the largest number, which is clamped alike and which every file format can spell. `None` for
/// NaN.
pub(crate) fn finite(value: f64) -> Option<f64> {
    (!value.is_nan()).then(|| value.clamp(f64::MIN, f64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speed_is_the_product_of_the_clamped_channels() {
        let mut ranges = [ChannelRange::FREE; CHANNELS];
        ranges[Channel::JUICE.index()] = ChannelRange::new(&(0.1..=1.0), 1.0);
        let mut scales = Scales::new(ranges);
        scales.set(Channel::TIME_DILATION, 4.0);
        scales.set(Channel::LEVEL_SPEED, 1.2);
        scales.set(Channel::JUICE, -3.0);
        assert!((scales.product() - 0.48).abs() < 1e-12);
        assert_eq!(scales.value(Channel::JUICE), -3.0);
        scales.set(Channel::JUICE, f64::NAN);
        assert_eq!(scales.value(Channel::JUICE), -3.0);
    }

    #[test]
    fn no_product_leaves_the_fixed_point_range() {
        let mut scales = Scales::new([ChannelRange::FREE; CHANNELS]);
        for n in 0..CHANNELS as u8 {
            scales.set(Channel(n), f64::INFINITY);
        }
        assert_eq!(scales.fixed, Scale(1_000_000 << 32));
    }
}
