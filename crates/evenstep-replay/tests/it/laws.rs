//! What is recorded is what is played.

use evenstep_replay::{
    Header, INPUT_BYTES_MAX, Player, Recording, RecordingWriter, Rewind, RewindOptions, Simulation,
    StateHash, Verdict, diff, trim, verify,
};
use proptest::prelude::*;

use crate::world::{World, input, record};

fn is_same(recording: &Recording, world: &mut World) -> bool {
    matches!(verify(recording, world, |_| ()).expect("it can be played"), Verdict::Same { .. })
}

/// Inputs of any length up to the longest, with repetitions.
fn inputs() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let short = prop::collection::vec(prop_oneof![Just(0_u8), any::<u8>()], 0..20);
    let long = (any::<u8>(), prop_oneof![Just(INPUT_BYTES_MAX), 0..INPUT_BYTES_MAX]);
    let long = long.prop_map(|(seed, len)| (0..len).map(|n| (n as u8).wrapping_mul(seed)).collect());
    let run = (prop_oneof![20 => short, 1 => long], 1_usize..30);
    let runs = prop::collection::vec(run, 0..30);
    runs.prop_map(|runs| runs.into_iter().flat_map(|(input, count)| vec![input; count]).collect())
}

fn header() -> impl Strategy<Value = Header> {
    // Up to the last ticks that there are.
    let start = prop_oneof![
        Just(None),
        (0_u64..1 << 40).prop_map(Some),
        (1_u64..=1_000).prop_map(last_ticks).prop_map(Some)
    ];
    (1_u64..100, 0_u64..100, start).prop_map(|(hashes, snapshots, start)| {
        let header = World::header(9).with_hash_every(hashes).with_snapshot_every(snapshots);
        start.map_or(header.clone(), |tick| header.with_start(tick))
    })
}

