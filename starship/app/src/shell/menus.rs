//! Menus and settings: selecting, choosing and changing. Everything works with keys, a gamepad, a mouse and fingers.

use evenstep_host::{App as _, Context, Key};

use super::{Screen, Shell};
use crate::layout::Area;
use crate::menu::{self, Column, Entry, Menu};
use crate::seeds::Seed;
use crate::settings::{Action, Item, Keys, key_name};
use crate::sound::Sound;
use crate::watch;

/// A direction in a menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Up,
    Down,
    Left,
    Right,
}

/// The menus that are open over the game, and what is selected in them.
#[derive(Debug, Default)]
pub(super) struct Menus {
    /// The settings, over the title or the pause menu.
    pub(super) opened: Option<Menu>,
    pub(super) selected: usize,
    /// The entries selected in the menus below the opened one.
    selected_below: Vec<usize>,
    /// The action that waits for its new key.
    pub(super) binding: Option<Action>,
}

impl Menus {
    fn open(&mut self, menu: Menu) {
        self.selected_below.push(self.selected);
        self.opened = Some(menu);
        self.selected = 0;
    }

    /// Returns to the menu below.
    pub(super) fn back(&mut self) {
        self.binding = None;
        self.opened = match self.opened {
            Some(Menu::Keys) => Some(Menu::Settings),
            _ => None,
        };
        self.selected = self.selected_below.pop().unwrap_or(0);
    }

    /// Closes all menus.
    pub(super) fn close(&mut self) {
        *self = Self::default();
    }
}

impl Shell {
    /// The menu that is open, if any.
    pub(crate) const fn menu(&self) -> Option<Menu> {
        match (self.menus.opened, self.run.screen, self.run.play.is_paused()) {
            (Some(menu), ..) => Some(menu),
            (None, Screen::Title, _) => Some(Menu::Title),
            // A recording has its own bar.
            (None, Screen::Run, true) if self.replay.watch.is_none() => Some(Menu::Pause),
            (None, Screen::Run, _) => None,
        }
    }

    /// Where a menu is on the screen.
    pub(super) fn column(&self, size: (f64, f64), menu: Menu) -> Column {
        Column::new(size, menu, &self.help(), self.devices.touch.is_used(), &self.note(menu))
    }

    pub(crate) fn help(&self) -> Vec<(String, &'static str)> {
        menu::help(&self.settings.keys, self.devices.touch.is_used())
    }

    /// The value of each entry, as the player sees it.
    pub(super) fn values(&self, menu: Menu) -> Vec<Option<String>> {
        let value = |entry: &Entry| match *entry {
            Entry::Set(item) => Some(self.settings.words(item)),
            Entry::Difficulty => Some(self.run.difficulty.name().to_uppercase()),
            Entry::Bind(action) if self.menus.binding == Some(action) => Some("PRESS A KEY".to_owned()),
            Entry::Bind(action) => Some(key_name(self.settings.keys.of(action))),
            _ => None,
        };
        menu.entries().iter().map(value).collect()
    }

    /// The buttons for fingers, while they are shown: the overlay's, then pause.
    pub(super) fn buttons(&self, size: (f64, f64)) -> Option<[Area; 2]> {
        let above = if self.replay.watch.is_some() { watch::height(size) } else { 0.0 };
        let up = |area: Area| Area::new(area.left, area.top - above, area.width, area.height);
        (self.devices.touch.is_used() && self.menu().is_none()).then(|| menu::buttons(size).map(up))
    }

    /// Moves the selection, or changes the selected value.
    pub(super) fn go(&mut self, way: Way, cx: &mut Context<'_>) {
        if self.is_choosing() {
            self.run.chooser.go(matches!(way, Way::Right | Way::Down));
            self.show.speaker.play(Sound::Select, cx.now());
            return;
        }
        let Some(menu) = self.menu() else {
            return;
        };
        let entries = menu.entries();
        match (way, entries[self.menus.selected]) {
            (Way::Up, _) => self.select(self.menus.selected + entries.len() - 1, cx),
            (Way::Down, _) => self.select(self.menus.selected + 1, cx),
            (Way::Left | Way::Right, Entry::Set(item)) => self.step(item, way == Way::Right, cx),
            (Way::Left | Way::Right, Entry::Difficulty) => self.change_difficulty(way == Way::Right),
            (Way::Left | Way::Right, _) => {}
        }
    }

