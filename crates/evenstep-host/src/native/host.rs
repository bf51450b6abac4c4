//! The window host: turns winit's events into ours, and decides when a frame begins.

#![expect(clippy::disallowed_methods, reason = "owns the clock")]

use std::time::{Duration, Instant};

use evenstep::Rate;
use softbuffer::SoftBufferError;
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalPosition;
use winit::event::{ElementState, MouseButton, MouseScrollDelta, StartCause, Touch, TouchPhase, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::PhysicalKey;
use winit::window::WindowId;

use super::screen::Screen;
use super::{Deadlines, Window};
use crate::app::{App, Background, Draw};
use crate::driver::Driver;
use crate::error::Error;
use crate::event::{Event, LINE_PIXELS, Pointer, PointerButton};
use crate::key::Key;
use crate::pixels::Pixels;

/// Frame rate when the monitor does not report one.
const RATE_FALLBACK: Rate = Rate::hz(60);
/// Some systems send no event when a window is minimised or covered. The host checks this often, and treats a window
/// whose redraw has been pending for this long as hidden.
const VISIBILITY_CHECK: Duration = Duration::from_millis(250);

pub(super) struct Host<A> {
    options: Window,
    driver: Driver<A>,
    clock: Instant,
    deadlines: Deadlines,
    // The refresh rate last hinted to the pacer.
    rate_hinted: Option<Rate>,
    // The window may be on another monitor. The window system knows which one only after its move event.
    has_moved: bool,
    screen: Option<Screen>,
    #[cfg(feature = "gamepad")]
    pads: super::pads::Pads,
    cursor: (f64, f64),
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

/// What the system reports about whether the window is visible.
struct Visibility {
    is_focused: bool,
    is_occluded: bool,
    // A redraw has been pending for too long.
    is_starved: bool,
    checked: Instant,
}

impl<A> Host<A>
where
    A: App + for<'a> Draw<Pixels<'a>>,
{
    pub(super) fn new(options: Window, app: A) -> Self {
        let now = Instant::now();
        Self {
            deadlines: Deadlines::new(options.rate.unwrap_or(RATE_FALLBACK), now),
            options,
            driver: Driver::new(app),
            clock: now,
            rate_hinted: None,
            has_moved: false,
            screen: None,
            #[cfg(feature = "gamepad")]
            pads: super::pads::Pads::new(),
            cursor: (0.0, 0.0),
            visibility: Visibility { is_focused: true, is_occluded: false, is_starved: false, checked: now },
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
        self.clock.elapsed()
    }

    fn tell(&mut self, event: Event) {
        self.driver.event(self.now(), event);
    }

    /// Handles a requested redraw: the compositor is about to show the last image.
    fn sync(&mut self, event_loop: &ActiveEventLoop) {
        self.redraw_requested = None;
        // A configured rate follows deadlines instead, and a suspended app has no frames.
        if self.options.rate.is_some() || self.is_suspended() {
            return;
        }
        let (now, rate) = (Instant::now(), self.deadlines.rate());
        let began = self.frame_at_deadline.take();
        let is_same_refresh = began.is_some_and(|began| now.duration_since(began) < rate.step() / 2);
        if !is_same_refresh {
            self.frame(event_loop);
        }
        // No redraw follows a frame that is not drawn: the next deadline is where it would have been.
        self.deadlines = Deadlines::new(rate, now);
    }

    /// Runs a frame, and draws it if the window is visible.
    fn frame(&mut self, event_loop: &ActiveEventLoop) {
        let now = self.now();
        let mut drawn = None;
        self.driver.run_frame(
            now,
            || self.clock.elapsed(),
            |driver| {
                #[cfg(feature = "gamepad")]
                self.pads.poll(|pad, state| driver.poll_pad(now, pad, state));
                #[cfg(not(feature = "gamepad"))]
                let _ = driver;
            },
            |driver| {
                let screen = self.screen.as_mut().filter(|_| !self.is_hidden);
                drawn = screen.map(|screen| screen.draw(driver));
                drawn.is_some()
            },
        );
        if let Some(result) = drawn {
            self.after_draw(event_loop, result);
        }
        if self.driver.is_over() {
            event_loop.exit();
        }
        self.deadlines.advance(Instant::now());
    }

    /// Draws the last frame again, for a window system that lost its image.
    fn redraw(&mut self, event_loop: &ActiveEventLoop) {
        if let Some(screen) = &mut self.screen {
            let result = screen.draw(&mut self.driver);
            self.after_draw(event_loop, result);
        }
    }

    /// Requests the redraw that starts the next frame, where the compositor has vertical sync.
    fn after_draw(&mut self, event_loop: &ActiveEventLoop, result: Result<(), SoftBufferError>) {
        if let Err(source) = result {
            self.fail(event_loop, source.into());
            return;
        }
        let is_suspended = self.is_suspended();
        if let Some(screen) = self.screen.as_ref().filter(|screen| screen.has_sync && !is_suspended) {
            screen.window.request_redraw();
            self.redraw_requested = Some(Instant::now());
        }
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, source: Box<dyn std::error::Error>) {
        self.error = Some(Error::Window { source });
        event_loop.exit();
    }

    /// Tells the event loop when to wake up next.
    fn wait(&self, event_loop: &ActiveEventLoop) {
        event_loop.set_control_flow(if self.is_suspended() || self.redraw_requested.is_some() {
            ControlFlow::WaitUntil(Instant::now() + VISIBILITY_CHECK)
        } else {
            ControlFlow::WaitUntil(self.deadlines.hand_over())
        });
    }

    /// Returns whether the app is hidden and does not run in the background.
    fn is_suspended(&self) -> bool {
        self.is_hidden && self.options.background == Background::Hold
    }

    /// Checks whether the window is visible, and tells the app if that has changed.
    fn check_visibility(&mut self) {
        self.visibility.checked = Instant::now();
        let Some(screen) = &self.screen else {
            return;
        };
        let is_minimized = screen.window.is_minimized() == Some(true);
        let is_hidden = self.visibility.is_occluded
            || self.visibility.is_starved
            || is_minimized
            || screen.size.pixels().0 == 0;
        if is_hidden != self.is_hidden {
            self.set_hidden(is_hidden);
        }
    }

    fn set_hidden(&mut self, is_hidden: bool) {
        self.is_hidden = is_hidden;
        self.redraw_requested = None;
        self.tell(if is_hidden { Event::Hidden } else { Event::Shown });
        if self.options.background == Background::Hold {
            self.driver.go_away();
            self.deadlines.advance(Instant::now());
        }
    }

    /// Reads the refresh rate of the window's monitor. It is a hint to the pacer, and the rate of the deadlines.
    fn follow_monitor(&mut self) {
        let refresh = self.screen.as_ref().and_then(Screen::refresh_rate);
        let rate = self.options.rate.or(refresh);
        let is_below = |(rate, refresh): (Rate, Rate)| rate.as_hz() < 0.98 * refresh.as_hz();
        // Deadlines of our own below the refresh are no display that could be locked to.
        self.driver.pacer_mut().set_variable_refresh(self.options.rate.zip(refresh).is_some_and(is_below));
        if rate == self.rate_hinted {
            return;
        }
        self.rate_hinted = rate;
        if let Some(rate) = rate {
            self.driver.pacer_mut().hint_refresh(rate.step());
        }
        let rate = rate.unwrap_or(RATE_FALLBACK);
        if rate != self.deadlines.rate() {
            self.deadlines = Deadlines::new(rate, Instant::now());
        }
    }

    fn resize(&mut self) {
        if let Some(screen) = &mut self.screen {
            screen.measure();
            let size = screen.size;
            self.tell(Event::Resized(size));
        }
        self.check_visibility();
    }

    fn pointer(&self, id: u64, position: PhysicalPosition<f64>, button: PointerButton) -> Pointer {
        let scale = self.screen.as_ref().map_or(1.0, |screen| screen.size.scale);
        Pointer { id, x: position.x / scale, y: position.y / scale, button }
    }

    fn mouse(&self, button: PointerButton) -> Pointer {
        Pointer { id: Pointer::MOUSE, x: self.cursor.0, y: self.cursor.1, button }
    }

    fn touch(&mut self, touch: Touch) {
        let finger = self.pointer(touch.id.wrapping_add(1).max(1), touch.location, PointerButton::Primary);
        self.tell(match touch.phase {
            TouchPhase::Started => Event::PointerDown(finger),
            TouchPhase::Moved => Event::PointerMove(finger),
            TouchPhase::Ended | TouchPhase::Cancelled => Event::PointerUp(finger),
        });
    }

    fn mouse_button(&mut self, state: ElementState, button: MouseButton) {
        let button = match button {
            MouseButton::Left => PointerButton::Primary,
            MouseButton::Right => PointerButton::Secondary,
            MouseButton::Middle => PointerButton::Middle,
            _ => return,
        };
        let mouse = self.mouse(button);
        self.tell(match state {
            ElementState::Pressed => Event::PointerDown(mouse),
            ElementState::Released => Event::PointerUp(mouse),
        });
    }

    fn wheel(&mut self, delta: MouseScrollDelta) {
        let scale = self.screen.as_ref().map_or(1.0, |screen| screen.size.scale);
        // winit reports how far the content moves; we report how far the view moves.
        let (x, y) = match delta {
            MouseScrollDelta::LineDelta(x, y) => (f64::from(-x), f64::from(-y)),
            MouseScrollDelta::PixelDelta(by) => {
                (-by.x / (scale * LINE_PIXELS), -by.y / (scale * LINE_PIXELS))
            }
        };
        self.tell(Event::Wheel { x, y });
    }

    fn key(&mut self, key: PhysicalKey, state: ElementState) {
        let PhysicalKey::Code(code) = key else {
            return;
        };
        if let Some(key) = Key::from_winit(code) {
            self.tell(match state {
                ElementState::Pressed => Event::KeyDown(key),
                ElementState::Released => Event::KeyUp(key),
            });
        }
    }
}

impl<A> ApplicationHandler for Host<A>
where
    A: App + for<'a> Draw<Pixels<'a>>,
{
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_some() {
            return;
        }
        match Screen::open(event_loop, &self.options) {
            Ok(screen) => {
                self.screen = Some(screen);
                self.resize();
                self.follow_monitor();
            }
            Err(source) => self.fail(event_loop, source),
        }
    }

    fn new_events(&mut self, _event_loop: &ActiveEventLoop, cause: StartCause) {
        let is_timely =
            matches!(cause, StartCause::ResumeTimeReached { .. }) && self.redraw_requested.is_none();
        if is_timely && !self.is_suspended() {
            // Wait out the last millisecond before the events are read, so that the frame gets the latest ones.
            self.deadlines.wait();
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        let is_due = !self.is_suspended() && self.redraw_requested.is_none() && self.deadlines.next() <= now;
        if is_due && !event_loop.exiting() {
            self.frame_at_deadline = Some(now);
            self.frame(event_loop);
        }
        // After the frame: this query is slow enough to make the frame late.
        if std::mem::take(&mut self.has_moved) {
            self.follow_monitor();
        }
        let now = Instant::now();
        if self.redraw_requested.is_some_and(|requested| now.duration_since(requested) >= VISIBILITY_CHECK) {
            self.visibility.is_starved = true;
            self.check_visibility();
        } else if now.duration_since(self.visibility.checked) >= VISIBILITY_CHECK
            && (!self.visibility.is_focused || self.is_hidden)
        {
            self.check_visibility();
        }
        self.wait(event_loop);
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _window: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::RedrawRequested if self.redraw_requested.is_some() => self.sync(event_loop),
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
                self.tell(if is_focused { Event::FocusGained } else { Event::FocusLost });
                self.check_visibility();
            }
            // Synthetic presses are keys that were already down when the window gained focus: not meant for us.
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } if !event.repeat => {
                self.key(event.physical_key, event.state);
            }
            WindowEvent::CursorMoved { position, .. } => {
                let mouse = self.pointer(Pointer::MOUSE, position, PointerButton::Primary);
                self.cursor = (mouse.x, mouse.y);
                self.tell(Event::PointerMove(mouse));
            }
            WindowEvent::MouseInput { state, button, .. } => self.mouse_button(state, button),
            WindowEvent::MouseWheel { delta, .. } => self.wheel(delta),
            WindowEvent::Touch(touch) => self.touch(touch),
            _ => {}
        }
        if self.driver.is_over() {
            event_loop.exit();
        }
    }
}
