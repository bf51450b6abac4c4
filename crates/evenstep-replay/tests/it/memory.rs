//! A writer allocates nothing per tick, and a reader trusts no length.

use evenstep_replay::{BLOCK_BYTES_MAX, Recording, RecordingWriter, Rewind, RewindOptions, Simulation};

use crate::world::{World, input, record};

#[test]
fn a_tick_in_steady_state_allocates_nothing() {
    let mut world = World::new(1);
    let header = World::header(1).with_hash_every(10).with_snapshot_every(50);
    let mut writer = RecordingWriter::new(std::io::sink(), header, &world).unwrap();
    let inputs: Vec<_> = (0..5_000).map(input).collect();
    let mut play = |ticks: std::ops::Range<u64>| {
        for tick in ticks {
            writer.tick(&inputs[tick as usize], &world);
            world.step(&inputs[tick as usize]);
            if tick % 40 == 0 {
                writer.mark("forty more");
            }
        }
    };
    play(0..1_000);
    let counted = allocation_counter::measure(|| play(1_000..5_000));
    assert_eq!(counted.count_total, 0);
}

#[test]
fn a_writers_memory_does_not_grow_with_the_recording() {
    let mut world = World::new(1);
    let mut writer = RecordingWriter::new(std::io::sink(), World::header(1), &world).unwrap();
    let counted = allocation_counter::measure(|| {
        for tick in 0..60_000 {
            let input = input(tick);
            writer.tick(&input, &world);
            world.step(&input);
        }
    });
    assert!(counted.bytes_max < 64 << 10, "{counted:?}");
    assert!(writer.bytes() > 4 * counted.bytes_max);
}

#[test]
fn a_ring_keeps_to_its_budget() {
    for budget in [20_000, 40_000, 100_000] {
        let options = RewindOptions { ticks: u64::MAX >> 1, bytes: budget, snapshot_every: 20 };
        let mut world = World::new(1);
        let mut ring = None;
        let counted = allocation_counter::measure(|| {
            let mut rewind = Rewind::new(options, 0);
            for tick in 0..10_000 {
                let input = input(tick);
                rewind.tick(&input, &world);
                world.step(&input);
                assert!(rewind.bytes() <= budget, "{} of {budget}", rewind.bytes());
            }
            ring = Some(rewind);
        });
        let rewind = ring.expect("it was made");
        assert!(rewind.next_tick() - rewind.first_tick() > 100, "the budget is used");
        // What the allocator says: with the list of segments and the memory that is reused.
        let counted = counted.bytes_current as usize;
        let claimed = rewind.bytes();
        assert!(counted < claimed * 5 / 4 + 4_000, "{counted} bytes are in use, not {claimed}");
    }
}

/// Files whose lengths and counts claim the most that their fields can hold.
#[test]
fn no_block_takes_more_than_its_limit_whatever_it_claims() {
    let file = record(World::header(1).with_snapshot_every(40), 120, &mut World::new(1));
    let read = |bytes: &[u8]| {
        let counted = allocation_counter::measure(|| {
            if let Ok(recording) = Recording::read(bytes) {
                let _ = recording.hashes().count();
                for tick in recording.snapshot_ticks() {
                    drop(recording.snapshot(tick));
                }
            }
        });
        counted.bytes_max
    };
    let honest = read(&file);
    let limit = BLOCK_BYTES_MAX as u64 + honest;
    let mut worst = 0;
    for offset in 12..file.len() - 8 {
        for claim in [0xFFFF_FFFF_u64, 0x0040_0000, 0x003F_FF00, u64::MAX, 0x7FFF_FFFF_FFFF_FFFF] {
            let mut bytes = file.clone();
            let width = if claim >> 32 == 0 { 4 } else { 8 };
            bytes[offset..offset + width].copy_from_slice(&claim.to_le_bytes()[..width]);
            worst = worst.max(read(&bytes));
            crate::mutations::seal(&mut bytes);
            worst = worst.max(read(&bytes));
        }
    }
    assert!(worst <= limit, "{worst} bytes, of which {honest} for the honest file");
    assert!(worst > 1 << 20, "no claim was tried: {worst}");
}

/// Each block decodes to thousands of empty labels.
#[test]
fn marks_take_no_more_memory_than_their_file() {
    let file = record(World::header(1), 0, &mut World::new(1));
    let header_len = 22 + u32::from_le_bytes(file[14..18].try_into().unwrap()) as usize;
    let mut marks = vec![0x80, 0x40];
    marks.resize(2 + 2 * 8_192, 0);
    let mut packed = (marks.len() as u32).to_le_bytes().to_vec();
    packed.extend(lz4_flex::block::compress(&marks));
    let mut block = vec![5, 1];
    block.extend((packed.len() as u32).to_le_bytes());
    block.extend([0; 4]);
    block.extend(packed);
    let mut bytes = file[..header_len].to_vec();
    (0..1_000).for_each(|_| bytes.extend(&block));
    crate::mutations::seal(&mut bytes);
    let counted = allocation_counter::measure(|| {
        let recording = Recording::read(&bytes[..]).unwrap();
        assert!(recording.problem().is_none(), "{:?}", recording.problem());
        assert_eq!(recording.marks().count(), 1_000 * 8_192);
    });
    assert!(counted.bytes_max < 2 * bytes.len() as u64 + (1 << 20), "{counted:?} for {} bytes", bytes.len());
}
