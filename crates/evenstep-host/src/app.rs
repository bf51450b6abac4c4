//! The traits that an app implements, and what a host passes to them.

use std::time::Duration;

use evenstep::{Frame, Latching, Pacer, Pacing};

use crate::event::Event;
use crate::input::Input;

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
/// use evenstep::Gate;
/// use evenstep_host::{App, Context, Event, Input, Key};
///
/// struct Game;
/// impl App for Game {
///     fn input(&mut self, event: Event, cx: &mut Context<'_>) {
///         match event {
///             Event::KeyDown(Key::KeyP) | Event::FocusLost => cx.pacer.set_gate(Gate::Paused),
///             Event::KeyDown(Key::Escape) => cx.quit(),
///             _ => {}
///         }
///     }
///     fn step(&mut self, _input: &Input, _cx: &mut Context<'_>) {}
/// }
/// ```
#[derive(Debug)]
pub struct Context<'a> {
    /// The pacer, to control and to query.
    pub pacer: &'a mut Pacer,
    pub(crate) tick: u64,
    pub(crate) now: Duration,
    pub(crate) is_over: &'a mut bool,
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

    /// Ends the run after this frame. Its remaining steps still run.
    pub const fn quit(&mut self) {
        *self.is_over = true;
    }
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
