//! Lights, prepared for Canvas 2D.

use wasm_bindgen::JsValue;
use web_sys::HtmlCanvasElement;

use super::canvas::hidden_canvas;
use crate::paint::{Color, falloff};

/// The radius of a prepared light, in pixels.
const RADIUS: u32 = 32;
/// The most lights that are kept.
const LIGHTS_MAX: usize = 64;

/// Prepared lights, one for each colour: creating a gradient for every light would take most of the frame.
#[derive(Debug, Default)]
pub(super) struct Lights {
    known: Vec<(u32, HtmlCanvasElement)>,
}

impl Lights {
    /// Returns the light of this colour, as an image at full strength, for a canvas of the page.
    pub(super) fn image(
        &mut self,
        page: &HtmlCanvasElement,
        color: Color,
    ) -> Result<&HtmlCanvasElement, JsValue> {
        let rgb = color.to_rgb();
        let found = self.known.iter().position(|light| light.0 == rgb);
        let n = if let Some(n) = found {
            n
        } else {
            if self.known.len() == LIGHTS_MAX {
                self.known.remove(0);
            }
            self.known.push((rgb, prepare(page, color)?));
            self.known.len() - 1
        };
        Ok(&self.known[n].1)
    }
}

fn prepare(page: &HtmlCanvasElement, color: Color) -> Result<HtmlCanvasElement, JsValue> {
    let (canvas, context) = hidden_canvas(page, RADIUS * 2, RADIUS * 2)?;
    let middle = f64::from(RADIUS);
    let gradient = context.create_radial_gradient(middle, middle, 0.0, middle, middle, middle)?;
    let [red, green, blue] = color.to_bytes();
    for stop in 0..=8 {
        let away = stop as f32 / 8.0;
        gradient.add_color_stop(away, &format!("rgba({red},{green},{blue},{})", falloff(away)))?;
    }
    context.set_fill_style_canvas_gradient(&gradient);
    context.fill_rect(0.0, 0.0, middle * 2.0, middle * 2.0);
    Ok(canvas)
}
