//! The window's side of a frame.

#![expect(clippy::disallowed_methods, reason = "owns the clock")]

use std::time::{Duration, Instant};

use evenstep::Rate;
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
use crate::event::{Event, Pointer, PointerButton};
use crate::key::Key;
use crate::pixels::Pixels;

/// The rate where the monitor's is unknown.
const RATE_UNKNOWN: Rate = Rate::hz(60);
/// Some systems say nothing when a window is minimised or no longer shown: ask this often, believe after this long.
const ASK_HIDDEN: Duration = Duration::from_millis(250);
/// Pixels of a touchpad that count as a line of a wheel, at scale 1.
const LINE_PIXELS: f64 = 20.0;

pub(super) struct Host<A> {
    options: Window,
    driver: Driver<A>,
    clock: Instant,
    deadlines: Deadlines,
    // The display's rate as the pacer knows it.
    rate_known: Option<Rate>,
    // The window may be on another monitor. The window system knows which one only after it has told of the move.
    has_moved: bool,
    screen: Option<Screen>,
    #[cfg(feature = "gamepad")]
    pads: super::pads::Pads,
    cursor: (f64, f64),
    sight: Sight,
    // The driver has been told that nobody can see the app.
    is_hidden: bool,
    // When a vertical sync was asked for: the next frame begins with it, not with a deadline. A compositor that lets
    // us wait for long does not show the window.
    redraw_asked: Option<Instant>,
    // When the last frame began, if at a deadline. A sync right after it is of the same refresh.
    frame_at_deadline: Option<Instant>,
    error: Option<Error>,
}

/// What the system lets us know of whether the window can be seen.
struct Sight {
    is_focused: bool,
    is_occluded: bool,
    is_starved: bool,
    asked: Instant,
}

