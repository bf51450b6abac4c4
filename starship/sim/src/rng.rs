//! The random number generator: seeded, part of the state, and the same on every machine.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::math::{Vec2, direction};
use crate::tuning::SEEDS;

/// A seeded random number generator that is saved and hashed with the rest of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rng(oorandom::Rand32);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(oorandom::Rand32::new_inc(seed, seed ^ 0x5DEE_CE66))
    }

    /// Creates the generator of a sector, from 1. That of the first is `Rng::new(seed)`.
    pub(crate) fn of_sector(seed: u64, sector: u32) -> Self {
        let sectors = u64::from(sector.saturating_sub(1));
        Self::new(seed ^ sectors.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// Returns a number from 0 up to but excluding 1.
    pub(crate) fn unit(&mut self) -> f32 {
        self.0.rand_float()
    }

    /// Returns a number from `low` up to but excluding `high`.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Returns an integer below `count`.
    pub(crate) fn below(&mut self, count: u32) -> u32 {
        self.0.rand_range(0..count.max(1))
    }

    /// Returns a uniformly distributed unit vector.
    pub(crate) fn direction(&mut self) -> Vec2 {
        direction(self.unit() * core::f32::consts::TAU)
    }

    /// Returns a seed for another run: short enough to remember.
    pub(crate) fn seed(&mut self) -> u64 {
        self.below(SEEDS).into()
    }
}

impl Serialize for Rng {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.state().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Rng {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (state, increment) = <(u64, u64)>::deserialize(deserializer)?;
        // An even increment shortens the period, possibly to 1, and rejection sampling would then never end.
        if increment.is_multiple_of(2) {
            return Err(D::Error::custom("random number generator with an even increment"));
        }
        Ok(Self(oorandom::Rand32::from_state((state, increment))))
    }
}

#[cfg(test)]
mod tests {
    use evenstep_rapier::SnapshotFormat;

    use super::*;

    #[test]
    fn a_generator_that_repeats_one_number_is_rejected() {
        let format = SnapshotFormat::new("RAND", 1);
        assert!(format.read::<Rng>(&format.write(&(0_u64, 0_u64))).is_err());
        assert_eq!(format.read::<Rng>(&format.write(&Rng::new(7))).unwrap(), Rng::new(7));
    }
}
