//! Tests the window host with real windows on X11 and Wayland: opening, keys, focus, resizing, hiding, closing,
//! and the display's beat.
//!
//! Run: `cargo test -p evenstep-host --features native --test window -- --ignored`, with words of their names to run only
//! some of the tests. With the feature `gpu`, there are tests with a graphics card, which may be software.
//!
//! Without `--ignored` the test is skipped. It needs X servers, a window manager, a compositor and tools
//! (Debian: `xvfb xserver-xorg-core xserver-xorg-video-dummy x11-xserver-utils libxkbcommon-x11-0 openbox xdotool
//! wmctrl x11-utils imagemagick sway grim`) and fails when one of them is missing.

#[cfg(target_os = "linux")]
mod app_process;
#[cfg(target_os = "linux")]
mod cases;
#[cfg(feature = "gpu")]
mod gpu_app;
#[cfg(all(feature = "gpu", target_os = "linux"))]
mod gpu_cases;
mod test_app;
#[cfg(target_os = "linux")]
mod x_proxy;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
use cases::run as run_tests;

fn main() -> ExitCode {
    let has = |wanted: &str| std::env::args().any(|argument| argument == wanted);
    if has("--test-app") {
        return test_app::run();
    }
    // A test runner that asks for a list of tests gets an empty one.
    if has("--list") {
        return ExitCode::SUCCESS;
    }
    if !has("--ignored") {
        println!("window: skipped, needs X11 and Wayland; run with: -- --ignored");
        return ExitCode::SUCCESS;
    }
    run_tests()
}

#[cfg(not(target_os = "linux"))]
fn run_tests() -> ExitCode {
    println!("window: skipped, needs X11 and Wayland");
    ExitCode::SUCCESS
}