/// A start with room for the longest run of [`inputs`].
const fn last_ticks(before: u64) -> u64 {
    (1 << 62) - 1_000 - before
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_input_comes_back_and_leads_to_the_same_state(inputs in inputs(), header in header()) {
        let mut world = World::new(9);
        let first = header.first_tick;
        let mut writer = RecordingWriter::new(Vec::new(), header, &world).unwrap();
        for input in &inputs {
            writer.tick(input, &world);
            world.step(input);
        }
        let file = writer.finish(&world).unwrap();
        let recording = Recording::read(&file[..]).unwrap();
        prop_assert!(recording.is_complete());
        prop_assert_eq!(recording.ticks(), inputs.len() as u64);
        let mut read = recording.inputs_from(first).unwrap();
        for (n, input) in inputs.iter().enumerate() {
            prop_assert_eq!(read.next(), Some((first + n as u64, &input[..])));
        }
        prop_assert_eq!(read.next(), None);
        let mut again = World::new(9);
        prop_assert!(is_same(&recording, &mut again));
        prop_assert_eq!(StateHash::of(&again), StateHash::of(&world));
    }

    #[test]
    fn seeking_leads_to_the_state_of_the_tick(
        every in 0_u64..90,
        seeks in prop::collection::vec(0_u64..=400, 1..8),
    ) {
        let file = record(World::header(2).with_snapshot_every(every), 400, &mut World::new(2));
        let mut states = vec![World::new(2)];
        for tick in 0..400 {
            let mut next = states[tick as usize].clone();
            next.step(&input(tick));
            states.push(next);
        }
        let mut world = World::new(2);
        let mut player = Player::new(Recording::read(&file[..]).unwrap(), &mut world).unwrap();
        for tick in seeks {
            player.seek(tick, &mut world).unwrap();
            prop_assert_eq!(player.tick(), tick);
            prop_assert_eq!(StateHash::of(&world), StateHash::of(&states[tick as usize]));
        }
        prop_assert!(player.seek(401, &mut world).is_err());
    }

    #[test]
    fn a_file_cut_anywhere_opens_up_to_there(cut in 0.0..1.0_f64) {
        let whole = record(World::header(4).with_snapshot_every(100), 500, &mut World::new(4));
        let file = &whole[..(whole.len() as f64 * cut) as usize];
        match Recording::read(file) {
            Ok(recording) => {
                prop_assert!(!recording.is_complete());
                prop_assert!(is_same(&recording, &mut World::new(4)));
                let full = Recording::read(&whole[..]).unwrap();
                let mut some = recording.inputs_from(0).unwrap();
                let mut all = full.inputs_from(0).unwrap();
                while let Some(input) = some.next() {
                    prop_assert_eq!(Some(input), all.next());
                }
                if let Some(problem) = recording.problem() {
                    let is_at_the_end = problem.offset().unwrap() <= file.len() as u64;
                    prop_assert!(is_at_the_end, "{}", problem);
                }
            }
            Err(error) => prop_assert!(file.len() < 120, "{} in {} bytes", error, file.len()),
        }
    }

    #[test]
    fn going_back_leads_to_the_state_of_the_tick_and_on_from_there(
        backs in prop::collection::vec((0_u64..250, 1_u64..200), 1..6),
        snapshot_every in 1_u64..70,
        bytes in prop_oneof![Just(0), 1_usize..30_000, Just(1 << 20)],
        is_long in prop::bool::weighted(0.1),
    ) {
        let options = RewindOptions { ticks: 200, bytes, snapshot_every };
        let mut world = World::new(6);
        let mut rewind = Rewind::new(options, 0);
        let mut states = vec![world.clone()];
        let run = |world: &mut World, rewind: &mut Rewind, states: &mut Vec<World>, ticks| {
            for _ in 0..ticks {
                let tick = states.len() as u64 - 1;
                let mut input = input(tick);
                if is_long {
                    input.resize((tick * 37 % 4_096) as usize, tick as u8);
                }
                rewind.tick(&input, world);
                world.step(&input);
                states.push(world.clone());
                if tick.is_multiple_of(3) {
                    rewind.mark("three more");
                }
            }
        };
        run(&mut world, &mut rewind, &mut states, 500);
        for (back, on) in backs {
            let now = states.len() as u64 - 1;
            prop_assert_eq!(rewind.next_tick(), now);
            prop_assert!(now - rewind.first_tick() <= 200 + 2 * snapshot_every);
            let tick = now.saturating_sub(back);
            let is_there = rewind.first_tick() <= tick;
            prop_assert_eq!(rewind.back_to(tick, &mut world).is_ok(), is_there);
            if is_there {
                prop_assert_eq!(StateHash::of(&world), StateHash::of(&states[tick as usize]));
                states.truncate(tick as usize + 1);
            }
            run(&mut world, &mut rewind, &mut states, on);
        }
        let file = rewind.write(Vec::new(), World::header(6), &world).unwrap();
        let recording = Recording::read(&file[..]).unwrap();
        prop_assert!(recording.is_complete(), "{:?}", recording.problem());
        let first = recording.first_tick();
        let last = recording.last_tick();
        prop_assert_eq!(last, states.len() as u64 - 1);
        // Every third tick has its mark, however often it was undone.
        let marks = recording.marks().map(|mark| mark.tick).filter(|&tick| tick > first);
        prop_assert!(marks.eq((first + 1..=last).filter(|tick| tick % 3 == 1)));
        prop_assert!(is_same(&recording, &mut World::new(0)), "the ring's file needs no seed");
    }

    #[test]
    fn what_is_cut_out_is_the_same_run(from in 0_u64..=600, len in 0_u64..600, every in 1_u64..150) {
        let header = World::header(7).with_snapshot_every(every).with_hash_every(25);
        let recording = Recording::read(&record(header, 600, &mut World::new(7))[..]).unwrap();
        let to = (from + len).min(600);
        let mut file = Vec::new();
        let ticks = trim(&recording, from..to, &mut file).unwrap();
        prop_assert!(ticks.start <= from && to <= ticks.end, "{:?} for {}..{}", ticks, from, to);
        // There is no snapshot of the last state: the next tick would have written it.
        let start = recording.snapshot_ticks().rfind(|&tick| tick <= from).unwrap_or(0);
        prop_assert_eq!(ticks.start, start);
        prop_assert!(from - start < every || from == 600, "{} for {}", start, from);
        prop_assert!(ticks.end - to < 25);
        let part = Recording::read(&file[..]).unwrap();
        prop_assert!(part.is_complete(), "{:?}", part.problem());
        prop_assert_eq!((part.first_tick(), part.last_tick()), (ticks.start, ticks.end));
        prop_assert!(is_same(&part, &mut World::new(7)));
        let mut again = Vec::new();
        prop_assert_eq!(trim(&part, from..to, &mut again).unwrap(), ticks.clone());
        prop_assert_eq!(again, file, "what is cut is cut already");
        let marks = recording.marks().filter(|mark| (ticks.start..=ticks.end).contains(&mark.tick));
        prop_assert!(part.marks().eq(marks));
    }
}

