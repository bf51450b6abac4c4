//! The autopilot: computes inputs from the state, for tests, demos and benchmarks.

use crate::input::{Input, Pad};
use crate::math::{Vec2, direction};
use crate::phases::Phase;
use crate::pickups::PickupKind;
use crate::shots::ShotKind;
use crate::state::State;
use crate::tuning::{AFTERMATH, ARENA_HALF, HEAT_MAX, MECH_DISTANCE, SHIP_RADIUS, SHOT_RADIUS};
use crate::upgrades::{Part, Upgrade};

/// Number of directions to consider.
const DIRECTIONS: u32 = 16;
/// Times to look ahead, in seconds.
const AHEAD: [f32; 3] = [0.2, 0.45, 0.8];
/// Maximum number of dangers to consider.
const SEES: usize = 40;
/// Distance from which to fly straight into an open portal, in metres.
const RUSH: f32 = 7.0;
/// Estimated speed of the ship when cruising and when boosting, in metres per second.
const SPEED: (f32, f32) = (12.5, 22.0);

/// A deterministic player that survives more often than not.
///
/// ```
/// use starship_sim::{Autopilot, RunDef, Sim};
///
/// let mut sim = Sim::new(RunDef::seeded(3));
/// sim.launch(RunDef::seeded(3));
/// for _ in 0..600 {
///     let input = Autopilot.input(sim.state());
///     sim.tick(input, &mut ());
/// }
/// assert!(sim.state().ship.hull > 0.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Autopilot;

/// Something to avoid.
#[derive(Clone, Copy)]
struct Danger {
    pos: Vec2,
    vel: Vec2,
    radius: f32,
    weight: f32,
}

impl Autopilot {
    /// Returns the input for the next tick.
    pub fn input(self, state: &State) -> Input {
        let keys = match state.phase {
            Phase::Menu | Phase::Choosing => Pad::default(),
            // Released between presses, because confirm acts when pressed.
            Phase::Dead | Phase::Won => Pad {
                confirm: state.phase_ticks > AFTERMATH && state.phase_ticks.is_multiple_of(2),
                ..Pad::default()
            },
            Phase::Birth | Phase::Playing => fly(state),
        };
        Input { keys, gamepad: None, choice: choose(state) }
    }
}

/// Returns the most valuable upgrade on offer: firepower first, evenly spread, then what keeps the ship alive.
fn choose(state: &State) -> Option<u8> {
    let offer = state.upgrades.offer?;
    let worth = |upgrade: Upgrade| {
        let first = match upgrade {
            Upgrade::Weapon(_) => 20,
            Upgrade::Part(Part::Loader) => 16,
            Upgrade::Part(Part::Plating | Part::Hull) => 15,
            Upgrade::Part(Part::Magnet) => 13,
            Upgrade::Part(Part::Radiator | Part::Thrusters) => 8,
            Upgrade::Repair if state.ship.hull < 0.5 * state.ship.stats.hull_full => 30,
            Upgrade::Surge => 5,
            Upgrade::Repair | Upgrade::Bounty => 2,
        };
        first - state.level_of(upgrade) as i32
    };
    // Of equals the last, which no law depends on.
    (0..).zip(offer).max_by_key(|&(_, upgrade)| worth(upgrade)).map(|(n, _)| n)
}

fn fly(state: &State) -> Pad {
    let (dangers, count) = dangers(state);
    let dangers = &dangers[..count];
    let goal = goal(state);
    let ship = &state.ship;
    if let Some(room) = state.boss_room
        && room.is_portal_open()
        && room.pos.distance(ship.pos()) < RUSH
    {
        // This close, nothing is worth avoiding. Gently, or the ship overshoots.
        let way = room.pos - ship.pos();
        let push = (way.length() / RUSH).max(0.35);
        return steer_along(crate::math::unit_or(way, Vec2::Y) * push, false);
    }
    let cool = !ship.overheated && ship.heat < 0.8 * HEAT_MAX;

    let mut best = (cost(state, dangers, goal, Vec2::ZERO, SPEED.0), Vec2::ZERO, false);
    for n in 0..DIRECTIONS {
        let along = direction(n as f32 * core::f32::consts::TAU / DIRECTIONS as f32);
        let cruising = cost(state, dangers, goal, along, SPEED.0);
        if cruising < best.0 {
            best = (cruising, along, false);
        }
        // Boosting must be worth its heat.
        let boosting = if cool { cost(state, dangers, goal, along, SPEED.1) + 3.0 } else { f32::MAX };
        if boosting < best.0 {
            best = (boosting, along, true);
        }
    }
    let (_, along, boost) = best;
    steer_along(along, boost)
}

