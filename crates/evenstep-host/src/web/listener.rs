//! An event listener that removes itself.

use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{AddEventListenerOptions, Event, EventTarget};

/// A DOM event listener, removed when dropped.
pub(super) struct Listener {
    target: EventTarget,
    name: &'static str,
    closure: Closure<dyn FnMut(Event)>,
}

impl Listener {
    pub(super) fn new<E: JsCast + 'static>(
        target: &EventTarget,
        name: &'static str,
        mut on_event: impl FnMut(E) + 'static,
    ) -> Result<Self, JsValue> {
        let closure = Closure::<dyn FnMut(Event)>::new(move |event: Event| on_event(event.unchecked_into()));
        let options = AddEventListenerOptions::new();
        // A passive listener could not keep the wheel from scrolling the page.
        options.set_passive(false);
        target.add_event_listener_with_callback_and_add_event_listener_options(
            name,
            closure.as_ref().unchecked_ref(),
            &options,
        )?;
        Ok(Self { target: target.clone(), name, closure })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let callback = self.closure.as_ref().unchecked_ref();
        let _ = self.target.remove_event_listener_with_callback(self.name, callback);
    }
}
