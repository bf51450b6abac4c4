//! A canvas of pixels in memory.

use std::fmt;

use crate::event::Size;
use crate::image::Image;
use crate::paint::{Color, Paint};

/// A canvas of pixels in a window's buffer or any other slice of memory.
///
/// A pixel is `0x00_RR_GG_BB`. Rows run from top to bottom and pixels from left to right, without padding.
///
/// ```
/// use evenstep_host::Pixels;
///
/// let mut memory = [0; 6];
/// let mut pixels = Pixels::new(&mut memory, 3, 2, 1.0);
/// let (x, y) = (2, 1);
/// let index = y * pixels.width() + x;
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
        let (width, height) = (width as usize, height as usize);
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

    /// Paints the pixels within `bounds`. `coverage` takes a pixel's centre and returns how much of it to cover.
    fn shade(&mut self, bounds: Bounds, color: Color, coverage: impl Fn(f64, f64) -> f64) {
        let (left, right) = span(bounds.left, bounds.right, self.width);
        let (top, bottom) = span(bounds.top, bounds.bottom, self.height);
        let opacity = f64::from(color.alpha());
        for row in top..bottom {
            let line = &mut self.data[row * self.width..][left..right];
            for (column, pixel) in line.iter_mut().enumerate() {
                let covered = coverage((left + column) as f64 + 0.5, row as f64 + 0.5);
                *pixel = blend(*pixel, color.to_rgb(), covered.clamp(0.0, 1.0) * opacity);
            }
        }
    }
}

