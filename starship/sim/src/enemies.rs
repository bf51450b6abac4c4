//! Enemies: who they are, how they come and go, and what a blow does to them.

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

/// Kinds of enemies; each moves in its own way.
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
    /// Comes close, lights its fuse and goes off.
    Bomber,
    /// The boss: the Awakened Mech.
    Mech,
}

/// One enemy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Enemy {
    /// What it is.
    pub kind: EnemyKind,
    pub(crate) track: Track,
    /// Velocity in metres per second.
    pub vel: Vec2,
    /// Where it looks: a unit vector.
    pub heading: Vec2,
    /// Hull points left.
    pub hull: f32,
    /// Hull points when it came.
    pub hull_full: f32,
    /// Ticks since it came.
    pub age: u32,
    /// Runs after a hit, while the enemy flashes.
    #[serde(with = "crate::track::tick_timer")]
    pub flash: TickTimer,
    /// What it is up to.
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

    /// Its radius in metres.
    pub const fn radius(&self) -> f32 {
        tuning::enemy(self.kind).radius
    }
}

/// One more enemy, if there is room.
pub(crate) fn spawn(state: &mut State, kind: EnemyKind, pos: Vec2) -> Option<Id<Enemy>> {
    let numbers = tuning::enemy(kind);
    let sector = 1.0 + SECTOR_TOUGHNESS * state.run.sector.saturating_sub(1) as f32;
    // The boss is what it is: the longer it takes, the more of the others stand in its way.
    let tougher = if kind == EnemyKind::Mech { 0.0 } else { state.master.seconds() * TOUGHER };
    let hull = numbers.hull * (1.0 + tougher) * sector;
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

/// A blow; the enemy is gone when that was its last hull point.
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

/// The end of an enemy and what it leaves behind.
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

/// A bomb goes off: everything near it is hit, its owner is gone.
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

/// Hits every enemy and crate within a radius.
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

/// What touches the ship hurts it, the worst of them once; crates break when they are rammed.
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
