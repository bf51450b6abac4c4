//! Damaged files: a deterministic mutator, and typed errors only.

use evenstep_replay::{Error, Player, Recording, trim, verify};

use crate::world::{Random, World, record};

const MUTANTS: u64 = 100_000;

/// Gives every block that can still be found its checksum again, or nothing behind the checksum would be reached.
pub(crate) fn seal(bytes: &mut [u8]) {
    let mut at = 12;
    while let Some(head) = bytes.get(at..at + 10) {
        let len = u32::from_le_bytes(head[2..6].try_into().expect("four bytes")) as usize;
        let Some(payload) = bytes.get(at + 10..(at + 10).saturating_add(len)) else { return };
        let mut sum = crc32fast::Hasher::new();
        sum.update(&head[..6]);
        sum.update(payload);
        let sum = sum.finalize();
        bytes[at + 6..at + 10].copy_from_slice(&sum.to_le_bytes());
        at += 10 + len;
    }
}

/// Quick to play.
fn small() -> World {
    World::with_bodies(1, 2)
}

fn mutate(original: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..=random.below(3) {
        let len = bytes.len() as u64;
        let at = random.below(len) as usize;
        let to = (at + random.below(40) as usize).min(bytes.len());
        match random.below(9) {
            0 => bytes.truncate(at),
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes[at] = random.below(256) as u8,
            3 => bytes[at] = [0, 0x7F, 0x80, 0xFF][random.below(4) as usize],
            4 => drop(bytes.drain(at..to)),
            5 => {
                let piece = bytes[at..to].to_vec();
                let place = random.below(len) as usize;
                bytes.splice(place..place, piece);
            }
            6 => bytes[at..to].fill(random.below(2) as u8 * 0xFF),
            7 => {
                let number = [u64::MAX, 1 << 31, 1 << 32, 0x8080_8080_8080_8080][random.below(4) as usize];
                let to = (at + 8).min(bytes.len());
                bytes[at..to].copy_from_slice(&number.to_le_bytes()[..to - at]);
            }
            _ => {
                let place = random.below(len - (to - at) as u64) as usize;
                let piece = bytes[at..to].to_vec();
                bytes[place..place + piece.len()].copy_from_slice(&piece);
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    if random.below(4) > 0 && bytes.len() > 12 {
        seal(&mut bytes);
    }
    bytes
}

/// Swaps, doubles or drops whole blocks, each with its own checksum.
fn shuffle(original: &[u8], random: &mut Random) -> Vec<u8> {
    let mut at = 12;
    let mut blocks = Vec::new();
    while at < original.len() {
        let len = u32::from_le_bytes(original[at + 2..at + 6].try_into().expect("four bytes")) as usize;
        blocks.push(&original[at..at + 10 + len]);
        at += 10 + len;
    }
    for _ in 0..=random.below(3) {
        let mut place = || 1 + random.below(blocks.len() as u64 - 1) as usize;
        let a = place();
        let b = place();
        match random.below(3) {
            0 => blocks.swap(a, b),
            1 => blocks.insert(a, blocks[b]),
            _ => drop(blocks.remove(a)),
        }
    }
    [&original[..12]].into_iter().chain(blocks).flatten().copied().collect()
}

/// Uses everything in a file, and returns the first error.
fn use_all(bytes: &[u8]) -> Result<(), Error> {
    const TICKS_MAX: u64 = 2_000;
    let mut recording = Recording::read(bytes)?;
    assert!(recording.hashes().map(|record| record.tick).is_sorted(), "hashes are in order, or not there");
    assert!(recording.marks().map(|mark| mark.tick).is_sorted(), "marks are in order, or not there");
    if recording.ticks() <= TICKS_MAX {
        let first = recording.first_tick();
        let last = recording.last_tick();
        verify(&recording, &mut small(), |_| ())?;
        let mut part = Vec::new();
        trim(&recording, first + (last - first) / 2..last, &mut part)?;
        Recording::read(&part[..]).expect("what is written can be read");
        let problem = recording.problem().map(ToString::to_string);
        let mut world = small();
        let mut player = Player::new(recording, &mut world)?;
        player.seek(last, &mut world)?;
        assert_eq!(problem.is_some(), player.recording().problem().is_some());
        recording = Recording::read(bytes)?;
    }
    match recording.problem() {
        Some(problem) => {
            let offset = problem.offset().expect("damage has a place");
            assert!(offset <= bytes.len() as u64, "{problem}");
            assert!(!recording.is_complete());
            assert!(problem.to_string().starts_with("at byte "), "{problem}");
            Ok(())
        }
        None => Ok(()),
    }
}

#[test]
fn a_hundred_thousand_damaged_files_give_typed_errors_only() {
    let header = World::header(1).with_hash_every(20).with_snapshot_every(60);
    let original = record(header, 130, &mut small());
    assert!(original.len() < 5_000, "{}", original.len());
    use_all(&original).expect("the original is whole");
    let mut random = Random(0x5EED);
    let mut refused = 0;
    let mut opened = 0;
    for n in 0..MUTANTS {
        let bytes =
            if n % 20 == 0 { shuffle(&original, &mut random) } else { mutate(&original, &mut random) };
        match use_all(&bytes) {
            Ok(()) => opened += 1,
            Err(error) => {
                assert!(!error.to_string().is_empty(), "mutant {n}");
                refused += 1;
            }
        }
    }
    assert!(
        refused > 1_000 && opened > 1_000,
        "{refused} refused, {opened} opened: the mutator reaches both"
    );
}
