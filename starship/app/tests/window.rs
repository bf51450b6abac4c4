//! The game in a real window, under Xvfb, with real keys.
//!
//! Run: cargo test --release -p starship --test window -- --ignored
//! It needs Debian's packages xvfb, xdotool and imagemagick, and fails where one of them is missing.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Ends what it holds, whatever becomes of the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[expect(clippy::disallowed_methods, reason = "a real window takes real time")]
fn wait(millis: u64) {
    std::thread::sleep(Duration::from_millis(millis));
}

fn tool(display: &str, words: &[&str]) -> String {
    let output = Command::new(words[0])
        .args(&words[1..])
        .env("DISPLAY", display)
        .output()
        .unwrap_or_else(|error| panic!("{} (Debian: xvfb xdotool imagemagick): {error}", words[0]));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// How many pixels differ between two pictures.
fn difference(a: &Path, b: &Path) -> f64 {
    let output = Command::new("compare")
        .args(["-metric", "AE", "-fuzz", "8%"])
        .args([a, b])
        .arg("null:")
        .output()
        .expect("imagemagick compares");
    let text = String::from_utf8_lossy(&output.stderr);
    text.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{text}"))
}

#[test]
#[ignore = "needs xvfb, xdotool and imagemagick: see the top of the file"]
fn the_window_opens_keys_act_and_closing_exits_with_0() {
    let display = format!(":{}", 100 + std::process::id() % 800);
    let _server = Running(
        Command::new("Xvfb")
            .args([&display, "-screen", "0", "1300x740x24"])
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb (Debian: xvfb)"),
    );
    wait(1_500);
    let folder = std::env::temp_dir().join(format!("starship-window-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let mut game = Running(
        Command::new(env!("CARGO_BIN_EXE_starship"))
            .args(["--seed", "5"])
            .current_dir(&folder)
            .env("DISPLAY", &display)
            .env_remove("WAYLAND_DISPLAY")
            .spawn()
            .expect("the game starts"),
    );
    let window = (0..100)
        .find_map(|_| {
            wait(100);
            let ids = tool(&display, &["xdotool", "search", "--name", "Starship Survivors"]);
            ids.lines().last().map(str::to_owned)
        })
        .expect("the window opens");
    tool(&display, &["xdotool", "windowfocus", &window]);
    wait(1_500);
    let shot = |name: &str| -> PathBuf {
        let file = folder.join(name);
        tool(&display, &["import", "-window", &window, &file.to_string_lossy()]);
        file
    };
    let key = |key: &str| {
        tool(&display, &["xdotool", "key", key]);
        wait(600);
    };

    let title = shot("title.png");
    key("Return");
    wait(2_000);
    let play = shot("play.png");
    assert!(difference(&title, &play) > 20_000.0, "Enter leaves the title");

    key("p");
    let (paused, still) = (shot("paused.png"), shot("still.png"));
    assert!(difference(&play, &paused) > 20_000.0, "P shows the menu");
    assert!(difference(&paused, &still) < 500.0, "a paused game stands still");

    key("F1");
    assert!(difference(&paused, &shot("overlay.png")) > 20_000.0, "F1 shows the overlay");
    key("F2");
    assert!(folder.join("starship-001.png").exists(), "F2 writes a screenshot");

    // The menu's last entry quits.
    key("Up");
    key("Return");
    wait(1_000);
    let status = game.0.try_wait().expect("a process").expect("Quit ends the game");
    assert!(status.success(), "{status}");
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}
