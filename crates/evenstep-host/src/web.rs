//! A canvas on a page, and frames from `requestAnimationFrame`.
//!
//! ```text
//! page     shown ------------| hidden, frozen or in the back/forward cache |---- shown
//! ticks    | | | | | | | | | |                none                         | | | | |
//! ```
//!
//! Time spent out of sight never was: nothing runs and nothing jumps on return. For a game that others play too,
//! [`Background::Run`] steps on without drawing, driven by a worker's timer, since a hidden page's own are slowed to
//! one a second. A frozen page stands still in any case.
//!
//! The canvas takes its size from the page's style, in points, and has as many pixels as the screen really shows.
//!
//! Everything that belongs to a run is in its [`Running`]: two runs on one page do not know of each other.

mod canvas;
mod events;
mod host;
mod listener;
#[cfg(feature = "gamepad")]
mod pads;
mod sizes;
mod ticker;

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlCanvasElement;

use crate::app::{App, Background, Draw};
use crate::driver::Driver;
use crate::error::Error;

pub use canvas::Canvas;

use host::Host;

/// The canvas to run on, and how.
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

/// Where the canvas is.
#[derive(Clone, Debug, PartialEq)]
enum Place {
    Id(String),
    Element(HtmlCanvasElement),
}

/// Which keys an app hears.
///
/// ```no_run
/// assert_eq!(evenstep_host::web::Keys::default(), evenstep_host::web::Keys::OfPage);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Keys {
    /// All of the page's, but for those typed into a field. For a page that is the game.
    #[default]
    OfPage,
    /// Those that go to the canvas, after a click on it. For a page with more than one game, or with text around it.
    OfCanvas,
}

impl Page {
    /// The canvas with an id.
    ///
    /// ```no_run
    /// let page = evenstep_host::web::Page::new("game");
    /// ```
    pub fn new(canvas_id: impl Into<String>) -> Self {
        Self { canvas: Place::Id(canvas_id.into()), background: Background::Hold, keys: Keys::OfPage }
    }

    /// A canvas in hand.
    ///
    /// ```no_run
    /// fn page_of(canvas: web_sys::HtmlCanvasElement) -> evenstep_host::web::Page {
    ///     evenstep_host::web::Page::of_canvas(canvas)
    /// }
    /// ```
    pub fn of_canvas(canvas: HtmlCanvasElement) -> Self {
        Self { canvas: Place::Element(canvas), background: Background::Hold, keys: Keys::OfPage }
    }

    /// What becomes of the app while the page is hidden.
    ///
    /// ```no_run
    /// # use evenstep_host::{Background, web::Page};
    /// let page = Page::new("game").with_background(Background::Run);
    /// ```
    pub fn with_background(self, background: Background) -> Self {
        Self { background, ..self }
    }

    /// Which keys the app hears.
    ///
    /// ```no_run
    /// # use evenstep_host::web::{Keys, Page};
    /// let page = Page::new("game").with_keys(Keys::OfCanvas);
    /// ```
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

/// Runs an app on a page until it quits or is stopped, and returns at once.
///
/// # Errors
///
/// [`Error::NoCanvas`] when the page has no such canvas, [`Error::Page`] when the browser refuses a part that it takes.
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
    let Page { canvas, background, keys } = page;
    let host = Host::start(canvas.find()?, background, keys, app).map_err(|error| failed(&error))?;
    Ok(Running { host })
}

/// An app at work. Dropping this lets it go on by itself.
pub struct Running<A> {
    host: Rc<RefCell<Host<A>>>,
}

impl<A: App + Draw<Canvas> + 'static> Running<A> {
    /// Ends it and lets go of the page.
    ///
    /// ```no_run
    /// # use evenstep_host::{App, Draw, web::{Canvas, Running}};
    /// fn end(running: &Running<impl App + Draw<Canvas> + 'static>) {
    ///     running.stop();
    /// }
    /// ```
    pub fn stop(&self) {
        self.host.borrow_mut().stop();
    }

    /// Whether it has not been stopped and the app has not quit.
    ///
    /// ```no_run
    /// # use evenstep_host::{App, Draw, web::{Canvas, Running}};
    /// fn is_playing(running: &Running<impl App + Draw<Canvas> + 'static>) -> bool {
    ///     running.is_running()
    /// }
    /// ```
    pub fn is_running(&self) -> bool {
        self.host.borrow().is_running()
    }

    /// Looks at the app and its pacer, or changes them, between two frames.
    ///
    /// ```no_run
    /// # use evenstep_host::{App, Draw, web::{Canvas, Running}};
    /// fn ticks(running: &Running<impl App + Draw<Canvas> + 'static>) -> u64 {
    ///     running.with(|driver| driver.pacer().tick())
    /// }
    /// ```
    ///
    /// # Panics
    ///
    /// If the app calls it from inside its own frame.
    pub fn with<R>(&self, look: impl FnOnce(&mut Driver<A>) -> R) -> R {
        look(self.host.borrow_mut().driver())
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

fn failed(error: &JsValue) -> Error {
    Error::Page { message: format!("{error:?}") }
}
