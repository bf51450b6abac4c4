//! An X server with a window manager, and apps on it.

#![expect(clippy::disallowed_methods, reason = "waits for other programs")]

use std::cell::RefCell;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Long enough for a slow machine, short enough to fail before the player of this test gives up.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server whose monitors are made up, but which has as many as one likes.
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
/// 1280 times 1024 pixels and their margins, at 60 and at 85 Hz.
const TWO_MONITORS_MODES: [&[&str]; 6] = [
    &["--newmode", "slow", "108", "1280", "1328", "1440", "1688", "1024", "1025", "1028", "1066"],
    &["--newmode", "fast", "157.5", "1280", "1344", "1504", "1728", "1024", "1025", "1028", "1072"],
    &["--addmode", "DUMMY0", "slow"],
    &["--addmode", "DUMMY1", "fast"],
    &["--output", "DUMMY0", "--mode", "slow"],
    &["--output", "DUMMY1", "--mode", "fast", "--right-of", "DUMMY0"],
];

pub(crate) struct Desk {
    display: String,
    _server: Process,
    _manager: Process,
}

/// Ends with its owner.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Desk {
    /// One screen without a monitor of its own.
    pub(crate) fn start() -> Self {
        let screen = ["-screen", "0", "1920x1200x24", "-nolisten", "tcp"];
        Self::start_on(Command::new("Xvfb").args(screen), "Xvfb is needed (Debian: xvfb)")
    }

    /// Two monitors side by side, 1280 wide each: one at 60 Hz, the other at 85.
    pub(crate) fn start_with_two_monitors() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let (config, log) = (folder.join("two-monitors.conf"), folder.join("two-monitors.log"));
        fs::write(&config, TWO_MONITORS).expect("a file next to the build");
        let mut server = Command::new("/usr/lib/xorg/Xorg");
        server.arg("-config").arg(config).arg("-logfile").arg(log).args(["-noreset", "-nolisten", "tcp"]);
        let needed = "Xorg is needed (Debian: xserver-xorg-core xserver-xorg-video-dummy)";
        let desk = Self::start_on(&mut server, needed);
        for arguments in TWO_MONITORS_MODES {
            desk.run("xrandr", arguments);
        }
        desk
    }

    fn start_on(server: &mut Command, needed: &str) -> Self {
        let mut server = server
            .args(["-displayfd", "1"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_or_else(|error| panic!("{needed}: {error}"), Process);
        let mut number = String::new();
        let stdout = server.0.stdout.take().expect("the server's output is piped");
        BufReader::new(stdout).read_line(&mut number).expect("the server says its number");
        let display = format!(":{}", number.trim());
        let manager = Command::new("openbox")
            .env("DISPLAY", &display)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_or_else(|error| panic!("openbox is needed (Debian: openbox): {error}"), Process);
        let desk = Self { display, _server: server, _manager: manager };
        let start = Instant::now();
        while !desk.output("wmctrl", &["-m"]).status.success() {
            assert!(start.elapsed() < PATIENCE, "the window manager never came up");
            thread::sleep(Duration::from_millis(50));
        }
        desk
    }

    /// Opens a probe and waits until it has the focus.
    pub(crate) fn open(&self, arguments: &[&str]) -> Probe {
        self.open_at_scale(arguments, 1)
    }

    /// The same on a screen with so many pixels a point.
    pub(crate) fn open_at_scale(&self, arguments: &[&str], scale: u32) -> Probe {
        let mut child = Command::new(std::env::current_exe().expect("this test is a file"))
            .arg("--probe")
            .args(arguments)
            .env("DISPLAY", &self.display)
            .env("WINIT_X11_SCALE_FACTOR", scale.to_string())
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .stdout(Stdio::piped())
            .spawn()
            .expect("this test can be run");
        let lines = read_lines(child.stdout.take().expect("the probe's output is piped"));
        let name = if arguments.contains(&"--other") { "^Other$" } else { "^Probe$" };
        let found =
            self.output("timeout", &["20", "xdotool", "search", "--sync", "--onlyvisible", "--name", name]);
        let window = String::from_utf8_lossy(&found.stdout).lines().last().unwrap_or_default().to_owned();
        assert!(!window.is_empty(), "the window never came up: {found:?}");
        self.xdotool(&["windowactivate", "--sync", &window]);
        let probe = Probe { process: RefCell::new(Process(child)), lines, window, seen: RefCell::default() };
        probe.wait_for("the window has the focus", |probe| {
            probe.heard("FocusGained") == 1 && probe.ticks() > 0
        });
        probe
    }

    pub(crate) fn xdotool(&self, arguments: &[&str]) {
        self.run("xdotool", arguments);
    }

    pub(crate) fn run(&self, program: &str, arguments: &[&str]) {
        let output = self.output(program, arguments);
        assert!(output.status.success(), "{program} {arguments:?}: {output:?}");
    }

    fn output(&self, program: &str, arguments: &[&str]) -> Output {
        Command::new(program).args(arguments).env("DISPLAY", &self.display).output().unwrap_or_else(|error| {
            panic!("{program} is needed (Debian: xdotool wmctrl imagemagick x11-xserver-utils): {error}")
        })
    }

    /// What a window shows.
    pub(crate) fn screenshot(&self, window: &str) -> Image {
        let ppm = self.output("import", &["-window", window, "-depth", "8", "ppm:-"]).stdout;
        let mut parts = ppm.splitn(4, |&byte| byte == b'\n');
        let (_magic, size, _depth) = (parts.next(), parts.next(), parts.next());
        let size = String::from_utf8_lossy(size.expect("an image has a size")).into_owned();
        let (width, height) = size.split_once(' ').expect("an image has two sizes");
        Image {
            width: width.parse().expect("a width"),
            height: height.parse().expect("a height"),
            rgb: parts.next().expect("an image has pixels").to_vec(),
        }
    }

    /// Keeps a picture for a human, next to the build.
    pub(crate) fn save(&self, window: &str, name: &str) {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        self.run("import", &["-window", window, &file.to_string_lossy()]);
        println!("saved {}", file.display());
    }
}

/// A picture.
pub(crate) struct Image {
    pub(crate) width: usize,
    pub(crate) height: usize,
    rgb: Vec<u8>,
}

impl Image {
    pub(crate) fn pixel(&self, x: usize, y: usize) -> u32 {
        let at = (y * self.width + x) * 3;
        let [red, green, blue] = [self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]];
        u32::from_be_bytes([0, red, green, blue])
    }
}

