//! Committed files of version 1, which every later version reads.
//!
//! They are never changed. A file that a new writer makes is added beside them: name it in `SAMPLES`, and run
//! `EVENSTEP_NEW_SAMPLES=1 cargo test -p evenstep-replay --test it samples`, which writes only what is missing.

use std::fs;
use std::path::PathBuf;

use evenstep_replay::{Recording, Rewind, RewindOptions, Simulation, Verdict, verify};

use crate::world::{World, input, record};

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/samples").join(name)
}

/// Everything that the format has.
fn complete() -> Vec<u8> {
    record(World::header(11).with_hash_every(50).with_snapshot_every(200), 500, &mut World::new(11))
}

/// What a crash leaves: no end, and half a block.
fn crashed() -> Vec<u8> {
    let mut file = complete();
    file.truncate(file.len() * 2 / 3);
    file
}

/// The last ticks of a longer run.
fn ring() -> Vec<u8> {
    let mut world = World::new(12);
    let mut rewind = Rewind::new(RewindOptions { ticks: 200, bytes: 1 << 20, snapshot_every: 50 }, 0);
    for tick in 0..1_000 {
        rewind.tick(&input(tick), &world);
        world.step(&input(tick));
    }
    rewind.write(Vec::new(), World::header(12), &world).expect("memory can be written")
}

type Sample = (&'static str, fn() -> Vec<u8>);
const SAMPLES: [Sample; 3] =
    [("v1-complete.replay", complete), ("v1-crashed.replay", crashed), ("v1-ring.replay", ring)];

fn read(name: &str) -> Recording {
    let file = fs::read(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    Recording::read(&file[..]).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn hashes_compared(recording: &Recording) -> u64 {
    match verify(recording, &mut World::new(recording.header().seed), |_| ()).expect("it can be played") {
        Verdict::Same { hashes, .. } => hashes,
        verdict => panic!("{verdict:?}"),
    }
}

#[test]
fn every_sample_of_version_1_is_read_and_verified() {
    if std::env::var_os("EVENSTEP_NEW_SAMPLES").is_some() {
        for (name, make) in SAMPLES {
            if !path(name).exists() {
                fs::write(path(name), make()).expect("the folder can be written");
            }
        }
    }
    let complete = read("v1-complete.replay");
    assert!(complete.is_complete(), "{:?}", complete.problem());
    assert_eq!((complete.ticks(), complete.marks().count()), (500, 10));
    let fourth = complete.marks().nth(3).expect("a mark");
    assert_eq!((fourth.tick, fourth.label.as_str()), (200, "fifty more"));
    assert!(complete.snapshot_ticks().eq([0, 200, 400]));
    assert_eq!(complete.header().parts, ["dice", "bodies", "score"]);
    assert_eq!(hashes_compared(&complete), 11);
    assert_eq!(complete.inputs_from(123).unwrap().next(), Some((123, &input(123)[..])));

    let crashed = read("v1-crashed.replay");
    assert!(!crashed.is_complete());
    assert_eq!(crashed.ticks(), 380);
    assert!(hashes_compared(&crashed) > 4);

    let ring = read("v1-ring.replay");
    assert!(ring.is_complete());
    assert_eq!((ring.first_tick(), ring.last_tick()), (750, 1_000));
    assert_eq!(hashes_compared(&ring), 6);
}
