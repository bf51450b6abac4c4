//! Checks of a decoded state: one that passes cannot make a tick hang, overflow, or look up a missing entity.

use evenstep::Rate;
use evenstep_rapier::rapier::prelude::{Collider, RigidBodyHandle};

use crate::pickups::PickupKind;
use crate::save::RestoreError;
use crate::state::State;
use crate::tuning::{
    CRATES, ENEMIES_MAX, MECH_ATTACK, MISSION, MODIFIERS_MAX, PART_LEVEL_MAX, PHYSICS_HZ, PICKUPS_MAX,
    PUDDLES, SHOTS_MAX, TICK_HZ, WAVE, WEAPON_LEVEL_MAX,
};
use crate::upgrades::Part;

/// Limit for 64-bit counters: two years in ticks, far from overflowing.
const COUNT_MAX: u64 = 1 << 32;
/// Limit for 32-bit counters: more than any run reaches, and far from overflowing.
const SMALL_COUNT_MAX: u64 = 1 << 28;
/// Limit for the experience in a pickup: more than any holds.
const XP_MAX: u64 = 1_000;
/// Limit for sectors and levels: more than anybody reaches, and small enough that nothing derived from them overflows.
const LEVEL_MAX: u64 = 1 << 20;

impl State {
    /// Checks every count and reference that a tick relies on.
    pub(crate) fn check(&self) -> Result<(), RestoreError> {
        self.check_counts()?;
        self.check_pools()?;
        self.check_bodies()
    }

    fn check_counts(&self) -> Result<(), RestoreError> {
        let progress = &self.progress;
        let counts = [
            ("ticks", self.clock.tick(), COUNT_MAX),
            ("ticks of game time", self.time_ticks, COUNT_MAX),
            ("points", progress.score, COUNT_MAX),
            ("kills", progress.kills.into(), SMALL_COUNT_MAX),
            ("the level", progress.level.into(), LEVEL_MAX),
            ("the sector", self.run.sector.into(), LEVEL_MAX),
            ("ticks of play", self.master.ticks.into(), SMALL_COUNT_MAX),
            ("waves", self.master.waves.into(), u64::from(self.master.ticks / WAVE.0)),
            ("ticks left of the mission", self.mission.timer.left().into(), MISSION.into()),
            ("ticks of overtime", self.mission.overtime_elapsed.into(), SMALL_COUNT_MAX),
            ("puddles", self.puddles.len() as u64, PUDDLES.into()),
            ("modifiers", self.modifiers.active().len() as u64, MODIFIERS_MAX.into()),
        ];
        counts.into_iter().try_for_each(|(what, count, most)| at_most(what, count, most))?;
        at_most("experience", progress.xp.into(), SMALL_COUNT_MAX)?;
        for weapon in self.weapons {
            at_most("the level of a weapon", weapon.level.into(), WEAPON_LEVEL_MAX.into())?;
        }
        for part in Part::ALL {
            at_most("the level of a part", self.upgrades.level(part).into(), PART_LEVEL_MAX.into())?;
        }
        if let Some(boss) = self.boss {
            // Phases count from 1; 0 wraps around and is rejected, too.
            let phase = boss.phase.wrapping_sub(1);
            at_most("phases of the boss passed", phase.into(), MECH_ATTACK.len() as u64 - 1)?;
            at_most("attacks of the boss", boss.attacks.into(), SMALL_COUNT_MAX)?;
        }
        Ok(())
    }

    fn check_pools(&self) -> Result<(), RestoreError> {
        self.shots.check("shots", SHOTS_MAX)?;
        self.enemies.check("enemies", ENEMIES_MAX)?;
        self.pickups.check("pickups", PICKUPS_MAX)?;
        self.crates.check("crates", CRATES)?;
        for pickup in self.pickups.values() {
            if let PickupKind::Xp(xp) = pickup.kind {
                at_most("experience in a pickup", xp.into(), XP_MAX)?;
            }
        }
        Ok(())
    }

    /// Checks that physics runs in lockstep, and that the ship, every enemy and every crate has its own body.
    fn check_bodies(&self) -> Result<(), RestoreError> {
        let ticks = self.physics.tick_rate();
        let steps = self.physics.step_rate();
        if (ticks, steps) != (Rate::hz(TICK_HZ), Rate::hz(PHYSICS_HZ)) {
            return Err(RestoreError::Rates { ticks, steps });
        }
        let world = &self.physics.world;
        let hull = world.colliders.get(self.ship.collider);
        if hull.and_then(Collider::parent) != Some(self.ship.body) {
            let index = self.ship.collider.into_raw_parts().0;
            return Err(RestoreError::Body { what: "the ship's hull", index });
        }
        let mut bodies = vec![self.ship.body];
        bodies.extend(self.enemies.values().map(|enemy| enemy.body));
        bodies.extend(self.crates.values().map(|krate| krate.body));
        bodies.sort_unstable_by_key(|body| body.into_raw_parts());
        let wrong =
            |body: &RigidBodyHandle| RestoreError::Body { what: "a body", index: body.into_raw_parts().0 };
        if let Some(missing) = bodies.iter().find(|&&body| !world.bodies.contains(body)) {
            return Err(wrong(missing));
        }
        match bodies.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(wrong(&pair[0])),
            None => Ok(()),
        }
    }
}

pub(crate) fn at_most(what: &'static str, count: u64, count_max: u64) -> Result<(), RestoreError> {
    if count <= count_max { Ok(()) } else { Err(RestoreError::Count { what, count, count_max }) }
}
