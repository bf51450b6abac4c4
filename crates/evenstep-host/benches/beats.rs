//! Measures the display's beat on an X server, and the late start on a Wayland compositor inside it.
//!
//! Run: `cargo bench -p evenstep-host --features native --bench beats`, or with `-- --minutes 10` for a long run. Needs the
//! Debian packages of the window tests.
//!
//! 1. Frames on the X server's counts, beside our deadlines and `thread::sleep`: how late frames begin after their refresh
//!    or deadline, what share of a core that takes, and whether frames stay on the server's count.
//! 2. Frames that start with the beat, and as late as their cost allows, in turns: missed refreshes and latency from input
//!    to display, by the compositor's presentation times, and what the late start makes of both. A frame takes 3 ms.

#![expect(clippy::disallowed_methods, reason = "measures the clock")]

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("beats: skipped, needs X11 and Wayland");
}

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(target_os = "linux")]
mod linux {
    use std::process::Command;
    use std::time::{Duration, Instant};
    use std::{fs, thread};

    use evenstep::host::Shown;
    use evenstep::{Frame, LockState, Rate};
    use evenstep_host::native::{self, Window};
    use evenstep_host::{App, Beat, Context, Deadlines, Draw, Input, Pixels, View};
    use test_desktops::{Compositor, Desk};

    /// What a frame costs when the late start is measured.
    const WORK: Duration = Duration::from_millis(3);
    /// Not measured: the window opens, and the display lock locks.
    const WARM_UP: Duration = Duration::from_secs(5);
    const TURNS: u32 = 3;

    pub(super) fn main() {
        let arguments: Vec<_> = std::env::args().collect();
        let after =
            |name: &str| arguments.iter().position(|it| it == name).map(|at| arguments[at + 1].clone());
        if let Some(mode) = after("--app") {
            return app(&mode, after("--seconds").and_then(|it| it.parse().ok()).unwrap_or(10));
        }
        let minutes = after("--minutes").map_or(0.5, |it| it.parse::<f64>().expect("minutes are a number"));
        let seconds = (minutes * 60.0) as u64;
        let desk = Desk::start(1280, 800);
        // Only drift needs a long run.
        let compared = seconds.min(60);
        let turn = seconds.min(30);
        println!(
            "{seconds} s on the server's counts, {compared} s of each other; at 60 Hz a frame begins late by:"
        );
        println!("{:<22} {:>9} {:>9} {:>9} {:>8}", "", "p50 us", "p99 us", "worst us", "CPU %");
        run(desk.command(this()), "count", seconds);
        run(desk.command(this()), "deadlines", compared);
        for (name, wait) in
            [("our deadlines alone", with_deadlines as fn(u64) -> Vec<u64>), ("thread::sleep", with_sleep)]
        {
            let before = cpu_ns();
            let errors = wait(compared);
            print_row(name, errors, cpu_ns() - before, compared);
        }
        println!(
            "\nlate start on a compositor inside of the X server, a frame takes {WORK:?}; {TURNS} turns of {turn} s:"
        );
        let compositor = Compositor::start_in(&desk);
        let mut early = Turns::default();
        let mut late = Turns::default();
        for _ in 0..TURNS {
            early.add(&run(compositor.command(this()), "early", turn));
            late.add(&run(compositor.command(this()), "late", turn));
        }
        println!(
            "  a late start adds {:+.2} % missed refreshes and saves {:.2} ms (mean of the medians)",
            late.missed_percent() - early.missed_percent(),
            early.latency_ms() - late.latency_ms(),
        );
    }

    /// The turns of one mode.
    #[derive(Default)]
    struct Turns {
        frames: f64,
        missed: f64,
        latencies_ms: Vec<f64>,
    }

    impl Turns {
        /// Adds a turn by the last line of its output: frames, missed refreshes, median latency.
        fn add(&mut self, output: &str) {
            let numbers: Vec<f64> = output
                .lines()
                .last()
                .into_iter()
                .flat_map(|line| line.split(' '))
                .map(|it| it.parse().unwrap_or(f64::NAN))
                .collect();
            if let [frames, missed, latency_ms] = numbers[..] {
                self.frames += frames;
                self.missed += missed;
                self.latencies_ms.push(latency_ms);
            }
        }

        fn missed_percent(&self) -> f64 {
            100.0 * self.missed / self.frames
        }

