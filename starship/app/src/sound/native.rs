//! Sound on a sound card, with cpal.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use cpal::traits::{DeviceTrait as _, HostTrait as _, StreamTrait as _};
use cpal::{FromSample, SampleFormat, SizedSample};

use super::Sound;
use super::mixer::Mixer;

/// A stream to the default sound card, and the sounds that were rendered so far.
pub(super) struct Output {
    stream: cpal::Stream,
    rate: u32,
    to_mixer: Sender<Arc<[f32]>>,
    // The bits of an `f32`.
    volume: Arc<AtomicU32>,
    sounds: Vec<(Sound, Arc<[f32]>)>,
}

impl Output {
    /// Opens the default sound card, or returns `None` if there is none that works.
    pub(super) fn open() -> Option<Self> {
        let device = cpal::default_host().default_output_device()?;
        let supported = device.default_output_config().ok()?;
        let format = supported.sample_format();
        let config = supported.config();
        let (to_mixer, sounds) = channel();
        let volume = Arc::new(AtomicU32::new(0));
        let source = Source { mixer: Mixer::default(), sounds, volume: Arc::clone(&volume) };
        let stream = match format {
            SampleFormat::F32 => build::<f32>(&device, &config, source),
            SampleFormat::I16 => build::<i16>(&device, &config, source),
            SampleFormat::I32 => build::<i32>(&device, &config, source),
            SampleFormat::U16 => build::<u16>(&device, &config, source),
            SampleFormat::U8 => build::<u8>(&device, &config, source),
            _ => None,
        }?;
        stream.play().ok()?;
        Some(Self { stream, rate: config.sample_rate, to_mixer, volume, sounds: Vec::new() })
    }

    #[expect(clippy::unused_self, reason = "a page has to wake its device")]
    pub(super) const fn wake(&self) {}

    pub(super) fn set_hidden(&self, is_hidden: bool) {
        // Some drivers cannot pause. The simulation is suspended, so nothing new is heard there either.
        let _ = if is_hidden { self.stream.pause().ok() } else { self.stream.play().ok() };
    }

    pub(super) fn set_volume(&self, volume: f32) {
        self.volume.store(volume.to_bits(), Ordering::Relaxed);
    }

    pub(super) fn play(&mut self, sound: Sound) {
        let found = self.sounds.iter().position(|(rendered, _)| *rendered == sound);
        let n = found.unwrap_or(self.sounds.len());
        if found.is_none() {
            self.sounds.push((sound, sound.recipe().render(self.rate).into()));
        }
        // Fails only if the sound card is gone.
        let _ = self.to_mixer.send(Arc::clone(&self.sounds[n].1));
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").field("rate", &self.rate).finish_non_exhaustive()
    }
}

/// What the sound card's thread reads from. It takes no locks.
struct Source {
    mixer: Mixer,
    sounds: Receiver<Arc<[f32]>>,
    volume: Arc<AtomicU32>,
}

fn build<T: SizedSample + FromSample<f32>>(
    device: &cpal::Device,
    config: &cpal::StreamConfig,
    mut source: Source,
) -> Option<cpal::Stream> {
    let channels = usize::from(config.channels.max(1));
    let fill = move |out: &mut [T], _: &cpal::OutputCallbackInfo| {
        while let Ok(sound) = source.sounds.try_recv() {
            source.mixer.start(sound);
        }
        let volume = f32::from_bits(source.volume.load(Ordering::Relaxed));
        for frame in out.chunks_mut(channels) {
            let sample = T::from_sample(source.mixer.next(volume));
            frame.fill(sample);
        }
    };
    // A sound card that is unplugged ends the sound, not the game.
    device.build_output_stream(config, fill, |_| (), None).ok()
}
