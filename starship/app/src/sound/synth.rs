//! Renders sounds as samples: an oscillator, noise and an envelope. There are no recordings.

use std::f32::consts::TAU;

/// How long a note takes to its full level, in seconds. A shorter rise is heard as a click.
const RISE: f32 = 0.004;

/// The shape of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wave {
    Sine,
    Triangle,
    Square,
}

impl Wave {
    /// The wave at a phase from 0 to 1, from -1 to 1.
    fn at(self, phase: f32) -> f32 {
        match self {
            Self::Sine => (phase * TAU).sin(),
            Self::Triangle => 1.0 - 4.0 * (phase - 0.5).abs(),
            // Softer than a plain square, which sounds harsh.
            Self::Square => ((phase * TAU).sin() * 3.0).tanh(),
        }
    }
}

/// How a sound is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipe {
    pub(super) wave: Wave,
    /// The frequency at the start and at the end of each note, in hertz.
    pub(super) hz: [f32; 2],
    /// The notes, one after the other, as multiples of the frequency.
    pub(super) notes: &'static [f32],
    /// The length of all notes together, in seconds.
    pub(super) secs: f32,
    /// The share of noise, from 0 to 1.
    pub(super) noise: f32,
    /// The highest level, from 0 to 1.
    pub(super) level: f32,
}

impl Recipe {
    /// Renders the sound at a sample rate. No sample exceeds the recipe's level.
    pub(super) fn render(&self, rate: u32) -> Vec<f32> {
        let rate = rate as f32;
        let len = (self.secs * rate) as usize;
        let note_len = (len / self.notes.len()).max(1);
        let rise = (RISE * rate).max(1.0);
        let mut phase = 0.0_f32;
        let mut random = 0x9E37_79B9_u32;
        let mut hiss = 0.0_f32;
        let mut samples = Vec::with_capacity(len);
        for n in 0..len {
            let note = (n / note_len).min(self.notes.len() - 1);
            let within = n - note * note_len;
            let share = within as f32 / note_len as f32;
            let hz = self.notes[note] * self.hz[0] * (self.hz[1] / self.hz[0]).powf(share);
            phase = (phase + hz / rate).fract();
            // Noise around the tone's frequency: white noise through a low pass.
            let pass = (TAU * hz * 4.0 / rate).min(1.0);
            hiss += pass * (white(&mut random) - hiss);
            let left = 1.0 - n as f32 / len as f32;
            let envelope = (within as f32 / rise).min(1.0) * left * left;
            let tone = self.wave.at(phase) * (1.0 - self.noise) + hiss * self.noise;
            samples.push(tone.clamp(-1.0, 1.0) * envelope * self.level);
        }
        samples
    }
}

/// White noise from -1 to 1.
fn white(random: &mut u32) -> f32 {
    *random ^= *random << 13;
    *random ^= *random >> 17;
    *random ^= *random << 5;
    *random as f32 / (u32::MAX / 2) as f32 - 1.0
}
