//! The player's input as one tick sees it.

use crate::event::{Event, Pointer, PointerButton};
use crate::key::{Key, KeySet};
use crate::pad::{Axis, Button, PADS, PadState};

/// How many fingers and mouse buttons are followed at once.
const POINTERS: usize = 10;

/// The player's input as one tick sees it.
///
/// ```text
/// key                ___________            _
///          _________|           |__________| |_____
/// ticks    |------|------|------|------|------|-----
/// is_down     no    yes    yes    yes*   no    yes
/// pressed     no    yes    no     no     no    yes     once for each press
/// released    no    no     no     yes    no    yes     once for each release
/// ```
///
/// A key is *down* in a tick if it was so at any time during it: a tap that is shorter than a tick still counts for
/// one. (* Only if it went up after the tick had begun.)
///
/// ```
/// use std::time::Duration;
/// use evenstep_host::{App, Context, Driver, Event, Input, Key};
///
/// struct Jumper { jumps: u32 }
/// impl App for Jumper {
///     fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
///         self.jumps += u32::from(input.pressed(Key::Space));
///     }
/// }
///
/// let ms = Duration::from_millis;
/// let mut driver = Driver::new(Jumper { jumps: 0 });
/// driver.frame(ms(0));
/// driver.event(ms(1), Event::KeyDown(Key::Space));
/// driver.event(ms(2), Event::KeyUp(Key::Space));
/// driver.frame(ms(50));
/// assert_eq!(driver.app().jumps, 1, "in three ticks, a tap is one jump");
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
    /// Whether a key was down at any time during the tick.
    ///
    /// ```
    /// # use evenstep_host::{Input, Key};
    /// assert!(!Input::default().is_down(Key::Space));
    /// ```
    pub const fn is_down(&self, key: Key) -> bool {
        self.held.keys.union(self.keys_pressed).contains(key)
    }

    /// Whether a key went down during the tick, be it twice: [`events`](Self::events) tells.
    ///
    /// ```
    /// # use evenstep_host::{Input, Key};
    /// assert!(!Input::default().pressed(Key::Space));
    /// ```
    pub const fn pressed(&self, key: Key) -> bool {
        self.keys_pressed.contains(key)
    }

    /// Whether a key went up during the tick.
    ///
    /// ```
    /// # use evenstep_host::{Input, Key};
    /// assert!(!Input::default().released(Key::Space));
    /// ```
    pub const fn released(&self, key: Key) -> bool {
        self.keys_released.contains(key)
    }

    /// Two keys as an axis: -1 for the first, 1 for the second, 0 for neither or both.
    ///
    /// ```
    /// # use evenstep_host::{Input, Key};
    /// assert_eq!(Input::default().axis(Key::ArrowLeft, Key::ArrowRight), 0.0);
    /// ```
    pub fn axis(&self, negative: Key, positive: Key) -> f32 {
        f32::from(i8::from(self.is_down(positive)) - i8::from(self.is_down(negative)))
    }

    /// Where the mouse, or the last finger that moved, is or was last.
    ///
    /// ```
    /// # use evenstep_host::Input;
    /// assert_eq!(Input::default().cursor(), None);
    /// ```
    pub fn cursor(&self) -> Option<(f64, f64)> {
        self.held.cursor
    }

    /// The mouse buttons and fingers that are down at the tick's end.
    ///
    /// ```
    /// # use evenstep_host::Input;
    /// assert_eq!(Input::default().pointers().count(), 0);
    /// ```
    pub fn pointers(&self) -> impl Iterator<Item = Pointer> {
        self.held.pointers.into_iter().flatten()
    }

    /// Whether a gamepad's button was down at any time during the tick.
    ///
    /// ```
    /// # use evenstep_host::{Button, Input};
    /// assert!(!Input::default().is_pad_down(0, Button::South));
    /// ```
    pub fn is_pad_down(&self, pad: u8, button: Button) -> bool {
        self.pad_pressed(pad, button)
            || self.held.pads.get(usize::from(pad)).is_some_and(|pad| pad.is_down(button))
    }

    /// Whether a gamepad's button went down during the tick.
    ///
    /// ```
    /// # use evenstep_host::{Button, Input};
    /// assert!(!Input::default().pad_pressed(0, Button::South));
    /// ```
    pub fn pad_pressed(&self, pad: u8, button: Button) -> bool {
        self.pads_pressed.get(usize::from(pad)).is_some_and(|pressed| pressed & (1 << button as u8) != 0)
    }

    /// Whether a gamepad's button went up during the tick.
    ///
    /// ```
    /// # use evenstep_host::{Button, Input};
    /// assert!(!Input::default().pad_released(0, Button::South));
    /// ```
    pub fn pad_released(&self, pad: u8, button: Button) -> bool {
        self.pads_released.get(usize::from(pad)).is_some_and(|released| released & (1 << button as u8) != 0)
    }

    /// Where a gamepad's axis stands at the tick's end, from -1 to 1; 0 where there is no such gamepad.
    ///
    /// ```
    /// # use evenstep_host::{Axis, Input};
    /// assert_eq!(Input::default().pad_axis(0, Axis::LeftX), 0.0);
    /// ```
    pub fn pad_axis(&self, pad: u8, axis: Axis) -> f32 {
        self.held.pads.get(usize::from(pad)).map_or(0.0, |pad| pad.axis(axis))
    }

    /// What happened during the tick, in order.
    ///
    /// Every press and release is there. Of what tells a state, such as the moves of one finger, a later event may stand
    /// for all before it; turns of a wheel add up.
    ///
    /// ```
    /// # use evenstep_host::Input;
    /// assert!(Input::default().events().is_empty());
    /// ```
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// A new tick: what was pressed before is no longer news.
    pub(crate) fn begin_tick(&mut self) {
        self.keys_pressed = KeySet::default();
        self.keys_released = KeySet::default();
        self.pads_pressed = [0; PADS];
        self.pads_released = [0; PADS];
        self.events.clear();
    }

    /// One event of the tick.
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

    /// Catches up with what was held and released while nobody listened. Releases are news, presses are not: the
    /// key that ended a pause was meant for the menu.
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

