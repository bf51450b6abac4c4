//! The game on a graphics card.

use evenstep_host::gpu::Gpu;
use evenstep_host::{Draw, Paint as _, View};

use crate::shell::Shell;

impl Draw<Gpu<'_>> for Shell {
    fn draw(&mut self, gpu: &mut Gpu<'_>, view: View<'_>) {
        if self.has_bloom() {
            gpu.set_glow(14.0 * gpu.size().scale as f32, 0.28);
        }
        self.draw_frame(gpu, view);
        if std::mem::take(&mut self.show.is_shot_asked) {
            self.shoot(gpu);
        }
    }
}

impl Shell {
    /// Saves what the card has drawn.
    #[cfg(not(target_arch = "wasm32"))]
    fn shoot(&mut self, gpu: &mut Gpu<'_>) {
        let (width, height) = gpu.size().pixels();
        let (sender, pixels) = std::sync::mpsc::channel();
        gpu.screenshot(move |pixels| _ = sender.send(pixels));
        match pixels.try_recv() {
            Ok(pixels) => self.save_shot(&pixels, width as usize, height as usize),
            Err(_) => self.show.notify("NO SCREENSHOT".to_owned()),
        }
    }

    /// Offers what the card has drawn as a download, when the browser has read it.
    #[cfg(target_arch = "wasm32")]
    fn shoot(&mut self, gpu: &mut Gpu<'_>) {
        let (width, height) = gpu.size().pixels();
        gpu.screenshot(move |pixels| _ = crate::page::save_pixels(&pixels, width, height));
        self.show.notify("SAVED STARSHIP.PNG".to_owned());
    }
}

/// Needs a Vulkan driver (Debian: mesa-vulkan-drivers).
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use std::time::Duration;

    use evenstep_host::gpu::Offscreen;
    use evenstep_host::{Driver, Event, Key, Pixels};

    use super::*;
    use crate::seeds::Seed;
    use crate::shell::Options;
    use crate::store::Store;

    /// Width and height in pixels, and pixels per point.
    type Screen = (u32, u32, f64);
    const SMALL: Screen = (960, 540, 1.0);
    const UHD: Screen = (3840, 2160, 2.0);

    fn game(seed: u64, bloom: bool) -> Driver<Shell> {
        let options = Options { seed: Seed::Fixed(seed), autopilot: seed > 0, bloom, ..Options::default() };
        Driver::new(Shell::new(options, Store::in_memory()))
    }

    fn in_memory(game: &mut Driver<Shell>, (width, height, scale): Screen) -> Vec<u32> {
        let mut memory = vec![0; (width * height) as usize];
        game.draw(&mut Pixels::new(&mut memory, width, height, scale));
        memory
    }

    fn channels(image: &[u32]) -> impl Iterator<Item = u8> {
        image.iter().flat_map(|pixel| pixel.to_be_bytes().into_iter().skip(1))
    }

    #[test]
    fn a_graphics_card_draws_the_same_game_as_the_rasteriser() {
        let mut card = Offscreen::new().expect("a Vulkan driver is needed (Debian: mesa-vulkan-drivers)");
        // The title, and moments of two missions with the overlay.
        for (seed, frames, screen) in
            [(0, 30, SMALL), (3, 120, SMALL), (3, 2_400, SMALL), (7, 4_000, SMALL), (7, 4_000, UHD)]
        {
            let (width, height, scale) = screen;
            let mut game = game(seed, false);
            if frames > 1_000 {
                game.event(Duration::ZERO, Event::KeyDown(Key::F1));
            }
            for n in 0..frames {
                game.frame(Duration::from_secs(n) / 60);
            }
            let wanted = in_memory(&mut game, screen);
            let drawn = card.draw(width, height, scale, |gpu| game.draw(gpu)).expect("an image");
            let mut differences: Vec<u8> = channels(&drawn)
                .zip(channels(&wanted))
                .map(|(drawn, wanted)| drawn.abs_diff(wanted))
                .collect();
            differences.sort_unstable();
            let mean = differences.iter().map(|&it| f64::from(it)).sum::<f64>() / differences.len() as f64;
            let at = |share: f64| differences[((differences.len() - 1) as f64 * share) as usize];
            println!(
                "seed {seed}, {frames} frames, {width}x{height}: mean {mean:.3}, p99.9 {}, most {}",
                at(0.999),
                at(1.0)
            );
            // The rasteriser rounds down wherever a layer is blended, by half a step of 255 on average; a card rounds to the
            // nearest. Up to four layers cover the whole screen.
            assert!(
                mean < 2.0 && at(0.999) <= 8,
                "seed {seed}, {frames} frames, {width}x{height}: mean {mean}, p99.9 {}",
                at(0.999)
            );
            let is_empty = wanted.iter().all(|pixel| *pixel == wanted[0]);
            assert!(!is_empty, "there is something to compare");
        }
    }

    #[test]
    fn bloom_only_adds_light() {
        let mut card = Offscreen::new().expect("a Vulkan driver is needed (Debian: mesa-vulkan-drivers)");
        let mut draw = |bloom| {
            let mut game = game(3, bloom);
            for n in 0..600 {
                game.frame(Duration::from_secs(n) / 60);
            }
            let (width, height, scale) = SMALL;
            card.draw(width, height, scale, |gpu| game.draw(gpu)).expect("an image")
        };
        let light = |image: &[u32]| channels(image).map(u64::from).sum::<u64>();
        let plain = draw(false);
        let bloom = draw(true);
        assert!(light(&bloom) > light(&plain) + light(&plain) / 100, "{} {}", light(&bloom), light(&plain));
    }
}
