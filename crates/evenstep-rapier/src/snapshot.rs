//! Physics to bytes and back, all sets together.

use std::error::Error;
use std::fmt;

use rapier2d::prelude::PhysicsWorld;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::physics::{Before, Physics};

impl Physics {
    /// Everything as bytes: the same on every machine, and enough to go on to the same bits.
    ///
    /// # Panics
    ///
    /// Never: writing to memory cannot fail, and every part of the state can be written.
    ///
    /// ```
    /// use evenstep_rapier::Physics;
    /// use evenstep_rapier::rapier::prelude::*;
    ///
    /// let mut physics = Physics::at_hz(60, 60);
    /// physics.world.insert(RigidBodyBuilder::dynamic(), ColliderBuilder::ball(1.0));
    /// physics.tick();
    /// let mut restored = Physics::restore(&physics.save()).unwrap();
    /// restored.tick();
    /// physics.tick();
    /// assert_eq!(restored.save(), physics.save());
    /// ```
    pub fn save(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("a world in memory can always be written to memory")
    }

    /// A world from [`Physics::save`]'s bytes.
    ///
    /// # Errors
    ///
    /// When the bytes are not such a snapshot.
    ///
    /// ```
    /// use evenstep_rapier::Physics;
    ///
    /// let error = Physics::restore(&[1, 2, 3]).unwrap_err();
    /// assert_eq!(error.to_string(), "not a physics snapshot: 3 bytes");
    /// ```
    pub fn restore(bytes: &[u8]) -> Result<Self, SnapshotError> {
        postcard::from_bytes(bytes).map_err(|source| SnapshotError::Malformed { bytes: bytes.len(), source })
    }
}

/// Why bytes are no snapshot.
///
/// ```
/// use evenstep_rapier::{Physics, SnapshotError};
///
/// assert!(matches!(Physics::restore(&[]), Err(SnapshotError::Malformed { bytes: 0, .. })));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum SnapshotError {
    /// They do not read as one.
    #[non_exhaustive]
    Malformed {
        /// How many bytes there were.
        bytes: usize,
        /// What the decoder said.
        source: postcard::Error,
    },
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { bytes, .. } => write!(out, "not a physics snapshot: {bytes} bytes"),
        }
    }
}

impl Error for SnapshotError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Malformed { source, .. } => Some(source),
        }
    }
}

#[derive(Serialize)]
struct Written<'a> {
    clock: (u32, u32, u64),
    before: &'a Vec<Option<Before>>,
    world: &'a PhysicsWorld,
}

#[derive(Deserialize)]
struct Read {
    clock: (u32, u32, u64),
    before: Vec<Option<Before>>,
    world: PhysicsWorld,
}

impl Serialize for Physics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written { clock: self.clock(), before: self.before(), world: &self.world }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Physics {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Read { clock: (tick_hz, step_hz, ticks), before, world } = Read::deserialize(deserializer)?;
        let is_rate = |hz| (1..=1_000_000).contains(&hz);
        if !is_rate(tick_hz) || !is_rate(step_hz) {
            return Err(serde::de::Error::custom("a rate of 0 Hz or above 1,000,000 Hz"));
        }
        Ok(Self::from_parts(world, tick_hz, step_hz, ticks, before))
    }
}
