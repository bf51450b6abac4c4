//! The complete state of a game between two ticks.

use evenstep_rapier::Physics;
use serde::{Deserialize, Serialize};

use crate::bodies;
use crate::boss::{Boss, BossRoom, Juice};
use crate::camera::Camera;
use crate::clock::Clock;
use crate::crates::{self, Crate};
use crate::difficulty::Difficulty;
use crate::enemies::Enemy;
use crate::game_master::GameMaster;
use crate::input::Controls;
use crate::mission::Mission;
use crate::modifiers::Modifiers;
use crate::phases::Phase;
use crate::pickups::{Pickup, Progress};
use crate::pool::Pool;
use crate::rng::Rng;
use crate::ship::Ship;
use crate::shots::Shot;
use crate::tuning::{CRATES, ENEMIES_MAX, LEVEL_SPEED_MAX, LEVEL_SPEED_STEP, PICKUPS_MAX, SHOTS_MAX, SIM_DT};
use crate::upgrades::{OFFERS, Upgrade, Upgrades};
use crate::warp::{self, Puddle};
use crate::weapons::{Weapon, WeaponKind};

/// The parameters of a run. Together with the inputs they determine everything in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RunDef {
    /// RNG seed. Every sector has its own world, which depends on nothing but the seed and the sector.
    pub seed: u64,
    /// Sector, from 1. Later ones are faster and tougher.
    pub sector: u32,
    /// Sandbox mode: no timer, no boss, no damage.
    pub sandbox: bool,
    /// How hard it is.
    pub difficulty: Difficulty,
    /// Whether the run after death has the same seed. Otherwise the random number generator gives another.
    pub repeats: bool,
}

impl RunDef {
    /// Creates a run of normal difficulty in the first sector.
    pub const fn seeded(seed: u64) -> Self {
        Self { seed, sector: 1, sandbox: false, difficulty: Difficulty::Normal, repeats: false }
    }
}

/// The complete state of a game between two ticks. A tick depends on it and the input, and on nothing else.
///
/// The fields are public for reading; only ticks should write them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    /// Parameters of the run.
    pub run: RunDef,
    /// Number of runs started, including this one.
    pub runs: u32,
    /// Phase of the run.
    pub phase: Phase,
    /// Ticks since the run entered this phase.
    pub phase_ticks: u32,
    /// The deterministic clock.
    pub clock: Clock,
    /// Ticks completed, without those in which the world held still for a choice.
    pub time_ticks: u64,
    /// Controls of the ship.
    pub controls: Controls,
    /// The ship.
    pub ship: Ship,
    /// Active modifiers.
    pub modifiers: Modifiers,
    /// Warp puddles.
    pub puddles: Vec<Puddle>,
    /// The camera.
    pub camera: Camera,
    /// Mission timer and overtime.
    pub mission: Mission,
    /// The game master, which spawns enemies.
    pub master: GameMaster,
    /// The ship's weapons.
    pub weapons: [Weapon; 3],
    /// The ship's parts, and the upgrades on offer.
    pub upgrades: Upgrades,
    /// Shots in flight.
    pub shots: Pool<Shot>,
    /// Enemies.
    pub enemies: Pool<Enemy>,
    /// The boss, while it is alive.
    pub boss: Option<Boss>,
    /// The boss room, once the boss is defeated.
    pub boss_room: Option<BossRoom>,
    /// Slow motion requested by the boss.
    pub juice: Juice,
    /// Pickups in the arena.
    pub pickups: Pool<Pickup>,
    /// Crates.
    pub crates: Pool<Crate>,
    /// Kills, score, level and experience.
    pub progress: Progress,
    /// Random number generator.
    pub rng: Rng,
    /// Bodies of the ship, enemies, crates and walls.
    pub physics: Physics,
}

impl State {
    /// Creates the state of a run that has not begun: the world exists, and the phase is the menu.
    pub fn new(run: RunDef) -> Self {
        let mut rng = Rng::of_sector(run.seed, run.sector);
        let (physics, body, collider) = bodies::arena();
        let mut state = Self {
            run,
            runs: 0,
            phase: Phase::Menu,
            phase_ticks: 0,
            clock: Clock::default(),
            time_ticks: 0,
            controls: Controls::default(),
            ship: Ship::new(body, collider),
            modifiers: Modifiers::default(),
            puddles: warp::scatter(&mut rng),
            camera: Camera::default(),
            mission: Mission::default(),
            master: GameMaster::default(),
            weapons: WeaponKind::ALL.map(Weapon::new),
            upgrades: Upgrades::default(),
            shots: Pool::new(SHOTS_MAX),
            enemies: Pool::new(ENEMIES_MAX),
            boss: None,
            boss_room: None,
            juice: Juice::default(),
            pickups: Pool::new(PICKUPS_MAX),
            crates: Pool::new(CRATES),
            progress: Progress::default(),
            rng,
            physics,
        };
        crates::scatter(&mut state);
        state.reserve();
        state
    }

