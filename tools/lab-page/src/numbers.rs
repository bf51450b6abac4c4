//! The numbers on the page, and a digest of what they were made from.

use evenstep_lab::metrics::{Motion, Tally};
use evenstep_lab::words::fixed;

use crate::bench::{Bench, Lane};
use crate::settings::PRESETS;

/// The metrics of a lane, as the page shows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The RMS of the motion error.
    pub judder: String,
    /// Frames with another number of steps than the display's pattern.
    pub cadence: String,
    /// How far the game ran ahead of the display.
    pub drift: String,
    /// How far it stands behind the display.
    pub lag: String,
}

impl Numbers {
    /// The numbers of a session so far; dashes as long as nothing is measured.
    pub fn of(tally: &Tally) -> Self {
        let dash = || "–".to_owned();
        if tally.frames() == 0 {
            return Self { judder: dash(), cadence: dash(), drift: dash(), lag: dash() };
        }
        Self {
            judder: format!("{} µs", fixed(tally.judder_us(), 1)),
            cadence: tally.cadence_error().map_or_else(dash, |error| format!("{} %", fixed(error, 2))),
            drift: format!("{} ms", fixed(tally.drift_ms(), 2)),
            lag: format!("{} ms", fixed(tally.lag_ms(), 2)),
        }
    }
}

/// What came of every preset after so many frames, a line for each lane: the numbers that the page shows, and a digest
/// of every bit behind them. A page and a native program must say the same.
pub fn digest(seed: u64, frames: u32) -> String {
    let mut text = String::new();
    for preset in &PRESETS {
        let mut bench = Bench::new(preset.settings.display(), seed);
        let mut digests = vec![Digest::default(); bench.lanes().len()];
        for _ in 0..frames {
            bench.play_frame();
            for (digest, lane) in digests.iter_mut().zip(bench.lanes()) {
                digest.frame(lane.window().back());
            }
        }
        for (digest, lane) in digests.iter().zip(bench.lanes()) {
            text += &line(preset.name, lane, digest.0);
        }
    }
    text
}

fn line(preset: &str, lane: &Lane, digest: u64) -> String {
    let Numbers { judder, cadence, drift, lag } = Numbers::of(lane.tally());
    let name = lane.policy().name();
    format!("{preset} | {name} | {judder} | {cadence} | {drift} | {lag} | {digest:016x}\n")
}

/// FNV-1a over the bits of a lane's motion: enough to see a difference, and the same everywhere.
#[derive(Clone, Debug)]
struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Digest {
    fn frame(&mut self, motion: Option<&Motion>) {
        let Some(motion) = motion else { return };
        self.add(u64::from(motion.steps));
        self.add(motion.at_s.to_bits());
        self.add(motion.error_us.map_or(u64::MAX, f64::to_bits));
        self.add(motion.behind_ms.to_bits());
    }

    fn add(&mut self, value: u64) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}
