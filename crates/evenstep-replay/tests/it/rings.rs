//! Rings: their budgets, going back, and what they write.

use evenstep_replay::{
    INPUT_BYTES_MAX, LoadError, Recording, Rewind, RewindOptions, Simulation, Verdict, verify,
};

use crate::odd::{Odd, header, noise};
use crate::world::{World, input};

#[test]
fn a_ring_of_the_longest_inputs_is_written_as_a_file_that_reads_back() {
    for (snapshot_every, len) in [(600, INPUT_BYTES_MAX), (1_500, INPUT_BYTES_MAX), (8_192, 150)] {
        let options = RewindOptions { ticks: 10_000, bytes: 64 << 20, snapshot_every };
        let mut odd = Odd::default();
        let mut ring = Rewind::new(options, 0);
        for tick in 0..snapshot_every {
            // Lengths that change, and none at all.
            let input = noise(tick, if tick % 5 == 0 { 0 } else { len - (tick % 7) as usize });
            ring.tick(&input, &odd);
            odd.step(&input);
        }
        let file = ring.write(Vec::new(), header(), &odd).unwrap();
        let recording = Recording::read(&file[..]).unwrap();
        assert!(recording.is_complete(), "{snapshot_every}: {:?}", recording.problem());
        assert_eq!(recording.ticks(), snapshot_every);
        let mut inputs = recording.inputs_from(1).unwrap();
        assert_eq!(inputs.next(), Some((1, &noise(1, len - 1)[..])));
    }
}

#[test]
fn a_ring_whose_parts_do_not_fit_their_names_is_refused() {
    let options = RewindOptions { ticks: 100, bytes: 1 << 20, snapshot_every: 10 };
    let mut odd = Odd { parts: 2, ..Odd::default() };
    let mut ring = Rewind::new(options, 0);
    for _ in 0..30 {
        ring.tick(&vec![], &odd);
        odd.step(&vec![]);
    }
    ring.write_crashed(Vec::new(), header(), vec![]).expect_err("it has two parts");
    let file = ring.write_crashed(Vec::new(), header(), vec!["a".into(), "b".into()]).unwrap();
    let recording = Recording::read(&file[..]).unwrap();
    assert!(recording.problem().is_none() && recording.ticks() == 30);
    odd.parts = 3;
    ring.write(Vec::new(), header(), &odd).expect_err("it has three parts now");
}

#[test]
fn a_ring_whose_game_cannot_load_stays_as_it_was() {
    let options = RewindOptions { ticks: 100, bytes: 1 << 20, snapshot_every: 10 };
    let mut odd = Odd::default();
    let mut ring = Rewind::new(options, 0);
    for _ in 0..55 {
        ring.tick(&vec![2], &odd);
        odd.step(&vec![2]);
    }
    let bytes = ring.bytes();
    let mut broken = Odd { is_unloadable: true, ..odd.clone() };
    ring.back_to(15, &mut broken).expect_err("it cannot be loaded");
    assert_eq!((ring.first_tick(), ring.next_tick(), ring.bytes()), (0, 55, bytes));
    ring.tick(&vec![2], &odd);
    odd.step(&vec![2]);
    let file = ring.write(Vec::new(), header(), &odd).unwrap();
    let recording = Recording::read(&file[..]).unwrap();
    assert!(recording.is_complete(), "{:?}", recording.problem());
    assert!(matches!(verify(&recording, &mut Odd::default(), |_| ()), Ok(Verdict::Same { .. })));
    ring.back_to(15, &mut odd).unwrap();
    assert_eq!(odd.count, 45);
}

#[test]
fn going_back_forgets_only_the_marks_that_came_after() {
    let options = RewindOptions { ticks: 1_000, bytes: 1 << 20, snapshot_every: 100 };
    let mut world = World::new(1);
    let mut ring = Rewind::new(options, 0);
    for tick in 0..250 {
        ring.tick(&input(tick), &world);
        world.step(&input(tick));
        if tick % 10 == 9 {
            ring.mark("ten more");
        }
    }
    ring.back_to(175, &mut world).unwrap();
    let file = ring.write(Vec::new(), World::header(1), &world).unwrap();
    let recording = Recording::read(&file[..]).unwrap();
    assert!(recording.is_complete(), "{:?}", recording.problem());
    assert_eq!(recording.marks().map(|mark| mark.tick).max(), Some(170));
    assert_eq!((recording.marks().count(), recording.ticks()), (17, 175));
}

