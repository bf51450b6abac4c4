//! Measures how late frames begin and how much CPU the wait takes, for our deadlines, `spin_sleep`'s loop and
//! `thread::sleep`.
//!
//! Run: `cargo bench -p evenstep-host --features native --bench pacing`
//!
//! The wake-up error is how long after its deadline a frame begins. The contenders take turns, so that a busy spell of
//! the machine affects all of them. With a display, or under `xvfb-run`, the whole host in a window is measured too. CPU
//! usage is measured on Linux only.

#![expect(clippy::disallowed_methods, reason = "measures the clock")]

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use evenstep::{Frame, Rate};
use evenstep_host::native::{self, Window};
use evenstep_host::{App, Context, Deadlines, Draw, Input, Pixels, View};

const TURNS: u32 = 5;
const TURN: Duration = Duration::from_secs(2);
/// Work per frame when measuring the rate under load: a third of a frame at 60 Hz, most of a frame at 144 Hz.
const WORK: Duration = Duration::from_millis(5);

type Contender = (&'static str, fn(Rate, Duration, Duration) -> Vec<Duration>);

const CONTENDERS: [Contender; 3] =
    [("evenstep", with_deadlines), ("spin_sleep loop", with_spin_sleep), ("thread::sleep", with_sleep)];

fn main() {
    let arguments: Vec<_> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--window") {
        return measure_window(arguments[at + 1].parse().expect("a rate"));
    }
    println!(
        "{:>6}  {:<18} {:>9} {:>9} {:>9} {:>8} {:>22}",
        "Hz", "", "p50 us", "p99 us", "worst us", "CPU %", "Hz with 5 ms of work"
    );
    for hz in [60, 144] {
        let rate = Rate::hz(hz);
        let mut errors = [const { Vec::new() }; CONTENDERS.len()];
        let mut cpu = [Duration::ZERO; CONTENDERS.len()];
        let mut frames_worked = [0; CONTENDERS.len()];
        for _ in 0..TURNS {
            for (n, (_, run)) in CONTENDERS.iter().enumerate() {
                let before = cpu_time();
                errors[n].extend(run(rate, TURN, Duration::ZERO));
                cpu[n] += cpu_time().saturating_sub(before);
                frames_worked[n] += run(rate, TURN / 2, WORK).len();
            }
        }
        for (n, (name, _)) in CONTENDERS.iter().enumerate() {
            let worked = frames_worked[n] as f64 / (TURN / 2 * TURNS).as_secs_f64();
            print_row(hz, name, &mut errors[n], cpu[n], &format!("{worked:.1}"));
        }
        run_window(hz);
    }
}

/// Waits like the window host: first on the event loop's timer, then precisely.
fn with_deadlines(rate: Rate, time: Duration, work: Duration) -> Vec<Duration> {
    let start = Instant::now();
    let mut deadlines = Deadlines::new(rate, start);
    let mut errors = Vec::new();
    while start.elapsed() < time {
        thread::sleep(deadlines.hand_over().saturating_duration_since(Instant::now()));
        deadlines.wait();
        errors.push(deadlines.next().elapsed());
        spin_for(work);
        deadlines.advance(Instant::now());
    }
    errors
}

#[expect(deprecated, reason = "spin_sleep has no other loop")]
fn with_spin_sleep(rate: Rate, time: Duration, work: Duration) -> Vec<Duration> {
    let start = Instant::now();
    let mut helper = spin_sleep::LoopHelper::builder().build_with_target_rate(rate.as_hz());
    let mut errors = Vec::new();
    while start.elapsed() < time {
        helper.loop_start();
        let deadline = Instant::now() + rate.step();
        spin_for(work);
        helper.loop_sleep();
        errors.push(deadline.elapsed());
    }
    errors
}

fn with_sleep(rate: Rate, time: Duration, work: Duration) -> Vec<Duration> {
    let start = Instant::now();
    let mut errors = Vec::new();
    while start.elapsed() < time {
        let deadline = Instant::now() + rate.step();
        spin_for(work);
        thread::sleep(deadline.saturating_duration_since(Instant::now()));
        errors.push(deadline.elapsed());
    }
    errors
}

fn spin_for(work: Duration) {
    let start = Instant::now();
    while start.elapsed() < work {
        std::hint::spin_loop();
    }
}

/// Measures the whole host. A process can have only one event loop, so each window gets its own process.
fn run_window(hz: u32) {
    let this = std::env::current_exe().expect("this bench is a file");
    let status = Command::new(this).args(["--window", &hz.to_string()]).stderr(Stdio::null()).status();
    if !status.is_ok_and(|status| status.success()) {
        println!("{hz:>6}  evenstep, window    skipped: no display (try xvfb-run)");
    }
}

fn measure_window(hz: u32) {
    let rate = Rate::hz(hz);
    let window = Window::new("Pacing").with_size(64.0, 64.0).with_rate(rate);
    let before = cpu_time();
    let app = native::run(window, Recorder { frames: Vec::new() }).expect("a display");
    let cpu = cpu_time().saturating_sub(before);
    // Most frames begin at their deadline, so it lies in the fullest bin of 10 us.
    let period = rate.step().as_nanos();
    let phase = |frame: &Duration| frame.as_nanos() % period;
    let mut bins = vec![0_u32; (period / 10_000) as usize + 1];
    app.frames.iter().for_each(|frame| bins[(phase(frame) / 10_000) as usize] += 1);
    let fullest = (0..bins.len()).max_by_key(|&bin| bins[bin]).unwrap_or(0) as u128 * 10_000;
    // A frame just before that bin is slightly early, not late by a whole interval.
    let late = |frame| (phase(frame) + period + 20_000 - fullest) % period;
    let mut errors: Vec<_> = app
        .frames
        .iter()
        .map(|frame| Duration::from_nanos(late(frame).saturating_sub(20_000) as u64))
        .collect();
    print_row(hz, "evenstep, window", &mut errors, cpu, "-");
}

/// An app that records when its frames begin.
struct Recorder {
    frames: Vec<Duration>,
}

impl App for Recorder {
    fn step(&mut self, _input: &Input, _cx: &mut Context<'_>) {}

    fn frame(&mut self, _frame: &Frame, cx: &mut Context<'_>) {
        // Ignore the time in which the window opens.
        if cx.now() > Duration::from_secs(1) {
            self.frames.push(cx.now());
        }
        if cx.now() > Duration::from_secs(1) + TURN * TURNS {
            cx.quit();
        }
    }
}

impl Draw<Pixels<'_>> for Recorder {
    fn draw(&mut self, canvas: &mut Pixels<'_>, _view: View<'_>) {
        canvas.data_mut().fill(0);
    }
}

fn print_row(hz: u32, name: &str, errors: &mut [Duration], cpu: Duration, worked: &str) {
    errors.sort_unstable();
    let micros = |share: f64| errors[((errors.len() - 1) as f64 * share) as usize].as_nanos() as f64 / 1e3;
    let p50 = micros(0.5);
    let p99 = micros(0.99);
    let worst = micros(1.0);
    let cpu = cpu.as_secs_f64() / (TURN * TURNS).as_secs_f64() * 100.0;
    println!("{hz:>6}  {name:<18} {p50:>9.1} {p99:>9.1} {worst:>9.0} {cpu:>8.1} {worked:>22}");
}

/// Returns the CPU time of this thread.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|nanos| nanos.parse().ok()).unwrap_or(0))
}
