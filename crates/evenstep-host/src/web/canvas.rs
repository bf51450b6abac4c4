//! The canvas of a page.

use std::f64::consts::TAU;
use std::sync::{Arc, Weak};

use wasm_bindgen::{Clamped, JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

use crate::event::Size;
use crate::image::Image;
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
    // Images as the browser draws them. They go when their pixels have gone.
    images: Vec<(Weak<[u8]>, HtmlCanvasElement)>,
}

impl Canvas {
    pub(super) fn new(element: HtmlCanvasElement) -> Result<Self, JsValue> {
        let context = element
            .get_context("2d")?
            .ok_or("the canvas has no 2d context")?
            .dyn_into::<CanvasRenderingContext2d>()?;
        Ok(Self { element, context, size: Size::of_pixels(0, 0, 1.0), fill_color: None, images: Vec::new() })
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

    /// Returns the image as a canvas, which is made the first time.
    fn prepared(&mut self, image: &Image) -> Result<HtmlCanvasElement, JsValue> {
        let is_it = |pixels: &Weak<[u8]>| std::ptr::addr_eq(pixels.as_ptr(), Arc::as_ptr(image.shared()));
        let known =
            self.images.iter().find(|(pixels, canvas)| is_it(pixels) && canvas.width() == image.width());
        if let Some((_, canvas)) = known {
            return Ok(canvas.clone());
        }
        self.images.retain(|(pixels, _)| pixels.strong_count() > 0);
        let (width, height) = (image.width(), image.height());
        let document = self.element.owner_document().ok_or("the canvas has no document")?;
        let canvas: HtmlCanvasElement = document.create_element("canvas")?.dyn_into()?;
        canvas.set_width(width);
        canvas.set_height(height);
        let context = canvas.get_context("2d")?.ok_or("a canvas has no 2d context")?;
        let data = ImageData::new_with_u8_clamped_array_and_sh(Clamped(image.rgba()), width, height)?;
        context.dyn_into::<CanvasRenderingContext2d>()?.put_image_data(&data, 0.0, 0.0)?;
        self.images.push((Arc::downgrade(image.shared()), canvas.clone()));
        Ok(canvas)
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

    fn image(&mut self, x: f64, y: f64, width: f64, height: f64, image: &Image) {
        // Browsers refuse to draw an empty image, and mirror one with a negative size.
        let has_area = image.width() > 0 && image.height() > 0 && width > 0.0 && height > 0.0;
        if has_area && let Ok(canvas) = self.prepared(image) {
            self.context.set_image_smoothing_enabled(false);
            // Fails only for a broken image, and this one is not.
            let _ =
                self.context.draw_image_with_html_canvas_element_and_dw_and_dh(&canvas, x, y, width, height);
        }
    }
}

fn css(color: Color) -> String {
    let [_, red, green, blue] = color.to_rgb().to_be_bytes();
    format!("rgba({red},{green},{blue},{})", color.alpha())
}
