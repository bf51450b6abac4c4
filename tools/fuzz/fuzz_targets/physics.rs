//! Any bytes are a physics snapshot or a named error; one that is restored ticks on without a panic of ours.
//!
//! Run: `cargo xtask fuzz physics`

#![no_main]

mod damage;

use std::sync::LazyLock;

use evenstep_rapier::Physics;
use evenstep_rapier::rapier::prelude::*;
use libfuzzer_sys::fuzz_target;

/// A handful of bodies that touch.
static SAVED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut physics = Physics::at_hz(60, 90);
    for n in 0..6_u8 {
        let body = RigidBodyBuilder::dynamic().translation(Vector::new(f32::from(n) * 0.8, 0.0));
        let shape = if n % 2 == 0 { ColliderBuilder::ball(0.5) } else { ColliderBuilder::cuboid(0.5, 0.4) };
        physics.world.insert(body, shape);
    }
    for _ in 0..10 {
        physics.tick();
    }
    physics.save()
});

fuzz_target!(|bytes: &[u8]| {
    damage::run(bytes, &SAVED, |bytes| {
        if let Ok(mut physics) = Physics::restore(bytes) {
            for _ in 0..60 {
                physics.tick();
            }
            let _ = physics.hash();
        }
    });
});
