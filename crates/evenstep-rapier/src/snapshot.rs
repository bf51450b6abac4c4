//! Snapshots of a physics world.

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
    /// The format of [`Physics::save`]. [`Physics::restore`] enforces its limits: 16 MiB for the snapshot, 256 MiB of
    /// memory for decoding its lists.
    pub const FORMAT: SnapshotFormat = SnapshotFormat::new("EVPH", 1);

    /// Serialises the whole world. The bytes are the same on every machine, and a restored world continues bit for bit.
    ///
    /// Save after a tick. Rapier 0.36 does not serialise which joints were removed since its last step, so a world that
    /// is saved between a removal and the next tick may continue differently.
    ///
    /// # Panics
    ///
    /// If a collider has a custom shape, which Rapier cannot serialise.
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

    /// Restores a world from the bytes of [`Physics::save`].
    ///
    /// Detects damage: first by the checksum, then by range checks of every count, of the numbers that belong to this crate
    /// and of those that decide every step. Poses, velocities and shapes are taken as they are. Memory stays within the
    /// limits of [`Physics::FORMAT`].
    ///
    /// **Do not restore snapshots from untrusted sources.** An attacker can give a crafted snapshot a matching
    /// checksum. Rapier's internal indices cannot be checked from outside, and wrong ones can make Rapier panic: in
    /// `restore` itself, or in a later step.
    ///
    /// # Errors
    ///
    /// If the bytes are not a valid snapshot of this version.
    ///
    /// # Panics
    ///
    /// Only on crafted snapshots, as described above.
    pub fn restore(bytes: &[u8]) -> Result<Self, SnapshotError> {
        Self::FORMAT.read::<Read>(bytes)?.checked()
    }

    /// Returns the clock in its serialised form.
    pub(crate) fn written_clock(&self) -> WrittenClock {
        let fraction = |rate: Rate| (rate.ticks(), rate.seconds());
        (fraction(self.clock.ticks()), fraction(self.clock.steps()), self.clock.ticked())
    }

    /// Returns the motion of bodies before the last step in its serialised form.
    pub(crate) fn written_steps(&self) -> HistoryOf<'_> {
        HistoryOf { history: &self.before_step, bodies: &self.world.bodies }
    }
}

/// Tick rate, step rate, and ticks since the accumulator was last empty.
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
        // In lockstep it is never recorded.
        let count_max = if clock.is_in_lockstep() { 0 } else { self.world.bodies.len() };
        check::at_most("bodies before the last step", self.before_step.len(), count_max)?;
        let before_step = History::restore(self.before_step, &self.world.bodies)?;
        Ok(Physics { world: self.world, clock, before_tick, before_step })
    }
}

impl Serialize for Physics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let before_tick = HistoryOf { history: &self.before_tick, bodies: &self.world.bodies };
        let clock = self.written_clock();
        let before_step = self.written_steps();
        Written { clock, world: &self.world, before_tick, before_step }.serialize(serializer)
    }
}

/// Performs the checks of [`Physics::restore`], except for the checksum and the memory limits, which belong to the
/// [`SnapshotFormat`].
impl<'de> Deserialize<'de> for Physics {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Read::deserialize(deserializer)?.checked().map_err(D::Error::custom)
    }
}
