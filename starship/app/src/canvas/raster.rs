//! Pixels in memory: a window's or a picture's.

use tiny_skia::{FillRule, LineJoin, Paint, PathBuilder, PixmapMut, PremultipliedColorU8, Stroke, Transform};

use super::{Canvas, Ink, Place};

/// Lights larger than this many pixels in radius are drawn from a sprite that is stretched.
const SPRITE: usize = 64;
/// A line that covers a larger box than this, in pixels, is a path: the box of a long slanted one is mostly empty.
const LINE_BOX_MAX: f32 = 60_000.0;

/// Paths reach no further than this, in pixels: tiny-skia panics on what is far outside.
const PATH_MAX: f32 = 16_000.0;

/// The light's falloff, made once.
pub(crate) struct Sprites {
    // From the centre to the corner of a quarter, row by row, 0 to 255.
    falloff: Vec<u8>,
}

impl Default for Sprites {
    fn default() -> Self {
        let mut falloff = Vec::with_capacity(SPRITE * SPRITE);
        for y in 0..SPRITE {
            for x in 0..SPRITE {
                let away = ((x as f32 + 0.5).hypot(y as f32 + 0.5) / SPRITE as f32).min(1.0);
                falloff.push((super::falloff(away) * 255.0) as u8);
            }
        }
        Self { falloff }
    }
}

impl std::fmt::Debug for Sprites {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sprites").finish_non_exhaustive()
    }
}

/// A canvas of `0x00RRGGBB` pixels.
///
/// tiny-skia takes them for RGBA, four bytes each; on a little-endian machine ours are BGRA, so every colour goes in
/// with red and blue swapped, and the picture needs no copy.
pub(crate) struct Raster<'a> {
    data: &'a mut [u32],
    width: usize,
    height: usize,
    scale: f32,
    sprites: &'a Sprites,
}

impl<'a> Raster<'a> {
    /// A canvas of `width` times `height` pixels, with `scale` of them a point.
    pub(crate) fn new(
        data: &'a mut [u32],
        width: usize,
        height: usize,
        scale: f32,
        sprites: &'a Sprites,
    ) -> Self {
        assert_eq!(data.len(), width * height, "a canvas has as many pixels as it says");
        Self { data, width, height, scale, sprites }
    }

