//! The game's bodies in the physics world: creation, stepping, and reading back the results.

use evenstep_rapier::Physics;
use evenstep_rapier::rapier::prelude::{
    ColliderBuilder, ColliderHandle, Group, InteractionGroups, InteractionTestMode, RigidBodyBuilder,
    RigidBodyHandle,
};

use crate::crates::Crate;
use crate::enemies::Enemy;
use crate::math::Vec2;
use crate::pool::Id;
use crate::state::State;
use crate::tuning::{ARENA_HALF, CRATE_HALF, PHYSICS_HZ, SHIP_DENSITY, SHIP_RADIUS, TICK_HZ, WALL};

const SHIP: Group = Group::GROUP_1;
const ENEMY: Group = Group::GROUP_2;
const CRATE: Group = Group::GROUP_3;
const FENCE: Group = Group::GROUP_4;

/// The entity that a collider belongs to, stored in its user data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Owner {
    Scenery,
    Enemy(Id<Enemy>),
    Crate(Id<Crate>),
}

impl Owner {
    fn to_data(self) -> u128 {
        match self {
            Self::Scenery => 0,
            Self::Enemy(id) => 1 << 64 | u128::from(id.to_bits()),
            Self::Crate(id) => 2 << 64 | u128::from(id.to_bits()),
        }
    }

    fn from_data(data: u128) -> Self {
        match (data >> 64) as u64 {
            1 => Self::Enemy(Id::from_bits(data as u64)),
            2 => Self::Crate(Id::from_bits(data as u64)),
            _ => Self::Scenery,
        }
    }
}

/// Creates the physics world: four walls, and the ship in the middle.
pub(crate) fn arena() -> (Physics, RigidBodyHandle, ColliderHandle) {
    let mut physics = Physics::at_hz(TICK_HZ, PHYSICS_HZ);
    // Enough for hulls that bump into each other; nothing is ever stacked.
    physics.world.integration_parameters.num_solver_iterations = 2;
    let middle = ARENA_HALF + WALL / 2.0;
    let groups = groups(FENCE, SHIP | CRATE);
    for (x, y) in [(0.0, -middle), (0.0, middle), (-middle, 0.0), (middle, 0.0)] {
        let (half_x, half_y) =
            if x == 0.0 { (ARENA_HALF + WALL, WALL / 2.0) } else { (WALL / 2.0, ARENA_HALF + WALL) };
        let wall = RigidBodyBuilder::fixed().translation(Vec2::new(x, y));
        physics.world.insert(wall, ColliderBuilder::cuboid(half_x, half_y).collision_groups(groups));
    }
    let ship = RigidBodyBuilder::dynamic().lock_rotations().can_sleep(false);
    let hull = ColliderBuilder::ball(SHIP_RADIUS)
        .density(SHIP_DENSITY)
        .friction(0.0)
        .restitution(0.4)
        .collision_groups(self::groups(SHIP, ENEMY | CRATE | FENCE));
    let (body, collider) = physics.world.insert(ship, hull);
    (physics, body, collider)
}

pub(crate) fn insert_enemy(physics: &mut Physics, id: Id<Enemy>, pos: Vec2, radius: f32) -> RigidBodyHandle {
    let body = RigidBodyBuilder::dynamic().translation(pos).lock_rotations().can_sleep(false);
    let hull = ColliderBuilder::ball(radius)
        .friction(0.0)
        .restitution(0.2)
        .collision_groups(groups(ENEMY, SHIP | ENEMY | CRATE))
        .user_data(Owner::Enemy(id).to_data());
    physics.world.insert(body, hull).0
}

pub(crate) fn insert_crate(physics: &mut Physics, id: Id<Crate>, pos: Vec2, angle: f32) -> RigidBodyHandle {
    let body = RigidBodyBuilder::dynamic()
        .translation(pos)
        .rotation(angle)
        .linear_damping(1.6)
        .angular_damping(1.6)
        .can_sleep(false);
    let hull = ColliderBuilder::cuboid(CRATE_HALF, CRATE_HALF)
        .density(1.2)
        .friction(0.3)
        .restitution(0.3)
        .collision_groups(groups(CRATE, SHIP | ENEMY | CRATE | FENCE))
        .user_data(Owner::Crate(id).to_data());
    physics.world.insert(body, hull).0
}

fn groups(memberships: Group, filter: Group) -> InteractionGroups {
    InteractionGroups::new(memberships, filter, InteractionTestMode::And)
}

/// Writes the desired velocities to the physics world and runs exactly one step.
pub(crate) fn step(state: &mut State) {
    let bodies = &mut state.physics.world.bodies;
    let ship = (state.ship.body, state.ship.vel);
    let enemies = state.enemies.values().map(|enemy| (enemy.body, enemy.vel));
    for (body, vel) in core::iter::once(ship).chain(enemies) {
        // A restored state has all its bodies, but Rapier may remove them.
        if let Some(body) = bodies.get_mut(body) {
            body.set_linvel(vel, true);
        }
    }
    state.physics.tick();
}

/// Copies position and velocity from the physics world to the ship.
pub(crate) fn sync_ship(state: &mut State) {
    let ship = &mut state.ship;
    if let Some(motion) = state.physics.motion_at_tick(ship.body) {
        ship.track.advance(motion.position);
        ship.vel = motion.velocity;
    }
}

/// Copies position and velocity from the physics world to enemies and crates.
pub(crate) fn sync_others(state: &mut State) {
    let bodies = &state.physics.world.bodies;
    for enemy in state.enemies.values_mut() {
        if let Some(body) = bodies.get(enemy.body) {
            enemy.track.advance(body.translation());
            enemy.vel = body.linvel();
        }
    }
    for krate in state.crates.values_mut() {
        if let Some(body) = bodies.get(krate.body) {
            krate.track.advance(body.translation());
            krate.facing.advance(Vec2::new(body.rotation().re, body.rotation().im));
        }
    }
}

/// Keeps everything in place for a tick. Without it, drawing would oscillate between the last two positions.
pub(crate) fn stand_still(state: &mut State) {
    state.ship.track.hold();
    state.ship.heading.hold();
    state.enemies.values_mut().for_each(|enemy| enemy.track.hold());
    state.shots.values_mut().for_each(|shot| shot.track.hold());
    state.pickups.values_mut().for_each(|pickup| pickup.track.hold());
    for krate in state.crates.values_mut() {
        krate.track.hold();
        krate.facing.hold();
    }
}

/// Collects what touches the ship, sorted by slot, because the order of Rapier's contacts is unspecified.
pub(crate) fn touching_ship(state: &State, found: &mut Vec<Owner>) {
    found.clear();
    let world = &state.physics.world;
    for pair in world.narrow_phase.contact_pairs_with(state.ship.collider) {
        if !pair.has_any_active_contact() || found.len() == found.capacity() {
            continue;
        }
        let other = if pair.collider1 == state.ship.collider { pair.collider2 } else { pair.collider1 };
        let owner = world.colliders.get(other).map_or(Owner::Scenery, |it| Owner::from_data(it.user_data));
        if owner != Owner::Scenery {
            found.push(owner);
        }
    }
    found.sort_unstable_by_key(|owner| owner.to_data());
}
