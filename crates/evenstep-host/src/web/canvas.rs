//! The canvas of a page.

use std::cell::Cell;
use std::f64::consts::TAU;
use std::sync::{Arc, Weak};

use wasm_bindgen::{Clamped, JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

use super::lights::Lights;
use crate::event::Size;
use crate::image::Image;
use crate::paint::{CORNERS_MAX, Color, Paint, dots};

/// The smallest width of a stroke, in pixels.
const WIDTH_MIN: f64 = 0.7;

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
    pen: Cell<Pen>,
    // Images as the browser draws them. They go when their pixels have gone.
    images: Vec<(Weak<[u8]>, HtmlCanvasElement)>,
    lights: Lights,
}

/// What the context is set to, as far as it is known. Colours are passed to it as text, so an unchanged one is not set again.
#[derive(Clone, Copy, Debug, Default)]
struct Pen {
    fill: Option<u32>,
    stroke: Option<u32>,
    alpha: Option<f32>,
    mode: Option<Mode>,
    is_smooth: Option<bool>,
}

/// How colours are combined with what is there.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Over,
    Add,
    Invert,
}

impl Mode {
    const fn name(self) -> &'static str {
        match self {
            Self::Over => "source-over",
            Self::Add => "lighter",
            Self::Invert => "difference",
        }
    }
}

impl Canvas {
    pub(super) fn new(element: HtmlCanvasElement) -> Result<Self, JsValue> {
        let context = context_of(&element)?;
        Ok(Self {
            element,
            context,
            size: Size::of_pixels(0, 0, 1.0),
            pen: Cell::default(),
            images: Vec::new(),
            lights: Lights::default(),
        })
    }

    /// Returns the browser's 2D context, which draws opaque colours over what is there. All else may be set to anything.
    pub fn context(&self) -> &CanvasRenderingContext2d {
        self.set_alpha(1.0);
        self.set_mode(Mode::Over);
        // The caller may change everything.
        self.pen.set(Pen::default());
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
        self.pen.set(Pen::default());
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
        let width = image.width();
        let height = image.height();
        let (canvas, context) = hidden_canvas(&self.element, width, height)?;
        let data = ImageData::new_with_u8_clamped_array_and_sh(Clamped(image.rgba()), width, height)?;
        context.put_image_data(&data, 0.0, 0.0)?;
        self.images.push((Arc::downgrade(image.shared()), canvas.clone()));
        Ok(canvas)
    }

    fn set_mode(&self, mode: Mode) {
        let pen = self.pen.get();
        if pen.mode != Some(mode) {
            self.pen.set(Pen { mode: Some(mode), ..pen });
            // Fails only for an unknown name.
            let _ = self.context.set_global_composite_operation(mode.name());
        }
    }

    fn set_alpha(&self, alpha: f32) {
        let pen = self.pen.get();
        if pen.alpha != Some(alpha) {
            self.pen.set(Pen { alpha: Some(alpha), ..pen });
            self.context.set_global_alpha(alpha.into());
        }
    }

    fn set_smooth(&self, is_smooth: bool) {
        let pen = self.pen.get();
        if pen.is_smooth != Some(is_smooth) {
            self.pen.set(Pen { is_smooth: Some(is_smooth), ..pen });
            self.context.set_image_smoothing_enabled(is_smooth);
        }
    }

    fn set_fill(&self, color: Color, mode: Mode) {
        self.set_mode(mode);
        self.set_alpha(color.alpha());
        let pen = self.pen.get();
        let rgb = color.to_rgb();
        if pen.fill != Some(rgb) {
            self.pen.set(Pen { fill: Some(rgb), ..pen });
            self.context.set_fill_style_str(&format!("#{rgb:06x}"));
        }
    }

    fn set_stroke(&self, color: Color, width: f64) {
        self.set_mode(Mode::Over);
        self.set_alpha(color.alpha());
        self.context.set_line_width(width.max(WIDTH_MIN / self.size.scale));
        let pen = self.pen.get();
        if pen.stroke.is_none() {
            self.context.set_line_cap("round");
            self.context.set_line_join("round");
        }
        let rgb = color.to_rgb();
        if pen.stroke != Some(rgb) {
            self.pen.set(Pen { stroke: Some(rgb), ..pen });
            self.context.set_stroke_style_str(&format!("#{rgb:06x}"));
        }
    }
}