fn steer_along(along: Vec2, boost: bool) -> Pad {
    Pad { x: (along.x * 127.0) as i8, y: (along.y * 127.0) as i8, boost, confirm: false }
}

/// Rates a direction: near misses, the wall, the ring, and the distance to the goal.
fn cost(state: &State, dangers: &[Danger], goal: Vec2, along: Vec2, speed: f32) -> f32 {
    let ship = &state.ship;
    let mut cost = 0.0;
    for ahead in AHEAD {
        // Drag cancels the old velocity in about a third of a second.
        let forgets = ahead / (ahead + 0.35);
        let pos = ship.pos() + (ship.vel * (1.0 - forgets) + along * (speed * forgets)) * ahead;
        for danger in dangers {
            let gap = pos.distance(danger.pos + danger.vel * ahead) - danger.radius;
            cost += danger.weight * if gap < 0.3 { 40.0 - 20.0 * gap } else { 3.0 / (gap * gap + 0.1) };
        }
        let beyond = pos.abs().max_element() - (ARENA_HALF - 7.0);
        if beyond > 0.0 {
            cost += beyond * 6.0;
        }
        if let Some(room) = state.boss_room {
            cost += (pos.distance(room.pos) - (room.ring - 1.5)).max(0.0) * 5.0;
        }
        cost += pos.distance(goal) * 0.35;
    }
    cost
}

fn dangers(state: &State) -> ([Danger; SEES], usize) {
    let ship = state.ship.pos();
    let nothing = Danger { pos: Vec2::ZERO, vel: Vec2::ZERO, radius: 0.0, weight: 0.0 };
    let mut dangers = [nothing; SEES];
    let mut count = 0;
    let shots = state.shots.values().filter(|shot| shot.kind == ShotKind::Enemy);
    let shots = shots.map(|shot| Danger {
        pos: shot.pos(),
        vel: shot.vel,
        radius: SHIP_RADIUS + SHOT_RADIUS + 0.2,
        weight: 0.8,
    });
    let enemies = state.enemies.values().map(|enemy| Danger {
        pos: enemy.pos(),
        vel: enemy.vel,
        radius: SHIP_RADIUS + enemy.radius() + if enemy.radius() > 2.0 { 1.5 } else { 0.3 },
        weight: 1.0,
    });
    for danger in enemies.chain(shots) {
        if count < SEES && danger.pos.distance_squared(ship) < 15.0 * 15.0 {
            dangers[count] = danger;
            count += 1;
        }
    }
    (dangers, count)
}

/// Returns the point to fly to.
fn goal(state: &State) -> Vec2 {
    let ship = state.ship.pos();
    if let Some(room) = state.boss_room {
        let aside = if room.is_portal_open() { Vec2::ZERO } else { Vec2::new(4.0, 0.0) };
        return room.pos + aside;
    }
    let hungry = state.ship.hull < 70.0;
    let worth = |kind: PickupKind| match kind {
        PickupKind::Xp(_) => 1.0,
        PickupKind::Repair if hungry => 3.0,
        PickupKind::Repair => 0.5,
        PickupKind::Modifier(_) => 1.6,
    };
    let pickups = state.pickups.values().map(|it| (it.pos().distance(ship) / worth(it.kind), it.pos()));
    let nearest = pickups.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|&(far, _)| far < 16.0);
    if let Some((_, pos)) = nearest {
        return pos;
    }
    if let Some(boss) = state.boss.and_then(|boss| state.enemies.get(boss.id)) {
        let away = crate::math::unit_or(ship - boss.pos(), Vec2::Y);
        return boss.pos() + away * (MECH_DISTANCE + 3.0);
    }
    let crates = state.crates.values().map(|it| (it.pos().distance(ship), it.pos()));
    let crates = crates.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|&(far, _)| far < 24.0);
    crates.map_or(Vec2::ZERO, |(_, pos)| pos + crate::math::unit_or(ship - pos, Vec2::Y) * 5.0)
}
