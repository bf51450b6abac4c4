//! Which snapshots are rejected, and what the others can cause.

mod mutations;
mod worlds;

use std::collections::BTreeMap;

use evenstep_rapier::rapier::prelude::*;
use evenstep_rapier::{Physics, SnapshotError, SnapshotFormat};
use mutations::{Fate, Mutator, run_sealed, seal};
use serde::{Deserialize, Serialize};
use worlds::melee;

/// Two instants of a small world in which bodies touch.
fn snapshots() -> [Vec<u8>; 2] {
    let mut physics = melee(60, 60);
    let handles: Vec<_> = physics.world.bodies.iter().map(|(handle, _)| handle).collect();
    for handle in &handles[14..] {
        physics.world.remove_body(*handle);
    }
    [(); 2].map(|()| {
        for _ in 0..60 {
            physics.tick();
        }
        physics.save()
    })
}

/// One of everything in Rapier, falling onto a mesh: both kinds of joints, a sensor, compounds and soft bodies.
fn menagerie() -> Physics {
    let mut physics = Physics::at_hz(60, 90);
    let world = &mut physics.world;
    world.gravity = Vector::new(0.0, -9.81);
    let (ground, _) = world.insert(
        RigidBodyBuilder::fixed(),
        ColliderBuilder::polyline(
            (0..20).map(|n| Vector::new(n as f32 - 10.0, (n % 3) as f32 * 0.2 - 3.0)).collect(),
            None,
        ),
    );
    world.insert_collider(ColliderBuilder::cuboid(8.0, 1.0).sensor(true), Some(ground));
    let mut last = ground;
    for n in 0..8_i16 {
        let at = RigidBodyBuilder::dynamic().translation(Vector::new(f32::from(n) - 4.0, 1.0));
        let parts = vec![
            (Pose::translation(-0.2, 0.0), SharedShape::ball(0.2)),
            (Pose::translation(0.2, 0.0), SharedShape::capsule_x(0.1, 0.2)),
        ];
        let (body, _) = world.insert(at, ColliderBuilder::compound(parts));
        let joint = RevoluteJointBuilder::new()
            .local_anchor1(Vector::new(0.5, 0.0))
            .local_anchor2(Vector::new(-0.5, 0.0));
        match n {
            1..=2 => drop(world.insert_impulse_joint(last, body, joint)),
            4..=5 => drop(world.insert_multibody_joint(last, body, joint)),
            _ => {}
        }
        last = body;
    }
    world.insert_soft_body(SoftBodyBuilder::rope(Vector::new(-2.0, 3.0), Vector::new(2.0, 3.0), 9));
    world.insert_soft_body(SoftBodyBuilder::disk(Vector::new(0.0, 5.0), 0.7, 12));
    physics
}

/// The checks must not reject a valid world.
#[test]
fn a_world_of_every_kind_is_restored_at_every_tick_and_between_changes() {
    let mut physics = menagerie();
    let mut balls = Vec::new();
    for tick in 0..240 {
        physics = Physics::restore(&physics.save()).unwrap();
        physics.tick();
        if tick % 10 == 0 {
            // Rapier learns about removed and new bodies on the next step.
            balls.drain(..balls.len() / 2).for_each(|ball| drop(physics.world.remove_body(ball)));
            let ball = ColliderBuilder::ball(0.3);
            balls.push(physics.world.insert(RigidBodyBuilder::dynamic(), ball).0);
        }
    }
}

#[test]
fn a_world_of_many_bodies_in_a_row_is_restored() {
    let mut physics = Physics::at_hz(60, 60);
    for n in 0..5_000_u16 {
        let at = RigidBodyBuilder::dynamic().translation(Vector::new(f32::from(n) * 1.1, 0.0));
        physics.world.insert(at, ColliderBuilder::ball(0.5));
    }
    for _ in 0..3 {
        physics.tick();
        let bytes = physics.save();
        let memory = allocation_counter::measure(|| {
            assert_eq!(Physics::restore(&bytes).unwrap().hash(), physics.hash());
        });
        println!("5,000 bodies: {} bytes in a snapshot, {} in memory", bytes.len(), memory.bytes_max);
    }
}

/// The clock comes first: tick rate, step rate, ticks since the accumulator was empty.
const CLOCK: std::ops::Range<usize> = 6..11;

fn with_clock(clock: &[u8]) -> Result<Physics, SnapshotError> {
    let mut bytes = Physics::at_hz(60, 60).save();
    assert_eq!(bytes[CLOCK], [60, 1, 60, 1, 0]);
    drop(bytes.splice(CLOCK, clock.iter().copied()));
    seal(&mut bytes);
    Physics::restore(&bytes)
}

