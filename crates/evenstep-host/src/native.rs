//! A window, its events, and frames at the display's rate.
//!
//! Without a vertical sync to wait for (X11, Windows and macOS give a software canvas none) the host paces itself: frames
//! begin at *absolute* [`Deadlines`], at the rate of the window's monitor. Work never moves a deadline, so it never
//! lowers the rate: a frame that comes late is followed by one in time.
//!
//! On Wayland the compositor says when to draw, and the host follows it; a window that is not told for a quarter of a
//! second is out of sight. Deadlines stand in where nothing is drawn, and beat for a [rate of one's
//! own](Window::with_rate).
//!
//! # What it costs
//!
//! The wait is the system's up to the last quarter of a millisecond and a spin from there. Measured by `cargo bench -p
//! evenstep-host --features native --bench pacing` in one run, under Xvfb, on a virtual machine of two cores:
//!
//! | 60 Hz | frame begins late by, p50 | p99 | of a core |
//! |---|---|---|---|
//! | our deadlines | 0.3 us | 58 us | 1.3 % |
//! | the whole host, in a window | 6 us | 20 us to 1.3 ms | 2.2 to 2.5 % |
//! | `spin_sleep`'s loop | 26 us | 0.3 ms | 0.4 % |
//! | `thread::sleep` | 156 us | 0.4 ms | 0.3 % |
//!
//! At 144 Hz the window takes 5 % of a core. About half of it is the spin, the rest is the window system and a small
//! image. Where two numbers stand, two runs gave them: a p99 on a shared machine is mostly the machine's, as the rows of
//! the others show. `docs/benchmarks.md` has all of it.

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

/// The window to run in.
///
/// ```no_run
/// # use evenstep_host::{App, Context, Draw, Error, Input, Pixels, View};
/// # struct Game;
/// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
/// # impl Draw<Pixels<'_>> for Game { fn draw(&mut self, _: &mut Pixels<'_>, _: View<'_>) {} }
/// use evenstep_host::native::{self, Window};
///
/// # fn main() -> Result<(), Error> {
/// native::run(Window::new("Game").with_size(1280.0, 720.0), Game)?;
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
    /// A window with a title, of 960 x 540 points.
    ///
    /// ```
    /// let window = evenstep_host::native::Window::new("Game");
    /// ```
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

    /// So large at first, in points.
    ///
    /// ```
    /// let window = evenstep_host::native::Window::new("Game").with_size(1280.0, 720.0);
    /// ```
    pub fn with_size(self, width: f64, height: f64) -> Self {
        Self { width, height, ..self }
    }

    /// Covers the whole screen, without a border.
    ///
    /// ```
    /// let window = evenstep_host::native::Window::new("Game").with_fullscreen();
    /// ```
    pub fn with_fullscreen(self) -> Self {
        Self { is_fullscreen: true, ..self }
    }

    /// What becomes of the app while the window is minimised or covered.
    ///
    /// ```
    /// use evenstep_host::{Background, native::Window};
    ///
    /// let window = Window::new("Server").with_background(Background::Run);
    /// ```
    pub fn with_background(self, background: Background) -> Self {
        Self { background, ..self }
    }

    /// Frames at this rate, whatever the monitor's is. Without it: the monitor's, or 60 Hz if that is unknown.
    ///
    /// This is the rate of the display, for the pacer to follow. To draw less often use
    /// [`Pacing::with_draw_rate`](evenstep::Pacing::with_draw_rate). A Wayland compositor never takes more images than
    /// its monitor shows.
    ///
    /// ```
    /// use evenstep::Rate;
    ///
    /// let window = evenstep_host::native::Window::new("Game").with_rate(Rate::hz(144));
    /// ```
    pub fn with_rate(self, rate: Rate) -> Self {
        Self { rate: Some(rate), ..self }
    }
}

/// Runs an app in a window until the window is closed or the app quits, and hands the app back.
///
/// # Errors
///
/// [`Error::NoDisplay`] when there is none to open a window on, [`Error::Window`] when the system refuses the window or
/// takes it away.
///
/// ```no_run
/// # use evenstep_host::{App, Context, Draw, Error, Input, Pixels, View};
/// # struct Game;
/// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
/// # impl Draw<Pixels<'_>> for Game { fn draw(&mut self, _: &mut Pixels<'_>, _: View<'_>) {} }
/// use evenstep_host::native::{self, Window};
///
/// match native::run(Window::new("Game"), Game) {
///     Ok(_game) => println!("good bye"),
///     Err(Error::NoDisplay { .. }) => println!("no display: playing headless"),
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
