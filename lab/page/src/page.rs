//! The lab on a web page: reads controls, draws lanes, writes numbers.

mod controls;
mod dom;
mod lane;
mod measure;
mod sheet;

use std::cell::RefCell;
use std::rc::Rc;

use evenstep_lab::policy::Policy;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{HtmlElement, VisibilityState, Window};

use crate::link::Link;
use crate::live::LiveSession;
use crate::settings::{PRESETS, Preset};
use controls::Controls;
use lane::{LaneView, Look, is_first};
use measure::Measure;

/// The longest gap between two frames of the page: after a tab was hidden, the session continues where it was.
const GAP_MS_MAX: f64 = 100.0;
/// How often the numbers change: faster would be unreadable.
const NUMBERS_EVERY_MS: f64 = 250.0;
/// Played immediately when a session starts: enough for the lock to find the refresh, and for something to measure.
const HEAD_START_S: f64 = 5.0;

/// The lab on its page.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct PacingLab {
    lab: Rc<RefCell<Lab>>,
}

#[wasm_bindgen]
impl PacingLab {
    /// Starts the lab on the page that holds its elements.
    ///
    /// # Errors
    ///
    /// If an element is missing.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<PacingLab, JsValue> {
        let started = Self { lab: Rc::new(RefCell::new(Lab::new()?)) };
        started.listen()?;
        let running = started.clone();
        dom::on_each_frame(move |now_ms| running.lab.borrow_mut().frame(now_ms));
        Ok(started)
    }

    /// Plays exactly this many frames of a seed and pauses, so that a test can compare the page with a native program.
    #[wasm_bindgen(js_name = showFrames)]
    pub fn show_frames(&self, seed: u32, frames: u32) {
        let mut lab = self.lab.borrow_mut();
        lab.set_paused(true);
        lab.link.seed = seed;
        lab.live = LiveSession::new(*lab.live.display(), seed.into());
        for _ in 0..frames {
            lab.live.play_frame();
        }
        lab.session_s = lab.live.next_s();
        lab.show();
    }

    /// The number of frames that the simulated display has shown.
    pub fn frames(&self) -> f64 {
        self.lab.borrow().live.frames_shown() as f64
    }

    /// The average time for drawing all lanes, in milliseconds.
    #[wasm_bindgen(js_name = drawMs)]
    pub fn draw_ms(&self) -> f64 {
        self.lab.borrow().drawing.mean_ms()
    }

    /// Analyses these timestamps, in milliseconds, as if the browser had provided them.
    pub fn measure(&self, timestamps_ms: &[f64]) {
        let measure = &mut self.lab.borrow_mut().measure;
        measure.start();
        for &at_ms in timestamps_ms {
            measure.frame(at_ms);
        }
        measure.finish();
    }

    /// The refresh rate of the display that was measured last, if it is fixed.
    #[wasm_bindgen(js_name = refreshHz)]
    pub fn refresh_hz(&self) -> Option<f64> {
        self.lab.borrow().measure.findings()?.refresh_hz()
    }

    fn listen(&self) -> Result<(), JsValue> {
        let form = dom::element::<HtmlElement>("controls")?;
        self.on(&form, "input", Lab::read_controls)?;
        dom::on(&form, "submit", |event| event.prevent_default())?;
        for (id, action) in [
            ("pause", (|lab| lab.set_paused(!lab.is_paused)) as fn(&mut Lab)),
            ("again", |lab| {
                let link = Link { seed: lab.link.seed.wrapping_add(1), ..lab.link };
                lab.follow(link);
            }),
            ("record", |lab| lab.measure.start()),
            ("cancel", |lab| lab.measure.cancel()),
            ("save", |lab| lab.measure.save()),
        ] {
            let button = dom::element::<HtmlElement>(id)?;
            self.on(&button, "click", action)?;
        }
        let buttons = self.lab.borrow().presets.clone();
        for (button, preset) in buttons.iter().zip(&PRESETS) {
            self.on(button, "click", |lab| lab.take(preset))?;
        }
        let window = dom::window()?;
        self.on(&window, "resize", |lab| {
            lab.is_stale = true;
            lab.measure.fit();
        })?;
        let document = dom::document()?;
        self.on(&document, "visibilitychange", |lab| {
            if dom::document().is_ok_and(|document| document.visibility_state() == VisibilityState::Hidden) {
                lab.measure.hide();
            }
        })
    }

    fn on(
        &self,
        target: &web_sys::EventTarget,
        name: &str,
        action: impl Fn(&mut Lab) + 'static,
    ) -> Result<(), JsValue> {
        let lab = Rc::clone(&self.lab);
        dom::on(target, name, move |_| action(&mut lab.borrow_mut()))
    }
}

