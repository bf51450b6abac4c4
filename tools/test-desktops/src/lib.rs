//! An X server with a window manager, and a Wayland compositor, for tests that open real windows.
//!
//! They need Debian's packages xvfb, xserver-xorg-core, xserver-xorg-video-dummy, x11-xserver-utils, openbox, wmctrl, xdotool
//! and imagemagick; and sway and grim. They say which one is missing.

#![cfg(target_os = "linux")]
#![forbid(unsafe_code)]
#![expect(clippy::disallowed_methods, reason = "waits for other programs")]
#![expect(clippy::missing_panics_doc, reason = "a test that cannot go on panics")]

mod compositor;
mod desk;

use std::ffi::OsStr;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

pub use compositor::Compositor;
pub use desk::Desk;

/// Long enough for a slow machine. Nothing waits for longer than it must.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A program that knows of no display, wherever the tests run.
pub fn without_display(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    command
}

/// A program that ends with its owner, whatever becomes of the test.
#[derive(Debug)]
pub struct Process(pub Child);

impl Process {
    /// Starts it. Where it cannot be, the words say what to do.
    pub fn start(command: &mut Command, needed: &str) -> Self {
        command.spawn().map_or_else(|error| panic!("{needed}: {error}"), Self)
    }

    /// Waits for its end.
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

/// A picture of a window.
#[derive(Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Red, green and blue, row by row; none if the window could not be seen.
    pub pixels: Vec<[u8; 3]>,
}

impl Image {
    pub(crate) fn from_ppm(ppm: &[u8]) -> Self {
        let mut parts = ppm.splitn(4, |&byte| byte == b'\n').skip(1);
        let size = parts.next().map(String::from_utf8_lossy).unwrap_or_default();
        let mut sizes = size.split(' ').map(|size| size.parse().unwrap_or(0));
        let (width, height) = (sizes.next().unwrap_or(0), sizes.next().unwrap_or(0));
        let pixels = parts.nth(1).unwrap_or_default().as_chunks().0.to_vec();
        Self { width, height, pixels }
    }
}

/// Asks until it is so, and fails when it never is.
pub fn wait_until(what: &str, is_so: impl FnMut() -> bool) {
    assert!(comes_true(is_so), "{what}: not within {PATIENCE:?}");
}

/// Asks until it is so, but not for ever.
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
