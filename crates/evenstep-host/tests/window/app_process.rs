//! Test apps in their own processes, and what they report.

use std::cell::RefCell;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use test_desktops::{Compositor, Desk, PATIENCE, Process, comes_true};

use crate::test_app;

/// Starts the test app and waits until its window has focus.
pub(crate) fn open(desk: &Desk, arguments: &[&str]) -> AppProcess {
    open_at_scale(desk, arguments, 1)
}

/// Starts the test app on a screen with `scale` pixels per point, and waits until its window has focus.
pub(crate) fn open_at_scale(desk: &Desk, arguments: &[&str], scale: u32) -> AppProcess {
    let mut app = AppProcess::start(desk.command(this_test()), arguments, scale);
    app.find_window(desk, test_app::title(arguments.contains(&"--other")));
    desk.run("xdotool", &["windowactivate", "--sync", &app.window]);
    app.wait_for("the window has focus", |app| app.received("FocusGained") == 1 && app.state().ticks > 0);
    app
}

/// Starts the test app on Wayland and waits until it ticks.
pub(crate) fn open_on_wayland(compositor: &Compositor, arguments: &[&str]) -> AppProcess {
    let app = AppProcess::start(compositor.command(this_test()), arguments, 1);
    app.wait_for_ticks(1);
    app
}

pub(crate) fn this_test() -> PathBuf {
    std::env::current_exe().expect("this test is a file")
}

/// Saves a screenshot in the target folder, for people to look at.
pub(crate) fn save(desk: &Desk, window: &str, name: &str) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    desk.run("import", &["-window", window, &file.to_string_lossy()]);
    println!("saved {}", file.display());
}

/// A running test app.
pub(crate) struct AppProcess {
    process: RefCell<Process>,
    lines: Receiver<String>,
    // The window's id on an X server.
    pub(crate) window: String,
    events: RefCell<Vec<String>>,
    state: RefCell<State>,
    shown: RefCell<Vec<Shown>>,
}

/// What the app reported about an image that was shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    // Images drawn so far, by the app's count.
    pub(crate) drawn: i64,
    // Images shown and discarded and refreshes missed so far, by the host's count.
    pub(crate) images: i64,
    pub(crate) discarded: i64,
    pub(crate) missed: i64,
    // The display's own count.
    pub(crate) sequence: i64,
    pub(crate) at_ns: i64,
    pub(crate) latency_ns: i64,
    // How often the window has been hidden so far. Nothing is counted meanwhile.
    pub(crate) hidden: i64,
    // How long the last frame waited to start late.
    pub(crate) waited_ns: i64,
    // Frames so far that took longer than a refresh, on purpose.
    pub(crate) slow: i64,
}

/// What the app reported after its last frame.
#[derive(Clone, Copy, Default)]
pub(crate) struct State {
    pub(crate) ticks: u64,
    pub(crate) x: i64,
    pub(crate) taps: u32,
    // Seconds on the clock that were neither simulated nor dropped.
    pub(crate) uncounted_s: f64,
    // The median frame time.
    pub(crate) frame_ms: f64,
    // The longest time that the event loop was busy.
    #[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "only a GPU makes the event loop wait"))]
    pub(crate) busy_ms: f64,
}

impl AppProcess {
    pub(crate) fn start(mut command: Command, arguments: &[&str], scale: u32) -> Self {
        #[cfg(feature = "gpu")]
        if !command.get_envs().any(|(name, _)| name == "VK_ICD_FILENAMES") {
            crate::gpu_cases::with_software(&mut command);
        }
        let mut child = command
            .arg("--test-app")
            .args(arguments)
            .env("WINIT_X11_SCALE_FACTOR", scale.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this test can be run");
        let lines = read_lines(child.stdout.take().expect("the app's output is piped"));
        Self {
            process: RefCell::new(Process(child)),
            lines,
            window: String::new(),
            events: RefCell::default(),
            state: RefCell::default(),
            shown: RefCell::default(),
        }
    }

    /// Waits for the app's window on an X server.
    pub(crate) fn find_window(&mut self, desk: &Desk, title: &str) {
        self.window = desk.wait_for_window(&self.process.borrow(), &format!("^{title}$"));
    }

    pub(crate) fn state(&self) -> State {
        self.read_output();
        *self.state.borrow()
    }

    /// Returns all images that were shown so far.
    pub(crate) fn shown(&self) -> Vec<Shown> {
        self.read_output();
        self.shown.borrow().clone()
    }

    /// Returns the beat of the app's frames, and what it replaces and why.
    pub(crate) fn beat(&self) -> String {
        self.read_output();
        let events = self.events.borrow();
        events
            .iter()
            .rev()
            .find_map(|event| event.strip_prefix("beat ").map(str::to_owned))
            .unwrap_or_default()
    }

    /// Returns how many events the app has received that begin with this text.
    pub(crate) fn received(&self, event: &str) -> usize {
        self.read_output();
        self.events.borrow().iter().filter(|received| received.starts_with(event)).count()
    }

    pub(crate) fn wait_for(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let is_so = comes_true(|| is_so(self));
        assert!(is_so, "{what}: not within {PATIENCE:?}; last events: {:?}", self.last_events());
    }

    /// Waits for a number of ticks. They pass only while the window is visible.
    pub(crate) fn wait_for_ticks(&self, ticks: u64) {
        let end = self.state().ticks + ticks;
        self.wait_for("ticks pass", |app| app.state().ticks >= end);
    }

    pub(crate) fn exit_code(&self) -> Option<i32> {
        self.process.borrow_mut().exit_code()
    }

    fn last_events(&self) -> Vec<String> {
        self.events.borrow().iter().rev().take(20).rev().cloned().collect()
    }

    fn read_output(&self) {
        for line in self.lines.try_iter() {
            if let Some(event) = line.strip_prefix("event ") {
                self.events.borrow_mut().push(event.to_owned());
            } else if let Some(shown) = line.strip_prefix("shown ") {
                let numbers: Vec<i64> = shown.split(' ').map(|number| number.parse().unwrap_or(-1)).collect();
                let [drawn, images, discarded, missed, sequence, at_ns, latency_ns, hidden, waited_ns, slow] =
                    numbers[..]
                else {
                    panic!("{line}")
                };
                self.shown.borrow_mut().push(Shown {
                    drawn,
                    images,
                    discarded,
                    missed,
                    sequence,
                    at_ns,
                    latency_ns,
                    hidden,
                    waited_ns,
                    slow,
                });
            } else if let Some(state) = line.strip_prefix("state ") {
                let mut numbers = state.split(' ').map(|number| number.parse::<f64>().unwrap_or(f64::NAN));
                let mut next = || numbers.next().unwrap_or(f64::NAN);
                *self.state.borrow_mut() = State {
                    ticks: next() as u64,
                    x: next() as i64,
                    taps: next() as u32,
                    uncounted_s: next(),
                    frame_ms: next(),
                    busy_ms: next(),
                };
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
