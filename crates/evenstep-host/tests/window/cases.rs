//! The test cases.

use std::panic;
use std::path::Path;
use std::process::ExitCode;

use test_desktops::{Compositor, Desk, Image, without_display};

use crate::app_process::{self, AppProcess};
use crate::test_app;

type Case = (&'static str, fn(&Desk));

pub(crate) fn run() -> ExitCode {
    let cases: [Case; 12] = [
        ("a_window_opens_and_shows_the_app", a_window_opens_and_shows_the_app),
        ("keys_act_while_they_are_held", keys_act_while_they_are_held),
        ("a_lost_focus_releases_the_keys", a_lost_focus_releases_the_keys),
        ("a_resized_window_is_drawn_in_full", a_resized_window_is_drawn_in_full),
        ("a_high_density_screen_has_more_pixels", a_high_density_screen_has_more_pixels),
        ("a_covered_or_minimised_window_is_suspended", a_covered_or_minimised_window_is_suspended),
        ("a_background_app_keeps_stepping_while_hidden", a_background_app_keeps_stepping_while_hidden),
        ("closing_the_window_exits_with_0", closing_the_window_exits_with_0),
        ("a_window_runs_at_its_monitors_rate", |_| a_window_runs_at_its_monitors_rate()),
        ("a_wayland_window_runs_at_its_monitors_rate", |_| a_wayland_window_runs_at_its_monitors_rate()),
        ("a_wayland_window_can_have_its_own_rate", |_| a_wayland_window_can_have_its_own_rate()),
        ("without_a_display_there_is_a_clear_error", without_a_display_there_is_a_clear_error),
    ];
    let desk = Desk::start(1920, 1200);
    let mut failures = 0;
    for (name, test) in cases {
        let has_passed = panic::catch_unwind(|| test(&desk)).is_ok();
        println!("test {name} ... {}", if has_passed { "ok" } else { "FAILED" });
        failures += u8::from(!has_passed);
    }
    ExitCode::from(failures)
}

fn a_window_opens_and_shows_the_app(desk: &Desk) {
    let app = app_process::open(desk, &[]);
    wait_for_image(desk, &app, (640, 360), &[(5, 5, test_app::BACKGROUND), (320, 180, test_app::BALL)]);
    app_process::save(desk, &app.window, "window.png");

    // Holds on a busy machine too, because what it cannot simulate in time is dropped and counted.
    let uncounted_s = app.state().uncounted_s;
    app.wait_for_ticks(120);
    let drift_s = app.state().uncounted_s - uncounted_s;
    assert!(drift_s.abs() < 0.25, "ticks are {drift_s} s behind the clock after two seconds");
}

fn keys_act_while_they_are_held(desk: &Desk) {
    let app = app_process::open(desk, &[]);
    let start = app.state().x;
    desk.run("xdotool", &["keydown", "Right"]);
    app.wait_for("the key moves the ball", |app| app.state().x > start + 60);
    desk.run("xdotool", &["keyup", "Right"]);
    app.wait_for("the key goes up", |app| app.received("KeyUp(ArrowRight)") == 1);
    assert_eq!(app.received("KeyDown(ArrowRight)"), 1, "repeats are ignored");
    app.wait_for_ticks(10);
    let stopped = app.state().x;
    app.wait_for_ticks(20);
    assert_eq!(app.state().x, stopped, "nothing moves after the release");

    // Taps much shorter than a frame.
    for _ in 0..20 {
        desk.run("xdotool", &["key", "--delay", "1", "space"]);
    }
    app.wait_for("every tap reaches one tick", |app| app.state().taps == 20);

    desk.run("xdotool", &["mousemove", "--window", &app.window, "100", "50", "click", "1"]);
    app.wait_for("the click arrives at its position", |app| {
        app.received("PointerDown(Pointer { id: 0, x: 100.0, y: 50.0, button: Primary })") == 1
            && app.received("PointerUp") == 1
    });
}

fn a_lost_focus_releases_the_keys(desk: &Desk) {
    let app = app_process::open(desk, &[]);
    desk.run("xdotool", &["keydown", "Right"]);
    app.wait_for("the key is down", |app| app.received("KeyDown(ArrowRight)") == 1);
    let other = app_process::open(desk, &["--other"]);
    app.wait_for("focus is lost", |app| app.received("FocusLost") >= 1);
    assert_eq!(
        app.received("KeyUp(ArrowRight)"),
        1,
        "released with the focus, although the key is still down"
    );
    desk.run("xdotool", &["keyup", "Right"]);
    drop(other);
}

fn a_resized_window_is_drawn_in_full(desk: &Desk) {
    let app = app_process::open(desk, &[]);
    desk.run("xdotool", &["windowsize", "--sync", &app.window, "800", "500"]);
    app.wait_for("the app is told", |app| {
        app.received("Resized(Size { width: 800.0, height: 500.0, scale: 1.0 })") == 1
    });
    wait_for_image(desk, &app, (800, 500), &[(795, 495, test_app::BACKGROUND), (400, 250, test_app::BALL)]);
}

fn a_high_density_screen_has_more_pixels(desk: &Desk) {
    let app = app_process::open_at_scale(desk, &[], 2);
    app.wait_for("sizes are in points", |app| {
        app.received("Resized(Size { width: 640.0, height: 360.0, scale: 2.0 })") >= 1
    });
    // The ball's radius is 30 points, 60 pixels.
    let edge = [(640 + 55, 360, test_app::BALL), (640 + 65, 360, test_app::BACKGROUND)];
    wait_for_image(desk, &app, (1280, 720), &edge);
    desk.run("xdotool", &["mousemove", "--window", &app.window, "100", "50", "click", "1"]);
    app.wait_for("mouse positions are in points", |app| {
        app.received("PointerDown(Pointer { id: 0, x: 50.0, y: 25.0, button: Primary })") == 1
    });
}

fn a_covered_or_minimised_window_is_suspended(desk: &Desk) {
    let app = app_process::open(desk, &[]);
    let cover = || app_process::open(desk, &["--other", "--fullscreen"]);
    assert_suspended(&app, 1, cover, drop);

    let minimise = || {
        let other = app_process::open(desk, &["--other"]);
        desk.run("xdotool", &["windowminimize", &app.window]);
        other
    };
    assert_suspended(&app, 2, minimise, |other| {
        drop(other);
        desk.run("xdotool", &["windowmap", &app.window]);
    });
}

fn a_background_app_keeps_stepping_while_hidden(desk: &Desk) {
    let app = app_process::open(desk, &["--background"]);
    desk.run("xdotool", &["windowminimize", &app.window]);
    app.wait_for("the app is hidden", |app| app.received("Hidden") == 1);
    app.wait_for_ticks(60);
}

fn closing_the_window_exits_with_0(desk: &Desk) {
    let app = app_process::open(desk, &[]);
    desk.run("wmctrl", &["-i", "-c", &app.window]);
    assert_eq!(app.exit_code(), Some(0), "closed by its button");

    let app = app_process::open(desk, &[]);
    desk.run("xdotool", &["key", "Escape"]);
    assert_eq!(app.exit_code(), Some(0), "quit by the app");
}

fn a_window_runs_at_its_monitors_rate() {
    let desk = &Desk::start_with_two_monitors(Path::new(env!("CARGO_TARGET_TMPDIR")));
    let app = app_process::open(desk, &[]);
    for (x, hz) in [("100", 60.0), ("1500", 85.0), ("100", 60.0)] {
        desk.run("xdotool", &["windowmove", &app.window, x, "100"]);
        // The median frame time is right even on a busy machine.
        app.wait_for("frames follow the monitor's rate", |app| {
            (hz * app.state().frame_ms / 1e3 - 1.0).abs() < 0.02
        });
    }
}

fn a_wayland_window_runs_at_its_monitors_rate() {
    let compositor = &Compositor::start(800, 600);
    let app = app_process::open_on_wayland(compositor, &[]);
    app.wait_for("the window is drawn in full", |_| {
        matches(
            &compositor.screenshot(),
            (800, 600),
            &[(5, 5, test_app::BACKGROUND), (400, 300, test_app::BALL)],
        )
    });

    // A window on another workspace gets no redraws.
    let leave = || {
        compositor.run("workspace 2");
        app_process::open_on_wayland(compositor, &[])
    };
    for times in 1..=2 {
        assert_suspended(&app, times, leave, |_other| compositor.run("workspace 1"));
    }

    for hz in [85.0, 60.0] {
        compositor.run(&format!("output HEADLESS-1 mode --custom 800x600@{hz}Hz"));
        // A headless monitor refreshes at whole milliseconds.
        app.wait_for("frames follow the monitor's rate", |app| {
            (hz * app.state().frame_ms / 1e3 - 1.0).abs() < 0.1
        });
    }
    compositor.run("kill");
    assert_eq!(app.exit_code(), Some(0), "closed by its compositor");
}

fn a_wayland_window_can_have_its_own_rate() {
    let compositor = &Compositor::start(800, 600);
    for (arguments, hz) in [(["--rate-40"], 40.0), (["--draw-rate-30"], 60.0)] {
        let app = app_process::open_on_wayland(compositor, &arguments);
        // The median frame time is right even on a busy machine.
        app.wait_for("frames follow the configured rate", |app| {
            (hz * app.state().frame_ms / 1e3 - 1.0).abs() < 0.1
        });
    }
}

fn without_a_display_there_is_a_clear_error(_desk: &Desk) {
    let output =
        without_display(app_process::this_test()).arg("--test-app").output().expect("this test can be run");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("no display to open a window on"), "{said}");
    assert_eq!(output.status.code(), Some(1));
}

