//! Keys, buttons and touches: they control the shell and the pacer, never the game's state.

use evenstep_host::{Axis, Button, Context, Event, Key, Pointer, PointerButton};

use super::menus::Way;
use super::{Screen, Shell};
use crate::controls::Touch;
use crate::menu::{self, Entry, Menu};
use crate::settings::{Action, Item};

/// How far a gamepad's stick must be pushed to move a selection, and how far back before it moves again.
const PUSHED: f32 = 0.6;
const RESTING: f32 = 0.3;

/// The keys that always have a use, besides those that steer and pause.
#[rustfmt::skip]
const fn is_shortcut(key: Key) -> bool {
    matches!(
        key,
        Key::Space | Key::Enter | Key::NumpadEnter // Menus and what comes after a run.
            | Key::Digit1 | Key::Digit2 | Key::Digit3 | Key::Numpad1 | Key::Numpad2 | Key::Numpad3 // Upgrades.
            | Key::F1 | Key::F2 | Key::F11 | Key::KeyL | Key::KeyM
            | Key::BracketLeft | Key::BracketRight | Key::Period
    )
}

/// What the player touches, holds and points with.
#[derive(Debug)]
pub(super) struct Devices {
    pub(super) touch: Touch,
    pub(super) is_alt_held: bool,
    // Where the mouse was last, once it was anywhere.
    mouse_at: Option<(f64, f64)>,
    // The direction in which a gamepad's stick was pushed last, for menus.
    stick: (i8, i8),
}

impl Devices {
    pub(super) fn new(has_touch: bool) -> Self {
        Self { touch: Touch::of_device(has_touch), is_alt_held: false, mouse_at: None, stick: (0, 0) }
    }
}

impl Shell {
    /// Handles an event that does not concern a recording.
    pub(super) fn device_event(&mut self, event: Event, cx: &mut Context<'_>) {
        match event {
            Event::KeyDown(key) => self.key(key, cx),
            Event::KeyUp(Key::AltLeft | Key::AltRight) => self.devices.is_alt_held = false,
            Event::PadDown { button, .. } => self.button(button, cx),
            Event::PadAxis { axis, value, .. } => self.push(axis, value, cx),
            Event::PointerDown(pointer) => self.press(pointer, cx),
            Event::PointerMove(pointer) => self.hover(pointer),
            Event::Resized(size) => self.show.size = (size.width, size.height),
            Event::FocusLost if !self.options.autopilot => self.set_paused(true),
            _ => {}
        }
    }

    /// Returns whether a key has a use now, so that a page keeps it from the browser.
    pub(super) fn is_key_used(&self, key: Key) -> bool {
        let is_chosen = || Action::ALL.iter().any(|&action| self.settings.keys.is(action, key));
        let is_asked = || self.menus.binding.is_some() && key != Key::Tab;
        is_shortcut(key) || is_chosen() || is_asked()
    }

    fn key(&mut self, key: Key, cx: &mut Context<'_>) {
        if let Some(action) = self.menus.binding {
            self.bind(action, key);
            return;
        }
        let keys = &self.settings.keys;
        match key {
            Key::AltLeft | Key::AltRight => self.devices.is_alt_held = true,
            Key::F11 => self.toggle_fullscreen(cx),
            Key::Enter | Key::NumpadEnter if self.devices.is_alt_held => self.toggle_fullscreen(cx),
            Key::F1 => self.cycle(Item::Overlay, cx),
            Key::F2 => self.show.is_shot_asked = true,
            Key::KeyL => self.cycle(Item::Lock, cx),
            Key::KeyM => self.cycle(Item::Mute, cx),
            Key::BracketLeft => self.step(Item::Speed, false, cx),
            Key::BracketRight => self.step(Item::Speed, true, cx),
            Key::Period if self.run.play.is_paused() => self.run.play.step_by_hand(),
            // In flight, Space does what the player has chosen for it.
            Key::Enter | Key::NumpadEnter | Key::Space if self.menu().is_some() || self.is_choosing() => {
                self.confirm(cx);
            }
            Key::Digit1 | Key::Numpad1 => self.take_card(0),
            Key::Digit2 | Key::Numpad2 => self.take_card(1),
            Key::Digit3 | Key::Numpad3 => self.take_card(2),
            Key::Escape if self.menus.opened.is_some() => self.menus.back(),
            // On a page, nothing could start the game again.
            Key::Escape if self.run.screen == Screen::Title && !menu::IS_PAGE => cx.quit(),
            Key::Escape if self.state().phase.is_over() => {
                self.launch(Screen::Title, self.options.seed);
            }
            _ if keys.is(Action::Pause, key) => self.set_paused(!self.run.play.is_paused()),
            _ if keys.is(Action::Up, key) => self.go(Way::Up, cx),
            _ if keys.is(Action::Down, key) => self.go(Way::Down, cx),
            _ if keys.is(Action::Left, key) => self.go(Way::Left, cx),
            _ if keys.is(Action::Right, key) => self.go(Way::Right, cx),
            _ => {}
        }
    }