impl Paint for Pixels<'_> {
    fn size(&self) -> Size {
        Size::of_pixels(self.width as u32, self.height as u32, self.scale)
    }

    fn fill(&mut self, color: Color) {
        if color.alpha() < 1.0 {
            let size = self.size();
            self.rect(0.0, 0.0, size.width, size.height, color);
        } else {
            self.data.fill(color.to_rgb());
        }
    }

    fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, color: Color) {
        let scale = self.scale;
        let (left, right) = (x * scale, (x + width) * scale);
        let (top, bottom) = (y * scale, (y + height) * scale);
        self.shade(Bounds { left, right, top, bottom }, color, |x, y| {
            let across = (x + 0.5).min(right) - (x - 0.5).max(left);
            let down = (y + 0.5).min(bottom) - (y - 0.5).max(top);
            across.max(0.0) * down.max(0.0)
        });
    }

    fn disc(&mut self, x: f64, y: f64, radius: f64, color: Color) {
        let (x, y, radius) = (x * self.scale, y * self.scale, radius * self.scale);
        self.shade(Bounds::around((x, y), (x, y), radius), color, |px, py| {
            radius + 0.5 - (px - x).hypot(py - y)
        });
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), width: f64, color: Color) {
        let scale = self.scale;
        let (from, to) = ((from.0 * scale, from.1 * scale), (to.0 * scale, to.1 * scale));
        let radius = width * scale / 2.0;
        let (along_x, along_y) = (to.0 - from.0, to.1 - from.1);
        let length_squared = along_x * along_x + along_y * along_y;
        self.shade(Bounds::around(from, to, radius), color, |x, y| {
            let (x, y) = (x - from.0, y - from.1);
            let nearest = if length_squared > 0.0 {
                ((x * along_x + y * along_y) / length_squared).clamp(0.0, 1.0)
            } else {
                0.0
            };
            radius + 0.5 - (x - nearest * along_x).hypot(y - nearest * along_y)
        });
    }

    fn image(&mut self, x: f64, y: f64, width: f64, height: f64, image: &Image) {
        let (left, top) = (x * self.scale, y * self.scale);
        let (across, down) = (width * self.scale, height * self.scale);
        let (columns, rows) = (f64::from(image.width()), f64::from(image.height()));
        let (first, last) = span(left, left + across, self.width);
        let (upper, lower) = span(top, top + down, self.height);
        for row in upper..lower {
            let v = (row as f64 + 0.5 - top) / down * rows;
            for column in first..last {
                let u = (column as f64 + 0.5 - left) / across * columns;
                // Only pixels whose centre is within the image. Comparisons with NaN are false.
                if u >= 0.0 && u < columns && v >= 0.0 && v < rows {
                    let color = image.color(u as u32, v as u32);
                    let pixel = &mut self.data[row * self.width + column];
                    *pixel = blend(*pixel, color.to_rgb(), color.alpha().into());
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

/// A rectangle, in pixels.
#[derive(Clone, Copy)]
struct Bounds {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Bounds {
    /// Returns the bounds of the line from `a` to `b` with a radius, plus a pixel for its smooth edge.
    fn around(a: (f64, f64), b: (f64, f64), radius: f64) -> Self {
        let reach = radius + 1.0;
        Self {
            left: a.0.min(b.0) - reach,
            right: a.0.max(b.0) + reach,
            top: a.1.min(b.1) - reach,
            bottom: a.1.max(b.1) + reach,
        }
    }
}

/// Returns the range of pixels between two positions, clamped to the canvas, whatever the numbers.
fn span(from: f64, to: f64, limit: usize) -> (usize, usize) {
    let to = (to.ceil().max(0.0) as usize).min(limit);
    ((from.floor().max(0.0) as usize).min(to), to)
}

/// Mixes two colours: a `share` of 0 is all `from`, 1 is all `to`.
fn blend(from: u32, to: u32, share: f64) -> u32 {
    let share = (share * 256.0).round() as u32;
    let mix = |shift: u32| {
        let (from, to) = (from >> shift & 0xFF, to >> shift & 0xFF);
        (from * (256 - share) + to * share) >> 8 << shift
    };
    mix(16) | mix(8) | mix(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn painted(paint: impl Fn(&mut Pixels<'_>)) -> Vec<u32> {
        let mut memory = vec![0; 8 * 8];
        paint(&mut Pixels::new(&mut memory, 8, 8, 2.0));
        memory
    }

    #[test]
    fn a_shape_covers_its_area_and_no_more() {
        let white = Color::rgb(0xFF_FF_FF);
        let square = painted(|pixels| pixels.rect(1.0, 1.0, 2.0, 2.0, white));
        assert_eq!(square.iter().filter(|&&pixel| pixel == 0xFF_FF_FF).count(), 16);
        assert_eq!(square.iter().filter(|&&pixel| pixel == 0).count(), 48);

        let area: f64 = painted(|pixels| pixels.disc(2.0, 2.0, 1.5, white))
            .iter()
            .map(|&pixel| f64::from(pixel & 0xFF) / 255.0)
            .sum();
        assert!((area - 9.0 * std::f64::consts::PI).abs() < 0.5, "{area}");
    }

    #[test]
    fn no_position_or_size_panics() {
        for position in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 4.0] {
            for extent in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300] {
                painted(|pixels| {
                    pixels.rect(position, position, extent, extent, Color::rgb(1));
                    pixels.disc(position, position, extent, Color::rgb(1));
                    pixels.line((position, 0.0), (0.0, position), extent, Color::rgb(1));
                    pixels.text(position, position, extent, "A\n\u{1F680}z", Color::rgb(1));
                    pixels.image(position, position, extent, extent, &checkers());
                    pixels.image(position, position, extent, extent, &Image::from_rgba(0, 3, []));
                });
            }
        }
    }

    /// Red and half of blue, above a clear pixel and green.
    fn checkers() -> Image {
        Image::from_rgba(2, 2, [255, 0, 0, 255, 0, 0, 255, 128, 9, 9, 9, 0, 0, 255, 0, 255])
    }

    /// A canvas that has only what every canvas must have.
    struct Plain<'a>(Pixels<'a>);

    impl Paint for Plain<'_> {
        fn size(&self) -> Size {
            self.0.size()
        }

        fn fill(&mut self, color: Color) {
            self.0.fill(color);
        }

        fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, color: Color) {
            self.0.rect(x, y, width, height, color);
        }

        fn disc(&mut self, x: f64, y: f64, radius: f64, color: Color) {
            self.0.disc(x, y, radius, color);
        }

        fn line(&mut self, from: (f64, f64), to: (f64, f64), width: f64, color: Color) {
            self.0.line(from, to, width, color);
        }
    }

    #[test]
    fn an_image_covers_its_rectangle_without_smoothing() {
        let drawn = painted(|pixels| pixels.image(1.0, 0.0, 2.0, 2.0, &checkers()));
        let row = |y: usize| &drawn[y * 8..][..8];
        assert_eq!(row(0), [0, 0, 0xFF_00_00, 0xFF_00_00, 0x80, 0x80, 0, 0]);
        assert_eq!(row(3), [0, 0, 0, 0, 0x00_FF_00, 0x00_FF_00, 0, 0]);
        assert_eq!(row(4), [0; 8]);
    }

    #[test]
    fn an_image_looks_the_same_on_a_canvas_that_only_has_rectangles() {
        for (x, width) in [(0.0, 4.0), (1.0, 2.0), (-1.0, 3.0), (2.0, 40.0)] {
            let direct = painted(|pixels| pixels.image(x, 0.0, width, 3.0, &checkers()));
            let by_rectangles = painted(|pixels| {
                let size = (pixels.width as u32, pixels.height as u32);
                Plain(Pixels::new(pixels.data, size.0, size.1, pixels.scale)).image(
                    x,
                    0.0,
                    width,
                    3.0,
                    &checkers(),
                );
            });
            assert_eq!(direct, by_rectangles, "{width} wide at {x}");
        }
    }

    #[test]
    #[should_panic(expected = "an image of 2 x 2 pixels needs 4 bytes for each, not 15 in all")]
    fn an_image_of_the_wrong_size_is_refused() {
        Image::from_rgba(2, 2, [0; 15]);
    }

    #[test]
    fn text_is_the_dots_of_its_letters_at_any_position() {
        for (x, y) in [(0.0, 0.0), (0.2, 0.1), (-0.2, 0.24)] {
            let mut memory = [0; 13 * 18];
            Pixels::new(&mut memory, 13, 18, 1.0).text(x, y, 7.0, "it\nT", Color::rgb(0xFF_FF_FF));
            let rows = memory
                .chunks(13)
                .map(|row| row.iter().map(|&pixel| if pixel == 0 { '.' } else { '#' }).collect::<String>());
            assert!(memory.iter().all(|&pixel| pixel == 0 || pixel == 0xFF_FF_FF), "sharp");
            let expected = [
                ".###..#####..",
                "..#.....#....",
                "..#.....#....",
                "..#.....#....",
                "..#.....#....",
                "..#.....#....",
                ".###....#....",
                ".............",
                ".............",
                ".............",
                "#####........",
                "..#..........",
                "..#..........",
                "..#..........",
                "..#..........",
                "..#..........",
                "..#..........",
                ".............",
            ];
            assert_eq!(rows.collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn a_transparent_fill_changes_nothing() {
        let clear = Color::rgb(0xFF_FF_FF).with_alpha(0.0);
        assert!(painted(|pixels| pixels.fill(clear)).iter().all(|&pixel| pixel == 0));
    }
}
