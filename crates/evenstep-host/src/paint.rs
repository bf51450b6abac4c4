//! What every host's canvas can draw: shapes, light, text and images.

use crate::event::Size;
use crate::font;
use crate::image::Image;

/// The most corners of a [shape](Paint::shape).
pub const CORNERS_MAX: usize = 8;

/// Dots of letters with at least this many pixels are aligned to whole pixels.
const LARGE_DOT: f64 = 2.4;

/// The brightness of a light at its centre: the small core and the wide halo.
pub(crate) const LIGHT_CORE: f32 = 0.45;
pub(crate) const LIGHT_HALO: f32 = 0.3;

/// Draws anti-aliased shapes, light, text and images, in points from the upper left corner.
///
/// A game that draws with it runs unchanged on every host: on [`Pixels`](crate::Pixels) in memory, on a graphics card, and
/// on the 2D context of a page. A game that needs more draws on its host's canvas directly.
///
/// ```
/// use evenstep_host::{Color, Paint, Pixels};
///
/// fn sun(canvas: &mut impl Paint) {
///     let size = canvas.size();
///     canvas.fill(Color::rgb(0x20_30_60));
///     canvas.disc(size.width / 2.0, size.height / 2.0, 10.0, Color::rgb(0xFF_D0_40));
/// }
///
/// let mut image = vec![0; 64 * 64];
/// sun(&mut Pixels::new(&mut image, 64, 64, 1.0));
/// assert_eq!((image[0], image[32 * 64 + 32]), (0x20_30_60, 0xFF_D0_40));
/// ```
///
/// Lines and outlines are at least 0.7 pixels wide, because thinner ones would break into dots. A shape with a number
/// that is not finite is not drawn.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a canvas with `Paint`",
    note = "hosts draw on `Pixels` and on the `Canvas` of a page; a function for both takes `&mut impl Paint`"
)]
pub trait Paint {
    /// Returns the size of the canvas.
    fn size(&self) -> Size;

    /// Draws a filled rectangle; `x` and `y` are its top left corner.
    fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, color: Color);

    /// Draws a straight line with round ends.
    fn line(&mut self, from: [f64; 2], to: [f64; 2], width: f64, color: Color);

    /// Draws the outline of a circle; `x` and `y` are its centre.
    fn ring(&mut self, x: f64, y: f64, radius: f64, width: f64, color: Color);

    /// Fills a closed shape and draws its outline, whose line has this width.
    ///
    /// A shape has up to [`CORNERS_MAX`] corners; the rest are left out. It need not be convex, but its edges must not
    /// cross. A convex shape whose filling and outline differ in their opacity alone is drawn in one pass.
    fn shape(&mut self, corners: &[[f64; 2]], filling: Color, outline: Color, width: f64);

    /// Adds light to what is there, brightest at its centre and fading towards the radius.
    fn light(&mut self, x: f64, y: f64, radius: f64, color: Color);

    /// Inverts all colours that were drawn so far.
    fn invert(&mut self);

    /// Fills the whole canvas.
    fn fill(&mut self, color: Color) {
        let size = self.size();
        self.rect(0.0, 0.0, size.width, size.height, color);
    }

    /// Draws a filled circle; `x` and `y` are its centre.
    fn disc(&mut self, x: f64, y: f64, radius: f64, color: Color) {
        if radius > 0.0 {
            self.line([x, y], [x, y], radius * 2.0, color);
        }
    }

    /// Draws text in the [built-in font](crate::font), with letters of this height; `x` and `y` are the top left corner.
    ///
    /// Large dots, and dots of a whole number of pixels, are aligned to pixels, so that text is sharp. Other dots are not:
    /// aligned, the lines of small letters would differ in width. A line break starts a new line.
    ///
    /// ```
    /// # use evenstep_host::{Color, Paint, Pixels};
    /// # let mut memory = vec![0; 64 * 16];
    /// # let mut canvas = Pixels::new(&mut memory, 64, 16, 1.0);
    /// canvas.text(4.0, 4.0, 7.0, "Score: 7", Color::rgb(0xFF_FF_FF));
    /// # assert!(memory.iter().any(|&pixel| pixel == 0xFF_FF_FF));
    /// ```
    fn text(&mut self, x: f64, y: f64, height: f64, text: &str, color: Color) {
        dots(self.size().scale, x, y, height, text, |x, y, width, height| {
            self.rect(x, y, width, height, color);
        });
    }

    /// Draws an image, stretched to a rectangle; `x` and `y` are its top left corner.
    ///
    /// Pixels stay sharp when they are enlarged, as pixel art wants it: nothing is smoothed.
    fn image(&mut self, x: f64, y: f64, width: f64, height: f64, image: &Image) {
        let across = width / f64::from(image.width());
        let down = height / f64::from(image.height());
        for row in 0..image.height() {
            let color = |column: usize| image.color(column as u32, row);
            let mut column = 0;
            while column < image.width() as usize {
                let from = column;
                while column < image.width() as usize && color(column) == color(from) {
                    column += 1;
                }
                let left = x + from as f64 * across;
                let length = (column - from) as f64 * across;
                self.rect(left, y + f64::from(row) * down, length, down, color(from));
            }
        }
    }
}

