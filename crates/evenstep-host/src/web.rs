//! Runs an app on a canvas of a web page, with frames from `requestAnimationFrame`.
//!
//! ```text
//! page     shown ------------| hidden, frozen or in the back/forward cache |---- shown
//! ticks    | | | | | | | | | |                none                         | | | | |
//! ```
//!
//! By default an app is suspended while its page is hidden: nothing runs, and nothing jumps on return. A multiplayer
//! game keeps stepping without drawing with [`Background::Run`]. A worker's timer then drives it, because browsers
//! throttle a hidden page's own timers to one call a second. A frozen page never runs.
//!
//! The canvas takes its size in points from the page's style, and has one pixel for each pixel of the screen.
//!
//! # Graphics cards
//!
//! With the feature `gpu`, [`run_any`] draws with WebGPU where the browser offers a graphics card, and with the 2D context
//! elsewhere. A graphics card that is lost is searched for again; if there is none any more, the host puts a new canvas in
//! the place of the old one, because a canvas cannot change from WebGPU to 2D. [`run_gpu`] is for apps that draw with
//! wgpu themselves. [`Display::renderer`](crate::Display::renderer) says what draws, and why.
//!
//! All state of a run belongs to its [`Running`] handle, so several apps can run on one page.

mod canvas;
#[cfg(feature = "gpu")]
mod card;
mod events;
mod host;
mod lights;
mod listener;
#[cfg(feature = "gamepad")]
mod pads;
mod requests;
mod sizes;
mod surface;
mod ticker;

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlCanvasElement;

use crate::app::{App, Background, Draw};
use crate::driver::Driver;
use crate::error::Error;
#[cfg(feature = "gpu")]
use crate::gpu::Gpu;

pub use canvas::Canvas;

use host::{Host, OnLost, Shared};
#[cfg(feature = "gpu")]
use surface::Lost;
use surface::use_canvas;

/// The canvas to run on, and its options.
///
/// ```no_run
/// use evenstep_host::Background;
/// use evenstep_host::web::{Keys, Page};
///
/// let page = Page::new("game").with_background(Background::Run).with_keys(Keys::OfCanvas);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    canvas: Place,
    background: Background,
    keys: Keys,
}

/// How to find the canvas.
#[derive(Clone, Debug, PartialEq)]
enum Place {
    Id(String),
    Element(HtmlCanvasElement),
}

/// Which keys an app receives. [`App::uses_key`] says which of them the browser must not act on.
///
/// Shortcuts with Command are the browser's, and so are those with Control, unless the app uses the Control key itself. Enter
/// and Space belong to a link or a button that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Keys {
    /// All keys of the page, except those typed into a text field. For a page that contains only the game.
    #[default]
    OfPage,
    /// Keys sent to the canvas while it has focus, such as after a click. For a page with several games or other
    /// content.
    OfCanvas,
}

impl Page {
    /// Selects the canvas by its element id.
    pub fn new(canvas_id: impl Into<String>) -> Self {
        Self { canvas: Place::Id(canvas_id.into()), background: Background::Hold, keys: Keys::OfPage }
    }

    /// Uses the given canvas element.
    pub fn of_canvas(canvas: HtmlCanvasElement) -> Self {
        Self { canvas: Place::Element(canvas), background: Background::Hold, keys: Keys::OfPage }
    }

    /// Sets whether the app keeps running while the page is hidden.
    pub fn with_background(self, background: Background) -> Self {
        Self { background, ..self }
    }

    /// Sets which keys the app receives.
    pub fn with_keys(self, keys: Keys) -> Self {
        Self { keys, ..self }
    }
}

impl Place {
    fn find(self) -> Result<HtmlCanvasElement, Error> {
        match self {
            Self::Element(canvas) => Ok(canvas),
            Self::Id(id) => web_sys::window()
                .and_then(|window| window.document())
                .and_then(|document| document.get_element_by_id(&id))
                .and_then(|element| element.dyn_into().ok())
                .ok_or(Error::NoCanvas { id }),
        }
    }
}

/// Starts an app on a page and returns at once. The app runs until it quits or is stopped.
///
/// # Errors
///
/// Returns [`Error::NoCanvas`] if the page has no such canvas, and [`Error::Page`] if the browser lacks a feature that
/// the host needs.
///
/// ```no_run
/// # use evenstep_host::{App, Context, Draw, Error, Input, View};
/// # struct Game;
/// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
/// # impl Draw<web::Canvas> for Game { fn draw(&mut self, _: &mut web::Canvas, _: View<'_>) {} }
/// use evenstep_host::web::{self, Page};
///
/// fn main() -> Result<(), Error> {
///     web::run(Page::new("game"), Game)?;
///     Ok(())
/// }
/// ```
pub fn run<A>(page: Page, app: A) -> Result<Running<A>, Error>
where
    A: App + Draw<Canvas> + 'static,
{
    let element = page.canvas.find()?;
    let canvas = Canvas::new(element.clone()).map_err(|error| page_error(&error))?;
    let host = start(element, page.background, page.keys, app, |host, _| use_canvas(host, ""))?;
    Host::show(&host, canvas, "Canvas 2D".to_owned());
    Ok(Running { host })
}