/// An app in a window, and what it said.
pub(crate) struct Probe {
    process: RefCell<Process>,
    lines: Receiver<String>,
    pub(crate) window: String,
    seen: RefCell<Seen>,
}

#[derive(Default)]
struct Seen {
    events: Vec<String>,
    ticks: u64,
    x: i64,
    taps: u32,
    steps_most: u32,
    frame_ms: f64,
}

impl Probe {
    pub(crate) fn ticks(&self) -> u64 {
        self.catch_up();
        self.seen.borrow().ticks
    }

    pub(crate) fn x(&self) -> i64 {
        self.catch_up();
        self.seen.borrow().x
    }

    pub(crate) fn taps(&self) -> u32 {
        self.catch_up();
        self.seen.borrow().taps
    }

    pub(crate) fn steps_most(&self) -> u32 {
        self.catch_up();
        self.seen.borrow().steps_most
    }

    /// The typical frame of late.
    pub(crate) fn frame_ms(&self) -> f64 {
        self.catch_up();
        self.seen.borrow().frame_ms
    }

    /// How often it told of an event that begins so.
    pub(crate) fn heard(&self, event: &str) -> usize {
        self.catch_up();
        self.seen.borrow().events.iter().filter(|heard| heard.starts_with(event)).count()
    }

    pub(crate) fn wait_for(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !is_so(self) {
            assert!(
                start.elapsed() < PATIENCE,
                "{what}: not within {PATIENCE:?}; {:?}",
                self.seen.borrow().events
            );
            thread::sleep(Duration::from_millis(10));
        }
    }

    pub(crate) fn exit_code(&self) -> Option<i32> {
        let start = Instant::now();
        loop {
            if let Some(status) = self.process.borrow_mut().0.try_wait().expect("the probe can be waited for")
            {
                return status.code();
            }
            assert!(start.elapsed() < PATIENCE, "the probe never ended");
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn catch_up(&self) {
        let mut seen = self.seen.borrow_mut();
        for line in self.lines.try_iter() {
            if let Some(event) = line.strip_prefix("event ") {
                seen.events.push(event.to_owned());
            } else if let Some(state) = line.strip_prefix("state ") {
                let mut numbers = state.split(' ').map(|number| number.parse::<f64>().unwrap_or(f64::NAN));
                let mut next = || numbers.next().unwrap_or(f64::NAN);
                (seen.ticks, seen.x, seen.taps) = (next() as u64, next() as i64, next() as u32);
                (seen.steps_most, seen.frame_ms) = (next() as u32, next());
            }
        }
    }
}

fn read_lines(stdout: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}
