//! The window host: turns winit's events into ours, and decides when a frame begins.
//!
//! ```text
//! a beat arrives      a redraw, a count, a deadline, or at once if presenting blocks
//!   -> due            its time is the frame's timestamp; a late start may let it wait
//!   -> about_to_wait  all input has been read: the frame runs
//! ```

#![expect(clippy::disallowed_methods, reason = "owns the clock")]

mod feedback;
mod visibility;

use std::time::{Duration, Instant};

use evenstep::{LockState, Rate};
use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::WindowId;

use self::feedback::Feedback;
use self::visibility::{VISIBILITY_CHECK, Visibility};
use super::Window;
use super::beats::Beats;
use super::clock::Clock;
use super::events::Mouse;
use super::images::{DrawTimes, Images};
use super::open_window::{Canvas, OpenWindow};
use crate::app::App;
use crate::deadlines::{Deadlines, HAND_OVER, wait_until};
use crate::display::Beat;
use crate::driver::Driver;
use crate::error::Error;
use crate::event::{Event, Size};

/// Frame rate when the monitor does not report one.
pub(super) const RATE_FALLBACK: Rate = Rate::hz(60);
/// Wayland tells winit which monitor a window is on, and winit does not pass it on. There the question is cheap; elsewhere
/// there are events.
const MONITOR_CHECK: Duration = Duration::from_secs(1);

/// What wakes the event loop from other threads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wake {
    /// The window system has counted a refresh.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only X servers count"))]
    Counted,
}

/// A frame that is due.
#[derive(Clone, Copy, Debug)]
struct Due {
    /// When the beat came: the frame's timestamp.
    sync: Duration,
    /// When the frame begins.
    start: Duration,
    /// What the beat was.
    beat: Beat,
}

pub(super) struct Host<A, C> {
    options: Window,
    driver: Driver<A>,
    clock: Clock,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only X servers count"))]
    proxy: EventLoopProxy<Wake>,
    beats: Beats,
    deadlines: Deadlines,
    feedback: Feedback,
    due: Option<Due>,
    // The last frame presented an image, so the next present waits for the display.
    has_presented: bool,
    images: Images,
    // The refresh rate last hinted to the pacer.
    rate_hinted: Option<Rate>,
    // The window may be on another monitor. The window system knows which one only after its move event.
    has_moved: bool,
    monitor_checked: Instant,
    // When the event loop was last idle.
    idle_at: Instant,
    // The longest time without a break since the last frame.
    busy: Duration,
    window: Option<OpenWindow<C>>,
    #[cfg(feature = "gamepad")]
    pads: super::pads::Pads,
    mouse: Mouse,
    told: Told,
    visibility: Visibility,
    // The driver has been sent `Event::Hidden`.
    is_hidden: bool,
    // When a redraw was requested from a compositor with vertical sync. The next frame begins with that redraw, not at
    // a deadline. A redraw that stays pending means that the window is not shown.
    redraw_requested: Option<Instant>,
    // When the last frame began, if at a deadline. A redraw right after it belongs to the same refresh.
    frame_at_deadline: Option<Instant>,
    error: Option<Error>,
}

/// What the app was told about its window, so that nothing is told twice.
#[derive(Default)]
struct Told {
    size: Option<Size>,
    has_had_focus: bool,
}

