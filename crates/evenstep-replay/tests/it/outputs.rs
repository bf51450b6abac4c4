//! An output that fails ends the recording, once, and not the game.

use std::io::{self, Write};

use evenstep_replay::{Error, Recording, RecordingWriter, Simulation};

use crate::world::{World, input};

/// A disk of a certain size. Keeps what fits, and counts the calls after it was full.
struct Disk<'a> {
    kept: &'a mut Vec<u8>,
    size: usize,
    calls_after_full: &'a mut u32,
    is_full: bool,
}

impl Write for Disk<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        *self.calls_after_full += u32::from(self.is_full);
        let fits = (self.size - self.kept.len()).min(bytes.len());
        self.kept.extend_from_slice(&bytes[..fits]);
        if fits == 0 {
            self.is_full = true;
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(fits)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_ends_the_recording_with_one_error_and_what_fits_can_be_read() {
    for size in (0..9_000).step_by(61) {
        let mut kept = Vec::new();
        let mut calls = 0;
        let disk = Disk { kept: &mut kept, size, calls_after_full: &mut calls, is_full: false };
        let mut world = World::new(1);
        let mut writer = match RecordingWriter::new(disk, World::header(1).with_snapshot_every(100), &world) {
            Ok(writer) => writer,
            Err(error) => {
                assert!(size < 200, "{error}");
                continue;
            }
        };
        for tick in 0..2_000 {
            writer.tick(&input(tick), &world);
            world.step(&input(tick));
        }
        assert!(matches!(writer.error(), Some(Error::Write { .. })), "{size}: {:?}", writer.error());
        let written = writer.bytes();
        let error = writer.finish(&world).err().expect("it failed");
        assert_eq!(
            error.to_string(),
            format!("at byte {written}: the recording cannot be written and ends here")
        );
        assert_eq!(calls, 0, "nothing is written after the error");
        let recording = Recording::read(&kept[..]).unwrap();
        let whole_blocks = Recording::read(&kept[..written as usize]).unwrap();
        assert!(recording.ticks() >= whole_blocks.ticks() && whole_blocks.problem().is_none());
        assert!(!recording.is_complete());
    }
}

#[test]
fn an_input_or_a_snapshot_that_is_too_large_ends_the_recording_too() {
    let world = World::new(1);
    let mut writer = RecordingWriter::new(Vec::new(), World::header(1), &world).unwrap();
    writer.tick(&vec![0; 4_096], &world);
    assert!(writer.error().is_none());
    writer.tick(&vec![0; 4_097], &world);
    let error = writer.error().expect("it is too long").to_string();
    assert_eq!(error, "an input of 4097 bytes exceeds the limit of 4096");
}