        fn latency_ms(&self) -> f64 {
            self.latencies_ms.iter().sum::<f64>() / self.latencies_ms.len() as f64
        }
    }

    fn this() -> std::path::PathBuf {
        std::env::current_exe().expect("this bench is a file")
    }

    /// Measures a window. A process can have only one event loop, so each window gets its own process.
    fn run(mut command: Command, mode: &str, seconds: u64) -> String {
        let output = command.args(["--app", mode, "--seconds", &seconds.to_string()]).output();
        let output = output.expect("this bench can be run");
        assert!(output.status.success(), "{mode} failed: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        // The last line of a late start is for this program.
        let lines = text.lines().count() - usize::from(matches!(mode, "early" | "late"));
        text.lines().take(lines).for_each(|line| println!("{line}"));
        text
    }

    fn app(mode: &str, seconds: u64) {
        let window = Window::new("Beats").with_size(320.0, 200.0);
        let window = match mode {
            "count" => window.with_beat(Beat::VerticalCount),
            "deadlines" => window.with_beat(Beat::Deadlines),
            "late" => window.with_late_start(),
            _ => window,
        };
        let is_latency = matches!(mode, "early" | "late");
        let work = if is_latency { WORK } else { Duration::ZERO };
        let length = Duration::from_secs(seconds);
        let recorder = Recorder { work, length, ..Recorder::default() };
        let recorder = native::run(window, recorder).expect("a display");
        if is_latency { print_latency(mode, &recorder) } else { print_beat(mode, &recorder, seconds) }
    }

    /// An app that records what was shown.
    #[derive(Default)]
    struct Recorder {
        work: Duration,
        length: Duration,
        frames: Vec<Duration>,
        shown: Vec<Shown>,
        // At the beginning of the recording.
        missed_before: u64,
        missed: u64,
        images: u64,
        cpu_before_ns: u64,
        waited: Duration,
        locked: u32,
    }

    impl App for Recorder {
        fn step(&mut self, _input: &Input, _cx: &mut Context<'_>) {}

        fn frame(&mut self, frame: &Frame, cx: &mut Context<'_>) {
            if frame.now() < WARM_UP {
                return;
            }
            let display = cx.display();
            if self.frames.is_empty() {
                self.missed_before = display.shown.missed();
                self.cpu_before_ns = cpu_ns();
                self.images = display.shown.shown();
            }
            self.frames.push(frame.now());
            self.missed = display.shown.missed();
            self.waited += display.waited.unwrap_or_default();
            self.locked += u32::from(matches!(cx.pacer.lock_state(), LockState::Locked { .. }));
            self.shown.extend(display.shown.since(self.images));
            self.images = display.shown.shown();
            if frame.now() >= WARM_UP + self.length {
                cx.quit();
            }
        }
    }

    impl Draw<Pixels<'_>> for Recorder {
        fn draw(&mut self, canvas: &mut Pixels<'_>, _view: View<'_>) {
            let start = Instant::now();
            canvas.data_mut().fill(0);
            while start.elapsed() < self.work {
                std::hint::spin_loop();
            }
        }
    }

    fn print_beat(mode: &str, recorder: &Recorder, seconds: u64) {
        let cpu_ns = cpu_ns() - recorder.cpu_before_ns;
        if mode == "count" {
            let late = |shown: &Shown| shown.input_at.saturating_sub(shown.frame_at).as_nanos() as u64;
            print_row("the server's counts", recorder.shown.iter().map(late).collect(), cpu_ns, seconds);
            print_drift(recorder);
            return;
        }
        // Most frames begin at their deadline, so it lies in the fullest bin of 10 us.
        let period_ns = Rate::hz(60).step().as_nanos() as u64;
        let phase = |frame: &Duration| frame.as_nanos() as u64 % period_ns;
        let mut bins = vec![0_u32; (period_ns / 10_000) as usize + 1];
        recorder.frames.iter().for_each(|frame| bins[(phase(frame) / 10_000) as usize] += 1);
        let fullest_ns = (0..bins.len()).max_by_key(|&bin| bins[bin]).unwrap_or(0) as u64 * 10_000;
        let late =
            |frame| ((phase(frame) + period_ns + 20_000 - fullest_ns) % period_ns).saturating_sub(20_000);
        print_row("deadlines, window", recorder.frames.iter().map(late).collect(), cpu_ns, seconds);
    }

    /// Compares the frames that ran with the server's counts, and where frames begin within a refresh, at the start and at
    /// the end.
    fn print_drift(recorder: &Recorder) {
        let first = recorder.shown[0];
        let last = recorder.shown[recorder.shown.len() - 1];
        let passed = last.sequence.unwrap_or(0) - first.sequence.unwrap_or(0);
        let is_between = |at: &&Duration| (first.frame_at..last.frame_at).contains(*at);
        let frames = recorder.frames.iter().filter(is_between).count() as u64;
        let period = last.at.saturating_sub(first.at).as_secs_f64() / passed as f64;
        // A frame's timestamp is its refresh, and its image is shown at the next one. Frames that fell behind the counts
        // would make this grow by whole refreshes.
        let delay = |images: &[Shown]| {
            let mut delays: Vec<f64> =
                images.iter().map(|it| it.at.saturating_sub(it.frame_at).as_secs_f64() / period).collect();
            delays.sort_by(f64::total_cmp);
            delays[delays.len() / 2]
        };
        let tenth = (recorder.shown.len() / 10).max(1);
        let start = delay(&recorder.shown[..tenth]);
        let end = delay(&recorder.shown[recorder.shown.len() - tenth..]);
        println!(
            "{:>22} {passed} refreshes counted by the server, {frames} frames; shown {start:.3} refreshes after the frame's own \
             at the start, {end:.3} at the end: drift {:+.3}",
            "",
            end - start
        );
    }

    fn print_latency(mode: &str, recorder: &Recorder) {
        let mut latencies: Vec<_> = recorder
            .shown
            .iter()
            .map(|shown| shown.at.saturating_sub(shown.input_at).as_secs_f64() * 1e3)
            .collect();
        latencies.sort_by(f64::total_cmp);
        let at = |share: f64| latencies[((latencies.len() - 1) as f64 * share) as usize];
        let missed = recorder.missed - recorder.missed_before;
        let frames = recorder.frames.len();
        let waited_ms = recorder.waited.as_secs_f64() * 1e3 / frames as f64;
        println!(
            "  {mode:<6} {} images, {missed} refreshes missed ({:.2} %), latency {:.2} ms (p50), {:.2} ms (p99); waited {waited_ms:.2} ms, locked in {:.0} % of the frames",
            recorder.shown.len(),
            100.0 * missed as f64 / frames as f64,
            at(0.5),
            at(0.99),
            100.0 * f64::from(recorder.locked) / frames as f64,
        );
        println!("{frames} {missed} {}", at(0.5));
    }

    fn with_deadlines(seconds: u64) -> Vec<u64> {
        let start = Instant::now();
        let mut deadlines = Deadlines::new(Rate::hz(60), start);
        let mut errors = Vec::new();
        while start.elapsed().as_secs() < seconds {
            thread::sleep(deadlines.hand_over().saturating_duration_since(Instant::now()));
            deadlines.wait();
            errors.push(deadlines.next().elapsed().as_nanos() as u64);
            deadlines.advance(Instant::now());
        }
        errors
    }

    fn with_sleep(seconds: u64) -> Vec<u64> {
        let start = Instant::now();
        let mut errors = Vec::new();
        while start.elapsed().as_secs() < seconds {
            let deadline = Instant::now() + Rate::hz(60).step();
            thread::sleep(deadline.saturating_duration_since(Instant::now()));
            errors.push(deadline.elapsed().as_nanos() as u64);
        }
        errors
    }

    fn print_row(name: &str, mut errors_ns: Vec<u64>, cpu_ns: u64, seconds: u64) {
        errors_ns.sort_unstable();
        let micros = |share: f64| errors_ns[((errors_ns.len() - 1) as f64 * share) as usize] as f64 / 1e3;
        let cpu = cpu_ns as f64 / (seconds as f64 * 1e9) * 100.0;
        println!("{name:<22} {:>9.1} {:>9.1} {:>9.0} {cpu:>8.1}", micros(0.5), micros(0.99), micros(1.0));
    }

    /// The CPU time of all threads of this process.
    fn cpu_ns() -> u64 {
        let of = |folder: fs::DirEntry| {
            let text = fs::read_to_string(folder.path().join("schedstat")).ok()?;
            text.split(' ').next()?.parse::<u64>().ok()
        };
        fs::read_dir("/proc/self/task").into_iter().flatten().flatten().filter_map(of).sum()
    }
}
