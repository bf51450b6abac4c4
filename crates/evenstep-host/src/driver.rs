//! What all hosts share: events in, a plan carried out.

use std::fmt;
use std::time::Duration;

use evenstep::{Frame, Gate, Pacer, from_millis};

use crate::app::{App, Context, Draw, View};
use crate::event::Event;
use crate::input::{Held, Input};
use crate::pad::{PADS, PadState};
use crate::waiting::Waiting;

/// Runs an app by hand: the host's own work without its window or its clock.
///
/// Every host is a loop around one of these. Use it to test an app, or to write a host of your own:
///
/// ```
/// use std::time::Duration;
/// use evenstep_host::{App, Context, Driver, Event, Input, Key};
///
/// struct Counter { steps: u32 }
/// impl App for Counter {
///     fn step(&mut self, _input: &Input, _cx: &mut Context<'_>) {
///         self.steps += 1;
///     }
/// }
///
/// let mut driver = Driver::new(Counter { steps: 0 });
/// for n in 0..=60 {
///     driver.event(Duration::from_millis(1000 * n / 60), Event::KeyDown(Key::Space));
///     driver.frame(Duration::from_millis(1000 * n / 60));
/// }
/// assert_eq!(driver.app().steps, 60);
/// ```
pub struct Driver<A> {
    app: A,
    pacer: Pacer,
    // What waits for a tick; what the tick sees; what is held right now, which may be ahead of it.
    waiting: Waiting,
    input: Input,
    held: Held,
    // What time the app was last told.
    now: Duration,
    is_over: bool,
    frame: Option<Frame>,
}

impl<A: App> Driver<A> {
    /// An app that has seen nothing yet.
    ///
    /// ```
    /// # use evenstep_host::{App, Context, Driver, Input};
    /// # struct Game;
    /// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
    /// let driver = Driver::new(Game);
    /// assert_eq!(driver.pacer().tick(), 0);
    /// ```
    pub fn new(app: A) -> Self {
        Self {
            pacer: Pacer::new(app.pacing()),
            waiting: Waiting::new(app.latching()),
            app,
            input: Input::default(),
            held: Held::default(),
            now: Duration::ZERO,
            is_over: false,
            frame: None,
        }
    }

    /// Something happened `at` a time on the clock of the frames. The app hears of it now, and the tick that it
    /// belongs to once more.
    ///
    /// Repeats and releases of what is not held are ignored, and so are places that are no numbers; a gamepad's axis is
    /// cut to its range. A lost focus releases everything first.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use evenstep_host::{App, Context, Driver, Event, Input, Key};
    /// # struct Game { heard: u32 }
    /// impl App for Game {
    ///     fn input(&mut self, _event: Event, _cx: &mut Context<'_>) {
    ///         self.heard += 1;
    ///     }
    /// #   fn step(&mut self, _: &Input, _: &mut Context<'_>) {}
    /// }
    /// let mut driver = Driver::new(Game { heard: 0 });
    /// driver.event(Duration::ZERO, Event::KeyDown(Key::KeyA));
    /// driver.event(Duration::ZERO, Event::KeyDown(Key::KeyA));
    /// assert_eq!(driver.app().heard, 1);
    /// ```
    pub fn event(&mut self, at: Duration, event: Event) {
        if matches!(event, Event::FocusLost | Event::Hidden) {
            self.release_all(at);
        }
        if let Some(event) = self.held.admit(event) {
            self.tell(at, event);
        }
    }

    /// Lets go of every key, button and finger: for a host that may have missed releases.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use evenstep_host::{App, Context, Driver, Event, Input, Key};
    /// # struct Game { is_firing: bool }
    /// impl App for Game {
    ///     fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
    ///         self.is_firing = input.is_down(Key::Space);
    ///     }
    /// }
    /// let ms = Duration::from_millis;
    /// let mut driver = Driver::new(Game { is_firing: false });
    /// driver.frame(ms(0));
    /// driver.event(ms(1), Event::KeyDown(Key::Space));
    /// driver.frame(ms(20));
    /// assert!(driver.app().is_firing);
    /// driver.release_all(ms(21));
    /// driver.frame(ms(60));
    /// assert!(!driver.app().is_firing);
    /// ```
    pub fn release_all(&mut self, at: Duration) {
        for release in self.held.releases() {
            self.tell(at, release);
        }
    }

