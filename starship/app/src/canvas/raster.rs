//! A rasteriser for pixels in memory, for a window or a screenshot.
//!
//! It works row by row and visits only the pixels that a shape touches: see `rows`.

mod convex;
mod fill;
mod light;
mod png;
mod rows;
mod stroke;

pub(crate) use png::encode_png;

use super::convex::Convex;
use super::{CORNERS_MAX, Canvas, HALF_MIN, Ink, Place, is_near};
use rows::pack;

/// A canvas of `0x00RRGGBB` pixels.
pub(crate) struct Raster<'a> {
    data: &'a mut [u32],
    width: usize,
    height: usize,
    scale: f32,
}

impl<'a> Raster<'a> {
    /// A canvas of `width` times `height` pixels, with `scale` of them a point.
    pub(crate) fn new(data: &'a mut [u32], width: usize, height: usize, scale: f32) -> Self {
        assert_eq!(data.len(), width * height, "the number of pixels must match the size");
        Self { data, width, height, scale }
    }

    fn line_mut(&mut self, row: usize) -> &mut [u32] {
        &mut self.data[row * self.width..][..self.width]
    }

    fn pixels(&self, place: Place) -> Place {
        place.map(|along| along * self.scale)
    }
}

impl Canvas for Raster<'_> {
    fn size(&self) -> (f32, f32) {
        (self.width as f32 / self.scale, self.height as f32 / self.scale)
    }

    fn clear(&mut self, rgb: [u8; 3]) {
        self.data.fill(pack(rgb));
    }

    fn rects(&mut self, rects: &[[f32; 4]], ink: Ink) {
        for &[x, y, width, height] in rects {
            self.fill_rect(self.pixels([x, y]), self.pixels([x + width, y + height]), ink);
        }
    }

    fn line(&mut self, from: Place, to: Place, width: f32, ink: Ink) {
        self.stroke_line(self.pixels(from), self.pixels(to), width * self.scale, ink);
    }

    fn shape(&mut self, corners: &[Place], filling: Ink, outline: Ink, width: f32) {
        let mut places = [[0.0; 2]; CORNERS_MAX];
        for (place, &corner) in places.iter_mut().zip(corners) {
            *place = self.pixels(corner);
        }
        let places = &places[..corners.len().min(CORNERS_MAX)];
        let width = width * self.scale;
        if filling.rgb == outline.rgb
            && let Some(shape) = Convex::of(places)
        {
            self.draw_convex(&shape, filling, outline, (width / 2.0).max(HALF_MIN));
            return;
        }
        self.fill_shape(places, filling);
        for (n, &from) in places.iter().enumerate() {
            self.stroke_line(from, places[(n + 1) % places.len()], width, outline);
        }
    }

    fn ring(&mut self, at: Place, radius: f32, width: f32, ink: Ink) {
        self.stroke_ring(self.pixels(at), radius * self.scale, width * self.scale, ink);
    }

    fn glow(&mut self, at: Place, radius: f32, ink: Ink) {
        self.add_light(self.pixels(at), radius * self.scale, ink);
    }

    fn snap(&self, along: f32) -> f32 {
        (along * self.scale).round() / self.scale
    }

    fn invert(&mut self) {
        self.data.iter_mut().for_each(|pixel| *pixel ^= 0x00FF_FFFF);
    }
}

/// The opacity of an ink, from 0 to 256.
fn opacity(ink: Ink) -> f32 {
    ink.strength.clamp(0.0, 1.0) * 256.0
}

#[cfg(test)]
mod tests;
