//! Sound on a web page, with the Web Audio API.

use web_sys::{AudioBuffer, AudioContext, AudioContextState, GainNode};

use super::Sound;

/// An audio context with its volume, and the sounds that were rendered so far.
#[derive(Debug)]
pub(super) struct Output {
    context: AudioContext,
    gain: GainNode,
    buffers: Vec<(Sound, AudioBuffer)>,
}

impl Output {
    pub(super) fn open() -> Option<Self> {
        let context = AudioContext::new().ok()?;
        let gain = context.create_gain().ok()?;
        // Many sounds at once would clip.
        let limiter = context.create_dynamics_compressor().ok()?;
        gain.connect_with_audio_node(&limiter).ok()?;
        limiter.connect_with_audio_node(&context.destination()).ok()?;
        Some(Self { context, gain, buffers: Vec::new() })
    }

    /// Starts the clock of the context, which a browser holds until the player has done something.
    pub(super) fn wake(&self) {
        if self.context.state() == AudioContextState::Suspended {
            let _ = self.context.resume();
        }
    }

    pub(super) fn set_hidden(&self, is_hidden: bool) {
        let _ = if is_hidden { self.context.suspend() } else { self.context.resume() };
    }

    pub(super) fn set_volume(&self, volume: f32) {
        self.gain.gain().set_value(volume);
    }

    pub(super) fn play(&mut self, sound: Sound) {
        // Sounds of a suspended context would all be heard when it resumes.
        if self.context.state() == AudioContextState::Running {
            let _ = self.try_play(sound);
        }
    }

    fn try_play(&mut self, sound: Sound) -> Option<()> {
        let found = self.buffers.iter().position(|(rendered, _)| *rendered == sound);
        let n = found.unwrap_or(self.buffers.len());
        if found.is_none() {
            self.buffers.push((sound, render(&self.context, sound)?));
        }
        let source = self.context.create_buffer_source().ok()?;
        source.set_buffer(Some(&self.buffers[n].1));
        source.connect_with_audio_node(&self.gain).ok()?;
        source.start().ok()
    }

    pub(super) fn state(&self) -> &'static str {
        match self.context.state() {
            AudioContextState::Running => "running",
            AudioContextState::Suspended => "suspended",
            _ => "closed",
        }
    }
}

fn render(context: &AudioContext, sound: Sound) -> Option<AudioBuffer> {
    let rate = context.sample_rate();
    let samples = sound.recipe().render(rate as u32);
    let buffer = context.create_buffer(1, samples.len() as u32, rate).ok()?;
    buffer.copy_to_channel(&samples, 0).ok()?;
    Some(buffer)
}
