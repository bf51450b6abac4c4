//! The page's side of a frame.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use evenstep::from_millis;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, Event as DomEvent, HtmlCanvasElement, Window};

use super::Keys;
use super::canvas::Canvas;
use super::listener::Listener;
use super::sizes::{Sizes, pin_style};
use super::ticker::Ticker;
use crate::app::{App, Background, Draw};
use crate::driver::Driver;
use crate::event::{Event, Size};

pub(super) struct Host<A> {
    pub(super) driver: Driver<A>,
    pub(super) window: Window,
    pub(super) document: Document,
    pub(super) element: HtmlCanvasElement,
    canvas: Canvas,
    pub(super) size: Size,
    // The canvas's size in the page's own points.
    pub(super) area: (f64, f64),
    background: Background,
    sight: Sight,
    is_over: bool,
    on_frame: Option<Closure<dyn FnMut(f64)>>,
    frame_request: Option<i32>,
    ticker: Option<Ticker>,
    pub(super) listeners: Vec<Listener>,
    pub(super) sizes: Option<Sizes>,
}

/// Why the page cannot be seen, besides its being hidden; and whether the driver has been told.
#[derive(Default)]
struct Sight {
    is_frozen: bool,
    is_gone: bool,
    is_hidden: bool,
}

pub(super) type Shared<A> = Rc<RefCell<Host<A>>>;

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
        let began = host.now();
        let frame = host.driver.frame_millis(now_ms);
        // A busy page calls back long after the timestamp. That wait is no work of the app's.
        let late = began.saturating_sub(frame.now());
        host.driver.steps_done(host.now().saturating_sub(late));
        if frame.should_draw() {
            // No event tells of a window that moved to a sharper screen in every browser.
            if host.window.device_pixel_ratio() != host.size.scale {
                host.measure(None);
            }
            host.canvas.resize(host.size);
            host.canvas.begin();
            host.driver.draw(&mut host.canvas);
            host.driver.draw_done(host.now().saturating_sub(late));
        }
        if host.driver.is_over() {
            host.stop();
        } else if !host.sight.is_hidden {
            host.request_frame();
        }
    }

    /// A frame that nobody sees.
    fn frame_in_background(&mut self) {
        // The worker may still have said so when the page came to stand still. A frame now would start a clock that
        // runs all the while.
        if self.sight.is_frozen || self.sight.is_gone {
            return;
        }
        #[cfg(feature = "gamepad")]
        self.poll_pads();
        self.driver.frame(self.now());
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

    /// The page's clock: that of the frames' timestamps and of the events'.
    pub(super) fn now(&self) -> Duration {
        self.window.performance().and_then(|clock| from_millis(clock.now())).unwrap_or_default()
    }

    #[cfg(feature = "gamepad")]
    fn poll_pads(&mut self) {
        let now = self.now();
        super::pads::poll(&self.window.navigator(), |pad, state| self.driver.poll_pad(now, pad, state));
    }

    /// Lets the app know of an event.
    ///
    /// It happened when the browser says, which on a busy page is long before it is told: the time of the telling would
    /// put all keys of a long task into one tick. A time that is still to come is of another clock.
    pub(super) fn tell(&mut self, cause: &DomEvent, event: Event) {
        let now = self.now();
        let at = from_millis(cause.time_stamp()).filter(|&at| at <= now).unwrap_or(now);
        self.driver.event(at, event);
        if self.driver.is_over() {
            self.stop();
        }
    }

    /// Finds out whether anybody can see the page, and acts when that has changed.
    pub(super) fn look(host: &Shared<A>) {
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
    pub(super) fn set_frozen(host: &Shared<A>, is_frozen: bool) {
        host.borrow_mut().sight.is_frozen = is_frozen;
        Self::stand_still(host, is_frozen);
    }

    pub(super) fn set_gone(host: &Shared<A>, is_gone: bool) {
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
}