impl<A, C> Host<A, C>
where
    A: App,
    C: Canvas<A>,
{
    pub(super) fn new(options: Window, app: A, proxy: EventLoopProxy<Wake>) -> Self {
        let now = Instant::now();
        let mut driver = Driver::new(app);
        #[cfg(feature = "trace")]
        if let Some(path) = &options.trace {
            driver.trace_to_file(path);
        }
        Self {
            deadlines: Deadlines::new(options.rate.unwrap_or(RATE_FALLBACK), now),
            // Until the window is open.
            beats: Beats::new(Beat::Deadlines, None, None, driver.display_mut()),
            images: Images::new(options.starts_late),
            options,
            driver,
            clock: Clock::start(),
            proxy,
            feedback: Feedback::default(),
            due: None,
            has_presented: false,
            rate_hinted: None,
            has_moved: false,
            monitor_checked: now,
            idle_at: now,
            busy: Duration::ZERO,
            window: None,
            #[cfg(feature = "gamepad")]
            pads: super::pads::Pads::new(),
            mouse: Mouse::default(),
            told: Told::default(),
            visibility: Visibility::new(now),
            is_hidden: false,
            redraw_requested: None,
            frame_at_deadline: None,
            error: None,
        }
    }

    pub(super) fn into_result(self) -> Result<A, Error> {
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.driver.into_app()),
        }
    }

    fn now(&self) -> Duration {
        self.clock.now()
    }

    fn tell(&mut self, event: Event) {
        self.driver.event(self.now(), event);
        self.carry_out_requests();
    }

    /// Carries out what the app has asked of its window.
    fn carry_out_requests(&mut self) {
        if let Some(window) = &self.window {
            window.carry_out(&self.driver.take_requests());
            self.driver.set_fullscreen(window.is_fullscreen());
        }
    }

    /// Handles a requested redraw: the compositor is about to show the last image.
    fn sync(&mut self) {
        self.redraw_requested = None;
        if self.is_suspended() || self.beats.current() != Beat::FrameCallback {
            return;
        }
        let now = Instant::now();
        let rate = self.deadlines.rate();
        let began = self.frame_at_deadline.take();
        if began.is_some_and(|began| now.duration_since(began) < rate.step() / 2) {
            // The same refresh.
            self.deadlines = Deadlines::new(rate, now);
        } else {
            let at = self.now();
            self.beats.beat(at, None, self.driver.display_mut());
            self.schedule(at, Beat::FrameCallback);
        }
    }

    /// Schedules the frame of a beat that came at `sync`.
    fn schedule(&mut self, sync: Duration, beat: Beat) {
        if self.is_suspended() {
            return;
        }
        let period = match self.driver.pacer().lock_state() {
            LockState::Locked { refresh_hz } if !self.is_hidden => {
                Some(Duration::from_secs_f64(1.0 / refresh_hz))
            }
            _ => None,
        };
        let wait = self.images.wait(sync, period, self.driver.display_mut());
        self.due = Some(Due { sync, start: sync + wait, beat });
    }

    /// Runs a frame, and draws it if the window is visible.
    fn frame(&mut self, event_loop: &ActiveEventLoop, Due { sync, beat, .. }: Due) {
        let clock = self.clock;
        let image = self.images.begin_frame();
        let input_at = self.clock.now();
        let mut drawn = None;
        self.driver.display_mut().busy = std::mem::take(&mut self.busy);
        self.driver.run_frame(
            sync,
            || clock.now(),
            |driver| {
                #[cfg(feature = "gamepad")]
                self.pads.poll(|pad, state| driver.poll_pad(sync, pad, state));
                #[cfg(not(feature = "gamepad"))]
                let _ = driver;
            },
            |driver| {
                let window = self.window.as_mut().filter(|_| !self.is_hidden);
                drawn = window.map(|window| window.draw(driver, image));
                matches!(drawn, Some(Ok(true)))
            },
        );
        self.has_presented = matches!(drawn, Some(Ok(true)));
        if let Some(window) = &mut self.window {
            let waits = window.canvas.take_waits();
            if waits.has_timed_out {
                self.beats.stop(self.driver.display_mut());
            } else if self.has_presented {
                let times = DrawTimes { sync, input_at, drawn_at: clock.now(), blocked: waits.blocked };
                self.images.drawn(times, window.canvas.chain());
                self.beats.resume(self.driver.display_mut());
            }
        }
        if let Some(result) = drawn {
            self.after_draw(event_loop, result);
        }
        self.carry_out_requests();
        if self.driver.is_over() {
            event_loop.exit();
        }
        let began = clock.instant(sync);
        if beat == Beat::Deadlines {
            self.frame_at_deadline = Some(began);
            self.deadlines.advance(Instant::now());
        } else {
            // If no beat follows, as after a frame that is not drawn, the next frame begins where it would have come.
            self.deadlines = Deadlines::new(self.deadlines.rate(), began);
        }
        self.ask_for_counts();
    }

    /// Draws the last frame again, for a window system that lost its image.
    fn redraw(&mut self, event_loop: &ActiveEventLoop) {
        if let Some(window) = &mut self.window {
            let result = window.draw(&mut self.driver, self.images.next_number());
            if matches!(result, Ok(true)) {
                self.images.redrawn(window.canvas.chain());
            }
            self.after_draw(event_loop, result);
        }
    }

    /// Requests the next redraw from a compositor: it starts the next frame, or at least allows it. A compositor that does
    /// not answer does not show the window.
    fn after_draw(&mut self, event_loop: &ActiveEventLoop, result: Result<bool, Box<dyn std::error::Error>>) {
        let has_presented = match result {
            Ok(has_presented) => has_presented,
            Err(source) => return self.fail(event_loop, source),
        };
        self.follow_canvas();
        let is_suspended = self.is_suspended();
        if let Some(window) = self.window.as_mut().filter(|window| window.has_callbacks && !is_suspended) {
            window.handle.request_redraw();
            self.redraw_requested = Some(Instant::now());
        }
        let blocks = self.beats.current() == Beat::BlockingPresent && !self.is_hidden && has_presented;
        if let Some(window) = self.window.as_mut().filter(|_| blocks)
            && let Err(source) = window.canvas.prepare(window.size)
        {
            self.fail(event_loop, source);
        }
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, source: Box<dyn std::error::Error>) {
        self.error = Some(Error::Window { source });
        event_loop.exit();
    }

    /// Returns what starts the next frame. Without an image, presenting cannot wait and no compositor calls back.
    fn beat(&self) -> Beat {
        match self.beats.current() {
            Beat::FrameCallback if self.redraw_requested.is_none() => Beat::Deadlines,
            // A compositor takes no more images than it calls back for. Presenting one more would block until the window
            // is visible again.
            Beat::Deadlines | Beat::BlockingPresent if self.redraw_requested.is_some() => Beat::FrameCallback,
            Beat::BlockingPresent if self.is_hidden || !self.has_presented => Beat::Deadlines,
            beat => beat,
        }
    }

    /// Tells the event loop when to wake up next.
    fn wait(&self, event_loop: &ActiveEventLoop) {
        let check_at = Instant::now() + VISIBILITY_CHECK;
        event_loop.set_control_flow(if self.is_suspended() {
            ControlFlow::WaitUntil(check_at)
        } else if let Some(due) = self.due {
            ControlFlow::WaitUntil(self.clock.instant(due.start.saturating_sub(HAND_OVER)))
        } else {
            match self.beat() {
                Beat::FrameCallback | Beat::VerticalCount => ControlFlow::WaitUntil(check_at),
                Beat::BlockingPresent => ControlFlow::Poll,
                Beat::Deadlines => ControlFlow::WaitUntil(self.deadlines.hand_over()),
            }
        });
    }

    /// Makes the next frame due if its time has come.
    fn check_beat(&mut self) {
        if self.is_suspended() || self.due.is_some() {
            return;
        }
        let now = self.now();
        match self.beat() {
            Beat::Deadlines if self.deadlines.next() <= self.clock.instant(now) => {
                self.schedule(now, Beat::Deadlines);
            }
            Beat::BlockingPresent => {
                self.beats.beat(now, None, self.driver.display_mut());
                self.schedule(now, Beat::BlockingPresent);
            }
            Beat::VerticalCount => self.beats.wait(now, self.driver.display_mut()),
            Beat::FrameCallback | Beat::Deadlines => {}
        }
    }

    fn resize(&mut self) {
        if let Some(window) = &mut self.window {
            window.measure();
            let size = window.size;
            // X11 reports the size of a new window again.
            if self.told.size.replace(size) != Some(size) {
                self.tell(Event::Resized(size));
            }
        }
        // Window systems ask for extra images while the size changes.
        self.beats.pause();
        self.check_visibility();
    }
}

