//! Files that follow the checksums but not the format.

use evenstep_replay::{BLOCK_BYTES_MAX, Recording, RecordingWriter, Simulation, Verdict, verify};

use crate::mutations::seal;
use crate::odd::{Odd, blocks, header, rebuilt};
use crate::world::{World, input, record};

/// Blocks that are in the wrong order, there twice or missing, with the right checksums.
#[test]
fn blocks_that_are_out_of_order_end_the_recording_and_are_never_taken_for_a_divergence() {
    let header = World::header(1).with_hash_every(20).with_snapshot_every(60);
    let file = record(header, 250, &mut World::with_bodies(1, 2));
    let blocks = blocks(&file);
    let all = || blocks.iter().map(|(_, block)| block.clone());
    let mut accepted = 0;
    for a in 0..blocks.len() {
        for b in 0..blocks.len() {
            let swapped = || {
                let mut order: Vec<_> = all().collect();
                order.swap(a, b);
                order
            };
            let doubled = || {
                let mut order: Vec<_> = all().collect();
                order.insert(b, blocks[a].1.clone());
                order
            };
            let removed = || {
                let mut order: Vec<_> = all().collect();
                order.remove(a);
                order
            };
            for order in [swapped(), doubled(), removed()] {
                let Ok(recording) = Recording::read(&rebuilt(&file, order)[..]) else { continue };
                accepted += 1;
                let hashes: Vec<_> = recording.hashes().map(|record| record.tick).collect();
                assert!(hashes.is_sorted_by(|a, b| a < b), "{a} and {b}: {hashes:?}");
                assert!(recording.marks().map(|mark| mark.tick).is_sorted(), "{a} and {b}");
                let verdict = verify(&recording, &mut World::with_bodies(1, 2), |_| ()).unwrap();
                assert!(matches!(verdict, Verdict::Same { .. }), "{a} and {b}: {verdict:?}");
            }
        }
    }
    assert!(accepted > 500, "{accepted}");
}

#[test]
fn two_recordings_in_one_file_are_the_first_and_a_problem() {
    let file = record(World::header(1), 100, &mut World::new(1));
    let recording = Recording::read(&[&file[..], &file[..]].concat()[..]).unwrap();
    assert_eq!((recording.ticks(), recording.is_complete()), (100, false));
    assert_eq!(recording.problem().unwrap().offset(), Some(file.len() as u64));
}

#[test]
fn nothing_of_a_block_that_does_not_follow_the_format_is_used() {
    let mut world = World::with_bodies(1, 2);
    let mut writer = RecordingWriter::new(Vec::new(), World::header(1), &world).unwrap();
    for tick in 0..10 {
        writer.mark("good");
        writer.tick(&input(tick), &world);
        world.step(&input(tick));
    }
    let file = writer.finish(&world).unwrap();
    let (_, marks) = blocks(&file).into_iter().find(|(kind, _)| *kind == 5).unwrap();
    let mut bytes = file.clone();
    bytes[marks.end - 1] = 0xFF; // The last label is not UTF-8.
    seal(&mut bytes);
    let recording = Recording::read(&bytes[..]).unwrap();
    assert_eq!(recording.problem().unwrap().offset(), Some(marks.start as u64));
    assert_eq!(recording.marks().count(), 0);
}

#[test]
fn an_unknown_block_from_128_on_is_skipped_whatever_its_flags_and_bytes_are() {
    let file = record(World::header(1), 100, &mut World::new(1));
    for flags in [0, 1, 2, 0xFF] {
        let mut bytes = file.clone();
        let after = blocks(&file)[0].1.end;
        bytes.splice(after..after, [200, flags, 4, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]);
        seal(&mut bytes);
        let recording = Recording::read(&bytes[..]).unwrap();
        assert!(recording.is_complete(), "flags {flags}: {:?}", recording.problem());
    }
}

#[test]
fn values_that_the_format_does_not_have_end_the_recording() {
    let mut world = World::with_bodies(1, 2);
    let mut writer = RecordingWriter::new(Vec::new(), World::header(1), &world).unwrap();
    writer.tick(&input(0), &world);
    world.step(&input(0));
    let file = writer.finish(&world).unwrap();
    let find = |wanted: u8| blocks(&file).into_iter().find(|(kind, _)| *kind == wanted).unwrap().1;
    // The first tick of the inputs, and the tick of the end.
    for at in [find(2).start + 10, find(6).start + 10] {
        let mut bytes = file.clone();
        assert!(Recording::read(&bytes[..]).unwrap().is_complete());
        bytes[at] = 2;
        seal(&mut bytes);
        let recording = Recording::read(&bytes[..]).unwrap();
        assert!(recording.problem().is_some(), "byte {at}");
    }
}

#[test]
fn reading_the_largest_snapshot_takes_no_more_than_its_limit() {
    for zeros in [BLOCK_BYTES_MAX - 40_000, BLOCK_BYTES_MAX - 100] {
        let odd = Odd { zeros, ..Odd::default() };
        let file =
            RecordingWriter::new(Vec::new(), header().with_start(5), &odd).unwrap().finish(&odd).unwrap();
        let recording = Recording::read(&file[..]).unwrap();
        let counted = allocation_counter::measure(|| assert!(recording.snapshot(5).is_some()));
        assert!(counted.bytes_max <= BLOCK_BYTES_MAX as u64, "{} for {zeros}", counted.bytes_max);
    }
}
