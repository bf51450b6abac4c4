//! Drawing with a graphics card, through the host's canvas.

use evenstep_host::gpu::{Gpu, Mark};
use evenstep_host::{Color, Paint as _};

use super::convex::Convex;
use super::{CORNERS_MAX, Canvas, HALF_MIN, Ink, LIGHT_CORE, LIGHT_HALO, Place};

/// A canvas on a graphics card: the same picture as the rasteriser's.
pub(crate) struct Card<'a, 'g> {
    gpu: &'a mut Gpu<'g>,
    scale: f32,
}

impl<'a, 'g> Card<'a, 'g> {
    /// A canvas on a graphics card. With `bloom`, lines and outlines glow.
    pub(crate) fn new(gpu: &'a mut Gpu<'g>, bloom: bool) -> Self {
        let scale = gpu.size().scale as f32;
        if bloom {
            gpu.set_glow(14.0 * scale, 0.28);
        }
        Self { gpu, scale }
    }

    fn pixels(&self, place: Place) -> Place {
        place.map(|along| along * self.scale)
    }

    fn half(&self, width: f32) -> f32 {
        (width * self.scale / 2.0).max(HALF_MIN)
    }
}

impl Canvas for Card<'_, '_> {
    fn size(&self) -> (f32, f32) {
        let size = self.gpu.size();
        (size.width as f32, size.height as f32)
    }

    fn clear(&mut self, [red, green, blue]: [u8; 3]) {
        self.gpu.fill(Color::rgb(u32::from_be_bytes([0, red, green, blue])));
    }

    fn rects(&mut self, rects: &[[f32; 4]], ink: Ink) {
        for &[x, y, width, height] in rects {
            let (from, to) = (self.pixels([x, y]), self.pixels([x + width, y + height]));
            self.gpu.mark(Mark::Rect { from, to }, ink.rgb, ink.strength);
        }
    }

    fn line(&mut self, from: Place, to: Place, width: f32, ink: Ink) {
        let mark = Mark::Line { from: self.pixels(from), to: self.pixels(to), half: self.half(width) };
        self.gpu.mark(mark, ink.rgb, ink.strength);
    }

    fn shape(&mut self, corners: &[Place], filling: Ink, outline: Ink, width: f32) {
        let mut places = [[0.0; 2]; CORNERS_MAX];
        for (place, &corner) in places.iter_mut().zip(corners) {
            *place = self.pixels(corner);
        }
        let places = &places[..corners.len().min(CORNERS_MAX)];
        let half = self.half(width);
        if filling.rgb == outline.rgb && Convex::of(places).is_some() {
            let mark = Mark::Convex { corners: places, half, outline: outline.strength.clamp(0.0, 1.0) };
            self.gpu.mark(mark, filling.rgb, filling.strength);
            return;
        }
        self.gpu.mark(Mark::Polygon { corners: places }, filling.rgb, filling.strength);
        for (n, &from) in places.iter().enumerate() {
            let mark = Mark::Line { from, to: places[(n + 1) % places.len()], half };
            self.gpu.mark(mark, outline.rgb, outline.strength);
        }
    }

    fn ring(&mut self, at: Place, radius: f32, width: f32, ink: Ink) {
        if radius > 0.0 {
            let mark =
                Mark::Ring { at: self.pixels(at), radius: radius * self.scale, half: self.half(width) };
            self.gpu.mark(mark, ink.rgb, ink.strength);
        }
    }

    fn glow(&mut self, at: Place, radius: f32, ink: Ink) {
        let (at, radius) = (self.pixels(at), radius * self.scale);
        if radius > 0.0 {
            self.gpu.mark(
                Mark::Light { at, radius, halo: LIGHT_HALO, core: LIGHT_CORE },
                ink.rgb,
                ink.strength,
            );
        }
    }

    fn snap(&self, along: f32) -> f32 {
        (along * self.scale).round() / self.scale
    }

    fn invert(&mut self) {
        self.gpu.invert();
    }
}
