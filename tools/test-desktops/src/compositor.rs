//! A Wayland compositor.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{self, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::{Desk, Image, PATIENCE, Process, comes_true, without_display};

/// The user and group id of Debian's `nobody`.
const NOBODY: u32 = 65_534;

/// A sway compositor, killed when dropped. It tiles, so a single window covers the monitor.
#[derive(Debug)]
pub struct Compositor {
    // Holds the sockets. Their paths must be short and reachable for any user, which TMPDIR does not guarantee.
    folder: PathBuf,
    _process: Process,
}

impl Compositor {
    /// Starts a compositor with one headless monitor of the given size in pixels, at 60 Hz.
    pub fn start(width: usize, height: usize) -> Self {
        let output = format!("output HEADLESS-1 mode {width}x{height}@60Hz");
        Self::start_on("headless", &output, None)
    }

    /// Starts a compositor whose monitor is a window on an X server. Unlike a headless one, it says when it has shown an
    /// image: at the X server's refreshes.
    pub fn start_in(desk: &Desk) -> Self {
        Self::start_on("x11", "", Some(desk.display()))
    }

    fn start_on(backend: &str, output: &str, display: Option<&str>) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = Path::new("/tmp").join(format!("evenstep-{}-{count}", process::id()));
        let _ = fs::remove_dir_all(&folder);
        DirBuilder::new().mode(0o700).create(&folder).expect("a temporary folder");
        let config = folder.join("config");
        let text = format!("{output}\ndefault_border none\nxwayland disable\n");
        fs::write(&config, text).expect("a file in the folder");

        // Sway refuses to run as root.
        let mut command = if fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0) {
            for path in [&folder, &config] {
                chown(path, Some(NOBODY), Some(NOBODY)).expect("root may change owners");
            }
            let mut command = without_display("setpriv");
            let nobody = NOBODY.to_string();
            command.args(["--reuid", &nobody, "--regid", &nobody, "--clear-groups", "sway"]);
            command
        } else {
            without_display("sway")
        };
        let log = folder.join("log");
        command
            .arg("--config")
            .arg(config)
            .env("XDG_RUNTIME_DIR", &folder)
            .envs([("WLR_BACKENDS", backend), ("WLR_RENDERER", "pixman"), ("WLR_LIBINPUT_NO_DEVICES", "1")])
            .envs(display.map(|display| ("DISPLAY", display)))
            .stdout(Stdio::null())
            .stderr(File::create(&log).expect("a file in the folder"));
        let process = Process::start(&mut command, "sway is needed (Debian: sway)");
        let compositor = Self { folder, _process: process };
        assert!(
            comes_true(|| compositor.grim().status.success()),
            "the compositor did not start within {PATIENCE:?}: {}",
            fs::read_to_string(log).unwrap_or_default().lines().take(20).collect::<Vec<_>>().join("\n")
        );
        compositor
    }

    /// Creates a command whose windows open on this compositor.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = without_display(program);
        command.env("XDG_RUNTIME_DIR", &self.folder).env("WAYLAND_DISPLAY", "wayland-1");
        command
    }

    /// Runs a sway command, which must succeed.
    pub fn run(&self, command: &str) {
        let files = fs::read_dir(&self.folder).expect("the folder is there").flatten();
        let socket = files.map(|file| file.path()).find(|path| path.to_string_lossy().contains("sway-ipc"));
        let output = Command::new("swaymsg")
            .arg("--socket")
            .arg(socket.expect("sway listens"))
            .arg(command)
            .output()
            .expect("swaymsg comes with sway");
        assert!(output.status.success(), "{command}: {output:?}");
    }

    /// Takes a screenshot of the monitor.
    pub fn screenshot(&self) -> Image {
        Image::from_ppm(&self.grim().stdout)
    }

    fn grim(&self) -> Output {
        self.command("grim")
            .args(["-t", "ppm", "-"])
            .output()
            .unwrap_or_else(|error| panic!("grim is needed (Debian: grim): {error}"))
    }
}

impl Drop for Compositor {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
