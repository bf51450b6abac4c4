//! A few shapes that every host's canvas can draw.

use crate::event::Size;

/// Draws a few anti-aliased shapes, in points from the upper left corner.
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
