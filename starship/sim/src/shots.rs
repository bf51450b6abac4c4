//! Shots of the ship and of enemies. They are too many and too fast for the physics world, so they sweep a grid.

use evenstep::TickTimer;
use serde::{Deserialize, Serialize};

use crate::crates;
use crate::enemies::{self, Enemy};
use crate::grid::{Grid, Target};
use crate::math::{Vec2, at_most, unit_or};
use crate::modifiers::ModifierKind;
use crate::pool::Id;
use crate::ship;
use crate::signals::{Signal, Signals};
use crate::state::State;
use crate::track::Track;
use crate::tuning::{self, ARENA_HALF, JAMMED_LASTS, SEEKER_TURN, SHIP_RADIUS, SHOT_RADIUS, SIM_DT};
use crate::weapons::WeaponKind;

/// Origin of the shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShotKind {
    /// One of the ship's weapons.
    Ship(WeaponKind),
    /// An enemy.
    Enemy,
}

/// A shot in flight.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shot {
    /// Origin of the shot.
    pub kind: ShotKind,
    pub(crate) track: Track,
    /// Velocity in metres per second.
    pub vel: Vec2,
    /// Damage in hull points.
    pub damage: f32,
    /// Runs while the shot is in flight.
    #[serde(with = "crate::track::tick_timer")]
    pub life: TickTimer,
    target: Option<Id<Enemy>>,
}

impl Shot {
    /// Returns the position in metres as of the last tick.
    pub const fn pos(&self) -> Vec2 {
        self.track.current()
    }

    /// Returns the position to draw at, `alpha` of the way between the last two ticks.
    pub fn at(&self, alpha: f64) -> Vec2 {
        self.track.at(alpha)
    }
}

/// A target to aim at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    pub(crate) pos: Vec2,
    pub(crate) vel: Vec2,
    pub(crate) enemy: Option<Id<Enemy>>,
}

/// Returns the enemy nearest to the ship, or a crate if no enemy is near.
pub(crate) fn nearest_target(state: &State) -> Option<Aim> {
    let ship = state.ship.pos();
    let nearest = nearest_enemy(state, ship);
    let is_near = nearest.is_some_and(|(_, enemy)| enemy.pos().distance_squared(ship) < 18.0 * 18.0);
    if !is_near {
        let crates = state.crates.values().map(|it| (it.pos().distance_squared(ship), it.pos()));
        let near = crates.filter(|&(apart, _)| apart < 10.0 * 10.0);
        if let Some((_, pos)) = near.min_by(|a, b| a.0.total_cmp(&b.0)) {
            return Some(Aim { pos, vel: Vec2::ZERO, enemy: None });
        }
    }
    nearest.map(|(id, enemy)| Aim { pos: enemy.pos(), vel: enemy.vel, enemy: Some(id) })
}

/// Returns the boss, if there is one.
pub(crate) fn boss_target(state: &State) -> Option<Aim> {
    let id = state.boss?.id;
    state.enemies.get(id).map(|enemy| Aim { pos: enemy.pos(), vel: enemy.vel, enemy: Some(id) })
}

fn nearest_enemy(state: &State, to: Vec2) -> Option<(Id<Enemy>, &Enemy)> {
    let mut nearest: Option<(f32, Id<Enemy>, &Enemy)> = None;
    for (id, enemy) in state.enemies.iter() {
        // To its rim, or a large boss next to the ship would count as far away.
        let apart = enemy.pos().distance_squared(to) - enemy.radius() * enemy.radius();
        if nearest.is_none_or(|(least, ..)| apart < least) {
            nearest = Some((apart, id, enemy));
        }
    }
    nearest.map(|(_, id, enemy)| (id, enemy))
}

pub(crate) fn fire_from_ship(
    state: &mut State,
    weapon: WeaponKind,
    vel: Vec2,
    damage: f32,
    target: Option<Id<Enemy>>,
) {
    let from = state.ship.pos();
    let target = target.filter(|_| weapon == WeaponKind::Seeker);
    let life = TickTimer::start(tuning::weapon(weapon).life);
    state.shots.insert(Shot {
        kind: ShotKind::Ship(weapon),
        track: Track::new(from),
        vel,
        damage,
        life,
        target,
    });
}

/// Inserts a pulse bolt.
#[cfg(feature = "testing")]
pub(crate) fn place(state: &mut State, pos: Vec2, vel: Vec2) {
    let kind = ShotKind::Ship(WeaponKind::Pulse);
    state.shots.insert(Shot {
        kind,
        track: Track::new(pos),
        vel,
        damage: 1.0,
        life: TickTimer::start(120),
        target: None,
    });
}

