//! Input as one tick sees it.

use crate::event::{Event, Pointer, PointerButton};
use crate::key::{Key, KeySet};
use crate::pad::{Axis, Button, PADS, PadState};

/// How many fingers and mouse buttons are tracked at once.
const POINTERS: usize = 10;

/// The player's input as seen by one tick.
///
/// ```text
/// key                ___________            _
///          _________|           |__________| |_____
/// ticks    |------|------|------|------|------|-----
/// is_down     no    yes    yes    no     no    yes
/// pressed     no    yes    no     no     no    yes     once for each press
/// released    no    no     no     yes    no    yes     once for each release
/// ```
///
/// A key is *down* in a tick if it went down during it or is still held at its end, so a tap shorter than a tick counts
/// for one tick, and the tick of the release no longer counts.
///
/// ```
/// use std::time::Duration;
/// use evenstep_host::{App, Context, Driver, Event, Input, Key};
///
/// struct Jumper { x: f32, jumps: u32 }
/// impl App for Jumper {
///     fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
///         self.x += 2.0 * input.axis(Key::ArrowLeft, Key::ArrowRight);
///         self.jumps += u32::from(input.pressed(Key::Space));
///     }
/// }
///
/// let ms = Duration::from_millis;
/// let mut driver = Driver::new(Jumper { x: 0.0, jumps: 0 });
/// driver.frame(ms(0));
/// driver.event(ms(1), Event::KeyDown(Key::ArrowRight));
/// driver.event(ms(1), Event::KeyDown(Key::Space));
/// driver.event(ms(2), Event::KeyUp(Key::Space));
/// assert_eq!(driver.frame(ms(50)).steps(), 3);
/// assert_eq!(driver.app().jumps, 1, "a tap is one jump");
/// assert_eq!(driver.app().x, 6.0, "a held key moves in every tick");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    held: Held,
    keys_pressed: KeySet,
    keys_released: KeySet,
    pads_pressed: [u32; PADS],
    pads_released: [u32; PADS],
    events: Vec<Event>,
}

impl Input {
    /// Returns whether a key went down during the tick or is held at its end.
    pub const fn is_down(&self, key: Key) -> bool {
        self.held.keys.union(self.keys_pressed).contains(key)
    }

    /// Returns whether a key went down during the tick, once or more. [`events`](Self::events) lists every press.
    pub const fn pressed(&self, key: Key) -> bool {
        self.keys_pressed.contains(key)
    }

    /// Returns whether a key went up during the tick.
    pub const fn released(&self, key: Key) -> bool {
        self.keys_released.contains(key)
    }

    /// Combines two keys into an axis: -1 for the first, 1 for the second, 0 for neither or both.
    pub fn axis(&self, negative: Key, positive: Key) -> f32 {
        f32::from(i8::from(self.is_down(positive)) - i8::from(self.is_down(negative)))
    }

    /// Returns the last known position of the mouse, or of the finger that moved last.
    pub fn cursor(&self) -> Option<(f64, f64)> {
        self.held.cursor
    }

    /// Returns the mouse buttons and fingers that are down at the end of the tick.
    pub fn pointers(&self) -> impl Iterator<Item = Pointer> {
        self.held.pointers.into_iter().flatten()
    }

    /// Returns whether a gamepad button went down during the tick or is held at its end.
    pub fn is_pad_down(&self, pad: u8, button: Button) -> bool {
        self.pad_pressed(pad, button)
            || self.held.pads.get(usize::from(pad)).is_some_and(|pad| pad.is_down(button))
    }

    /// Returns whether a gamepad button went down during the tick.
    pub fn pad_pressed(&self, pad: u8, button: Button) -> bool {
        self.pads_pressed.get(usize::from(pad)).is_some_and(|pressed| pressed & (1 << button as u8) != 0)
    }

    /// Returns whether a gamepad button went up during the tick.
    pub fn pad_released(&self, pad: u8, button: Button) -> bool {
        self.pads_released.get(usize::from(pad)).is_some_and(|released| released & (1 << button as u8) != 0)
    }

    /// Returns the position of a gamepad axis at the end of the tick, from -1 to 1. It is 0 if there is no such
    /// gamepad.
    pub fn pad_axis(&self, pad: u8, axis: Axis) -> f32 {
        self.held.pads.get(usize::from(pad)).map_or(0.0, |pad| pad.axis(axis))
    }

    /// Returns the events of the tick, in order.
    ///
    /// Every press and release is listed, except releases from while the gate was closed. Events that report a state, such
    /// as the moves of one finger, may be merged into the latest one; wheel movement is summed.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Starts a new tick, in which nothing has been pressed or released yet.
    pub(crate) fn begin_tick(&mut self) {
        self.keys_pressed = KeySet::default();
        self.keys_released = KeySet::default();
        self.pads_pressed = [0; PADS];
        self.pads_released = [0; PADS];
        self.events.clear();
    }

    /// Adds an event to the tick.
    pub(crate) fn apply(&mut self, event: Event) {
        self.held.apply(event);
        match event {
            Event::KeyDown(key) => _ = self.keys_pressed.insert(key),
            Event::KeyUp(key) => _ = self.keys_released.insert(key),
            Event::PadDown { pad, button } => mark(&mut self.pads_pressed, pad, button),
            Event::PadUp { pad, button } => mark(&mut self.pads_released, pad, button),
            _ => {}
        }
        self.events.push(event);
    }

