//! Enemy AI, except for the boss, which has its own module.

use serde::{Deserialize, Serialize};

use crate::bodies::Owner;
use crate::enemies::{self, Enemy, EnemyKind};
use crate::math::{Vec2, at_most, left_of, unit_or};
use crate::pool::Id;
use crate::ship::Ship;
use crate::shots;
use crate::signals::{Signal, Signals};
use crate::state::State;
use crate::tuning::{self, CHARGE, CHARGE_FROM, CHARGE_SPEED, FUSE, GUNNER, GUNNER_SHOT, SIM_DT, WEAVE};

/// What an enemy is doing. Counts are the remaining ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mood {
    /// Approaching the ship.
    Hunting,
    /// A charger about to dash.
    WindingUp(u32),
    /// A charger dashing.
    Dashing(u32),
    /// A charger recovering from a dash.
    Resting(u32),
    /// A bomber with its fuse lit.
    Fused(u32),
}

/// What an enemy does in a tick besides moving.
#[derive(Clone, Copy)]
enum Deed {
    None,
    Shoot,
    Explode,
    Warn,
    Light,
}

pub(crate) fn tick(state: &mut State, touching: &mut Vec<Owner>, signals: &mut Signals) {
    enemies::touch_ship(state, touching, signals);
    for place in 0..state.enemies.places() {
        let Some(id) = state.enemies.id_at(place) else {
            continue;
        };
        let ship = &state.ship;
        let Some(enemy) = state.enemies.get_mut(id) else {
            continue;
        };
        enemy.age = enemy.age.wrapping_add(1);
        enemy.flash.tick();
        if enemy.kind == EnemyKind::Mech {
            continue;
        }
        let (wanted, deed) = decide(enemy, ship);
        steer(enemy, wanted);
        carry_out(state, id, deed, signals);
    }
}

/// Accelerates towards the desired velocity as fast as the enemy's agility allows.
pub(crate) fn steer(enemy: &mut Enemy, wanted: Vec2) {
    let agility = match enemy.mood {
        Mood::Dashing(_) => 400.0,
        _ => tuning::enemy(enemy.kind).agility,
    };
    enemy.vel += at_most(wanted - enemy.vel, agility * SIM_DT);
}

fn carry_out(state: &mut State, id: Id<Enemy>, deed: Deed, signals: &mut Signals) {
    let Some(at) = state.enemies.get(id).map(Enemy::pos) else {
        return;
    };
    match deed {
        Deed::None => {}
        Deed::Shoot => {
            // Leads the target.
            let flight = at.distance(state.ship.pos()) / GUNNER_SHOT.0;
            let along = unit_or(state.ship.pos() + state.ship.vel * flight * 0.6 - at, Vec2::Y);
            shots::fire_at_ship(state, at, along * GUNNER_SHOT.0, GUNNER_SHOT.1);
            signals.push(Signal::EnemyFired { at });
        }
        Deed::Explode => enemies::explode(state, id, signals),
        Deed::Warn => signals.push(Signal::ChargeWarning { at }),
        Deed::Light => signals.push(Signal::FuseLit { at }),
    }
}

/// Returns the desired velocity of an enemy, and its action.
fn decide(enemy: &mut Enemy, ship: &Ship) -> (Vec2, Deed) {
    let speed = tuning::enemy(enemy.kind).speed;
    let to_ship = ship.pos() - enemy.pos();
    let distance = to_ship.length();
    let towards = unit_or(to_ship, Vec2::Y);
    if !matches!(enemy.mood, Mood::Dashing(_) | Mood::WindingUp(_)) {
        enemy.heading = towards;
    }
    match enemy.kind {
        EnemyKind::Drone | EnemyKind::Mech => (towards * speed, Deed::None),
        EnemyKind::Weaver => {
            let swing = libm::sinf(enemy.age as f32 * core::f32::consts::TAU / WEAVE);
            (towards * speed * 0.8 + left_of(towards) * (swing * speed * 0.9), Deed::None)
        }
        EnemyKind::Gunner => gunner(enemy, towards, distance, speed),
        EnemyKind::Charger => charger(enemy, towards, distance, speed),
        EnemyKind::Bomber => bomber(enemy, towards, distance, speed),
    }
}

fn gunner(enemy: &Enemy, towards: Vec2, distance: f32, speed: f32) -> (Vec2, Deed) {
    let (keeps, every) = GUNNER;
    let radial = ((distance - keeps) * 0.5).clamp(-1.0, 1.0);
    let wanted = (towards * radial + left_of(towards) * 0.6) * speed;
    let shoots = enemy.age % every == every - 1 && distance < 2.0 * keeps;
    (wanted, if shoots { Deed::Shoot } else { Deed::None })
}

fn charger(enemy: &mut Enemy, towards: Vec2, distance: f32, speed: f32) -> (Vec2, Deed) {
    let (winds_up, dashes, rests) = CHARGE;
    match enemy.mood {
        Mood::WindingUp(0) => {
            enemy.mood = Mood::Dashing(dashes);
            (enemy.heading * CHARGE_SPEED, Deed::None)
        }
        Mood::WindingUp(left) => {
            enemy.mood = Mood::WindingUp(left - 1);
            (enemy.heading * -1.5, Deed::None)
        }
        Mood::Dashing(0) => {
            enemy.mood = Mood::Resting(rests);
            (Vec2::ZERO, Deed::None)
        }
        Mood::Dashing(left) => {
            enemy.mood = Mood::Dashing(left - 1);
            (enemy.heading * CHARGE_SPEED, Deed::None)
        }
        Mood::Resting(left) if left > 0 => {
            enemy.mood = Mood::Resting(left - 1);
            (towards * 0.5, Deed::None)
        }
        _ if distance < CHARGE_FROM => {
            enemy.heading = towards;
            enemy.mood = Mood::WindingUp(winds_up);
            (Vec2::ZERO, Deed::Warn)
        }
        _ => {
            enemy.mood = Mood::Hunting;
            (towards * speed, Deed::None)
        }
    }
}

fn bomber(enemy: &mut Enemy, towards: Vec2, distance: f32, speed: f32) -> (Vec2, Deed) {
    match enemy.mood {
        Mood::Fused(0) => (Vec2::ZERO, Deed::Explode),
        Mood::Fused(left) => {
            enemy.mood = Mood::Fused(left - 1);
            (towards * 2.0, Deed::None)
        }
        _ if distance < FUSE.0 => {
            enemy.mood = Mood::Fused(FUSE.1);
            (towards * 2.0, Deed::Light)
        }
        _ => (towards * speed, Deed::None),
    }
}
