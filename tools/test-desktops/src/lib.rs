//! X servers with a window manager, and Wayland compositors, for tests that open real windows.
//!
//! They need the Debian packages xvfb, xserver-xorg-core, xserver-xorg-video-dummy, x11-xserver-utils, openbox, wmctrl,
//! xdotool and imagemagick, and sway and grim for Wayland. If a program is missing, the panic message names its package.

#![cfg(target_os = "linux")]
#![forbid(unsafe_code)]
#![expect(clippy::disallowed_methods, reason = "waits for other programs")]
#![expect(clippy::missing_panics_doc, reason = "only tests use this, and they fail by panicking")]

mod compositor;
mod desk;

use std::ffi::OsStr;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

pub use compositor::Compositor;
pub use desk::Desk;

/// How long to wait for a condition before the test fails: enough for a slow machine.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Creates a command without the display of the machine that runs the tests.
pub fn without_display(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    command
}

/// A child process that is killed when dropped, even if the test fails.
#[derive(Debug)]
pub struct Process(pub Child);

impl Process {
    /// Starts the program. `needed` is the panic message if it is missing.
    pub fn start(command: &mut Command, needed: &str) -> Self {
        command.spawn().map_or_else(|error| panic!("{needed}: {error}"), Self)
    }

    /// Waits for the process to exit, and returns its exit code.
    pub fn exit_code(&mut self) -> Option<i32> {
        let mut status = None;
        wait_until("the program ends", || {
            status = self.0.try_wait().expect("a process can be waited for");
            status.is_some()
        });
        status.and_then(|status| status.code())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A screenshot.
#[derive(Debug, PartialEq, Eq)]
pub struct Image {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Red, green and blue of each pixel, row by row. Empty if the screenshot failed.
    pub pixels: Vec<[u8; 3]>,
}

impl Image {
    pub(crate) fn from_ppm(ppm: &[u8]) -> Self {
        let mut parts = ppm.splitn(4, |&byte| byte == b'\n').skip(1);
        let size = parts.next().map(String::from_utf8_lossy).unwrap_or_default();
        let mut sizes = size.split(' ').map(|size| size.parse().unwrap_or(0));
        let width = sizes.next().unwrap_or(0);
        let height = sizes.next().unwrap_or(0);
        let pixels = parts.nth(1).unwrap_or_default().as_chunks().0.to_vec();
        Self { width, height, pixels }
    }
}

/// Waits until a condition holds. Panics if it does not within [`PATIENCE`].
pub fn wait_until(what: &str, is_so: impl FnMut() -> bool) {
    assert!(comes_true(is_so), "{what}: not within {PATIENCE:?}");
}

/// Waits until a condition holds, and returns whether it did within [`PATIENCE`].
pub fn comes_true(mut is_so: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if is_so() {
            return true;
        }
        thread::sleep(Duration::from_millis(10));
    }
    false
}
