//! The game in a real window, under Xvfb with a window manager, with real keys.
//!
//! Run: cargo test --release -p starship --test window -- --ignored
//! It needs Debian's packages xvfb, openbox, wmctrl, xdotool and imagemagick, and fails where one of them is missing.

#![expect(clippy::disallowed_methods, reason = "waits for other programs")]

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Long enough for a slow machine. Nothing waits for longer than it must.
const PATIENCE: Duration = Duration::from_secs(30);
const TITLE: &str = "Starship Survivors";

#[test]
#[ignore = "needs an X server and more: see the top of the file"]
fn keys_start_pause_show_and_quit_the_game() {
    let desk = Desk::start();
    let mut game = desk.play(&["--seed", "5"]);
    game.wait_for("the title shows the game", |image| !image.has_hud() && image.is_the_game());
    game.key("Return");
    game.wait_for("Enter starts a run", Image::has_hud);
    let playing = game.shot();
    game.wait_for("a run goes on", |image| image.pixels_other_than(&playing) > 50);

    game.key("p");
    wait_until("P holds the game", || game.shot() == game.shot());
    let paused = game.shot();
    game.key("F1");
    game.wait_for("F1 shows the overlay", |image| image.pixels_other_than(&paused) > 20_000);
    game.key("F2");
    let file = game.folder.join("starship-001.png");
    wait_until("F2 writes a screenshot", || {
        std::fs::read(&file)
            .is_ok_and(|bytes| bytes.starts_with(b"\x89PNG") && bytes.ends_with(b"IEND\xAE\x42\x60\x82"))
    });
    game.key("F1");
    game.wait_for("F1 hides the overlay", |image| image.pixels_other_than(&paused) < 5_000);

    game.key("p");
    let resumed = game.shot();
    game.wait_for("P lets the game go on", |image| image.pixels_other_than(&resumed) > 50);
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
    let desk = Desk::start();
    let mut game = desk.play(&["--autopilot"]);
    game.wait_for("the game is shown", |image| image.has_hud() && image.is_the_game());
    desk.run("wmctrl", &["-c", TITLE]);
    assert_eq!(game.exit_code(), Some(0), "a closed window ends the game");
}

#[test]
#[ignore = "needs an X server and more: see the top of the file"]
fn fullscreen_fills_the_screen_at_a_rate_of_its_own_and_with_a_cap() {
    let desk = Desk::start();
    let mut game = desk.play(&["--fullscreen", "--autopilot", "--display-hz", "50", "--fps-cap", "25"]);
    wait_until("the window is as large as the screen", || {
        let image = game.shot();
        (image.width, image.height) == (Desk::WIDTH, Desk::HEIGHT)
    });
    game.wait_for("the game is shown", Image::is_the_game);
    desk.run("wmctrl", &["-c", TITLE]);
    assert_eq!(game.exit_code(), Some(0), "a closed window ends the game");
}

/// Ends with its owner, whatever becomes of the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An X server with a window manager.
struct Desk {
    display: String,
    _server: Process,
    _manager: Process,
}

impl Desk {
    const WIDTH: usize = 1366;
    const HEIGHT: usize = 768;

    fn start() -> Self {
        let screen = format!("{}x{}x24", Self::WIDTH, Self::HEIGHT);
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &screen, "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_or_else(|error| panic!("Xvfb is needed (Debian: xvfb): {error}"), Process);
        let mut number = String::new();
        let stdout = server.0.stdout.take().expect("Xvfb's output is piped");
        BufReader::new(stdout).read_line(&mut number).expect("Xvfb says its number");
        let display = format!(":{}", number.trim());
        let manager = Command::new("openbox")
            .env("DISPLAY", &display)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_or_else(|error| panic!("openbox is needed (Debian: openbox): {error}"), Process);
        let desk = Self { display, _server: server, _manager: manager };
        wait_until("the window manager came up", || desk.output("wmctrl", &["-m"]).status.success());
        desk
    }

