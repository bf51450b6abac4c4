//! A real window on a real X server: it opens, keys act, it can be seen, hidden, resized, unfocused and closed.
//!
//! Run: `cargo test -p evenstep-host --features native --test window -- --ignored`
//!
//! Without `--ignored` it only says that it is left out. It needs Xvfb, openbox, xdotool, wmctrl and `ImageMagick`
//! (Debian: `xvfb openbox xdotool wmctrl imagemagick`) and fails when one of them is missing.

#![expect(clippy::disallowed_methods, reason = "waits for other programs")]

#[cfg(target_os = "linux")]
mod desk;
mod probe;

use std::process::ExitCode;

fn main() -> ExitCode {
    let has = |wanted: &str| std::env::args().any(|argument| argument == wanted);
    if has("--probe") {
        return probe::run();
    }
    // A test runner that asks for a list gets an empty one.
    if has("--list") {
        return ExitCode::SUCCESS;
    }
    if !has("--ignored") {
        println!("window: left out; it needs Xvfb. Run it with: -- --ignored");
        return ExitCode::SUCCESS;
    }
    run_tests()
}

#[cfg(not(target_os = "linux"))]
fn run_tests() -> ExitCode {
    println!("window: left out; there is no Xvfb here");
    ExitCode::SUCCESS
}

#[cfg(target_os = "linux")]
fn run_tests() -> ExitCode {
    let tests: [(&str, fn(&desk::Desk)); 7] = [
        ("a_window_opens_and_shows_the_app", a_window_opens_and_shows_the_app),
        ("keys_act_while_they_are_held", keys_act_while_they_are_held),
        ("a_lost_focus_releases_the_keys", a_lost_focus_releases_the_keys),
        ("a_resized_window_is_drawn_in_full", a_resized_window_is_drawn_in_full),
        ("a_covered_or_minimised_window_stands_still", a_covered_or_minimised_window_stands_still),
        ("a_background_app_steps_on_out_of_sight", a_background_app_steps_on_out_of_sight),
        ("closing_the_window_exits_with_0", closing_the_window_exits_with_0),
    ];
    let desk = desk::Desk::start();
    for (name, test) in tests {
        test(&desk);
        println!("test {name} ... ok");
    }
    ExitCode::SUCCESS
}

#[cfg(target_os = "linux")]
use desk::Desk;

#[cfg(target_os = "linux")]
fn a_window_opens_and_shows_the_app(desk: &Desk) {
    let app = desk.open(&[]);
    app.wait_for("ticks keep time", |app| app.ticks() > 90);
    let image = desk.screenshot(&app.window);
    assert_eq!((image.width, image.height), (640, 360));
    assert_eq!(image.pixel(5, 5), probe::BACKGROUND);
    assert_eq!(image.pixel(320, 180), probe::BALL);
    desk.save(&app.window, "window.png");

    // Game time is wall time, whatever the load: the clock starts over so that opening the window does not count.
    let (before, start) = (app.ticks(), std::time::Instant::now());
    std::thread::sleep(std::time::Duration::from_secs(2));
    let rate = (app.ticks() - before) as f64 / start.elapsed().as_secs_f64();
    assert!((54.0..66.0).contains(&rate), "{rate} ticks a second");
}

#[cfg(target_os = "linux")]
fn keys_act_while_they_are_held(desk: &Desk) {
    let app = desk.open(&[]);
    let start = app.x();
    desk.xdotool(&["keydown", "Right"]);
    app.wait_for("the key moves the ball", |app| app.x() > start + 60);
    desk.xdotool(&["keyup", "Right"]);
    app.wait_for("the key goes up", |app| app.heard("KeyUp(ArrowRight)") == 1);
    assert_eq!(app.heard("KeyDown(ArrowRight)"), 1, "held is no repeat");
    std::thread::sleep(std::time::Duration::from_millis(200));
    let stopped = app.x();
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(app.x(), stopped, "a key that is up moves nothing");

    // Taps far shorter than a frame.
    for _ in 0..20 {
        desk.xdotool(&["key", "--delay", "1", "space"]);
    }
    app.wait_for("every tap reaches one tick", |app| app.taps() == 20);

    desk.xdotool(&["mousemove", "--window", &app.window, "100", "50", "click", "1"]);
    app.wait_for("a click has its place", |app| {
        app.heard("PointerDown(Pointer { id: 0, x: 100.0, y: 50.0, button: Primary })") == 1
            && app.heard("PointerUp") == 1
    });
}