    /// A gamepad as of this frame's poll, or none where it was unplugged. Hosts ask the system once a frame.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use evenstep_host::{App, Button, Context, Driver, Input, PadState};
    /// # struct Game { is_firing: bool }
    /// impl App for Game {
    ///     fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
    ///         self.is_firing = input.is_pad_down(0, Button::South);
    ///     }
    /// }
    /// let mut driver = Driver::new(Game { is_firing: false });
    /// driver.frame(Duration::ZERO);
    /// let mut pad = PadState::default();
    /// pad.set(Button::South, true);
    /// driver.poll_pad(Duration::from_millis(17), 0, Some(pad));
    /// driver.frame(Duration::from_millis(17));
    /// assert!(driver.app().is_firing);
    /// ```
    pub fn poll_pad(&mut self, at: Duration, pad: u8, state: Option<PadState>) {
        let Some(before) = self.held.pad(pad).copied() else {
            return;
        };
        let now = state.unwrap_or_default().with_dead_zone();
        before.for_each_change(&now, pad, |event| self.tell(at, event));
    }

    /// Plans the frame at `now` and carries it out, but for the drawing.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use evenstep_host::{App, Context, Driver, Input};
    /// # struct Game;
    /// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
    /// let mut driver = Driver::new(Game);
    /// driver.frame(Duration::ZERO);
    /// assert_eq!(driver.frame(Duration::from_millis(50)).steps(), 3);
    /// ```
    pub fn frame(&mut self, now: Duration) -> Frame {
        self.now = now;
        self.waiting.begin_frame(now);
        let frame = self.pacer.frame(now);
        self.carry_out(frame)
    }

    /// Plans and carries out the frame at a `requestAnimationFrame` timestamp, but for the drawing. One that is not a
    /// number is counted and skipped: the time is what it was.
    ///
    /// ```
    /// # use evenstep_host::{App, Context, Driver, Input};
    /// # struct Game;
    /// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
    /// let mut driver = Driver::new(Game);
    /// driver.frame_millis(1_000.0);
    /// assert_eq!(driver.frame_millis(1_050.0).steps(), 3);
    /// ```
    pub fn frame_millis(&mut self, now_ms: f64) -> Frame {
        if let Some(now) = from_millis(now_ms) {
            return self.frame(now);
        }
        let frame = self.pacer.frame_millis(now_ms);
        self.carry_out(frame)
    }

    /// Reports when the last frame's steps were done, on the clock of the frames.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use evenstep_host::{App, Context, Driver, Input};
    /// # struct Game;
    /// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
    /// let mut driver = Driver::new(Game);
    /// driver.frame(Duration::ZERO);
    /// driver.steps_done(Duration::from_millis(2));
    /// assert_eq!(driver.pacer().stats().step_time(), Duration::from_millis(2));
    /// ```
    pub fn steps_done(&mut self, now: Duration) {
        self.pacer.steps_done(now);
    }

    /// Draws the last frame, whether its plan asked for it or not. Nothing before the first frame.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use evenstep_host::{App, Color, Context, Draw, Driver, Input, Paint, Pixels, View};
    /// # struct Game;
    /// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
    /// impl<C: Paint> Draw<C> for Game {
    ///     fn draw(&mut self, canvas: &mut C, _view: View<'_>) {
    ///         canvas.fill(Color::rgb(0xFF_80_00));
    ///     }
    /// }
    /// let mut driver = Driver::new(Game);
    /// driver.frame(Duration::ZERO);
    /// let mut pixel = [0];
    /// driver.draw(&mut Pixels::new(&mut pixel, 1, 1, 1.0));
    /// assert_eq!(pixel, [0xFF_80_00]);
    /// ```
    pub fn draw<C>(&mut self, canvas: &mut C)
    where
        A: Draw<C>,
    {
        if let Some(frame) = &self.frame {
            self.app.draw(canvas, View { frame, pacer: &self.pacer });
        }
    }

    /// Reports when the last frame's drawing was done, on the clock of the frames.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use evenstep_host::{App, Context, Driver, Input};
    /// # struct Game;
    /// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
    /// let mut driver = Driver::new(Game);
    /// driver.frame(Duration::ZERO);
    /// driver.draw_done(Duration::from_millis(3));
    /// assert_eq!(driver.pacer().stats().draw_time(), Duration::from_millis(3));
    /// ```
    pub fn draw_done(&mut self, now: Duration) {
        self.pacer.draw_done(now);
    }

