//! The page's side of a frame.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use evenstep::from_millis;
use js_sys::{Array, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Document, Event as DomEvent, FocusEvent, HtmlCanvasElement, HtmlElement, KeyboardEvent,
    PageTransitionEvent, PointerEvent, ResizeObserver, ResizeObserverBoxOptions, ResizeObserverEntry,
    ResizeObserverOptions, ResizeObserverSize, WheelEvent, Window,
};

use super::Keys;
use super::canvas::Canvas;
use super::listener::Listener;
use super::ticker::Ticker;
use crate::app::{App, Background, Draw};
use crate::driver::Driver;
use crate::event::{Event, Pointer, PointerButton, Size};
use crate::key::Key;

/// Pixels of a touchpad, and lines of a page, that count as a line and a page of a wheel.
const LINE_PIXELS: f64 = 20.0;
const PAGE_LINES: f64 = 20.0;

pub(super) struct Host<A> {
    driver: Driver<A>,
    window: Window,
    document: Document,
    element: HtmlCanvasElement,
    canvas: Canvas,
    size: Size,
    // The canvas's size in the page's own points.
    area: (f64, f64),
    background: Background,
    sight: Sight,
    is_over: bool,
    on_frame: Option<Closure<dyn FnMut(f64)>>,
    frame_request: Option<i32>,
    ticker: Option<Ticker>,
    listeners: Vec<Listener>,
    sizes: Option<Sizes>,
}

/// Why the page cannot be seen, besides its being hidden; and whether the driver has been told.
#[derive(Default)]
struct Sight {
    is_frozen: bool,
    is_gone: bool,
    is_hidden: bool,
}

/// Watches the canvas's size until it is dropped.
struct Sizes {
    observer: ResizeObserver,
    _on_size: Closure<dyn FnMut(Array)>,
}

