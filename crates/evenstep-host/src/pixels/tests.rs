//! Compares the pixelsiser with a slow and simple reference that samples every pixel at 256 positions.

use super::*;
use crate::paint::falloff;

const SIZE: usize = 64;
/// The value of a channel is the coverage.
const WHITE: Color = Color::rgb(0xFF_FF_FF);
const RED: Color = Color::rgb(0xFF_54_5C);

type Place = [f64; 2];

fn drawn(draw: impl Fn(&mut Pixels<'_>)) -> Vec<u32> {
    drawn_on(SIZE, SIZE, draw)
}

fn drawn_on(width: usize, height: usize, draw: impl Fn(&mut Pixels<'_>)) -> Vec<u32> {
    let mut data = vec![0; width * height];
    draw(&mut Pixels::new(&mut data, width as u32, height as u32, 1.0));
    data
}

/// The coverage of each pixel, from 0 to 1.
fn sampled(is_covered: impl Fn(Place) -> bool) -> Vec<f64> {
    let place = |pixel: usize, n: usize| pixel as f64 + (n as f64 + 0.5) / 16.0;
    let share = |x, y| {
        let places = (0..256).filter(|n| is_covered([place(x, n % 16), place(y, n / 16)]));
        places.count() as f64 / 256.0
    };
    (0..SIZE * SIZE).map(|n| share(n % SIZE, n / SIZE)).collect()
}

/// Asserts that no pixel differs from its coverage by more than `most`, and all pixels on average by at most `mean`.
fn assert_alike(data: &[u32], shares: &[f64], most: f64, mean: f64, what: &str) {
    let mut sum = 0.0;
    for (n, (pixel, share)) in data.iter().zip(shares).enumerate() {
        let off = ((pixel & 0xFF) as f64 / 255.0 - share).abs();
        assert!(off <= most, "{what}: {off} off at {} {}", n % SIZE, n / SIZE);
        sum += off;
    }
    let touched = shares.iter().filter(|&&share| share > 0.0).count().max(1);
    assert!(sum / touched as f64 <= mean, "{what}: {} off a touched pixel", sum / touched as f64);
}

struct Dice(u32);

impl Dice {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        low + (high - low) * (self.0 as f64 / u32::MAX as f64)
    }

    fn place(&mut self) -> Place {
        [self.between(-10.0, 74.0), self.between(-10.0, 74.0)]
    }
}

fn distance([x, y]: Place, from: Place, to: Place) -> f64 {
    let along_x = to[0] - from[0];
    let along_y = to[1] - from[1];
    let squared = (along_x * along_x + along_y * along_y).max(1e-6);
    let share = (((x - from[0]) * along_x + (y - from[1]) * along_y) / squared).clamp(0.0, 1.0);
    (x - from[0] - share * along_x).hypot(y - from[1] - share * along_y)
}

/// Whether a position is inside a shape.
fn encloses(corners: &[Place], [x, y]: Place) -> bool {
    let crossed = (0..corners.len()).filter(|&n| {
        let from = corners[n];
        let to = corners[(n + 1) % corners.len()];
        (from[1] > y) != (to[1] > y) && x < from[0] + (y - from[1]) * (to[0] - from[0]) / (to[1] - from[1])
    });
    crossed.count() % 2 == 1
}

fn regular(dice: &mut Dice, corners: usize) -> Vec<Place> {
    let [x, y] = dice.place();
    let radius = dice.between(3.0, 30.0);
    let turn = dice.between(0.0, 7.0);
    let corner = |n: usize| {
        let (sin, cos) = (turn + std::f64::consts::TAU * n as f64 / corners as f64).sin_cos();
        [x + radius * cos, y + radius * sin]
    };
    (0..corners).map(corner).collect()
}

#[test]
fn a_rectangle_covers_the_share_of_each_pixel_that_lies_in_it() {
    let mut dice = Dice(1);
    for _ in 0..60 {
        let [x, y] = dice.place();
        let width = dice.between(0.1, 40.0);
        let height = dice.between(0.1, 40.0);
        let data = drawn(|pixels| pixels.rect(x, y, width, height, WHITE));
        let cover = |pixel: usize, from: f64, to: f64| {
            (to.min(pixel as f64 + 1.0) - from.max(pixel as f64)).clamp(0.0, 1.0)
        };
        let shares: Vec<f64> = (0..SIZE * SIZE)
            .map(|n| cover(n % SIZE, x, x + width) * cover(n / SIZE, y, y + height))
            .collect();
        assert_alike(&data, &shares, 0.01, 0.01, &format!("{x} {y} {width} {height}"));
    }
}

#[test]
fn a_shape_has_its_area_at_any_scale() {
    let painted = |paint: fn(&mut Pixels<'_>)| {
        let mut memory = [0; 8 * 8];
        paint(&mut Pixels::new(&mut memory, 8, 8, 2.0));
        memory
    };
    let square = painted(|pixels| pixels.rect(1.0, 1.0, 2.0, 2.0, WHITE));
    assert_eq!(square.iter().filter(|&&pixel| pixel == 0xFF_FF_FF).count(), 16);
    assert_eq!(square.iter().filter(|&&pixel| pixel == 0).count(), 48);

    let disc = painted(|pixels| pixels.disc(2.0, 2.0, 1.5, WHITE));
    let area: f64 = disc.iter().map(|&pixel| f64::from(pixel & 0xFF) / 255.0).sum();
    assert!((area - 9.0 * std::f64::consts::PI).abs() < 0.5, "{area}");
}

#[test]
fn a_line_covers_what_is_within_half_its_width() {
    let mut dice = Dice(2);
    for _ in 0..60 {
        let from = dice.place();
        let to = dice.place();
        let width = dice.between(1.0, 12.0);
        let data = drawn(|pixels| pixels.line(from, to, width, WHITE));
        let shares = sampled(|place| distance(place, from, to) < width / 2.0);
        assert_alike(&data, &shares, 0.14, 0.03, &format!("{from:?} {to:?} {width}"));
    }
    let dot = drawn(|pixels| pixels.line([30.0, 30.0], [30.0, 30.0], 8.0, WHITE));
    let shares = sampled(|[x, y]| (x - 30.0).hypot(y - 30.0) < 4.0);
    assert_alike(&dot, &shares, 0.14, 0.03, "a line without length is a dot");
}

#[test]
fn upright_and_level_lines_are_whole() {
    for (from, to) in [([30.0, -5.0], [30.0, 70.0]), ([-5.0, 30.0], [70.0, 30.0])] {
        let data = drawn(|pixels| pixels.line(from, to, 4.0, WHITE));
        let shares = sampled(|place| distance(place, from, to) < 2.0);
        assert_alike(&data, &shares, 0.01, 0.01, &format!("{from:?} {to:?}"));
    }
}

#[test]
fn a_ring_covers_what_is_within_half_its_width_of_the_circle() {
    let mut dice = Dice(3);
    for _ in 0..60 {
        let [x, y] = dice.place();
        let radius = dice.between(0.5, 40.0);
        let width = dice.between(1.0, 12.0);
        // If the hole of a ring is smaller than a pixel, its edges meet within one.
        let width = if (radius - width / 2.0).abs() < 1.0 { width + 4.0 } else { width };
        let data = drawn(|pixels| pixels.ring(x, y, radius, width, WHITE));
        let shares = sampled(|place| ((place[0] - x).hypot(place[1] - y) - radius).abs() < width / 2.0);
        assert_alike(&data, &shares, 0.16, 0.03, &format!("{x} {y} {radius} {width}"));
    }
}

#[test]
fn a_filling_covers_what_its_corners_enclose() {
    let mut dice = Dice(4);
    let none = WHITE.with_alpha(0.0);
    for n in 0..60 {
        let corners = if n % 3 == 0 {
            // The ship's hull, which is concave.
            let [x, y] = dice.place();
            let size = dice.between(4.0, 20.0);
            vec![[x, y - size], [x + size, y + size], [x, y + size / 2.0], [x - size, y + size]]
        } else {
            regular(&mut dice, 3 + n % 6)
        };
        let data = drawn(|pixels| pixels.shape(&corners, WHITE, none, 1.0));
        let shares = sampled(|place| encloses(&corners, place));
        assert_alike(&data, &shares, 0.3, 0.03, &format!("{corners:?}"));
    }
}

#[test]
fn an_outline_covers_what_is_within_half_its_width_of_the_edges_and_meets_at_the_corners() {
    let mut dice = Dice(5);
    for n in 0..60 {
        let corners = regular(&mut dice, 3 + n % 6);
        let width = dice.between(1.0, 6.0);
        let data = drawn(|pixels| {
            pixels.shape(&corners, WHITE.with_alpha(0.0), WHITE, width);
        });
        let mut shares = sampled(|place| {
            (0..corners.len())
                .any(|n| distance(place, corners[n], corners[(n + 1) % corners.len()]) < width / 2.0)
        });
        // Corners may be round or pointed, so pixels near one are not compared.
        for (pixel, share) in shares.iter_mut().enumerate() {
            let centre = [(pixel % SIZE) as f64 + 0.5, (pixel / SIZE) as f64 + 0.5];
            if corners.iter().any(|&corner| distance(centre, corner, corner) < width * 1.1 + 2.0) {
                *share = (data[pixel] & 0xFF) as f64 / 255.0;
            }
        }
        assert_alike(&data, &shares, 0.14, 0.03, &format!("{corners:?} {width}"));
    }
}

#[test]
fn a_light_is_as_bright_as_its_falloff_says() {
    let mut dice = Dice(6);
    for n in 0..120 {
        let [x, y] = dice.place();
        let strength = dice.between(0.0, 1.0);
        let radius = if n % 4 == 0 { dice.between(300.0, 900.0) } else { dice.between(1.0, 60.0) };
        let data = drawn(|pixels| pixels.light(x, y, radius, RED.with_alpha(strength as f32)));
        for (n, pixel) in data.iter().enumerate() {
            let away = ((n % SIZE) as f64 + 0.5 - x).hypot((n / SIZE) as f64 + 0.5 - y) / radius;
            for (shift, channel) in [16, 8, 0].into_iter().zip(RED.to_bytes()) {
                let light = f64::from(channel) * strength * f64::from(falloff(away as f32));
                let off = ((pixel >> shift & 0xFF) as f64 - light).abs();
                assert!(off < 1.6, "{off} off at {n}: {x} {y} {radius} {strength}");
            }
        }
    }
}

#[test]
fn lights_add_up_to_white_and_no_further() {
    let data = drawn(|pixels| {
        for _ in 0..40 {
            pixels.light(32.0, 32.0, 200.0, RED);
        }
    });
    assert_eq!(data[32 * SIZE + 32], 0x00FF_FFFF);
}

#[test]
fn a_light_that_moves_by_an_eighth_of_a_pixel_is_seen_to_move_by_that() {
    let middle = |x: f64| {
        let data = drawn(|pixels| pixels.light(x, 32.0, 14.0, WHITE));
        let light = |n: usize| f64::from(data[n] & 0xFF);
        let sum: f64 = (0..data.len()).map(light).sum();
        (0..data.len()).map(|n| light(n) * ((n % SIZE) as f64 + 0.5)).sum::<f64>() / sum
    };
    for step in 0..16 {
        let x = 30.0 + step as f64 / 8.0;
        assert!((middle(x) - x).abs() < 0.04, "{x} is seen at {}", middle(x));
    }
}

#[test]
fn a_part_of_an_image_is_the_image_of_that_part() {
    // All widths, so that rows start and end anywhere in a group of pixels.
    let image = |pixels: &mut Pixels<'_>, left: f64, top: f64| {
        let mut dice = Dice(7);
        for n in 0..40 {
            let rgb = u32::from_be_bytes([0, n * 6, 255 - n * 5, 180]);
            let color = Color::rgb(rgb).with_alpha(dice.between(0.1, 1.0) as f32);
            let mut place = || {
                let [x, y] = dice.place();
                [x - left, y - top]
            };
            let from = place();
            let to = place();
            pixels.rect(from[0], from[1], 9.3, 20.7, color);
            pixels.line(from, to, 2.5, color);
            pixels.ring(to[0], to[1], 11.0, 2.0, color);
            pixels.shape(&[from, to, [to[0] + 9.0, to[1] + 3.0]], color, color, 2.0);
            pixels.light(from[0], from[1], 17.0, color);
        }
    };
    let whole = drawn(|pixels| image(pixels, 0.0, 0.0));
    for n in 0..20 {
        let width = 1 + n * 2;
        let height = 3 + n;
        let left = n % 7;
        let top = n % 5;
        let part = drawn_on(width, height, |pixels| image(pixels, left as f64, top as f64));
        for (at, pixel) in part.iter().enumerate() {
            let same = whole[(top + at / width) * SIZE + left + at % width];
            for (a, b) in pixel.to_le_bytes().into_iter().zip(same.to_le_bytes()) {
                // Moved positions round differently, and each of 200 shapes may be off by one.
                assert!(a.abs_diff(b) <= 4, "{width} wide: {pixel:06x} for {same:06x} at {at}");
            }
        }
    }
}