    /// Starts the game in a folder of its own, and waits until its window has the focus.
    fn play(&self, arguments: &[&str]) -> Game<'_> {
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(self.display.replace(':', "starship-window-"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        let process = Command::new(env!("CARGO_BIN_EXE_starship"))
            .args(arguments)
            .current_dir(&folder)
            .env("DISPLAY", &self.display)
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .spawn()
            .map_or_else(|error| panic!("the game starts: {error}"), Process);
        let mut window = String::new();
        wait_until("the window opens", || {
            let find = |words: &[&str]| {
                let found = self.output("xdotool", &[&["search"], words, &["--name", TITLE]].concat()).stdout;
                String::from_utf8_lossy(&found).lines().last().map(str::to_owned)
            };
            // Openbox misses what asks to be shown in the last moment before it is ready: it is asked again.
            if let Some(hidden) = find(&[]) {
                self.output("xdotool", &["windowmap", &hidden]);
            }
            find(&["--onlyvisible"]).is_some_and(|found| {
                window = found;
                true
            })
        });
        wait_until("the window has the focus", || {
            self.output("xdotool", &["windowactivate", &window]);
            let active = self.output("xdotool", &["getactivewindow"]).stdout;
            String::from_utf8_lossy(&active).trim() == window
        });
        Game { desk: self, process, window, folder }
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let output = self.output(program, arguments);
        assert!(output.status.success(), "{program} {arguments:?}: {output:?}");
    }

    fn output(&self, program: &str, arguments: &[&str]) -> Output {
        Command::new(program).args(arguments).env("DISPLAY", &self.display).output().unwrap_or_else(|error| {
            panic!("{program} is needed (Debian: xdotool wmctrl imagemagick): {error}")
        })
    }
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
        let ppm = self.desk.output("import", &["-window", &self.window, "-depth", "8", "ppm:-"]).stdout;
        Image::from_ppm(&ppm)
    }

    fn wait_for(&self, what: &str, is_so: impl Fn(&Image) -> bool) {
        wait_until(what, || is_so(&self.shot()));
    }

    fn exit_code(&mut self) -> Option<i32> {
        let mut status = None;
        wait_until("the game ends", || {
            status = self.process.0.try_wait().expect("a process can be waited for");
            status.is_some()
        });
        let _ = std::fs::remove_dir_all(&self.folder);
        status.and_then(|status| status.code())
    }
}

/// What a window shows.
#[derive(PartialEq)]
struct Image {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Image {
    fn from_ppm(ppm: &[u8]) -> Self {
        let mut parts = ppm.splitn(4, |&byte| byte == b'\n').skip(1);
        let size = parts.next().map(String::from_utf8_lossy).unwrap_or_default();
        let mut sizes = size.split(' ').map(|size| size.parse().unwrap_or(0));
        let (width, height) = (sizes.next().unwrap_or(0), sizes.next().unwrap_or(0));
        let pixels = parts.nth(1).unwrap_or_default().as_chunks().0.to_vec();
        Self { width, height, pixels }
    }

    /// The hull's bar is full and green, in its place in the upper left corner.
    fn has_hud(&self) -> bool {
        let [red, green, _] = self.pixels.get(30 * self.width + 150).copied().unwrap_or_default();
        green > 110 && green > red.saturating_add(40)
    }

    /// Many colours, and the ship's cyan among them.
    fn is_the_game(&self) -> bool {
        let mut colors = self.pixels.clone();
        colors.sort_unstable();
        colors.dedup();
        let is_cyan = |[red, green, blue]: [u8; 3]| red < 120 && green > 190 && blue > 220;
        colors.len() > 300 && self.pixels.iter().filter(|&&pixel| is_cyan(pixel)).count() > 20
    }

    fn pixels_other_than(&self, other: &Self) -> usize {
        self.pixels.iter().zip(&other.pixels).filter(|(a, b)| a != b).count()
    }
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
        thread::sleep(Duration::from_millis(50));
    }
}
