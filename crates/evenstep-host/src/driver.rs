//! The part that all hosts share: events in, frames out.

use std::fmt;
#[cfg(feature = "trace")]
use std::io::Write;
#[cfg(feature = "trace")]
use std::path::Path;
use std::time::Duration;

use evenstep::{Command, Frame, Gate, Pacer, from_millis};

use crate::app::{App, Context, Draw, View};
use crate::display::Display;
use crate::event::Event;
use crate::input::{Held, Input};
use crate::pacer::HostPacer;
use crate::pad::{PADS, PadState};
use crate::requests::{Link, Requests};
#[cfg(feature = "trace")]
use crate::trace::Trace;
use crate::waiting::Waiting;

/// Runs an app: everything a host does, apart from the window and the clock.
///
/// Every host is a loop around a driver. Use one to test an app, or call [`run_frame`](Self::run_frame) to write a host
/// of your own.
///
/// ```
/// use std::time::Duration;
/// use evenstep_host::{App, Context, Driver, Event, Input, Key};
///
/// struct Game { jumps: u32 }
/// impl App for Game {
///     fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
///         self.jumps += u32::from(input.pressed(Key::Space));
///     }
/// }
///
/// let ms = Duration::from_millis;
/// let mut driver = Driver::new(Game { jumps: 0 });
/// driver.frame(ms(0)); // Starts the clock.
/// driver.event(ms(5), Event::KeyDown(Key::Space));
/// let frame = driver.frame(ms(50));
/// assert_eq!(frame.steps(), 3);
/// assert_eq!(driver.pacer().tick(), 3);
/// assert_eq!(driver.events_dropped(), 0);
/// assert!(!driver.is_over());
/// assert_eq!(driver.into_app().jumps, 1);
/// ```
pub struct Driver<A> {
    app: A,
    pacer: HostPacer,
    // Events that wait for their tick.
    waiting: Waiting,
    // Input as the current tick sees it.
    input: Input,
    // What is held right now, which may be ahead of `input`.
    held: Held,
    // Buttons of gamepads that were released for the app, and are still down: they must not be pressed a second time.
    ignored: [PadState; PADS],
    // The time of the last frame or of a later event: what a skipped frame reports.
    now: Duration,
    link: Link,
    frame: Option<Frame>,
}

impl<A: App> Driver<A> {
    /// Creates a driver for an app. Its clock starts with the first frame.
    pub fn new(app: A) -> Self {
        Self {
            pacer: HostPacer::new(Pacer::new(app.pacing())),
            waiting: Waiting::new(app.latching()),
            app,
            input: Input::default(),
            held: Held::default(),
            ignored: [PadState::default(); PADS],
            now: Duration::ZERO,
            link: Link::default(),
            frame: None,
        }
    }

    /// Runs one frame from polling to drawing, and returns its plan.
    ///
    /// ```text
    /// poll(driver)      the host reads gamepads and other devices that send no events
    /// App::step         once for each tick of the plan for `now`
    /// App::frame        once
    /// steps_done        reported to the pacer
    /// draw(driver)      only if the plan asks for an image; returns whether it drew one
    /// draw_done         reported to the pacer, only if an image was drawn
    /// ```
    ///
    /// `clock` reads the clock that `now` comes from. Work is timed from the end of the poll: neither polling nor the
    /// delay before a late callback counts as the app's work.
    ///
    /// A complete host:
    ///
    /// ```
    /// use std::time::Instant;
    /// use evenstep_host::{App, Context, Draw, Driver, Input, Paint, Pixels, View};
    /// # struct Game;
    /// # impl App for Game {
    /// #     fn step(&mut self, _: &Input, cx: &mut Context<'_>) {
    /// #         cx.quit();
    /// #     }
    /// # }
    /// # impl<C: Paint> Draw<C> for Game {
    /// #     fn draw(&mut self, _: &mut C, _: View<'_>) {}
    /// # }
    /// # fn read_gamepad() -> Option<evenstep_host::PadState> { None }
    /// # fn wait_for_display() {}
    ///
    /// let mut driver = Driver::new(Game);
    /// let mut image = vec![0; 640 * 360];
    /// let start = Instant::now();
    /// while !driver.is_over() {
    ///     wait_for_display();
    ///     let now = start.elapsed();
    ///     let poll = |driver: &mut Driver<Game>| driver.poll_pad(now, 0, read_gamepad());
    ///     driver.run_frame(now, || start.elapsed(), poll, |driver| {
    ///         driver.draw(&mut Pixels::new(&mut image, 640, 360, 1.0));
    ///         true
    ///     });
    /// }
    /// ```
    pub fn run_frame(
        &mut self,
        now: Duration,
        clock: impl Fn() -> Duration,
        poll: impl FnOnce(&mut Self),
        draw: impl FnOnce(&mut Self) -> bool,
    ) -> Frame {
        poll(self);
        let began = clock();
        let frame = self.frame(now);
        // A busy browser calls back long after the timestamp. The app did not spend that time.
        let late = began.saturating_sub(now);
        self.steps_done(clock().saturating_sub(late));
        if frame.should_draw() && draw(self) {
            self.draw_done(clock().saturating_sub(late));
        }
        frame
    }

