//! Which saved games are rejected, and what the others can cause.

#[path = "../../../crates/evenstep-rapier/tests/mutations/mod.rs"]
mod mutations;

use evenstep::TickTimer;
use evenstep_rapier::{Physics, SnapshotError};
use mutations::{Fate, Mutator, run_sealed, seal};
use starship_sim::{Autopilot, RestoreError, RunDef, Sim, State};

fn play(sim: &mut Sim, ticks: u32) {
    for _ in 0..ticks {
        let input = Autopilot.input(sim.state());
        sim.tick(input, &mut ());
    }
}

/// Returns a saved game from the first minute, and one from the fight with the boss.
fn snapshots() -> [Vec<u8>; 2] {
    let mut sim = Sim::new(RunDef::seeded(1));
    sim.launch(RunDef::seeded(1));
    [900, 2_400].map(|ticks| {
        play(&mut sim, ticks);
        assert_eq!(sim.state().boss.is_some(), ticks > 900);
        sim.state().save()
    })
}

/// Returns the error of restoring a game that was changed and saved again, with a valid checksum.
fn refused(change: impl FnOnce(&mut State)) -> String {
    let [_, bytes] = snapshots();
    let mut state = State::restore(&bytes).unwrap();
    change(&mut state);
    State::restore(&state.save()).unwrap_err().to_string()
}

#[test]
fn a_count_that_a_tick_cannot_live_with_is_refused() {
    assert_eq!(
        refused(|state| state.mission.timer = TickTimer::start(5_401)),
        "not a saved game: ticks left of the mission: 5401, at most 5400"
    );
    assert!(
        refused(|state| state.time_ticks = u64::MAX).contains("ticks of game time: 18446744073709551615")
    );
    assert!(refused(|state| state.progress.score = u64::MAX).contains("points"));
    assert!(refused(|state| state.progress.kills = u32::MAX).contains("kills"));
    assert!(refused(|state| state.progress.level = u32::MAX).contains("the level"));
    assert!(refused(|state| state.progress.xp = u32::MAX).contains("experience"));
    assert!(refused(|state| state.run.sector = u32::MAX).contains("the sector"));
    assert!(refused(|state| state.master.waves = u32::MAX).contains("waves"));
    assert!(refused(|state| state.weapons[2].level = u32::MAX).contains("the level of a weapon"));
    assert!(refused(|state| state.boss.as_mut().unwrap().phase = 0).contains("phases of the boss"));
    assert!(
        refused(|state| state.boss.as_mut().unwrap().phase = 4)
            .contains("phases of the boss passed: 3, at most 2")
    );
    assert!(refused(|state| state.puddles.extend_from_within(..)).contains("puddles: 14, at most 7"));
}

#[test]
fn a_game_whose_physics_is_another_is_refused() {
    assert!(refused(|state| state.physics = Physics::at_hz(60, 120)).contains("physics at 120 Hz"));
    assert!(refused(|state| state.physics = Physics::at_hz(60, 60)).contains("the ship's hull is missing"));
    let without_an_enemy = |state: &mut State| {
        let last = state.physics.world.bodies.iter().last().map(|(handle, _)| handle);
        state.physics.world.remove_body(last.unwrap());
    };
    let refused = refused(without_an_enemy);
    assert!(refused.contains("a body is missing or shared"), "{refused}");
}

#[test]
fn a_wrong_byte_anywhere_is_refused_before_anything_is_decoded() {
    let [bytes, _] = snapshots();
    for at in (0..bytes.len()).step_by(7) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        let memory = allocation_counter::measure(|| {
            let Err(RestoreError::Snapshot { source, .. }) = State::restore(&bytes) else {
                panic!("byte {at}");
            };
            assert!(matches!(source, SnapshotError::Header { .. } | SnapshotError::Checksum { .. }));
        });
        assert_eq!(memory.count_total, 0, "byte {at}");
    }
}

#[test]
fn bytes_after_the_end_are_refused() {
    let [mut bytes, _] = snapshots();
    bytes.extend([0; 8]);
    seal(&mut bytes);
    let error = State::restore(&bytes).unwrap_err().to_string();
    assert_eq!(error, "not a saved game: 8 unexpected bytes after the end of the snapshot");
}

#[test]
fn of_45_000_damaged_games_all_are_refused() {
    let [a, b] = snapshots();
    let mut mutator = Mutator::new(2);
    for case in 0..45_000 {
        let bytes = mutator.mutate(&a, &b);
        assert!(bytes == a || State::restore(&bytes).is_err(), "case {case}");
    }
}

#[test]
fn damage_under_a_right_checksum_neither_hangs_nor_panics_outside_rapier() {
    let [a, b] = snapshots();
    println!("snapshots of {} and {} bytes", a.len(), b.len());
    let tally = run_sealed(5_000, [&a, &b], |bytes| match Sim::restore(bytes) {
        Err(_) => Fate::Refused,
        Ok(mut sim) => {
            play(&mut sim, 60);
            sim.state().hash();
            Fate::Ran
        }
    });
    println!("{tally:#?}, {} panics inside Rapier", tally.panics());
    assert!(tally.ran > 500 && tally.refused > 500 && tally.panics() < 250, "{tally:?}");
    assert!(tally.memory_max < 16 << 20, "{} bytes", tally.memory_max);
}
