//! Crowded scenes for tests and benchmarks.

use crate::enemies::{self, EnemyKind};
use evenstep_rapier::rapier::prelude::RigidBodyHandle;

use crate::math::{Vec2, inside_arena};
use crate::shots;
use crate::state::{RunDef, State};
use crate::tick::Sim;

/// Hull points of an enemy that must survive the benchmark.
const UNBREAKABLE: f32 = 1e12;
const KINDS: [EnemyKind; 4] = [EnemyKind::Drone, EnemyKind::Weaver, EnemyKind::Gunner, EnemyKind::Drone];

impl Sim {
    /// Creates a sandbox with this many unbreakable enemies around the ship and this many shots in flight.
    ///
    /// ```
    /// use starship_sim::Sim;
    ///
    /// let sim = Sim::crowded(100, 200);
    /// assert_eq!((sim.state().enemies.len(), sim.state().shots.len()), (100, 200));
    /// ```
    pub fn crowded(enemies: u32, shots: u32) -> Self {
        let run = RunDef { sandbox: true, ..RunDef::seeded(42) };
        let mut sim = Self::new(run);
        sim.start_new_game(run);
        sim.crowd(enemies, shots);
        sim
    }

    /// Adds enemies and shots up to these numbers, as far as the pools allow.
    pub fn crowd(&mut self, enemies: u32, shots: u32) {
        let state = self.state_mut();
        while state.enemies.len() < enemies && !state.enemies.is_full() {
            let kind = KINDS[state.rng.below(4) as usize];
            let away = state.rng.between(4.0, 28.0);
            let pos = inside_arena(state.ship.pos() + state.rng.direction() * away, 1.0);
            let id = enemies::spawn(state, kind, pos);
            if let Some(enemy) = id.and_then(|id| state.enemies.get_mut(id)) {
                enemy.hull = UNBREAKABLE;
                enemy.hull_full = UNBREAKABLE;
            }
        }
        while state.shots.len() < shots && !state.shots.is_full() {
            let away = state.rng.between(0.0, 28.0);
            let pos = inside_arena(state.ship.pos() + state.rng.direction() * away, 1.0);
            let vel = state.rng.direction() * 30.0;
            shots::place(state, pos, vel);
        }
    }
}

impl State {
    /// Returns the velocities that the next tick writes to the physics world if the stick is not touched.
    pub fn velocities(&self, dt: f32) -> impl Iterator<Item = (RigidBodyHandle, Vec2)> {
        let ship = (self.ship.body, self.ship.vel / (1.0 + self.ship.stats.drag * dt));
        core::iter::once(ship).chain(self.enemies.values().map(|enemy| (enemy.body, enemy.vel)))
    }
}