    /// The host will be away until the next frame. No time passes for the app in between, and none that it has seen is
    /// lost: the fraction of a tick that waits goes on waiting.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use evenstep_host::{App, Context, Driver, Input};
    /// # struct Game;
    /// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
    /// let mut driver = Driver::new(Game);
    /// driver.frame(Duration::ZERO);
    /// driver.go_away();
    /// assert_eq!(driver.frame(Duration::from_secs(3_600)).steps(), 0);
    /// assert_eq!(driver.pacer().stats().lag_spikes(), 0);
    /// ```
    pub fn go_away(&mut self) {
        self.pacer.go_away();
    }

    /// Whether the app has asked to quit.
    ///
    /// ```
    /// # use evenstep_host::{App, Context, Driver, Input};
    /// # struct Game;
    /// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
    /// assert!(!Driver::new(Game).is_over());
    /// ```
    pub const fn is_over(&self) -> bool {
        self.is_over
    }

    /// How many events no tick ever saw because too many waited. What is held is right all the same. A move that a
    /// later one replaced is not among them.
    ///
    /// ```
    /// # use evenstep_host::{App, Context, Driver, Input};
    /// # struct Game;
    /// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
    /// assert_eq!(Driver::new(Game).events_dropped(), 0);
    /// ```
    pub const fn events_dropped(&self) -> u64 {
        self.waiting.dropped()
    }

    /// The app.
    ///
    /// ```
    /// # use evenstep_host::{App, Context, Driver, Input};
    /// # struct Game { score: u32 }
    /// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
    /// assert_eq!(Driver::new(Game { score: 3 }).app().score, 3);
    /// ```
    pub const fn app(&self) -> &A {
        &self.app
    }

    /// The app, to be changed between frames.
    ///
    /// ```
    /// # use evenstep_host::{App, Context, Driver, Input};
    /// # struct Game { score: u32 }
    /// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
    /// let mut driver = Driver::new(Game { score: 3 });
    /// driver.app_mut().score = 4;
    /// ```
    pub const fn app_mut(&mut self) -> &mut A {
        &mut self.app
    }

    /// The app back, at the end.
    ///
    /// ```
    /// # use evenstep_host::{App, Context, Driver, Input};
    /// # struct Game { score: u32 }
    /// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
    /// assert_eq!(Driver::new(Game { score: 3 }).into_app().score, 3);
    /// ```
    pub fn into_app(self) -> A {
        self.app
    }

    /// The pacer.
    ///
    /// ```
    /// # use evenstep_host::{App, Context, Driver, Input};
    /// # struct Game;
    /// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
    /// assert_eq!(Driver::new(Game).pacer().scale(), 1.0);
    /// ```
    pub const fn pacer(&self) -> &Pacer {
        &self.pacer
    }

    /// The pacer, to be controlled from outside the app: a host hints at the display's refresh with it.
    ///
    /// ```
    /// # use evenstep::Rate;
    /// # use evenstep_host::{App, Context, Driver, Input};
    /// # struct Game;
    /// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
    /// Driver::new(Game).pacer_mut().hint_refresh(Rate::hz(144).step());
    /// ```
    pub const fn pacer_mut(&mut self) -> &mut Pacer {
        &mut self.pacer
    }

    /// Lets the app know, and puts the event where its tick will find it. The game hears of it if its gate is open, before
    /// and after.
    fn tell(&mut self, at: Duration, event: Event) {
        self.held.apply(event);
        self.now = at;
        let was_open = self.pacer.gate() == Gate::Open;
        let tick = self.pacer.tick();
        self.app
            .input(event, &mut Context { pacer: &mut self.pacer, tick, now: at, is_over: &mut self.is_over });
        if was_open && self.pacer.gate() == Gate::Open {
            self.waiting.push(at, event, &self.held);
        } else {
            self.waiting.settle(at, &self.held);
        }
    }

    fn carry_out(&mut self, frame: Frame) -> Frame {
        let now = self.now;
        for tick in frame.ticks() {
            self.input.begin_tick();
            self.waiting.feed(&mut self.input, &frame, tick);
            self.app.step(
                &self.input,
                &mut Context { pacer: &mut self.pacer, tick, now, is_over: &mut self.is_over },
            );
        }
        let tick = self.pacer.tick();
        self.app
            .frame(&frame, &mut Context { pacer: &mut self.pacer, tick, now, is_over: &mut self.is_over });
        *self.frame.insert(frame)
    }
}

impl<A> fmt::Debug for Driver<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Driver")
            .field("pacer", &self.pacer)
            .field("is_over", &self.is_over)
            .finish_non_exhaustive()
    }
}

const _: () = assert!(PADS <= u8::MAX as usize, "a gamepad's number is a byte");
