//! The canvas of a page.

use std::f64::consts::TAU;

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use crate::event::Size;
use crate::paint::{Color, Paint};

/// The 2D context of a page's canvas, in points from the top left corner.
///
/// Before each image the host sets the transform so that one unit is one point at any pixel ratio.
///
/// ```no_run
/// use evenstep_host::{Draw, View, web::Canvas};
///
/// struct Hello;
/// impl Draw<Canvas> for Hello {
///     fn draw(&mut self, canvas: &mut Canvas, _view: View<'_>) {
///         let _ = canvas.context().fill_text("hello", 20.0, 20.0);
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Canvas {
    element: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    size: Size,
    // Colours are passed to the context as text, so an unchanged one is not set again.
    fill_color: Option<Color>,
}

impl Canvas {
    pub(super) fn new(element: HtmlCanvasElement) -> Result<Self, JsValue> {
        let context = element
            .get_context("2d")?
            .ok_or("the canvas has no 2d context")?
            .dyn_into::<CanvasRenderingContext2d>()?;
        Ok(Self { element, context, size: Size::of_pixels(0, 0, 1.0), fill_color: None })
    }

    /// Returns the browser's 2D context.
    pub const fn context(&self) -> &CanvasRenderingContext2d {
        &self.context
    }

    /// Sets the size. This clears the canvas, so it is called right before drawing.
    pub(super) fn resize(&mut self, size: Size) {
        self.size = size;
        let (width, height) = size.pixels();
        if (self.element.width(), self.element.height()) != (width, height) {
            self.element.set_width(width);
            self.element.set_height(height);
        }
    }

    /// Prepares the context for a new image.
    pub(super) fn begin(&mut self) {
        self.fill_color = None;
        let scale = self.size.scale;
        // A finite scale is always accepted.
        let _ = self.context.set_transform(scale, 0.0, 0.0, scale, 0.0, 0.0);
    }

    fn set_fill(&mut self, color: Color) {
        if self.fill_color != Some(color) {
            self.context.set_fill_style_str(&css(color));
            self.fill_color = Some(color);
        }
    }
}

impl Paint for Canvas {
    fn size(&self) -> Size {
        self.size
    }

    fn fill(&mut self, color: Color) {
        self.rect(0.0, 0.0, self.size.width, self.size.height, color);
    }

    fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, color: Color) {
        self.set_fill(color);
        self.context.fill_rect(x, y, width, height);
    }

    fn disc(&mut self, x: f64, y: f64, radius: f64, color: Color) {
        self.set_fill(color);
        self.context.begin_path();
        if self.context.arc(x, y, radius.max(0.0), 0.0, TAU).is_ok() {
            self.context.fill();
        }
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), width: f64, color: Color) {
        self.context.set_stroke_style_str(&css(color));
        self.context.set_line_width(width);
        self.context.set_line_cap("round");
        self.context.begin_path();
        self.context.move_to(from.0, from.1);
        self.context.line_to(to.0, to.1);
        self.context.stroke();
    }
}

fn css(color: Color) -> String {
    let [_, red, green, blue] = color.to_rgb().to_be_bytes();
    format!("rgba({red},{green},{blue},{})", color.alpha())
}
