//! The game master: decides which enemies spawn, when and where.

use serde::{Deserialize, Serialize};

use crate::boss;
use crate::enemies::{self, EnemyKind};
use crate::math::{Vec2, inside_arena};
use crate::signals::{Signal, Signals};
use crate::state::State;
use crate::tuning::{
    BOSS_AT, ENEMIES_MAX, OVERTIME_PRESSURE, POPULATION, SECOND, SECTOR_PRESSURE, SIM_DT, SPAWN_DISTANCE,
    SPAWN_RATE, WAVE,
};

/// The state of the game master.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameMaster {
    /// Ticks played.
    pub ticks: u32,
    /// Number of waves so far.
    pub waves: u32,
    /// Whether the boss has spawned.
    pub boss_sent: bool,
    // Enemies due, including a fraction.
    due: f32,
}

impl GameMaster {
    /// Returns the seconds played.
    pub fn seconds(&self) -> f32 {
        self.ticks as f32 * SIM_DT
    }
}

pub(crate) fn tick(state: &mut State, signals: &mut Signals) {
    state.master.ticks = state.master.ticks.saturating_add(1);
    if state.run.sandbox {
        // A few drones to shoot at.
        if state.master.ticks > 2 * SECOND && state.enemies.len() < 8 {
            spawn(state, EnemyKind::Drone);
        }
        return;
    }
    if state.boss_room.is_some() {
        return;
    }
    let pressure = pressure(state);
    let seconds = state.master.seconds();
    let population = (POPULATION.0 + POPULATION.1 * seconds) * pressure;
    // Capped, because in a run of days the count would grow beyond where subtracting 1 changes a float.
    let due = state.master.due + (SPAWN_RATE.0 + SPAWN_RATE.1 * seconds) * pressure * SIM_DT;
    state.master.due = due.min(ENEMIES_MAX as f32);
    while state.master.due >= 1.0 {
        state.master.due -= 1.0;
        if (state.enemies.len() as f32) < population {
            let kind = pick(state);
            spawn(state, kind);
        }
    }
    if state.master.ticks.is_multiple_of(WAVE.0) {
        wave(state, signals);
    }
    if !state.master.boss_sent && state.mission.timer.left() <= BOSS_AT {
        state.master.boss_sent = true;
        boss::arrive(state, signals);
    }
}

/// Returns the spawn multiplier: higher in overtime, in later sectors and at a higher difficulty, lower while the boss is alive.
fn pressure(state: &State) -> f32 {
    let overtime = 1.0 + state.mission.overtime_elapsed as f32 * SIM_DT * OVERTIME_PRESSURE;
    let sector = 1.0 + SECTOR_PRESSURE * state.run.sector.saturating_sub(1).min(10) as f32;
    let boss = if state.boss.is_some() { 0.55 } else { 1.0 };
    overtime * sector * boss * state.run.difficulty.numbers().pressure
}

/// Picks a kind of enemy. New kinds appear one after another.
fn pick(state: &mut State) -> EnemyKind {
    let seconds = state.master.seconds() + 12.0 * state.run.sector.saturating_sub(1) as f32;
    let roll = state.rng.unit();
    let thresholds = [
        (EnemyKind::Bomber, 38.0, 0.12),
        (EnemyKind::Charger, 26.0, 0.13),
        (EnemyKind::Gunner, 16.0, 0.16),
        (EnemyKind::Weaver, 7.0, 0.24),
    ];
    let mut below = 0.0;
    for (kind, from, share) in thresholds {
        if seconds >= from {
            below += share;
            if roll < below {
                return kind;
            }
        }
    }
    EnemyKind::Drone
}

/// Spawns a group of one kind on one side.
fn wave(state: &mut State, signals: &mut Signals) {
    state.master.waves += 1;
    signals.push(Signal::Wave { number: state.master.waves });
    let kind = pick(state);
    let side = state.rng.direction();
    for _ in 0..WAVE.1 + state.master.waves {
        let scatter = state.rng.direction() * state.rng.between(0.0, 6.0);
        let pos = arrival(state.ship.pos(), side) + scatter;
        enemies::spawn(state, kind, inside_arena(pos, 1.0));
    }
}

fn spawn(state: &mut State, kind: EnemyKind) {
    let side = state.rng.direction();
    let pos = arrival(state.ship.pos(), side);
    enemies::spawn(state, kind, pos);
}

/// Returns a point out of sight on that side, or on the opposite side if a wall is in the way.
fn arrival(ship: Vec2, side: Vec2) -> Vec2 {
    let there = inside_arena(ship + side * SPAWN_DISTANCE, 1.0);
    if there.distance(ship) > 0.7 * SPAWN_DISTANCE {
        there
    } else {
        inside_arena(ship - side * SPAWN_DISTANCE, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::RunDef;

    #[test]
    fn no_number_of_enemies_due_keeps_a_tick_busy() {
        for due in [f32::MAX, f32::INFINITY, f32::NAN] {
            let mut state = State::new(RunDef::seeded(1));
            state.master.due = due;
            state.mission.overtime_elapsed = u32::MAX;
            tick(&mut state, &mut Signals::of_a_tick());
            assert!(state.master.due < 1.0 && state.enemies.len() <= ENEMIES_MAX);
        }
    }
}