/// Plays every preset for this many frames and returns a digest: the same as a native program's.
#[wasm_bindgen]
pub fn digest(seed: u32, frames: u32) -> String {
    crate::digest(seed.into(), frames)
}

#[derive(Debug)]
struct Lab {
    window: Window,
    controls: Controls,
    presets: Vec<HtmlElement>,
    about: HtmlElement,
    title: HtmlElement,
    pause: HtmlElement,
    trouble: HtmlElement,
    lanes: Vec<LaneView>,
    lanes_more: HtmlElement,
    measure: Measure,
    /// What is shown. The controls may say something else while they say nothing useful.
    link: Link,
    live: LiveSession,
    session_s: f64,
    is_paused: bool,
    /// The page's size or content has changed: draw even without a new frame.
    is_stale: bool,
    last_ms: Option<f64>,
    numbers_at_ms: f64,
    drawing: Cost,
}

impl Lab {
    fn new() -> Result<Self, JsValue> {
        let controls = Controls::find()?;
        let lanes = Policy::ALL.into_iter().map(LaneView::new).collect::<Result<_, _>>()?;
        let presets = PRESETS.iter().map(preset_button).collect::<Result<_, _>>()?;
        let window = dom::window()?;
        let (link, problems) = Link::parse(&window.location().search()?);
        controls.write(&link);
        // Users who prefer reduced motion start the session themselves.
        let is_paused = window
            .match_media("(prefers-reduced-motion: reduce)")?
            .is_some_and(|preference| preference.matches());
        let mut lab = Self {
            window,
            controls,
            presets,
            about: dom::element("about")?,
            title: dom::element("display")?,
            pause: dom::element("pause")?,
            trouble: dom::element("settings-trouble")?,
            lanes,
            lanes_more: dom::element("lanes-more")?,
            measure: Measure::find()?,
            link,
            live: LiveSession::new(link.settings.display(), link.seed.into()),
            session_s: 0.0,
            is_paused: false,
            is_stale: true,
            last_ms: None,
            numbers_at_ms: f64::NEG_INFINITY,
            drawing: Cost::default(),
        };
        lab.set_paused(is_paused);
        lab.begin();
        lab.apply();
        lab.trouble.set_text_content(Some(&problems.join(" ")));
        Ok(lab)
    }

    /// One frame of the page.
    fn frame(&mut self, now_ms: f64) {
        let elapsed_ms = (now_ms - self.last_ms.unwrap_or(now_ms)).clamp(0.0, GAP_MS_MAX);
        self.last_ms = Some(now_ms);
        if self.measure.is_recording() {
            // The session is not drawn meanwhile, so that drawing cannot delay a frame.
            self.measure.frame(now_ms);
            return;
        }
        if !self.is_paused {
            self.session_s += elapsed_ms / 1e3 * self.link.speed;
        }
        let played = self.live.play_until(self.session_s);
        if played == 0 && !self.is_stale {
            return;
        }
        // When paused, the numbers must be those of the frame shown.
        if self.is_stale || now_ms - self.numbers_at_ms >= NUMBERS_EVERY_MS {
            self.numbers_at_ms = now_ms;
            self.write_numbers();
        }
        self.draw();
    }

    /// Starts the session that the link describes.
    fn begin(&mut self) {
        self.live = LiveSession::new(self.link.settings.display(), self.link.seed.into());
        self.session_s = HEAD_START_S;
        self.live.play_until(self.session_s);
    }

