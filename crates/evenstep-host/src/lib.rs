//! Runs an [Evenstep](evenstep) game in a window, in a browser or headless, without changes to the game.
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
//! # Roles
//!
//! - The *app* is the game: it chooses its [`Pacing`](evenstep::Pacing), handles events, runs steps and draws.
//! - The [`Pacer`](evenstep::Pacer) decides how many steps a frame runs, and where between two of them to draw.
//! - The *host* owns the clock. It collects timestamped events and runs one frame after another.
//! - The [`Driver`] connects the three. Every host calls its [`run_frame`](Driver::run_frame), so all of them make the
//!   same calls in the same order. Use it to write a host of your own.
//!
//! To limit the frame rate, use [`Pacing::with_draw_rate`](evenstep::Pacing::with_draw_rate).
//!
//! | host | feature | clock | canvas |
//! |---|---|---|---|
//! | `headless` (default) | `headless` | timestamps from the caller | none, or [`Pixels`] in memory |
//! | `native` | `native` | the system's, with frames on the display's [beat](Beat) | [`Pixels`] of a winit window, or a graphics card (feature `gpu`) |
//! | `web` | `web`, on wasm | `requestAnimationFrame` | the 2D context of a `<canvas>`, or WebGPU (feature `gpu`) |
//!
//! The feature `gamepad` adds gamepads to windows and pages. The feature `deadlines` has only [`Deadlines`], for servers.
//! The feature `trace` adds recordings, for stutter on another machine: see [`Driver`].
//!
//! # Why drawing is a separate trait
//!
//! Canvases differ: a window has a slice of pixels, a page has a JavaScript object. [`Draw`] takes the canvas as a type
//! parameter, so a host requires exactly what it needs (`native::run` takes `App + Draw<Pixels>`), and no abstraction
//! sits between the app and its canvas. For one implementation that works everywhere, be generic over [`Paint`], as in
//! the example above.
//!
//! # Exactly-once input
//!
//! An event goes to [`App::input`] at once, for pause and menus, and to the one tick that it belongs to, as [`Input`].
//! A tap between two ticks is one press in one tick, whether the frame runs no tick or three. It is never dropped to
//! make room for moves, and a release never overtakes its press. When the window loses focus, everything that is held
//! is released. While the gate is closed, the simulation receives no input; when it opens, it knows what is held.

// Only `native/presentation.rs` has unsafe code, to share winit's connection to a Wayland compositor.
#![deny(unsafe_code)]

mod event;
mod key;
mod pad;

mod input;

mod app;
mod error;
pub mod font;
mod image;
mod paint;

mod convex;
mod mark;
mod pixels;

mod display;
mod requests;
mod waiting;

#[cfg(all(feature = "deadlines", not(target_arch = "wasm32")))]
mod deadlines;
mod driver;
mod pacer;
#[cfg(feature = "trace")]
mod trace;

#[cfg(feature = "gpu")]
pub mod gpu;
#[cfg(feature = "headless")]
pub mod headless;
#[cfg(all(feature = "native", not(target_arch = "wasm32")))]
pub mod native;
#[cfg(all(feature = "web", target_arch = "wasm32"))]
pub mod web;

pub use app::{App, Background, Context, Draw, View};
#[cfg(all(feature = "deadlines", not(target_arch = "wasm32")))]
pub use deadlines::Deadlines;
pub use display::{Beat, Display};
pub use driver::Driver;
pub use error::Error;
pub use event::{Event, Pointer, PointerButton, Size};
pub use image::Image;
pub use input::Input;
pub use key::Key;
pub use pacer::HostPacer;
pub use pad::{Axis, Button, PadState};
pub use paint::{CORNERS_MAX, Color, Paint};
pub use pixels::Pixels;
pub use requests::Requests;

/// Tests the code in the repository's README.
#[cfg(all(doctest, feature = "headless"))]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Tests the code in the package's README.
#[cfg(all(doctest, feature = "headless"))]
#[doc = include_str!("../README.md")]
struct PackageReadme;
