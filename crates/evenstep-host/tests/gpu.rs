//! The canvas of a graphics card against the canvas of pixels. Needs a Vulkan driver (Debian: mesa-vulkan-drivers).

use evenstep_host::gpu::Offscreen;
use evenstep_host::{Color, Image, Paint, Pixels};

const WIDTH: u32 = 320;
const HEIGHT: u32 = 200;

fn card() -> Offscreen {
    Offscreen::new().expect("a Vulkan driver is needed (Debian: mesa-vulkan-drivers)")
}

/// Draws a scene on both canvases and returns the largest difference of a channel.
fn difference(card: &mut Offscreen, scale: f64, scene: impl Fn(&mut dyn Paint)) -> u8 {
    let mut expected = vec![0; (WIDTH * HEIGHT) as usize];
    scene(&mut Pixels::new(&mut expected, WIDTH, HEIGHT, scale));
    assert!(expected.iter().any(|pixel| *pixel != expected[0]), "there is something to compare");
    let drawn = card.draw(WIDTH, HEIGHT, scale, |gpu| scene(gpu)).expect("an image");
    let channels =
        |image: Vec<u32>| image.into_iter().flat_map(|pixel| pixel.to_be_bytes().into_iter().skip(1));
    channels(drawn)
        .zip(channels(expected))
        .map(|(drawn, expected)| drawn.abs_diff(expected))
        .max()
        .unwrap_or(255)
}

/// An image in which no pixel is like its neighbours, some of them transparent.
fn noise(width: u32, height: u32) -> Image {
    let byte = |n: u32| (n.wrapping_mul(2_654_435_761) >> 21) as u8;
    Image::from_rgba(width, height, (0..width * height * 4).map(byte).collect::<Vec<_>>())
}

#[test]
fn an_image_is_drawn_as_pixels_draw_it_at_any_scale() {
    let mut card = card();
    let image = noise(64, 48);
    let pixel = noise(1, 1);
    for (scale, x, y, width, height) in [
        (1.0, 10.0, 20.0, 64.0, 48.0),
        (1.0, 10.3, 20.7, 129.1, 95.3),
        (1.37, -7.9, 3.3, 61.7, 44.9),
        (2.0, 100.25, 40.1, 64.0, 48.0),
        (1.0, -500.0, -400.0, 1_200.0, 900.0),
    ] {
        let most = difference(&mut card, scale, |canvas| {
            canvas.fill(Color::rgb(0x40_60_80));
            canvas.image(x, y, width, height, &image);
            canvas.image(5.0, 5.0, 3.0, 3.0, &pixel);
        });
        // Transparent pixels are rounded otherwise.
        assert!(most <= 2, "scale {scale}, {width} x {height} at {x}, {y}: {most}");
    }
}

#[test]
fn every_shape_is_drawn_as_pixels_draw_it_at_any_scale() {
    let mut card = card();
    let cyan = Color::rgb(0x60_E2_FF);
    let orange = Color::rgb(0xFF_A0_40);
    for scale in [1.0, 1.37, 2.0] {
        let most = difference(&mut card, scale, |canvas| {
            canvas.fill(Color::rgb(0x10_20_30));
            canvas.line([10.3, 12.7], [60.1, 30.2], 3.3, cyan);
            canvas.line([10.3, 40.7], [60.1, 41.2], 0.01, cyan.with_alpha(0.7));
            canvas.ring(35.0, 70.0, 22.5, 2.5, orange.with_alpha(0.6));
            canvas.disc(35.0, 70.0, 12.5, orange);
            let hexagon =
                [[90.0, 10.0], [110.5, 20.0], [110.5, 45.0], [90.0, 55.0], [69.5, 45.0], [69.5, 20.0]];
            canvas.shape(&hexagon, cyan.with_alpha(0.3), cyan, 2.2);
            // Concave, and of two colours.
            let arrow = [[100.0, 60.0], [115.0, 95.0], [100.0, 85.0], [85.0, 95.0]];
            canvas.shape(&arrow, orange.with_alpha(0.5), cyan, 3.0);
            canvas.light(90.0, 50.0, 31.0, cyan.with_alpha(0.8));
            canvas.light(90.0, 50.0, -1.0, cyan);
            canvas.ring(50.0, 50.0, -1.0, 4.0, cyan);
        });
        assert!(most <= 6, "scale {scale}: {most}");
        let inverted = difference(&mut card, scale, |canvas| {
            canvas.light(90.0, 50.0, 31.0, orange);
            canvas.invert();
            canvas.disc(35.0, 70.0, 12.5, orange);
        });
        assert!(inverted <= 6, "scale {scale}: {inverted}");
    }
}

