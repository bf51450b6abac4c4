//! Any bytes are a recording or a named error; what can be read can be played, cut and read again.
//!
//! Run: `cargo xtask fuzz replay`

#![no_main]

use evenstep_replay::{LoadError, Recording, Simulation, trim, verify};
use libfuzzer_sys::fuzz_target;

/// A sample of the format, which the fuzzer's bytes change behind the checksums.
const SAMPLE: &[u8] = include_bytes!("../../../crates/evenstep-replay/tests/samples/v1-complete.replay");

/// Plays anything.
struct Any(u64);

impl Simulation for Any {
    type Input = u64;

    fn step(&mut self, input: &u64) {
        self.0 = self.0.wrapping_mul(31).wrapping_add(*input);
    }

    fn save(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.0.to_le_bytes());
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        self.0 = bytes.len() as u64;
        Ok(())
    }

    fn write_input(input: &u64, bytes: &mut Vec<u8>) {
        bytes.extend(input.to_le_bytes());
    }

    fn read_input(bytes: &[u8]) -> Option<u64> {
        Some(bytes.len() as u64)
    }
}

fuzz_target!(|bytes: &[u8]| {
    read(bytes);
    let mut changed = SAMPLE.to_vec();
    for change in bytes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]]));
        let len = changed.len();
        changed[place % len] = change[2];
    }
    seal(&mut changed);
    read(&changed);
});

fn read(bytes: &[u8]) {
    const TICKS_MAX: u64 = 100_000;
    let Ok(recording) = Recording::read(bytes) else { return };
    let _ = recording.hashes().count();
    if recording.ticks() <= TICKS_MAX {
        let _ = verify(&recording, &mut Any(0), |_| ());
        let mut part = Vec::new();
        let middle = recording.first_tick() + recording.ticks() / 2;
        if trim(&recording, middle..recording.last_tick(), &mut part).is_ok() {
            Recording::read(&part[..]).expect("what is written can be read");
        }
    }
}

/// Gives every block its checksum again.
fn seal(bytes: &mut [u8]) {
    let mut at = 12;
    while let Some(head) = bytes.get(at..at + 10) {
        let len = u32::from_le_bytes([head[2], head[3], head[4], head[5]]) as usize;
        let Some(payload) = bytes.get(at + 10..(at + 10).saturating_add(len)) else { return };
        let mut sum = crc32fast::Hasher::new();
        sum.update(&head[..6]);
        sum.update(payload);
        let sum = sum.finalize().to_le_bytes();
        bytes[at + 6..at + 10].copy_from_slice(&sum);
        at += 10 + len;
    }
}