#[test]
fn what_cannot_be_seen_changes_nothing() {
    let data = drawn(|pixels| {
        let faint = WHITE.with_alpha(0.003);
        pixels.light(32.0, 32.0, 30.0, faint);
        pixels.line([0.0, 0.0], [60.0, 60.0], 3.0, faint);
        pixels.ring(32.0, 32.0, 10.0, 3.0, WHITE.with_alpha(-1.0));
        pixels.rect(-20.0, -20.0, 10.0, 500.0, WHITE);
        pixels.shape(&[], WHITE, WHITE, 3.0);
    });
    assert!(data.iter().all(|&pixel| pixel == 0));
}

#[test]
fn an_image_is_the_same_every_time_and_leaves_the_topmost_byte_empty() {
    let image = || {
        drawn(|pixels| {
            pixels.fill(WHITE);
            pixels.light(20.0, 20.0, 30.0, RED.with_alpha(0.8));
            pixels.rect(3.2, 4.7, 40.0, 40.0, RED.with_alpha(0.4));
            pixels.ring(32.0, 32.0, 20.0, 3.0, WHITE.with_alpha(0.7));
            pixels.invert();
        })
    };
    assert_eq!(image(), image());
    assert!(image().iter().all(|pixel| pixel >> 24 == 0));
}

