//! Players and verification of games that fail.

use evenstep_replay::{Error, LoadError, Player, Recording, RecordingWriter, Simulation, Verdict, verify};

use crate::mutations::seal;
use crate::odd::{Odd, blocks, header};
use crate::world::{World, input, record};

#[test]
fn a_player_stays_at_the_tick_whose_input_the_game_cannot_read() {
    let mut odd = Odd::default();
    let mut writer = RecordingWriter::new(Vec::new(), header(), &odd).unwrap();
    for tick in 0..20 {
        let input = vec![if tick == 12 { 13 } else { 1 }];
        writer.tick(&input, &odd);
        odd.step(&input);
    }
    let recording = Recording::read(&writer.finish(&odd).unwrap()[..]).unwrap();
    let mut odd = Odd::default();
    let mut player = Player::new(recording, &mut odd).unwrap();
    for _ in 0..3 {
        assert!(matches!(player.seek(20, &mut odd), Err(Error::Input { tick: 12, .. })));
        assert_eq!((player.tick(), odd.count), (12, 24), "the tick is the number of the state");
    }
    player.seek(5, &mut odd).unwrap();
    assert_eq!(odd.count, 10);
}

#[test]
fn a_player_whose_game_failed_to_load_loads_again_before_it_plays_on() {
    let mut odd = Odd::default();
    let mut writer = RecordingWriter::new(Vec::new(), header().with_snapshot_every(50), &odd).unwrap();
    for _ in 0..100 {
        writer.tick(&vec![1], &odd);
        odd.step(&vec![1]);
    }
    let recording = Recording::read(&writer.finish(&odd).unwrap()[..]).unwrap();
    let mut odd = Odd::default();
    let mut player = Player::new(recording, &mut odd).unwrap();
    player.seek(30, &mut odd).unwrap();
    odd.is_unloadable = true;
    player.seek(10, &mut odd).expect_err("it cannot load");
    odd.is_unloadable = false;
    player.seek(40, &mut odd).unwrap();
    assert_eq!((player.tick(), odd.count), (40, 80));
}

#[test]
fn a_snapshot_that_is_not_the_state_of_its_tick_is_a_difference_even_where_a_hash_was_recorded() {
    let world = || World::with_bodies(1, 2);
    let file = record(World::header(1).with_hash_every(20).with_snapshot_every(40), 100, &mut world());
    let (_, block) = blocks(&file).into_iter().filter(|(kind, _)| *kind == 4).nth(1).unwrap();
    let mut bytes = file.clone();
    assert_eq!(bytes[block.start + 1], 0, "too short to be compressed");
    bytes[block.start + 11] ^= 1; // The dice.
    seal(&mut bytes);
    let recording = Recording::read(&bytes[..]).unwrap();
    assert!(recording.is_complete());
    let verdict = verify(&recording, &mut world(), |_| ()).unwrap();
    let Verdict::Diverged(found) = verdict else { panic!("{verdict:?}") };
    assert_eq!((found.tick, found.part.as_str()), (40, "dice"));
}

/// A build that counts faster from 70 on.
struct Faster(Odd);
impl Simulation for Faster {
    type Input = Vec<u8>;
    fn step(&mut self, input: &Vec<u8>) {
        self.0.step(input);
        self.0.count += u64::from(self.0.count > 70);
    }
    fn save(&self, bytes: &mut Vec<u8>) {
        self.0.save(bytes);
    }
    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        self.0.load(bytes)
    }
    fn hash(&self, part: &mut dyn FnMut(&'static str, u64)) -> u64 {
        self.0.hash(part)
    }
    fn write_input(input: &Vec<u8>, bytes: &mut Vec<u8>) {
        Odd::write_input(input, bytes);
    }
    fn read_input(bytes: &[u8]) -> Option<Vec<u8>> {
        Odd::read_input(bytes)
    }
}

#[test]
fn a_difference_is_reported_even_if_the_snapshot_before_it_cannot_be_loaded() {
    let mut odd = Odd::default();
    let mut writer = RecordingWriter::new(Vec::new(), header().with_hash_every(10), &odd).unwrap();
    for _ in 0..100 {
        writer.tick(&vec![1], &odd);
        odd.step(&vec![1]);
    }
    let recording = Recording::read(&writer.finish(&odd).unwrap()[..]).unwrap();
    let mut broken = Faster(Odd { is_unloadable: true, ..Odd::default() });
    let verdict = verify(&recording, &mut broken, |_| ()).unwrap();
    let Verdict::Diverged(found) = verdict else { panic!("{verdict:?}") };
    assert_eq!((found.tick, found.last_same, found.from_snapshot), (40, Some(30), None));
}

#[test]
fn progress_is_reported_between_hashes_that_are_far_apart() {
    let header = World::header(1).with_hash_every(1 << 40).with_snapshot_every(0);
    let recording = Recording::read(&record(header, 20_000, &mut World::with_bodies(1, 2))[..]).unwrap();
    let mut seen = Vec::new();
    verify(&recording, &mut World::with_bodies(1, 2), |progress| seen.push(progress.done)).unwrap();
    assert!(seen.windows(2).all(|pair| pair[1] - pair[0] <= 2_000), "{seen:?}");
}

#[test]
fn a_player_that_was_taken_over_returns_to_the_recorded_state() {
    for every in [0, 50] {
        let file = record(World::header(2).with_snapshot_every(every), 100, &mut World::new(2));
        let mut world = World::new(2);
        let mut expected = World::new(2);
        let mut player = Player::new(Recording::read(&file[..]).unwrap(), &mut world).unwrap();
        for (from, to) in [(0, 0), (100, 100), (60, 60), (60, 75)] {
            player.seek(from, &mut world).unwrap();
            player.take_over();
            world.step(&vec![99]);
            player.seek(to, &mut world).unwrap();
            expected = World::new(2);
            (0..to).for_each(|tick| expected.step(&input(tick)));
            assert_eq!(world.bodies, expected.bodies, "{from} to {to}");
        }
        assert_eq!(world.score, expected.score);
    }
}

#[test]
fn a_game_with_other_parts_is_compared_by_its_whole_state() {
    let mut odd = Odd { parts: 2, ..Odd::default() };
    let mut writer = RecordingWriter::new(Vec::new(), header(), &odd).unwrap();
    for _ in 0..100 {
        writer.tick(&vec![], &odd);
        odd.step(&vec![]);
    }
    let file = writer.finish(&odd).unwrap();
    let recording = Recording::read(&file[..]).unwrap();
    let other = || Odd { parts: 3, ..Odd::default() };
    let verdict = verify(&recording, &mut other(), |_| ()).unwrap();
    assert!(matches!(verdict, Verdict::Same { .. }), "{verdict:?}");
    let Verdict::Diverged(found) = verify(&recording, &mut Faster(other()), |_| ()).unwrap() else {
        panic!("it counts faster")
    };
    assert_eq!((found.part.as_str(), found.parts.len()), ("whole", 0), "{found}");
}