    /// Resets everything except the number of runs.
    pub(crate) fn restart(&mut self, run: RunDef) {
        let runs = self.runs.wrapping_add(1);
        *self = Self { runs, ..Self::new(run) };
    }

    /// Goes on to the next sector. What the player has earned stays: score, level, weapons and parts.
    pub(crate) fn advance(&mut self, run: RunDef) {
        let progress = self.progress;
        let weapons = self.weapons;
        let upgrades = self.upgrades;
        self.restart(run);
        self.progress = progress;
        self.weapons = weapons;
        self.upgrades = upgrades;
        self.upgrades.offer = None;
        self.upgrades.fit(&mut self.ship);
        self.ship.hull = self.ship.stats.hull_full;
    }

    pub(crate) fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.phase_ticks = 0;
    }

    /// Reserves memory for everything that play may need, so that it does not allocate.
    pub(crate) fn reserve(&mut self) {
        self.modifiers.reserve();
        self.shots.reserve();
        self.enemies.reserve();
        self.pickups.reserve();
        self.crates.reserve();
    }

    /// Returns the game time in seconds.
    pub fn time(&self) -> f64 {
        self.time_ticks as f64 / f64::from(crate::tuning::TICK_HZ)
    }

    /// Returns the scale for the host's level speed channel.
    pub fn level_speed(&self) -> f32 {
        (1.0 + LEVEL_SPEED_STEP * self.run.sector.saturating_sub(1) as f32).min(LEVEL_SPEED_MAX)
    }

    /// Returns the numbers to show on the screen.
    pub fn hud(&self) -> Hud {
        let boss = self.boss.and_then(|boss| self.enemies.get(boss.id));
        Hud {
            phase: self.phase,
            hull: self.ship.hull / self.ship.stats.hull_full,
            heat: self.ship.heat / crate::tuning::HEAT_MAX,
            overheated: self.ship.overheated,
            timer_secs: self.mission.timer.left() as f32 * SIM_DT,
            overtime_secs: self.mission.overtime.then_some(self.mission.overtime_elapsed as f32 * SIM_DT),
            timer_stands: self.boss_room.is_some() || self.run.sandbox,
            sector: self.run.sector,
            level: self.progress.level,
            xp: self.progress.xp as f32 / self.progress.xp_needed() as f32,
            score: self.progress.score,
            kills: self.progress.kills,
            weapons: self.weapons.map(|weapon| (weapon.kind, weapon.level)),
            offer: self.upgrades.offer,
            boss_hull: boss.map(|boss| (boss.hull / boss.hull_full).max(0.0)),
            boss_phase: self.boss.map(|boss| boss.phase),
            enemies: self.enemies.len(),
        }
    }
}

/// The numbers to show on the screen. Fractions are from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hud {
    /// Phase of the run.
    pub phase: Phase,
    /// Remaining fraction of the hull.
    pub hull: f32,
    /// Heat, as a fraction of the maximum.
    pub heat: f32,
    /// Whether the ship is overheated.
    pub overheated: bool,
    /// Seconds until overtime.
    pub timer_secs: f32,
    /// Seconds of overtime, if it has begun.
    pub overtime_secs: Option<f32>,
    /// Whether the timer is stopped, in the boss room or in a sandbox.
    pub timer_stands: bool,
    /// Sector, from 1.
    pub sector: u32,
    /// The ship's level.
    pub level: u32,
    /// Fraction of the experience for the next level.
    pub xp: f32,
    /// Score.
    pub score: u64,
    /// Enemies killed.
    pub kills: u32,
    /// Weapons and their levels; 0 means that the ship does not have it yet.
    pub weapons: [(WeaponKind, u32); 3],
    /// The upgrades to choose from, while the world holds still for the choice.
    pub offer: Option<[Upgrade; OFFERS]>,
    /// Remaining fraction of the boss's hull, while there is a boss.
    pub boss_hull: Option<f32>,
    /// The boss's phase, while there is a boss.
    pub boss_phase: Option<u32>,
    /// Enemies alive.
    pub enemies: u32,
}