impl<A> Host<A>
where
    A: App + for<'a> Draw<Pixels<'a>>,
{
    pub(super) fn new(options: Window, app: A) -> Self {
        let now = Instant::now();
        Self {
            deadlines: Deadlines::new(options.rate.unwrap_or(RATE_UNKNOWN), now),
            options,
            driver: Driver::new(app),
            clock: now,
            rate_known: None,
            has_moved: false,
            screen: None,
            #[cfg(feature = "gamepad")]
            pads: super::pads::Pads::new(),
            cursor: (0.0, 0.0),
            sight: Sight { is_focused: true, is_occluded: false, is_starved: false, asked: now },
            is_hidden: false,
            redraw_asked: None,
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

    /// The compositor is about to show the last image.
    fn sync(&mut self, event_loop: &ActiveEventLoop) {
        self.redraw_asked = None;
        // A rate that was asked for beats on its own, and out of sight there is no beat.
        if self.options.rate.is_some() || self.is_held() {
            return;
        }
        let (now, rate) = (Instant::now(), self.deadlines.rate());
        let began = self.frame_at_deadline.take();
        let is_same_refresh = began.is_some_and(|began| now.duration_since(began) < rate.step() / 2);
        if !is_same_refresh {
            self.frame(event_loop);
        }
        // A frame that is not drawn has no sync after it: the next deadline is where that would have been.
        self.deadlines = Deadlines::new(rate, now);
    }

    /// Polls, plans, steps, draws.
    fn frame(&mut self, event_loop: &ActiveEventLoop) {
        #[cfg(feature = "gamepad")]
        {
            let now = self.now();
            self.pads.poll(|pad, state| self.driver.poll_pad(now, pad, state));
        }
        let frame = self.driver.frame(self.now());
        self.driver.steps_done(self.now());
        if frame.should_draw() && !self.is_hidden {
            self.draw(event_loop);
            self.driver.draw_done(self.now());
        }
        if self.driver.is_over() {
            event_loop.exit();
        }
        self.deadlines.advance(Instant::now());
    }

    fn draw(&mut self, event_loop: &ActiveEventLoop) {
        let is_held = self.is_held();
        let Some(screen) = &mut self.screen else {
            return;
        };
        if let Err(source) = screen.draw(&mut self.driver) {
            self.fail(event_loop, source.into());
            return;
        }
        if screen.has_sync && !is_held {
            screen.window.request_redraw();
            self.redraw_asked = Some(Instant::now());
        }
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, source: Box<dyn std::error::Error>) {
        self.error = Some(Error::Window { source });
        event_loop.exit();
    }

    /// Begins to wait for the next frame.
    fn wait(&self, event_loop: &ActiveEventLoop) {
        event_loop.set_control_flow(if self.is_held() || self.redraw_asked.is_some() {
            ControlFlow::WaitUntil(Instant::now() + ASK_HIDDEN)
        } else {
            ControlFlow::WaitUntil(self.deadlines.hand_over())
        });
    }

    /// Nobody can see the app, and it does nothing in the background.
    fn is_held(&self) -> bool {
        self.is_hidden && self.options.background == Background::Hold
    }

    /// Finds out whether anybody can see the window, and lets the app know when that has changed.
    fn look(&mut self) {
        self.sight.asked = Instant::now();
        let Some(screen) = &self.screen else {
            return;
        };
        let is_minimized = screen.window.is_minimized() == Some(true);
        let is_hidden =
            self.sight.is_occluded || self.sight.is_starved || is_minimized || screen.size.pixels().0 == 0;
        if is_hidden != self.is_hidden {
            self.set_hidden(is_hidden);
        }
    }

    fn set_hidden(&mut self, is_hidden: bool) {
        self.is_hidden = is_hidden;
        self.redraw_asked = None;
        self.tell(if is_hidden { Event::Hidden } else { Event::Shown });
        if self.options.background == Background::Hold {
            self.driver.go_away();
            self.deadlines.advance(Instant::now());
        }
    }

    /// The display may be another one: its rate is a hint to the pacer, and the beat without a vertical sync.
    fn follow_monitor(&mut self) {
        let rate = self.options.rate.or_else(|| self.screen.as_ref().and_then(Screen::refresh_rate));
        if rate == self.rate_known {
            return;
        }
        self.rate_known = rate;
        if let Some(rate) = rate {
            self.driver.pacer_mut().hint_refresh(rate.step());
        }
        let rate = rate.unwrap_or(RATE_UNKNOWN);
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
        self.look();
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
        // The system's numbers say where the content goes, ours where the view does.
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
        let is_timely = matches!(cause, StartCause::ResumeTimeReached { .. }) && self.redraw_asked.is_none();
        if is_timely && !self.is_held() {
            // The last millisecond, here and not after the events, so that the frame has the latest of them.
            self.deadlines.wait();
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        let is_due = !self.is_held() && self.redraw_asked.is_none() && self.deadlines.next() <= now;
        if is_due && !event_loop.exiting() {
            self.frame_at_deadline = Some(now);
            self.frame(event_loop);
        }
        // After the frame: asking takes as long as the frame's own precision.
        if std::mem::take(&mut self.has_moved) {
            self.follow_monitor();
        }
        let now = Instant::now();
        if self.redraw_asked.is_some_and(|asked| now.duration_since(asked) >= ASK_HIDDEN) {
            self.sight.is_starved = true;
            self.look();
        } else if now.duration_since(self.sight.asked) >= ASK_HIDDEN
            && (!self.sight.is_focused || self.is_hidden)
        {
            self.look();
        }
        self.wait(event_loop);
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _window: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::RedrawRequested if self.redraw_asked.is_some() => self.sync(event_loop),
            WindowEvent::RedrawRequested => {
                if std::mem::take(&mut self.sight.is_starved) {
                    self.look();
                }
                self.draw(event_loop);
            }
            WindowEvent::Resized(_) => self.resize(),
            WindowEvent::ScaleFactorChanged { .. } => {
                self.resize();
                self.has_moved = true;
            }
            WindowEvent::Moved(_) => self.has_moved = true,
            WindowEvent::Occluded(is_occluded) => {
                self.sight.is_occluded = is_occluded;
                self.look();
            }
            WindowEvent::Focused(is_focused) => {
                self.sight.is_focused = is_focused;
                self.tell(if is_focused { Event::FocusGained } else { Event::FocusLost });
                self.look();
            }
            // Synthetic presses are keys that were held when the focus came: meant for someone else.
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
