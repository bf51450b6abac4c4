//! Recordings of broken games, and into broken outputs.

use std::io::{self, Write};

use evenstep_replay::{
    BLOCK_BYTES_MAX, Error, INPUT_BYTES_MAX, Recording, RecordingWriter, Simulation, Verdict, verify,
};

use crate::odd::{Odd, header};
use crate::world::{World, input};

#[test]
fn a_game_whose_parts_change_in_number_ends_the_recording_with_an_error_and_keeps_what_it_has() {
    for (before, after) in [(2, 3), (2, 0), (0, 1)] {
        let mut file = Vec::new();
        let mut odd = Odd { parts: before, ..Odd::default() };
        let mut writer = RecordingWriter::new(&mut file, header().with_hash_every(10), &odd).unwrap();
        for _ in 0..25 {
            writer.tick(&vec![], &odd);
            odd.step(&vec![]);
        }
        odd.parts = after;
        for _ in 0..25 {
            writer.tick(&vec![], &odd);
            odd.step(&vec![]);
        }
        let error = writer.error().expect("the parts are others").to_string();
        assert!(error.contains(&format!("{after} parts")) && error.contains(&before.to_string()), "{error}");
        assert!(writer.finish(&odd).is_err());
        let recording = Recording::read(&file[..]).unwrap();
        assert!(recording.problem().is_none(), "{:?}", recording.problem());
        assert_eq!(recording.ticks(), 30, "up to the hash that does not fit");
    }
    // At the very end.
    let mut odd = Odd { parts: 2, ..Odd::default() };
    let mut writer = RecordingWriter::new(Vec::new(), header(), &odd).unwrap();
    writer.tick(&vec![], &odd);
    odd.parts = 1;
    writer.finish(&odd).expect_err("the end does not fit either");
}

#[test]
fn a_copy_of_what_was_recorded_so_far_is_complete_and_the_recording_goes_on() {
    let copy_at = [0, 1, 59, 60, 61, 250];
    let mut world = World::new(3);
    let header = World::header(3).with_hash_every(30).with_snapshot_every(100);
    let mut writer = RecordingWriter::new(Vec::new(), header, &world).unwrap();
    for tick in 0..300 {
        if copy_at.contains(&tick) {
            let copy = Recording::read(&writer.so_far(&world).unwrap()[..]).unwrap();
            assert!(copy.is_complete(), "{:?}", copy.problem());
            assert_eq!(copy.last_tick(), tick);
            let verdict = verify(&copy, &mut World::new(3), |_| ()).unwrap();
            assert!(matches!(verdict, Verdict::Same { .. }), "{verdict:?}");
        }
        writer.tick(&input(tick), &world);
        world.step(&input(tick));
        writer.mark("tick");
    }
    let all = Recording::read(&writer.finish(&world).unwrap()[..]).unwrap();
    assert!(all.is_complete());
    assert_eq!((all.ticks(), all.marks().count()), (300, 300));
    let verdict = verify(&all, &mut World::new(3), |_| ()).unwrap();
    assert!(matches!(verdict, Verdict::Same { .. }), "{verdict:?}");

    // A recording that has ended has no copy to give.
    let mut odd = Odd { parts: 2, ..Odd::default() };
    let mut writer = RecordingWriter::new(Vec::new(), self::header(), &odd).unwrap();
    odd.parts = 1;
    writer.so_far(&odd).expect_err("the end does not fit");
    writer.tick(&vec![0; INPUT_BYTES_MAX + 1], &odd);
    assert!(writer.error().is_some());
    writer.so_far(&odd).expect_err("it has ended");
}

#[test]
fn a_header_that_no_reader_accepts_is_refused_before_anything_is_written() {
    let mut never = header();
    never.hash_every = 0;
    for (wrong, value) in [(never, "0"), (header().with_start((1 << 62) + 1), "4611686018427387905")] {
        let mut file = Vec::new();
        let error = RecordingWriter::new(&mut file, wrong, &Odd::default()).expect_err("it cannot be read");
        assert!(error.to_string().contains(value), "{error}");
        assert!(file.is_empty());
    }
}

#[test]
fn a_recording_that_reaches_the_last_tick_ends_there() {
    let mut file = Vec::new();
    let odd = Odd::default();
    let mut writer = RecordingWriter::new(&mut file, header().with_start((1 << 62) - 3), &odd).unwrap();
    for _ in 0..10 {
        writer.tick(&vec![], &odd);
    }
    assert!(writer.error().is_some());
    drop(writer);
    let recording = Recording::read(&file[..]).unwrap();
    assert!(recording.problem().is_none(), "{:?}", recording.problem());
    assert_eq!(recording.ticks(), 3);
}

