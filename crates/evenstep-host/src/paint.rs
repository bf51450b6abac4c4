//! What every host's canvas can draw: a few shapes, text and images.

use crate::event::Size;
use crate::font;
use crate::image::Image;

/// Draws a few anti-aliased shapes, text and images, in points from the upper left corner.
///
/// This is enough for an example, a prototype or a debug overlay to run unchanged on every host. A game that needs more
/// draws on its host's canvas directly.
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
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a canvas with `Paint`",
    note = "hosts draw on `Pixels` and on the `Canvas` of a page; a function for both takes `&mut impl Paint`"
)]
pub trait Paint {
    /// Returns the size of the canvas.
    fn size(&self) -> Size;

    /// Fills the whole canvas.
    fn fill(&mut self, color: Color);

    /// Draws a filled rectangle; `x` and `y` are its top left corner.
    fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, color: Color);

    /// Draws a filled circle; `x` and `y` are its centre.
    fn disc(&mut self, x: f64, y: f64, radius: f64, color: Color);

    /// Draws a straight line with round ends.
    fn line(&mut self, from: (f64, f64), to: (f64, f64), width: f64, color: Color);

    /// Draws text in the [built-in font](crate::font), with letters of this height; `x` and `y` are the top left corner.
    ///
    /// Dots are aligned to whole pixels, so that text is sharp at any scale. A line break starts a new line.
    ///
    /// ```
    /// # use evenstep_host::{Color, Paint, Pixels};
    /// # let mut memory = vec![0; 64 * 16];
    /// # let mut canvas = Pixels::new(&mut memory, 64, 16, 1.0);
    /// canvas.text(4.0, 4.0, 7.0, "Score: 7", Color::rgb(0xFF_FF_FF));
    /// # assert!(memory.iter().any(|&pixel| pixel == 0xFF_FF_FF));
    /// ```
    fn text(&mut self, x: f64, y: f64, height: f64, text: &str, color: Color) {
        // A canvas without a scale has no pixels to align to.
        let scale = Some(self.size().scale).filter(|&scale| scale > 0.0).unwrap_or(1.0);
        let align = |points: f64| (points * scale).round() / scale;
        let dot = height / font::HEIGHT;
        for (line, letters) in text.lines().enumerate() {
            let y = y + line as f64 * font::LINE * dot;
            for (column, letter) in letters.chars().enumerate() {
                let x = x + column as f64 * font::ADVANCE * dot;
                for (row, bits) in font::glyph(letter).into_iter().enumerate() {
                    let (top, bottom) = (align(y + row as f64 * dot), align(y + (row + 1) as f64 * dot));
                    for (from, to) in runs(5, |dot| bits & 0b10000 >> dot != 0) {
                        let (left, right) = (align(x + from as f64 * dot), align(x + to as f64 * dot));
                        self.rect(left, top, right - left, bottom - top, color);
                    }
                }
            }
        }
    }

    /// Draws an image, stretched to a rectangle; `x` and `y` are its top left corner.
    ///
    /// Pixels stay sharp when they are enlarged, as pixel art wants it: nothing is smoothed.
    fn image(&mut self, x: f64, y: f64, width: f64, height: f64, image: &Image) {
        let (across, down) = (width / f64::from(image.width()), height / f64::from(image.height()));
        for row in 0..image.height() {
            let color = |column: usize| image.color(column as u32, row);
            let mut column = 0;
            while column < image.width() as usize {
                let from = column;
                while column < image.width() as usize && color(column) == color(from) {
                    column += 1;
                }
                let (left, length) = (x + from as f64 * across, (column - from) as f64 * across);
                self.rect(left, y + f64::from(row) * down, length, down, color(from));
            }
        }
    }
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
}