    fn select(&mut self, n: usize, cx: &Context<'_>) {
        let entries = self.menu().map_or(1, |menu| menu.entries().len());
        self.menus.selected = n % entries;
        self.show.speaker.play(Sound::Select, cx.now());
    }

    /// Confirms the selected entry. After the end of a run, the simulation handles the key.
    pub(super) fn confirm(&mut self, cx: &mut Context<'_>) {
        if self.is_choosing() {
            self.run.chooser.confirm(self.run.play.state());
        } else if let Some(menu) = self.menu() {
            self.choose(menu.entries()[self.menus.selected], cx);
        }
    }

    pub(super) fn choose(&mut self, entry: Entry, cx: &mut Context<'_>) {
        self.show.speaker.play(Sound::Choose, cx.now());
        match entry {
            Entry::Launch => self.launch(Screen::Run, self.options.seed),
            Entry::Daily => self.launch(Screen::Run, Seed::Daily),
            Entry::Restart => self.restart(),
            Entry::Difficulty => self.change_difficulty(true),
            Entry::Resume => self.set_paused(false),
            Entry::Settings => self.menus.open(Menu::Settings),
            Entry::Keys => self.menus.open(Menu::Keys),
            Entry::Title => self.launch(Screen::Title, self.options.seed),
            Entry::Quit => {
                self.keep_score();
                cx.quit();
            }
            Entry::Set(item) => self.cycle(item, cx),
            Entry::Bind(action) => self.menus.binding = Some(action),
            Entry::DefaultKeys => {
                self.settings.keys = Keys::default();
                self.settings.keys.keep(&mut self.store);
            }
            Entry::Back => self.menus.back(),
        }
    }

    /// Gives an action the key that was pressed. Escape leaves it as it was.
    pub(super) fn bind(&mut self, action: Action, key: Key) {
        self.menus.binding = None;
        if key == Key::Escape {
            return;
        }
        match self.settings.keys.choose(action, key) {
            Ok(()) => self.settings.keys.keep(&mut self.store),
            Err(reason) => self.show.notify(reason),
        }
    }

    /// Changes a setting to its next or previous value.
    pub(super) fn step(&mut self, item: Item, is_up: bool, cx: &mut Context<'_>) {
        self.settings.step(item, is_up);
        self.changed(item, cx);
    }

    /// Changes a setting to its next value, and from the last to the first.
    pub(super) fn cycle(&mut self, item: Item, cx: &mut Context<'_>) {
        self.settings.cycle(item);
        self.changed(item, cx);
    }

    /// Puts a changed setting into effect, and keeps it.
    fn changed(&mut self, item: Item, cx: &mut Context<'_>) {
        match item {
            Item::Shake => self.show.effects.set_shake(self.settings.shake_share()),
            Item::Speed => self.run.play.set_speed(self.settings.speed),
            Item::Lock | Item::FpsCap => cx.pacer.set_pacing(self.pacing()),
            Item::Fullscreen => cx.set_fullscreen(self.settings.is_fullscreen),
            Item::Volume | Item::Mute => {
                self.show.speaker.set_volume(self.settings.loudness());
                self.show.speaker.wake();
                // So that the player hears how loud it is.
                self.show.speaker.play(Sound::Choose, cx.now());
            }
            Item::Flash | Item::Overlay => {}
        }
        self.settings.keep(item, &mut self.store);
        if self.menu().is_none_or(|menu| menu != Menu::Settings) {
            self.show.notify(format!("{} {}", item.name(), self.settings.words(item)));
        }
    }
}

#[cfg(test)]
mod tests;