    fn button(&mut self, button: Button, cx: &mut Context<'_>) {
        // A button ends the wait for a key, which a gamepad cannot give.
        if self.menus.binding.take().is_some() {
            return;
        }
        match button {
            Button::Start if self.run.screen == Screen::Title => self.confirm(cx),
            Button::Start => self.set_paused(!self.run.play.is_paused()),
            Button::Select => self.cycle(Item::Overlay, cx),
            Button::South => self.confirm(cx),
            Button::East if self.menus.opened.is_some() => self.menus.back(),
            Button::Up => self.go(Way::Up, cx),
            Button::Down => self.go(Way::Down, cx),
            Button::Left => self.go(Way::Left, cx),
            Button::Right => self.go(Way::Right, cx),
            _ => {}
        }
    }

    /// Moves a selection by a stick: once for each push.
    fn push(&mut self, axis: Axis, value: f32, cx: &mut Context<'_>) {
        let (pushed, ways) = match axis {
            Axis::LeftX => (&mut self.devices.stick.0, [Way::Left, Way::Right]),
            Axis::LeftY => (&mut self.devices.stick.1, [Way::Up, Way::Down]),
            Axis::RightX | Axis::RightY => return,
        };
        let now = match value.abs() {
            far if far > PUSHED => value.signum() as i8,
            far if far < RESTING => 0,
            _ => *pushed,
        };
        if std::mem::replace(pushed, now) != now && now != 0 {
            self.go(ways[usize::from(now > 0)], cx);
        }
    }

    fn press(&mut self, pointer: Pointer, cx: &mut Context<'_>) {
        if pointer.button != PointerButton::Primary {
            return;
        }
        let place = [pointer.x, pointer.y];
        if self.menus.binding.take().is_some() {
            return;
        }
        let Some(menu) = self.menu() else {
            if self.is_choosing() && self.run.chooser.press(self.show.size, place) {
                // The finger does not steer as well.
                self.devices.touch.press_button(pointer.id);
            } else {
                self.press_button(pointer, cx);
            }
            return;
        };
        let column = self.column(self.show.size, menu);
        match column.entry_at(place).map(|n| (n, menu.entries()[n])) {
            Some((n, entry)) => {
                self.menus.selected = n;
                match entry {
                    Entry::Set(item) if column.is_back(n, place) => self.step(item, false, cx),
                    Entry::Difficulty if column.is_back(n, place) => self.change_difficulty(false),
                    _ => self.choose(entry, cx),
                }
            }
            // On the title screen, a touch anywhere else starts the game.
            None if menu == Menu::Title => self.launch(Screen::Run, self.options.seed),
            None => {}
        }
    }

    fn press_button(&mut self, pointer: Pointer, cx: &mut Context<'_>) {
        let place = [pointer.x, pointer.y];
        let pressed = self
            .buttons(self.show.size)
            .and_then(|buttons| buttons.iter().position(|area| area.contains(place)));
        let Some(n) = pressed else {
            return;
        };
        self.devices.touch.press_button(pointer.id);
        if n == 0 {
            self.cycle(Item::Overlay, cx);
        } else if self.state().phase.is_over() {
            self.launch(Screen::Title, self.options.seed);
        } else {
            self.set_paused(true);
        }
    }

    /// Selects what the mouse points at.
    fn hover(&mut self, pointer: Pointer) {
        // One that lies where a menu opens does not take part.
        let place = (pointer.x, pointer.y);
        if self.devices.mouse_at.replace(place).is_none_or(|last| last == place) {
            return;
        }
        if self.is_choosing() && pointer.id == Pointer::MOUSE {
            self.run.chooser.hover(self.show.size, [pointer.x, pointer.y]);
            return;
        }
        if let Some(menu) =
            self.menu().filter(|_| pointer.id == Pointer::MOUSE && self.menus.binding.is_none())
        {
            let entry = self.column(self.show.size, menu).entry_at([pointer.x, pointer.y]);
            self.menus.selected = entry.unwrap_or(self.menus.selected);
        }
    }

    fn toggle_fullscreen(&mut self, cx: &mut Context<'_>) {
        self.settings.is_fullscreen = cx.is_fullscreen();
        self.cycle(Item::Fullscreen, cx);
    }
}
