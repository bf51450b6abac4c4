//! An X server with a window manager.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::{Image, Process, wait_until, without_display};

/// Configuration of an X server with virtual monitors.
const TWO_MONITORS: &str = r#"
Section "Device"
  Identifier "device"
  Driver "dummy"
  VideoRam 65536
EndSection
Section "Monitor"
  Identifier "monitor"
  HorizSync 5.0 - 1000.0
  VertRefresh 5.0 - 500.0
EndSection
Section "Screen"
  Identifier "screen"
  Device "device"
  Monitor "monitor"
  DefaultDepth 24
  SubSection "Display"
    Virtual 2560 1024
    Modes "1280x1024"
  EndSubSection
EndSection
"#;
/// Adds modes of 1280 x 1024 pixels at 60 and 85 Hz, one for each monitor.
const TWO_MONITORS_MODES: [&[&str]; 6] = [
    &["--newmode", "slow", "108", "1280", "1328", "1440", "1688", "1024", "1025", "1028", "1066"],
    &["--newmode", "fast", "157.5", "1280", "1344", "1504", "1728", "1024", "1025", "1028", "1072"],
    &["--addmode", "DUMMY0", "slow"],
    &["--addmode", "DUMMY1", "fast"],
    &["--output", "DUMMY0", "--mode", "slow"],
    &["--output", "DUMMY1", "--mode", "fast", "--right-of", "DUMMY0"],
];

/// An X server with a window manager, killed when dropped.
#[derive(Debug)]
pub struct Desk {
    display: String,
    _server: Process,
    _manager: Process,
}

impl Desk {
    /// Starts a server with one screen of the given size in pixels.
    pub fn start(width: usize, height: usize) -> Self {
        let screen = format!("{width}x{height}x24");
        let mut server = Command::new("Xvfb");
        server.args(["-screen", "0", &screen]);
        Self::start_on(&mut server, "Xvfb is needed (Debian: xvfb)")
    }

    /// Starts a server with two monitors side by side, each 1280 pixels wide: the left at 60 Hz, the right at 85 Hz. Its
    /// configuration and log are written to `folder`.
    pub fn start_with_two_monitors(folder: &Path) -> Self {
        let config = folder.join("two-monitors.conf");
        let log = folder.join("two-monitors.log");
        fs::write(&config, TWO_MONITORS).expect("a file next to the build");
        let mut server = Command::new("/usr/lib/xorg/Xorg");
        server.arg("-config").arg(config).arg("-logfile").arg(log);
        let needed = "Xorg is needed (Debian: xserver-xorg-core xserver-xorg-video-dummy)";
        let desk = Self::start_on(&mut server, needed);
        for arguments in TWO_MONITORS_MODES {
            desk.run("xrandr", arguments);
        }
        desk
    }

    fn start_on(server: &mut Command, needed: &str) -> Self {
        // Without -noreset, a server resets when its last client disconnects. The readiness check below is such a client,
        // and a window manager that connects at that moment would be disconnected.
        server.args(["-displayfd", "1", "-noreset", "-nolisten", "tcp"]);
        let mut server = Process::start(server.stdout(Stdio::piped()).stderr(Stdio::null()), needed);
        let mut number = String::new();
        let stdout = server.0.stdout.take().expect("the server's output is piped");
        BufReader::new(stdout).read_line(&mut number).expect("the server prints its display number");
        let display = format!(":{}", number.trim());
        let mut manager = without_display("openbox");
        manager.env("DISPLAY", &display).stdout(Stdio::null()).stderr(Stdio::null());
        let manager = Process::start(&mut manager, "openbox is needed (Debian: openbox)");
        let desk = Self { display, _server: server, _manager: manager };
        wait_until("the window manager starts", || desk.output("wmctrl", &["-m"]).status.success());
        desk
    }

    /// Returns the server's display name, such as `:1`.
    pub fn display(&self) -> &str {
        &self.display
    }

    /// Creates a command whose windows open on this server.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = without_display(program);
        command.env("DISPLAY", &self.display);
        command
    }

    /// Waits for a process's window whose title matches a regular expression, and returns its id.
    ///
    /// The title alone is not enough: windows of a process that was just killed, or that runs beside this one, may have
    /// the same.
    pub fn wait_for_window(&self, process: &Process, title: &str) -> String {
        let process = process.0.id().to_string();
        let find = |options: &[&str]| {
            let words = [&["search", "--all", "--pid", &process], options, &["--name", title]].concat();
            let found = self.output("xdotool", &words).stdout;
            String::from_utf8_lossy(&found).lines().last().map(str::to_owned)
        };
        let mut window = None;
        wait_until("the window opens", || {
            // Openbox misses a window that is mapped just before it is ready, so map it again.
            if let Some(hidden) = find(&[]) {
                self.output("xdotool", &["windowmap", &hidden]);
            }
            window = find(&["--onlyvisible"]);
            window.is_some()
        });
        window.unwrap_or_default()
    }

    /// Runs a program that must succeed.
    pub fn run(&self, program: &str, arguments: &[&str]) {
        let output = self.output(program, arguments);
        assert!(output.status.success(), "{program} {arguments:?}: {output:?}");
    }

    /// Runs a program and returns its output.
    pub fn output(&self, program: &str, arguments: &[&str]) -> Output {
        self.command(program).args(arguments).output().unwrap_or_else(|error| {
            panic!("{program} is needed (Debian: xdotool wmctrl imagemagick x11-xserver-utils): {error}")
        })
    }

    /// Takes a screenshot of a window.
    pub fn screenshot(&self, window: &str) -> Image {
        Image::from_ppm(&self.output("import", &["-window", window, "-depth", "8", "ppm:-"]).stdout)
    }
}
