//! The web host: runs frames from `requestAnimationFrame` and follows the page's visibility.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use evenstep::from_millis;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, Event as DomEvent, HtmlCanvasElement, Window};

use super::Keys;
use super::listener::Listener;
use super::requests::RequestHandler;
use super::sizes::{Sizes, pin_style};
use super::surface::{Lost, Surface};
use super::ticker::Ticker;
use crate::app::{App, Background};
use crate::driver::Driver;
use crate::event::{Event, Size};

pub(super) struct Host<A> {
    pub(super) driver: Driver<A>,
    pub(super) window: Window,
    pub(super) document: Document,
    pub(super) element: HtmlCanvasElement,
    // `None` while the host searches for one.
    surface: Option<Box<dyn Surface<A>>>,
    // Finds another surface, or gives up.
    on_lost: OnLost<A>,
    // The number of graphics cards so far.
    pub(super) generation: u64,
    failure: Option<String>,
    requests: RequestHandler,
    pub(super) size: Size,
    // The canvas's size in CSS pixels.
    pub(super) area: (f64, f64),
    background: Background,
    pub(super) keys: Keys,
    visibility: Visibility,
    is_over: bool,
    on_frame: Option<Closure<dyn FnMut(f64)>>,
    frame_request: Option<i32>,
    ticker: Option<Ticker>,
    pub(super) listeners: Vec<Listener>,
    pub(super) sizes: Option<Sizes>,
}

/// What the page reports about whether it is visible, besides `document.hidden`.
#[derive(Default)]
struct Visibility {
    is_frozen: bool,
    // Left for another page; it may return from the back/forward cache.
    is_gone: bool,
    // The driver has been sent `Event::Hidden`.
    is_hidden: bool,
}

pub(super) type Shared<A> = Rc<RefCell<Host<A>>>;

/// What a host does without a surface: at the start, and when the surface is lost.
pub(super) type OnLost<A> = fn(&Shared<A>, Lost);

