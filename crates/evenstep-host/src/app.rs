//! What a host runs.

use std::time::Duration;

use evenstep::{Frame, Latching, Pacer, Pacing};

use crate::event::Event;
use crate::input::Input;

/// A game, or anything else that moves in steps.
///
/// The host calls, for every frame and in this order:
///
/// ```text
/// input   for every event since the last frame, as soon as it is known; while paused too
/// step    once for each tick of the plan, with the input that belongs to the tick
/// frame   once, with the plan that was carried out
/// draw    if the plan asks for an image (see Draw)
/// ```
///
/// Only `step` must be there.
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
    /// How the app wants its time cut. Asked once, at the start; later [`Pacer::set_pacing`] changes it.
    fn pacing(&self) -> Pacing {
        Pacing::hz(60)
    }

    /// Which tick an event goes to: by default the first that runs, for the least latency.
    /// [`Latching::ByTime`] spaces input the same at any frame rate and costs up to a tick.
    fn latching(&self) -> Latching {
        Latching::FirstTick
    }

    /// Something happened. For what must work at any time: pause, menus, an overlay.
    ///
    /// What moves the game belongs in [`App::step`], which gets the same event once more, in the one tick that it
    /// belongs to. Events that come while the gate is closed stay here: a key that picks a menu's entry never fires
    /// a gun.
    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        let _ = (event, cx);
    }

    /// One tick. The result must depend on the app's state and the input alone.
    fn step(&mut self, input: &Input, cx: &mut Context<'_>);

    /// The frame's steps are done. For what moves with frames, not ticks: particles, an overlay's plot.
    fn frame(&mut self, frame: &Frame, cx: &mut Context<'_>) {
        let _ = (frame, cx);
    }
}

/// How an app draws on one kind of canvas.
///
/// Each host brings its own kind: a window [`Pixels`](crate::Pixels), a page the browser's 2D context. An app runs on
/// a host if it can draw on that host's canvas, and the compiler checks it. Draw on any of them through
/// [`Paint`](crate::Paint), or write one `Draw` for each kind and use all it can do:
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
    /// Draws one image. The canvas holds some earlier image: cover all of it.
    fn draw(&mut self, canvas: &mut C, view: View<'_>);
}

/// What an app may ask of its host.
///
/// The pacer is the app's to control: pause, step by hand, freeze, slow down. A frame that is under way is carried out
/// as planned; the next one obeys.
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
    /// The pacer, to control and to ask.
    pub pacer: &'a mut Pacer,
    pub(crate) tick: u64,
    pub(crate) now: Duration,
    pub(crate) is_over: &'a mut bool,
}

impl Context<'_> {
    /// In a step: the tick's number, from 0. Elsewhere: the next one's.
    ///
    /// ```
    /// # use evenstep_host::Context;
    /// fn is_even(cx: &Context<'_>) -> bool {
    ///     cx.tick() % 2 == 0
    /// }
    /// ```
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// The host's clock: an event's own time, or the frame's. Not for the simulation.
    ///
    /// ```
    /// # use evenstep_host::Context;
    /// fn restart(cx: &mut Context<'_>) {
    ///     cx.pacer.reset(cx.now());
    /// }
    /// ```
    pub const fn now(&self) -> Duration {
        self.now
    }

    /// Ends the run after this frame; its remaining steps still run.
    ///
    /// ```
    /// # use evenstep_host::Context;
    /// fn end_at_tick_100(cx: &mut Context<'_>) {
    ///     if cx.tick() == 100 {
    ///         cx.quit();
    ///     }
    /// }
    /// ```
    pub const fn quit(&mut self) {
        *self.is_over = true;
    }
}

/// What an app draws from: the plan and the pacer's answers.
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
    /// The plan of this frame.
    pub frame: &'a Frame,
    /// Statistics, clocks, the ledger.
    pub pacer: &'a Pacer,
}

impl View<'_> {
    /// Where the display stands between the last two ticks: 0 <= alpha < 1.
    ///
    /// ```
    /// # use evenstep_host::View;
    /// fn is_past_the_middle(view: View<'_>) -> bool {
    ///     view.alpha() > 0.5
    /// }
    /// ```
    pub const fn alpha(&self) -> f64 {
        self.frame.alpha()
    }
}

/// What becomes of an app that nobody can see: a minimised window, a tab in the background.
///
/// ```
/// assert_eq!(evenstep_host::Background::default(), evenstep_host::Background::Hold);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Background {
    /// It stands still: no ticks, no time passes, and nothing jumps when it is seen again.
    #[default]
    Hold,
    /// It steps on and is not drawn: for a game that others play too.
    Run,
}
