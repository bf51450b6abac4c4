//! One policy's lane: the moving object, its error, its steps.

use std::collections::VecDeque;

use evenstep::LockState;
use evenstep_lab::metrics::Motion;
use evenstep_lab::policy::Policy;
use wasm_bindgen::JsValue;
use web_sys::{Element, HtmlCanvasElement, HtmlElement, HtmlTemplateElement};

use super::dom;
use super::sheet::Sheet;
use crate::live::{Lane, WINDOW};
use crate::numbers::Numbers;

/// How long the moving object takes from end to end.
const CROSSING_S: f64 = 2.0;
/// The age of the oldest afterimage.
const TRAIL_S: f64 = 0.6;
/// The smallest distance between afterimages, in points.
const TRAIL_GAP: f64 = 11.0;

/// Heights, in points.
const TRACK: f64 = 32.0;
const STRIP: f64 = 16.0;

/// Scales of the error plot, in milliseconds.
const SCALES_MS: [f64; 7] = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0];

const OURS: &str = "#5cc8ff";
const THEIRS: &str = "#f0a24a";
const GROUND: &str = "#060812";
const DIM: &str = "#93a0bd";
const RULE: &str = "#26304d";
/// Colour and height by number of steps, the last for three or more. The colours also differ in brightness.
const STEPS: [(&str, f64); 4] = [("#f0a24a", 3.0), ("#4a74b8", 6.0), ("#f5e663", 10.0), ("#ff6fae", 14.0)];

/// What all lanes share.
pub(super) struct Look {
    /// The largest error of any lane.
    pub(super) error_ms: f64,
    /// The magnification of the moving object's error.
    pub(super) magnify: f64,
    pub(super) frames_shown: u64,
}

/// Whether a policy is one of the two that everybody sees first. The others are behind a switch.
pub(super) fn is_first(policy: Policy) -> bool {
    matches!(policy, Policy::Plain | Policy::Evenstep)
}

/// The heading of a lane, and what it says below: in a player's words for the two that come first.
const fn title(policy: Policy) -> (&'static str, &'static str) {
    match policy {
        Policy::Plain => ("a plain loop", "adds up the time between frames, as most games do"),
        Policy::Evenstep => ("Evenstep", "finds the refresh of the display and follows it"),
        _ => (policy.name(), policy.about()),
    }
}

/// A side of the lane.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

#[derive(Debug)]
pub(super) struct LaneView {
    judder: HtmlElement,
    cadence: HtmlElement,
    drift: HtmlElement,
    lag: HtmlElement,
    sheet: Sheet,
    color: &'static str,
}

impl LaneView {
    pub(super) fn new(policy: Policy) -> Result<Self, JsValue> {
        let is_ours = matches!(policy, Policy::Evenstep | Policy::EvenstepRateLock);
        let copy = dom::element::<HtmlTemplateElement>("lane")?.content().clone_node_with_deep(true)?;
        let lanes = dom::element::<Element>(if is_first(policy) { "lanes" } else { "lanes-more" })?;
        lanes.append_child(&copy)?;
        let root: HtmlElement = dom::inside(&lanes, ".lane:last-child")?;
        root.set_id(&format!("lane-{}", policy.name()));
        let kind = |is_it, name| if is_it { name } else { "" };
        root.set_class_name(&format!("lane{}{}", kind(is_ours, " ours"), kind(!is_first(policy), " other")));
        let (name, about) = title(policy);
        dom::inside::<HtmlElement>(&root, "h2")?.set_text_content(Some(name));
        dom::inside::<HtmlElement>(&root, ".about p")?.set_text_content(Some(about));
        let canvas: HtmlCanvasElement = dom::inside(&root, "canvas")?;
        dom::set_attribute(&canvas, "aria-label", &format!("{name}: the object, its error and the steps"));
        let number = |name| dom::inside(&root, &format!("[data-number={name}]"));
        Ok(Self {
            judder: number("judder")?,
            cadence: number("cadence")?,
            drift: number("drift")?,
            lag: number("lag")?,
            sheet: Sheet::new(canvas)?,
            color: if is_ours { OURS } else { THEIRS },
        })
    }

    pub(super) fn fit(&mut self, sharpness: f64) {
        self.sheet.fit(sharpness);
    }

    pub(super) fn write_numbers(&self, lane: &Lane) {
        let numbers = Numbers::of(&lane.run().tally().report());
        self.judder.set_text_content(Some(&numbers.judder));
        self.cadence.set_text_content(Some(&numbers.cadence));
        self.drift.set_text_content(Some(&numbers.drift));
        self.lag.set_text_content(Some(&numbers.lag));
    }

    pub(super) fn draw(&self, lane: &Lane, look: &Look) {
        if self.sheet.width == 0.0 {
            return;
        }
        self.sheet.clear();
        self.draw_mover(lane, look);
        self.draw_errors(lane.window(), look.error_ms);
        self.draw_steps(lane.window());
        self.draw_lock(lane);
    }