#[test]
fn every_way_of_drawing_has_the_same_red() {
    let square = [[8.0, 8.0], [56.0, 8.0], [56.0, 56.0], [8.0, 56.0]];
    for data in [
        drawn(|pixels| pixels.rect(8.0, 8.0, 48.0, 48.0, RED)),
        drawn(|pixels| pixels.line([8.0, 32.0], [56.0, 32.0], 40.0, RED)),
        drawn(|pixels| pixels.shape(&square, RED, WHITE.with_alpha(0.0), 1.0)),
        drawn(|pixels| pixels.shape(&square, RED, RED, 1.0)),
        drawn(|pixels| pixels.ring(32.0, 12.0, 20.0, 30.0, RED)),
        drawn(|pixels| pixels.disc(32.0, 32.0, 20.0, RED)),
    ] {
        assert_eq!(data[32 * SIZE + 32], RED.to_rgb());
    }
}

#[test]
fn nothing_outside_the_canvas_and_no_number_is_a_panic() {
    for place in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 1e30, -1e30, 1e5, 32.0] {
        for extent in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e-30, 1e30, 1e300] {
            for alpha in [f32::NAN, 0.5] {
                drawn(|pixels| {
                    let color = WHITE.with_alpha(alpha);
                    pixels.rect(place, place, extent, extent, color);
                    pixels.disc(place, place, extent, color);
                    pixels.line([place, 0.0], [0.0, place], extent, color);
                    pixels.shape(&[[place, place], [extent, 0.0], [0.0, extent]], color, color, extent);
                    pixels.ring(place, place, extent, extent, color);
                    pixels.light(place, place, extent, color);
                    pixels.text(place, place, extent, "A\n\u{1F680}z", color);
                    pixels.image(place, place, extent, extent, &Image::from_rgba(1, 2, [9; 8]));
                    pixels.image(place, place, extent, extent, &Image::from_rgba(0, 3, []));
                });
            }
        }
    }
}

#[test]
fn inverting_twice_changes_nothing() {
    let once = drawn(|pixels| pixels.light(32.0, 32.0, 20.0, RED.with_alpha(0.7)));
    let thrice = drawn(|pixels| {
        pixels.light(32.0, 32.0, 20.0, RED.with_alpha(0.7));
        pixels.invert();
        pixels.invert();
    });
    assert_eq!(once, thrice);
}