#[test]
fn what_was_recorded_before_an_input_that_is_too_long_is_kept() {
    let mut file = Vec::new();
    let odd = Odd::default();
    let mut writer = RecordingWriter::new(&mut file, header(), &odd).unwrap();
    for _ in 0..50 {
        writer.tick(&vec![1], &odd);
    }
    writer.tick(&vec![0; INPUT_BYTES_MAX + 1], &odd);
    assert!(matches!(writer.error(), Some(Error::TooLarge { .. })));
    drop(writer);
    assert_eq!(Recording::read(&file[..]).unwrap().ticks(), 50);
}

#[test]
fn what_was_recorded_before_a_state_that_is_too_large_is_kept() {
    let mut file = Vec::new();
    let mut odd = Odd::default();
    let mut writer = RecordingWriter::new(&mut file, header().with_snapshot_every(50), &odd).unwrap();
    for tick in 0..60 {
        writer.tick(&vec![1], &odd);
        odd.step(&vec![1]);
        odd.zeros = if tick > 30 { BLOCK_BYTES_MAX } else { 0 };
    }
    assert!(matches!(writer.error(), Some(Error::TooLarge { .. })));
    drop(writer);
    assert_eq!(Recording::read(&file[..]).unwrap().ticks(), 50);
}

#[test]
fn an_output_that_panics_is_not_written_to_again() {
    struct Bomb<'a>(&'a mut u32);
    impl Write for Bomb<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            *self.0 += 1;
            assert!(*self.0 < 3, "a bomb");
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut calls = 0;
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let odd = Odd::default();
        let mut writer =
            RecordingWriter::new(Bomb(&mut calls), header().with_snapshot_every(0), &odd).unwrap();
        for _ in 0..1_000 {
            writer.tick(&vec![1], &odd);
        }
    }));
    assert!(caught.is_err());
    assert_eq!(calls, 3, "a second panic while the first unwinds would abort the game");
}

#[test]
fn interrupted_and_short_writes_lose_nothing() {
    struct Shy(Vec<u8>, u32);
    impl Write for Shy {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1 += 1;
            if self.1.is_multiple_of(2) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let len = bytes.len().min(7);
            self.0.extend_from_slice(&bytes[..len]);
            Ok(len)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut world = World::new(1);
    let mut writer = RecordingWriter::new(Shy(Vec::new(), 0), World::header(1), &world).unwrap();
    for tick in 0..700 {
        writer.tick(&input(tick), &world);
        world.step(&input(tick));
    }
    let Shy(file, _) = writer.finish(&world).unwrap();
    assert!(Recording::read(&file[..]).unwrap().is_complete());
    for kind in [io::ErrorKind::WouldBlock, io::ErrorKind::WriteZero] {
        struct Never(io::ErrorKind, bool);
        impl Write for Never {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                match (std::mem::replace(&mut self.1, true), self.0) {
                    (false, _) => Ok(bytes.len()),
                    (true, io::ErrorKind::WriteZero) => Ok(0),
                    (true, kind) => Err(kind.into()),
                }
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut writer =
            RecordingWriter::new(Never(kind, false), header().with_snapshot_every(0), &world).unwrap();
        (0..200).for_each(|tick| writer.tick(&input(tick), &world));
        let Err(Error::Write { source, .. }) = writer.finish(&world) else { panic!("{kind}") };
        assert_eq!(source.kind(), kind);
    }
}

#[test]
fn a_part_is_written_as_it_is_cut_and_needs_no_memory_for_the_whole() {
    /// An output that remembers the largest piece, and no bytes.
    #[derive(Default)]
    struct Pieces {
        largest: usize,
        bytes: usize,
    }
    impl Write for Pieces {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.largest = self.largest.max(bytes.len());
            self.bytes += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let odd = Odd::default();
    let mut writer = RecordingWriter::new(Vec::new(), header(), &odd).unwrap();
    for n in 0..200_000_u32 {
        writer.tick(&n.to_le_bytes().to_vec(), &odd);
    }
    let recording = Recording::read(&writer.finish(&odd).unwrap()[..]).unwrap();
    let mut pieces = Pieces::default();
    evenstep_replay::trim(&recording, 0..200_000, &mut pieces).unwrap();
    assert!(pieces.bytes > 500_000, "{} bytes", pieces.bytes);
    assert!(pieces.largest < 100_000, "{} bytes at once", pieces.largest);
}
