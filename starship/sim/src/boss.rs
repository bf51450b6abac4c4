//! The boss: the Awakened Mech, its slow motion, and the boss room that opens when it is defeated.

use evenstep::TickTimer;
use serde::{Deserialize, Serialize};

use crate::behaviours::steer;
use crate::crates;
use crate::enemies::{self, Enemy, EnemyKind};
use crate::math::{Vec2, direction, inside_arena, left_of, turned, unit_or};
use crate::phases::Phase;
use crate::pool::Id;
use crate::ship;
use crate::shots;
use crate::signals::{Signal, Signals};
use crate::state::State;
use crate::tuning::{
    CRATE_HULL, MECH_ATTACK, MECH_CHANGES, MECH_DISTANCE, MECH_END_JUICE, MECH_JUICE, MECH_PHASES, MECH_SHOT,
    MECH_SHOTS, PORTAL_OPENS, PORTAL_RADIUS, RING, RING_CLOSES, RING_DAMAGE, SIM_DT, SPAWN_DISTANCE, enemy,
};

/// Slow motion requested by the boss. It resets itself when its timer ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Juice {
    /// Scale for the host's juice channel.
    pub dilation: f32,
    /// Runs until the scale returns to 1.
    #[serde(with = "crate::track::tick_timer")]
    pub revert: TickTimer,
}

impl Default for Juice {
    fn default() -> Self {
        Self { dilation: 1.0, revert: TickTimer::default() }
    }
}

impl Juice {
    fn write(&mut self, (dilation, ticks): (f32, u32)) {
        *self = Self { dilation, revert: TickTimer::start(ticks) };
    }

    fn tick(&mut self) {
        self.revert.tick();
        if !self.revert.is_running() {
            self.dilation = 1.0;
        }
    }
}

/// The Awakened Mech.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Boss {
    /// The boss's entry among the enemies.
    pub id: Id<Enemy>,
    /// Current phase: 1, 2 or 3.
    pub phase: u32,
    /// Runs while the boss changes phase and cannot be hurt.
    #[serde(with = "crate::track::tick_timer")]
    pub changing: TickTimer,
    /// Number of attacks so far.
    pub attacks: u32,
    #[serde(with = "crate::track::tick_timer")]
    attack_in: TickTimer,
}

impl Boss {
    /// Returns whether the boss is between two phases and cannot be hurt.
    pub const fn is_changing(&self) -> bool {
        self.changing.is_running()
    }
}

/// The end of the level: a ring that closes around a portal. It stops the mission timer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BossRoom {
    /// Centre of the ring and the portal, in metres.
    pub pos: Vec2,
    /// Radius of the ring in metres.
    pub ring: f32,
    /// Ticks since the room opened.
    pub age: u32,
}

impl BossRoom {
    /// Returns whether the ship can fly through the portal.
    pub const fn is_portal_open(&self) -> bool {
        self.age >= PORTAL_OPENS
    }
}

pub(crate) fn arrive(state: &mut State, signals: &mut Signals) {
    let side = unit_or(-state.ship.pos(), Vec2::Y);
    let at = inside_arena(state.ship.pos() + side * (SPAWN_DISTANCE * 0.8), 4.0);
    if let Some(id) = enemies::spawn(state, EnemyKind::Mech, at) {
        state.boss = Some(Boss {
            id,
            phase: 1,
            changing: TickTimer::start(MECH_CHANGES),
            attacks: 0,
            attack_in: TickTimer::start(MECH_ATTACK[0]),
        });
        state.camera.shake(0.5);
        signals.push(Signal::BossArrived { at });
    }
}

/// Ticks the boss and its room. Slow motion ends in every phase of the run, so it can never get stuck.
pub(crate) fn tick(state: &mut State, signals: &mut Signals) {
    state.juice.tick();
    if !state.phase.has_physics() {
        return;
    }
    if let Some(boss) = state.boss {
        mech(state, boss, signals);
    }
    if state.boss_room.is_some() {
        room(state, signals);
    }
}

