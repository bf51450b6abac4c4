//! Tests the game in real windows with real keys, on X (Xvfb with a window manager) and on Wayland.
//!
//! Run: cargo test --release -p starship --test window -- --ignored
//! Needs the Debian packages xvfb, openbox, wmctrl, xdotool, imagemagick, sway and grim, and fails if one is missing.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};

use test_desktops::{Compositor, Desk, Image, Process, wait_until};

const WIDTH: usize = 1366;
const HEIGHT: usize = 768;
const TITLE: &str = "Starship Survivors";

#[test]
#[ignore = "needs an X server and more: see the top of the file"]
fn keys_start_pause_show_and_quit_the_game() {
    let desk = Desk::start(WIDTH, HEIGHT);
    let mut game = play(&desk, &["--seed", "5"]);
    game.wait_for("the title shows the game", |image| !has_hud(image) && is_the_game(image));
    game.key("Return");
    game.wait_for("Enter starts a run", has_hud);
    let playing = game.shot();
    game.wait_for("a run goes on", |image| pixels_apart(image, &playing) > 50);

    game.key("p");
    wait_until("P holds the game", || game.shot() == game.shot());
    let paused = game.shot();
    game.key("F1");
    game.wait_for("F1 shows the overlay", |image| pixels_apart(image, &paused) > 20_000);
    game.key("F2");
    let file = game.folder.join("starship-001.png");
    wait_until("F2 writes a screenshot", || {
        std::fs::read(&file)
            .is_ok_and(|bytes| bytes.starts_with(b"\x89PNG") && bytes.ends_with(b"IEND\xAE\x42\x60\x82"))
    });
    game.key("F1");
    game.wait_for("F1 hides the overlay", |image| pixels_apart(image, &paused) < 5_000);

    game.key("p");
    let resumed = game.shot();
    game.wait_for("P lets the game go on", |image| pixels_apart(image, &resumed) > 50);
    game.key("Escape");
    wait_until("Esc holds the game", || game.shot() == game.shot());
    // The menu's last entry quits.
    game.key("Up");
    game.key("Return");
    assert_eq!(game.exit_code(), Some(0), "Quit ends the game");
}

#[test]
#[ignore = "needs an X server and more: see the top of the file"]
fn closing_the_window_exits_with_0() {
    let desk = Desk::start(WIDTH, HEIGHT);
    let mut game = play(&desk, &["--autopilot"]);
    game.wait_for("the game is shown", |image| has_hud(image) && is_the_game(image));
    desk.run("wmctrl", &["-c", TITLE]);
    assert_eq!(game.exit_code(), Some(0), "a closed window ends the game");
}

#[test]
#[ignore = "needs an X server and more: see the top of the file"]
fn fullscreen_fills_the_screen_at_a_rate_of_its_own_and_with_a_cap() {
    let desk = Desk::start(WIDTH, HEIGHT);
    let mut game = play(&desk, &["--fullscreen", "--autopilot", "--display-hz", "50", "--fps-cap", "25"]);
    wait_until("the window is as large as the screen", || {
        let image = game.shot();
        (image.width, image.height) == (WIDTH, HEIGHT)
    });
    game.wait_for("the game is shown", is_the_game);
    desk.run("wmctrl", &["-c", TITLE]);
    assert_eq!(game.exit_code(), Some(0), "a closed window ends the game");
}

#[test]
#[ignore = "needs a Wayland compositor and more: see the top of the file"]
fn on_wayland_the_game_is_shown_and_a_closed_window_exits_with_0() {
    let compositor = Compositor::start(WIDTH, HEIGHT);
    let mut game = compositor.command(env!("CARGO_BIN_EXE_starship"));
    let mut game = Process::start(game.args(["--autopilot", "--seed", "5"]), "the game starts");
    wait_until("the game is shown", || {
        let image = compositor.screenshot();
        has_hud(&image) && is_the_game(&image)
    });
    let playing = compositor.screenshot();
    wait_until("the game goes on", || pixels_apart(&compositor.screenshot(), &playing) > 50);
    compositor.run("kill");
    assert_eq!(game.exit_code(), Some(0), "a closed window ends the game");
}

/// Starts the game in a separate folder, and waits until its window has the focus.
fn play<'a>(desk: &'a Desk, arguments: &[&str]) -> Game<'a> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(desk.display().replace(':', "starship-window-"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let mut game = desk.command(env!("CARGO_BIN_EXE_starship"));
    let process = Process::start(game.args(arguments).current_dir(&folder), "the game starts");
    let window = desk.wait_for_window(TITLE);
    wait_until("the window has the focus", || {
        desk.output("xdotool", &["windowactivate", &window]);
        let active = desk.output("xdotool", &["getactivewindow"]).stdout;
        String::from_utf8_lossy(&active).trim() == window
    });
    Game { desk, process, window, folder }
}

/// The game, in a window.
struct Game<'a> {
    desk: &'a Desk,
    process: Process,
    window: String,
    folder: PathBuf,
}

impl Game<'_> {
    fn key(&self, key: &str) {
        self.desk.run("xdotool", &["key", key]);
    }

    fn shot(&self) -> Image {
        self.desk.screenshot(&self.window)
    }

    fn wait_for(&self, what: &str, is_so: impl Fn(&Image) -> bool) {
        wait_until(what, || is_so(&self.shot()));
    }

    fn exit_code(&mut self) -> Option<i32> {
        let code = self.process.exit_code();
        let _ = std::fs::remove_dir_all(&self.folder);
        code
    }
}

/// Whether the green hull bar is in the upper left corner.
fn has_hud(image: &Image) -> bool {
    let [red, green, _] = image.pixels.get(30 * image.width + 150).copied().unwrap_or_default();
    green > 110 && green > red.saturating_add(40)
}

/// Whether the image has many colours, including the ship's cyan.
fn is_the_game(image: &Image) -> bool {
    let mut colors = image.pixels.clone();
    colors.sort_unstable();
    colors.dedup();
    let is_cyan = |[red, green, blue]: [u8; 3]| red < 120 && green > 190 && blue > 220;
    colors.len() > 300 && image.pixels.iter().filter(|&&pixel| is_cyan(pixel)).count() > 20
}

fn pixels_apart(image: &Image, other: &Image) -> usize {
    image.pixels.iter().zip(&other.pixels).filter(|(a, b)| a != b).count()
}