#[test]
fn images_and_shapes_are_drawn_in_order() {
    let mut card = card();
    let image = noise(16, 16);
    let other = noise(9, 7);
    let most = difference(&mut card, 1.0, |canvas| {
        canvas.rect(0.0, 0.0, 90.0, 90.0, Color::rgb(0xFF_00_00));
        canvas.image(20.0, 20.0, 80.0, 80.0, &image);
        canvas.disc(60.0, 60.0, 30.0, Color::rgb(0x00_FF_00).with_alpha(0.5));
        canvas.image(50.0, 50.0, 40.0, 40.0, &other);
        canvas.image(70.0, 70.0, 40.0, 40.0, &image);
        canvas.text(30.0, 60.0, 14.0, "in order", Color::rgb(0xFF_FF_FF));
    });
    assert!(most <= 6, "{most}");
}

#[test]
fn no_image_panics_and_a_lost_one_is_forgotten() {
    let mut card = card();
    for position in [f64::NAN, f64::INFINITY, 1e300, -1e300, 4.0] {
        for extent in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300] {
            card.draw(8, 8, 1.0, |gpu| {
                gpu.image(position, position, extent, extent, &noise(2, 2));
                gpu.image(position, position, extent, extent, &Image::from_rgba(0, 3, []));
            })
            .expect("an image");
        }
    }
    for n in 0..3 {
        // The pixels are freed before they are drawn, and new ones may have the same address.
        let most =
            difference(&mut card, 1.0, |canvas| canvas.image(0.0, 0.0, 100.0, 90.0, &noise(10 + n, 9)));
        assert!(most <= 2, "{most}");
    }
}

#[test]
fn a_screenshot_is_what_is_drawn() {
    let mut card = card();
    let (sender, shots) = std::sync::mpsc::channel();
    let drawn = card.draw(WIDTH, HEIGHT, 1.0, |gpu| {
        gpu.fill(Color::rgb(0x20_30_40));
        gpu.set_glow(14.0, 0.5);
        gpu.line([10.0, 10.0], [200.0, 100.0], 3.0, Color::rgb(0x80_FF_80));
        gpu.image(40.5, 50.5, 64.0, 48.0, &noise(64, 48));
        gpu.screenshot(move |pixels| _ = sender.send(pixels));
    });
    assert!(shots.recv().expect("a screenshot") == drawn.expect("an image"));
}

#[test]
fn a_rectangle_of_any_extent_is_drawn_as_pixels_draw_it() {
    let mut card = card();
    for far in [1e5, 1e7, 1e12] {
        for (x, y, width, height) in
            [(-far, -far, far + 100.0, 2.0 * far), (10.5, 20.25, far, 30.0), (200.0, 100.0, -50.0, -far)]
        {
            let most = difference(&mut card, 1.37, |canvas| {
                canvas.rect(x, y, width, height, Color::rgb(0xC0_40_20));
                canvas.rect(1.0, 1.0, 5.0, 5.0, Color::rgb(0x20_40_C0));
            });
            assert!(most <= 6, "{width} x {height} at {x}, {y}: {most}");
        }
    }
}

#[test]
fn any_number_of_marks_is_drawn_in_order() {
    // More than fit into the largest buffer of some cards.
    let mut card = card();
    let image = noise(9, 7);
    let scene = |canvas: &mut dyn Paint| {
        canvas.fill(Color::rgb(0x10_20_30));
        for n in 0..2_200_000_u32 {
            let x = f64::from(n * 7 % WIDTH);
            let y = f64::from(n / 50 * 3 % HEIGHT);
            match n % 262_144 {
                0..5 | 262_139.. => canvas.image(x, y, 9.0, 7.0, &image),
                _ => canvas.rect(x, y, 1.0, 1.0, Color::rgb(n.wrapping_mul(2_654_435_761) >> 8)),
            }
        }
    };
    let most = difference(&mut card, 1.0, scene);
    assert!(most <= 6, "{most}");
}