    /// Passes an event to the app at once, and to the tick that it belongs to. `at` is on the same clock as the frames.
    ///
    /// Key repeats, releases of keys that are not held, and pointer positions that are not finite are ignored. Gamepad
    /// axes are clamped to their range. [`Event::FocusLost`] and [`Event::Hidden`] first release everything that is
    /// held.
    pub fn event(&mut self, at: Duration, event: Event) {
        if matches!(event, Event::FocusLost | Event::Hidden) {
            self.release_all(at);
        }
        if let Some(event) = self.held.admit(event) {
            self.deliver(at, event);
        }
    }

    /// Releases every key, button and finger, for a host that may have missed releases. A button of a gamepad that is still
    /// down counts as released until it goes up and down again.
    pub fn release_all(&mut self, at: Duration) {
        for (ignored, pad) in self.ignored.iter_mut().zip(self.held.pads()) {
            ignored.add_buttons(pad);
        }
        for release in self.held.releases() {
            self.deliver(at, release);
        }
    }

    /// Sets the state of gamepad `pad`, or `None` if it is unplugged, and sends the app what has changed. Hosts call
    /// this once a frame.
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
        let Some(ignored) = self.ignored.get_mut(usize::from(pad)) else {
            return;
        };
        let now = state.unwrap_or_default().without_ignored(ignored).with_dead_zone();
        before.for_each_change(&now, pad, |event| self.deliver(at, event));
    }

    /// Plans the frame at `now` and runs its steps, without drawing. [`run_frame`](Self::run_frame) does both.
    pub fn frame(&mut self, now: Duration) -> Frame {
        let frame = self.pacer.frame(now);
        self.now = frame.now();
        self.waiting.begin_frame(self.now);
        self.run_steps(frame)
    }

    /// Plans the frame at a `requestAnimationFrame` timestamp and runs its steps, without drawing. A timestamp that is
    /// not a number counts as a skipped frame, and no time passes.
    pub fn frame_millis(&mut self, now_ms: f64) -> Frame {
        if let Some(now) = from_millis(now_ms) {
            return self.frame(now);
        }
        let frame = self.pacer.frame_millis(now_ms);
        self.run_steps(frame)
    }

    /// Draws the last frame, whether or not its plan asked for an image. Does nothing before the first frame.
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
            self.app.draw(canvas, View { frame, pacer: &self.pacer, display: &self.link.display });
        }
    }

    /// Tells the pacer something, from outside the app; see [`Pacer::tell`]. The methods below are short for it.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use evenstep_host::{App, Context, Driver, Input};
    /// # struct Game;
    /// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
    /// let mut driver = Driver::new(Game);
    /// driver.frame(Duration::ZERO);
    /// driver.suspend();
    /// assert_eq!(driver.frame(Duration::from_secs(3_600)).steps(), 0);
    /// assert_eq!(driver.pacer().stats().lag_spikes(), 0);
    /// ```
    pub fn tell(&mut self, command: Command) {
        self.pacer.tell(command);
    }

    evenstep::command_methods!();

    /// Records every frame from now on, and what the pacer is told, for `evenstep trace` and `evenstep import`.
    ///
    /// Replaying the trace gives the same decisions. An error of the stream never ends the game: it ends the recording,
    /// is printed on standard error, and [`trace_error`](Self::trace_error) returns it. Wrap a file in a
    /// [`BufWriter`](std::io::BufWriter), or use [`trace_to_file`](Self::trace_to_file).
    ///
    /// ```
    /// # use evenstep::Rate;
    /// # use evenstep_host::{App, Context, Driver, Input, headless};
    /// # struct Game;
    /// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
    /// let mut driver = Driver::new(Game);
    /// driver.trace_to(Vec::new()); // A file, a socket, ...
    /// for now in headless::display(Rate::hz(60)).take(600) {
    ///     driver.frame(now);
    /// }
    /// driver.finish_trace().expect("memory does not fail");
    /// ```
    #[cfg(feature = "trace")]
    pub fn trace_to(&mut self, stream: impl Write + Send + 'static) {
        self.pacer.trace = None;
        self.pacer.trace = Some(Box::new(Trace::to_stream(Box::new(stream), "the stream", &self.pacer)));
    }

    /// Records into a file; see [`trace_to`](Self::trace_to). If the file cannot be created, the reason is printed on
    /// standard error, and the game runs without a trace.
    #[cfg(feature = "trace")]
    pub fn trace_to_file(&mut self, path: impl AsRef<Path>) {
        let path = path.as_ref();
        // An earlier trace is complete before its file may be created anew.
        self.pacer.trace = None;
        match Trace::to_file(path, &self.pacer) {
            Ok(trace) => self.pacer.trace = Some(Box::new(trace)),
            Err(error) => crate::trace::report(&path.display().to_string(), &error),
        }
    }

    /// Records into memory, for a page that offers the text as a download; see [`trace_to`](Self::trace_to). The
    /// recording ends at 32 MiB, more than an hour at 60 frames a second.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use evenstep_host::{App, Context, Driver, Input};
    /// # struct Game;
    /// # impl App for Game { fn step(&mut self, _: &Input, _: &mut Context<'_>) {} }
    /// let mut driver = Driver::new(Game);
    /// driver.trace_to_text();
    /// driver.frame(Duration::from_millis(17));
    /// assert!(driver.trace_text().unwrap().ends_with("{\"frame_ns\":17000000}\n"));
    /// ```
    #[cfg(feature = "trace")]
    pub fn trace_to_text(&mut self) {
        self.pacer.trace = None;
        self.pacer.trace = Some(Box::new(Trace::to_text(&self.pacer)));
    }

    /// Returns the text recorded so far, if [`trace_to_text`](Self::trace_to_text) started it.
    #[cfg(feature = "trace")]
    pub fn trace_text(&self) -> Option<&str> {
        self.pacer.trace.as_ref()?.text()
    }

    /// Returns the error that ended the recording.
    #[cfg(feature = "trace")]
    pub fn trace_error(&self) -> Option<&evenstep_trace::Error> {
        self.pacer.trace.as_ref()?.error()
    }

    /// Ends the recording and writes what is buffered. Dropping the driver, or starting another trace, does the same and
    /// prints an error.
    ///
    /// # Errors
    ///
    /// If the stream has failed or fails now.
    #[cfg(feature = "trace")]
    pub fn finish_trace(&mut self) -> Result<(), evenstep_trace::Error> {
        self.pacer.trace.take().map_or(Ok(()), |trace| trace.finish())
    }

    /// Returns whether the app has asked to quit.
    pub const fn is_over(&self) -> bool {
        self.link.is_over
    }

    /// Returns what the app has asked of its window since the last call, for a host to carry out.
    pub fn take_requests(&mut self) -> Requests {
        std::mem::take(&mut self.link.requests)
    }

    /// Tells the app whether it fills the screen: see [`Context::is_fullscreen`].
    pub const fn set_fullscreen(&mut self, is_fullscreen: bool) {
        self.link.is_fullscreen = is_fullscreen;
    }

    /// Returns how many events never reached a tick because too many were waiting. What is held stays correct. A move
    /// that a later one replaced does not count.
    pub const fn events_dropped(&self) -> u64 {
        self.waiting.dropped()
    }

    /// Returns the app.
    pub const fn app(&self) -> &A {
        &self.app
    }

    /// Returns the app, to change it between frames.
    pub const fn app_mut(&mut self) -> &mut A {
        &mut self.app
    }

    /// Ends the run and returns the app.
    pub fn into_app(self) -> A {
        self.app
    }

    /// Returns the pacer.
    pub fn pacer(&self) -> &Pacer {
        &self.pacer
    }

    /// Returns the pacer, to control it from outside the app.
    pub const fn pacer_mut(&mut self) -> &mut HostPacer {
        &mut self.pacer
    }

    /// Returns what the host has said about the display.
    pub const fn display(&self) -> &Display {
        &self.link.display
    }

    /// Returns what the app sees of the display, for a host to fill in.
    pub const fn display_mut(&mut self) -> &mut Display {
        &mut self.link.display
    }

    /// Passes an event to the app and queues it for its tick. Only events that find the gate open, and leave it open,
    /// reach a tick.
    fn deliver(&mut self, at: Duration, event: Event) {
        self.held.apply(event);
        self.now = self.now.max(at);
        let was_open = self.pacer.gate() == Gate::Open;
        let tick = self.pacer.tick();
        self.app.input(event, &mut Context { pacer: &mut self.pacer, tick, now: at, link: &mut self.link });
        if was_open && self.pacer.gate() == Gate::Open {
            self.waiting.push(at, event, &self.held);
        } else {
            self.waiting.settle(at, &self.held);
        }
    }

    fn run_steps(&mut self, frame: Frame) -> Frame {
        let now = self.now;
        for tick in frame.ticks() {
            self.input.begin_tick();
            self.waiting.feed(&mut self.input, &frame, tick);
            self.app
                .step(&self.input, &mut Context { pacer: &mut self.pacer, tick, now, link: &mut self.link });
        }
        let tick = self.pacer.tick();
        self.app.frame(&frame, &mut Context { pacer: &mut self.pacer, tick, now, link: &mut self.link });
        *self.frame.insert(frame)
    }
}

impl<A> fmt::Debug for Driver<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Driver")
            .field("pacer", &self.pacer)
            .field("is_over", &self.link.is_over)
            .finish_non_exhaustive()
    }
}

const _: () = assert!(PADS <= u8::MAX as usize, "a gamepad's number is a byte");
