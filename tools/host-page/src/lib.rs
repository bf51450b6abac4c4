//! The app under test. It reports its events and its state in a JavaScript object that the test reads.

#![cfg(target_arch = "wasm32")]
#![forbid(unsafe_code)]

use std::time::Duration;

use evenstep::{Frame, Interpolated};
use evenstep_host::web::{self, Keys, Page};
use evenstep_host::{App, Background, Button, Color, Context, Draw, Event, Image, Input, Key, Paint, View};
use js_sys::{Array, Date, Object, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;

/// A ball, and the JavaScript object that reports its state.
struct TestApp {
    x: Interpolated<f64>,
    taps: u32,
    draws: u32,
    steps_max: u32,
    dropped: Duration,
    is_back: bool,
    step_time_max: Duration,
    // Keys that it uses besides those of the default.
    uses: Vec<Key>,
    report: Object,
    events: Array,
    // The app's time at each event.
    times: Array,
    image: Image,
}

impl TestApp {
    fn new(report: &Object) -> Self {
        let events = Array::new();
        let times = Array::new();
        set(report, "events", &events);
        set(report, "times", &times);
        Self {
            x: Interpolated::new(0.0),
            taps: 0,
            draws: 0,
            steps_max: 0,
            dropped: Duration::ZERO,
            is_back: false,
            step_time_max: Duration::ZERO,
            uses: text(report, "uses")
                .iter()
                .flat_map(|it| it.split('+'))
                .filter_map(Key::from_code)
                .collect(),
            report: report.clone(),
            events,
            times,
            // Red, half of blue, a clear pixel, green, white and black.
            image: Image::from_rgba(
                3,
                2,
                [
                    255, 0, 0, 255, 0, 0, 255, 128, 9, 9, 9, 0, 0, 255, 0, 255, 255, 255, 255, 255, 0, 0, 0,
                    255,
                ],
            ),
        }
    }
}

impl App for TestApp {
    fn uses_key(&self, key: Key) -> bool {
        matches!(key, Key::ArrowLeft | Key::ArrowRight | Key::Space) || self.uses.contains(&key)
    }

    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        self.events.push(&format!("{event:?}").into());
        self.times.push(&millis(cx.now()).into());
        self.is_back |= event == Event::Shown;
        match event {
            Event::KeyDown(Key::Escape) => cx.quit(),
            Event::KeyDown(Key::KeyF) => cx.set_fullscreen(!cx.is_fullscreen()),
            Event::KeyDown(Key::KeyT) => cx.set_title("Renamed"),
            Event::KeyDown(Key::KeyC) => cx.set_cursor_visible(false),
            Event::KeyDown(Key::KeyV) => cx.set_cursor_visible(true),
            Event::KeyDown(Key::KeyM) => cx.set_size_min(700.0, 400.0),
            _ => {}
        }
    }

    fn step(&mut self, input: &Input, cx: &mut Context<'_>) {
        if input.pressed(Key::KeyQ) {
            cx.quit();
        }
        self.x.advance(self.x.current() + 4.0 * f64::from(input.axis(Key::ArrowLeft, Key::ArrowRight)));
        self.taps +=
            input.events().iter().filter(|&&event| event == Event::KeyDown(Key::Space)).count() as u32;
        self.taps += u32::from(input.pad_pressed(0, Button::South));
    }

    fn frame(&mut self, frame: &Frame, cx: &mut Context<'_>) {
        self.steps_max = self.steps_max.max(frame.steps());
        let stats = cx.pacer.stats();
        if std::mem::take(&mut self.is_back) {
            let back = format!("back with {} steps and {} spikes", frame.steps(), stats.lag_spikes());
            self.events.push(&back.into());
            self.times.push(&millis(cx.now()).into());
        }
        self.step_time_max = self.step_time_max.max(stats.step_time());
        self.dropped += frame.dropped();
        let counted = cx.pacer.pacing().rate().time_of(cx.tick()) + self.dropped;
        for (name, value) in [
            ("ticks", cx.tick() as f64),
            ("x", self.x.current()),
            ("taps", self.taps.into()),
            ("draws", self.draws.into()),
            ("stepsMax", self.steps_max.into()),
            ("spikes", stats.lag_spikes() as f64),
            ("stepMsMax", millis(self.step_time_max)),
            ("uncountedMs", Date::now() - millis(counted)),
        ] {
            set(&self.report, name, &value.into());
        }
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

impl<C: Paint> Draw<C> for TestApp {
    fn draw(&mut self, canvas: &mut C, view: View<'_>) {
        self.draws += 1;
        let size = canvas.size();
        set(&self.report, "width", &size.width.into());
        set(&self.report, "height", &size.height.into());
        set(&self.report, "scale", &size.scale.into());
        set(&self.report, "renderer", &view.display.renderer.as_str().into());
        canvas.fill(Color::rgb(0x14_1A_2A));
        canvas.line(
            [20.0, size.height - 20.0],
            [size.width - 20.0, size.height - 20.0],
            4.0,
            Color::rgb(0x3A_4A_6B),
        );
        let x = size.width / 2.0 + self.x.at(view.alpha());
        canvas.disc(x, size.height / 2.0, 44.0, Color::rgb(0xFF_B7_03).with_alpha(0.2));
        canvas.disc(x, size.height / 2.0, 30.0, Color::rgb(0xFF_B7_03));
        canvas.image(20.5, 30.25, 60.0, 45.0, &self.image);
        canvas.text(120.0, 30.0, 14.0, "Evenstep", Color::rgb(0xFF_FF_FF).with_alpha(0.8));
        canvas.rect(50.0, 50.0, 60.5, 12.0, Color::rgb(0x20_80_FF).with_alpha(0.6));
    }
}

/// Starts an app for each object in the page's `apps`, and reports to that object.
///
/// # Panics
///
/// If the page has no `apps`.
#[wasm_bindgen(start)]
pub fn start() {
    let global = js_sys::global();
    let apps = Reflect::get(&global, &"apps".into()).expect("the page has apps");
    for report in Array::from(&apps).iter() {
        let report = Object::from(report);
        let text = |name| text(&report, name);
        let mut page = Page::new(text("canvas").unwrap_or_default());
        if text("background").as_deref() == Some("run") {
            page = page.with_background(Background::Run);
        }
        if text("keys").as_deref() == Some("canvas") {
            page = page.with_keys(Keys::OfCanvas);
        }
        let app = TestApp::new(&report);
        let started = match text("renderer").as_deref() {
            Some("gpu") => web::run_gpu(page, app),
            Some("any") => web::run_any(page, app),
            _ => web::run(page, app),
        };
        match started {
            Ok(running) => {
                let handle = running.clone();
                let asked = running.clone();
                let stop = Closure::<dyn FnMut()>::new(move || handle.stop());
                set(&report, "stop", &stop.into_js_value());
                let is_running = Closure::<dyn FnMut() -> bool>::new(move || running.is_running());
                set(&report, "isRunning", &is_running.into_js_value());
                let failure = Closure::<dyn FnMut() -> Option<String>>::new(move || asked.failure());
                set(&report, "failure", &failure.into_js_value());
            }
            Err(error) => set(&report, "error", &error.to_string().into()),
        }
    }
}

fn text(object: &Object, name: &str) -> Option<String> {
    Reflect::get(object, &name.into()).ok()?.as_string()
}

fn set(object: &Object, name: &str, value: &JsValue) {
    Reflect::set(object, &name.into(), value).expect("a property can be set");
}
