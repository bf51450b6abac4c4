//! The app under test. It reports its events and its state on standard output.

#![expect(clippy::disallowed_methods, reason = "compares the host's clock with the system's")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use evenstep::{Frame, Interpolated, Pacing, Rate};
use evenstep_host::native::{self, Window};
use evenstep_host::{App, Background, Color, Context, Draw, Event, Input, Key, Paint, View};

pub(crate) const BACKGROUND: u32 = 0x14_1A_2A;
pub(crate) const BALL: u32 = 0xFF_B7_03;

struct TestApp {
    pacing: Pacing,
    x: Interpolated<f64>,
    taps: usize,
    start: Instant,
    dropped: Duration,
    is_back: bool,
}

impl App for TestApp {
    fn pacing(&self) -> Pacing {
        self.pacing
    }

    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        if !matches!(event, Event::PointerMove(_)) {
            println!("event {event:?}");
        }
        self.is_back |= event == Event::Shown;
        if event == Event::KeyDown(Key::Escape) {
            cx.quit();
        }
    }

    fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
        self.x.advance(self.x.current() + 4.0 * f64::from(input.axis(Key::ArrowLeft, Key::ArrowRight)));
        // Two taps may fall into one tick.
        self.taps += input.events().iter().filter(|&&event| event == Event::KeyDown(Key::Space)).count();
    }

    fn frame(&mut self, frame: &Frame, cx: &mut Context<'_>) {
        if std::mem::take(&mut self.is_back) {
            println!("event back with {} steps", frame.steps());
        }
        self.dropped += frame.dropped();
        let counted = cx.pacer.pacing().rate().time_of(cx.tick()) + self.dropped;
        let uncounted_s = self.start.elapsed().as_secs_f64() - counted.as_secs_f64();
        let frame_ms = cx.pacer.stats().frame_time(0.5).as_secs_f64() * 1e3;
        println!("state {} {} {} {uncounted_s} {frame_ms}", cx.tick(), self.x.current(), self.taps);
    }
}

impl<C: Paint> Draw<C> for TestApp {
    fn draw(&mut self, canvas: &mut C, view: View<'_>) {
        let size = canvas.size();
        canvas.fill(Color::rgb(BACKGROUND));
        let x = size.width / 2.0 + self.x.at(view.alpha());
        canvas.disc(x, size.height / 2.0, 30.0, Color::rgb(BALL));
    }
}

/// Returns the title of the window under test, or of the other window that some tests open.
pub(crate) const fn title(is_other: bool) -> &'static str {
    if is_other { "Other" } else { "Test app" }
}

pub(crate) fn run() -> ExitCode {
    let has = |wanted: &str| std::env::args().any(|argument| argument == wanted);
    let mut window = Window::new(title(has("--other"))).with_size(640.0, 360.0);
    if has("--fullscreen") {
        window = window.with_fullscreen();
    }
    if has("--background") {
        window = window.with_background(Background::Run);
    }
    if has("--rate-40") {
        window = window.with_rate(Rate::hz(40));
    }
    let pacing = Pacing::hz(60);
    let app = TestApp {
        pacing: if has("--draw-rate-30") { pacing.with_draw_rate(Rate::hz(30)) } else { pacing },
        x: Interpolated::new(0.0),
        taps: 0,
        start: Instant::now(),
        dropped: Duration::ZERO,
        is_back: false,
    };
    match native::run(window, app) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
