//! Event listeners for keys, pointers, focus and visibility.

use std::rc::Rc;

use js_sys::{Function, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Event as DomEvent, EventTarget, FocusEvent, HtmlElement, KeyboardEvent, PageTransitionEvent,
    PointerEvent, WheelEvent,
};

use super::Keys;
use super::host::{Host, Shared};
use super::listener::Listener;
use crate::app::App;
use crate::event::{Event, LINE_PIXELS, Pointer, PointerButton};
use crate::key::Key;

/// Wheel lines per page.
const PAGE_LINES: f64 = 20.0;

impl<A: App + 'static> Host<A> {
    pub(super) fn listen(host: &Shared<A>) -> Result<(), JsValue> {
        let (window, document, element, keys) = {
            let host = host.borrow();
            (host.window.clone(), host.document.clone(), host.element.clone(), host.keys)
        };
        let mut listeners = vec![
            Listener::new(
                &document,
                "visibilitychange",
                with(host, |host, _: DomEvent| Self::check_visibility(host)),
            )?,
            Listener::new(&document, "freeze", with(host, |host, _: DomEvent| Self::set_frozen(host, true)))?,
            Listener::new(
                &document,
                "resume",
                with(host, |host, _: DomEvent| Self::set_frozen(host, false)),
            )?,
            Listener::new(
                &window,
                "pagehide",
                with(host, |host, _: PageTransitionEvent| Self::set_gone(host, true)),
            )?,
            Listener::new(
                &window,
                "pageshow",
                with(host, |host, _: PageTransitionEvent| Self::set_gone(host, false)),
            )?,
            Listener::new(
                &element,
                "pointerdown",
                with(host, |host, event| Self::on_pointer_down(host, &event)),
            )?,
            Listener::new(&element, "pointermove", with_mut(host, Self::on_pointer_move))?,
            Listener::new(&element, "pointerup", with_mut(host, Self::on_pointer_up))?,
            Listener::new(&element, "pointercancel", with_mut(host, Self::on_pointer_up))?,
            // A canvas that is taken out of the page loses its pointers, and only others hear of it. A release of what is
            // not held is ignored.
            Listener::new(&document, "lostpointercapture", with_mut(host, Self::on_pointer_up))?,
            Listener::new(&window, "pointerup", with_mut(host, Self::on_pointer_up))?,
            Listener::new(&window, "pointercancel", with_mut(host, Self::on_pointer_up))?,
            Listener::new(&element, "wheel", with_mut(host, Self::on_wheel))?,
            Listener::new(&element, "contextmenu", |event: DomEvent| event.prevent_default())?,
        ];
        let key_target: &EventTarget = match keys {
            Keys::OfPage => &window,
            Keys::OfCanvas => {
                if !element.has_attribute("tabindex") {
                    element.set_tab_index(0);
                }
                &element
            }
        };
        listeners.extend([
            Listener::new(key_target, "keydown", with_mut(host, Self::on_key_down))?,
            Listener::new(key_target, "keyup", with_mut(host, Self::on_key_up))?,
            Listener::new(key_target, "focus", with_mut(host, Self::on_focus))?,
            Listener::new(key_target, "blur", with_mut(host, Self::on_blur))?,
        ]);
        host.borrow_mut().listeners = listeners;
        Ok(())
    }

    fn on_focus(&mut self, event: &FocusEvent) {
        self.tell(event, Event::FocusGained);
    }

    fn on_blur(&mut self, event: &FocusEvent) {
        self.tell(event, Event::FocusLost);
    }

    fn on_key_down(&mut self, event: &KeyboardEvent) {
        let Some(key) = Key::from_code(&event.code()).filter(|&key| !self.is_for_page(event, key)) else {
            return;
        };
        let has_modifier = event.ctrl_key() || event.meta_key() || event.alt_key();
        if self.driver.app().uses_key(key) && !has_modifier {
            event.prevent_default();
        }
        if !event.repeat() {
            self.tell(event, Event::KeyDown(key));
        }
    }

    /// Returns whether a key is meant for the browser or for an element of the page, and not for the app.
    fn is_for_page(&self, event: &KeyboardEvent, key: Key) -> bool {
        // A browser's own shortcut, such as Ctrl+L, unless the app uses the Control key itself.
        let is_control = |key| matches!(key, Key::ControlLeft | Key::ControlRight);
        let uses_control =
            [Key::ControlLeft, Key::ControlRight].iter().any(|&key| self.driver.app().uses_key(key));
        let is_shortcut = event.meta_key() || (event.ctrl_key() && !uses_control && !is_control(key));
        // The element itself, also in a shadow tree.
        let target = event.composed_path().get(0).dyn_into::<HtmlElement>().ok();
        is_shortcut || target.is_some_and(|target| takes_key(&target, key))
    }

    fn on_key_up(&mut self, event: &KeyboardEvent) {
        if let Some(key) = Key::from_code(&event.code()) {
            self.tell(event, Event::KeyUp(key));
        } else if event.key() == "Meta" {
            // macOS sends no release for keys that go up while the Command key is down.
            self.driver.release_all(self.now());
        }
    }

    fn on_pointer_down(host: &Shared<A>, event: &PointerEvent) {
        let element = host.borrow().element.clone();
        // Keep receiving a drag that leaves the canvas. This fails for an event made by a script, which has no pointer.
        let _ = element.set_pointer_capture(event.pointer_id());
        // Runs the focus listener at once, so the host must not be borrowed here.
        focus_silently(&element);
        if let Some(pointer) = pointer(event) {
            host.borrow_mut().tell(event, Event::PointerDown(pointer));
        }
    }

    fn on_pointer_move(&mut self, event: &PointerEvent) {
        let Some(pointer) = pointer(event) else {
            return;
        };
        self.tell(event, Event::PointerMove(Pointer { button: PointerButton::Primary, ..pointer }));
        // The browser reports further mouse buttons as moves.
        if event.button() >= 0 {
            let is_down = event.buttons() & button_bit(event.button()) != 0;
            self.tell(event, if is_down { Event::PointerDown(pointer) } else { Event::PointerUp(pointer) });
        }
    }

    fn on_pointer_up(&mut self, event: &PointerEvent) {
        if let Some(pointer) = pointer(event) {
            self.tell(event, Event::PointerUp(pointer));
        }
    }

    fn on_wheel(&mut self, event: &WheelEvent) {
        // With Control, it zooms the page.
        if event.ctrl_key() {
            return;
        }
        event.prevent_default();
        let lines = match event.delta_mode() {
            WheelEvent::DOM_DELTA_PIXEL => 1.0 / LINE_PIXELS,
            WheelEvent::DOM_DELTA_PAGE => PAGE_LINES,
            _ => 1.0,
        };
        self.tell(event, Event::Wheel { x: event.delta_x() * lines, y: event.delta_y() * lines });
    }
}

