//! The traits that an app implements, and what a host passes to them.

use std::time::Duration;

use evenstep::{Frame, Gate, Latching, Pacer, Pacing};

use crate::display::Display;
use crate::event::Event;
use crate::input::Input;
use crate::key::Key;
use crate::pacer::HostPacer;
use crate::requests::Link;

/// A game, or any other simulation that runs in fixed steps.
///
/// For every frame, the host calls these methods in this order:
///
/// ```text
/// input   for every event since the last frame, as soon as it arrives, even while paused
/// step    once for each tick of the plan, with the input that belongs to that tick
/// frame   once, after the last step
/// draw    if the plan asks for an image (see Draw)
/// ```
///
/// Only `step` is required.
///
/// ```
/// use evenstep_host::{App, Context, Input, Key};
///
/// struct Ship { x: f32 }
///
/// impl App for Ship {
///     fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
///         self.x += 3.0 * input.axis(Key::ArrowLeft, Key::ArrowRight);
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an app that a host can run",
    label = "does not implement `App`",
    note = "implement `evenstep_host::App` for it: only `fn step(&mut self, input: &Input, cx: &mut Context<'_>)` is required"
)]
pub trait App {
    /// Returns how the app wants to be paced. The host calls this once, at the start; use [`Pacer::set_pacing`] to
    /// change the pacing later.
    fn pacing(&self) -> Pacing {
        Pacing::hz(60)
    }

    /// Returns how events are assigned to ticks. By default an event goes to the first tick that runs, for the least
    /// latency. [`Latching::ByTime`] spaces input evenly at any frame rate, and adds up to a tick of latency.
    fn latching(&self) -> Latching {
        Latching::FirstTick
    }

    /// Returns whether the app uses a key. A web page keeps the browser from acting on such a key, for as long as this is
    /// true; every other key does what it does on any page: Tab moves the focus, F5 loads the page again. The app gets
    /// all keys either way.
    ///
    /// By default, these are the keys that would scroll the page during a game: the arrows and Space.
    ///
    /// ```
    /// use evenstep_host::{App, Context, Input, Key};
    ///
    /// struct Shooter { next_weapon: Key }
    ///
    /// impl App for Shooter {
    ///     fn uses_key(&self, key: Key) -> bool {
    ///         matches!(key, Key::ArrowLeft | Key::ArrowRight | Key::Space) || key == self.next_weapon
    ///     }
    ///     fn step(&mut self, _input: &Input, _cx: &mut Context<'_>) {}
    /// }
    /// ```
    fn uses_key(&self, key: Key) -> bool {
        matches!(key, Key::ArrowUp | Key::ArrowDown | Key::ArrowLeft | Key::ArrowRight | Key::Space)
    }

    /// Handles an event at once. Use it for what must work at any time, such as pause, menus or an overlay.
    ///
    /// Input that drives the simulation belongs in [`App::step`], which gets the same event again, in the one tick that
    /// it belongs to. Events that arrive while the gate is closed reach only this method: a key that selects a menu
    /// entry never fires a gun.
    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        let _ = (event, cx);
    }

    /// Advances the simulation by one tick. The result must depend only on the app's state and the input.
    fn step(&mut self, input: &Input, cx: &mut Context<'_>);

    /// Runs after the frame's steps. Use it for what advances with frames rather than ticks, such as particles or an
    /// overlay's plot.
    fn frame(&mut self, frame: &Frame, cx: &mut Context<'_>) {
        let _ = (frame, cx);
    }
}

/// Draws an app on one kind of canvas.
///
/// Each host has its own kind: a window has [`Pixels`](crate::Pixels), a page has the browser's 2D context. An app runs
/// on a host if it can draw on that host's canvas, and the compiler checks this. Implement `Draw` once for every canvas
/// with [`Paint`](crate::Paint), or once for each kind of canvas to use everything that it can do:
///
/// ```
/// use evenstep_host::{Color, Draw, Paint, Pixels, View};
///
/// struct Anywhere;
/// impl<C: Paint> Draw<C> for Anywhere {
///     fn draw(&mut self, canvas: &mut C, _view: View<'_>) {
///         canvas.fill(Color::rgb(0x10_10_20));
///     }
/// }
///
/// struct InAWindow;
/// impl Draw<Pixels<'_>> for InAWindow {
///     fn draw(&mut self, canvas: &mut Pixels<'_>, _view: View<'_>) {
///         canvas.data_mut().fill(0x10_10_20);
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot draw on `{C}`, the canvas of this host",
    label = "does not implement `Draw<{C}>`",
    note = "implement `evenstep_host::Draw` for it, once for every canvas: `impl<C: Paint> Draw<C> for ...`"
)]
pub trait Draw<C> {
    /// Draws one image. The canvas still holds an earlier image, so cover all of it.
    fn draw(&mut self, canvas: &mut C, view: View<'_>);
}

/// Gives an app access to its pacer and its host.
///
/// The app controls the pacer: it can pause, single-step, freeze or slow down. Changes take effect with the next frame;
/// the current one runs as planned.
///
/// ```
/// use evenstep_host::{App, Context, Event, Input, Key};
///
/// #[derive(Default)]
/// struct Game {
///     is_paused: bool, // By the player.
/// }
///
/// impl App for Game {
///     fn input(&mut self, event: Event, cx: &mut Context<'_>) {
///         match event {
///             Event::FocusLost => cx.pause(),
///             Event::FocusGained if !self.is_paused => cx.resume(),
///             Event::KeyDown(Key::KeyP) => {
///                 self.is_paused = !self.is_paused;
///                 if self.is_paused { cx.pause() } else { cx.resume() }
///             }
///             Event::KeyDown(Key::Escape) => cx.quit(),
///             _ => {}
///         }
///     }
///
///     fn step(&mut self, _input: &Input, _cx: &mut Context<'_>) {}
/// }
/// # use std::time::Duration;
/// # use evenstep_host::Driver;
/// # let ms = Duration::from_millis;
/// # let mut driver = Driver::new(Game::default());
/// # driver.frame(ms(0));
/// # let mut ticks_after = |event, at: u64| {
/// #     driver.event(ms(at), event);
/// #     let before = driver.pacer().tick();
/// #     driver.frame(ms(at + 100));
/// #     driver.pacer().tick() - before
/// # };
/// # assert_eq!(ticks_after(Event::FocusLost, 100), 0);
/// # assert_eq!(ticks_after(Event::FocusGained, 200), 6);
/// # assert_eq!(ticks_after(Event::KeyDown(Key::KeyP), 300), 0);
/// # assert_eq!(ticks_after(Event::FocusLost, 400), 0);
/// # assert_eq!(ticks_after(Event::FocusGained, 500), 0);
/// # assert_eq!(ticks_after(Event::KeyDown(Key::KeyP), 600), 6);
/// # driver.event(ms(700), Event::KeyDown(Key::Escape));
/// # assert!(driver.is_over());
/// ```
#[derive(Debug)]
pub struct Context<'a> {
    /// The pacer, to control and to query.
    pub pacer: &'a mut HostPacer,
    pub(crate) tick: u64,
    pub(crate) now: Duration,
    pub(crate) link: &'a mut Link,
}