impl Drop for Sizes {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

type Shared<A> = Rc<RefCell<Host<A>>>;

impl<A> Host<A>
where
    A: App + Draw<Canvas> + 'static,
{
    pub(super) fn start(
        element: HtmlCanvasElement,
        background: Background,
        keys: Keys,
        app: A,
    ) -> Result<Shared<A>, JsValue> {
        let window = web_sys::window().ok_or("there is no window")?;
        let document = window.document().ok_or("there is no document")?;
        pin_style(&element)?;
        let host = Rc::new(RefCell::new(Self {
            driver: Driver::new(app),
            canvas: Canvas::new(element.clone())?,
            size: Size::of_pixels(0, 0, 1.0),
            area: (f64::from(element.client_width()), f64::from(element.client_height())),
            background,
            sight: Sight::default(),
            is_over: false,
            on_frame: None,
            frame_request: None,
            ticker: None,
            listeners: Vec::new(),
            sizes: None,
            window,
            document,
            element,
        }));
        Self::watch_size(&host)?;
        Self::listen(&host, keys)?;

        // The one strong reference: what keeps the run alive until it stops, and lets go of the closure that holds it.
        let alive = Rc::clone(&host);
        let on_frame = Closure::<dyn FnMut(f64)>::new(move |now_ms| Self::frame(&Rc::clone(&alive), now_ms));
        host.borrow_mut().on_frame = Some(on_frame);
        host.borrow_mut().request_frame();
        Self::look(&host);
        Ok(host)
    }

    pub(super) fn driver(&mut self) -> &mut Driver<A> {
        &mut self.driver
    }

    pub(super) const fn is_running(&self) -> bool {
        !self.is_over
    }

    pub(super) fn stop(&mut self) {
        self.is_over = true;
        self.cancel_frame();
        self.on_frame = None;
        self.ticker = None;
        self.listeners.clear();
        self.sizes = None;
    }

    /// Polls, plans, steps, draws.
    fn frame(host: &Shared<A>, now_ms: f64) {
        let mut host = host.borrow_mut();
        let host = &mut *host;
        host.frame_request = None;
        #[cfg(feature = "gamepad")]
        host.poll_pads();
        let frame = host.driver.frame_millis(now_ms);
        host.driver.steps_done(host.now());
        if frame.should_draw() {
            // No event tells of a window that moved to a sharper screen in every browser.
            if host.window.device_pixel_ratio() != host.size.scale {
                host.measure(None);
            }
            host.canvas.resize(host.size);
            host.canvas.begin();
            host.driver.draw(&mut host.canvas);
            host.driver.draw_done(host.now());
        }
        if host.driver.is_over() {
            host.stop();
        } else if !host.sight.is_hidden {
            host.request_frame();
        }
    }

    /// A frame that nobody sees.
    fn frame_in_background(&mut self) {
        let now = self.now();
        #[cfg(feature = "gamepad")]
        self.poll_pads();
        self.driver.frame(now);
        self.driver.steps_done(self.now());
        if self.driver.is_over() {
            self.stop();
        }
    }

    fn request_frame(&mut self) {
        if let (None, Some(on_frame)) = (self.frame_request, &self.on_frame) {
            self.frame_request = self.window.request_animation_frame(on_frame.as_ref().unchecked_ref()).ok();
        }
    }

    fn cancel_frame(&mut self) {
        if let Some(request) = self.frame_request.take() {
            let _ = self.window.cancel_animation_frame(request);
        }
    }

    /// The clock of the frames' timestamps.
    fn now(&self) -> Duration {
        self.window.performance().and_then(|clock| from_millis(clock.now())).unwrap_or_default()
    }

    #[cfg(feature = "gamepad")]
    fn poll_pads(&mut self) {
        let now = self.now();
        super::pads::poll(&self.window.navigator(), |pad, state| self.driver.poll_pad(now, pad, state));
    }

    /// Lets the app know of an event that the page's clock has a time for.
    fn tell(&mut self, cause: &DomEvent, event: Event) {
        let at = from_millis(cause.time_stamp()).unwrap_or_else(|| self.now());
        self.driver.event(at, event);
        if self.driver.is_over() {
            self.stop();
        }
    }

    /// Finds out whether anybody can see the page, and acts when that has changed.
    fn look(host: &Shared<A>) {
        let weak = Rc::downgrade(host);
        let mut host = host.borrow_mut();
        let is_hidden = host.document.hidden() || host.sight.is_frozen || host.sight.is_gone;
        if host.is_over || is_hidden == host.sight.is_hidden {
            return;
        }
        host.sight.is_hidden = is_hidden;
        let now = host.now();
        host.driver.event(now, if is_hidden { Event::Hidden } else { Event::Shown });
        if !is_hidden {
            host.ticker = None;
            host.request_frame();
            return;
        }
        host.cancel_frame();
        if host.background == Background::Hold {
            host.driver.go_away();
            return;
        }
        let interval = host.driver.pacer().pacing().rate().step();
        host.ticker = Ticker::new(interval, move || {
            if let Some(host) = weak.upgrade() {
                host.borrow_mut().frame_in_background();
            }
        })
        .ok();
        // A page may forbid workers. Then there is nothing to step on with.
        if host.ticker.is_none() {
            host.driver.go_away();
        }
    }

    /// The page stands still altogether, whatever the app would like.
    fn set_frozen(host: &Shared<A>, is_frozen: bool) {
        host.borrow_mut().sight.is_frozen = is_frozen;
        Self::stand_still(host, is_frozen);
    }

    fn set_gone(host: &Shared<A>, is_gone: bool) {
        host.borrow_mut().sight.is_gone = is_gone;
        Self::stand_still(host, is_gone);
    }

    fn stand_still(host: &Shared<A>, is_still: bool) {
        Self::look(host);
        if is_still {
            let mut host = host.borrow_mut();
            host.cancel_frame();
            host.driver.go_away();
        }
    }

    fn listen(host: &Shared<A>, keys: Keys) -> Result<(), JsValue> {
        let (window, document, element) = {
            let host = host.borrow();
            (host.window.clone(), host.document.clone(), host.element.clone())
        };
        let mut listeners = vec![
            Listener::new(&document, "visibilitychange", with(host, |host, _: DomEvent| Self::look(host)))?,
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
            Listener::new(&element, "wheel", with_mut(host, Self::on_wheel))?,
            Listener::new(&element, "contextmenu", |event: DomEvent| event.prevent_default())?,
        ];
        match keys {
            Keys::OfPage => {
                listeners.push(Listener::new(&window, "keydown", with_mut(host, Self::on_key_down))?);
                listeners.push(Listener::new(&window, "keyup", with_mut(host, Self::on_key_up))?);
                listeners.push(Listener::new(&window, "focus", with_mut(host, Self::on_focus))?);
                listeners.push(Listener::new(&window, "blur", with_mut(host, Self::on_blur))?);
            }
            Keys::OfCanvas => {
                if !element.has_attribute("tabindex") {
                    element.set_tab_index(0);
                }
                listeners.push(Listener::new(&element, "keydown", with_mut(host, Self::on_key_down))?);
                listeners.push(Listener::new(&element, "keyup", with_mut(host, Self::on_key_up))?);
                listeners.push(Listener::new(&element, "focus", with_mut(host, Self::on_focus))?);
                listeners.push(Listener::new(&element, "blur", with_mut(host, Self::on_blur))?);
            }
        }
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
        let Some(key) = Key::from_code(&event.code()).filter(|_| !is_typing(event)) else {
            return;
        };
        // The browser's own shortcuts stay the browser's.
        let is_shortcut = event.ctrl_key() || event.meta_key() || event.alt_key();
        if is_page_key(key) && !is_shortcut {
            event.prevent_default();
        }
        if !event.repeat() {
            self.tell(event, Event::KeyDown(key));
        }
    }

    fn on_key_up(&mut self, event: &KeyboardEvent) {
        if let Some(key) = Key::from_code(&event.code()) {
            self.tell(event, Event::KeyUp(key));
        } else if event.key() == "Meta" {
            // A Mac never tells of keys that went up while the command key was down.
            self.driver.release_all(self.now());
        }
    }

    fn on_pointer_down(host: &Shared<A>, event: &PointerEvent) {
        let element = host.borrow().element.clone();
        // A drag that leaves the canvas is still ours. The event may be a script's: then there is nothing to capture.
        let _ = element.set_pointer_capture(event.pointer_id());
        // Tells of a new focus at once, so nothing may be borrowed.
        let _ = element.focus();
        host.borrow_mut().tell(event, Event::PointerDown(pointer(event)));
    }

    fn on_pointer_move(&mut self, event: &PointerEvent) {
        self.tell(event, Event::PointerMove(Pointer { button: PointerButton::Primary, ..pointer(event) }));
        // A second button of a mouse comes as a move.
        if event.button() >= 0 {
            let is_down = event.buttons() & button_bit(event.button()) != 0;
            let pointer = pointer(event);
            self.tell(event, if is_down { Event::PointerDown(pointer) } else { Event::PointerUp(pointer) });
        }
    }

    fn on_pointer_up(&mut self, event: &PointerEvent) {
        self.tell(event, Event::PointerUp(pointer(event)));
    }

    fn on_wheel(&mut self, event: &WheelEvent) {
        event.prevent_default();
        let lines = match event.delta_mode() {
            WheelEvent::DOM_DELTA_PIXEL => 1.0 / LINE_PIXELS,
            WheelEvent::DOM_DELTA_PAGE => PAGE_LINES,
            _ => 1.0,
        };
        self.tell(event, Event::Wheel { x: event.delta_x() * lines, y: event.delta_y() * lines });
    }

    fn watch_size(host: &Shared<A>) -> Result<(), JsValue> {
        let weak = Rc::downgrade(host);
        let on_size = Closure::<dyn FnMut(Array)>::new(move |entries: Array| {
            let (Some(host), Ok(entry)) = (weak.upgrade(), entries.pop().dyn_into::<ResizeObserverEntry>())
            else {
                return;
            };
            let mut host = host.borrow_mut();
            let area = entry.content_rect();
            host.area = (area.width(), area.height());
            host.measure(exact_pixels(&entry));
        });
        let observer = ResizeObserver::new(on_size.as_ref().unchecked_ref())?;
        let mut host = host.borrow_mut();
        host.measure(None);
        observe(&observer, &host.element);
        host.sizes = Some(Sizes { observer, _on_size: on_size });
        Ok(())
    }

    /// Works the size out anew, from the exact number of pixels where the browser knows it.
    fn measure(&mut self, exact: Option<(u32, u32)>) {
        let scale = self.window.device_pixel_ratio();
        let pixels = ((self.area.0 * scale).round() as u32, (self.area.1 * scale).round() as u32);
        // Exact numbers differ from these by rounding alone. Where they do not, someone pretends to have another screen,
        // as a browser's tools for developers do.
        let exact = exact.filter(|exact| exact.0.abs_diff(pixels.0) <= 2 && exact.1.abs_diff(pixels.1) <= 2);
        let (width, height) = exact.unwrap_or(pixels);
        let size = Size::of_pixels(width, height, scale);
        if size != self.size {
            self.size = size;
            let now = self.now();
            self.driver.event(now, Event::Resized(size));
        }
    }
}

/// A callback that does nothing when the run is over.
fn with<A, E, F: Fn(&Shared<A>, E)>(host: &Shared<A>, call: F) -> impl FnMut(E) + use<A, E, F> {
    let weak = Rc::downgrade(host);
    move |event| {
        if let Some(host) = weak.upgrade() {
            call(&host, event);
        }
    }
}

/// The same for one that changes the host and calls nothing that calls back.
fn with_mut<A, E, F: Fn(&mut Host<A>, &E)>(host: &Shared<A>, call: F) -> impl FnMut(E) + use<A, E, F> {
    with(host, move |host: &Shared<A>, event: E| call(&mut host.borrow_mut(), &event))
}

/// A canvas that the page gives no size takes it from its number of pixels, which we are about to take from its size:
/// it would grow with every frame on a sharp screen. So its size is pinned first. And a finger on it never scrolls.
fn pin_style(element: &HtmlCanvasElement) -> Result<(), JsValue> {
    let style = element.style();
    style.set_property("touch-action", "none")?;
    let (width, height) = (element.client_width(), element.client_height());
    element.set_width(element.width() + 1);
    element.set_height(element.height() + 1);
    if element.client_width() != width {
        style.set_property("width", &format!("{width}px"))?;
    }
    if element.client_height() != height {
        style.set_property("height", &format!("{height}px"))?;
    }
    Ok(())
}

/// In device pixels where the browser can, which is exact at any zoom.
fn observe(observer: &ResizeObserver, element: &HtmlCanvasElement) {
    let options = ResizeObserverOptions::new();
    options.set_box(ResizeObserverBoxOptions::DevicePixelContentBox);
    let observe = Reflect::get(observer, &"observe".into()).and_then(JsCast::dyn_into::<js_sys::Function>);
    let is_exact = observe.is_ok_and(|observe| observe.call2(observer, element, &options).is_ok());
    if !is_exact {
        observer.observe(element);
    }
}

fn exact_pixels(entry: &ResizeObserverEntry) -> Option<(u32, u32)> {
    if !Reflect::has(entry, &"devicePixelContentBoxSize".into()).unwrap_or(false) {
        return None;
    }
    let pixels = entry.device_pixel_content_box_size().get(0).dyn_into::<ResizeObserverSize>().ok()?;
    Some((pixels.inline_size() as u32, pixels.block_size() as u32))
}

fn pointer(event: &PointerEvent) -> Pointer {
    let id = if event.pointer_type() == "mouse" { Pointer::MOUSE } else { event.pointer_id() as u64 + 1 };
    let button = match event.button() {
        1 => PointerButton::Middle,
        2 => PointerButton::Secondary,
        _ => PointerButton::Primary,
    };
    Pointer { id, x: f64::from(event.offset_x()), y: f64::from(event.offset_y()), button }
}

/// The bit of `buttons` that a `button` has: two numberings of the same thing.
const fn button_bit(button: i16) -> u16 {
    match button {
        1 => 4,
        2 => 2,
        _ => 1,
    }
}

/// Whether the player is typing into a field of the page.
fn is_typing(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    target.is_some_and(|target| {
        target.is_content_editable() || matches!(target.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT")
    })
}

/// Keys that would scroll the page, leave it, search it or open a menu.
const fn is_page_key(key: Key) -> bool {
    matches!(
        key,
        Key::ArrowUp
            | Key::ArrowDown
            | Key::ArrowLeft
            | Key::ArrowRight
            | Key::Space
            | Key::PageUp
            | Key::PageDown
            | Key::Home
            | Key::End
            | Key::Backspace
            | Key::Tab
            | Key::Slash
            | Key::Quote
            | Key::F1
            | Key::F2
            | Key::F3
    )
}