#[test]
fn a_difference_names_the_first_input_and_the_first_hash() {
    let play = |odd: Option<u64>| {
        let mut world = World::new(8);
        let mut writer =
            RecordingWriter::new(Vec::new(), World::header(8).with_hash_every(10), &world).unwrap();
        for tick in 0..300 {
            let input = if odd == Some(tick) { vec![200; 9] } else { input(tick) };
            writer.tick(&input, &world);
            world.step(&input);
        }
        Recording::read(&writer.finish(&world).unwrap()[..]).unwrap()
    };
    let a = play(None);
    let b = play(Some(123));
    assert!(diff(&a, &play(None)).is_same_run());
    let found = diff(&a, &b);
    assert_eq!(found.header, []);
    assert_eq!(found.input.unwrap().0, 123);
    let hash = found.hash.unwrap();
    assert_eq!((hash.tick, hash.last_same, &hash.parts[..]), (130, Some(120), &["bodies".to_owned()][..]));
}

#[test]
fn a_recording_that_is_dropped_lacks_only_its_end() {
    let mut world = World::new(1);
    let mut file = Vec::new();
    let mut writer = RecordingWriter::new(&mut file, World::header(1), &world).unwrap();
    for tick in 0..77 {
        writer.tick(&input(tick), &world);
        world.step(&input(tick));
    }
    drop(writer);
    let recording = Recording::read(&file[..]).unwrap();
    assert_eq!((recording.ticks(), recording.is_complete()), (77, false));
    assert!(recording.problem().is_none());
}

/// Every byte, where the law above tries some.
#[test]
fn a_file_cut_at_any_byte_has_all_blocks_before_it() {
    let whole = record(World::header(4).with_snapshot_every(100), 300, &mut World::with_bodies(4, 2));
    let mut at = 12;
    let mut ends = Vec::new();
    while at < whole.len() {
        at += 10 + u32::from_le_bytes(whole[at + 2..at + 6].try_into().unwrap()) as usize;
        ends.push(at);
    }
    let mut ticks = 0;
    for cut in 0..whole.len() {
        let Ok(recording) = Recording::read(&whole[..cut]) else {
            assert!(cut < ends[0], "{cut}");
            continue;
        };
        let blocks_end = ends.iter().rev().find(|&&end| end <= cut).unwrap();
        assert_eq!(recording.bytes(), *blocks_end as u64);
        assert_eq!(
            recording.problem().map_or(cut as u64, |problem| problem.offset().unwrap()),
            *blocks_end as u64
        );
        assert!(recording.ticks() >= ticks && !recording.is_complete());
        ticks = recording.ticks();
    }
    assert_eq!(ticks, 300);
}