    fn paths(&mut self, draw: impl FnOnce(&mut PixmapMut<'_>)) {
        let bytes = bytemuck::cast_slice_mut(self.data);
        if let Some(mut pixmap) = PixmapMut::from_bytes(bytes, self.width as u32, self.height as u32) {
            draw(&mut pixmap);
        }
    }

    /// The pixels from one place to another along an axis, cut to the canvas. NaN and what is too large stay inside.
    fn span(from: f32, to: f32, most: usize) -> (usize, usize) {
        let to = (to.ceil().max(0.0) as usize).min(most);
        ((from.floor().max(0.0) as usize).min(to), to)
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
        let strength = opacity(ink);
        let color = pack(ink.rgb);
        for &[x, y, width, height] in rects {
            let (left, right) = (x * self.scale, (x + width) * self.scale);
            let (top, bottom) = (y * self.scale, (y + height) * self.scale);
            let (first, end) = Self::span(left, right, self.width);
            for row in Self::span(top, bottom, self.height).0..Self::span(top, bottom, self.height).1 {
                let down = cover(row, top, bottom);
                let line = &mut self.data[row * self.width..][first..end];
                for (column, pixel) in line.iter_mut().enumerate() {
                    let share = (down * cover(first + column, left, right) * strength as f32) as u32;
                    *pixel = blend(*pixel, color, share);
                }
            }
        }
    }

    fn line(&mut self, from: Place, to: Place, width: f32, ink: Ink) {
        let scale = self.scale;
        let (from, to) = (from.map(|c| c * scale), to.map(|c| c * scale));
        let radius = (width * scale / 2.0).max(0.35);
        let reach = radius + 1.0;
        let (left, right) = Self::span(from[0].min(to[0]) - reach, from[0].max(to[0]) + reach, self.width);
        let (top, bottom) = Self::span(from[1].min(to[1]) - reach, from[1].max(to[1]) + reach, self.height);
        if (right - left) as f32 * (bottom - top) as f32 > LINE_BOX_MAX {
            if !is_near(&[from, to, [radius; 2]]) {
                return;
            }
            let mut path = PathBuilder::new();
            path.move_to(from[0], from[1]);
            path.line_to(to[0], to[1]);
            if let Some(path) = path.finish() {
                let stroke = Stroke { width: radius * 2.0, ..Stroke::default() };
                let paint = paint(ink);
                self.paths(|pixmap| pixmap.stroke_path(&path, &paint, &stroke, Transform::identity(), None));
            }
            return;
        }
        let (along_x, along_y) = (to[0] - from[0], to[1] - from[1]);
        let per_length_squared = 1.0 / (along_x * along_x + along_y * along_y).max(1e-6);
        let (strength, color) = (opacity(ink) as f32, pack(ink.rgb));
        for row in top..bottom {
            let y = row as f32 + 0.5 - from[1];
            let line = &mut self.data[row * self.width..][left..right];
            for (column, pixel) in line.iter_mut().enumerate() {
                let x = (left + column) as f32 + 0.5 - from[0];
                let nearest = ((x * along_x + y * along_y) * per_length_squared).clamp(0.0, 1.0);
                let (x, y) = (x - nearest * along_x, y - nearest * along_y);
                let away_squared = x * x + y * y;
                if away_squared < reach * reach {
                    let covered = (radius + 0.5 - away_squared.sqrt()).clamp(0.0, 1.0);
                    *pixel = blend(*pixel, color, (covered * strength) as u32);
                }
            }
        }
    }

    fn shape(&mut self, corners: &[Place], filling: Ink, outline: Ink, width: f32) {
        let scale = self.scale;
        if filling.strength > 0.0 && corners.iter().all(|corner| is_near(&[corner.map(|c| c * scale)])) {
            let mut path = PathBuilder::new();
            for (n, corner) in corners.iter().enumerate() {
                let [x, y] = corner.map(|c| c * scale);
                if n == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
            }
            path.close();
            if let Some(path) = path.finish() {
                let paint = paint(filling);
                self.paths(|pixmap| {
                    pixmap.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
                });
            }
        }
        if outline.strength > 0.0 {
            for n in 0..corners.len() {
                self.line(corners[n], corners[(n + 1) % corners.len()], width, outline);
            }
        }
    }

    fn ring(&mut self, at: Place, radius: f32, width: f32, ink: Ink) {
        let [x, y] = at.map(|c| c * self.scale);
        if !is_near(&[[x, y], [radius * self.scale, width * self.scale]]) {
            return;
        }
        if let Some(path) = PathBuilder::from_circle(x, y, radius * self.scale) {
            let stroke =
                Stroke { width: width * self.scale, line_join: LineJoin::Round, ..Stroke::default() };
            let paint = paint(ink);
            self.paths(|pixmap| pixmap.stroke_path(&path, &paint, &stroke, Transform::identity(), None));
        }
    }

    fn glow(&mut self, at: Place, radius: f32, ink: Ink) {
        let [x, y] = at.map(|c| c * self.scale);
        let radius = radius * self.scale;
        let (left, right) = Self::span(x - radius, x + radius, self.width);
        let (top, bottom) = Self::span(y - radius, y + radius, self.height);
        let per_pixel = SPRITE as f32 / radius.max(0.5);
        let strength = opacity(ink);
        let [red, green, blue] = ink.rgb.map(|channel| u32::from(channel) * strength / 256);
        for row in top..bottom {
            let down = ((row as f32 + 0.5 - y).abs() * per_pixel) as usize;
            if down >= SPRITE {
                continue;
            }
            let falloff = &self.sprites.falloff[down * SPRITE..][..SPRITE];
            let line = &mut self.data[row * self.width..][left..right];
            for (column, pixel) in line.iter_mut().enumerate() {
                let across = (((left + column) as f32 + 0.5 - x).abs() * per_pixel) as usize;
                let light = u32::from(falloff[across.min(SPRITE - 1)]);
                let sum = |shift: u32, channel: u32| {
                    ((*pixel >> shift & 0xFF) + ((channel * light) >> 8)).min(0xFF) << shift
                };
                *pixel = 0xFF00_0000 | sum(16, red) | sum(8, green) | sum(0, blue);
            }
        }
    }

    fn invert(&mut self) {
        self.data.iter_mut().for_each(|pixel| *pixel ^= 0x00FF_FFFF);
    }
}

/// Whether all of these are numbers that a path may have.
fn is_near(places: &[Place]) -> bool {
    places.iter().flatten().all(|along| along.abs() <= PATH_MAX)
}

/// How much of a pixel lies between two places along an axis.
fn cover(pixel: usize, from: f32, to: f32) -> f32 {
    (to.min(pixel as f32 + 1.0) - from.max(pixel as f32)).clamp(0.0, 1.0)
}

/// Opaque to tiny-skia.
fn pack([red, green, blue]: [u8; 3]) -> u32 {
    u32::from_be_bytes([0xFF, red, green, blue])
}

/// 0 to 256.
fn opacity(ink: Ink) -> u32 {
    (ink.strength.clamp(0.0, 1.0) * 256.0) as u32
}

/// `share` of the way from one colour to the other, in 256ths; two channels at a time.
fn blend(from: u32, to: u32, share: u32) -> u32 {
    let keep = 256 - share;
    let red_blue = ((from & 0xFF_00FF) * keep + (to & 0xFF_00FF) * share) >> 8 & 0xFF_00FF;
    let green = ((from & 0x00_FF00) * keep + (to & 0x00_FF00) * share) >> 8 & 0x00_FF00;
    0xFF00_0000 | red_blue | green
}

fn paint(ink: Ink) -> Paint<'static> {
    let mut paint = Paint::default();
    let [red, green, blue] = ink.rgb;
    paint.set_color_rgba8(blue, green, red, (ink.strength.clamp(0.0, 1.0) * 255.0) as u8);
    paint
}

