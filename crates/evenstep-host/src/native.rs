//! Runs an app in a window, with frames at the display's rate.
//!
//! # The beat
//!
//! Frames begin with the best [`Beat`] that the window system has:
//!
//! | beat | where | a frame's timestamp |
//! |---|---|---|
//! | [`FrameCallback`](Beat::FrameCallback) | Wayland | when the compositor calls back |
//! | [`VerticalCount`](Beat::VerticalCount) | X servers with the Present extension | when the refresh began, by the server |
//! | [`BlockingPresent`](Beat::BlockingPresent) | a GPU elsewhere | after the wait for an image to draw on |
//! | [`Deadlines`](Beat::Deadlines) | everywhere else | when the frame begins |
//!
//! Every beat is [checked](evenstep::host::BeatCheck) against the display's refresh, as the compositor reports it with its
//! images or the monitor claims it. One that stops is replaced by absolute [`Deadlines`](crate::Deadlines) at the
//! monitor's rate until it is steady again; one that runs wild, until the refresh changes, as on another monitor.
//! [`Display`](crate::Display) says which beat is in use, and why. Work never moves a deadline, so it never lowers the rate:
//! a late frame is followed by one on time.
//!
//! On Wayland, a window that gets no redraw for a quarter of a second counts as hidden, and a blocking present waits for the
//! frame callback first: without it, a hidden window would block the event loop. Frames that are not drawn begin at
//! deadlines, and so do all frames at a [configured rate](Window::with_rate).
//!
//! # GPUs
//!
//! An error that wgpu reports is printed once on standard error, and does not end the program. A lost GPU is looked for five
//! times over three seconds, while frames go on without images; after that, `run_any` draws pixels and `run_gpu` fails.
//! A search takes place in the event loop, and stops it for as long. A driver that has no image for a second blocks the
//! event loop for that second; the host then draws nothing for five seconds, on deadlines.
//!
//! # What was shown
//!
//! Wayland compositors report when an image was shown, and so do X servers about a GPU's. For pixels on an X
//! server, the first refresh after the image was drawn counts; a compositing window manager may show it one later. The
//! reports go to [`Pacer::presented`](evenstep::Pacer::presented) and to [`Display::shown`](crate::Display::shown). Times on
//! another clock than ours are translated, and not used if that clock is unknown.
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

mod beats;
mod clock;
#[cfg(target_os = "linux")]
mod counts;
mod events;
#[cfg(feature = "gpu")]
mod gpu_canvas;
mod host;
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux reports what was shown"))]
mod images;
mod open_window;
#[cfg(feature = "gamepad")]
mod pads;
mod pixel_canvas;
#[cfg(target_os = "linux")]
mod presentation;

#[cfg(feature = "trace")]
use std::path::PathBuf;

use evenstep::Rate;
use winit::error::EventLoopError;
use winit::event_loop::EventLoop;

use crate::app::{App, Background, Draw, length};
use crate::display::Beat;
use crate::error::Error;
use crate::pixels::Pixels;
use open_window::Canvas;
use pixel_canvas::PixelCanvas;

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
    size_min: Option<(f64, f64)>,
    is_fullscreen: bool,
    background: Background,
    rate: Option<Rate>,
    beat: Option<Beat>,
    starts_late: bool,
    #[cfg(feature = "trace")]
    trace: Option<PathBuf>,
}

impl Window {
    /// Creates the options for a window of 960 x 540 points with a title.
    pub fn new(title: impl Into<String>) -> Self {
        let width = 960.0;
        let height = 540.0;
        Self {
            title: title.into(),
            width,
            height,
            size_min: None,
            is_fullscreen: false,
            background: Background::Hold,
            rate: None,
            beat: None,
            starts_late: false,
            #[cfg(feature = "trace")]
            trace: None,
        }
    }

    /// Sets the initial size, in points.
    pub fn with_size(self, width: f64, height: f64) -> Self {
        Self { width, height, ..self }
    }

    /// Sets the smallest size, in points. [`Context::set_size_min`](crate::Context::set_size_min) changes it later.
    pub fn with_size_min(self, width: f64, height: f64) -> Self {
        Self { size_min: Some((length(width), length(height))), ..self }
    }

