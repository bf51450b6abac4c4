//! The game on a web page.

use evenstep_host::web::{self, Page, Running};
use evenstep_host::{Draw, Error, View};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
#[cfg(feature = "gpu")]
use wasm_bindgen::{Clamped, JsCast};
use web_sys::HtmlCanvasElement;
#[cfg(feature = "gpu")]
use web_sys::{CanvasRenderingContext2d, ImageData};

use crate::query::Renderer;
use crate::shell::{Options, Shell};
use crate::store::Store;

impl Draw<web::Canvas> for Shell {
    fn draw(&mut self, canvas: &mut web::Canvas, view: View<'_>) {
        self.draw_frame(canvas, view);
        if std::mem::take(&mut self.show.is_shot_asked) {
            let saved = save(canvas);
            self.show.notify(if saved.is_ok() { "SAVED STARSHIP.PNG" } else { "NO SCREENSHOT" }.to_owned());
        }
    }
}

/// Returns whether a media query matches: what the device is like, and what its owner prefers.
fn prefers(query: &str) -> bool {
    let found = web_sys::window().and_then(|window| window.match_media(query).ok()).flatten();
    found.is_some_and(|found| found.matches())
}

/// Offers the image as a download.
fn save(canvas: &web::Canvas) -> Result<(), JsValue> {
    download(&canvas.context().canvas().ok_or("a context has a canvas")?)
}

/// Offers pixels as a download.
#[cfg(feature = "gpu")]
pub(crate) fn save_pixels(pixels: &[u32], width: u32, height: u32) -> Result<(), JsValue> {
    let rgba: Vec<u8> = pixels.iter().flat_map(|pixel| (pixel << 8 | 0xFF).to_be_bytes()).collect();
    let document = web_sys::window().and_then(|window| window.document()).ok_or("no document")?;
    let canvas: HtmlCanvasElement = document.create_element("canvas")?.dyn_into()?;
    canvas.set_width(width);
    canvas.set_height(height);
    let image = ImageData::new_with_u8_clamped_array_and_sh(Clamped(&rgba), width, height)?;
    let context = canvas.get_context("2d")?.ok_or("a canvas has no 2d context")?;
    context.dyn_into::<CanvasRenderingContext2d>()?.put_image_data(&image, 0.0, 0.0)?;
    download(&canvas)
}

fn download(canvas: &HtmlCanvasElement) -> Result<(), JsValue> {
    crate::files::offer(&canvas.to_data_url()?, "starship.png")
}

#[cfg(feature = "gpu")]
fn draw_with(renderer: Renderer, page: Page, shell: Shell) -> Result<Running<Shell>, Error> {
    match renderer {
        Renderer::Auto => web::run_any(page, shell),
        Renderer::Gpu => web::run_gpu(page, shell),
        Renderer::Cpu => web::run(page, shell),
    }
}

#[cfg(not(feature = "gpu"))]
fn draw_with(renderer: Renderer, page: Page, shell: Shell) -> Result<Running<Shell>, Error> {
    match renderer {
        Renderer::Auto | Renderer::Cpu => web::run(page, shell),
        Renderer::Gpu => Err(Error::Page { message: "this build draws without graphics cards".to_owned() }),
    }
}

/// A game that runs on a web page.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Starship {
    running: Running<Shell>,
}

#[wasm_bindgen]
impl Starship {
    /// Starts the game on the canvas with this id, with the options in the page's address: `?seed=5`, `?daily`,
    /// `?difficulty=hard`, `?autopilot`, `?renderer=gpu`, `?bloom`, `?sandbox` (no timer, boss and damage; hold R to
    /// rewind), `?record` (F6 saves everything since the start, not only the last minute).
    ///
    /// # Errors
    ///
    /// If an option has a value that it cannot have, the page has no such canvas, or the browser lacks a required feature.
    #[wasm_bindgen(constructor)]
    pub fn new(canvas: &str, query: &str) -> Result<Starship, JsValue> {
        let options = Options {
            has_touch: prefers("(pointer: coarse)"),
            less_motion: prefers("(prefers-reduced-motion: reduce)"),
            ..crate::query::parse(query)?
        };
        let records = options.records;
        let mut shell = Shell::new(options, Store::open());
        if records {
            shell.record(Vec::new());
        }
        let running = draw_with(crate::query::renderer(query)?, Page::new(canvas), shell);
        Ok(Self { running: running.map_err(|error| JsValue::from_str(&error.to_string()))? })
    }

    /// What draws: a graphics card by name, or `Canvas 2D` and why. Nothing while the browser searches.
    pub fn renderer(&self) -> String {
        self.running.with(|driver| driver.display().renderer.clone())
    }

    /// Why the game has stopped by itself, if it has.
    pub fn failure(&self) -> Option<String> {
        self.running.failure()
    }

    /// The current screen: `title`, `playing`, `choosing`, `paused`, `dead` or `won`.
    pub fn mode(&self) -> String {
        self.running.with(|driver| driver.app().mode().to_owned())
    }

    /// The number of ticks of this run.
    pub fn tick(&self) -> f64 {
        self.running.with(|driver| driver.app().state().clock.tick() as f64)
    }

