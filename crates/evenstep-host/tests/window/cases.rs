//! The test cases.

use std::panic;
use std::path::Path;
use std::process::ExitCode;

use test_desktops::{Compositor, Desk, Image, without_display};

use crate::app_process::{self, AppProcess, Shown};
use crate::test_app;
use crate::x_proxy::XProxy;

pub(crate) type Case = (&'static str, fn(&Desk));

/// What a compositor without a graphics card needs for an image: 1.2 ms have been seen on a quiet machine.
const DRAWING_MS: f64 = 1.5;

pub(crate) fn run() -> ExitCode {
    let cases: &[Case] = &[
        ("a_window_opens_and_shows_the_app", a_window_opens_and_shows_the_app),
        (
            "an_app_that_pauses_without_focus_runs_from_the_start",
            an_app_that_pauses_without_focus_runs_from_the_start,
        ),
        ("keys_act_while_they_are_held", keys_act_while_they_are_held),
        ("a_lost_focus_releases_the_keys", a_lost_focus_releases_the_keys),
        ("a_resized_window_is_drawn_in_full", a_resized_window_is_drawn_in_full),
        ("a_high_density_screen_has_more_pixels", a_high_density_screen_has_more_pixels),
        ("an_app_changes_its_window_while_it_runs", an_app_changes_its_window_while_it_runs),
        ("a_covered_or_minimised_window_is_suspended", a_covered_or_minimised_window_is_suspended),
        ("a_background_app_keeps_stepping_while_hidden", a_background_app_keeps_stepping_while_hidden),
        ("closing_the_window_exits_with_0", closing_the_window_exits_with_0),
        ("frames_follow_the_x_servers_counts", frames_follow_the_x_servers_counts),
        ("a_beat_can_be_forced_and_one_that_is_not_here_is_replaced", a_beat_can_be_forced),
        ("a_beat_that_stops_is_replaced_until_it_is_back", a_beat_that_stops_is_replaced_until_it_is_back),
        ("a_window_runs_at_its_monitors_rate", |_| a_window_runs_at_its_monitors_rate()),
        ("a_wayland_window_runs_at_its_monitors_rate", |_| a_wayland_window_runs_at_its_monitors_rate()),
        ("a_wayland_window_can_have_its_own_rate", |_| a_wayland_window_can_have_its_own_rate()),
        ("every_missed_refresh_is_counted_on_wayland", every_missed_refresh_is_counted_on_wayland),
        ("a_late_start_loses_no_image", a_late_start_loses_no_image),
        ("a_compositor_without_a_display_discards_every_image", |_| a_compositor_discards_images()),
        ("without_a_display_there_is_a_clear_error", without_a_display_there_is_a_clear_error),
    ];
    let cases = cases.iter().copied();
    #[cfg(feature = "gpu")]
    let cases = cases.chain(crate::gpu_cases::CASES);
    // Words that are no options select cases by their names.
    let words: Vec<_> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(&**word));
    let desk = Desk::start(1920, 1200);
    let mut failures = 0;
    for (name, test) in cases.filter(|(name, _)| is_wanted(name)) {
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

fn an_app_that_pauses_without_focus_runs_from_the_start(desk: &Desk) {
    let app = app_process::open(desk, &["--pause-without-focus"]);
    app.wait_for("the app has the focus", |app| app.received("FocusGained") == 1);
    app.wait_for_ticks(30);
    assert_eq!(app.received("FocusLost"), 0, "it never had the focus before");
    assert_eq!(app.received("Resized"), 1, "the size is told once");
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

fn an_app_changes_its_window_while_it_runs(desk: &Desk) {
    let app = app_process::open(desk, &[]);
    let size = || {
        let image = desk.screenshot(&app.window);
        (image.width, image.height)
    };
    for (key, expected) in [("F11", (1920, 1200)), ("F11", (640, 360))] {
        desk.run("xdotool", &["key", key]);
        app.wait_for("full screen is entered and left", |_| size() == expected);
    }

    desk.run("xdotool", &["key", "t"]);
    app.wait_for("the title changes", |_| {
        let title = desk.output("xdotool", &["getwindowname", &app.window]).stdout;
        String::from_utf8_lossy(&title).trim() == test_app::RENAMED
    });

    desk.run("xdotool", &["key", "c", "key", "m"]);
    app.wait_for("the window system knows the smallest size", |_| {
        let hints = desk.output("xprop", &["-id", &app.window, "WM_NORMAL_HINTS"]).stdout;
        String::from_utf8_lossy(&hints).contains("minimum size: 400 by 300")
    });
    app.wait_for_ticks(10);
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
        // This server counts 60 refreshes per second for every monitor, so its counts are no beat for the second one.
        let beat = if hz == 60.0 { "count" } else { "deadlines for count Wild" };
        app.wait_for("the beat is checked on each monitor", |app| app.beat() == beat);
    }

    // A window with a rate of its own learns when its images are shown, wherever it was before.
    let app = app_process::open(desk, &["--rate-40"]);
    for (x, is_shown) in [("1500", false), ("100", true)] {
        desk.run("xdotool", &["windowmove", &app.window, x, "100"]);
        app.wait_for("reports stop where counts are wrong, and come back", |app| {
            let before = app.shown().len();
            app.wait_for_ticks(60);
            (app.shown().len() > before + 10) == is_shown
        });
    }
}

fn frames_follow_the_x_servers_counts(desk: &Desk) {
    let app = app_process::open(desk, &[]);
    assert_eq!(app.beat(), "count");
    app.wait_for("images are shown", |app| app.shown().len() > 200);
    let shown = app.shown();
    assert_counts_agree(&shown);
    // The server's own clock and counts say what its refresh is.
    let first = shown[0];
    let last = shown[shown.len() - 1];
    let period_ms = (last.at_ns - first.at_ns) as f64 / (last.sequence - first.sequence) as f64 / 1e6;
    assert!((period_ms - 16.667).abs() < 0.1, "{period_ms} ms");
    let frame_ms = app.state().frame_ms;
    assert!((frame_ms - period_ms).abs() < 0.5, "frames take {frame_ms} ms, refreshes {period_ms} ms");

    // While the window is hidden nothing is missed, and afterwards its beat goes on.
    let missed = last.missed;
    desk.run("xdotool", &["windowminimize", &app.window]);
    app.wait_for("the app is hidden", |app| app.received("Hidden") == 1);
    app_process::open(desk, &["--other"]).wait_for_ticks(60);
    let before = app.shown().len();
    desk.run("xdotool", &["windowmap", &app.window]);
    app.wait_for("images are shown again", |app| app.shown().len() > before + 60);
    let shown = app.shown();
    assert!(shown[before].missed - missed < 30, "a second was hidden, not missed: {:?}", shown[before]);
    assert_eq!(app.beat(), "count");
}

fn a_beat_can_be_forced(desk: &Desk) {
    for (argument, beat) in [
        ("--beat-deadlines", "deadlines"),
        ("--beat-count", "count"),
        ("--beat-callback", "count for callback Stopped"),
    ] {
        let app = app_process::open(desk, &[argument]);
        app.wait_for_ticks(60);
        assert_eq!(app.beat(), beat, "{argument}");
        app.wait_for("frames follow the refresh", |app| (app.state().frame_ms / 16.667 - 1.0).abs() < 0.05);
        app.wait_for("images are shown, whatever starts the frames", |app| app.shown().len() > 60);
        assert_counts_agree(&app.shown());
    }
}

fn a_beat_that_stops_is_replaced_until_it_is_back(desk: &Desk) {
    let proxy = XProxy::start(desk);
    let mut command = desk.command(app_process::this_test());
    command.env("DISPLAY", proxy.display());
    let app = AppProcess::start(command, &[], 1);
    app.wait_for("images are shown", |app| app.beat() == "count" && app.shown().len() > 60);
    // The host opens its connection for the counts last.
    proxy.hold_last();
    app.wait_for("deadlines take over, and say why", |app| app.beat() == "deadlines for count Stopped");
    app.wait_for_ticks(60);
    proxy.release();
    app.wait_for("the counts are back, and nothing is missing", |app| app.beat() == "count");
    app.wait_for_ticks(60);
}

fn every_missed_refresh_is_counted_on_wayland(desk: &Desk) {
    let compositor = &Compositor::start_in(desk);
    let app = app_process::open_on_wayland(compositor, &["--slow"]);
    wait_for_images(&app, 600);
    assert_eq!(app.beat(), "callback");
    let shown = app.shown();
    assert_counts_agree(&shown);
    let first = shown[0];
    let last = shown[shown.len() - 1];
    let slow = last.slow - first.slow;
    let missed = last.missed - first.missed;
    println!("{} images, {slow} slow frames, {missed} refreshes missed", last.images - first.images);
    assert!(slow >= 20, "{slow} slow frames");
    // A frame that takes longer than a refresh misses one, unless the window was hidden.
    assert!(missed >= slow - 1 - (last.hidden - first.hidden), "{slow} slow frames, {missed} missed");
}

fn a_late_start_loses_no_image(desk: &Desk) {
    let compositor = &Compositor::start_in(desk);
    let app = app_process::open_on_wayland(compositor, &["--late-start"]);
    wait_for_images(&app, 300);
    // A machine that is busy with something else gives it little room: wait for a calm moment.
    let has_waited = |app: &AppProcess| {
        let shown = app.shown();
        shown.iter().filter(|shown| shown.waited_ns > 0).count() >= 30
    };
    for _ in 0..10 {
        if !has_waited(&app) {
            wait_for_images(&app, app.shown().last().map_or(0, |shown| shown.images) + 300);
        }
    }
    assert!(has_waited(&app), "no frame has started late");
    assert_eq!(app.beat(), "callback");
    assert_counts_agree(&app.shown());
}

fn a_compositor_discards_images() {
    // A headless monitor shows nothing, and says so: no report must be taken for an image.
    let compositor = &Compositor::start(800, 600);
    let app = app_process::open_on_wayland(compositor, &[]);
    app.wait_for_ticks(120);
    assert_eq!((app.shown().len(), app.beat().as_str()), (0, "callback"));
}

/// Waits until this many images were shown, however slowly.
fn wait_for_images(app: &AppProcess, images: i64) {
    for images in (0..=images).step_by(50) {
        app.wait_for("images are shown", |app| {
            app.shown().last().is_some_and(|shown| shown.images >= images)
        });
    }
}

/// The refresh of Xvfb, and of a compositor inside it.
const REFRESH_NS: i64 = 16_667_000;
/// What the server's clock and ours may drift apart in the meantime.
const DRIFT_NS: i64 = 700_000;
/// More images than are on their way to a display at a time.
const IN_FLIGHT_MAX: i64 = 6;

/// Checks that the host's count of missed refreshes is the one that the display's own numbers give and the one that the
/// times give, and that the host knows what became of every image that the app has drawn.
fn assert_counts_agree(shown: &[Shown]) {
    // The server reads its clock late, but by less than a refresh: its count is that of its clock.
    let late_ns = |image: &Shown| image.at_ns - image.sequence * REFRESH_NS;
    let least_ns = shown.iter().map(late_ns).min();
    let most_ns = shown.iter().map(late_ns).max();
    let spread_ns = most_ns.unwrap_or(0) - least_ns.unwrap_or(0);
    assert!(spread_ns < REFRESH_NS + DRIFT_NS, "times and counts differ by up to {spread_ns} ns");
    // Only on a busy machine is it late by more than half a refresh, and not most of the time.
    let is_other = |pair: &&[Shown]| {
        let by_time = (pair[1].at_ns - pair[0].at_ns + REFRESH_NS / 2) / REFRESH_NS;
        by_time != pair[1].sequence - pair[0].sequence
    };
    let others = shown.windows(2).filter(is_other).count();
    assert!(others <= shown.len() / 3, "{others} of {} counts are not what the times say", shown.len());
    let mut first = shown[0];
    let mut under_way = Vec::new();
    for (n, image) in shown.iter().enumerate() {
        if image.hidden != first.hidden {
            under_way.clear();
            // A busy machine may take long enough for the window to count as hidden.
            first = *image;
        }
        assert!(image.sequence >= 0, "image {n} has no number");
        assert!(image.latency_ns > 0, "image {n} was shown before its input was read: {image:?}");
        let passed = image.sequence - first.sequence;
        let accounted = image.images + image.discarded - first.images - first.discarded;
        under_way.push((image.drawn - first.drawn - accounted).abs());
        let images = image.images - first.images;
        let missed = image.missed - first.missed;
        assert_eq!(
            passed,
            images + missed,
            "image {n}: {passed} refreshes, {images} images, {missed} missed"
        );
    }
    // A busy server may report many at once, but none is forgotten.
    let lost = under_way.iter().rev().take(30).min().copied().unwrap_or(0);
    assert!(lost <= IN_FLIGHT_MAX, "nothing is known of {lost} images");
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

    for hz in [144.0, 60.0, 85.0] {
        compositor.run(&format!("output HEADLESS-1 mode --custom 800x600@{hz}Hz"));
        // A headless monitor refreshes at whole milliseconds, counted from the end of its drawing in software.
        app.wait_for("frames follow the monitor's rate", |app| {
            let period_ms = 1e3 / hz;
            let late_ms = app.state().frame_ms - period_ms;
            (-0.1 * period_ms..0.1 * period_ms + DRAWING_MS).contains(&late_ms)
        });
        app.wait_for("the callback is checked against the new rate", |app| app.beat() == "callback");
    }
    app.wait_for_ticks(120);
    assert_eq!(app.beat(), "callback", "it is what the monitor claims");
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
        // A timer of our own notices as well that nobody sees the window.
        let leave = || {
            compositor.run("workspace 2");
            app_process::open_on_wayland(compositor, &[])
        };
        assert_suspended(&app, 1, leave, |_other| compositor.run("workspace 1"));
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
pub(crate) fn assert_suspended(
    app: &AppProcess,
    times: usize,
    hide: impl FnOnce() -> AppProcess,
    show: impl FnOnce(AppProcess),
) {
    let other = hide();
    app.wait_for("the app is hidden", |app| app.received("Hidden") == times);
    let ticks = app.state().ticks;
    let uncounted_s = app.state().uncounted_s;
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
