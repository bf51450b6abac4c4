//! The app on the page: it puts what happens to it where the test can see it.

#![cfg(target_arch = "wasm32")]
#![forbid(unsafe_code)]

use std::time::Duration;

use evenstep::{Frame, Interpolated};
use evenstep_host::web::{self, Keys, Page};
use evenstep_host::{App, Background, Button, Color, Context, Draw, Event, Input, Key, Paint, View};
use js_sys::{Array, Date, Object, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;

/// A ball, and an object of the page's that tells about it.
struct Probe {
    x: Interpolated<f64>,
    taps: u32,
    draws: u32,
    steps_most: u32,
    dropped: Duration,
    is_back: bool,
    step_most: Duration,
    told: Object,
    events: Array,
    // The app's time at each of the events.
    times: Array,
}

impl Probe {
    fn new(told: &Object) -> Self {
        let (events, times) = (Array::new(), Array::new());
        set(told, "events", &events);
        set(told, "times", &times);
        Self {
            x: Interpolated::new(0.0),
            taps: 0,
            draws: 0,
            steps_most: 0,
            dropped: Duration::ZERO,
            is_back: false,
            step_most: Duration::ZERO,
            told: told.clone(),
            events,
            times,
        }
    }
}

impl App for Probe {
    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        self.events.push(&format!("{event:?}").into());
        self.times.push(&millis(cx.now()).into());
        self.is_back |= event == Event::Shown;
        if event == Event::KeyDown(Key::Escape) {
            cx.quit();
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
        self.steps_most = self.steps_most.max(frame.steps());
        let stats = cx.pacer.stats();
        if std::mem::take(&mut self.is_back) {
            let back = format!("back with {} steps and {} spikes", frame.steps(), stats.lag_spikes());
            self.events.push(&back.into());
            self.times.push(&millis(cx.now()).into());
        }
        self.step_most = self.step_most.max(stats.step_time());
        self.dropped += frame.dropped();
        let counted = cx.pacer.pacing().rate().time_of(cx.tick()) + self.dropped;
        for (name, value) in [
            ("ticks", cx.tick() as f64),
            ("x", self.x.current()),
            ("taps", self.taps.into()),
            ("draws", self.draws.into()),
            ("stepsMost", self.steps_most.into()),
            ("spikes", stats.lag_spikes() as f64),
            ("stepMsMost", millis(self.step_most)),
            ("uncountedMs", Date::now() - millis(counted)),
        ] {
            set(&self.told, name, &value.into());
        }
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

impl<C: Paint> Draw<C> for Probe {
    fn draw(&mut self, canvas: &mut C, view: View<'_>) {
        self.draws += 1;
        let size = canvas.size();
        set(&self.told, "width", &size.width.into());
        set(&self.told, "height", &size.height.into());
        set(&self.told, "scale", &size.scale.into());
        canvas.fill(Color::rgb(0x14_1A_2A));
        canvas.line(
            (20.0, size.height - 20.0),
            (size.width - 20.0, size.height - 20.0),
            4.0,
            Color::rgb(0x3A_4A_6B),
        );
        let x = size.width / 2.0 + self.x.at(view.alpha());
        canvas.disc(x, size.height / 2.0, 44.0, Color::rgb(0xFF_B7_03).with_alpha(0.2));
        canvas.disc(x, size.height / 2.0, 30.0, Color::rgb(0xFF_B7_03));
    }
}

/// Starts an app for each of the page's `probes`.
///
/// # Panics
///
/// If the page has none.
#[wasm_bindgen(start)]
pub fn start() {
    let global = js_sys::global();
    let probes = Reflect::get(&global, &"probes".into()).expect("the page has probes");
    for told in Array::from(&probes).iter() {
        let told = Object::from(told);
        let text = |name: &str| Reflect::get(&told, &name.into()).ok().and_then(|value| value.as_string());
        let mut page = Page::new(text("canvas").unwrap_or_default());
        if text("background").as_deref() == Some("run") {
            page = page.with_background(Background::Run);
        }
        if text("keys").as_deref() == Some("canvas") {
            page = page.with_keys(Keys::OfCanvas);
        }
        match web::run(page, Probe::new(&told)) {
            Ok(running) => {
                let stop = Closure::<dyn FnMut()>::new(move || running.stop());
                set(&told, "stop", &stop.into_js_value());
            }
            Err(error) => set(&told, "error", &error.to_string().into()),
        }
    }
}

fn set(object: &Object, name: &str, value: &JsValue) {
    Reflect::set(object, &name.into(), value).expect("an object takes a value");
}
