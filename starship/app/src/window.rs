//! The game in a window.

use std::path::Path;

use evenstep::Rate;
use evenstep_host::native::{self, Window};
use evenstep_host::{Draw, Error, Pixels, View};

use crate::args::Args;
use crate::query::Renderer;
use crate::screenshot;
use crate::shell::{Check, Options, Shell, read_recording};
use crate::store::Store;

/// The smallest window in which everything can be read, in points.
const SIZE_MIN: (f64, f64) = (320.0, 240.0);

/// Runs the game until the window is closed.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let options = Options {
        seed: args.seed(),
        difficulty: args.difficulty,
        autopilot: args.autopilot,
        sandbox: args.sandbox,
        fps_cap: args.fps_cap,
        speed: args.scale,
        fullscreen: args.fullscreen,
        #[cfg(feature = "gpu")]
        bloom: args.bloom,
        ..Options::default()
    };
    let mut shell = Shell::new(options, Store::open());
    if let Some(path) = &args.record {
        let file = crate::files::open(path);
        shell.record(file.map_err(|error| Failure::File(format!("{}: {error}", path.display())))?);
    }
    if let Some(path) = &args.replay {
        let wrong = |error: String| Failure::File(format!("{}: {error}", path.display()));
        let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
        let check = if args.force { Check::Forced } else { Check::Strict };
        shell.watch_soon(read_recording(&bytes, check).map_err(wrong)?);
    }
    let mut window =
        Window::new("Starship Survivors").with_size(1280.0, 720.0).with_size_min(SIZE_MIN.0, SIZE_MIN.1);
    if let Some(hz) = args.display_hz {
        window = window.with_rate(rate(hz));
    }
    if let Some(file) = &args.trace {
        window = window.with_trace(file);
    }
    if shell.settings.is_fullscreen {
        window = window.with_fullscreen();
    }
    if let Some(beat) = args.beat {
        window = window.with_beat(beat);
    }
    if args.late_start {
        window = window.with_late_start();
    }
    let mut shell = draw_with(args, window, shell).map_err(Failure::Host)?;
    // The window may have been closed in the middle of a run.
    shell.keep_score();
    match shell.end_recording() {
        Some(message) => {
            let path = args.record.as_deref().unwrap_or(Path::new("the recording"));
            Err(Failure::File(format!("{}: {message}", path.display())))
        }
        None => Ok(()),
    }
}

/// Why the game could not run in a window, or not to its end.
#[derive(Debug)]
pub(crate) enum Failure {
    Host(Error),
    File(String),
}

#[cfg(feature = "gpu")]
fn draw_with(args: &Args, window: Window, shell: Shell) -> Result<Shell, Error> {
    match args.renderer {
        Renderer::Auto => native::run_any(window, shell),
        Renderer::Gpu => native::run_gpu(window, shell),
        Renderer::Cpu => native::run(window, shell),
    }
}

#[cfg(not(feature = "gpu"))]
fn draw_with(args: &Args, window: Window, shell: Shell) -> Result<Shell, Error> {
    match args.renderer {
        Renderer::Auto | Renderer::Cpu => native::run(window, shell),
        Renderer::Gpu => {
            let source = "--renderer gpu: this build draws without graphics cards; \
                          run `cargo run --release --features gpu -- --renderer gpu`";
            Err(Error::Window { source: source.into() })
        }
    }
}

fn rate(hz: f64) -> Rate {
    Rate::new((hz * 1e3).round() as u32, 1_000)
}

impl Draw<Pixels<'_>> for Shell {
    fn draw(&mut self, pixels: &mut Pixels<'_>, view: View<'_>) {
        self.draw_frame(pixels, view);
        if std::mem::take(&mut self.show.is_shot_asked) {
            self.save_shot(pixels.data(), pixels.width(), pixels.height());
        }
    }
}

impl Shell {
    /// Saves an image under a free name, and says so.
    pub(crate) fn save_shot(&mut self, pixels: &[u32], width: usize, height: usize) {
        let file = crate::files::unused("starship", "png");
        self.show.notify(match screenshot::save(pixels, width, height, &file) {
            Ok(()) => format!("SAVED {}", file.display()),
            Err(message) => message,
        });
    }
}
