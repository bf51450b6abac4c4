//! The guarantees of a physics world that is driven by ticks.

mod worlds;

use evenstep_rapier::Physics;
use evenstep_rapier::rapier::prelude::*;
use worlds::melee;

#[test]
fn equal_rates_run_exactly_one_step_a_tick() {
    let mut physics = melee(60, 60);
    for _ in 0..1_000 {
        let stepped = physics.tick();
        assert_eq!((stepped.steps, stepped.alpha), (1, 0.0));
    }
}

#[test]
fn steps_come_at_their_own_rate_inside_ticks() {
    for (step_hz, expected) in [(30, 300), (60, 600), (120, 1_200), (90, 900), (45, 450)] {
        let mut physics = Physics::at_hz(60, step_hz);
        let steps: u32 = (0..600).map(|_| physics.tick().steps).sum();
        assert_eq!(steps, expected, "at {step_hz} Hz");
        assert!((0.0..1.0).contains(&physics.alpha()));
    }
}

#[test]
fn a_free_body_travels_the_same_way_at_every_physics_rate() {
    for step_hz in [30, 60, 120] {
        let mut physics = Physics::at_hz(60, step_hz);
        let moving = RigidBodyBuilder::dynamic().linvel(Vector::new(6.0, 0.0)).can_sleep(false);
        let (body, _) = physics.world.insert(moving, ColliderBuilder::ball(0.5));
        for _ in 0..60 {
            physics.tick();
        }
        let travelled = physics.motion(body).unwrap().position.x;
        assert!((travelled - 6.0).abs() < 1e-3, "{travelled} m at {step_hz} Hz");
    }
}

#[test]
fn the_same_world_gives_the_same_hash_and_another_world_another() {
    let mut a = melee(60, 60);
    let mut b = melee(60, 60);
    for _ in 0..300 {
        a.tick();
        b.tick();
        assert_eq!(a.hash(), b.hash());
    }
    let any = a.world.bodies.iter().last().unwrap().0;
    a.world.bodies[any].apply_impulse(Vector::new(0.0, 1e-4), true);
    assert_ne!(a.hash(), b.hash());
}

/// Renew when Rapier is updated: print the value. The same on x86-64, aarch64 and wasm32.
#[test]
fn a_melee_of_ten_seconds_ends_in_the_golden_state() {
    let mut physics = melee(60, 60);
    for _ in 0..600 {
        physics.tick();
    }
    assert_eq!(format!("{:016x}", physics.hash()), GOLDEN);
}
const GOLDEN: &str = "4c785b482c72b6e7";

#[test]
fn a_restored_world_and_a_clone_go_on_to_the_same_bytes() {
    for step_hz in [30, 60, 120, 90] {
        let mut straight = melee(60, step_hz);
        let mut restored = straight.clone();
        let mut cloned = straight.clone();
        for tick in 0..300 {
            restored = Physics::restore(&restored.save()).unwrap();
            cloned = cloned.clone();
            for physics in [&mut straight, &mut restored, &mut cloned] {
                physics.tick();
            }
            assert_eq!(straight.save(), restored.save(), "restored, tick {tick}, {step_hz} Hz");
            assert_eq!(straight.save(), cloned.save(), "cloned, tick {tick}, {step_hz} Hz");
            assert_eq!(straight.alpha(), restored.alpha());
        }
    }
}

#[test]
fn in_lockstep_a_reset_of_the_accumulator_changes_nothing() {
    let mut straight = melee(60, 60);
    let mut reset = melee(60, 60);
    for _ in 0..120 {
        straight.tick();
        reset.tick();
        reset.reset_accumulator();
    }
    assert_eq!(straight.hash(), reset.hash());
    assert_eq!(straight.save(), reset.save());
}

#[test]
fn out_of_lockstep_a_reset_drops_the_fraction_that_waits() {
    let mut physics = Physics::at_hz(60, 30);
    physics.tick();
    physics.reset_accumulator();
    assert_eq!([(); 3].map(|()| physics.tick().steps), [0, 1, 0]);
}

#[test]
fn a_body_is_interpolated_the_short_way_round() {
    let mut physics = Physics::at_hz(60, 60);
    let spinning = RigidBodyBuilder::dynamic().rotation(3.1).angvel(6.0).can_sleep(false);
    let (body, _) = physics.world.insert(spinning, ColliderBuilder::ball(1.0));
    physics.tick();
    let halfway = physics.motion_at(body, 0.5).unwrap().angle;
    assert!((halfway - 3.15).abs() < 1e-3, "{halfway}");
}

#[test]
fn a_teleported_body_leaves_no_streak() {
    let mut physics = Physics::at_hz(60, 60);
    let moving = RigidBodyBuilder::dynamic().linvel(Vector::new(60.0, 0.0)).can_sleep(false);
    let (body, _) = physics.world.insert(moving, ColliderBuilder::ball(1.0));
    physics.tick();
    physics.teleport(body, Vector::new(100.0, 7.0), 0.0);
    assert_eq!(physics.previous(body), physics.motion(body));
    physics.tick();
    assert_eq!(physics.previous(body).unwrap().position.x, 100.0);
}

#[test]
fn a_new_body_in_an_old_place_has_no_past() {
    let mut physics = Physics::at_hz(60, 60);
    let old = physics.world.insert_body(RigidBodyBuilder::dynamic());
    physics.tick();
    physics.world.remove_body(old);
    let new = physics.world.insert_body(RigidBodyBuilder::dynamic().translation(Vector::new(9.0, 0.0)));
    assert_eq!(old.into_raw_parts().0, new.into_raw_parts().0, "the place is reused");
    assert_eq!(physics.motion(old), None);
    assert_eq!(physics.previous(new).unwrap().position.x, 9.0);
}