/// Sets a button's bit. A gamepad that nobody follows has none.
fn mark(pads: &mut [u32; PADS], pad: u8, button: Button) {
    if let Some(buttons) = pads.get_mut(usize::from(pad)) {
        *buttons |= 1 << button as u8;
    }
}

/// Everything that is held at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Held {
    keys: KeySet,
    pads: [PadState; PADS],
    pointers: [Option<Pointer>; POINTERS],
    cursor: Option<(f64, f64)>,
}

impl Held {
    /// The event as the app hears it, or none if it is no news or its numbers say nothing.
    pub(crate) fn admit(&self, event: Event) -> Option<Event> {
        let event = match event {
            // A release must never be lost. It was where the pointer is.
            Event::PointerUp(pointer) if !pointer.is_somewhere() => {
                Event::PointerUp(self.pointers[self.slot(pointer.id, pointer.button)?]?)
            }
            event => event.in_range()?,
        };
        self.is_news(event).then_some(event)
    }

    /// Whether the event changes anything: a repeat, or a release of what is not held, does not.
    fn is_news(&self, event: Event) -> bool {
        match event {
            Event::KeyDown(key) => !self.keys.contains(key),
            Event::KeyUp(key) => self.keys.contains(key),
            Event::PadDown { pad, button } => self.pad(pad).is_some_and(|pad| !pad.is_down(button)),
            Event::PadUp { pad, button } => self.pad(pad).is_some_and(|pad| pad.is_down(button)),
            Event::PadAxis { pad, axis, value } => self.pad(pad).is_some_and(|pad| pad.axis(axis) != value),
            // An eleventh finger is not followed, so it never went down.
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
                    (held.x, held.y) = (pointer.x, pointer.y);
                }
            }
            Event::PointerUp(pointer) => {
                if let Some(slot) = self.slot(pointer.id, pointer.button) {
                    self.pointers[slot] = None;
                }
            }
            _ => {}
        }
    }

    /// What it takes to release everything.
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
