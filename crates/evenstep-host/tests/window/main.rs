//! A real window on a real X server and on Wayland: it opens, keys act, it can be seen, hidden, resized, unfocused and
//! closed.
//!
//! Run: `cargo test -p evenstep-host --features native --test window -- --ignored`
//!
//! Without `--ignored` it only says that it is left out. It needs X servers, a window manager, a compositor and tools
//! (Debian: `xvfb xserver-xorg-core xserver-xorg-video-dummy x11-xserver-utils libxkbcommon-x11-0 openbox xdotool
//! wmctrl imagemagick sway grim`) and fails when one of them is missing.

#[cfg(target_os = "linux")]
mod cases;
mod probe;
#[cfg(target_os = "linux")]
mod watch;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
use cases::run as run_tests;

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
        println!("window: left out; it needs X and Wayland. Run it with: -- --ignored");
        return ExitCode::SUCCESS;
    }
    run_tests()
}

#[cfg(not(target_os = "linux"))]
fn run_tests() -> ExitCode {
    println!("window: left out; there is neither X nor Wayland here");
    ExitCode::SUCCESS
}
