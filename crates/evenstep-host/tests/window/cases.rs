//! What must hold of a window.

use std::panic;
use std::path::Path;
use std::process::ExitCode;

use test_desktops::{Compositor, Desk, Image, without_display};

use crate::probe;
use crate::watch::{self, Probe};

type Case = (&'static str, fn(&Desk));

pub(crate) fn run() -> ExitCode {
    let cases: [Case; 12] = [
        ("a_window_opens_and_shows_the_app", a_window_opens_and_shows_the_app),
        ("keys_act_while_they_are_held", keys_act_while_they_are_held),
        ("a_lost_focus_releases_the_keys", a_lost_focus_releases_the_keys),
        ("a_resized_window_is_drawn_in_full", a_resized_window_is_drawn_in_full),
        ("a_sharp_screen_has_more_pixels", a_sharp_screen_has_more_pixels),
        ("a_covered_or_minimised_window_stands_still", a_covered_or_minimised_window_stands_still),
        ("a_background_app_steps_on_out_of_sight", a_background_app_steps_on_out_of_sight),
        ("closing_the_window_exits_with_0", closing_the_window_exits_with_0),
        ("a_window_takes_on_the_rate_of_its_monitor", |_| a_window_takes_on_the_rate_of_its_monitor()),
        ("on_wayland_a_window_keeps_the_monitors_beat", |_| on_wayland_a_window_keeps_the_monitors_beat()),
        ("on_wayland_a_window_has_its_own_rate_too", |_| on_wayland_a_window_has_its_own_rate_too()),
        ("without_a_display_there_is_an_error_in_words", without_a_display_there_is_an_error_in_words),
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
    let app = watch::open(desk, &[]);
    shows(desk, &app, (640, 360), &[(5, 5, probe::BACKGROUND), (320, 180, probe::BALL)]);
    watch::save(desk, &app.window, "window.png");

    // However busy the machine: what it has no time to simulate is given up.
    let uncounted_s = app.uncounted_s();
    app.live(120);
    let drift_s = app.uncounted_s() - uncounted_s;
    assert!(drift_s.abs() < 0.25, "ticks are {drift_s} s behind the clock after two seconds");
}

fn keys_act_while_they_are_held(desk: &Desk) {
    let app = watch::open(desk, &[]);
    let start = app.x();
    desk.run("xdotool", &["keydown", "Right"]);
    app.wait_for("the key moves the ball", |app| app.x() > start + 60);
    desk.run("xdotool", &["keyup", "Right"]);
    app.wait_for("the key goes up", |app| app.heard("KeyUp(ArrowRight)") == 1);
    assert_eq!(app.heard("KeyDown(ArrowRight)"), 1, "held is no repeat");
    app.live(10);
    let stopped = app.x();
    app.live(20);
    assert_eq!(app.x(), stopped, "a key that is up moves nothing");

    // Taps far shorter than a frame.
    for _ in 0..20 {
        desk.run("xdotool", &["key", "--delay", "1", "space"]);
    }
    app.wait_for("every tap reaches one tick", |app| app.taps() == 20);

    desk.run("xdotool", &["mousemove", "--window", &app.window, "100", "50", "click", "1"]);
    app.wait_for("a click has its place", |app| {
        app.heard("PointerDown(Pointer { id: 0, x: 100.0, y: 50.0, button: Primary })") == 1
            && app.heard("PointerUp") == 1
    });
}

fn a_lost_focus_releases_the_keys(desk: &Desk) {
    let app = watch::open(desk, &[]);
    desk.run("xdotool", &["keydown", "Right"]);
    app.wait_for("the key is down", |app| app.heard("KeyDown(ArrowRight)") == 1);
    let other = watch::open(desk, &["--other"]);
    app.wait_for("the focus is lost", |app| app.heard("FocusLost") >= 1);
    assert_eq!(app.heard("KeyUp(ArrowRight)"), 1, "released with the focus, though the key is still down");
    desk.run("xdotool", &["keyup", "Right"]);
    drop(other);
}

fn a_resized_window_is_drawn_in_full(desk: &Desk) {
    let app = watch::open(desk, &[]);
    desk.run("xdotool", &["windowsize", "--sync", &app.window, "800", "500"]);
    app.wait_for("the app hears of it", |app| {
        app.heard("Resized(Size { width: 800.0, height: 500.0, scale: 1.0 })") == 1
    });
    shows(desk, &app, (800, 500), &[(795, 495, probe::BACKGROUND), (400, 250, probe::BALL)]);
}

fn a_sharp_screen_has_more_pixels(desk: &Desk) {
    let app = watch::open_at_scale(desk, &[], 2);
    app.wait_for("points stay points", |app| {
        app.heard("Resized(Size { width: 640.0, height: 360.0, scale: 2.0 })") >= 1
    });
    // The ball's radius is 30 points, 60 pixels.
    let edge = [(640 + 55, 360, probe::BALL), (640 + 65, 360, probe::BACKGROUND)];
    shows(desk, &app, (1280, 720), &edge);
    desk.run("xdotool", &["mousemove", "--window", &app.window, "100", "50", "click", "1"]);
    app.wait_for("the mouse moves in points", |app| {
        app.heard("PointerDown(Pointer { id: 0, x: 50.0, y: 25.0, button: Primary })") == 1
    });
}

fn a_covered_or_minimised_window_stands_still(desk: &Desk) {
    let app = watch::open(desk, &[]);
    let cover = || watch::open(desk, &["--other", "--fullscreen"]);
    stands_still(&app, 1, cover, drop);

    let minimise = || {
        let other = watch::open(desk, &["--other"]);
        desk.run("xdotool", &["windowminimize", &app.window]);
        other
    };
    stands_still(&app, 2, minimise, |other| {
        drop(other);
        desk.run("xdotool", &["windowmap", &app.window]);
    });
}

fn a_background_app_steps_on_out_of_sight(desk: &Desk) {
    let app = watch::open(desk, &["--background"]);
    desk.run("xdotool", &["windowminimize", &app.window]);
    app.wait_for("it is hidden", |app| app.heard("Hidden") == 1);
    app.live(60);
}

fn closing_the_window_exits_with_0(desk: &Desk) {
    let app = watch::open(desk, &[]);
    desk.run("wmctrl", &["-i", "-c", &app.window]);
    assert_eq!(app.exit_code(), Some(0), "closed by its button");

    let app = watch::open(desk, &[]);
    desk.run("xdotool", &["key", "Escape"]);
    assert_eq!(app.exit_code(), Some(0), "quit by the app");
}

fn a_window_takes_on_the_rate_of_its_monitor() {
    let desk = &Desk::start_with_two_monitors(Path::new(env!("CARGO_TARGET_TMPDIR")));
    let app = watch::open(desk, &[]);
    for (x, hz) in [("100", 60.0), ("1500", 85.0), ("100", 60.0)] {
        desk.run("xdotool", &["windowmove", &app.window, x, "100"]);
        // Half of the frames are on time even on a busy machine.
        app.wait_for("the monitor's rate", |app| (hz * app.frame_ms() / 1e3 - 1.0).abs() < 0.02);
    }
}

fn on_wayland_a_window_keeps_the_monitors_beat() {
    let compositor = &Compositor::start(800, 600);
    let app = watch::open_on_wayland(compositor, &[]);
    app.wait_for("the window is drawn in full", |_| {
        has(&compositor.screenshot(), (800, 600), &[(5, 5, probe::BACKGROUND), (400, 300, probe::BALL)])
    });

    // A window on another workspace gets no frames.
    let leave = || {
        compositor.run("workspace 2");
        watch::open_on_wayland(compositor, &[])
    };
    for times in 1..=2 {
        stands_still(&app, times, leave, |_other| compositor.run("workspace 1"));
    }

    for hz in [85.0, 60.0] {
        compositor.run(&format!("output HEADLESS-1 mode --custom 800x600@{hz}Hz"));
        // A monitor that is not there has a beat of whole milliseconds.
        app.wait_for("the monitor's rate", |app| (hz * app.frame_ms() / 1e3 - 1.0).abs() < 0.1);
    }
    compositor.run("kill");
    assert_eq!(app.exit_code(), Some(0), "closed by its compositor");
}

fn on_wayland_a_window_has_its_own_rate_too() {
    let compositor = &Compositor::start(800, 600);
    for (arguments, hz) in [(["--rate-40"], 40.0), (["--draw-rate-30"], 60.0)] {
        let app = watch::open_on_wayland(compositor, &arguments);
        // Half of the frames are on time even on a busy machine.
        app.wait_for("a frame takes its time", |app| (hz * app.frame_ms() / 1e3 - 1.0).abs() < 0.1);
    }
}

fn without_a_display_there_is_an_error_in_words(_desk: &Desk) {
    let output = without_display(watch::this_test()).arg("--probe").output().expect("this test can be run");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("no display to open a window on"), "{said}");
    assert_eq!(output.status.code(), Some(1));
}

/// Nothing happens to an app that is hidden for the so-manieth time, and nothing jumps when it is back. `hide` opens
/// another window that is seen all the while, and so is the time that passes there.
fn stands_still(app: &Probe, times: usize, hide: impl FnOnce() -> Probe, show: impl FnOnce(Probe)) {
    let other = hide();
    app.wait_for("it is hidden", |app| app.heard("Hidden") == times);
    let (ticks, uncounted_s) = (app.ticks(), app.uncounted_s());
    other.live(60);
    assert_eq!(app.ticks(), ticks, "no ticks out of sight");

    show(other);
    app.wait_for("it is shown", |app| app.heard("Shown") == times);
    app.live(60);
    assert_eq!(app.heard("Hidden"), times, "and it stays so");
    assert_eq!(app.heard("back with 0 steps"), times, "no burst of steps");
    let away_s = app.uncounted_s() - uncounted_s;
    assert!(away_s > 0.9, "a second out of sight is no time, but {away_s} s were left out");
}

/// Waits until a window has this size and shows these colours.
fn shows(desk: &Desk, app: &Probe, size: (usize, usize), pixels: &[(usize, usize, u32)]) {
    app.wait_for("the window is drawn in full", |app| has(&desk.screenshot(&app.window), size, pixels));
}

fn has(image: &Image, size: (usize, usize), pixels: &[(usize, usize, u32)]) -> bool {
    (image.width, image.height) == size
        && pixels.iter().all(|&(x, y, color)| {
            let [red, green, blue] = image.pixels[y * image.width + x];
            u32::from_be_bytes([0, red, green, blue]) == color
        })
}
