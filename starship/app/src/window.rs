//! The game in a window.

use std::path::{Path, PathBuf};

use evenstep::Rate;
use evenstep_host::native::{self, Window};
use evenstep_host::{Draw, Error, Pixels, View};

use crate::args::Args;
use crate::canvas::Raster;
use crate::screenshot;
use crate::shell::{Options, Shell};

/// Runs the game until the window is closed.
pub(crate) fn run(args: &Args) -> Result<(), Error> {
    let shell = Shell::new(Options {
        seed: args.seed,
        autopilot: args.autopilot,
        fps_cap: args.fps_cap.map(rate),
        speed: args.scale,
    });
    let mut window = Window::new("Starship Survivors").with_size(1280.0, 720.0);
    if let Some(hz) = args.display_hz {
        window = window.with_rate(rate(hz));
    }
    if args.fullscreen {
        window = window.with_fullscreen();
    }
    native::run(window, shell).map(drop)
}

fn rate(hz: f64) -> Rate {
    Rate::new((hz * 1e3).round() as u32, 1_000)
}

impl Draw<Pixels<'_>> for Shell {
    fn draw(&mut self, pixels: &mut Pixels<'_>, view: View<'_>) {
        let (width, height, scale) = (pixels.width(), pixels.height(), pixels.scale());
        self.draw_frame(&mut Raster::new(pixels.data_mut(), width, height, scale as f32), view);
        if std::mem::take(&mut self.is_shot_asked) {
            let file = free_name();
            self.notify(match screenshot::save(pixels.data(), width, height, &file) {
                Ok(()) => format!("SAVED {}", file.display()),
                Err(message) => message,
            });
        }
    }
}

/// An unused file name in the current folder.
fn free_name() -> PathBuf {
    let name = |n| PathBuf::from(format!("starship-{n:03}.png"));
    (1..1000).map(name).find(|name| !Path::exists(name)).unwrap_or_else(|| name(1000))
}
