//! A game that tests play, at 60 frames a second.

use std::time::Duration;

use evenstep::Rate;
use evenstep_host::{Driver, Event, Key};

use super::{Options, Shell};
use crate::store::Store;

/// A game and the number of its last frame.
pub(super) struct Player {
    pub(super) driver: Driver<Shell>,
    frame: u64,
}

impl Player {
    /// Starts a game and runs its first frame.
    pub(super) fn new(store: Store, options: Options) -> Self {
        let mut driver = Driver::new(Shell::new(options, store));
        driver.frame(Duration::ZERO);
        Self { driver, frame: 0 }
    }

    pub(super) fn run(&mut self, frames: u32) -> &mut Self {
        for _ in 0..frames {
            self.frame += 1;
            self.driver.frame(Rate::hz(60).time_of(self.frame));
        }
        self
    }

    pub(super) fn event(&mut self, event: Event) -> &mut Self {
        self.driver.event(Rate::hz(60).time_of(self.frame), event);
        self
    }

    /// Presses and releases a key before the next frame.
    pub(super) fn tap(&mut self, key: Key) -> &mut Self {
        self.event(Event::KeyDown(key)).event(Event::KeyUp(key))
    }

    pub(super) fn app(&self) -> &Shell {
        self.driver.app()
    }

    /// Ends the session, and returns what it has kept.
    pub(super) fn leave(self) -> Store {
        std::mem::take(&mut self.driver.into_app().store)
    }
}
