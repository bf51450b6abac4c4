//! A digest of the core's decisions, for comparing native and wasm builds.

use std::time::Duration;

use evenstep::{Channel, Pacer, Pacing};

/// The number of different runs of [`decisions`].
pub const RUNS: u32 = 24;

/// Plays `frames` frames of run number `run` and digests every decision: steps, alpha, outcome, time dropped.
#[expect(unsafe_code, reason = "required to export a function by name")]
#[unsafe(no_mangle)]
pub extern "C" fn decisions(run: u32, frames: u32) -> u64 {
    let pacing = match run % 4 {
        0 => Pacing::starship(),
        1 => Pacing::fixed_time_step(),
        2 => Pacing::game_loop(),
        _ => Pacing::hz(60),
    };
    let period_ns =
        [16_666_667, 6_944_444, 33_333_333, 4_166_667, 16_683_350, 8_333_333][(run / 4) as usize % 6];
    let mut pacer = Pacer::new(pacing);
    let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ u64::from(run) << 17);
    let mut digest = Digest(0xCBF2_9CE4_8422_2325);
    let mut refresh_ns = 1_000_000_000;
    for n in 0..frames {
        match random.below(400) {
            0 => pacer.set_scale(Channel::TIME_DILATION, random.below(3_000) as f64 / 1_000.0),
            1 => pacer.set_scale(Channel::TIME_DILATION, 1.0),
            2 => pacer.hitstop(3, 0.1),
            3 => pacer.hit_freeze(Duration::from_millis(80)),
            _ => {}
        }
        // Missed refreshes, occasional stalls, and alternating stretches of weak and strong noise.
        refresh_ns += period_ns * if random.below(60) == 0 { 2 } else { 1 };
        if random.below(2_000) == 0 {
            refresh_ns += 20 * period_ns;
        }
        let noise_ns = random.below(if n % 2_000 < 1_000 { 200_000 } else { 3_000_000 });
        let frame = pacer.frame(Duration::from_nanos(refresh_ns + noise_ns));
        digest.add(u64::from(frame.steps()));
        digest.add(frame.alpha().to_bits());
        digest.add(frame.outcome() as u64);
        digest.add(frame.dropped().as_nanos() as u64);
    }
    digest.add(pacer.stats().fps().to_bits());
    digest.0
}

/// xorshift64*
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) % bound
    }
}

/// FNV-1a, a word at a time.
struct Digest(u64);

impl Digest {
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01B3);
    }
}
