//! The game master: decides who comes, when and where.

use serde::{Deserialize, Serialize};

use crate::boss;
use crate::enemies::{self, EnemyKind};
use crate::math::{Vec2, inside_arena};
use crate::signals::{Signal, Signals};
use crate::state::State;
use crate::tuning::{
    BOSS_AT, ENEMIES_MAX, OVERTIME_PRESSURE, POPULATION, SECOND, SIM_DT, SPAWN_DISTANCE, SPAWN_RATE, WAVE,
};

/// What the game master remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameMaster {
    /// Ticks of play.
    pub ticks: u32,
    /// Waves sent.
    pub waves: u32,
    /// Whether the boss was sent.
    pub boss_sent: bool,
    // Enemies due, with the fraction of the next.
    due: f32,
}

impl GameMaster {
    /// Seconds of play.
    pub fn seconds(&self) -> f32 {
        self.ticks as f32 * SIM_DT
    }
}

pub(crate) fn tick(state: &mut State, signals: &mut Signals) {
    state.master.ticks = state.master.ticks.saturating_add(1);
    if state.run.sandbox {
        // A handful of drones to shoot at.
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
    // No more at a time than there is room for: in a run of days the count outgrows what a float can take 1 from.
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

/// How hard the game presses: more in overtime and in later sectors, less while the boss is there.
fn pressure(state: &State) -> f32 {
    let overtime = 1.0 + state.mission.overtime_elapsed as f32 * SIM_DT * OVERTIME_PRESSURE;
    let sector = 1.0 + 0.12 * state.run.sector.saturating_sub(1).min(10) as f32;
    let boss = if state.boss.is_some() { 0.55 } else { 1.0 };
    overtime * sector * boss
}

/// Who comes: one new kind after another, then all of them.
fn pick(state: &mut State) -> EnemyKind {
    let seconds = state.master.seconds() + 12.0 * state.run.sector.saturating_sub(1) as f32;
    let dice = state.rng.unit();
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
            if dice < below {
                return kind;
            }
        }
    }
    EnemyKind::Drone
}

/// A group of one kind from one side.
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

/// Out of sight on that side, or on the other one when a wall is in the way.
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