/// Checks that an app runs no ticks while hidden, and that nothing jumps when it is shown again. `times` counts how
/// often the app has been hidden, this time included. `hide` opens another window, whose ticks measure the time.
fn assert_suspended(
    app: &AppProcess,
    times: usize,
    hide: impl FnOnce() -> AppProcess,
    show: impl FnOnce(AppProcess),
) {
    let other = hide();
    app.wait_for("the app is hidden", |app| app.received("Hidden") == times);
    let (ticks, uncounted_s) = (app.state().ticks, app.state().uncounted_s);
    other.wait_for_ticks(60);
    assert_eq!(app.state().ticks, ticks, "no ticks while hidden");

    show(other);
    app.wait_for("the app is shown", |app| app.received("Shown") == times);
    app.wait_for_ticks(60);
    assert_eq!(app.received("Hidden"), times, "the app stays visible");
    assert_eq!(app.received("back with 0 steps"), times, "no burst of steps");
    let away_s = app.state().uncounted_s - uncounted_s;
    assert!(away_s > 0.9, "a second was hidden, but only {away_s} s were left out");
}

/// Waits until a window has this size and these colours at these positions.
fn wait_for_image(desk: &Desk, app: &AppProcess, size: (usize, usize), pixels: &[(usize, usize, u32)]) {
    app.wait_for("the window is drawn in full", |app| matches(&desk.screenshot(&app.window), size, pixels));
}

fn matches(image: &Image, size: (usize, usize), pixels: &[(usize, usize, u32)]) -> bool {
    (image.width, image.height) == size
        && pixels.iter().all(|&(x, y, color)| {
            let [red, green, blue] = image.pixels[y * image.width + x];
            u32::from_be_bytes([0, red, green, blue]) == color
        })
}
