//! Runs an app in a window, with frames at the display's rate.
//!
//! X11, Windows and macOS give a software canvas no vertical sync, so the host paces itself: frames begin at *absolute*
//! [`Deadlines`], at the rate of the window's monitor. Work never moves a deadline, so it never lowers the rate: a late
//! frame is followed by one on time.
//!
//! On Wayland the compositor says when to draw, and the host follows it. A window that gets no redraw for a quarter of
//! a second counts as hidden. Frames that are not drawn begin at deadlines, and so do all frames at a [configured
//! rate](Window::with_rate).
//!
//! # Precision and CPU use
//!
//! The host sleeps until a quarter of a millisecond before the deadline, then spins. Measured by `cargo bench -p
//! evenstep-host --features native --bench pacing` in one run, under Xvfb, on a virtual machine with two cores:
//!
//! | 60 Hz | frame begins late by, p50 | p99 | CPU, of one core |
//! |---|---|---|---|
//! | our deadlines | 0.3 us | 58 us | 1.3 % |
//! | the whole host, in a window | 6 us | 20 us to 1.3 ms | 2.2 to 2.5 % |
//! | `spin_sleep`'s loop | 26 us | 0.3 ms | 0.4 % |
//! | `thread::sleep` | 156 us | 0.4 ms | 0.3 % |
//!
//! At 144 Hz the window takes 5 % of a core. About half of that is the spin, the rest is the window system and a small
//! image. Ranges come from two runs: on a shared machine the p99 depends mostly on the machine, as the other rows show.
//! `docs/benchmarks.md` has all results.

mod deadlines;
mod host;
#[cfg(feature = "gamepad")]
mod pads;
mod screen;

use evenstep::Rate;
use winit::event_loop::EventLoop;

use crate::app::{App, Background, Draw};
use crate::error::Error;
use crate::pixels::Pixels;

pub use deadlines::Deadlines;

/// Options for the window.
///
/// ```no_run
/// # use evenstep_host::{App, Context, Draw, Error, Input, Pixels, View};
/// # struct Game;
/// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
/// # impl Draw<Pixels<'_>> for Game { fn draw(&mut self, _: &mut Pixels<'_>, _: View<'_>) {} }
/// use evenstep_host::Background;
/// use evenstep_host::native::{self, Window};
///
/// # fn main() -> Result<(), Error> {
/// let window = Window::new("Game").with_size(1280.0, 720.0).with_background(Background::Run);
/// native::run(window, Game)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    title: String,
    width: f64,
    height: f64,
    is_fullscreen: bool,
    background: Background,
    rate: Option<Rate>,
}

impl Window {
    /// Creates the options for a window of 960 x 540 points with a title.
    pub fn new(title: impl Into<String>) -> Self {
        let (width, height) = (960.0, 540.0);
        Self {
            title: title.into(),
            width,
            height,
            is_fullscreen: false,
            background: Background::Hold,
            rate: None,
        }
    }

    /// Sets the initial size, in points.
    pub fn with_size(self, width: f64, height: f64) -> Self {
        Self { width, height, ..self }
    }

    /// Opens the window fullscreen, without a border.
    pub fn with_fullscreen(self) -> Self {
        Self { is_fullscreen: true, ..self }
    }

    /// Sets whether the app keeps running while the window is minimised or covered.
    pub fn with_background(self, background: Background) -> Self {
        Self { background, ..self }
    }

    /// Sets the frame rate. The default is the monitor's refresh rate, or 60 Hz if that is unknown.
    ///
    /// The pacer treats this as the display's rate. Below the monitor's refresh rate, frames follow a timer instead of
    /// the display, so the [display lock](evenstep::Pacer::set_variable_refresh) stays free. To draw less often, use
    /// [`Pacing::with_draw_rate`](evenstep::Pacing::with_draw_rate). A Wayland compositor never takes more images than
    /// its monitor shows.
    pub fn with_rate(self, rate: Rate) -> Self {
        Self { rate: Some(rate), ..self }
    }
}

/// Runs an app in a window until the window is closed or the app quits, and returns the app.
///
/// # Errors
///
/// Returns [`Error::NoDisplay`] if there is no display, and [`Error::Window`] if the system refuses to open the window
/// or it fails later.
///
/// ```no_run
/// # use evenstep_host::{App, Context, Draw, Error, Input, Pixels, View};
/// # struct Game;
/// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
/// # impl Draw<Pixels<'_>> for Game { fn draw(&mut self, _: &mut Pixels<'_>, _: View<'_>) {} }
/// use evenstep_host::native::{self, Window};
///
/// match native::run(Window::new("Game"), Game) {
///     Ok(_game) => println!("goodbye"),
///     Err(Error::NoDisplay { .. }) => println!("no display, playing headless"),
///     Err(error) => eprintln!("{error}"),
/// }
/// ```
pub fn run<A>(window: Window, app: A) -> Result<A, Error>
where
    A: App + for<'a> Draw<Pixels<'a>>,
{
    let event_loop = EventLoop::new().map_err(|source| Error::NoDisplay { source: source.into() })?;
    let mut host = host::Host::new(window, app);
    event_loop.run_app(&mut host).map_err(|source| Error::Window { source: source.into() })?;
    host.into_result()
}