/// Calls `rect` with the left, top, width and height of every run of dots in a text, on a canvas of this scale.
pub(crate) fn dots(
    scale: f64,
    x: f64,
    y: f64,
    height: f64,
    text: &str,
    mut rect: impl FnMut(f64, f64, f64, f64),
) {
    // A canvas without a scale has no pixels to align to.
    let scale = if scale > 0.0 { scale } else { 1.0 };
    let dot = height / font::HEIGHT;
    let is_aligned = is_sharp(dot * scale);
    let edge = |from: f64, dots: usize| {
        let points = from + dots as f64 * dot;
        if is_aligned { (points * scale).round() / scale } else { points }
    };
    for (line, letters) in text.lines().enumerate() {
        let y = y + line as f64 * font::LINE * dot;
        for (column, letter) in letters.chars().enumerate() {
            let x = x + column as f64 * font::ADVANCE * dot;
            for (row, bits) in font::glyph(letter).into_iter().enumerate() {
                let top = edge(y, row);
                let bottom = edge(y, row + 1);
                for (from, to) in runs(5, |dot| bits & 0b10000 >> dot != 0) {
                    let left = edge(x, from);
                    rect(left, top, edge(x, to) - left, bottom - top);
                }
            }
        }
    }
}

/// Returns whether dots of this many pixels are aligned. Large ones that meet within a pixel would show a seam.
fn is_sharp(dot: f64) -> bool {
    dot >= LARGE_DOT || dot.round() >= 1.0 && (dot - dot.round()).abs() < 1e-3
}

/// Returns the brightness of a light from its centre at 0 to its edge at 1: two bell curves of the squared distance.
#[cfg(any(test, all(feature = "web", target_arch = "wasm32")))]
pub(crate) fn falloff(away: f32) -> f32 {
    let near = 1.0 - (away * away).clamp(0.0, 1.0);
    LIGHT_HALO * near.powi(3) + LIGHT_CORE * near.powi(24)
}

/// Returns the ranges of neighbours below `end` that are set.
fn runs(end: usize, is_set: impl Fn(usize) -> bool) -> impl Iterator<Item = (usize, usize)> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let from = (next..end).find(|&dot| is_set(dot))?;
        next = (from..end).find(|&dot| !is_set(dot)).unwrap_or(end);
        Some((from, next))
    })
}

/// An RGB colour with opacity.
///
/// ```
/// use evenstep_host::Color;
///
/// let glass = Color::rgb(0x80_C0_FF).with_alpha(0.25);
/// assert_eq!(glass.to_rgb(), 0x80_C0_FF);
/// assert_eq!(glass.alpha(), 0.25);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Color {
    rgb: u32,
    // Invariant: 0.0 <= alpha && alpha <= 1.0.
    alpha: f32,
}

impl Color {
    /// Creates an opaque colour from `0xRR_GG_BB`.
    pub const fn rgb(rgb: u32) -> Self {
        Self { rgb: rgb & 0xFF_FF_FF, alpha: 1.0 }
    }

    /// Sets the opacity, clamped to 0..=1. NaN counts as 0.
    pub const fn with_alpha(self, alpha: f32) -> Self {
        Self { alpha: if alpha.is_nan() { 0.0 } else { alpha.clamp(0.0, 1.0) }, ..self }
    }

    /// Returns the colour as `0xRR_GG_BB`, without its opacity.
    pub const fn to_rgb(self) -> u32 {
        self.rgb
    }

    /// Returns the opacity, from 0 (invisible) to 1 (opaque).
    pub const fn alpha(self) -> f32 {
        self.alpha
    }

    /// Returns red, green and blue.
    pub(crate) const fn to_bytes(self) -> [u8; 3] {
        let [_, red, green, blue] = self.rgb.to_be_bytes();
        [red, green, blue]
    }
}

#[cfg(test)]
mod tests;
