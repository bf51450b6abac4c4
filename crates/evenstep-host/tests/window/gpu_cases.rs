//! Test cases with a graphics card: Mesa's software one.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use evenstep_host::Pixels;
use test_desktops::{Compositor, Desk, Image};

use crate::app_process::{self, AppProcess};
use crate::cases::{Case, assert_suspended};
use crate::test_app;

const SOFTWARE: &str = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json";
/// A present that waits for a hidden window takes seconds, and an image that never comes takes one. An image that this
/// software driver draws on a busy machine takes much less.
const FREEZE_MS: f64 = 500.0;

pub(crate) const CASES: [Case; 9] = [
    ("gpu_draws_what_the_pixel_canvas_draws", draws_what_the_pixel_canvas_draws),
    ("gpu_that_is_software_is_left_for_pixels", software_is_left_for_pixels),
    ("gpu_present_is_not_believed_to_wait", a_present_is_not_believed_to_wait),
    ("gpu_survives_resizes_and_a_lost_card", survives_resizes_and_a_lost_card),
    ("gpu_that_is_away_for_a_moment_is_found_again", |desk| a_lost_gpu_is_looked_for(desk, true)),
    ("gpu_that_is_lost_for_good_is_a_clear_error", |desk| a_lost_gpu_is_looked_for(desk, false)),
    ("gpu_present_that_waits_is_a_beat_with_and_without_images", |_| a_present_that_waits_is_a_beat()),
    ("gpu_window_is_hidden_without_a_freeze", |_| a_window_is_hidden_without_a_freeze()),
    ("gpu_windows_close_cleanly", windows_close_cleanly),
];

fn draws_what_the_pixel_canvas_draws(desk: &Desk) {
    let app = app_process::open(desk, &["--gpu", "--scene"]);
    let expected = scene(640, 360);
    let mut last = Vec::new();
    let is_same = test_desktops::comes_true(|| {
        last = differences(&desk.screenshot(&app.window), &expected);
        is_close(&last)
    });
    app_process::save(desk, &app.window, "gpu.png");
    assert!(is_same, "largest difference {:?}, mean {:?}", last.iter().max(), mean(&last));
    println!(
        "gpu against pixels: largest difference {:?} of 255, mean {:.3}",
        last.iter().max(),
        mean(&last)
    );
}

fn software_is_left_for_pixels(desk: &Desk) {
    let app = app_process::open(desk, &["--any"]);
    app.wait_for("the host says why", |app| app.received("renderer pixels in memory: ") == 1);
    app.wait_for_ticks(30);
    drop(app);

    // Without any driver, too.
    let mut command = desk.command(app_process::this_test());
    command.envs([("VK_ICD_FILENAMES", "/nonexistent"), ("LIBGL_DRIVERS_PATH", "/nonexistent")]);
    command.env("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent");
    let app = AppProcess::start(command, &["--any"], 1);
    app.wait_for("the host says why", |app| app.received("renderer pixels in memory: ") == 1);
}

fn a_present_is_not_believed_to_wait(desk: &Desk) {
    // On an X server this driver may or may not wait for the display. Frames follow the display in both cases.
    let app = app_process::open(desk, &["--gpu", "--beat-present"]);
    app.wait_for("frames follow the refresh", |app| (app.state().frame_ms / 16.667 - 1.0).abs() < 0.1);
    let beat = app.beat();
    println!("a present on an X server: {beat}");
    assert!(beat == "present" || beat == "deadlines for present Wild", "{beat}");
}

fn survives_resizes_and_a_lost_card(desk: &Desk) {
    let app = app_process::open(desk, &["--gpu"]);
    app.wait_for_ticks(120);
    for (width, height) in [(800, 500), (300, 200), (1, 1), (640, 480)] {
        let wide = width.to_string();
        let high = height.to_string();
        desk.run("xdotool", &["windowsize", &app.window, &wide, &high]);
        app.wait_for_ticks(3);
    }
    app.wait_for_ticks(30);
    let busy_ms = app.state().busy_ms;
    println!("resized: the event loop was busy for {busy_ms:.0} ms at most");
    assert!(busy_ms < FREEZE_MS, "{busy_ms} ms");
    app.wait_for("the last size is drawn", |app| is_drawn(&desk.screenshot(&app.window), (640, 480)));

    desk.run("xdotool", &["key", "--window", &app.window, "d"]);
    app.wait_for("there is another card", |app| app.received("generation 2") == 1);
    desk.run("xdotool", &["windowsize", "--sync", &app.window, "500", "400"]);
    app.wait_for("it draws", |app| is_drawn(&desk.screenshot(&app.window), (500, 400)));

    desk.run("xdotool", &["windowminimize", &app.window]);
    app.wait_for("the app is hidden", |app| app.received("Hidden") == 1);
    desk.run("xdotool", &["windowmap", &app.window]);
    app.wait_for("the app is shown", |app| app.received("Shown") == 1);
    app.wait_for_ticks(30);
    println!("the event loop was busy for {:.0} ms at most, with a lost GPU", app.state().busy_ms);
    desk.run("wmctrl", &["-i", "-c", &app.window]);
    assert_eq!(app.exit_code(), Some(0), "a lost GPU does not make the end unclean");
}