pub(crate) fn fire_at_ship(state: &mut State, from: Vec2, vel: Vec2, damage: f32) {
    let kind = ShotKind::Enemy;
    state.shots.insert(Shot {
        kind,
        track: Track::new(from),
        vel,
        damage,
        life: TickTimer::start(240),
        target: None,
    });
}

pub(crate) fn tick(state: &mut State, grid: &mut Grid, signals: &mut Signals) {
    if state.shots.is_empty() {
        return;
    }
    grid.fill(state);
    for place in 0..state.shots.places() {
        let Some(id) = state.shots.id_at(place) else {
            continue;
        };
        seek(state, id);
        let Some(shot) = state.shots.get_mut(id) else {
            continue;
        };
        shot.life.tick();
        shot.track.advance(shot.pos() + shot.vel * SIM_DT);
        let shot = *shot;
        let spent = !shot.life.is_running() || shot.pos().abs().max_element() > ARENA_HALF;
        let hit = match shot.kind {
            ShotKind::Ship(weapon) => hit_target(state, grid, &shot, weapon, signals),
            ShotKind::Enemy => hit_ship(state, &shot, signals),
        };
        if hit || spent {
            state.shots.remove(id);
            if let (false, ShotKind::Ship(WeaponKind::Seeker)) = (hit, shot.kind) {
                signals.push(Signal::Exploded { at: shot.pos(), radius: 0.6 });
            }
        }
    }
}

/// Turns a seeker towards its target, or towards another one if the target is gone.
fn seek(state: &mut State, id: Id<Shot>) {
    let Some(shot) = state.shots.get(id).filter(|shot| shot.kind == ShotKind::Ship(WeaponKind::Seeker))
    else {
        return;
    };
    let pos = shot.pos();
    let vel = shot.vel;
    let life = shot.life.left();
    let mut target = shot.target.and_then(|id| state.enemies.get(id).map(|enemy| (id, enemy.pos())));
    // The search visits every enemy, so it does not run on every tick, nor for all seekers on the same one.
    if target.is_none() && life.is_multiple_of(6) {
        target = nearest_enemy(state, pos).map(|(id, enemy)| (id, enemy.pos()));
    }
    let Some(shot) = state.shots.get_mut(id) else {
        return;
    };
    shot.target = target.map(|(id, _)| id);
    if let Some((_, goal)) = target {
        let speed = vel.length();
        let wanted = unit_or(goal - pos, vel) * speed;
        shot.vel = unit_or(vel + at_most(wanted - vel, speed * SEEKER_TURN), vel) * speed;
    }
}

fn hit_target(
    state: &mut State,
    grid: &Grid,
    shot: &Shot,
    weapon: WeaponKind,
    signals: &mut Signals,
) -> bool {
    let Some((target, at)) = grid.first_hit(state, shot.track.previous(), shot.pos(), SHOT_RADIUS) else {
        return false;
    };
    signals.push(Signal::Hit { at, damage: shot.damage });
    let blast = tuning::weapon(weapon).blast;
    if blast > 0.0 {
        enemies::blast(state, at, blast, shot.damage, signals);
        return true;
    }
    match target {
        Target::Enemy(id) => {
            let push = unit_or(shot.vel, Vec2::Y);
            enemies::hit(state, id, shot.damage, push, signals);
        }
        Target::Crate(id) => crates::hit(state, id, shot.damage, signals),
    }
    true
}

fn hit_ship(state: &mut State, shot: &Shot, signals: &mut Signals) -> bool {
    let reach = SHIP_RADIUS + SHOT_RADIUS;
    let nearest = nearest_on(shot.track.previous(), shot.pos(), state.ship.pos()).1;
    if nearest.distance_squared(state.ship.pos()) >= reach * reach {
        return false;
    }
    if !state.ship.invulnerable.is_running() {
        state.modifiers.add(ModifierKind::Jammed, JAMMED_LASTS);
    }
    ship::hurt(state, shot.damage, signals);
    true
}

/// Returns the point of a segment nearest to another point, and its position along the segment from 0 to 1.
pub(crate) fn nearest_on(from: Vec2, to: Vec2, point: Vec2) -> (f32, Vec2) {
    let along = to - from;
    let length_squared = along.length_squared();
    let share =
        if length_squared > 0.0 { ((point - from).dot(along) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    (share, from + along * share)
}
