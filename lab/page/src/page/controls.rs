//! The page's controls, and the labels that show their values.

use wasm_bindgen::JsValue;
use web_sys::{HtmlElement, HtmlInputElement, HtmlSelectElement};

use super::dom;
use crate::link::{Link, MAGNIFY, typed_hz};
use crate::settings::{Mode, Settings, Trouble};

/// The option that takes the rate from the field beside it.
const OTHER: &str = "other";

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
    others: HtmlInputElement,
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
            others: dom::element("others")?,
        })
    }

    /// What the controls say.
    ///
    /// # Errors
    ///
    /// A sentence for the user if one of them says nothing useful.
    pub(super) fn read(&self, seed: u32) -> Result<Link, String> {
        let choice = self.hz_choice.value();
        let hz = if choice == OTHER { self.hz_other.value() } else { choice };
        let hz = typed_hz(&hz);
        dom::set_attribute(&self.hz_other, "aria-invalid", if hz.is_err() { "true" } else { "false" });
        let settings = Settings {
            hz: hz?,
            mode: Mode::named(&self.mode.value()).unwrap_or(Mode::Fixed),
            trouble: Trouble::named(&self.trouble.value()).unwrap_or(Trouble::None),
            trouble_ms: self.trouble_ms.value_as_number(),
            missed: self.missed.value_as_number(),
            stall_every_s: self.stalls.value().parse().unwrap_or(0.0),
        };
        let shows_all = self.others.checked();
        Ok(Link { settings, seed, speed: self.speed(), magnify: self.magnify(), shows_all })
    }

    /// Sets all controls.
    pub(super) fn write(&self, link: &Link) {
        self.write_settings(&link.settings);
        self.speed.set_value(&link.speed.to_string());
        let magnify = MAGNIFY.iter().position(|&magnify| magnify == link.magnify).unwrap_or(0);
        self.magnify.set_value(&magnify.to_string());
        self.others.set_checked(link.shows_all);
    }

    /// Sets the controls that describe a display.
    pub(super) fn write_settings(&self, settings: &Settings) {
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

    /// Disables controls without effect.
    pub(super) fn enable(&self) {
        let trouble = Trouble::named(&self.trouble.value()).unwrap_or(Trouble::None);
        self.hz_other.set_disabled(self.hz_choice.value() != OTHER);
        self.trouble_ms.set_disabled(!trouble.has_size());
    }

    /// Shows each value beside its control, and to those who cannot see it.
    pub(super) fn write_values(&self, link: &Link) {
        let settings = &link.settings;
        self.hz_value.set_text_content(Some(&format!("{} Hz", settings.hz)));
        let has_size = settings.trouble.has_size();
        let size = if has_size { format!("{} ms", settings.trouble_ms) } else { "–".to_owned() };
        for (slider, label, value) in [
            (&self.trouble_ms, &self.trouble_ms_value, size),
            (&self.missed, &self.missed_value, format!("{} %", settings.missed)),
            (&self.magnify, &self.magnify_value, format!("× {}", link.magnify)),
        ] {
            label.set_text_content(Some(&value));
            dom::set_attribute(slider, "aria-valuetext", &value);
        }
    }

    /// Seconds of the session per real second.
    fn speed(&self) -> f64 {
        self.speed.value().parse().unwrap_or(1.0)
    }

    /// The magnification of the moving object's error.
    fn magnify(&self) -> f64 {
        MAGNIFY[(self.magnify.value_as_number() as usize).min(MAGNIFY.len() - 1)]
    }
}
