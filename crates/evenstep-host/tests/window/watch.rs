//! Probes in windows, and what they said.

use std::cell::RefCell;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use test_desktops::{Compositor, Desk, PATIENCE, Process, comes_true};

/// Opens a probe and waits until it has the focus.
pub(crate) fn open(desk: &Desk, arguments: &[&str]) -> Probe {
    open_at_scale(desk, arguments, 1)
}

/// The same on a screen with so many pixels a point.
pub(crate) fn open_at_scale(desk: &Desk, arguments: &[&str], scale: u32) -> Probe {
    let mut probe = Probe::start(desk.command(this_test()), arguments, scale);
    probe.window = desk.wait_for_window(if arguments.contains(&"--other") { "^Other$" } else { "^Probe$" });
    desk.run("xdotool", &["windowactivate", "--sync", &probe.window]);
    probe.wait_for("the window has the focus", |probe| probe.heard("FocusGained") == 1 && probe.ticks() > 0);
    probe
}

/// Opens a probe on Wayland and waits until it ticks.
pub(crate) fn open_on_wayland(compositor: &Compositor, arguments: &[&str]) -> Probe {
    let probe = Probe::start(compositor.command(this_test()), arguments, 1);
    probe.live(1);
    probe
}

pub(crate) fn this_test() -> PathBuf {
    std::env::current_exe().expect("this test is a file")
}

/// Keeps a picture for a human, next to the build.
pub(crate) fn save(desk: &Desk, window: &str, name: &str) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    desk.run("import", &["-window", window, &file.to_string_lossy()]);
    println!("saved {}", file.display());
}

/// An app in a window, and what it said.
pub(crate) struct Probe {
    process: RefCell<Process>,
    lines: Receiver<String>,
    // Its number on an X server.
    pub(crate) window: String,
    seen: RefCell<Seen>,
}

#[derive(Default)]
struct Seen {
    events: Vec<String>,
    ticks: u64,
    x: i64,
    taps: u32,
    uncounted_s: f64,
    frame_ms: f64,
}

impl Probe {
    fn start(mut command: Command, arguments: &[&str], scale: u32) -> Self {
        let mut child = command
            .arg("--probe")
            .args(arguments)
            .env("WINIT_X11_SCALE_FACTOR", scale.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this test can be run");
        let lines = read_lines(child.stdout.take().expect("the probe's output is piped"));
        Self { process: RefCell::new(Process(child)), lines, window: String::new(), seen: RefCell::default() }
    }

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

    /// Seconds on the clock that were neither simulated nor given up.
    pub(crate) fn uncounted_s(&self) -> f64 {
        self.catch_up();
        self.seen.borrow().uncounted_s
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

    fn last_events(&self) -> Vec<String> {
        self.seen.borrow().events.iter().rev().take(20).rev().cloned().collect()
    }

    pub(crate) fn wait_for(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let is_so = comes_true(|| is_so(self));
        assert!(is_so, "{what}: not within {PATIENCE:?}; {:?}", self.last_events());
    }

    /// Waits for so many ticks: time that passes as long as the window is seen.
    pub(crate) fn live(&self, ticks: u64) {
        let end = self.ticks() + ticks;
        self.wait_for("time passes", |probe| probe.ticks() >= end);
    }

    pub(crate) fn exit_code(&self) -> Option<i32> {
        self.process.borrow_mut().exit_code()
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
                (seen.uncounted_s, seen.frame_ms) = (next(), next());
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