fn mech(state: &mut State, mut boss: Boss, signals: &mut Signals) {
    let Some(body) = state.enemies.get_mut(boss.id) else {
        state.boss = None;
        return;
    };
    let hull = body.hull / body.hull_full;
    let next_phase = 1 + MECH_PHASES.iter().filter(|&&share| hull < share).count() as u32;
    let at = body.pos();
    let to_ship = state.ship.pos() - at;
    let towards = unit_or(to_ship, Vec2::Y);
    let radial = ((to_ship.length() - MECH_DISTANCE) * 0.3).clamp(-1.0, 1.0);
    let speed = enemy(EnemyKind::Mech).speed * (0.8 + 0.2 * boss.phase as f32);
    let wanted = (towards * radial + left_of(towards) * 0.5) * speed;
    body.heading = towards;
    steer(body, if boss.is_changing() { Vec2::ZERO } else { wanted });

    if next_phase > boss.phase {
        boss.phase = next_phase;
        boss.changing = TickTimer::start(MECH_CHANGES);
        state.juice.write(MECH_JUICE);
        state.camera.shake(0.7);
        signals.push(Signal::BossPhase { phase: next_phase, at });
    }
    boss.changing.tick();
    boss.attack_in.tick();
    if !boss.attack_in.is_running() && !boss.is_changing() {
        boss.attack_in = TickTimer::start(MECH_ATTACK[boss.phase as usize - 1]);
        boss.attacks += 1;
        attack(state, &boss, at, towards);
        signals.push(Signal::EnemyFired { at });
    }
    state.boss = Some(boss);
}

/// Phase 1: aimed volleys. Phase 2: rings as well. Phase 3: a rotating star and reinforcements.
fn attack(state: &mut State, boss: &Boss, at: Vec2, towards: Vec2) {
    let (aimed, ring, star) = MECH_SHOTS;
    let full_turn = core::f32::consts::TAU;
    match (boss.phase, boss.attacks % 3) {
        (1, _) | (2, 0 | 2) => fan(state, at, towards, aimed, 0.22),
        (2, _) => fan(state, at, towards, ring, full_turn / ring as f32),
        (_, 0) => {
            for n in 0..star {
                let arm = direction(boss.attacks as f32 * 0.5 + n as f32 * full_turn / star as f32);
                fan(state, at, arm, 4, 0.12);
            }
        }
        (_, 1) => fan(state, at, towards, aimed + 2, 0.18),
        _ => {
            for n in 0..3 {
                let side = turned(towards, (n as f32 - 1.0) * 1.2);
                enemies::spawn(state, EnemyKind::Weaver, inside_arena(at - side * 4.0, 1.0));
            }
        }
    }
}

fn fan(state: &mut State, at: Vec2, middle: Vec2, count: u32, spread: f32) {
    let (speed, damage) = MECH_SHOT;
    for n in 0..count {
        let along = turned(middle, (n as f32 - (count - 1) as f32 / 2.0) * spread);
        shots::fire_at_ship(state, at + along * 2.0, along * speed, damage);
    }
}

/// Handles the defeat of the boss: slow motion, and the boss room opens.
pub(crate) fn defeated(state: &mut State, at: Vec2, signals: &mut Signals) {
    state.boss = None;
    state.juice.write(MECH_END_JUICE);
    state.camera.shake(1.0);
    signals.push(Signal::BossDefeated { at });
    let pos = inside_arena(at, RING.1 + 2.0);
    state.boss_room = Some(BossRoom { pos, ring: RING.0, age: 0 });
    signals.push(Signal::BossRoomOpened { at: pos });
    // Nothing may block the portal.
    crates::blast(state, pos, RING.1, CRATE_HULL, signals);
    for place in 0..state.shots.places() {
        if let Some(id) = state.shots.id_at(place) {
            state.shots.remove(id);
        }
    }
}

/// Closes the ring, burns the ship outside of it, and opens the portal.
fn room(state: &mut State, signals: &mut Signals) {
    let Some(mut room) = state.boss_room else {
        return;
    };
    let was_open = room.is_portal_open();
    room.age = room.age.saturating_add(1);
    let closed = (room.age as f32 / RING_CLOSES as f32).min(1.0);
    room.ring = RING.0 + (RING.1 - RING.0) * closed;
    state.boss_room = Some(room);
    if !was_open && room.is_portal_open() {
        signals.push(Signal::PortalOpened { at: room.pos });
    }
    let apart = state.ship.pos().distance(room.pos);
    if apart > room.ring {
        ship::drain(state, RING_DAMAGE * SIM_DT, signals);
    }
    if room.is_portal_open() && apart < PORTAL_RADIUS && state.phase == Phase::Playing {
        state.progress.score += u64::from(state.mission.timer.left()) / 6 + 500;
        signals.push(Signal::Won { at: room.pos });
        state.enter(Phase::Won);
    }
}
