//! Mixes sounds into a stream of samples, for a sound card.

use std::sync::Arc;

use super::voices::VOICES;

/// The sounds that are being played to a sound card.
#[derive(Debug, Default)]
pub(super) struct Mixer {
    playing: Vec<(Arc<[f32]>, usize)>,
}

impl Mixer {
    /// Starts a sound. Beyond the limit, the one that has played the longest ends.
    pub(super) fn start(&mut self, samples: Arc<[f32]>) {
        if self.playing.len() == VOICES {
            self.playing.remove(0);
        }
        self.playing.push((samples, 0));
    }

    /// Returns the next sample. It never exceeds 1, however many sounds play.
    pub(super) fn next(&mut self, volume: f32) -> f32 {
        let mut sum = 0.0;
        self.playing.retain_mut(|(samples, at)| {
            sum += samples.get(*at).copied().unwrap_or_default();
            *at += 1;
            *at < samples.len()
        });
        // Nearly linear for a few sounds, and without hard edges for many.
        (sum * volume).tanh()
    }
}