impl Context<'_> {
    /// Returns the number of the current tick, counted from 0. Outside of a step, this is the number of the next tick.
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// Returns the host's time of the current event or frame. The simulation must not depend on it.
    pub const fn now(&self) -> Duration {
        self.now
    }

    /// Pauses the simulation from the next frame on; see [`Pacer::pause`].
    pub fn pause(&mut self) {
        self.pacer.pause();
    }

    /// Resumes the simulation after a pause or a menu.
    pub fn resume(&mut self) {
        self.pacer.resume();
    }

    /// Returns whether the simulation is paused.
    pub fn is_paused(&self) -> bool {
        self.pacer.gate() == Gate::Paused
    }

    /// Returns what the host knows about the display: the beat of the frames, missed refreshes and latency.
    pub const fn display(&self) -> &Display {
        &self.link.display
    }

    /// Ends the run after this frame. Its remaining steps still run.
    pub const fn quit(&mut self) {
        self.link.is_over = true;
    }

    /// Enters full screen, or leaves it. The host does so after this event or frame.
    ///
    /// On a page, browsers allow it only while they handle a key, a click or the end of a touch, so call it in
    /// [`App::input`]. What a browser refuses is ignored: [`is_fullscreen`](Self::is_fullscreen) tells.
    pub const fn set_fullscreen(&mut self, is_fullscreen: bool) {
        self.link.requests.fullscreen = Some(is_fullscreen);
    }

    /// Returns whether the app fills the screen. The player may also leave full screen by other means.
    pub const fn is_fullscreen(&self) -> bool {
        self.link.is_fullscreen
    }

    /// Sets the title of the window, or of the page.
    pub fn set_title(&mut self, title: impl Into<String>) {
        self.link.requests.title = Some(title.into());
    }

    /// Shows or hides the mouse cursor over the window or the canvas.
    pub const fn set_cursor_visible(&mut self, is_visible: bool) {
        self.link.requests.is_cursor_visible = Some(is_visible);
    }

    /// Sets the smallest size of the window, in points. On a page, this is the smallest size of the canvas's style.
    ///
    /// Window systems that tile windows may still make it smaller.
    pub const fn set_size_min(&mut self, width: f64, height: f64) {
        self.link.requests.size_min = Some((length(width), length(height)));
    }
}

/// Clamps a length to what window systems can represent. NaN becomes 0.
pub(crate) const fn length(points: f64) -> f64 {
    const POINTS_MAX: f64 = 16_384.0;
    if points.is_nan() { 0.0 } else { points.clamp(0.0, POINTS_MAX) }
}

/// What an app needs to draw a frame: its plan and the pacer.
///
/// ```
/// use evenstep::Interpolated;
/// use evenstep_host::View;
///
/// fn drawn_at(x: &Interpolated<f64>, view: View<'_>) -> f64 {
///     x.at(view.alpha())
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The plan for this frame.
    pub frame: &'a Frame,
    /// The pacer, for its statistics, clocks and ledger.
    pub pacer: &'a Pacer,
    /// What the host knows about the display: the beat of the frames, missed refreshes and latency.
    pub display: &'a Display,
}

impl View<'_> {
    /// Returns the position between the last two ticks at which to draw: 0 <= alpha < 1.
    pub const fn alpha(&self) -> f64 {
        self.frame.alpha()
    }
}

/// Whether an app keeps running while it is hidden, as in a minimised window or a background tab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Background {
    /// Suspends the app. No ticks run, no time passes, and nothing jumps when it is shown again.
    #[default]
    Hold,
    /// Keeps running the steps without drawing, as a multiplayer game needs.
    Run,
}