/// Loses a GPU whose driver is gone, for a moment or for good.
fn a_lost_gpu_is_looked_for(desk: &Desk, comes_back: bool) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let driver = folder.join(format!("driver-{comes_back}.json"));
    let said = folder.join(format!("said-{comes_back}.txt"));
    fs::copy(SOFTWARE, &driver).expect("Mesa's software driver");
    let mut command = desk.command(app_process::this_test());
    command.env("VK_ICD_FILENAMES", &driver).env("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent");
    command.stderr(File::create(&said).expect("a file next to the build"));
    let mut app = AppProcess::start(command, &["--gpu"], 1);
    app.find_window(desk, test_app::title(false));
    app.wait_for("it draws", |app| is_drawn(&desk.screenshot(&app.window), (640, 360)));
    fs::remove_file(&driver).expect("the file is there");
    desk.run("xdotool", &["key", "--window", &app.window, "d"]);
    if comes_back {
        let ticks = app.state().ticks;
        app.wait_for("frames go on without an image", |app| app.state().ticks > ticks + 10);
        fs::copy(SOFTWARE, &driver).expect("Mesa's software driver");
        app.wait_for("the GPU is found again", |app| app.received("generation 2") == 1);
        desk.run("wmctrl", &["-i", "-c", &app.window]);
        assert_eq!(app.exit_code(), Some(0));
    } else {
        assert_eq!(app.exit_code(), Some(1));
        let said = fs::read_to_string(&said).expect("what the app said");
        assert!(said.contains("the GPU was lost"), "{said}");
        assert!(!said.contains("panicked"), "{said}");
    }
}

fn a_present_that_waits_is_a_beat() {
    let compositor = &Compositor::start(800, 600);
    for arguments in [&["--gpu", "--beat-present"][..], &["--gpu", "--beat-present", "--draw-rate-30"]] {
        let app = app_process::open_on_wayland(compositor, arguments);
        app.wait_for("frames follow the refresh", |app| (app.state().frame_ms / 16.667 - 1.0).abs() < 0.1);
        app.wait_for_ticks(120);
        assert_eq!(app.beat(), "present", "{arguments:?}");
        // Hidden, a present would wait until the window is visible again, and the event loop with it.
        let leave = || {
            compositor.run("workspace 2");
            app_process::open_on_wayland(compositor, &[])
        };
        assert_suspended(&app, 1, leave, |_other| compositor.run("workspace 1"));
        assert_eq!(app.beat(), "present", "{arguments:?}");
        let busy_ms = app.state().busy_ms;
        println!("{arguments:?}: the event loop was busy for {busy_ms:.0} ms at most");
        assert!(busy_ms < FREEZE_MS, "{busy_ms} ms");
    }
}

fn a_window_is_hidden_without_a_freeze() {
    let compositor = &Compositor::start(800, 600);
    let app = app_process::open_on_wayland(compositor, &["--gpu"]);
    assert_eq!(app.beat(), "callback");
    app.wait_for("the window is drawn", |_| is_drawn(&compositor.screenshot(), (800, 600)));
    let leave = || {
        compositor.run("workspace 2");
        app_process::open_on_wayland(compositor, &[])
    };
    assert_suspended(&app, 1, leave, |_other| compositor.run("workspace 1"));
    let busy_ms = app.state().busy_ms;
    println!("hidden and shown: the event loop was busy for {busy_ms:.0} ms at most");
    assert!(busy_ms < FREEZE_MS, "{busy_ms} ms");
    compositor.run("kill");
    assert_eq!(app.exit_code(), Some(0));

    // An image for a window that is not shown would wait for ever, and the app with it.
    let app = app_process::open_on_wayland(compositor, &["--gpu", "--background"]);
    compositor.run("workspace 3");
    app.wait_for("the app is hidden", |app| app.received("Hidden") == 1);
    app.wait_for_ticks(120);
}

fn windows_close_cleanly(desk: &Desk) {
    let app = app_process::open(desk, &["--gpu"]);
    desk.run("wmctrl", &["-i", "-c", &app.window]);
    assert_eq!(app.exit_code(), Some(0), "closed by its button");
    let app = app_process::open(desk, &["--gpu"]);
    desk.run("xdotool", &["key", "Escape"]);
    assert_eq!(app.exit_code(), Some(0), "quit by the app");
}

fn is_drawn(image: &Image, (width, height): (usize, usize)) -> bool {
    let color = |x: usize, y: usize| {
        let [red, green, blue] = image.pixels[y * image.width + x];
        u32::from_be_bytes([0, red, green, blue])
    };
    (image.width, image.height) == (width, height)
        && color(3, 3) == test_app::BACKGROUND
        && color(width / 2, height / 2) == test_app::BALL
}

/// Draws the scene with the pixel canvas.
fn scene(width: u32, height: u32) -> Vec<u32> {
    let mut memory = vec![0; (width * height) as usize];
    test_app::scene(&mut Pixels::new(&mut memory, width, height, 1.0));
    memory
}

/// The difference of each channel of each pixel.
fn differences(image: &Image, expected: &[u32]) -> Vec<u8> {
    if image.pixels.len() != expected.len() {
        return vec![255];
    }
    let channels = expected.iter().flat_map(|pixel| pixel.to_be_bytes().into_iter().skip(1));
    image.pixels.iter().flatten().zip(channels).map(|(seen, wanted)| seen.abs_diff(wanted)).collect()
}

/// Rounding differs by up to one step of 255 for each of the layers that lie over each other.
fn is_close(differences: &[u8]) -> bool {
    differences.iter().all(|&difference| difference <= 6) && mean(differences) < 1.0
}

fn mean(differences: &[u8]) -> f64 {
    differences.iter().map(|&difference| f64::from(difference)).sum::<f64>() / differences.len().max(1) as f64
}

/// Lets a program use only Mesa's software driver, so that the test is the same on every machine.
pub(crate) fn with_software(command: &mut Command) {
    command.env("VK_ICD_FILENAMES", SOFTWARE);
}
