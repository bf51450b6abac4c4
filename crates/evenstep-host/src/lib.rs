//! Runs an [Evenstep](evenstep) game in a window, in a browser or headless: the same game, unchanged.
//!
//! ```
//! use evenstep::Interpolated;
//! use evenstep_host::{App, Color, Context, Draw, Input, Key, Paint, View};
//!
//! struct Ship { x: Interpolated<f64> }
//!
//! impl App for Ship {
//!     fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
//!         self.x.advance(self.x.current() + 3.0 * f64::from(input.axis(Key::ArrowLeft, Key::ArrowRight)));
//!     }
//! }
//!
//! impl<C: Paint> Draw<C> for Ship {
//!     fn draw(&mut self, canvas: &mut C, view: View<'_>) {
//!         canvas.fill(Color::rgb(0x10_14_20));
//!         canvas.disc(self.x.at(view.alpha()), 100.0, 12.0, Color::rgb(0x6C_D4_FF));
//!     }
//! }
//!
//! fn main() -> Result<(), evenstep_host::Error> {
//!     let ship = Ship { x: Interpolated::new(320.0) };
//!     # #[cfg(any())]
//!     evenstep_host::native::run(evenstep_host::native::Window::new("Ship"), ship)?;
//!     # Ok(())
//! }
//! ```
//!
//! # Who does what
//!
//! The *app* holds the game: it is asked for its [`Pacing`](evenstep::Pacing), hears of events, makes steps and draws.
//! The [`Pacer`](evenstep::Pacer) decides how many steps a frame runs and where between two of them to draw. The *host*
//! owns the clock: it gathers timestamped events, asks the pacer for a plan once a frame, and carries it out. No host
//! holds any pacing arithmetic, so all of them make the same decisions; a limit on the frame rate is
//! [`Pacing::with_draw_rate`](evenstep::Pacing::with_draw_rate).
//!
//! | host | feature | clock | canvas |
//! |---|---|---|---|
//! | `headless` (default) | `headless` | the timestamps you give it | none, or [`Pixels`] in memory |
//! | `native` | `native` | the system's, in absolute deadlines | [`Pixels`] of a winit window |
//! | `web` | `web`, on wasm | `requestAnimationFrame` | the 2D context of a `<canvas>` |
//!
//! Gamepads are the feature `gamepad`, in windows and on pages.
//!
//! # Why drawing is a trait of its own
//!
//! Canvases differ: a window's is a slice of pixels, a page's is a JavaScript object. [`Draw`] names the canvas as its
//! parameter, so that a host asks for exactly what it needs (`native::run` for `App + Draw<Pixels>`), an app says what
//! it can do, and neither pays for an abstraction in between. Those who want one implementation for all write it over
//! [`Paint`], as the example above does.
//!
//! # Input, exactly once
//!
//! An event goes to [`App::input`] at once, for pause and menus, and to the one tick that it belongs to, as [`Input`].
//! A tap between two ticks is one press in one tick, whether the frame runs none of them or three; however long it waits,
//! no move pushes it out, and no release overtakes its press. When the window loses the focus everything that is held is
//! released. While the gate is closed the game hears nothing; when it opens again the game knows what is held.

#![forbid(unsafe_code)]

mod event;
mod key;
mod pad;

mod input;

mod app;
mod error;
mod paint;
mod pixels;

mod waiting;

mod driver;

#[cfg(feature = "headless")]
pub mod headless;
#[cfg(all(feature = "native", not(target_arch = "wasm32")))]
pub mod native;
#[cfg(all(feature = "web", target_arch = "wasm32"))]
pub mod web;

pub use app::{App, Background, Context, Draw, View};
pub use driver::Driver;
pub use error::Error;
pub use event::{Event, Pointer, PointerButton, Size};
pub use input::Input;
pub use key::Key;
pub use pad::{Axis, Button, PadState};
pub use paint::{Color, Paint};
pub use pixels::Pixels;

/// The README's code compiles and runs.
#[cfg(all(doctest, feature = "headless"))]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The package's own README does, too.
#[cfg(all(doctest, feature = "headless"))]
#[doc = include_str!("../README.md")]
struct PackageReadme;
