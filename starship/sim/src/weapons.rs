//! Weapons: they fire automatically and have cooldowns and levels.

use serde::{Deserialize, Serialize};

use crate::math::{Vec2, turned, unit_or};
use crate::shots::{self, Aim};
use crate::signals::{Signal, Signals};
use crate::state::State;
use crate::tuning::{self, WEAPON_LEVEL_COOLDOWN, WEAPON_LEVEL_DAMAGE, WeaponTuning};

/// Kinds of weapons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum WeaponKind {
    /// Quick bolts at the nearest enemy.
    Pulse,
    /// A short-ranged fan.
    Scatter,
    /// Homing missiles.
    Seeker,
}

impl WeaponKind {
    /// All kinds, in the order of [`State::weapons`].
    pub const ALL: [Self; 3] = [Self::Pulse, Self::Scatter, Self::Seeker];
}

/// A weapon of the ship.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weapon {
    /// Kind of weapon.
    pub kind: WeaponKind,
    /// Level; 0 means that the ship does not have it yet.
    pub level: u32,
    /// Ticks until it is ready at a fire rate of 1. Not a whole number, because the fire rate varies.
    pub cooldown: f32,
}

impl Weapon {
    pub(crate) const fn new(kind: WeaponKind) -> Self {
        Self { kind, level: if matches!(kind, WeaponKind::Pulse) { 1 } else { 0 }, cooldown: 0.0 }
    }

    fn is_ready(&self) -> bool {
        self.level > 0 && self.cooldown <= 0.0
    }

    fn steps(&self) -> f32 {
        self.level.saturating_sub(1) as f32
    }

    fn cooldown_full(&self, numbers: WeaponTuning) -> f32 {
        numbers.cooldown as f32 * (1.0 - WEAPON_LEVEL_COOLDOWN * self.steps())
    }

    fn damage(&self, numbers: WeaponTuning) -> f32 {
        numbers.damage * (1.0 + WEAPON_LEVEL_DAMAGE * self.steps())
    }
}

pub(crate) fn tick(state: &mut State, signals: &mut Signals) {
    let fire_rate = state.ship.stats.fire_rate;
    for weapon in &mut state.weapons {
        weapon.cooldown = (weapon.cooldown - fire_rate).max(0.0);
    }
    if !state.weapons.iter().any(Weapon::is_ready) {
        return;
    }
    let Some(aim) = shots::nearest_target(state) else {
        return;
    };
    let boss = shots::boss_target(state);
    for index in 0..state.weapons.len() {
        let weapon = state.weapons[index];
        let numbers = tuning::weapon(weapon.kind);
        // Seekers prefer the boss.
        let aim = if weapon.kind == WeaponKind::Seeker { boss.unwrap_or(aim) } else { aim };
        if weapon.is_ready() && aim.pos.distance(state.ship.pos()) < numbers.range {
            state.weapons[index].cooldown += weapon.cooldown_full(numbers);
            fire(state, weapon, numbers, aim, signals);
        }
    }
}

/// Fires a fan of shots, leading the target.
fn fire(state: &mut State, weapon: Weapon, numbers: WeaponTuning, aim: Aim, signals: &mut Signals) {
    let from = state.ship.pos();
    let flight = aim.pos.distance(from) / numbers.speed;
    let along = unit_or(aim.pos + aim.vel * flight - from, Vec2::Y);
    let count = tuning::weapon_shots(weapon.kind, weapon.level);
    for n in 0..count {
        let angle = (n as f32 - (count - 1) as f32 / 2.0) * numbers.spread;
        let shot_along = turned(along, angle);
        shots::fire_from_ship(
            state,
            weapon.kind,
            shot_along * numbers.speed,
            weapon.damage(numbers),
            aim.enemy,
        );
    }
    signals.push(Signal::Fired { weapon: weapon.kind, at: from, along });
}