    /// Draws and writes everything immediately.
    fn show(&mut self) {
        self.is_stale = true;
        self.draw();
        self.write_numbers();
    }

    fn read_controls(&mut self) {
        self.controls.enable();
        match self.controls.read(self.link.seed) {
            Ok(link) => self.follow(link),
            // The session stays as it is.
            Err(problem) => {
                let stays = format!("{problem} The display stays at {} Hz.", self.link.settings.hz);
                self.trouble.set_text_content(Some(&stays));
            }
        }
    }

    /// Shows another link, and makes it the page's address.
    fn follow(&mut self, link: Link) {
        let is_other = (link.settings.display(), link.seed) != (*self.live.display(), self.link.seed);
        self.link = link;
        if is_other {
            self.begin();
        }
        self.trouble.set_text_content(None);
        self.apply();
        // Replaced, not pushed: Back leaves the lab. A page without an origin has no history to write to.
        if let Ok(history) = self.window.history() {
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&link.query()));
        }
    }

    /// Shows what the link says.
    fn apply(&mut self) {
        self.controls.enable();
        self.controls.write_values(&self.link);
        self.lanes_more.set_hidden(!self.link.shows_all);
        self.measure.show_all(self.link.shows_all);
        self.mark_preset();
        self.show();
    }

    fn take(&mut self, preset: &Preset) {
        self.controls.write_settings(&preset.settings);
        self.read_controls();
        self.set_paused(false);
    }

    /// Marks the preset that matches the controls, and describes it.
    fn mark_preset(&self) {
        let display = *self.live.display();
        let mut about = "";
        for (button, preset) in self.presets.iter().zip(&PRESETS) {
            let is_it = preset.settings.display() == display;
            dom::set_attribute(button, "aria-pressed", if is_it { "true" } else { "false" });
            if is_it {
                about = preset.about;
            }
        }
        self.about.set_text_content(Some(about));
    }

    fn set_paused(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
        self.pause.set_text_content(Some(if is_paused { "Resume" } else { "Pause" }));
        self.is_stale = true;
    }

    fn draw(&mut self) {
        let performance = self.window.performance();
        let now_ms = || performance.as_ref().map_or(0.0, web_sys::Performance::now);
        let start_ms = now_ms();
        if std::mem::take(&mut self.is_stale) {
            let sharpness = self.window.device_pixel_ratio();
            self.lanes.iter_mut().for_each(|lane| lane.fit(sharpness));
        }
        let lanes = self.lanes.iter().zip(self.live.lanes());
        let shows_all = self.link.shows_all;
        let shown = || lanes.clone().filter(|(_, lane)| shows_all || is_first(lane.run().policy()));
        let look = Look {
            error_ms: shown().fold(0.0, |max: f64, (_, lane)| max.max(lane.error_ms_max())),
            magnify: self.link.magnify,
            frames_shown: self.live.frames_shown(),
        };
        for (view, lane) in shown() {
            view.draw(lane, &look);
        }
        self.drawing.add(now_ms() - start_ms);
    }

    fn write_numbers(&self) {
        let display = self.live.display();
        let seed = self.link.seed;
        let frames = self.live.frames_shown();
        let words = format!("{display}; seed {seed}; {frames} frames, {:.1} s", self.live.next_s());
        self.title.set_text_content(Some(&words));
        for (view, lane) in self.lanes.iter().zip(self.live.lanes()) {
            view.write_numbers(lane);
        }
    }
}

fn preset_button(preset: &Preset) -> Result<HtmlElement, JsValue> {
    let button = dom::document()?.create_element("button")?.dyn_into::<HtmlElement>()?;
    button.set_text_content(Some(preset.name));
    button.set_title(preset.about);
    dom::set_attribute(&button, "type", "button");
    dom::element::<HtmlElement>("presets")?.append_child(&button)?;
    Ok(button)
}

/// An average duration.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    sum_ms: f64,
    times: f64,
}

impl Cost {
    fn add(&mut self, ms: f64) {
        self.sum_ms += ms;
        self.times += 1.0;
    }

    fn mean_ms(self) -> f64 {
        self.sum_ms / self.times.max(1.0)
    }
}
