//! Worlds for tests.

use evenstep_rapier::Physics;
use evenstep_rapier::rapier::prelude::*;

/// Forty balls and boxes thrown at each other inside four walls.
pub(crate) fn melee(tick_hz: u32, step_hz: u32) -> Physics {
    let mut physics = Physics::at_hz(tick_hz, step_hz);
    let world = &mut physics.world;
    for (x, y, half_x, half_y) in
        [(0.0, -8.0, 9.0, 0.5), (0.0, 8.0, 9.0, 0.5), (-9.0, 0.0, 0.5, 8.0), (9.0, 0.0, 0.5, 8.0)]
    {
        let wall = RigidBodyBuilder::fixed().translation(Vector::new(x, y));
        world.insert(wall, ColliderBuilder::cuboid(half_x, half_y));
    }
    for n in 0..40_i16 {
        let column = f32::from(n % 8) - 4.0;
        let row = f32::from(n / 8) - 2.0;
        let body = RigidBodyBuilder::dynamic()
            .translation(Vector::new(column * 1.9, row * 2.1))
            .linvel(Vector::new(-column * 3.0, 4.0 - row * 3.0))
            .angvel(column)
            .can_sleep(false);
        let shape = if n % 2 == 0 { ColliderBuilder::ball(0.5) } else { ColliderBuilder::cuboid(0.5, 0.4) };
        world.insert(body, shape.restitution(0.8));
    }
    physics
}
