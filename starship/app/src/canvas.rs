//! The interface for all drawing, and its back ends.
//!
//! | back end | where | how |
//! |---|---|---|
//! | `Raster` | a window, a PNG | our own rasteriser, optimised for thousands of small shapes |
//! | `Card` | a window, a web page | a graphics card (feature `gpu`), one pipeline for all shapes |
//! | `Sheet` | a web page | the browser's Canvas 2D |
//!
//! Positions are in points from the upper left corner. A canvas is write-only.

#[cfg(feature = "gpu")]
mod card;
#[cfg(any(feature = "gpu", not(target_arch = "wasm32")))]
mod convex;
#[cfg(not(target_arch = "wasm32"))]
mod raster;
#[cfg(target_arch = "wasm32")]
mod sheet;

#[cfg(feature = "gpu")]
pub(crate) use card::Card;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use raster::{Raster, encode_png};
#[cfg(target_arch = "wasm32")]
pub(crate) use sheet::{Sheet, Sprites};

use evenstep_host::font::glyph;

/// A position on the canvas, in points.
pub(crate) type Place = [f32; 2];

/// A colour and its opacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ink {
    pub(crate) rgb: [u8; 3],
    /// From 0 to 1; back ends clamp it.
    pub(crate) strength: f32,
}

impl Ink {
    pub(crate) const fn new(rgb: [u8; 3], strength: f32) -> Self {
        Self { rgb, strength }
    }
}

pub(crate) const CYAN: [u8; 3] = [96, 226, 255];
pub(crate) const WHITE: [u8; 3] = [240, 248, 255];
pub(crate) const RED: [u8; 3] = [255, 84, 92];
pub(crate) const ORANGE: [u8; 3] = [255, 160, 64];
pub(crate) const YELLOW: [u8; 3] = [255, 224, 96];
pub(crate) const GREEN: [u8; 3] = [110, 255, 160];
pub(crate) const VIOLET: [u8; 3] = [180, 120, 255];
pub(crate) const PINK: [u8; 3] = [255, 120, 220];
pub(crate) const BLUE: [u8; 3] = [70, 110, 200];
pub(crate) const GREY: [u8; 3] = [120, 132, 168];
pub(crate) const WOOD: [u8; 3] = [205, 160, 95];
pub(crate) const NIGHT: [u8; 3] = [6, 8, 18];

/// Letters with dots of at least this many points are aligned to whole pixels.
const LARGE_DOT: f32 = 2.4;

/// The most corners of a shape.
pub(crate) const CORNERS_MAX: usize = 8;

/// The smallest half-width of a stroke, in pixels: a thinner one would break into dots.
#[cfg(any(feature = "gpu", not(target_arch = "wasm32")))]
const HALF_MIN: f32 = 0.35;

/// Coordinates beyond this, in pixels, are not drawn: floats could not represent them precisely enough.
#[cfg(any(feature = "gpu", not(target_arch = "wasm32")))]
const FAR: f32 = 1e6;

/// Whether all coordinates are numbers and close enough to be drawn.
#[cfg(any(feature = "gpu", not(target_arch = "wasm32")))]
fn is_near(places: &[Place]) -> bool {
    places.iter().flatten().all(|along| along.abs() <= FAR)
}

/// What the game draws on.
pub(crate) trait Canvas {
    /// Width and height in points.
    fn size(&self) -> (f32, f32);

    /// Fills the whole canvas.
    fn clear(&mut self, rgb: [u8; 3]);

    /// Fills rectangles with one ink: left, top, width, height.
    fn rects(&mut self, rects: &[[f32; 4]], ink: Ink);

    /// Draws a straight line with round ends.
    fn line(&mut self, from: Place, to: Place, width: f32, ink: Ink);

    /// Fills and outlines a closed shape of up to eight corners.
    fn shape(&mut self, corners: &[Place], filling: Ink, outline: Ink, width: f32);

    /// Draws the outline of a circle.
    fn ring(&mut self, at: Place, radius: f32, width: f32, ink: Ink);

    /// Adds light that fades towards the radius.
    fn glow(&mut self, at: Place, radius: f32, ink: Ink);

    /// Inverts all colours.
    fn invert(&mut self);

    /// The nearest pixel boundary along an axis.
    fn snap(&self, along: f32) -> f32 {
        along.round()
    }

    /// Fills one rectangle.
    fn rect(&mut self, x: f32, y: f32, width: f32, height: f32, ink: Ink) {
        self.rects(&[[x, y, width, height]], ink);
    }

    /// Draws a line of text with dots of this size; a letter is 6 dots wide and 7 high.
    fn text(&mut self, x: f32, y: f32, dot: f32, text: &str, ink: Ink) {
        // Large dots that meet within a pixel would show a seam; small ones need subpixel positions to look even.
        let is_large = dot >= LARGE_DOT;
        let mut rects = [[0.0; 4]; 256];
        let mut len = 0;
        for (n, letter) in text.chars().enumerate() {
            for (row, bits) in glyph(letter).into_iter().enumerate() {
                let mut column = 0;
                while column < 5 {
                    // Adjacent dots are one rectangle.
                    let run = (column..5).take_while(|column| bits & (16 >> column) != 0).count();
                    if run > 0 {
                        let edge = |from: f32, dots: usize| {
                            let along = from + dots as f32 * dot;
                            if is_large { self.snap(along) } else { along }
                        };
                        let (left, right) = (edge(x, n * 6 + column), edge(x, n * 6 + column + run));
                        let (top, bottom) = (edge(y, row), edge(y, row + 1));
                        rects[len] = [left, top, right - left, bottom - top];
                        len += 1;
                        if len == rects.len() {
                            self.rects(&rects, ink);
                            len = 0;
                        }
                    }
                    column += run.max(1);
                }
            }
        }
        self.rects(&rects[..len], ink);
    }

    /// Draws a line of text centred at `x`.
    fn text_centred(&mut self, x: f32, y: f32, dot: f32, text: &str, ink: Ink) {
        self.text(x - text_width(text, dot) / 2.0, y, dot, text, ink);
    }

    /// Draws a line of text that ends at `x`.
    fn text_right(&mut self, x: f32, y: f32, dot: f32, text: &str, ink: Ink) {
        self.text(x - text_width(text, dot), y, dot, text, ink);
    }

    /// Draws a bar that is filled to a share.
    fn meter(&mut self, [x, y, width, height]: [f32; 4], share: f32, rgb: [u8; 3]) {
        self.rect(x, y, width, height, Ink::new(rgb, 0.18));
        self.rect(x, y, (width * share.clamp(0.0, 1.0)).max(0.5), height, Ink::new(rgb, 0.6));
    }
}

/// The width of a text, without the gap after its last letter.
pub(crate) fn text_width(text: &str, dot: f32) -> f32 {
    (text.chars().count() as f32 * 6.0 - 1.0).max(0.0) * dot
}

/// The brightness of a light at its centre: the small core and the wide halo.
const LIGHT_CORE: f32 = 0.45;
const LIGHT_HALO: f32 = 0.3;

/// The brightness of a light from its centre at 0 to its edge at 1: two bell curves of the squared distance.
#[cfg(any(test, target_arch = "wasm32"))]
fn falloff(away: f32) -> f32 {
    let near = 1.0 - (away * away).clamp(0.0, 1.0);
    LIGHT_HALO * near.powi(3) + LIGHT_CORE * near.powi(24)
}