    /// The state's hash, as headless runs print it.
    pub fn hash(&self) -> String {
        self.running.with(|driver| format!("{:016x}", driver.app().state().hash()))
    }

    /// The seed of this run, in digits.
    pub fn seed(&self) -> String {
        self.running.with(|driver| driver.app().state().run.seed.to_string())
    }

    /// The ship's position in metres: x and y.
    pub fn ship(&self) -> Vec<f32> {
        self.running.with(|driver| {
            let at = driver.app().state().ship.pos();
            vec![at.x, at.y]
        })
    }

    /// Whether the overlay is shown.
    #[wasm_bindgen(js_name = isOverlayShown)]
    pub fn is_overlay_shown(&self) -> bool {
        self.running.with(|driver| driver.app().settings.has_overlay)
    }

    /// The open menu: `Title`, `Pause`, `Settings`, `Keys`, or nothing.
    pub fn menu(&self) -> Option<String> {
        self.running.with(|driver| driver.app().menu().map(|menu| format!("{menu:?}")))
    }

    /// The player's settings, as text for tests and bug reports.
    pub fn settings(&self) -> String {
        self.running.with(|driver| format!("{:?}", driver.app().settings))
    }

    /// What the keys or fingers do, as the menus say it.
    pub fn help(&self) -> String {
        self.running.with(|driver| format!("{:?}", driver.app().help()))
    }

    /// What the sound device does: `closed`, `suspended` or `running`.
    #[wasm_bindgen(js_name = soundState)]
    pub fn sound_state(&self) -> String {
        self.running.with(|driver| driver.app().speaker().state().to_owned())
    }

    /// The number of sounds that were started.
    #[wasm_bindgen(js_name = soundsStarted)]
    pub fn sounds_started(&self) -> u32 {
        self.running.with(|driver| driver.app().speaker().started())
    }

    /// The number of lag spikes.
    #[wasm_bindgen(js_name = lagSpikes)]
    pub fn lag_spikes(&self) -> f64 {
        self.running.with(|driver| driver.pacer().stats().lag_spikes() as f64)
    }

    /// Watches a recording, which was dropped onto the page.
    ///
    /// Do not watch recordings from untrusted sources: a crafted snapshot can make the physics engine panic, which ends
    /// the game on this page. Loading the page again starts it anew.
    ///
    /// # Errors
    ///
    /// If it is no recording, or one of another version.
    pub fn watch(&self, recording: &[u8]) -> Result<(), JsValue> {
        let check = crate::shell::Check::Strict;
        let recording =
            crate::shell::read_recording(recording, check).map_err(|error| JsValue::from_str(&error))?;
        self.running.with(|driver| driver.app_mut().watch_soon(recording));
        Ok(())
    }

    /// The tick of the recording that is watched, or -1.
    #[wasm_bindgen(js_name = watchedTick)]
    pub fn watched_tick(&self) -> f64 {
        self.running.with(|driver| driver.app().watched_tick().map_or(-1.0, |tick| tick as f64))
    }

    /// Stops the game and releases the page's events. A recording of everything is offered as a download.
    ///
    /// # Errors
    ///
    /// If the recording could not be saved, or has ended too early.
    pub fn stop(&self) -> Result<(), JsValue> {
        self.running.stop();
        let failure = self.running.with(|driver| driver.app_mut().end_recording());
        failure.map_or(Ok(()), |failure| Err(failure.into()))
    }
}

/// Lets the autopilot play through `requestAnimationFrame` timestamps in milliseconds. Returns a digest of all decisions
/// and the state's hash, which must be the same as in a native program.
#[wasm_bindgen]
pub fn replay(seed: f64, timestamps_ms: &[f64]) -> String {
    crate::replay(seed as u64, timestamps_ms)
}

/// Records a run that the autopilot plays. A native build must be able to verify it.
#[wasm_bindgen]
pub fn record(seed: f64, ticks: f64) -> Vec<u8> {
    starship_sim::record_autopilot(seed as u64, ticks as u64).0
}

/// Verifies a recording, as `starship replay verify` does. Returns `same`, or where it diverged.
#[wasm_bindgen]
pub fn verify(recording: &[u8]) -> String {
    use evenstep_replay::{Verdict, verify};
    use starship_sim::Sim;

    let recording = match crate::shell::read_recording(recording, crate::shell::Check::Strict) {
        Ok(recording) => recording,
        Err(error) => return error,
    };
    match verify(&recording, &mut Sim::before_any_run(), |_| ()) {
        Ok(Verdict::Diverged(divergence)) => divergence.to_string(),
        Ok(_) if recording.is_complete() => format!("same: {} ticks", recording.ticks()),
        Ok(_) => "incomplete".to_owned(),
        Err(error) => evenstep_replay::with_causes(&error),
    }
}

/// Lists the hashes of a run that the autopilot plays, at some ticks. They must be the golden ones.
#[wasm_bindgen]
pub fn hashes(seed: f64, ticks: &[u32]) -> String {
    let ticks: Vec<u64> = ticks.iter().copied().map(u64::from).collect();
    starship_sim::autopilot_hashes(seed as u64, &ticks)
}
