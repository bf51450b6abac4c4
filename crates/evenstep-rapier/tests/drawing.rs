//! Interpolation between ticks at every ratio of rates.

use evenstep::Rate;
use evenstep_rapier::Physics;
use evenstep_rapier::rapier::prelude::*;

const NTSC: Rate = Rate::new(60_000, 1_001);

/// Tick and step rates: slower, equal and faster, in lockstep and not.
const RATES: [(Rate, Rate); 12] = [
    (Rate::hz(60), Rate::hz(30)),
    (Rate::hz(60), Rate::hz(45)),
    (Rate::hz(60), Rate::hz(60)),
    (Rate::hz(60), Rate::hz(90)),
    (Rate::hz(60), Rate::hz(120)),
    (Rate::hz(60), Rate::hz(144)),
    (Rate::hz(30), Rate::hz(60)),
    (Rate::hz(144), Rate::hz(60)),
    (NTSC, NTSC),
    (NTSC, Rate::hz(60)),
    (NTSC, Rate::hz(120)),
    (Rate::hz(60), NTSC),
];

/// Metres per second.
const SPEED: f32 = 3.0;

fn moving(ticks: Rate, steps: Rate, from: Vector) -> (Physics, RigidBodyHandle) {
    let mut physics = Physics::new(ticks, steps);
    let body = RigidBodyBuilder::dynamic().translation(from).linvel(Vector::new(SPEED, 0.0)).can_sleep(false);
    let (handle, _) = physics.world.insert(body, ColliderBuilder::ball(0.5));
    (physics, handle)
}

/// Where a body is drawn at eight frames between two ticks.
fn drawn(physics: &Physics, body: RigidBodyHandle) -> [f32; 8] {
    [0, 1, 2, 3, 4, 5, 6, 7].map(|n| physics.motion_at(body, f64::from(n) / 8.0).unwrap().position.x)
}

