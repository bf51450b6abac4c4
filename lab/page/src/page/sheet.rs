//! A canvas at the resolution of the screen.

use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// The most pixels per point: more would cost time without a visible difference.
const SHARPNESS_MAX: f64 = 2.0;

/// A canvas and its size in points.
#[derive(Debug)]
pub(super) struct Sheet {
    canvas: HtmlCanvasElement,
    pub(super) context: CanvasRenderingContext2d,
    pub(super) width: f64,
    pub(super) height: f64,
    sharpness: f64,
}

impl Sheet {
    pub(super) fn new(canvas: HtmlCanvasElement) -> Result<Self, JsValue> {
        let context = canvas.get_context("2d")?.ok_or("the canvas has no 2d context")?.dyn_into()?;
        Ok(Self { canvas, context, width: 0.0, height: 0.0, sharpness: 1.0 })
    }

    /// Adapts to the size of the element, with this many pixels per point.
    pub(super) fn fit(&mut self, sharpness: f64) {
        let sharpness = sharpness.min(SHARPNESS_MAX);
        self.sharpness = sharpness;
        self.width = self.canvas.client_width().into();
        self.height = self.canvas.client_height().into();
        let pixels = |points: f64| (points * sharpness).round() as u32;
        let size = (pixels(self.width), pixels(self.height));
        // Setting the size clears the canvas, even if it is the same.
        if (self.canvas.width(), self.canvas.height()) != size {
            self.canvas.set_width(size.0);
            self.canvas.set_height(size.1);
        }
        // This fails only if the canvas is gone.
        let _ = self.context.set_transform(sharpness, 0.0, 0.0, sharpness, 0.0, 0.0);
    }

    /// Fills a rectangle aligned to whole pixels, at least one of them: this is crisp, and twice as fast as a path in a
    /// software renderer.
    pub(super) fn bar(&self, x: (f64, f64), y: (f64, f64)) {
        let pixel = 1.0 / self.sharpness;
        let snap = |at: f64| (at * self.sharpness).round() / self.sharpness;
        let left = snap(x.0);
        let top = snap(y.0);
        let width = (snap(x.1) - left).max(pixel);
        let height = (snap(y.1) - top).max(pixel);
        self.context.fill_rect(left, top, width, height);
    }

    pub(super) fn clear(&self) {
        self.context.clear_rect(0.0, 0.0, self.width, self.height);
    }

    pub(super) fn text(&self, text: &str, x: f64, y: f64) {
        let _ = self.context.fill_text(text, x, y);
    }

    pub(super) fn disc(&self, x: f64, y: f64, radius: f64) {
        self.context.begin_path();
        let _ = self.context.arc(x, y, radius, 0.0, std::f64::consts::TAU);
        self.context.fill();
    }
}
