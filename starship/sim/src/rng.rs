//! The game's dice: seeded, part of the state, and the same on every machine.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::math::{Vec2, direction};

/// A seeded random number generator that is saved and hashed with the rest of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rng(oorandom::Rand32);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(oorandom::Rand32::new_inc(seed, seed ^ 0x5DEE_CE66))
    }

    /// At least 0 and below 1.
    pub(crate) fn unit(&mut self) -> f32 {
        self.0.rand_float()
    }

    /// At least `low` and below `high`.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Below `count`.
    pub(crate) fn below(&mut self, count: u32) -> u32 {
        self.0.rand_range(0..count.max(1))
    }

    /// A direction, every one as likely.
    pub(crate) fn direction(&mut self) -> Vec2 {
        direction(self.unit() * core::f32::consts::TAU)
    }

    /// A number to seed another generator with.
    pub(crate) fn seed(&mut self) -> u64 {
        u64::from(self.0.rand_u32()) << 32 | u64::from(self.0.rand_u32())
    }
}

impl Serialize for Rng {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.state().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Rng {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <(u64, u64)>::deserialize(deserializer).map(|state| Self(oorandom::Rand32::from_state(state)))
    }
}
