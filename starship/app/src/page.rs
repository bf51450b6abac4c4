//! The game on a web page.

use evenstep_host::web::{self, Page, Running};
use evenstep_host::{Draw, View};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlAnchorElement;

use crate::canvas::Sheet;
use crate::shell::{Options, Shell};

impl Draw<web::Canvas> for Shell {
    fn draw(&mut self, canvas: &mut web::Canvas, view: View<'_>) {
        let mut sprites = std::mem::take(&mut self.sprites);
        self.draw_frame(&mut Sheet::new(canvas, &mut sprites), view);
        self.sprites = sprites;
        if std::mem::take(&mut self.is_shot_asked) {
            let saved = save(canvas);
            self.notify(if saved.is_ok() { "SAVED STARSHIP.PNG" } else { "NO SCREENSHOT" }.to_owned());
        }
    }
}

/// Offers the image as a download.
fn save(canvas: &web::Canvas) -> Result<(), JsValue> {
    let image = canvas.context().canvas().ok_or("a context has a canvas")?.to_data_url()?;
    let document = web_sys::window().and_then(|window| window.document()).ok_or("no document")?;
    let link: HtmlAnchorElement = document.create_element("a")?.dyn_into()?;
    link.set_href(&image);
    link.set_download("starship.png");
    link.click();
    Ok(())
}

/// A game that runs on a web page.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Starship {
    running: Running<Shell>,
}

#[wasm_bindgen]
impl Starship {
    /// Starts the game on the canvas with this id.
    ///
    /// # Errors
    ///
    /// If the page has no such canvas, or the browser lacks a required feature.
    #[wasm_bindgen(constructor)]
    pub fn new(canvas: &str, seed: f64, autopilot: bool) -> Result<Starship, JsValue> {
        let shell = Shell::new(Options { seed: seed as u64, autopilot, fps_cap: None, speed: 1.0 });
        let running =
            web::run(Page::new(canvas), shell).map_err(|error| JsValue::from_str(&error.to_string()))?;
        Ok(Self { running })
    }

    /// The current screen: `title`, `playing`, `paused`, `dead` or `won`.
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
        self.running.with(|driver| driver.app().is_overlay_shown())
    }

    /// The number of lag spikes.
    #[wasm_bindgen(js_name = lagSpikes)]
    pub fn lag_spikes(&self) -> f64 {
        self.running.with(|driver| driver.pacer().stats().lag_spikes() as f64)
    }

    /// Stops the game and releases the page's events.
    pub fn stop(&self) {
        self.running.stop();
    }
}

/// Lets the autopilot play through `requestAnimationFrame` timestamps in milliseconds. Returns a digest of all decisions
/// and the state's hash, which must be the same as in a native program.
#[wasm_bindgen]
pub fn replay(seed: f64, timestamps_ms: &[f64]) -> String {
    crate::replay(seed as u64, timestamps_ms)
}