impl<A, C> ApplicationHandler<Wake> for Host<A, C>
where
    A: App,
    C: Canvas<A>,
{
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.window.is_some() {
            return;
        }
        match OpenWindow::open(event_loop, &self.options) {
            Ok(window) => {
                self.window = Some(window);
                self.resize();
                self.listen();
            }
            Err(source) => self.fail(event_loop, source),
        }
    }

    fn new_events(&mut self, _event_loop: &ActiveEventLoop, cause: StartCause) {
        if matches!(cause, StartCause::ResumeTimeReached { .. }) && !self.is_suspended() {
            // Wait out the last millisecond before the events are read, so that the frame gets the latest ones.
            match self.due {
                Some(due) => wait_until(self.clock.instant(due.start)),
                None if self.beat() == Beat::Deadlines => self.deadlines.wait(),
                None => {}
            }
        }
        self.idle_at = Instant::now();
        // The timestamp comes before the input.
        self.check_beat();
    }

    fn user_event(&mut self, _event_loop: &ActiveEventLoop, Wake::Counted: Wake) {
        self.count();
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.read_reports();
        self.check_beat();
        if let Some(due) = self.due.take_if(|due| due.start <= self.clock.now())
            && !event_loop.exiting()
        {
            self.frame(event_loop, due);
        }
        // After the frame: this query is slow enough to make the frame late.
        let now = Instant::now();
        let asks = self.window.as_ref().is_some_and(|window| window.has_callbacks)
            && now.duration_since(self.monitor_checked) >= MONITOR_CHECK;
        if std::mem::take(&mut self.has_moved) || asks {
            self.monitor_checked = now;
            self.follow_monitor();
        }
        self.watch_visibility(now);
        self.busy = self.busy.max(self.idle_at.elapsed());
        self.wait(event_loop);
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _window: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::RedrawRequested if self.redraw_requested.is_some() => self.sync(),
            WindowEvent::RedrawRequested => {
                if std::mem::take(&mut self.visibility.is_starved) {
                    self.check_visibility();
                }
                self.redraw(event_loop);
            }
            WindowEvent::Resized(_) => self.resize(),
            WindowEvent::ScaleFactorChanged { .. } => {
                self.resize();
                self.has_moved = true;
            }
            WindowEvent::Moved(_) => self.has_moved = true,
            WindowEvent::Occluded(is_occluded) => {
                self.visibility.is_occluded = is_occluded;
                self.check_visibility();
            }
            WindowEvent::Focused(is_focused) => {
                self.visibility.is_focused = is_focused;
                // X11 takes the focus from a new window that never had it.
                if is_focused || self.told.has_had_focus {
                    self.told.has_had_focus = true;
                    self.tell(if is_focused { Event::FocusGained } else { Event::FocusLost });
                }
                self.check_visibility();
            }
            input => {
                let scale = self.window.as_ref().map_or(1.0, |window| window.size.scale);
                if let Some(event) = self.mouse.translate(&input, scale) {
                    self.tell(event);
                }
            }
        }
        if self.driver.is_over() {
            event_loop.exit();
        }
    }

    fn exiting(&mut self, _event_loop: &ActiveEventLoop) {
        // After the event loop, the connection to the window system is gone.
        self.window = None;
    }
}
