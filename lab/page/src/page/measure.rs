//! "Measure my display" on the page.

use evenstep_lab::words::HEADS;
use js_sys::Array;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{
    Blob, BlobPropertyBag, Element, HtmlAnchorElement, HtmlButtonElement, HtmlElement, HtmlImageElement, Url,
};

use super::dom;
use super::lane::is_first;
use super::sheet::Sheet;
use crate::recorder::{FILE_NAME, Findings, Recorder};

/// How long the moving disc takes from end to end, in milliseconds.
const CROSSING_MS: f64 = 2_000.0;

#[derive(Debug)]
pub(super) struct Measure {
    record: HtmlButtonElement,
    cancel: HtmlButtonElement,
    save: HtmlButtonElement,
    trouble: HtmlElement,
    recording: HtmlElement,
    progress: Element,
    runner: Sheet,
    verdict: HtmlElement,
    result: HtmlElement,
    facts: HtmlElement,
    rows: HtmlElement,
    picture: HtmlImageElement,
    recorder: Option<Recorder>,
    findings: Option<Findings>,
    shows_all: bool,
}

impl Measure {
    pub(super) fn find() -> Result<Self, JsValue> {
        let heads = dom::element::<Element>("heads")?;
        for head in std::iter::once("loop").chain(HEADS) {
            dom::set_attribute(&append(&heads, "th", &head.replace("us", "µs"))?, "scope", "col");
        }
        Ok(Self {
            record: dom::element("record")?,
            cancel: dom::element("cancel")?,
            save: dom::element("save")?,
            trouble: dom::element("record-trouble")?,
            recording: dom::element("recording")?,
            progress: dom::element("progress")?,
            runner: Sheet::new(dom::element("runner")?)?,
            verdict: dom::element("verdict")?,
            result: dom::element("findings")?,
            facts: dom::element("facts")?,
            rows: dom::element("rows")?,
            picture: dom::element("picture")?,
            recorder: None,
            findings: None,
            shows_all: false,
        })
    }

    pub(super) const fn is_recording(&self) -> bool {
        self.recorder.is_some()
    }

    pub(super) const fn findings(&self) -> Option<&Findings> {
        self.findings.as_ref()
    }

    pub(super) fn start(&mut self) {
        self.recorder = Some(Recorder::default());
        self.findings = None;
        self.trouble.set_text_content(None);
        self.show();
        self.fit();
    }

    pub(super) fn cancel(&mut self) {
        self.recorder = None;
        self.trouble.set_text_content(None);
        self.show();
    }

    /// Sets whether the results of all loops are shown, and not only those of two.
    pub(super) fn show_all(&mut self, shows_all: bool) {
        if shows_all != self.shows_all {
            self.shows_all = shows_all;
            if let Some(findings) = &self.findings {
                let _ = self.write(findings);
            }
        }
    }

    /// Notes that the tab was hidden.
    pub(super) fn hide(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.hide();
            let words = "The tab was hidden while recording. Browsers show no frames in hidden tabs.";
            self.trouble.set_text_content(Some(words));
        }
    }

    /// Records an animation frame.
    pub(super) fn frame(&mut self, at_ms: f64) {
        let Some(recorder) = &mut self.recorder else { return };
        recorder.frame(at_ms);
        dom::set_attribute(&self.progress, "value", &format!("{:.3}", recorder.progress()));
        let is_done = recorder.is_done();
        let x = (at_ms / CROSSING_MS).fract() * self.runner.width;
        self.runner.clear();
        self.runner.context.set_fill_style_str("#5cc8ff");
        self.runner.disc(x, self.runner.height / 2.0, 9.0);
        if is_done {
            self.finish();
        }
    }

    /// Ends the recording and shows the results.
    pub(super) fn finish(&mut self) {
        let Some(recorder) = self.recorder.take() else { return };
        match recorder.finish() {
            Ok(findings) => self.findings = Some(findings),
            Err(message) => self.trouble.set_text_content(Some(&message)),
        }
        self.show();
        if let Some(findings) = &self.findings {
            // This fails only if the elements are gone.
            let _ = self.write(findings);
            let _ = self.draw(findings);
        }
    }

    /// Adapts to the current size of the page.
    pub(super) fn fit(&mut self) {
        self.runner.fit(dom::window().map_or(1.0, |window| window.device_pixel_ratio()));
    }

    /// Offers the trace as a download.
    pub(super) fn save(&self) {
        if let Some(findings) = &self.findings
            && let Err(error) = download(FILE_NAME, &findings.trace())
        {
            self.trouble.set_text_content(Some(&format!("The trace could not be saved: {error:?}")));
        }
    }

    fn show(&self) {
        self.record.set_disabled(self.recorder.is_some());
        self.cancel.set_disabled(self.recorder.is_none());
        self.save.set_disabled(self.findings.is_none());
        self.recording.set_hidden(self.recorder.is_none());
        self.result.set_hidden(self.findings.is_none());
        let verdict = self.findings.as_ref().map(Findings::verdict);
        self.verdict.set_text_content(verdict.as_deref());
    }

    fn write(&self, findings: &Findings) -> Result<(), JsValue> {
        self.facts.set_text_content(None);
        for (name, fact) in findings.facts() {
            append(&self.facts, "dt", name)?;
            append(&self.facts, "dd", &fact)?;
        }
        self.rows.set_text_content(None);
        let mut rows = findings.rows();
        // The two that everybody sees come first here too.
        rows.sort_by_key(|(policy, _)| !is_first(*policy));
        for (policy, cells) in rows.iter().filter(|(policy, _)| self.shows_all || is_first(*policy)) {
            let row = append(&self.rows, "tr", "")?;
            let name = policy.name();
            if name.starts_with("evenstep") {
                row.set_class_name("ours");
            }
            dom::set_attribute(&append(&row, "th", name)?, "scope", "row");
            for cell in cells {
                append(&row, "td", cell)?;
            }
        }
        Ok(())
    }

    fn draw(&self, findings: &Findings) -> Result<(), JsValue> {
        // The last one is not needed any more.
        Url::revoke_object_url(&self.picture.src())?;
        self.picture.set_src(&address_of(findings.picture(), "image/svg+xml")?);
        Ok(())
    }
}

fn append(parent: &Element, kind: &str, text: &str) -> Result<Element, JsValue> {
    let child = dom::document()?.create_element(kind)?;
    child.set_text_content(Some(text));
    parent.append_child(&child)?;
    Ok(child)
}

fn download(name: &str, text: &str) -> Result<(), JsValue> {
    let link: HtmlAnchorElement = dom::document()?.create_element("a")?.dyn_into()?;
    // Never revoked: some browsers read it later, and it is small.
    link.set_href(&address_of(text, "application/jsonl")?);
    link.set_download(name);
    link.click();
    Ok(())
}

/// An address of this text, for the page only.
fn address_of(text: &str, kind: &str) -> Result<String, JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&text.into()), &options)?;
    Url::create_object_url_with_blob(&blob)
}
