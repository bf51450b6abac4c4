//! The numbers on the page, and a digest of the motion behind them.

use evenstep_lab::metrics::{Motion, Report};
use evenstep_lab::words::fixed;

use crate::live::{Lane, LiveSession};
use crate::settings::PRESETS;

/// The metrics of a lane, as the page shows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The RMS of the motion error.
    pub judder: String,
    /// The share of frames whose number of steps differs from the display's pattern.
    pub cadence: String,
    /// How far the game moved ahead of the display.
    pub drift: String,
    /// How far the game is behind the display.
    pub lag: String,
}

impl Numbers {
    /// Formats the metrics of a session so far; dashes until something is measured.
    pub fn of(report: &Report) -> Self {
        let dash = || "–".to_owned();
        if report.frames == 0 {
            return Self { judder: dash(), cadence: dash(), drift: dash(), lag: dash() };
        }
        Self {
            judder: format!("{} µs", fixed(report.judder_us, 1)),
            cadence: report.cadence_error.map_or_else(dash, |error| format!("{} %", fixed(error, 2))),
            drift: format!("{} ms", fixed(report.drift_ms, 2)),
            lag: format!("{} ms", fixed(report.lag_ms, 2)),
        }
    }
}

/// Plays every preset for this many frames and returns one line per lane: the numbers that the page shows, and a digest
/// of every bit behind them. A page and a native program must return the same text.
pub fn digest(seed: u64, frames: u32) -> String {
    let mut text = String::new();
    for preset in &PRESETS {
        let mut live = LiveSession::new(preset.settings.display(), seed);
        let mut digests = vec![Digest::default(); live.lanes().len()];
        for _ in 0..frames {
            live.play_frame();
            for (digest, lane) in digests.iter_mut().zip(live.lanes()) {
                digest.frame(lane.window().back());
            }
        }
        for (digest, lane) in digests.iter().zip(live.lanes()) {
            text += &line(preset.name, lane, digest.0);
        }
    }
    text
}

fn line(preset: &str, lane: &Lane, digest: u64) -> String {
    let Numbers { judder, cadence, drift, lag } = Numbers::of(&lane.run().tally().report());
    let name = lane.run().policy().name();
    format!("{preset} | {name} | {judder} | {cadence} | {drift} | {lag} | {digest:016x}\n")
}

/// FNV-1a over the bits of a lane's motion: detects any difference, and is the same on every target.
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
