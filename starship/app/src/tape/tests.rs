//! Tests of the tape.

use evenstep_replay::{Recording, StateHash, Verdict, verify};
use starship_sim::{Autopilot, RunDef, Sim};

use super::Tape;

/// Lets the autopilot play some ticks.
fn play(tape: &mut Tape, sim: &mut Sim, ticks: u64) {
    for _ in 0..ticks {
        let input = Autopilot.input(sim.state());
        tape.tick(input, sim);
        sim.tick(input, &mut ());
        tape.mark(sim);
    }
}

fn launch(tape: &mut Tape, sim: &mut Sim, seed: u64) {
    tape.launch(sim, RunDef::seeded(seed));
    sim.launch(RunDef::seeded(seed));
}

fn is_same(bytes: &[u8]) -> Recording {
    let recording = Recording::read(bytes).expect("a recording");
    let verdict = verify(&recording, &mut Sim::before_any_run(), |_| ()).expect("it can be played");
    assert!(matches!(verdict, Verdict::Same { .. }), "{verdict:?}");
    recording
}

#[test]
fn runs_that_the_menu_launches_are_part_of_the_recording() {
    let file = std::env::temp_dir().join(format!("starship-tape-{}.replay", std::process::id()));
    let mut sim = Sim::before_any_run();
    let mut tape = Tape::new(&sim);
    tape.record(std::fs::File::create(&file).expect("a file"), 3);
    launch(&mut tape, &mut sim, 3);
    play(&mut tape, &mut sim, 100);
    launch(&mut tape, &mut sim, 4);
    // Launched again before any tick.
    launch(&mut tape, &mut sim, 5);
    play(&mut tape, &mut sim, 200);
    let minute = is_same(&tape.last_minute(&sim).expect("memory can be written"));
    assert_eq!((minute.ticks(), minute.is_complete(), minute.header().seed), (300, true, 5));
    // A launch that is still to come does not count.
    launch(&mut tape, &mut sim, 6);
    is_same(&tape.last_minute(&sim).expect("memory can be written"));
    tape.end_file(&sim);
    let recording = is_same(&std::fs::read(&file).expect("the file"));
    assert_eq!((recording.ticks(), recording.is_complete()), (300, true));
    std::fs::remove_file(file).expect("the file");
}

#[test]
fn any_number_of_runs_without_a_tick_is_part_of_the_recording() {
    for launches in [2, 256, 257, 300, 1_000] {
        let mut sim = Sim::before_any_run();
        let mut tape = Tape::new(&sim);
        (0..launches).for_each(|_| launch(&mut tape, &mut sim, 3));
        play(&mut tape, &mut sim, 130);
        assert_eq!(sim.state().runs, Sim::before_any_run().state().runs + launches);
        is_same(&tape.last_minute(&sim).expect("memory can be written"));
    }
}

#[test]
fn going_back_and_on_is_still_one_recording() {
    let mut sim = Sim::before_any_run();
    let mut tape = Tape::new(&sim);
    launch(&mut tape, &mut sim, 3);
    play(&mut tape, &mut sim, 400);
    let there = StateHash::of(&sim);
    play(&mut tape, &mut sim, 150);
    tape.rewind(150, &mut sim).expect("it is in the ring");
    assert_eq!(StateHash::of(&sim), there);
    tape.rewind(u64::MAX, &mut sim).expect("as far as it goes");
    let mut launched = Sim::before_any_run();
    launched.launch(RunDef::seeded(3));
    launched.tick(Autopilot.input(launched.state()), &mut ());
    assert_eq!(sim.state().hash(), launched.state().hash(), "the run's first tick, and no further");
    launch(&mut tape, &mut sim, 9);
    play(&mut tape, &mut sim, 50);
    is_same(&tape.last_minute(&sim).expect("memory can be written"));
}

#[test]
fn a_panic_saves_the_ring_with_the_input_that_caused_it() {
    let mut sim = Sim::before_any_run();
    let mut tape = Tape::new(&sim);
    launch(&mut tape, &mut sim, 3);
    play(&mut tape, &mut sim, 130);
    let saved = tape.last_minute_before_crash().expect("memory can be written");
    let recording = is_same(&saved);
    assert_eq!((recording.ticks(), recording.is_complete(), recording.header().seed), (130, false, 3));

    let folder = std::env::temp_dir().join(format!("starship-crash-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let panicked = crate::files::in_folder(&folder, || {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
            let _dropped = tape;
            panic!("a bug in the game");
        }))
    });
    assert!(panicked.is_err());
    let file = std::fs::read(folder.join("starship-crash-001.replay")).expect("the ring was saved");
    assert_eq!(file, saved);
    std::fs::remove_dir_all(folder).expect("the folder");
}
