//! Enemies: kinds, spawning, damage and death.

use serde::{Deserialize, Serialize};

use evenstep::TickTimer;
use evenstep_rapier::rapier::prelude::RigidBodyHandle;

use crate::behaviours::Mood;
use crate::bodies::{self, Owner};
use crate::boss;
use crate::math::Vec2;
use crate::pickups;
use crate::pool::Id;
use crate::ship;
use crate::signals::{Signal, Signals};
use crate::state::State;
use crate::track::Track;
use crate::tuning::{self, BOMB, HIT_FLASH, KNOCKBACK, SECTOR_TOUGHNESS, TOUGHER};

/// Kinds of enemies. Each has its own behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum EnemyKind {
    /// Flies straight at the ship.
    Drone,
    /// Swings from side to side on its way.
    Weaver,
    /// Keeps its distance, circles and shoots.
    Gunner,
    /// Stalks, winds up and dashes.
    Charger,
    /// Approaches, lights its fuse and explodes.
    Bomber,
    /// The boss: the Awakened Mech.
    Mech,
}

/// An enemy in the arena.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Enemy {
    /// Kind of enemy.
    pub kind: EnemyKind,
    pub(crate) track: Track,
    /// Velocity in metres per second.
    pub vel: Vec2,
    /// Direction it faces: a unit vector.
    pub heading: Vec2,
    /// Remaining hull points.
    pub hull: f32,
    /// Hull points when it spawned.
    pub hull_full: f32,
    /// Ticks since it spawned.
    pub age: u32,
    /// Runs after a hit, while the enemy flashes.
    #[serde(with = "crate::track::tick_timer")]
    pub flash: TickTimer,
    /// What it is doing.
    pub mood: Mood,
    pub(crate) body: RigidBodyHandle,
}

impl Enemy {
    /// Returns the position in metres as of the last tick.
    pub const fn pos(&self) -> Vec2 {
        self.track.current()
    }

    /// Returns the position to draw at, `alpha` of the way between the last two ticks.
    pub fn at(&self, alpha: f64) -> Vec2 {
        self.track.at(alpha)
    }

    /// Returns the radius in metres.
    pub const fn radius(&self) -> f32 {
        tuning::enemy(self.kind).radius
    }
}

/// Spawns an enemy unless the pool is full.
pub(crate) fn spawn(state: &mut State, kind: EnemyKind, pos: Vec2) -> Option<Id<Enemy>> {
    let numbers = tuning::enemy(kind);
    let sector = 1.0 + SECTOR_TOUGHNESS * state.run.sector.saturating_sub(1) as f32;
    // The boss does not get tougher: a late boss is already protected by more enemies.
    let tougher = if kind == EnemyKind::Mech { 0.0 } else { state.master.seconds() * TOUGHER };
    let hull = numbers.hull * (1.0 + tougher) * sector * state.run.difficulty.numbers().toughness;
    let physics = &mut state.physics;
    state.enemies.insert_with(|id| Enemy {
        kind,
        track: Track::new(pos),
        vel: Vec2::ZERO,
        heading: Vec2::Y,
        hull,
        hull_full: hull,
        age: 0,
        flash: TickTimer::default(),
        mood: Mood::Hunting,
        body: bodies::insert_enemy(physics, id, pos, numbers.radius),
    })
}

/// Damages an enemy and kills it when no hull points remain.
pub(crate) fn hit(state: &mut State, id: Id<Enemy>, damage: f32, push: Vec2, signals: &mut Signals) {
    let boss_is_changing = state.boss.as_ref().is_some_and(boss::Boss::is_changing);
    let Some(enemy) = state.enemies.get_mut(id) else {
        return;
    };
    if enemy.kind == EnemyKind::Mech && boss_is_changing {
        return;
    }
    enemy.hull -= damage;
    enemy.flash = TickTimer::start(HIT_FLASH);
    enemy.vel += push * (KNOCKBACK * 10.0 / enemy.hull_full.max(10.0));
    if enemy.hull <= 0.0 {
        kill(state, id, signals);
    }
}

/// Removes an enemy, counts the kill and drops its pickups.
pub(crate) fn kill(state: &mut State, id: Id<Enemy>, signals: &mut Signals) {
    let Some(enemy) = remove(state, id) else {
        return;
    };
    let numbers = tuning::enemy(enemy.kind);
    state.progress.kills += 1;
    state.progress.score += u64::from(numbers.score);
    signals.push(Signal::EnemyKilled { kind: enemy.kind, at: enemy.pos() });
    pickups::drop_from_enemy(state, enemy.pos(), numbers.xp);
    if enemy.kind == EnemyKind::Mech {
        boss::defeated(state, enemy.pos(), signals);
    }
}

pub(crate) fn remove(state: &mut State, id: Id<Enemy>) -> Option<Enemy> {
    let enemy = state.enemies.remove(id)?;
    state.physics.world.remove_body(enemy.body);
    Some(enemy)
}

/// Explodes a bomber: kills it and damages everything nearby.
pub(crate) fn explode(state: &mut State, id: Id<Enemy>, signals: &mut Signals) {
    let Some(enemy) = state.enemies.get(id) else {
        return;
    };
    let at = enemy.pos();
    kill(state, id, signals);
    let (radius, to_ship, to_others) = BOMB;
    blast(state, at, radius, to_others, signals);
    if state.ship.pos().distance(at) < radius {
        ship::hurt(state, to_ship, signals);
    }
}

/// Damages every enemy and crate within a radius.
pub(crate) fn blast(state: &mut State, at: Vec2, radius: f32, damage: f32, signals: &mut Signals) {
    signals.push(Signal::Exploded { at, radius });
    for place in 0..state.enemies.places() {
        let Some(id) = state.enemies.id_at(place) else {
            continue;
        };
        let Some(enemy) = state.enemies.get(id) else {
            continue;
        };
        let away = enemy.pos() - at;
        if away.length() < radius + enemy.radius() {
            let push = crate::math::unit_or(away, Vec2::X) * 4.0;
            hit(state, id, damage, push, signals);
        }
    }
    crate::crates::blast(state, at, radius, damage, signals);
}

/// Damages the ship once by the worst enemy that touches it, and breaks crates that it rams.
pub(crate) fn touch_ship(state: &mut State, touching: &mut Vec<Owner>, signals: &mut Signals) {
    bodies::touching_ship(state, touching);
    let mut worst = 0.0_f32;
    for &owner in touching.iter() {
        match owner {
            Owner::Enemy(id) => {
                worst = worst.max(state.enemies.get(id).map_or(0.0, |enemy| tuning::enemy(enemy.kind).touch));
            }
            Owner::Crate(id) => crate::crates::ram(state, id, signals),
            Owner::Scenery => {}
        }
    }
    if worst > 0.0 {
        ship::hurt(state, worst, signals);
    }
}