    /// Catches up with what changed while the gate was closed. Releases are reported but presses are not: the key that
    /// ended a pause was meant for the menu.
    pub(crate) fn settle(&mut self, held: &Held) {
        self.keys_released = self.keys_released.union(self.held.keys.without(held.keys));
        for (n, (before, now)) in self.held.pads.iter().zip(&held.pads).enumerate() {
            before.for_each_change(now, n as u8, |event| {
                if let Event::PadUp { pad, button } = event {
                    mark(&mut self.pads_released, pad, button);
                }
            });
        }
        self.held = *held;
    }
}

/// Sets a button's bit. Gamepads beyond the limit are ignored.
fn mark(pads: &mut [u32; PADS], pad: u8, button: Button) {
    if let Some(buttons) = pads.get_mut(usize::from(pad)) {
        *buttons |= 1 << button as u8;
    }
}

/// Everything that is held at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Held {
    keys: KeySet,
    pads: [PadState; PADS],
    pointers: [Option<Pointer>; POINTERS],
    cursor: Option<(f64, f64)>,
}

impl Held {
    /// Returns the event as the app receives it, or `None` if it changes nothing or its numbers are not finite.
    pub(crate) fn admit(&self, event: Event) -> Option<Event> {
        let event = match event {
            // A release must never be lost. Use the last known position.
            Event::PointerUp(pointer) if !pointer.is_finite() => {
                Event::PointerUp(self.pointers[self.slot(pointer.id, pointer.button)?]?)
            }
            event => event.in_range()?,
        };
        self.is_change(event).then_some(event)
    }

    /// Returns whether the event changes anything. A repeat, or a release of what is not held, does not.
    fn is_change(&self, event: Event) -> bool {
        match event {
            Event::KeyDown(key) => !self.keys.contains(key),
            Event::KeyUp(key) => self.keys.contains(key),
            Event::PadDown { pad, button } => self.pad(pad).is_some_and(|pad| !pad.is_down(button)),
            Event::PadUp { pad, button } => self.pad(pad).is_some_and(|pad| pad.is_down(button)),
            Event::PadAxis { pad, axis, value } => self.pad(pad).is_some_and(|pad| pad.axis(axis) != value),
            // An eleventh finger is not tracked, so it never goes down.
            Event::PointerDown(pointer) => {
                self.slot(pointer.id, pointer.button).is_none() && self.pointers.contains(&None)
            }
            Event::PointerUp(pointer) => self.slot(pointer.id, pointer.button).is_some(),
            _ => true,
        }
    }

    pub(crate) fn apply(&mut self, event: Event) {
        match event {
            Event::KeyDown(key) => _ = self.keys.insert(key),
            Event::KeyUp(key) => _ = self.keys.remove(key),
            Event::PadDown { pad, button } => self.change_pad(pad, |pad| pad.set(button, true)),
            Event::PadUp { pad, button } => self.change_pad(pad, |pad| pad.set(button, false)),
            Event::PadAxis { pad, axis, value } => self.change_pad(pad, |pad| pad.set_axis(axis, value)),
            Event::PointerDown(pointer) => {
                self.cursor = Some((pointer.x, pointer.y));
                if let Some(free) = self.pointers.iter_mut().find(|slot| slot.is_none()) {
                    *free = Some(pointer);
                }
            }
            Event::PointerMove(pointer) => {
                self.cursor = Some((pointer.x, pointer.y));
                for held in self.pointers.iter_mut().flatten().filter(|held| held.id == pointer.id) {
                    held.x = pointer.x;
                    held.y = pointer.y;
                }
            }
            Event::PointerUp(pointer) => {
                self.cursor = Some((pointer.x, pointer.y));
                if let Some(slot) = self.slot(pointer.id, pointer.button) {
                    self.pointers[slot] = None;
                }
            }
            _ => {}
        }
    }

    /// All gamepads.
    pub(crate) const fn pads(&self) -> &[PadState; PADS] {
        &self.pads
    }

    /// Returns the events that release everything.
    pub(crate) fn releases(&self) -> Vec<Event> {
        let mut releases: Vec<_> = self.keys.iter().map(Event::KeyUp).collect();
        releases.extend(self.pointers.into_iter().flatten().map(Event::PointerUp));
        for (n, pad) in self.pads.iter().enumerate() {
            pad.for_each_change(&PadState::default(), n as u8, |event| releases.push(event));
        }
        releases
    }

    pub(crate) fn pad(&self, pad: u8) -> Option<&PadState> {
        self.pads.get(usize::from(pad))
    }

    fn change_pad(&mut self, pad: u8, change: impl FnOnce(&mut PadState)) {
        if let Some(pad) = self.pads.get_mut(usize::from(pad)) {
            change(pad);
        }
    }

    fn slot(&self, id: u64, button: PointerButton) -> Option<usize> {
        self.pointers.iter().position(|slot| slot.is_some_and(|held| held.id == id && held.button == button))
    }
}