#[test]
fn a_clock_that_no_world_has_is_refused_at_once() {
    let many = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1];
    let ticks = with_clock(&[[60, 1, 60, 1].as_slice(), &many].concat());
    assert!(matches!(ticks, Err(SnapshotError::Ticks { ticked: u64::MAX, period: 1, .. })), "{ticks:?}");
    assert!(matches!(with_clock(&[60, 1, 30, 1, 2]), Err(SnapshotError::Ticks { ticked: 2, period: 2, .. })));
    assert!(with_clock(&[60, 1, 30, 1, 1]).is_ok());
    assert!(matches!(with_clock(&[0, 1, 60, 1, 0]), Err(SnapshotError::Rate { ticks: 0, seconds: 1, .. })));
    assert!(matches!(with_clock(&[60, 1, 60, 0, 0]), Err(SnapshotError::Rate { .. })));
    // 2^28 Hz, and 1,001 steps a tick.
    assert!(matches!(with_clock(&[0x80, 0x80, 0x80, 0x80, 1, 1, 60, 1, 0]), Err(SnapshotError::Rate { .. })));
    assert!(matches!(with_clock(&[1, 1, 0xE9, 0x07, 1, 0]), Err(SnapshotError::Rates { .. })));
    // 4294967291/4294967279 Hz and 4294967231/4294967197 Hz: they coincide after about 2^64 ticks.
    let odd = [0xFB, 0xFF, 0xFF, 0xFF, 0x0F, 0xEF, 0xFF, 0xFF, 0xFF, 0x0F];
    let odder = [0xBF, 0xFF, 0xFF, 0xFF, 0x0F, 0x9D, 0xFF, 0xFF, 0xFF, 0x0F];
    assert!(matches!(with_clock(&[&odd[..], &odder[..], &[0]].concat()), Err(SnapshotError::Rates { .. })));
}

#[test]
fn a_wrong_byte_anywhere_is_refused_before_anything_is_decoded() {
    let [bytes, _] = snapshots();
    for at in 0..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        let memory = allocation_counter::measure(|| {
            let is_header = at < 6;
            match Physics::restore(&bytes) {
                Err(SnapshotError::Header { .. }) => assert!(is_header),
                Err(SnapshotError::Checksum { .. }) => assert!(!is_header),
                other => panic!("byte {at}: {other:?}"),
            }
        });
        assert_eq!(memory.count_total, 0, "byte {at}");
    }
}

#[test]
fn bytes_after_the_end_are_refused() {
    let [mut bytes, _] = snapshots();
    bytes.extend([0; 3]);
    assert!(matches!(Physics::restore(&bytes), Err(SnapshotError::Checksum { .. })));
    bytes.extend([0; 8]);
    seal(&mut bytes);
    // The old checksum and the three bytes.
    assert!(matches!(Physics::restore(&bytes), Err(SnapshotError::Trailing { bytes: 11, .. })));
}

#[test]
fn a_snapshot_that_is_cut_off_is_refused() {
    let [bytes, _] = snapshots();
    for end in 0..bytes.len() {
        assert!(Physics::restore(&bytes[..end]).is_err(), "{end} of {} bytes", bytes.len());
    }
}

#[test]
fn another_version_is_refused_by_its_header() {
    let [mut bytes, _] = snapshots();
    bytes[4] += 1;
    seal(&mut bytes);
    let error = Physics::restore(&bytes).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{} bytes do not start with the header of EVPH version 1", bytes.len())
    );
}

#[test]
fn a_snapshot_longer_than_its_format_allows_is_refused_unread() {
    let bytes = vec![0; Physics::FORMAT.bytes_max() + 1];
    assert!(matches!(Physics::restore(&bytes), Err(SnapshotError::TooLong { bytes_max: 0x100_0000, .. })));
}

/// One byte in a snapshot, 256 bytes in memory.
type Bomb = Option<[u64; 32]>;

#[test]
fn decoding_takes_no_more_memory_than_its_format_allows() {
    let format = SnapshotFormat::new("BOMB", 1).with_memory_max(4 << 20);
    let bytes = format.write(&vec![Bomb::None; 1 << 20]);
    let memory = allocation_counter::measure(|| {
        let bomb = format.read::<Vec<Bomb>>(&bytes);
        assert!(matches!(bomb, Err(SnapshotError::Memory { bytes_max: 0x40_0000, .. })));
    });
    assert!(memory.bytes_max <= 4 << 20, "{} bytes", memory.bytes_max);
    // Takes no memory, but counting to its length takes a century.
    let bytes = format.write(&u64::MAX);
    assert!(matches!(format.read::<Vec<()>>(&bytes), Err(SnapshotError::Memory { .. })));
    let bytes = format.write(&(0..100_u32).map(|n| (n, n)).collect::<BTreeMap<_, _>>());
    assert_eq!(format.read::<BTreeMap<u32, u32>>(&bytes).unwrap()[&99], 99);
}