#[test]
fn a_body_at_constant_velocity_is_drawn_to_advance_evenly() {
    for (ticks, steps) in RATES {
        let (mut physics, body) = moving(ticks, steps, Vector::ZERO);
        // Until both ends of the interpolation have moved.
        for _ in 0..8 {
            physics.tick();
        }
        let each = SPEED * ticks.step_secs() as f32 / 8.0;
        let mut last = None;
        for tick in 0..240 {
            physics.tick();
            for at in drawn(&physics, body) {
                if let Some(last) = last.replace(at) {
                    let advance = at - last;
                    assert!(
                        (advance / each - 1.0).abs() < 0.01,
                        "{advance} m, not {each}: tick {tick}, {ticks:?}, {steps:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn what_is_drawn_lags_the_tick_by_less_than_a_tick_and_a_step() {
    for (ticks, steps) in RATES {
        let (mut physics, body) = moving(ticks, steps, Vector::ZERO);
        let lag_max = if physics.is_in_lockstep() { 0.0 } else { steps.step_secs() };
        for tick in 1..240 {
            physics.tick();
            let exact = f64::from(SPEED) * ticks.step_secs() * f64::from(tick);
            let behind = exact - f64::from(physics.motion_at_tick(body).unwrap().position.x);
            let most = f64::from(SPEED) * lag_max;
            assert!((-1e-3..most + 1e-3).contains(&behind), "{behind} m behind, {ticks:?}, {steps:?}");
        }
    }
}

#[test]
fn a_teleport_is_never_drawn_between_the_places() {
    for (ticks, steps) in RATES {
        for before in 0..8 {
            let (mut physics, body) = moving(ticks, steps, Vector::ZERO);
            for _ in 0..before {
                physics.tick();
            }
            physics.teleport(body, Vector::new(1_000.0, 0.0), 0.0);
            for _ in 0..16 {
                assert!(
                    drawn(&physics, body).iter().all(|&x| (1_000.0..1_010.0).contains(&x)),
                    "{ticks:?}, {steps:?}"
                );
                physics.tick();
            }
        }
    }
}

#[test]
fn a_new_body_never_sweeps_in_from_the_origin_or_from_its_predecessor() {
    for (ticks, steps) in RATES {
        for before in 0..8 {
            let (mut physics, old) = moving(ticks, steps, Vector::ZERO);
            for _ in 0..before {
                physics.tick();
            }
            physics.world.remove_body(old);
            let new = RigidBodyBuilder::dynamic()
                .translation(Vector::new(500.0, 0.0))
                .linvel(Vector::new(SPEED, 0.0));
            let (new, _) = physics.world.insert(new, ColliderBuilder::ball(0.5));
            assert_eq!(old.into_raw_parts().0, new.into_raw_parts().0, "the place is used again");
            for _ in 0..16 {
                assert!(
                    drawn(&physics, new).iter().all(|&x| (500.0..510.0).contains(&x)),
                    "{ticks:?}, {steps:?}"
                );
                physics.tick();
            }
        }
    }
}

#[test]
fn a_teleport_of_a_body_that_is_gone_leaves_its_successor_alone() {
    for (ticks, steps) in RATES {
        let (mut physics, gone) = moving(ticks, steps, Vector::ZERO);
        physics.world.remove_body(gone);
        let body = RigidBodyBuilder::dynamic().linvel(Vector::new(SPEED, 0.0)).can_sleep(false);
        let (successor, _) = physics.world.insert(body, ColliderBuilder::ball(0.5));
        assert_eq!(gone.into_raw_parts().0, successor.into_raw_parts().0, "the place is used again");
        for _ in 0..8 {
            physics.tick();
        }
        let before = drawn(&physics, successor);
        physics.teleport(gone, Vector::new(9.0, 9.0), 1.0);
        assert_eq!(drawn(&physics, successor), before, "{ticks:?}, {steps:?}");
    }
}

#[test]
fn a_restored_world_draws_what_the_original_draws() {
    for (ticks, steps) in RATES {
        let (mut physics, body) = moving(ticks, steps, Vector::ZERO);
        for _ in 0..16 {
            physics.tick();
            let restored = Physics::restore(&physics.save()).unwrap();
            assert_eq!(drawn(&restored, body), drawn(&physics, body), "{ticks:?}, {steps:?}");
            assert_eq!(restored.motion_at_tick(body), physics.motion_at_tick(body));
        }
    }
}

#[test]
fn a_turning_body_is_drawn_the_short_way_round_at_every_rate() {
    for (ticks, steps) in RATES {
        let mut physics = Physics::new(ticks, steps);
        let spinning = RigidBodyBuilder::dynamic().rotation(3.0).angvel(4.0).can_sleep(false);
        let (body, _) = physics.world.insert(spinning, ColliderBuilder::ball(0.5));
        for _ in 0..30 {
            physics.tick();
            let from = physics.motion_at(body, 0.0).unwrap();
            let to = physics.motion_at(body, 0.999).unwrap();
            let turned = f64::from((to.angle - from.angle).abs());
            assert!(turned < 4.0 * ticks.step_secs() + 1e-3, "{turned} rad, {ticks:?}, {steps:?}");
        }
    }
}

#[test]
fn ticks_of_a_steady_world_allocate_nothing_for_drawing() {
    for (ticks, steps) in RATES {
        let mut physics = Physics::new(ticks, steps);
        for n in 0..100_u16 {
            let at = Vector::new(f32::from(n) * 3.0, 0.0);
            physics.world.insert_body(RigidBodyBuilder::dynamic().translation(at).can_sleep(false));
        }
        let mut bare = PhysicsWorld { gravity: Vector::ZERO, ..PhysicsWorld::default() };
        for (_, body) in physics.world.bodies.iter() {
            bare.insert_body(body.clone());
        }
        let mut bare_steps =
            |count| allocation_counter::measure(|| (0..count).for_each(|_| bare.step())).count_total;
        bare_steps(8);
        let steps_run: u32 = (0..8).map(|_| physics.tick().steps).sum();
        assert!(steps_run > 0);
        let mut steps_run = 0;
        let ours = allocation_counter::measure(|| steps_run = (0..60).map(|_| physics.tick().steps).sum());
        assert_eq!(ours.count_total, bare_steps(steps_run), "{ticks:?}, {steps:?}");
    }
}
