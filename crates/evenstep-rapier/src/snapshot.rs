//! Physics to bytes and back, all sets together.

use evenstep::Rate;
use rapier2d::prelude::PhysicsWorld;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::check;
use crate::clock::StepClock;
use crate::error::SnapshotError;
use crate::format::SnapshotFormat;
use crate::history::{History, HistoryOf, WrittenPast};
use crate::physics::Physics;

impl Physics {
    /// The format of [`Physics::save`], with the limits that [`Physics::restore`] keeps: 16 MiB for the snapshot, 256 MiB
    /// for the memory that its lists take while they are decoded.
    pub const FORMAT: SnapshotFormat = SnapshotFormat::new("EVPH", 1);

    /// Everything as bytes: the same on every machine, and enough to go on to the same bits.
    ///
    /// Save after a tick. Rapier 0.36 does not write which joints were removed since its last step, so that a world saved
    /// between the two can go on differently.
    ///
    /// # Panics
    ///
    /// If a collider has a shape of the game's own: Rapier cannot write those.
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
        Self::FORMAT.write(self)
    }

    /// A world from [`Physics::save`]'s bytes.
    ///
    /// Damage is found: by the checksum first, then by the bounds of every number that is this crate's or that Rapier
    /// shows. Memory stays within the limits of [`Physics::FORMAT`].
    ///
    /// **Snapshots from strangers are not safe.** Whoever writes one on purpose can give it a matching checksum. Rapier's
    /// own indices cannot be checked from outside, and with wrong ones a later step can panic inside Rapier.
    ///
    /// # Errors
    ///
    /// When the bytes are not such a snapshot.
    ///
    /// ```
    /// use evenstep_rapier::Physics;
    ///
    /// let error = Physics::restore(&[1, 2, 3]).unwrap_err();
    /// assert_eq!(error.to_string(), "3 bytes that do not begin with EVPH version 1");
    /// ```
    pub fn restore(bytes: &[u8]) -> Result<Self, SnapshotError> {
        Self::FORMAT.read::<Read>(bytes)?.checked()
    }

    /// The clock as it is written and hashed.
    pub(crate) fn written_clock(&self) -> WrittenClock {
        let fraction = |rate: Rate| (rate.ticks(), rate.seconds());
        (fraction(self.clock.ticks()), fraction(self.clock.steps()), self.clock.ticked())
    }

    /// Where bodies were before the last step, as it is written and hashed.
    pub(crate) fn written_steps(&self) -> HistoryOf<'_> {
        HistoryOf { history: &self.before_step, bodies: &self.world.bodies }
    }
}

/// Rate of ticks, rate of steps, ticks since the clock was last empty.
type WrittenClock = ((u32, u32), (u32, u32), u64);

#[derive(Serialize)]
struct Written<'a> {
    clock: WrittenClock,
    world: &'a PhysicsWorld,
    before_tick: HistoryOf<'a>,
    before_step: HistoryOf<'a>,
}

#[derive(Deserialize)]
struct Read {
    clock: WrittenClock,
    world: PhysicsWorld,
    before_tick: Vec<WrittenPast>,
    before_step: Vec<WrittenPast>,
}

impl Read {
    fn checked(self) -> Result<Physics, SnapshotError> {
        let (ticks, steps, ticked) = self.clock;
        let rate =
            |(ticks, seconds)| Rate::try_new(ticks, seconds).ok_or(SnapshotError::Rate { ticks, seconds });
        let clock = StepClock::new(rate(ticks)?, rate(steps)?, ticked)?;
        check::world(&self.world)?;
        let before_tick = History::restore(self.before_tick, &self.world.bodies)?;
        // In lockstep nobody keeps it, and nobody may find it.
        let count_max = if clock.is_in_lockstep() { 0 } else { self.world.bodies.len() };
        check::at_most("bodies before the last step", self.before_step.len(), count_max)?;
        let before_step = History::restore(self.before_step, &self.world.bodies)?;
        Ok(Physics { world: self.world, clock, before_tick, before_step })
    }
}

impl Serialize for Physics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let before_tick = HistoryOf { history: &self.before_tick, bodies: &self.world.bodies };
        let (clock, before_step) = (self.written_clock(), self.written_steps());
        Written { clock, world: &self.world, before_tick, before_step }.serialize(serializer)
    }
}

/// Checks all that [`Physics::restore`] does but the checksum and the limits on memory, which are the format's.
impl<'de> Deserialize<'de> for Physics {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Read::deserialize(deserializer)?.checked().map_err(D::Error::custom)
    }
}