#[test]
fn a_mark_before_the_first_tick_of_a_ring_is_kept() {
    let options = RewindOptions { ticks: 1_000, bytes: 1 << 20, snapshot_every: 100 };
    let mut world = World::new(1);
    let mut ring = Rewind::new(options, 7);
    ring.mark("start");
    for tick in 0..10 {
        ring.tick(&input(tick), &world);
        world.step(&input(tick));
    }
    let file = ring.write(Vec::new(), World::header(1), &world).unwrap();
    let recording = Recording::read(&file[..]).unwrap();
    assert_eq!(recording.marks().map(|mark| mark.tick).collect::<Vec<_>>(), [7]);
}

#[test]
fn a_ring_keeps_to_its_budget_when_inputs_get_wilder() {
    let budget = 40_000;
    let options = RewindOptions { ticks: 1 << 40, bytes: budget, snapshot_every: 20 };
    let mut world = World::new(1);
    let mut ring = Rewind::new(options, 0);
    for tick in 0..2_000 {
        let input = if tick < 1_000 { input(tick) } else { noise(tick, 300) };
        ring.tick(&input, &world);
        world.step(&input);
        assert!(ring.bytes() <= budget, "{} bytes at tick {tick}", ring.bytes());
    }
}

#[test]
fn an_empty_ring_says_that_it_is_empty() {
    let options = RewindOptions { ticks: 0, bytes: 0, snapshot_every: 1 };
    let ring = Rewind::new(options, 5);
    let error = ring.write(Vec::new(), header(), &Odd::default()).unwrap_err().to_string();
    assert!(error.contains("empty"), "{error}");
}

#[test]
fn a_ring_without_a_budget_keeps_two_snapshots_and_goes_back_to_them() {
    for bytes in [0, 1, 100] {
        let options = RewindOptions { ticks: 0, bytes, snapshot_every: 3 };
        let mut odd = Odd::default();
        let mut ring = Rewind::new(options, 0);
        for tick in 0..20_u64 {
            ring.tick(&vec![], &odd);
            odd.step(&vec![]);
            assert!(ring.next_tick() - ring.first_tick() <= 6 && ring.first_tick() <= tick.saturating_sub(2));
        }
        let first = ring.first_tick();
        ring.back_to(first, &mut odd).unwrap();
        assert_eq!(odd.count, first);
        ring.back_to(first, &mut odd).unwrap();
        ring.back_to(first + 1, &mut odd).expect_err("that is forgotten");
        let file = ring.write(Vec::new(), header(), &odd).unwrap();
        assert!(Recording::read(&file[..]).unwrap().is_complete());
    }
}

/// A state of so many bytes that never changes.
struct Bytes(Vec<u8>);

impl Simulation for Bytes {
    type Input = u8;
    fn step(&mut self, _: &u8) {}
    fn save(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.0);
    }
    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        self.0 = bytes.to_vec();
        Ok(())
    }
    fn write_input(input: &u8, bytes: &mut Vec<u8>) {
        bytes.push(*input);
    }
    fn read_input(bytes: &[u8]) -> Option<u8> {
        bytes.first().copied()
    }
}

#[test]
fn a_large_state_is_saved_more_often() {
    let snapshot_ticks = |len: usize| -> Vec<u64> {
        let sim = Bytes(vec![7; len]);
        let mut ring = Rewind::new(RewindOptions { ticks: 200, bytes: 64 << 20, snapshot_every: 60 }, 0);
        (0..200_u64).for_each(|tick| ring.tick(&(tick as u8), &sim));
        let file = ring.write(Vec::new(), header(), &sim).expect("it is written");
        Recording::read(&file[..]).expect("a recording").snapshot_ticks().collect()
    };
    assert_eq!(snapshot_ticks(0), [0, 60, 120, 180]);
    assert_eq!(snapshot_ticks(128 << 10), [0, 60, 120, 180]);
    assert_eq!(snapshot_ticks(512 << 10), (0..200).step_by(15).collect::<Vec<_>>());
}