#[cfg(target_os = "linux")]
fn a_lost_focus_releases_the_keys(desk: &Desk) {
    let app = desk.open(&[]);
    desk.xdotool(&["keydown", "Right"]);
    app.wait_for("the key is down", |app| app.heard("KeyDown(ArrowRight)") == 1);
    let other = desk.open(&["--other"]);
    app.wait_for("the focus is lost", |app| app.heard("FocusLost") >= 1);
    assert_eq!(app.heard("KeyUp(ArrowRight)"), 1, "released with the focus, though the key is still down");
    desk.xdotool(&["keyup", "Right"]);
    drop(other);
}

#[cfg(target_os = "linux")]
fn a_resized_window_is_drawn_in_full(desk: &Desk) {
    let app = desk.open(&[]);
    desk.xdotool(&["windowsize", "--sync", &app.window, "800", "500"]);
    app.wait_for("the app hears of it", |app| {
        app.heard("Resized(Size { width: 800.0, height: 500.0, scale: 1.0 })") == 1
    });
    std::thread::sleep(std::time::Duration::from_millis(300));
    let image = desk.screenshot(&app.window);
    assert_eq!((image.width, image.height), (800, 500));
    assert_eq!(image.pixel(795, 495), probe::BACKGROUND);
    assert_eq!(image.pixel(400, 250), probe::BALL);
}

#[cfg(target_os = "linux")]
fn a_covered_or_minimised_window_stands_still(desk: &Desk) {
    let app = desk.open(&[]);
    for way in ["covered", "minimised"] {
        let hidden_before = app.heard("Hidden");
        let cover = (way == "covered").then(|| desk.open(&["--other", "--fullscreen"]));
        if cover.is_none() {
            desk.xdotool(&["windowminimize", &app.window]);
        }
        app.wait_for("it is hidden", |app| app.heard("Hidden") > hidden_before);
        std::thread::sleep(std::time::Duration::from_millis(300));
        let ticks = app.ticks();
        std::thread::sleep(std::time::Duration::from_millis(1_000));
        assert_eq!(app.ticks(), ticks, "{way}: no ticks");

        if let Some(cover) = cover {
            drop(cover);
        } else {
            desk.xdotool(&["windowmap", &app.window]);
        }
        app.wait_for("it is shown and goes on", |app| {
            app.heard("Shown") > hidden_before && app.ticks() > ticks + 30
        });
        assert!(app.steps_most() <= 8, "{way}: no burst of steps on return, but {}", app.steps_most());
    }
}

#[cfg(target_os = "linux")]
fn a_background_app_steps_on_out_of_sight(desk: &Desk) {
    let app = desk.open(&["--background"]);
    desk.xdotool(&["windowminimize", &app.window]);
    app.wait_for("it is hidden", |app| app.heard("Hidden") == 1);
    let ticks = app.ticks();
    app.wait_for("it steps on", |app| app.ticks() > ticks + 60);
}

#[cfg(target_os = "linux")]
fn closing_the_window_exits_with_0(desk: &Desk) {
    let app = desk.open(&[]);
    desk.run("wmctrl", &["-i", "-c", &app.window]);
    assert_eq!(app.exit_code(), Some(0), "closed by its button");

    let app = desk.open(&[]);
    desk.xdotool(&["key", "Escape"]);
    assert_eq!(app.exit_code(), Some(0), "quit by the app");
}
