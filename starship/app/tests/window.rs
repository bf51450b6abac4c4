//! Tests the game in real windows with real keys, on X (Xvfb with a window manager) and on Wayland.
//!
//! Run: cargo test --release -p starship --test window -- --ignored
//! Needs the Debian packages xvfb, openbox, wmctrl, xdotool, imagemagick, sway and grim, and fails if one is missing.

#![cfg(target_os = "linux")]

use std::io::BufReader;
use std::path::{Path, PathBuf};

use evenstep_trace::Replay;
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
fn f11_fills_the_screen_and_settings_are_there_in_the_next_session() {
    let desk = Desk::start(WIDTH, HEIGHT);
    let mut game = play(&desk, &["--seed", "5"]);
    let size = |game: &Game<'_>| {
        let image = game.shot();
        (image.width, image.height)
    };
    game.wait_for("the title shows the game", is_the_game);
    for (key, expected) in [("F11", (WIDTH, HEIGHT)), ("alt+Return", (1280, 720))] {
        game.key(key);
        wait_until("full screen is entered and left", || size(&game) == expected);
    }
    // The overlay, which is the same in the next session.
    game.key("F1");
    let kept = game.folder.clone();
    wait_until("the setting is kept", || kept_text(&kept).contains("setting.overlay"));
    game.key("Escape");
    assert_eq!(game.process.exit_code(), Some(0), "Esc on the title ends the game");
    let before = kept_text(&kept);

    let mut game = play_in(&desk, &["--seed", "5"], kept.clone());
    game.wait_for("the next session shows the game", is_the_game);
    game.key("F1");
    wait_until("F1 turns off what was on", || kept_text(&kept) != before);
    desk.run("wmctrl", &["-c", TITLE]);
    assert_eq!(game.exit_code(), Some(0), "a closed window ends the game");
}

#[test]
#[ignore = "needs an X server and more: see the top of the file"]
fn a_window_that_is_closed_in_a_run_keeps_its_score() {
    let desk = Desk::start(WIDTH, HEIGHT);
    // Fast, so that there is a score soon.
    let mut game = play(&desk, &["--seed", "5", "--scale", "4"]);
    game.wait_for("the title shows the game", is_the_game);
    game.key("Return");
    game.wait_for("Enter starts a run", has_hud);
    game.wait_for("an enemy is shot", has_score);
    desk.run("wmctrl", &["-c", TITLE]);
    assert_eq!(game.process.exit_code(), Some(0), "a closed window ends the game");
    let kept = kept_text(&game.folder);
    assert!(kept.contains("best.normal="), "{kept}");
    let _ = std::fs::remove_dir_all(&game.folder);
}

/// The exit status of `starship replay verify`.
fn verify(file: &Path, options: &[&str]) -> Option<i32> {
    let mut verify = std::process::Command::new(env!("CARGO_BIN_EXE_starship"));
    let output = verify.args(["replay", "verify"]).args(options).arg(file).output();
    output.expect("the launcher starts").status.code()
}

#[test]
#[ignore = "needs an X server and more: see the top of the file"]
fn a_session_is_recorded_saved_verified_and_watched() {
    let desk = Desk::start(WIDTH, HEIGHT);
    let mut game = play(&desk, &["--seed", "5", "--autopilot", "--record", "run.replay"]);
    game.wait_for("the game is shown", |image| has_hud(image) && is_the_game(image));
    game.key("F6");
    let minute = game.folder.join("starship-001.replay");
    wait_until("F6 saves the last minute", || verify(&minute, &[]) == Some(0));
    desk.run("wmctrl", &["-c", TITLE]);
    assert_eq!(game.process.exit_code(), Some(0), "a closed window ends the game");
    assert_eq!(verify(&game.folder.join("run.replay"), &[]), Some(0), "the whole session");

    let mut game = play_in(&desk, &["--replay", "run.replay"], game.folder.clone());
    game.wait_for("the recording is shown", |image| has_hud(image) && is_the_game(image));
    game.key("space");
    wait_until("space holds the recording", || game.shot() == game.shot());
    game.key("Return");
    let taken_over = game.shot();
    game.wait_for("Enter takes over", |image| pixels_apart(image, &taken_over) > 50);
    desk.run("wmctrl", &["-c", TITLE]);
    assert_eq!(game.exit_code(), Some(0), "a closed window ends the game");
}

