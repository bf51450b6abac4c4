//! Broken builds are caught, and the right part is blamed.

use evenstep_replay::{FromSnapshot, Recording, SyncTest, Verdict, verify};

use crate::world::{Fault, World, input, record};

#[test]
fn a_build_with_the_sine_of_std_is_caught_at_its_tick_and_blamed_on_the_bodies() {
    let header = World::header(3).with_hash_every(1).with_snapshot_every(500);
    let file = record(header, 4_000, &mut World::new(3));
    let recording = Recording::read(&file[..]).unwrap();
    assert!(matches!(verify(&recording, &mut World::new(3), |_| ()).unwrap(), Verdict::Same { .. }));

    // The first tick that differs, found without the crate.
    let mut exact = World::new(3);
    let mut std = World::new(3).with_fault(Fault::StdSin);
    let differs = (1..=4_000).find(|tick| {
        use evenstep_replay::Simulation;
        exact.step(&input(tick - 1));
        std.step(&input(tick - 1));
        exact.bodies != std.bodies
    });
    let differs = differs.expect("the sines of libm and of this std differ within 4000 ticks");

    let verdict = verify(&recording, &mut World::new(3).with_fault(Fault::StdSin), |_| ()).unwrap();
    let Verdict::Diverged(found) = verdict else { panic!("{verdict:?}") };
    assert_eq!((found.tick, found.last_same, found.part.as_str()), (differs, Some(differs - 1), "bodies"));
    assert_ne!(found.expected, found.actual);
    assert!(matches!(found.from_snapshot, Some(FromSnapshot::Differs { .. })), "{found}");
    assert!(
        found.to_string().starts_with(&format!("diverged at tick {differs} in bodies: expected ")),
        "{found}"
    );
}

#[test]
fn a_difference_between_two_hashes_is_found_at_the_next_snapshot() {
    let header = World::header(1).with_hash_every(1_000).with_snapshot_every(100);
    let recording = Recording::read(&record(header, 2_000, &mut World::new(1))[..]).unwrap();
    let mut other = World::new(1);
    other.score += 1;
    let verdict = verify(&recording, &mut other, |_| ()).unwrap();
    let Verdict::Diverged(found) = verdict else { panic!("{verdict:?}") };
    assert_eq!((found.tick, found.part.as_str(), found.last_same), (0, "score", None));

    let mut leaky = World::new(1).with_fault(Fault::Leak { from: 130 });
    let verdict = verify(&recording, &mut leaky, |_| ()).unwrap();
    let Verdict::Diverged(found) = verdict else { panic!("{verdict:?}") };
    assert_eq!((found.tick, found.part.as_str(), found.last_same), (200, "score", Some(100)));
}

#[test]
fn a_planted_leak_is_found_within_ten_ticks_and_blamed_on_its_part() {
    for distance in [1, 2, 8] {
        for from in [0, 137] {
            let mut world = World::new(5).with_fault(Fault::Leak { from });
            let mut test = SyncTest::new(distance);
            let mut steps = 0;
            let found = loop {
                if let Err(found) = test.step(&mut world, input(steps)) {
                    break found;
                }
                steps += 1;
                assert!(steps < from + 10, "distance {distance}, leak from {from}");
            };
            assert_eq!(found.part, "score", "{found}");
        }
    }
}

#[test]
fn a_clean_game_passes_the_sync_test() {
    let mut world = World::new(5);
    let mut alone = World::new(5);
    let mut test = SyncTest::new(8);
    for tick in 0..2_000 {
        use evenstep_replay::Simulation;
        test.step(&mut world, input(tick)).expect("it saves everything");
        alone.step(&input(tick));
    }
    assert_eq!((world.bodies, world.score), (alone.bodies, alone.score), "the test leaves the run as it is");
}
