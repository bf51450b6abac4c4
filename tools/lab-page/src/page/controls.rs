//! The page's controls, and the labels that show their values.

use wasm_bindgen::JsValue;
use web_sys::{HtmlElement, HtmlInputElement, HtmlSelectElement};

use super::dom;
use crate::settings::{Mode, Settings, Trouble};

/// The option that takes the rate from the field beside it.
const OTHER: &str = "other";
/// The magnification of the moving object's error, by the slider's position.
const MAGNIFY: [f64; 7] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];

#[derive(Debug)]
pub(super) struct Controls {
    hz_choice: HtmlSelectElement,
    hz_other: HtmlInputElement,
    hz_value: HtmlElement,
    mode: HtmlSelectElement,
    trouble: HtmlSelectElement,
    trouble_ms: HtmlInputElement,
    trouble_ms_value: HtmlElement,
    missed: HtmlInputElement,
    missed_value: HtmlElement,
    stalls: HtmlSelectElement,
    speed: HtmlSelectElement,
    magnify: HtmlInputElement,
    magnify_value: HtmlElement,
    rate_lock: HtmlInputElement,
}

impl Controls {
    pub(super) fn find() -> Result<Self, JsValue> {
        Ok(Self {
            hz_choice: dom::element("hz-choice")?,
            hz_other: dom::element("hz-other")?,
            hz_value: dom::element("hz-value")?,
            mode: dom::element("mode")?,
            trouble: dom::element("trouble")?,
            trouble_ms: dom::element("trouble-ms")?,
            trouble_ms_value: dom::element("trouble-ms-value")?,
            missed: dom::element("missed")?,
            missed_value: dom::element("missed-value")?,
            stalls: dom::element("stalls")?,
            speed: dom::element("speed")?,
            magnify: dom::element("magnify")?,
            magnify_value: dom::element("magnify-value")?,
            rate_lock: dom::element("rate-lock")?,
        })
    }

    pub(super) fn settings(&self) -> Settings {
        let choice = self.hz_choice.value();
        let hz = if choice == OTHER { self.hz_other.value() } else { choice };
        Settings {
            // The field may be empty.
            hz: hz.parse().unwrap_or(60.0),
            mode: Mode::named(&self.mode.value()).unwrap_or(Mode::Fixed),
            trouble: Trouble::named(&self.trouble.value()).unwrap_or(Trouble::None),
            trouble_ms: self.trouble_ms.value_as_number(),
            missed: self.missed.value_as_number(),
            stall_every_s: self.stalls.value().parse().unwrap_or(0.0),
        }
    }

    /// Sets the controls that describe a display.
    pub(super) fn write(&self, settings: &Settings) {
        let hz = settings.hz.to_string();
        self.hz_choice.set_value(&hz);
        if self.hz_choice.value() != hz {
            self.hz_choice.set_value(OTHER);
            self.hz_other.set_value(&hz);
        }
        self.mode.set_value(settings.mode.name());
        self.trouble.set_value(settings.trouble.name());
        self.trouble_ms.set_value(&settings.trouble_ms.to_string());
        self.missed.set_value(&settings.missed.to_string());
        self.stalls.set_value(&settings.stall_every_s.to_string());
    }

    /// Shows each value beside its control, and disables controls without effect.
    pub(super) fn write_values(&self) {
        let settings = self.settings();
        let write = |element: &HtmlElement, text: String| element.set_text_content(Some(&text));
        write(&self.hz_value, format!("{} Hz", settings.display().hz));
        let has_size = settings.trouble.has_size();
        let size = if has_size { format!("{} ms", settings.trouble_ms) } else { "–".to_owned() };
        write(&self.trouble_ms_value, size);
        write(&self.missed_value, format!("{} %", settings.missed));
        write(&self.magnify_value, format!("× {}", self.magnify()));
        self.hz_other.set_disabled(self.hz_choice.value() != OTHER);
        self.trouble_ms.set_disabled(!has_size);
    }

    /// Seconds of the session per real second.
    pub(super) fn speed(&self) -> f64 {
        self.speed.value().parse().unwrap_or(1.0)
    }

    /// The magnification of the moving object's error.
    pub(super) fn magnify(&self) -> f64 {
        MAGNIFY[(self.magnify.value_as_number() as usize).min(MAGNIFY.len() - 1)]
    }

    pub(super) fn shows_rate_lock(&self) -> bool {
        self.rate_lock.checked()
    }
}