    /// Draws the moving object and its afterimages, above marks where they should have been.
    fn draw_mover(&self, lane: &Lane, look: &Look) {
        let window = lane.window();
        let context = &self.sheet.context;
        let Some(latest) = window.back() else { return };
        let even_ms = lane.even_delay_ms();
        let speed = self.sheet.width / CROSSING_S;
        // A constant delay does not show as uneven motion; `lag` measures it.
        let place = |motion: &Motion| {
            let even = (motion.at_s * speed) % self.sheet.width;
            (even, even - look.magnify * (motion.behind_ms - even_ms) / 1e3 * speed)
        };
        let gap = (latest.at_s - window[0].at_s) * speed / window.len() as f64;
        let stride = (TRAIL_GAP / gap.max(0.01)).ceil() as u64;
        let trail = window.iter().rev().enumerate().skip(1);
        let trail = trail
            .filter(|(age, _)| (look.frames_shown - *age as u64).is_multiple_of(stride))
            .map(|(_, motion)| motion)
            .take_while(|motion| latest.at_s - motion.at_s < TRAIL_S);
        context.set_fill_style_str(DIM);
        for motion in trail.clone() {
            context.fill_rect(place(motion).0 - 0.5, TRACK - 9.0, 1.0, 6.0);
        }
        context.fill_rect(place(latest).0 - 1.0, TRACK - 12.0, 2.0, 12.0);
        context.set_fill_style_str(self.color);
        for motion in trail {
            context.set_global_alpha(0.55 * (1.0 - (latest.at_s - motion.at_s) / TRAIL_S));
            self.sheet.disc(place(motion).1, TRACK / 2.0 - 4.0, 3.0);
        }
        context.set_global_alpha(1.0);
        self.sheet.disc(place(latest).1, TRACK / 2.0 - 4.0, 7.0);
    }

    /// Draws the motion error of recent frames, one bar per frame. A frame after a stall has no bar.
    fn draw_errors(&self, window: &VecDeque<Motion>, error_ms: f64) {
        let sheet = &self.sheet;
        let context = &sheet.context;
        let half = (sheet.height - TRACK - STRIP - 6.0) / 2.0;
        let middle = TRACK + 2.0 + half;
        let scale_ms = SCALES_MS.into_iter().find(|&scale_ms| error_ms <= scale_ms).unwrap_or(50.0);
        context.set_fill_style_str(RULE);
        for y in [middle - half, middle, middle + half] {
            sheet.bar((0.0, sheet.width), (y, y));
        }
        context.set_fill_style_str(self.color);
        for (x, motion) in slots(window, sheet.width) {
            if let Some(error_ms) = motion.error_ms() {
                let y = middle - (error_ms / scale_ms).clamp(-1.0, 1.0) * half;
                sheet.bar(x, (y.min(middle), y.max(middle)));
            }
        }
        self.label(&format!("±{scale_ms} ms"), Side::Left);
    }

    /// Writes text in a corner of the error plot.
    fn label(&self, words: &str, side: Side) {
        let sheet = &self.sheet;
        let context = &sheet.context;
        // In this monospaced font a character is a little more than 0.6 of its height wide.
        let width = 7.0 * words.chars().count() as f64 + 4.0;
        let left = match side {
            Side::Left => 0.0,
            Side::Right => sheet.width - width,
        };
        context.set_fill_style_str(GROUND);
        context.fill_rect(left, TRACK + 3.0, width, 13.0);
        context.set_fill_style_str(DIM);
        context.set_font("11px ui-monospace, monospace");
        sheet.text(words, left + 2.0, TRACK + 13.0);
    }

    /// Draws the steps of recent frames.
    fn draw_steps(&self, window: &VecDeque<Motion>) {
        let sheet = &self.sheet;
        // Space between cells, if there is room.
        let space = if sheet.width > 2.5 * WINDOW as f64 { 1.0 } else { 0.0 };
        for (steps, (color, height)) in STEPS.into_iter().enumerate() {
            sheet.context.set_fill_style_str(color);
            for ((left, right), motion) in slots(window, sheet.width) {
                if (motion.steps as usize).min(STEPS.len() - 1) == steps {
                    sheet.bar((left, right - space), (sheet.height - height, sheet.height));
                }
            }
        }
    }

    /// Writes the state of the display lock.
    fn draw_lock(&self, lane: &Lane) {
        let words = match lane.run().lock().last {
            None | Some(LockState::Off) => return,
            Some(LockState::Searching) => "lock: searching".to_owned(),
            Some(LockState::Free) => "lock: free, no fixed refresh".to_owned(),
            Some(LockState::Locked { refresh_hz }) => format!("lock: {refresh_hz:.3} Hz"),
        };
        self.label(&words, Side::Right);
    }
}

/// The horizontal position of each frame of a window, the latest at the right end.
fn slots(window: &VecDeque<Motion>, width: f64) -> impl Iterator<Item = ((f64, f64), &Motion)> {
    // Adjacent slots share an edge exactly, or there would be gaps between them.
    let edge = move |slot: usize| slot as f64 * width / WINDOW as f64;
    let first = WINDOW - window.len();
    window.iter().enumerate().map(move |(n, motion)| ((edge(first + n), edge(first + n + 1)), motion))
}