/// Wraps a callback so that it does nothing once the run is over.
fn with<A, E, F: Fn(&Shared<A>, E)>(host: &Shared<A>, call: F) -> impl FnMut(E) + use<A, E, F> {
    let weak = Rc::downgrade(host);
    move |event| {
        if let Some(host) = weak.upgrade() {
            call(&host, event);
        }
    }
}

/// Wraps a callback that borrows the host mutably, and so must not trigger other listeners.
fn with_mut<A, E, F: Fn(&mut Host<A>, &E)>(host: &Shared<A>, call: F) -> impl FnMut(E) + use<A, E, F> {
    with(host, move |host: &Shared<A>, event: E| call(&mut host.borrow_mut(), &event))
}

/// Moves the focus without an outline, which is for those who use the keyboard.
fn focus_silently(element: &HtmlElement) {
    let options = Object::new();
    let _ = Reflect::set(&options, &"focusVisible".into(), &false.into());
    let focus = Reflect::get(element, &"focus".into()).and_then(JsCast::dyn_into::<Function>);
    let _ = focus.and_then(|focus| focus.call1(element, &options));
}

/// Reads a pointer event. `None` for a button that apps do not get, such as the one that goes back a page.
fn pointer(event: &PointerEvent) -> Option<Pointer> {
    let id = if event.pointer_type() == "mouse" { Pointer::MOUSE } else { event.pointer_id() as u64 + 1 };
    let button = match event.button() {
        1 => PointerButton::Middle,
        2 => PointerButton::Secondary,
        button if button > 2 => return None,
        _ => PointerButton::Primary,
    };
    Some(Pointer { id, x: f64::from(event.offset_x()), y: f64::from(event.offset_y()), button })
}

/// Converts a `button` number to its bit in `buttons`: the DOM numbers them differently.
const fn button_bit(button: i16) -> u16 {
    match button {
        1 => 4,
        2 => 2,
        _ => 1,
    }
}

/// Returns whether an element reacts to a key by itself: a text field to all of them, a link or a button to those that
/// press it.
fn takes_key(element: &HtmlElement, key: Key) -> bool {
    match element.tag_name().as_str() {
        "INPUT" | "TEXTAREA" | "SELECT" => true,
        "A" | "BUTTON" | "SUMMARY" => matches!(key, Key::Enter | Key::NumpadEnter | Key::Space),
        _ => element.is_content_editable(),
    }
}