/// A world that was once full: a free slot takes two bytes in a snapshot, and as much memory as a body.
#[test]
fn a_world_of_free_places_stays_within_the_formats_memory() {
    let vacated = |count: usize| {
        let mut physics = Physics::at_hz(60, 60);
        let handles: Vec<_> =
            (0..count).map(|_| physics.world.insert_body(RigidBodyBuilder::dynamic())).collect();
        for body in handles {
            physics.world.remove_body(body);
        }
        physics.save()
    };
    let bytes = vacated(10_000);
    let memory = allocation_counter::measure(|| assert!(Physics::restore(&bytes).is_ok()));
    println!("10,000 free places: {} bytes in a snapshot, {} in memory", bytes.len(), memory.bytes_max);
    let bytes = vacated(400_000);
    let memory = allocation_counter::measure(|| {
        assert!(matches!(Physics::restore(&bytes), Err(SnapshotError::Memory { .. })));
    });
    println!("400,000 free places: {} bytes in a snapshot, {} in memory", bytes.len(), memory.bytes_max);
    assert!(memory.bytes_max <= Physics::FORMAT.memory_max() as u64);
}

#[derive(Serialize, Deserialize)]
struct Nest(Vec<Nest>);

#[test]
fn lists_within_lists_end_before_the_stack_does() {
    let format = SnapshotFormat::new("NEST", 1);
    let mut bytes = format.write(&Nest(vec![]));
    drop(bytes.splice(6..6, vec![1; 1 << 20]));
    seal(&mut bytes);
    assert!(matches!(format.read::<Nest>(&bytes), Err(SnapshotError::Depth { depth_max: 32, .. })));
}

#[test]
fn a_world_that_would_step_for_hours_is_refused() {
    let mut physics = melee(60, 60);
    physics.world.integration_parameters.num_solver_iterations = 1_000_000;
    let error = Physics::restore(&physics.save()).unwrap_err();
    assert_eq!(error.to_string(), "2000000 passes of the solver, at most 1000");
}

#[test]
fn a_world_that_is_read_as_part_of_another_value_is_checked_too() {
    let mut physics = melee(60, 60);
    physics.world.integration_parameters.max_ccd_substeps = usize::MAX;
    let bytes = postcard::to_stdvec(&("a game", &physics)).unwrap();
    assert!(postcard::from_bytes::<(&str, Physics)>(&bytes).is_err());
    physics.world.integration_parameters.max_ccd_substeps = 1;
    let bytes = postcard::to_stdvec(&("a game", &physics)).unwrap();
    assert_eq!(postcard::from_bytes::<(&str, Physics)>(&bytes).unwrap().1.hash(), physics.hash());
}

#[test]
fn of_45_000_damaged_snapshots_all_are_refused() {
    let [a, b] = snapshots();
    let mut mutator = Mutator::new(2);
    for case in 0..45_000 {
        let bytes = mutator.mutate(&a, &b);
        assert!(bytes == a || Physics::restore(&bytes).is_err(), "case {case}");
    }
}

#[test]
fn damage_under_a_right_checksum_neither_hangs_nor_panics_outside_rapier() {
    let [a, b] = snapshots();
    let tally = run_sealed(5_000, [&a, &b], |bytes| match Physics::restore(bytes) {
        Err(_) => Fate::Refused,
        Ok(mut physics) => {
            for _ in 0..60 {
                physics.tick();
            }
            physics.hash();
            Fate::Ran
        }
    });
    println!("{tally:#?}, {} panics inside Rapier", tally.panics());
    assert!(tally.ran > 500 && tally.refused > 500 && tally.panics() < 250, "{tally:?}");
    assert!(tally.memory_max < 16 << 20, "{} bytes", tally.memory_max);
}

#[test]
fn a_number_that_no_step_survives_is_refused() {
    type Damage = fn(&mut Physics);
    let damages: [Damage; 6] = [
        |physics| physics.world.integration_parameters.length_unit = f32::NAN,
        |physics| physics.world.integration_parameters.length_unit = -1.0,
        |physics| physics.world.integration_parameters.dt = 0.0,
        |physics| physics.world.integration_parameters.dt = f32::INFINITY,
        |physics| physics.world.gravity.x = f32::NAN,
        |physics| physics.world.gravity.y = f32::INFINITY,
    ];
    for damage in damages {
        let mut physics = Physics::at_hz(60, 60);
        damage(&mut physics);
        assert!(matches!(Physics::restore(&physics.save()), Err(SnapshotError::Number { .. })));
    }
}