    /// Opens the window fullscreen, without a border.
    pub fn with_fullscreen(self) -> Self {
        Self { is_fullscreen: true, ..self }
    }

    /// Sets whether the app keeps running while the window is minimised or covered.
    pub fn with_background(self, background: Background) -> Self {
        Self { background, ..self }
    }

    /// Records every frame into a file, for `evenstep trace` and `evenstep import`; see
    /// [`Driver::trace_to_file`](crate::Driver::trace_to_file).
    #[cfg(feature = "trace")]
    pub fn with_trace(self, path: impl Into<PathBuf>) -> Self {
        Self { trace: Some(path.into()), ..self }
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

    /// Sets what starts the frames, for measurements. The default is the best [`Beat`] that the window system has.
    ///
    /// One that does not exist here is replaced by the best that does, and so is one that stops or runs wild:
    /// [`Display`](crate::Display) says so. A [configured rate](Self::with_rate) always follows deadlines.
    pub fn with_beat(self, beat: Beat) -> Self {
        Self { beat: Some(beat), ..self }
    }

    /// Starts frames as late as their cost allows, so that their input is fresher: see
    /// [`LateStart`](evenstep::host::LateStart).
    ///
    /// This needs presentation feedback and a [locked](evenstep::LockState::Locked) display; without them, frames start
    /// with the beat. Off by default: a frame that suddenly takes longer then misses a refresh more often.
    /// [`Display::late_start_saves`](crate::Display::late_start_saves) says what it would save.
    ///
    /// It makes no difference to apps that latch input [by time](evenstep::Latching::ByTime): there, the ticks of a frame end
    /// with its beat, and what happens during the wait belongs to the next frame.
    pub fn with_late_start(self) -> Self {
        Self { starts_late: true, ..self }
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
    run_on::<A, PixelCanvas>(window, app)
}

/// Runs an app in a window as [`run`] does, and draws with a GPU: [`Gpu`](crate::gpu::Gpu).
///
/// A software GPU works too, but is slow; [`run_any`] draws pixels instead.
///
/// # Errors
///
/// As [`run`]; and [`Error::Window`] if there is no GPU, or it is lost for good.
#[cfg(feature = "gpu")]
pub fn run_gpu<A>(window: Window, app: A) -> Result<A, Error>
where
    A: App + for<'a> Draw<crate::gpu::Gpu<'a>>,
{
    run_on::<A, gpu_canvas::GpuCanvas>(window, app)
}

/// Runs an app in a window as [`run`] does, and draws with a GPU, or with pixels in memory where there is none, only one in
/// software, or it is lost for good. [`Display::renderer`](crate::Display::renderer) says which.
///
/// # Errors
///
/// As [`run`].
///
/// ```no_run
/// # use evenstep_host::{App, Color, Context, Draw, Error, Input, Paint, View};
/// # struct Game;
/// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
/// use evenstep_host::native::{self, Window};
///
/// impl<C: Paint> Draw<C> for Game {
///     fn draw(&mut self, canvas: &mut C, _view: View<'_>) {
///         canvas.fill(Color::rgb(0x10_14_20));
///     }
/// }
/// # fn main() -> Result<(), Error> {
/// native::run_any(Window::new("Game"), Game)?;
/// # Ok(())
/// # }
/// ```
#[cfg(feature = "gpu")]
pub fn run_any<A>(window: Window, app: A) -> Result<A, Error>
where
    A: App + for<'a> Draw<crate::gpu::Gpu<'a>> + for<'a> Draw<Pixels<'a>>,
{
    run_on::<A, gpu_canvas::AnyCanvas>(window, app)
}

fn run_on<A, C>(window: Window, app: A) -> Result<A, Error>
where
    A: App,
    C: Canvas<A>,
{
    let event_loop = EventLoop::with_user_event().build();
    let event_loop = event_loop.map_err(|source| Error::NoDisplay { source: source.into() })?;
    let mut host = host::Host::<A, C>::new(window, app, event_loop.create_proxy());
    event_loop.run_app(&mut host).map_err(|source| match source {
        // All that winit says when a compositor ends.
        EventLoopError::ExitFailure(_) => {
            Error::Window { source: "the connection to the window system was lost".into() }
        }
        source => Error::Window { source: source.into() },
    })?;
    host.into_result()
}
