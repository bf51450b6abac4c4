//! Drawing on a web page, with Canvas 2D.

use std::f64::consts::TAU;

use evenstep_host::Paint as _;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::{Canvas, Ink, Place};

/// Radius of a light's sprite, in pixels.
const SPRITE: u32 = 32;

/// Prepared lights, one for each colour: creating a gradient for every light would take most of the frame.
#[derive(Debug, Default)]
pub(crate) struct Sprites {
    lights: Vec<([u8; 3], HtmlCanvasElement)>,
}

impl Sprites {
    fn light(&mut self, rgb: [u8; 3]) -> Option<&HtmlCanvasElement> {
        let found = self.lights.iter().position(|light| light.0 == rgb);
        let n = found.unwrap_or(self.lights.len());
        if found.is_none() {
            self.lights.push((rgb, make_light(rgb).ok()?));
        }
        Some(&self.lights[n].1)
    }
}

fn make_light([red, green, blue]: [u8; 3]) -> Result<HtmlCanvasElement, JsValue> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or("no document")?;
    let canvas: HtmlCanvasElement = document.create_element("canvas")?.dyn_into()?;
    canvas.set_width(SPRITE * 2);
    canvas.set_height(SPRITE * 2);
    let context: CanvasRenderingContext2d = canvas.get_context("2d")?.ok_or("no 2d context")?.dyn_into()?;
    let middle = f64::from(SPRITE);
    let gradient = context.create_radial_gradient(middle, middle, 0.0, middle, middle, middle)?;
    for stop in 0..=8 {
        let away = stop as f32 / 8.0;
        let strength = super::falloff(away);
        gradient.add_color_stop(away, &format!("rgba({red},{green},{blue},{strength})"))?;
    }
    context.set_fill_style_canvas_gradient(&gradient);
    context.fill_rect(0.0, 0.0, middle * 2.0, middle * 2.0);
    Ok(canvas)
}

/// The page's canvas for one image.
pub(crate) struct Sheet<'a> {
    context: CanvasRenderingContext2d,
    size: (f32, f32),
    sprites: &'a mut Sprites,
    // The current state of the context: colours are passed as text, so only changes are.
    fill: Option<[u8; 3]>,
    stroke: Option<[u8; 3]>,
    alpha: f32,
    is_adding: bool,
}

impl<'a> Sheet<'a> {
    pub(crate) fn new(canvas: &evenstep_host::web::Canvas, sprites: &'a mut Sprites) -> Self {
        let size = canvas.size();
        let context = canvas.context().clone();
        context.set_global_alpha(1.0);
        context.set_line_cap("round");
        context.set_line_join("round");
        let size = (size.width as f32, size.height as f32);
        let mut sheet =
            Self { context, size, sprites, fill: None, stroke: None, alpha: 1.0, is_adding: true };
        sheet.add(false);
        sheet
    }

    fn add(&mut self, is_adding: bool) {
        if self.is_adding != is_adding {
            self.is_adding = is_adding;
            // Fails only for an unknown name.
            let mode = if is_adding { "lighter" } else { "source-over" };
            let _ = self.context.set_global_composite_operation(mode);
        }
    }

    fn set_alpha(&mut self, strength: f32) {
        let alpha = strength.clamp(0.0, 1.0);
        if self.alpha != alpha {
            self.alpha = alpha;
            self.context.set_global_alpha(f64::from(alpha));
        }
    }

    fn set_fill(&mut self, ink: Ink) {
        self.add(false);
        self.set_alpha(ink.strength);
        if self.fill != Some(ink.rgb) {
            self.fill = Some(ink.rgb);
            self.context.set_fill_style_str(&css(ink.rgb));
        }
    }

    fn set_stroke(&mut self, ink: Ink, width: f32) {
        self.add(false);
        self.set_alpha(ink.strength);
        self.context.set_line_width(f64::from(width.max(0.7)));
        if self.stroke != Some(ink.rgb) {
            self.stroke = Some(ink.rgb);
            self.context.set_stroke_style_str(&css(ink.rgb));
        }
    }
}

impl Canvas for Sheet<'_> {
    fn size(&self) -> (f32, f32) {
        self.size
    }

    fn clear(&mut self, rgb: [u8; 3]) {
        self.rect(0.0, 0.0, self.size.0, self.size.1, Ink::new(rgb, 1.0));
    }

    fn rects(&mut self, rects: &[[f32; 4]], ink: Ink) {
        self.set_fill(ink);
        if let [[x, y, width, height]] = rects.iter().map(|rect| rect.map(f64::from)).collect::<Vec<_>>()[..]
        {
            self.context.fill_rect(x, y, width, height);
            return;
        }
        self.context.begin_path();
        for [x, y, width, height] in rects.iter().map(|rect| rect.map(f64::from)) {
            self.context.rect(x, y, width, height);
        }
        self.context.fill();
    }

    fn line(&mut self, from: Place, to: Place, width: f32, ink: Ink) {
        self.set_stroke(ink, width);
        self.context.begin_path();
        self.context.move_to(f64::from(from[0]), f64::from(from[1]));
        self.context.line_to(f64::from(to[0]), f64::from(to[1]));
        self.context.stroke();
    }

    fn shape(&mut self, corners: &[Place], filling: Ink, outline: Ink, width: f32) {
        self.context.begin_path();
        for [x, y] in corners.iter().map(|corner| corner.map(f64::from)) {
            // The first call of a path moves.
            self.context.line_to(x, y);
        }
        self.context.close_path();
        if filling.strength > 0.0 {
            self.set_fill(filling);
            self.context.fill();
        }
        if outline.strength > 0.0 {
            self.set_stroke(outline, width);
            self.context.stroke();
        }
    }

    fn ring(&mut self, at: Place, radius: f32, width: f32, ink: Ink) {
        self.set_stroke(ink, width);
        self.context.begin_path();
        let [x, y] = at.map(f64::from);
        if self.context.arc(x, y, f64::from(radius.max(0.0)), 0.0, TAU).is_ok() {
            self.context.stroke();
        }
    }

    fn glow(&mut self, at: Place, radius: f32, ink: Ink) {
        self.add(true);
        self.set_alpha(ink.strength);
        let [x, y] = at.map(f64::from);
        let radius = f64::from(radius);
        if let Some(light) = self.sprites.light(ink.rgb) {
            // Fails only for a broken image.
            let _ = self.context.draw_image_with_html_canvas_element_and_dw_and_dh(
                light,
                x - radius,
                y - radius,
                radius * 2.0,
                radius * 2.0,
            );
        }
    }

    fn invert(&mut self) {
        let _ = self.context.set_global_composite_operation("difference");
        self.context.set_global_alpha(1.0);
        self.context.set_fill_style_str("#fff");
        self.context.fill_rect(0.0, 0.0, f64::from(self.size.0), f64::from(self.size.1));
        (self.fill, self.alpha, self.is_adding) = (None, 1.0, true);
        self.add(false);
    }
}

fn css([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
