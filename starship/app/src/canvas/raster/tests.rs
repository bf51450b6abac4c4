//! Compares the rasteriser with a slow and simple reference that samples every pixel at 256 positions.

use super::*;
use crate::canvas::{RED, WHITE, falloff};

const SIZE: usize = 64;
/// White, so that the value of a channel is the coverage.
const BRIGHT: [u8; 3] = [255; 3];

fn drawn(draw: impl Fn(&mut Raster<'_>)) -> Vec<u32> {
    drawn_on(SIZE, SIZE, draw)
}

fn drawn_on(width: usize, height: usize, draw: impl Fn(&mut Raster<'_>)) -> Vec<u32> {
    let mut data = vec![0; width * height];
    let mut raster = Raster::new(&mut data, width, height, 1.0);
    raster.clear([0, 0, 0]);
    draw(&mut raster);
    data
}

/// The coverage of each pixel, from 0 to 1.
fn sampled(is_covered: impl Fn(Place) -> bool) -> Vec<f32> {
    let place = |pixel: usize, n: usize| pixel as f32 + (n as f32 + 0.5) / 16.0;
    let share = |x, y| {
        let places = (0..256).filter(|n| is_covered([place(x, n % 16), place(y, n / 16)]));
        places.count() as f32 / 256.0
    };
    (0..SIZE * SIZE).map(|n| share(n % SIZE, n / SIZE)).collect()
}

/// Asserts that no pixel differs from its coverage by more than `most`, and all pixels on average by at most `mean`.
fn assert_alike(data: &[u32], shares: &[f32], most: f32, mean: f32, what: &str) {
    let mut sum = 0.0;
    for (n, (pixel, share)) in data.iter().zip(shares).enumerate() {
        let off = ((pixel & 0xFF) as f32 / 255.0 - share).abs();
        assert!(off <= most, "{what}: {off} off at {} {}", n % SIZE, n / SIZE);
        sum += off;
    }
    let touched = shares.iter().filter(|&&share| share > 0.0).count().max(1);
    assert!(sum / touched as f32 <= mean, "{what}: {} off a touched pixel", sum / touched as f32);
}

struct Dice(u32);

impl Dice {
    fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        low + (high - low) * (self.0 as f32 / u32::MAX as f32)
    }

    fn place(&mut self) -> Place {
        [self.between(-10.0, 74.0), self.between(-10.0, 74.0)]
    }
}

fn distance([x, y]: Place, from: Place, to: Place) -> f32 {
    let (along_x, along_y) = (to[0] - from[0], to[1] - from[1]);
    let squared = (along_x * along_x + along_y * along_y).max(1e-6);
    let share = (((x - from[0]) * along_x + (y - from[1]) * along_y) / squared).clamp(0.0, 1.0);
    (x - from[0] - share * along_x).hypot(y - from[1] - share * along_y)
}

/// Whether a position is inside a shape.
fn encloses(corners: &[Place], [x, y]: Place) -> bool {
    let crossed = (0..corners.len()).filter(|&n| {
        let (from, to) = (corners[n], corners[(n + 1) % corners.len()]);
        (from[1] > y) != (to[1] > y) && x < from[0] + (y - from[1]) * (to[0] - from[0]) / (to[1] - from[1])
    });
    crossed.count() % 2 == 1
}

fn regular(dice: &mut Dice, corners: usize) -> Vec<Place> {
    let ([x, y], radius, turn) = (dice.place(), dice.between(3.0, 30.0), dice.between(0.0, 7.0));
    let corner = |n: usize| {
        let (sin, cos) = (turn + std::f32::consts::TAU * n as f32 / corners as f32).sin_cos();
        [x + radius * cos, y + radius * sin]
    };
    (0..corners).map(corner).collect()
}

#[test]
fn a_rectangle_covers_the_share_of_each_pixel_that_lies_in_it() {
    let mut dice = Dice(1);
    for _ in 0..60 {
        let ([x, y], width, height) = (dice.place(), dice.between(0.1, 40.0), dice.between(0.1, 40.0));
        let data = drawn(|raster| raster.rect(x, y, width, height, Ink::new(BRIGHT, 1.0)));
        let cover = |pixel: usize, from: f32, to: f32| {
            (to.min(pixel as f32 + 1.0) - from.max(pixel as f32)).clamp(0.0, 1.0)
        };
        let shares: Vec<f32> = (0..SIZE * SIZE)
            .map(|n| cover(n % SIZE, x, x + width) * cover(n / SIZE, y, y + height))
            .collect();
        assert_alike(&data, &shares, 0.01, 0.01, &format!("{x} {y} {width} {height}"));
    }
}

#[test]
fn a_line_covers_what_is_within_half_its_width() {
    let mut dice = Dice(2);
    for _ in 0..60 {
        let (from, to, width) = (dice.place(), dice.place(), dice.between(1.0, 12.0));
        let data = drawn(|raster| raster.line(from, to, width, Ink::new(BRIGHT, 1.0)));
        let shares = sampled(|place| distance(place, from, to) < width / 2.0);
        assert_alike(&data, &shares, 0.14, 0.03, &format!("{from:?} {to:?} {width}"));
    }
    let dot = drawn(|raster| raster.line([30.0, 30.0], [30.0, 30.0], 8.0, Ink::new(BRIGHT, 1.0)));
    let shares = sampled(|[x, y]| (x - 30.0).hypot(y - 30.0) < 4.0);
    assert_alike(&dot, &shares, 0.14, 0.03, "a line without length is a dot");
}

#[test]
fn upright_and_level_lines_are_whole() {
    for (from, to) in [([30.0, -5.0], [30.0, 70.0]), ([-5.0, 30.0], [70.0, 30.0])] {
        let data = drawn(|raster| raster.line(from, to, 4.0, Ink::new(BRIGHT, 1.0)));
        let shares = sampled(|place| distance(place, from, to) < 2.0);
        assert_alike(&data, &shares, 0.01, 0.01, &format!("{from:?} {to:?}"));
    }
}

#[test]
fn a_ring_covers_what_is_within_half_its_width_of_the_circle() {
    let mut dice = Dice(3);
    for _ in 0..60 {
        let ([x, y], radius, width) = (dice.place(), dice.between(0.5, 40.0), dice.between(1.0, 12.0));
        // If the hole of a ring is smaller than a pixel, its edges meet within one.
        let width = if (radius - width / 2.0).abs() < 1.0 { width + 4.0 } else { width };
        let data = drawn(|raster| raster.ring([x, y], radius, width, Ink::new(BRIGHT, 1.0)));
        let shares = sampled(|place| ((place[0] - x).hypot(place[1] - y) - radius).abs() < width / 2.0);
        assert_alike(&data, &shares, 0.16, 0.03, &format!("{x} {y} {radius} {width}"));
    }
}

#[test]
fn a_filling_covers_what_its_corners_enclose() {
    let mut dice = Dice(4);
    let none = Ink::new(BRIGHT, 0.0);
    for n in 0..60 {
        let corners = if n % 3 == 0 {
            // The ship's hull, which is concave.
            let [x, y] = dice.place();
            let size = dice.between(4.0, 20.0);
            vec![[x, y - size], [x + size, y + size], [x, y + size / 2.0], [x - size, y + size]]
        } else {
            regular(&mut dice, 3 + n % 6)
        };
        let data = drawn(|raster| raster.shape(&corners, Ink::new(BRIGHT, 1.0), none, 1.0));
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
        let data = drawn(|raster| {
            raster.shape(&corners, Ink::new(BRIGHT, 0.0), Ink::new(BRIGHT, 1.0), width);
        });
        let mut shares = sampled(|place| {
            (0..corners.len())
                .any(|n| distance(place, corners[n], corners[(n + 1) % corners.len()]) < width / 2.0)
        });
        // Corners may be round or pointed, so pixels near one are not compared.
        for (pixel, share) in shares.iter_mut().enumerate() {
            let centre = [(pixel % SIZE) as f32 + 0.5, (pixel / SIZE) as f32 + 0.5];
            if corners.iter().any(|&corner| distance(centre, corner, corner) < width * 1.1 + 2.0) {
                *share = (data[pixel] & 0xFF) as f32 / 255.0;
            }
        }
        assert_alike(&data, &shares, 0.14, 0.03, &format!("{corners:?} {width}"));
    }
}

#[test]
fn a_light_is_as_bright_as_its_falloff_says() {
    let mut dice = Dice(6);
    for n in 0..120 {
        let ([x, y], strength) = (dice.place(), dice.between(0.0, 1.0));
        let radius = if n % 4 == 0 { dice.between(300.0, 900.0) } else { dice.between(1.0, 60.0) };
        let data = drawn(|raster| raster.glow([x, y], radius, Ink::new(RED, strength)));
        for (n, pixel) in data.iter().enumerate() {
            let away = ((n % SIZE) as f32 + 0.5 - x).hypot((n / SIZE) as f32 + 0.5 - y) / radius;
            for (shift, channel) in [16, 8, 0].into_iter().zip(RED) {
                let light = f32::from(channel) * strength * falloff(away);
                let off = ((pixel >> shift & 0xFF) as f32 - light).abs();
                assert!(off < 1.6, "{off} off at {n}: {x} {y} {radius} {strength}");
            }
        }
    }
}

#[test]
fn lights_add_up_to_white_and_no_further() {
    let data = drawn(|raster| {
        for _ in 0..40 {
            raster.glow([32.0, 32.0], 200.0, Ink::new(RED, 1.0));
        }
    });
    assert_eq!(data[32 * SIZE + 32], 0x00FF_FFFF);
}

#[test]
fn a_light_that_moves_by_an_eighth_of_a_pixel_is_seen_to_move_by_that() {
    let middle = |x: f32| {
        let data = drawn(|raster| raster.glow([x, 32.0], 14.0, Ink::new(BRIGHT, 1.0)));
        let light = |n: usize| f64::from(data[n] & 0xFF);
        let sum: f64 = (0..data.len()).map(light).sum();
        (0..data.len()).map(|n| light(n) * ((n % SIZE) as f64 + 0.5)).sum::<f64>() / sum
    };
    for step in 0..16 {
        let x = 30.0 + step as f32 / 8.0;
        assert!((middle(x) - f64::from(x)).abs() < 0.04, "{x} is seen at {}", middle(x));
    }
}

#[test]
fn a_part_of_an_image_is_the_image_of_that_part() {
    // All widths, so that rows start and end anywhere in a group of pixels.
    let image = |raster: &mut Raster<'_>, left: f32, top: f32| {
        let mut dice = Dice(7);
        for n in 0..40 {
            let ink = Ink::new([(n * 6) as u8, 255 - (n * 5) as u8, 180], dice.between(0.1, 1.0));
            let mut place = || {
                let [x, y] = dice.place();
                [x - left, y - top]
            };
            let (from, to) = (place(), place());
            raster.rect(from[0], from[1], 9.3, 20.7, ink);
            raster.line(from, to, 2.5, ink);
            raster.ring(to, 11.0, 2.0, ink);
            raster.shape(&[from, to, [to[0] + 9.0, to[1] + 3.0]], ink, ink, 2.0);
            raster.glow(from, 17.0, ink);
        }
    };
    let whole = drawn(|raster| image(raster, 0.0, 0.0));
    for n in 0..20 {
        let (width, height, left, top) = (1 + n * 2, 3 + n, n % 7, n % 5);
        let part = drawn_on(width, height, |raster| image(raster, left as f32, top as f32));
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
    let data = drawn(|raster| {
        let faint = Ink::new(WHITE, 0.003);
        raster.glow([32.0, 32.0], 30.0, faint);
        raster.line([0.0, 0.0], [60.0, 60.0], 3.0, faint);
        raster.ring([32.0, 32.0], 10.0, 3.0, Ink::new(WHITE, -1.0));
        raster.rect(-20.0, -20.0, 10.0, 500.0, Ink::new(WHITE, 1.0));
        raster.shape(&[], Ink::new(WHITE, 1.0), Ink::new(WHITE, 1.0), 3.0);
    });
    assert!(data.iter().all(|&pixel| pixel == 0));
}

#[test]
fn an_image_is_the_same_every_time_and_leaves_the_topmost_byte_empty() {
    let image = || {
        drawn(|raster| {
            raster.clear(WHITE);
            raster.glow([20.0, 20.0], 30.0, Ink::new(RED, 0.8));
            raster.rect(3.2, 4.7, 40.0, 40.0, Ink::new(RED, 0.4));
            raster.ring([32.0, 32.0], 20.0, 3.0, Ink::new(WHITE, 0.7));
            raster.invert();
        })
    };
    assert_eq!(image(), image());
    assert!(image().iter().all(|pixel| pixel >> 24 == 0));
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
        drawn(|raster| raster.shape(&square, ink, Ink::new(RED, 1.0), 1.0)),
        drawn(|raster| raster.ring([32.0, 12.0], 20.0, 30.0, ink)),
    ] {
        assert_eq!(data[32 * SIZE + 32], red);
    }
}

#[test]
fn nothing_outside_the_canvas_and_no_number_is_a_panic() {
    for place in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, 1e5, 32.0] {
        for extent in [f32::NAN, f32::INFINITY, -1.0, 0.0, 1e-30, 1e30] {
            for strength in [f32::NAN, 0.5] {
                drawn(|raster| {
                    let ink = Ink::new(WHITE, strength);
                    raster.rect(place, place, extent, extent, ink);
                    raster.line([place, 0.0], [0.0, place], extent, ink);
                    raster.shape(&[[place, place], [extent, 0.0], [0.0, extent]], ink, ink, extent);
                    raster.ring([place, place], extent, extent, ink);
                    raster.glow([place, place], extent, ink);
                });
            }
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