impl<A: App + 'static> Host<A> {
    /// Listens to the page. Frames begin with the first surface.
    pub(super) fn start(
        element: HtmlCanvasElement,
        background: Background,
        keys: Keys,
        app: A,
        on_lost: OnLost<A>,
    ) -> Result<Shared<A>, JsValue> {
        let window = web_sys::window().ok_or("there is no window")?;
        let document = window.document().ok_or("there is no document")?;
        pin_style(&element)?;
        let host = Rc::new(RefCell::new(Self {
            driver: Driver::new(app),
            surface: None,
            on_lost,
            generation: 0,
            failure: None,
            requests: RequestHandler::new(document.clone(), element.clone()),
            size: Size::of_pixels(0, 0, 1.0),
            area: (f64::from(element.client_width()), f64::from(element.client_height())),
            background,
            keys,
            visibility: Visibility::default(),
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
        Self::listen(&host)?;
        Self::check_visibility(&host);
        Ok(host)
    }

    /// Draws on a surface from now on. The first one starts the frames.
    pub(super) fn show(host: &Shared<A>, surface: impl Surface<A> + 'static, name: String) {
        let mut this = host.borrow_mut();
        if this.is_over {
            return;
        }
        this.surface = Some(Box::new(surface));
        this.driver.display_mut().renderer = name;
        if this.on_frame.is_none() {
            // The only strong reference from the page. It keeps the run alive until `stop` drops this closure.
            let alive = Rc::clone(host);
            let on_frame = move |now_ms| Self::frame(&Rc::clone(&alive), now_ms);
            this.on_frame = Some(Closure::<dyn FnMut(f64)>::new(on_frame));
        }
        if !this.visibility.is_hidden {
            this.request_frame();
        }
    }

    /// Replaces the canvas by a new one, because one that was used for WebGPU cannot be used otherwise.
    pub(super) fn replace_element(host: &Shared<A>) -> Result<(), JsValue> {
        let (document, old) = {
            let mut this = host.borrow_mut();
            // Before the focus moves: the app keeps it, so it must not hear of that.
            this.listeners.clear();
            this.sizes = None;
            (this.document.clone(), this.element.clone())
        };
        let new: HtmlCanvasElement = old.clone_node()?.dyn_into()?;
        let has_focus = document.active_element().is_some_and(|focused| focused == **old);
        if let Some(parent) = old.parent_node() {
            parent.replace_child(&new, &old)?;
        }
        if has_focus {
            let _ = new.focus();
        }
        {
            let mut this = host.borrow_mut();
            this.requests = RequestHandler::new(document, new.clone());
            this.element = new;
        }
        Self::watch_size(host)?;
        Self::listen(host)
    }

    pub(super) fn driver(&mut self) -> &mut Driver<A> {
        &mut self.driver
    }

    pub(super) const fn is_running(&self) -> bool {
        !self.is_over
    }

    pub(super) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Stops the app because it cannot be drawn.
    pub(super) fn fail(&mut self, why: String) {
        web_sys::console::error_1(&why.as_str().into());
        self.failure = Some(why);
        self.stop();
    }

    pub(super) fn stop(&mut self) {
        self.is_over = true;
        self.cancel_frame();
        self.on_frame = None;
        self.surface = None;
        self.ticker = None;
        self.listeners.clear();
        self.sizes = None;
    }

    /// Handles an animation frame.
    fn frame(host: &Shared<A>, now_ms: f64) {
        let mut this = host.borrow_mut();
        this.frame_request = None;
        // Not every browser sends an event when the window moves to a screen with another pixel ratio.
        if this.window.device_pixel_ratio() != this.size.scale {
            this.measure(None);
        }
        let lost = if let Some(now) = from_millis(now_ms) {
            this.run_frame(now)
        } else {
            // Counts as a skipped frame.
            this.driver.frame_millis(now_ms);
            None
        };
        if !this.visibility.is_hidden {
            this.request_frame();
        }
        if let Some(lost) = lost {
            // Frames go on without images, so that nothing jumps when there is a surface again.
            this.surface = None;
            let on_lost = this.on_lost;
            drop(this);
            on_lost(host, lost);
        }
    }

    /// Handles a tick of the background timer.
    fn frame_in_background(&mut self) {
        // The worker's message may arrive after the page was frozen. A frame now would start a clock that goes on
        // running while the page is frozen.
        if !self.visibility.is_frozen && !self.visibility.is_gone {
            // Nothing is drawn, so nothing can be lost.
            let _ = self.run_frame(self.now());
        }
    }

    /// Runs a frame, and draws it if the page is visible. Returns whether the surface is lost.
    fn run_frame(&mut self, now: Duration) -> Option<Lost> {
        let mut lost = None;
        let clock = || page_time(&self.window);
        self.driver.run_frame(
            now,
            clock,
            |driver| {
                #[cfg(feature = "gamepad")]
                {
                    let at = clock();
                    super::pads::poll(&self.window.navigator(), |pad, state| driver.poll_pad(at, pad, state));
                }
                #[cfg(not(feature = "gamepad"))]
                let _ = driver;
            },
            |driver| {
                let Some(surface) = self.surface.as_mut().filter(|_| !self.visibility.is_hidden) else {
                    return false;
                };
                match surface.draw(self.size, driver) {
                    Ok(is_drawn) => is_drawn,
                    Err(why) => {
                        lost = Some(why);
                        false
                    }
                }
            },
        );
        self.requests.carry_out(&mut self.driver);
        if self.driver.is_over() {
            self.stop();
        }
        lost.filter(|_| !self.is_over)
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

    pub(super) fn now(&self) -> Duration {
        page_time(&self.window)
    }

    /// Passes an event to the app, at the time that the browser gives it.
    ///
    /// A busy page handles events long after they happened. With the time of handling, all keys of a long task would
    /// end up in one tick. A timestamp in the future comes from another clock, and counts as now.
    pub(super) fn tell(&mut self, cause: &DomEvent, event: Event) {
        let now = self.now();
        let at = from_millis(cause.time_stamp()).filter(|&at| at <= now).unwrap_or(now);
        self.driver.event(at, event);
        // At once, because a browser allows full screen only while it handles the event.
        self.requests.carry_out(&mut self.driver);
        if self.driver.is_over() {
            self.stop();
        }
    }

    /// Checks whether the page is visible, and suspends or resumes the app if that has changed.
    pub(super) fn check_visibility(host: &Shared<A>) {
        let weak = Rc::downgrade(host);
        let mut host = host.borrow_mut();
        let is_hidden = host.document.hidden() || host.visibility.is_frozen || host.visibility.is_gone;
        if host.is_over || is_hidden == host.visibility.is_hidden {
            return;
        }
        host.visibility.is_hidden = is_hidden;
        let now = host.now();
        host.driver.event(now, if is_hidden { Event::Hidden } else { Event::Shown });
        if !is_hidden {
            host.ticker = None;
            host.request_frame();
            return;
        }
        host.cancel_frame();
        if host.background == Background::Hold {
            host.driver.suspend();
            return;
        }
        let interval = host.driver.pacer().pacing().rate().step();
        host.ticker = Ticker::new(interval, move || {
            if let Some(host) = weak.upgrade() {
                host.borrow_mut().frame_in_background();
            }
        })
        .ok();
        // A page may forbid workers. Without one, the app cannot run in the background.
        if host.ticker.is_none() {
            host.driver.suspend();
        }
    }

    /// Handles the page being frozen or resumed. A frozen page runs nothing, not even in the background.
    pub(super) fn set_frozen(host: &Shared<A>, is_frozen: bool) {
        host.borrow_mut().visibility.is_frozen = is_frozen;
        Self::suspend_if(host, is_frozen);
    }

    /// Handles the page being left, or shown again from the back/forward cache.
    pub(super) fn set_gone(host: &Shared<A>, is_gone: bool) {
        host.borrow_mut().visibility.is_gone = is_gone;
        Self::suspend_if(host, is_gone);
    }

    fn suspend_if(host: &Shared<A>, is_suspended: bool) {
        Self::check_visibility(host);
        if is_suspended {
            let mut host = host.borrow_mut();
            host.cancel_frame();
            host.driver.suspend();
        }
    }
}

/// Reads the clock that frames and events are timestamped with.
fn page_time(window: &Window) -> Duration {
    window.performance().and_then(|clock| from_millis(clock.now())).unwrap_or_default()
}
