//! Input: winit's events as ours.

use winit::dpi::PhysicalPosition;
use winit::event::{ElementState, MouseButton, MouseScrollDelta, Touch, TouchPhase, WindowEvent};
use winit::keyboard::PhysicalKey;

use crate::event::{Event, LINE_PIXELS, Pointer, PointerButton};
use crate::key::Key;

/// The mouse: its position, which winit reports apart from its buttons, in points.
#[derive(Debug, Default)]
pub(super) struct Mouse {
    x: f64,
    y: f64,
}

impl Mouse {
    /// Translates an event of a window with this many pixels per point, or returns `None` if the event is no input.
    pub(super) fn translate(&mut self, event: &WindowEvent, scale: f64) -> Option<Event> {
        match event {
            // Synthetic presses are keys that were already down when the window gained focus: not meant for us.
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } if !event.repeat => {
                key(event.physical_key, event.state)
            }
            WindowEvent::CursorMoved { position, .. } => {
                let mouse = pointer(Pointer::MOUSE, *position, scale);
                self.x = mouse.x;
                self.y = mouse.y;
                Some(Event::PointerMove(mouse))
            }
            WindowEvent::MouseInput { state, button, .. } => self.button(*state, *button),
            WindowEvent::MouseWheel { delta, .. } => Some(wheel(*delta, scale)),
            WindowEvent::Touch(touch) => Some(finger(touch, scale)),
            _ => None,
        }
    }

    fn button(&self, state: ElementState, button: MouseButton) -> Option<Event> {
        let button = match button {
            MouseButton::Left => PointerButton::Primary,
            MouseButton::Right => PointerButton::Secondary,
            MouseButton::Middle => PointerButton::Middle,
            _ => return None,
        };
        let mouse = Pointer { id: Pointer::MOUSE, x: self.x, y: self.y, button };
        Some(match state {
            ElementState::Pressed => Event::PointerDown(mouse),
            ElementState::Released => Event::PointerUp(mouse),
        })
    }
}

fn key(key: PhysicalKey, state: ElementState) -> Option<Event> {
    let PhysicalKey::Code(code) = key else {
        return None;
    };
    let key = Key::from_winit(code)?;
    Some(match state {
        ElementState::Pressed => Event::KeyDown(key),
        ElementState::Released => Event::KeyUp(key),
    })
}

fn pointer(id: u64, position: PhysicalPosition<f64>, scale: f64) -> Pointer {
    Pointer { id, x: position.x / scale, y: position.y / scale, button: PointerButton::Primary }
}

fn finger(touch: &Touch, scale: f64) -> Event {
    let finger = pointer(touch.id.wrapping_add(1).max(1), touch.location, scale);
    match touch.phase {
        TouchPhase::Started => Event::PointerDown(finger),
        TouchPhase::Moved => Event::PointerMove(finger),
        TouchPhase::Ended | TouchPhase::Cancelled => Event::PointerUp(finger),
    }
}

fn wheel(delta: MouseScrollDelta, scale: f64) -> Event {
    // winit reports how far the content moves; we report how far the view moves.
    let (x, y) = match delta {
        MouseScrollDelta::LineDelta(x, y) => (f64::from(-x), f64::from(-y)),
        MouseScrollDelta::PixelDelta(by) => (-by.x / (scale * LINE_PIXELS), -by.y / (scale * LINE_PIXELS)),
    };
    Event::Wheel { x, y }
}
