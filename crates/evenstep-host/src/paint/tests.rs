//! Looks at what the provided methods of `Paint` draw.

use super::*;
use crate::pixels::Pixels;

fn painted(paint: impl Fn(&mut Pixels<'_>)) -> Vec<u32> {
    let mut memory = vec![0; 8 * 8];
    paint(&mut Pixels::new(&mut memory, 8, 8, 2.0));
    memory
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

    fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, color: Color) {
        self.0.rect(x, y, width, height, color);
    }

    fn line(&mut self, from: [f64; 2], to: [f64; 2], width: f64, color: Color) {
        self.0.line(from, to, width, color);
    }

    fn ring(&mut self, x: f64, y: f64, radius: f64, width: f64, color: Color) {
        self.0.ring(x, y, radius, width, color);
    }

    fn shape(&mut self, corners: &[[f64; 2]], filling: Color, outline: Color, width: f64) {
        self.0.shape(corners, filling, outline, width);
    }

    fn light(&mut self, x: f64, y: f64, radius: f64, color: Color) {
        self.0.light(x, y, radius, color);
    }

    fn invert(&mut self) {
        self.0.invert();
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
        let mut by_rectangles = vec![0; 8 * 8];
        Plain(Pixels::new(&mut by_rectangles, 8, 8, 2.0)).image(x, 0.0, width, 3.0, &checkers());
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
