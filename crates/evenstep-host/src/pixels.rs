//! A canvas of pixels in memory.
//!
//! Its rasteriser works row by row and visits only the pixels that a shape touches: see `pixels/rows.rs`.

mod convex;
mod fill;
mod light;
mod rows;
mod stroke;

use std::fmt;

use crate::event::Size;
use crate::image::Image;
use crate::mark::{Mark, draw_shape};
use crate::paint::{Color, Paint};
use rows::{blend, span, whole};

/// A canvas of pixels in a window's buffer or any other slice of memory.
///
/// A pixel is `0x00_RR_GG_BB`. Rows run from top to bottom and pixels from left to right, without padding.
///
/// ```
/// use evenstep_host::Pixels;
///
/// let mut memory = [0; 6];
/// let mut pixels = Pixels::new(&mut memory, 3, 2, 1.0);
/// let index = pixels.width() + 2; // The third pixel of the second row.
/// pixels.data_mut()[index] = 0xFF_FF_FF;
/// ```
pub struct Pixels<'a> {
    // Invariant: data.len() == width * height.
    data: &'a mut [u32],
    width: usize,
    height: usize,
    scale: f64,
}

impl<'a> Pixels<'a> {
    /// Creates a canvas on `data`, with `scale` pixels per point.
    ///
    /// # Panics
    ///
    /// If `data` does not hold exactly `width` times `height` pixels.
    pub fn new(data: &'a mut [u32], width: u32, height: u32, scale: f64) -> Self {
        let width = width as usize;
        let height = height as usize;
        assert_eq!(data.len(), width * height, "data must hold {width} x {height} pixels");
        Self { data, width, height, scale: if scale > 0.0 && scale.is_finite() { scale } else { 1.0 } }
    }

    /// Returns the width in pixels.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Returns the height in pixels.
    pub const fn height(&self) -> usize {
        self.height
    }

    /// Returns the scale in pixels per point.
    pub const fn scale(&self) -> f64 {
        self.scale
    }

    /// Returns all pixels, row by row.
    pub const fn data(&self) -> &[u32] {
        self.data
    }

    /// Returns all pixels, row by row, to be written.
    pub const fn data_mut(&mut self) -> &mut [u32] {
        self.data
    }

    fn line_mut(&mut self, row: usize) -> &mut [u32] {
        &mut self.data[row * self.width..][..self.width]
    }

    fn mark(&mut self, mark: Mark<'_>, color: Color) {
        let is_visible = opacity(color) >= 1.0 || matches!(mark, Mark::Convex { .. });
        if !is_visible || !mark.is_drawable() {
            return;
        }
        match mark {
            Mark::Rect { from, to } => self.fill_rect(from, to, color),
            Mark::Line { from, to, half } => self.stroke_line(from, to, half, color),
            Mark::Ring { at, radius, half } => self.stroke_ring(at, radius, half, color),
            Mark::Light { at, radius } => self.add_light(at, radius, color),
            Mark::Convex { shape, half, outline } => self.draw_convex(shape, half, outline, color),
            Mark::Polygon { corners } => self.fill_shape(corners, color),
        }
    }
}

impl Paint for Pixels<'_> {
    fn size(&self) -> Size {
        Size::of_pixels(self.width as u32, self.height as u32, self.scale)
    }

    fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, color: Color) {
        self.mark(Mark::rect(self.scale, [x, y], [width, height]), color);
    }

    fn line(&mut self, from: [f64; 2], to: [f64; 2], width: f64, color: Color) {
        self.mark(Mark::line(self.scale, from, to, width), color);
    }

    fn ring(&mut self, x: f64, y: f64, radius: f64, width: f64, color: Color) {
        self.mark(Mark::ring(self.scale, [x, y], radius, width), color);
    }

    fn shape(&mut self, corners: &[[f64; 2]], filling: Color, outline: Color, width: f64) {
        draw_shape(self.scale, corners, [filling, outline], width, |mark, color| self.mark(mark, color));
    }

    fn light(&mut self, x: f64, y: f64, radius: f64, color: Color) {
        self.mark(Mark::light(self.scale, [x, y], radius), color);
    }

    fn invert(&mut self) {
        self.data.iter_mut().for_each(|pixel| *pixel ^= 0x00_FF_FF_FF);
    }

    fn image(&mut self, x: f64, y: f64, width: f64, height: f64, image: &Image) {
        let left = x * self.scale;
        let top = y * self.scale;
        let across = width * self.scale;
        let down = height * self.scale;
        let columns = f64::from(image.width());
        let rows = f64::from(image.height());
        let (first, last) = span(left as f32, (left + across) as f32, self.width);
        let (upper, lower) = span(top as f32, (top + down) as f32, self.height);
        for row in upper..lower {
            let v = (row as f64 + 0.5 - top) / down * rows;
            for column in first..last {
                let u = (column as f64 + 0.5 - left) / across * columns;
                // Only pixels whose centre is within the image. Comparisons with NaN are false.
                if u >= 0.0 && u < columns && v >= 0.0 && v < rows {
                    let color = image.color(u as u32, v as u32);
                    let pixel = &mut self.data[row * self.width + column];
                    *pixel = blend(*pixel, color.to_rgb(), whole(opacity(color)));
                }
            }
        }
    }
}

impl fmt::Debug for Pixels<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, height, scale, .. } = self;
        write!(f, "Pixels({width} x {height}, {scale} per point)")
    }
}

/// Returns the opacity of a colour, from 0 to 256.
fn opacity(color: Color) -> f32 {
    color.alpha() * 256.0
}

#[cfg(test)]
mod tests;