impl Paint for Canvas {
    fn size(&self) -> Size {
        self.size
    }

    fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, color: Color) {
        // Browsers mirror a rectangle with a negative size.
        if width > 0.0 && height > 0.0 {
            self.set_fill(color, Mode::Over);
            self.context.fill_rect(x, y, width, height);
        }
    }

    fn disc(&mut self, x: f64, y: f64, radius: f64, color: Color) {
        self.set_fill(color, Mode::Over);
        self.context.begin_path();
        if self.context.arc(x, y, radius.max(0.0), 0.0, TAU).is_ok() {
            self.context.fill();
        }
    }

    fn line(&mut self, from: [f64; 2], to: [f64; 2], width: f64, color: Color) {
        self.set_stroke(color, width);
        self.context.begin_path();
        self.context.move_to(from[0], from[1]);
        self.context.line_to(to[0], to[1]);
        self.context.stroke();
    }

    fn ring(&mut self, x: f64, y: f64, radius: f64, width: f64, color: Color) {
        self.set_stroke(color, width);
        self.context.begin_path();
        if radius > 0.0 && self.context.arc(x, y, radius, 0.0, TAU).is_ok() {
            self.context.stroke();
        }
    }

    fn shape(&mut self, corners: &[[f64; 2]], filling: Color, outline: Color, width: f64) {
        self.context.begin_path();
        for [x, y] in corners.iter().take(CORNERS_MAX) {
            // The first call of a path moves.
            self.context.line_to(*x, *y);
        }
        self.context.close_path();
        if filling.alpha() > 0.0 {
            self.set_fill(filling, Mode::Over);
            self.context.fill();
        }
        if outline.alpha() > 0.0 {
            self.set_stroke(outline, width);
            self.context.stroke();
        }
    }

    fn light(&mut self, x: f64, y: f64, radius: f64, color: Color) {
        if radius.is_nan() || radius <= 0.0 {
            return;
        }
        self.set_mode(Mode::Add);
        self.set_alpha(color.alpha());
        self.set_smooth(true);
        if let Ok(light) = self.lights.image(&self.element, color) {
            let side = radius * 2.0;
            // Fails only for a broken image, and this one is not.
            let _ = self.context.draw_image_with_html_canvas_element_and_dw_and_dh(
                light,
                x - radius,
                y - radius,
                side,
                side,
            );
        }
    }

    fn invert(&mut self) {
        self.set_fill(Color::rgb(0xFF_FF_FF), Mode::Invert);
        self.context.fill_rect(0.0, 0.0, self.size.width, self.size.height);
    }

    /// Fills a text as one path: a browser smooths its dots together, and needs one call.
    fn text(&mut self, x: f64, y: f64, height: f64, text: &str, color: Color) {
        self.set_fill(color, Mode::Over);
        self.context.begin_path();
        dots(self.size.scale, x, y, height, text, |x, y, width, height| {
            self.context.rect(x, y, width, height);
        });
        self.context.fill();
    }

    fn image(&mut self, x: f64, y: f64, width: f64, height: f64, image: &Image) {
        // Browsers refuse to draw an empty image, and mirror one with a negative size.
        let has_area = image.width() > 0 && image.height() > 0 && width > 0.0 && height > 0.0;
        if has_area && let Ok(canvas) = self.prepared(image) {
            self.set_mode(Mode::Over);
            self.set_alpha(1.0);
            self.set_smooth(false);
            // Fails only for a broken image, and this one is not.
            let _ =
                self.context.draw_image_with_html_canvas_element_and_dw_and_dh(&canvas, x, y, width, height);
        }
    }
}

/// Creates a canvas that is not on the page, to draw from.
pub(super) fn hidden_canvas(
    page: &HtmlCanvasElement,
    width: u32,
    height: u32,
) -> Result<(HtmlCanvasElement, CanvasRenderingContext2d), JsValue> {
    let document = page.owner_document().ok_or("the canvas has no document")?;
    let canvas: HtmlCanvasElement = document.create_element("canvas")?.dyn_into()?;
    canvas.set_width(width);
    canvas.set_height(height);
    let context = context_of(&canvas)?;
    Ok((canvas, context))
}

fn context_of(canvas: &HtmlCanvasElement) -> Result<CanvasRenderingContext2d, JsValue> {
    Ok(canvas.get_context("2d")?.ok_or("the canvas has no 2d context")?.dyn_into()?)
}