/// Writes pixels as a PNG.
pub(crate) fn encode_png(data: &[u32], width: usize, height: usize) -> Result<Vec<u8>, String> {
    let mut pixmap = tiny_skia::Pixmap::new(width as u32, height as u32).ok_or("no memory for a picture")?;
    for (from, to) in data.iter().zip(pixmap.pixels_mut()) {
        let [_, red, green, blue] = from.to_be_bytes();
        *to =
            PremultipliedColorU8::from_rgba(red, green, blue, 0xFF).ok_or("an opaque colour is a colour")?;
    }
    pixmap.encode_png().map_err(|error| error.to_string())
}

#[cfg(not(target_endian = "little"))]
compile_error!("tiny-skia would take our pixels for others: swap the bytes first");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::{RED, WHITE};

    fn drawn(draw: impl Fn(&mut Raster<'_>)) -> Vec<u32> {
        let sprites = Sprites::default();
        let mut data = vec![0; 64 * 64];
        let mut raster = Raster::new(&mut data, 64, 64, 1.0, &sprites);
        raster.clear([0, 0, 0]);
        draw(&mut raster);
        data
    }

    #[test]
    fn every_way_of_drawing_has_the_same_red() {
        let red = pack(RED);
        let ink = Ink::new(RED, 1.0);
        let square = [[8.0, 8.0], [56.0, 8.0], [56.0, 56.0], [8.0, 56.0]];
        for data in [
            drawn(|raster| raster.rect(8.0, 8.0, 48.0, 48.0, ink)),
            drawn(|raster| raster.line([8.0, 32.0], [56.0, 32.0], 40.0, ink)),
            drawn(|raster| raster.shape(&square, ink, Ink::new(WHITE, 0.0), 1.0)),
            drawn(|raster| raster.ring([32.0, 12.0], 20.0, 30.0, ink)),
        ] {
            assert_eq!(data[32 * 64 + 32], red);
        }
    }

    #[test]
    fn nothing_outside_the_canvas_and_no_number_is_a_panic() {
        for place in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, 32.0] {
            for extent in [f32::NAN, f32::INFINITY, -1.0, 0.0, 1e30] {
                drawn(|raster| {
                    let ink = Ink::new(WHITE, 0.5);
                    raster.rect(place, place, extent, extent, ink);
                    raster.line([place, 0.0], [0.0, place], extent, ink);
                    raster.shape(&[[place, place], [extent, 0.0], [0.0, extent]], ink, ink, extent);
                    raster.ring([place, place], extent, extent, ink);
                    raster.glow([place, place], extent, ink);
                });
            }
        }
    }

    #[test]
    fn inverting_twice_changes_nothing() {
        let once = drawn(|raster| raster.glow([32.0, 32.0], 20.0, Ink::new(RED, 0.7)));
        let thrice = drawn(|raster| {
            raster.glow([32.0, 32.0], 20.0, Ink::new(RED, 0.7));
            raster.invert();
            raster.invert();
        });
        assert_eq!(once, thrice);
    }
}