/// Starts an app that draws with a graphics card, and returns at once. The app runs until it quits or is stopped.
///
/// Frames begin when the browser has found a graphics card, be it software. If there is none, the app stops, and
/// [`Running::failure`] says why. See [`run_any`] for apps that can draw without one.
///
/// # Errors
///
/// Returns [`Error::NoCanvas`] if the page has no such canvas, and [`Error::Page`] if the browser lacks a feature that
/// the host needs.
#[cfg(feature = "gpu")]
pub fn run_gpu<A>(page: Page, app: A) -> Result<Running<A>, Error>
where
    A: App + for<'a> Draw<Gpu<'a>> + 'static,
{
    let host = start(page.canvas.find()?, page.background, page.keys, app, card::use_card)?;
    card::use_card(&host, Lost::NotFound);
    Ok(Running { host })
}

/// Starts an app on a graphics card, or on the browser's 2D context where there is none, or only one in software. Returns
/// at once. The app runs until it quits or is stopped.
///
/// Frames begin when the browser has answered. [`Display::renderer`](crate::Display::renderer) says what draws.
///
/// # Errors
///
/// Returns [`Error::NoCanvas`] if the page has no such canvas, and [`Error::Page`] if the browser lacks a feature that
/// the host needs.
///
/// ```no_run
/// # use evenstep_host::{App, Color, Context, Draw, Error, Input, Paint, View};
/// # struct Game;
/// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
/// use evenstep_host::web::{self, Page};
///
/// impl<C: Paint> Draw<C> for Game {
///     fn draw(&mut self, canvas: &mut C, _view: View<'_>) {
///         canvas.fill(Color::rgb(0x10_14_20));
///     }
/// }
///
/// fn main() -> Result<(), Error> {
///     web::run_any(Page::new("game"), Game)?;
///     Ok(())
/// }
/// ```
#[cfg(feature = "gpu")]
pub fn run_any<A>(page: Page, app: A) -> Result<Running<A>, Error>
where
    A: App + for<'a> Draw<Gpu<'a>> + Draw<Canvas> + 'static,
{
    let host = start(page.canvas.find()?, page.background, page.keys, app, card::use_any)?;
    card::use_any(&host, Lost::NotFound);
    Ok(Running { host })
}

fn start<A: App + 'static>(
    element: HtmlCanvasElement,
    background: Background,
    keys: Keys,
    app: A,
    on_lost: OnLost<A>,
) -> Result<Shared<A>, Error> {
    Host::start(element, background, keys, app, on_lost).map_err(|error| page_error(&error))
}

/// Handle to a running app. Dropping it does not stop the app.
///
/// ```no_run
/// # use evenstep_host::{App, Draw, web::{Canvas, Running}};
/// fn stop_after_a_minute(running: &Running<impl App + Draw<Canvas> + 'static>) {
///     let ticks = running.with(|driver| driver.pacer().tick());
///     if ticks >= 3_600 && running.is_running() {
///         running.stop();
///     }
/// }
/// ```
pub struct Running<A> {
    host: Rc<RefCell<Host<A>>>,
}

impl<A: App + 'static> Running<A> {
    /// Stops the app and removes its event listeners from the page.
    pub fn stop(&self) {
        self.host.borrow_mut().stop();
    }

    /// Returns whether the app is still running: it has neither quit nor been stopped.
    pub fn is_running(&self) -> bool {
        self.host.borrow().is_running()
    }

    /// Returns why the host stopped the app: it has nothing to draw on any more.
    pub fn failure(&self) -> Option<String> {
        self.host.borrow().failure().map(str::to_owned)
    }

    /// Calls `access` with the driver, to read or change the app and its pacer between frames.
    ///
    /// # Panics
    ///
    /// If the app calls this during its own frame.
    pub fn with<R>(&self, access: impl FnOnce(&mut Driver<A>) -> R) -> R {
        access(self.host.borrow_mut().driver())
    }
}

impl<A> Clone for Running<A> {
    fn clone(&self) -> Self {
        Self { host: Rc::clone(&self.host) }
    }
}

impl<A> fmt::Debug for Running<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").finish_non_exhaustive()
    }
}

fn page_error(error: &JsValue) -> Error {
    Error::Page { message: format!("{error:?}") }
}
