//! The app under test. It reports its events and its state on standard output.

#![expect(clippy::disallowed_methods, reason = "compares the host's clock with the system's")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use evenstep::{Frame, Interpolated, Pacing, Rate};
use evenstep_host::native::{self, Window};
use evenstep_host::{App, Background, Beat, Color, Context, Draw, Event, Image, Input, Key, Paint, View};

pub(crate) const BACKGROUND: u32 = 0x14_1A_2A;
pub(crate) const BALL: u32 = 0xFF_B7_03;
pub(crate) const RENAMED: &str = "Renamed";

pub(crate) struct TestApp {
    draws_scene: bool,
    pacing: Pacing,
    x: Interpolated<f64>,
    taps: usize,
    start: Instant,
    dropped: Duration,
    is_back: bool,
    pauses_without_focus: bool,
    shown: u64,
    hidden: u32,
    beat: String,
    // Every this many frames, one takes longer than a refresh.
    slow_every: Option<u32>,
    frames: u32,
    slow_frames: u32,
    images: u64,
    busy: Duration,
    drawn: Option<Duration>,
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
        self.hidden += u32::from(event == Event::Hidden);
        match event {
            Event::KeyDown(Key::Escape) => cx.quit(),
            Event::FocusLost if self.pauses_without_focus => cx.pause(),
            Event::FocusGained => cx.resume(),
            Event::KeyDown(Key::F11) => cx.set_fullscreen(!cx.is_fullscreen()),
            Event::KeyDown(Key::KeyT) => cx.set_title(RENAMED),
            Event::KeyDown(Key::KeyC) => cx.set_cursor_visible(false),
            Event::KeyDown(Key::KeyM) => cx.set_size_min(400.0, 300.0),
            _ => {}
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
        self.frames += 1;
        if self.slow_every.is_some_and(|every| self.frames.is_multiple_of(every)) {
            self.slow_frames += 1;
            let start = Instant::now();
            while start.elapsed() < Duration::from_millis(25) {
                std::hint::spin_loop();
            }
        }
        self.dropped += frame.dropped();
        let counted = cx.pacer.pacing().rate().time_of(cx.tick()) + self.dropped;
        let uncounted_s = self.start.elapsed().as_secs_f64() - counted.as_secs_f64();
        let frame_ms = cx.pacer.stats().frame_time(0.5).as_secs_f64() * 1e3;
        // The first images are slow: drivers compile what they need.
        if self.frames > 60 {
            self.busy = self.busy.max(cx.display().busy);
        }
        let busy_ms = self.busy.as_secs_f64() * 1e3;
        println!("state {} {} {} {uncounted_s} {frame_ms} {busy_ms}", cx.tick(), self.x.current(), self.taps);
    }
}

impl TestApp {
    /// Reports the beat when it changes, and images when they have been shown.
    fn report(&mut self, view: View<'_>) {
        let display = view.display;
        let lost = display.beat_lost.map_or_else(String::new, |(lost, why)| format!(" for {lost} {why:?}"));
        let beat = format!("{}{lost}", display.beat.map_or("none", Beat::name));
        let beat = format!("beat {beat}\nevent renderer {}", display.renderer);
        if beat != self.beat {
            println!("event {beat}");
            self.beat = beat;
        }
        let counts = &display.shown;
        if counts.shown() != self.shown
            && let Some(shown) = counts.last()
        {
            // Several images may have been shown since the last frame.
            let sequence = shown.sequence.map_or(-1, |sequence| sequence as i64);
            let at = shown.at.as_nanos();
            let latency = shown.at.saturating_sub(shown.input_at).as_nanos();
            let waited = display.waited.unwrap_or_default().as_nanos();
            println!(
                "shown {} {} {} {} {sequence} {at} {latency} {} {waited} {}",
                self.images,
                counts.shown(),
                counts.discarded(),
                counts.missed(),
                self.hidden,
                self.slow_frames,
            );
            self.shown = counts.shown();
        }
        // An image that the window system asks for again does not count.
        let now = Some(view.frame.now());
        self.images += u64::from(std::mem::replace(&mut self.drawn, now) != now);
    }
}

impl<C: Paint> Draw<C> for TestApp {
    fn draw(&mut self, canvas: &mut C, view: View<'_>) {
        self.report(view);
        if self.draws_scene {
            scene(canvas);
            return;
        }
        let size = canvas.size();
        canvas.fill(Color::rgb(BACKGROUND));
        let x = size.width / 2.0 + self.x.at(view.alpha());
        canvas.disc(x, size.height / 2.0, 30.0, Color::rgb(BALL));
    }
}

/// Draws every shape, text and an image, opaque and transparent, on and off the pixel grid, and partly outside.
pub(crate) fn scene(canvas: &mut impl Paint) {
    let size = canvas.size();
    canvas.fill(Color::rgb(0x20_30_50));
    for n in 0..12 {
        let along = f64::from(n);
        let color = Color::rgb(0x1F_3B_57 * (n + 1)).with_alpha(0.3 + 0.06 * n as f32);
        canvas.rect(7.3 * along, 5.0 + 20.0 * along, 40.5, 11.25, color);
        canvas.disc(150.0 + 21.7 * along, 60.5 + 3.3 * along, 4.0 + 2.1 * along, color);
        canvas.line([200.0, 200.0], [200.0 + 40.0 * along, 20.0 + 31.0 * along], 0.7 + 0.6 * along, color);
    }
    let checkers = [255, 0, 0, 255, 0, 0, 255, 128, 9, 9, 9, 0, 0, 255, 0, 255];
    canvas.image(300.5, 210.25, 90.0, 61.0, &Image::from_rgba(2, 2, checkers));
    canvas.text(310.0, 220.0, 21.0, "Over an image", Color::rgb(0xFF_FF_FF).with_alpha(0.7));
    canvas.disc(size.width, size.height, 50.0, Color::rgb(0xFF_FF_FF));
    canvas.rect(-20.0, -20.0, 30.0, 30.0, Color::rgb(0xFF_00_00));
    canvas.fill(Color::rgb(0x00_FF_00).with_alpha(0.1));
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
    for beat in Beat::ALL {
        if has(&format!("--beat-{beat}")) {
            window = window.with_beat(beat);
        }
    }
    if has("--late-start") {
        window = window.with_late_start();
    }
    if has("--rate-40") {
        window = window.with_rate(Rate::hz(40));
    }
    let pacing = Pacing::hz(60);
    let app = TestApp {
        draws_scene: has("--scene"),
        pacing: if has("--draw-rate-30") { pacing.with_draw_rate(Rate::hz(30)) } else { pacing },
        x: Interpolated::new(0.0),
        taps: 0,
        start: Instant::now(),
        dropped: Duration::ZERO,
        is_back: false,
        pauses_without_focus: has("--pause-without-focus"),
        shown: 0,
        hidden: 0,
        beat: String::new(),
        // Often enough to count, and seldom enough for the window to be on time in between.
        slow_every: has("--slow").then_some(25),
        frames: 0,
        slow_frames: 0,
        images: 0,
        busy: Duration::ZERO,
        drawn: None,
    };
    #[cfg(not(feature = "gpu"))]
    let result = native::run(window, app).map(drop);
    #[cfg(feature = "gpu")]
    let result = match () {
        () if has("--gpu") => native::run_gpu(window, super::gpu_app::GpuApp::new(app)).map(drop),
        () if has("--any") => native::run_any(window, app).map(drop),
        () => native::run(window, app).map(drop),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
