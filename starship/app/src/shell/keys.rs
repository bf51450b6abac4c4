//! Keys, buttons and touches: they control the shell and the pacer, never the game's state.

use evenstep::DisplayLock;
use evenstep_host::{App as _, Button, Context, Key, Pointer};

use super::draw::is_pause_button;
use super::{Screen, Shell};
use crate::menu::{self, Entry};

/// The speeds that `[` and `]` select.
const SPEEDS: [f64; 7] = [0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 4.0];

impl Shell {
    pub(super) fn key(&mut self, key: Key, cx: &mut Context<'_>) {
        match key {
            Key::F1 => self.overlay.is_shown = !self.overlay.is_shown,
            Key::F2 => self.is_shot_asked = true,
            Key::KeyL => self.toggle_lock(cx),
            Key::BracketLeft => self.change_speed(false, cx),
            Key::BracketRight => self.change_speed(true, cx),
            Key::Escape if self.screen == Screen::Title => cx.quit(),
            Key::Escape if self.state().phase.is_over() => self.launch(Screen::Title, cx),
            Key::KeyP | Key::Escape => self.set_paused(!self.play.is_paused(), cx),
            Key::Period if self.play.is_paused() => cx.pacer.step_by_hand(1),
            Key::Enter | Key::NumpadEnter | Key::Space => self.confirm(cx),
            Key::ArrowUp | Key::KeyW => self.select(Entry::ALL.len() - 1),
            Key::ArrowDown | Key::KeyS => self.select(1),
            _ => {}
        }
    }

    pub(super) fn button(&mut self, button: Button, cx: &mut Context<'_>) {
        match button {
            Button::Start => self.set_paused(!self.play.is_paused(), cx),
            Button::South => self.confirm(cx),
            Button::Up => self.select(Entry::ALL.len() - 1),
            Button::Down => self.select(1),
            _ => {}
        }
    }

    pub(super) fn press(&mut self, pointer: Pointer, cx: &mut Context<'_>) {
        let place = [pointer.x as f32, pointer.y as f32];
        if self.screen == Screen::Title {
            self.launch(Screen::Run, cx);
        } else if self.play.is_paused() {
            if let Some(n) = menu::entry_at(self.size, place) {
                self.choose(Entry::ALL[n], cx);
            }
        } else if self.touch.is_used() && is_pause_button(self.size, place) {
            self.set_paused(true, cx);
        }
    }

    /// Confirms a menu entry. After the end of a run, the simulation handles the key.
    fn confirm(&mut self, cx: &mut Context<'_>) {
        if self.screen == Screen::Title {
            self.launch(Screen::Run, cx);
        } else if self.play.is_paused() {
            self.choose(Entry::ALL[self.selected], cx);
        }
    }

    fn choose(&mut self, entry: Entry, cx: &mut Context<'_>) {
        match entry {
            Entry::Resume => self.set_paused(false, cx),
            Entry::Restart => self.launch(Screen::Run, cx),
            Entry::Title => self.launch(Screen::Title, cx),
            Entry::Quit => cx.quit(),
        }
    }

    const fn select(&mut self, further: usize) {
        if self.play.is_paused() {
            self.selected = (self.selected + further) % Entry::ALL.len();
        }
    }

    pub(super) fn set_paused(&mut self, is_paused: bool, cx: &mut Context<'_>) {
        if self.screen == Screen::Run && !self.state().phase.is_over() {
            if is_paused {
                self.play.pause();
            } else {
                self.play.unpause();
            }
            self.selected = 0;
            self.play.apply(cx.pacer);
        }
    }

    fn change_speed(&mut self, is_faster: bool, cx: &mut Context<'_>) {
        let next = if is_faster {
            SPEEDS.into_iter().find(|&speed| speed > self.play.speed())
        } else {
            SPEEDS.into_iter().rev().find(|&speed| speed < self.play.speed())
        };
        if let Some(speed) = next {
            self.play.set_speed(speed, cx.pacer);
            self.notify(self.speed_notice());
        }
    }

    pub(super) fn speed_notice(&self) -> String {
        format!("SPEED {}", self.play.speed())
    }

    fn toggle_lock(&mut self, cx: &mut Context<'_>) {
        let pacing = cx.pacer.pacing();
        let (lock, name) = if pacing == pacing.with_display_lock(DisplayLock::Off) {
            (self.pacing(), "DISPLAY LOCK ON")
        } else {
            (pacing.with_display_lock(DisplayLock::Off), "DISPLAY LOCK OFF")
        };
        cx.pacer.set_pacing(lock);
        self.notify(name.to_owned());
    }
}
