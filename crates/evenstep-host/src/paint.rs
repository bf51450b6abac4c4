//! A handful of shapes that can be drawn on every host's canvas.

use crate::event::Size;

/// Draws a few anti-aliased shapes, in points from the upper left corner.
///
/// Enough for an example, a prototype or a debug overlay to run everywhere unchanged; a game that wants more draws on
/// its host's canvas itself.
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
    /// How large the canvas is.
    fn size(&self) -> Size;

    /// Covers the whole canvas.
    fn fill(&mut self, color: Color);

    /// A rectangle from its upper left corner.
    fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, color: Color);

    /// A filled circle around its centre.
    fn disc(&mut self, x: f64, y: f64, radius: f64, color: Color);

    /// A straight line with round ends.
    fn line(&mut self, from: (f64, f64), to: (f64, f64), width: f64, color: Color);
}

/// A colour, opaque unless told otherwise.
///
/// ```
/// use evenstep_host::Color;
///
/// let glass = Color::rgb(0x80_C0_FF).with_alpha(0.25);
/// assert_eq!(glass.alpha(), 0.25);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Color {
    rgb: u32,
    // Invariant: 0.0 <= alpha && alpha <= 1.0.
    alpha: f32,
}

impl Color {
    /// An opaque colour from `0xRR_GG_BB`.
    ///
    /// ```
    /// assert_eq!(evenstep_host::Color::rgb(0xFF_00_00).to_rgb(), 0xFF_00_00);
    /// ```
    pub const fn rgb(rgb: u32) -> Self {
        Self { rgb: rgb & 0xFF_FF_FF, alpha: 1.0 }
    }

    /// The same colour, so opaque: clamped to 0..=1, and NaN is 0.
    ///
    /// ```
    /// assert_eq!(evenstep_host::Color::rgb(0).with_alpha(7.0).alpha(), 1.0);
    /// ```
    pub const fn with_alpha(self, alpha: f32) -> Self {
        Self { alpha: if alpha.is_nan() { 0.0 } else { alpha.clamp(0.0, 1.0) }, ..self }
    }

    /// The colour as `0xRR_GG_BB`.
    ///
    /// ```
    /// assert_eq!(evenstep_host::Color::rgb(0x12_34_56).to_rgb(), 0x12_34_56);
    /// ```
    pub const fn to_rgb(self) -> u32 {
        self.rgb
    }

    /// From 0, which cannot be seen, to 1, which hides what is behind.
    ///
    /// ```
    /// assert_eq!(evenstep_host::Color::rgb(0).alpha(), 1.0);
    /// ```
    pub const fn alpha(self) -> f32 {
        self.alpha
    }
}
