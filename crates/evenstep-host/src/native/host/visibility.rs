//! Whether the window is visible, and what follows from it.

use std::time::{Duration, Instant};

use super::Host;
use crate::app::{App, Background};
use crate::event::Event;
use crate::native::open_window::Canvas;

/// Some systems send no event when a window is minimised or covered. The host checks this often, and treats a window
/// whose redraw has been pending for this long as hidden.
pub(super) const VISIBILITY_CHECK: Duration = Duration::from_millis(250);

/// What the system reports about whether the window is visible.
pub(super) struct Visibility {
    pub(super) is_focused: bool,
    pub(super) is_occluded: bool,
    // A redraw has been pending for too long.
    pub(super) is_starved: bool,
    checked: Instant,
}

impl Visibility {
    /// Assumes that a new window is visible.
    pub(super) const fn new(now: Instant) -> Self {
        Self { is_focused: true, is_occluded: false, is_starved: false, checked: now }
    }
}

impl<A, C> Host<A, C>
where
    A: App,
    C: Canvas<A>,
{
    /// Returns whether the app is hidden and does not run in the background.
    pub(super) fn is_suspended(&self) -> bool {
        self.is_hidden && self.options.background == Background::Hold
    }

    /// Checks for changes that the system sends no event for. Call it whenever the event loop is idle.
    pub(super) fn watch_visibility(&mut self, now: Instant) {
        let is_due = |since: Instant| now.duration_since(since) >= VISIBILITY_CHECK;
        if self.redraw_requested.is_some_and(is_due) {
            self.visibility.is_starved = true;
            self.check_visibility();
        } else if is_due(self.visibility.checked) && (!self.visibility.is_focused || self.is_hidden) {
            self.check_visibility();
        }
    }

    /// Checks whether the window is visible, and tells the app if that has changed.
    pub(super) fn check_visibility(&mut self) {
        self.visibility.checked = Instant::now();
        let Some(window) = &self.window else {
            return;
        };
        let is_minimized = window.handle.is_minimized() == Some(true);
        let is_hidden = self.visibility.is_occluded
            || self.visibility.is_starved
            || is_minimized
            || window.size.pixels().0 == 0;
        if is_hidden != self.is_hidden {
            self.set_hidden(is_hidden);
        }
    }

    fn set_hidden(&mut self, is_hidden: bool) {
        self.is_hidden = is_hidden;
        self.redraw_requested = None;
        self.due = None;
        self.beats.pause();
        self.feedback.pause();
        self.images.pause(&mut self.driver);
        self.tell(if is_hidden { Event::Hidden } else { Event::Shown });
        if self.options.background == Background::Hold {
            self.driver.suspend();
            self.deadlines.advance(Instant::now());
        }
        self.ask_for_counts();
    }
}
