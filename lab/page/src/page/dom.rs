//! The page's elements and their events.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, Element, Event, EventTarget, Window};

pub(super) fn window() -> Result<Window, JsValue> {
    web_sys::window().ok_or_else(|| "there is no window".into())
}

pub(super) fn document() -> Result<Document, JsValue> {
    window()?.document().ok_or_else(|| "there is no document".into())
}

/// Finds the element with this id.
pub(super) fn element<E: JsCast>(id: &str) -> Result<E, JsValue> {
    let found = document()?.get_element_by_id(id).ok_or_else(|| format!("the page has no #{id}"))?;
    found.dyn_into().map_err(|_| format!("#{id} has the wrong type").into())
}

/// Finds the first element inside another that matches a selector.
pub(super) fn inside<E: JsCast>(outer: &Element, selector: &str) -> Result<E, JsValue> {
    let found = outer.query_selector(selector)?.ok_or_else(|| format!("there is no {selector}"))?;
    found.dyn_into().map_err(|_| format!("{selector} has the wrong type").into())
}

pub(super) fn set_attribute(element: &Element, name: &str, value: &str) {
    // This fails only for invalid names, and ours are valid.
    let _ = element.set_attribute(name, value);
}

/// Listens to an event for the lifetime of the page.
pub(super) fn on(
    target: &EventTarget,
    name: &str,
    on_event: impl FnMut(Event) + 'static,
) -> Result<(), JsValue> {
    let closure = Closure::<dyn FnMut(Event)>::new(on_event);
    target.add_event_listener_with_callback(name, closure.as_ref().unchecked_ref())?;
    closure.forget();
    Ok(())
}

type Callback = Closure<dyn FnMut(f64)>;

/// Calls back for each animation frame, with its timestamp. A hidden tab has no animation frames.
pub(super) fn on_each_frame(mut on_frame: impl FnMut(f64) + 'static) {
    // The callback requests itself again, so it needs a reference to itself.
    let callback: Rc<RefCell<Option<Callback>>> = Rc::default();
    let again = Rc::clone(&callback);
    *callback.borrow_mut() = Some(Closure::new(move |now_ms| {
        on_frame(now_ms);
        request(again.borrow().as_ref());
    }));
    request(callback.borrow().as_ref());
}

fn request(callback: Option<&Callback>) {
    if let (Ok(window), Some(callback)) = (window(), callback) {
        let _ = window.request_animation_frame(callback.as_ref().unchecked_ref());
    }
}