#[test]
#[ignore = "needs an X server and more: see the top of the file"]
fn a_panic_in_a_window_leaves_the_last_minute_in_a_file_that_verifies() {
    let desk = Desk::start(WIDTH, HEIGHT);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(desk.display().replace(':', "starship-panic-"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let mut game = desk.command(env!("CARGO_BIN_EXE_starship"));
    game.args(["--autopilot", "--seed", "5"]).env("STARSHIP_PANIC_AT", "120");
    game.current_dir(&folder).env("XDG_CONFIG_HOME", &folder);
    let mut game = Process::start(&mut game, "the game starts");
    assert_eq!(game.exit_code(), Some(101), "it panics");
    assert_eq!(verify(&folder.join("starship-crash-001.replay"), &["--incomplete"]), Some(0));
    std::fs::remove_dir_all(folder).expect("the folder");
}

/// Everything that the game has kept in a folder.
fn kept_text(folder: &Path) -> String {
    let files = std::fs::read_dir(folder.join("starship-survivors")).into_iter().flatten().flatten();
    files.filter_map(|file| std::fs::read_to_string(file.path()).ok()).collect()
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
fn a_trace_of_a_window_replays_as_the_game_ran() {
    let desk = Desk::start(WIDTH, HEIGHT);
    let mut game = play(&desk, &["--autopilot", "--seed", "5", "--trace", "played.trace.jsonl"]);
    game.wait_for("the game is shown", |image| has_hud(image) && is_the_game(image));
    let playing = game.shot();
    game.wait_for("the game goes on", |image| pixels_apart(image, &playing) > 50);
    // The setting that needs a control in the trace.
    game.key("bracketleft");
    let slow = game.shot();
    game.wait_for("the game goes on at half speed", |image| pixels_apart(image, &slow) > 50);
    let trace = game.folder.join("played.trace.jsonl");
    let frames = || std::fs::read_to_string(&trace).map_or(0, |text| text.matches("frame_ns").count());
    wait_until("the trace has enough frames", || frames() > 60);
    desk.run("wmctrl", &["-c", TITLE]);
    assert_eq!(game.process.exit_code(), Some(0), "a closed window ends the game");
    let file = std::fs::File::open(&trace).expect("a trace");
    let mut replay = Replay::open(BufReader::new(file)).expect("a header");
    let mut frames = 0;
    for frame in replay.by_ref() {
        assert!(frame.is_ok(), "the last line is whole as well: {frame:?}");
        frames += 1;
    }
    assert!(frames > 20, "{frames} frames");
    let pacer = replay.pacer();
    assert!(pacer.tick() > 10, "{} ticks", pacer.tick());
    assert_eq!(pacer.scale(), 0.5, "the trace has the change of speed");
    assert!(pacer.ledger().is_balanced());
    let _ = std::fs::remove_dir_all(&game.folder);
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

#[cfg(feature = "gpu")]
#[test]
#[ignore = "needs an X server and more: see the top of the file"]
fn gpu_draws_the_game_and_a_closed_window_exits_with_0() {
    let desk = Desk::start(WIDTH, HEIGHT);
    let mut game = play(&desk, &["--autopilot", "--renderer", "gpu", "--seed", "5"]);
    game.wait_for("the game is shown", |image| has_hud(image) && is_the_game(image));
    desk.run("wmctrl", &["-c", TITLE]);
    assert_eq!(game.exit_code(), Some(0), "a closed window ends the game");
}

/// Starts the game in a separate folder, and waits until its window has the focus.
fn play<'a>(desk: &'a Desk, arguments: &[&str]) -> Game<'a> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(desk.display().replace(':', "starship-window-"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    play_in(desk, arguments, folder)
}

/// Starts the game in a folder, which is also where it keeps its settings.
fn play_in<'a>(desk: &'a Desk, arguments: &[&str], folder: PathBuf) -> Game<'a> {
    let mut game = desk.command(env!("CARGO_BIN_EXE_starship"));
    let process = Process::start(
        game.args(arguments).current_dir(&folder).env("XDG_CONFIG_HOME", &folder),
        "the game starts",
    );
    let window = desk.wait_for_window(&process, TITLE);
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

/// Whether the score in the upper right corner has more than one digit.
fn has_score(image: &Image) -> bool {
    let is_yellow = |[red, green, blue]: [u8; 3]| red > 200 && green > 150 && blue < 140;
    let mut rows = image.pixels.chunks(image.width).skip(24).take(22);
    rows.any(|row| row.len() > 180 && row[row.len() - 160..row.len() - 48].iter().copied().any(is_yellow))
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
