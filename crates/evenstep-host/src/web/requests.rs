//! Carries out what an app asks of its page: full screen, title, cursor and smallest size.

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, HtmlCanvasElement};

use crate::app::App;
use crate::driver::Driver;

/// Carries out the requests of an app, on its canvas and the page around it.
pub(super) struct RequestHandler {
    document: Document,
    element: HtmlCanvasElement,
    // What a browser refuses would otherwise be reported as an unhandled error.
    ignore: Closure<dyn FnMut(JsValue)>,
}

impl RequestHandler {
    pub(super) fn new(document: Document, element: HtmlCanvasElement) -> Self {
        Self { document, element, ignore: Closure::new(|_| ()) }
    }

    pub(super) fn carry_out<A: App>(&self, driver: &mut Driver<A>) {
        let is_fullscreen = self.is_fullscreen();
        driver.set_fullscreen(is_fullscreen);
        let requests = driver.take_requests();
        // A style that the browser rejects stays as it is.
        let style = self.element.style();
        match requests.fullscreen {
            Some(true) if !is_fullscreen => self.ask(&self.element, "requestFullscreen"),
            Some(false) if is_fullscreen => self.ask(&self.document, "exitFullscreen"),
            _ => {}
        }
        if let Some(title) = &requests.title {
            self.document.set_title(title);
        }
        match requests.is_cursor_visible {
            Some(true) => _ = style.remove_property("cursor"),
            Some(false) => _ = style.set_property("cursor", "none"),
            None => {}
        }
        if let Some((width, height)) = requests.size_min {
            let _ = style.set_property("min-width", &format!("{width}px"));
            let _ = style.set_property("min-height", &format!("{height}px"));
        }
    }

    fn is_fullscreen(&self) -> bool {
        self.document.fullscreen_element().is_some_and(|shown| shown == **self.element)
    }

    /// Calls a method that returns a promise, if the browser has it. Telephones may not.
    fn ask(&self, target: &JsValue, method: &str) {
        let method = Reflect::get(target, &method.into()).and_then(JsCast::dyn_into::<Function>);
        let promise = method.and_then(|method| method.call0(target)).and_then(JsCast::dyn_into::<Promise>);
        if let Ok(promise) = promise {
            let _ = promise.catch(&self.ignore);
        }
    }
}
