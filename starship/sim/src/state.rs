//! The state: all there is to know about a game between two ticks.

use evenstep_rapier::Physics;
use serde::{Deserialize, Serialize};

use crate::bodies;
use crate::boss::{Boss, BossRoom, Juice};
use crate::camera::Camera;
use crate::clock::Clock;
use crate::crates::{self, Crate};
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
use crate::warp::{self, Puddle};
use crate::weapons::{Weapon, WeaponKind};

/// What a run is: all that it depends on besides the inputs.
///
/// ```
/// use starship_sim::RunDef;
///
/// let run = RunDef::seeded(7);
/// assert_eq!((run.sector, run.sandbox), (1, false));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RunDef {
    /// Where the dice start.
    pub seed: u64,
    /// Which sector, from 1: later ones are faster and tougher.
    pub sector: u32,
    /// No timer, no boss, no damage.
    pub sandbox: bool,
}

impl RunDef {
    /// An ordinary run in the first sector.
    pub const fn seeded(seed: u64) -> Self {
        Self { seed, sector: 1, sandbox: false }
    }
}

/// The game between two ticks. A tick is a function of this and the input, and of nothing else.
///
/// Public to read; only ticks write it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    /// What this run is.
    pub run: RunDef,
    /// Runs started, this one included.
    pub runs: u32,
    /// Where the run stands.
    pub phase: Phase,
    /// Ticks since it entered this phase.
    pub phase_ticks: u32,
    /// The deterministic clock.
    pub clock: Clock,
    /// Ticks that the game has lived through: what a tick does last.
    pub time_ticks: u64,
    /// What the player tells the ship.
    pub controls: Controls,
    /// The ship.
    pub ship: Ship,
    /// Modifiers at work.
    pub modifiers: Modifiers,
    /// Warp puddles.
    pub puddles: Vec<Puddle>,
    /// Where the game looks.
    pub camera: Camera,
    /// Timer and overtime.
    pub mission: Mission,
    /// Who decides what comes.
    pub master: GameMaster,
    /// The ship's weapons.
    pub weapons: [Weapon; 3],
    /// Shots in flight.
    pub shots: Pool<Shot>,
    /// Enemies.
    pub enemies: Pool<Enemy>,
    /// The boss, while it lives.
    pub boss: Option<Boss>,
    /// The boss room, once the boss is beaten.
    pub boss_room: Option<BossRoom>,
    /// Slow motion that the boss asks for.
    pub juice: Juice,
    /// Pickups lying about.
    pub pickups: Pool<Pickup>,
    /// Crates.
    pub crates: Pool<Crate>,
    /// Kills, score, level.
    pub progress: Progress,
    /// The dice.
    pub rng: Rng,
    /// Bodies of the ship, enemies, crates and walls.
    pub physics: Physics,
}

impl State {
    /// A run that has not begun: its world is there, its phase is the menu.
    pub fn new(run: RunDef) -> Self {
        let mut rng = Rng::new(run.seed);
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

    /// Everything anew but the count of runs.
    pub(crate) fn restart(&mut self, run: RunDef) {
        let runs = self.runs.wrapping_add(1);
        *self = Self { runs, ..Self::new(run) };
    }

    pub(crate) fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.phase_ticks = 0;
    }

    /// Room for all that play may need, so that it allocates nothing.
    pub(crate) fn reserve(&mut self) {
        self.modifiers.reserve();
        self.shots.reserve();
        self.enemies.reserve();
        self.pickups.reserve();
        self.crates.reserve();
    }

    /// Game time in seconds, exact to the rounding of one division.
    pub fn time(&self) -> f64 {
        self.time_ticks as f64 / f64::from(crate::tuning::TICK_HZ)
    }

    /// How fast this level plays: what the host's level speed channel is to be set to.
    pub fn level_speed(&self) -> f32 {
        (1.0 + LEVEL_SPEED_STEP * self.run.sector.saturating_sub(1) as f32).min(LEVEL_SPEED_MAX)
    }

    /// The numbers on the screen.
    pub fn hud(&self) -> Hud {
        let boss = self.boss.and_then(|boss| self.enemies.get(boss.id));
        Hud {
            phase: self.phase,
            hull: self.ship.hull / crate::tuning::SHIP_HULL,
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
            boss_hull: boss.map(|boss| (boss.hull / boss.hull_full).max(0.0)),
            boss_phase: self.boss.map(|boss| boss.phase),
            enemies: self.enemies.len(),
        }
    }
}

/// The numbers on the screen. Shares run from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hud {
    /// Where the run stands.
    pub phase: Phase,
    /// Share of the hull left.
    pub hull: f32,
    /// Heat as a share of what turns the boost off.
    pub heat: f32,
    /// Whether the ship has to cool first.
    pub overheated: bool,
    /// Seconds until overtime.
    pub timer_secs: f32,
    /// Seconds of overtime, if it began.
    pub overtime_secs: Option<f32>,
    /// Whether the timer stands: boss room or sandbox.
    pub timer_stands: bool,
    /// Which sector.
    pub sector: u32,
    /// The ship's level.
    pub level: u32,
    /// Share of the experience for the next level.
    pub xp: f32,
    /// Points.
    pub score: u64,
    /// Enemies gone.
    pub kills: u32,
    /// Weapons and their levels; level 0 is one that the ship does not have yet.
    pub weapons: [(WeaponKind, u32); 3],
    /// Share of the boss's hull left, while there is a boss.
    pub boss_hull: Option<f32>,
    /// The boss's phase, while there is a boss.
    pub boss_phase: Option<u32>,
    /// Enemies about.
    pub enemies: u32,
}
