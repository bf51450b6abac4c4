//! What an app asks of its window or page.

use crate::display::Display;

/// What an app has asked of its window or page. [`Context`](crate::Context) collects it, and the host carries it out
/// after the event or the frame.
///
/// Only hosts need this type; they get it from [`Driver::take_requests`](crate::Driver::take_requests). Of several
/// requests of a kind, the last one counts.
///
/// ```
/// use std::time::Duration;
/// use evenstep_host::{App, Context, Driver, Event, Input, Key};
///
/// struct Game;
/// impl App for Game {
///     fn input(&mut self, event: Event, cx: &mut Context<'_>) {
///         if event == Event::KeyDown(Key::F11) {
///             cx.set_fullscreen(!cx.is_fullscreen());
///         }
///     }
///     fn step(&mut self, _input: &Input, _cx: &mut Context<'_>) {}
/// }
///
/// let mut driver = Driver::new(Game);
/// driver.event(Duration::ZERO, Event::KeyDown(Key::F11));
/// assert_eq!(driver.take_requests().fullscreen, Some(true));
/// assert_eq!(driver.take_requests().fullscreen, None, "carried out once");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Requests {
    /// Enter full screen, or leave it.
    pub fullscreen: Option<bool>,
    /// The title to show.
    pub title: Option<String>,
    /// Show the mouse cursor, or hide it.
    pub is_cursor_visible: Option<bool>,
    /// The smallest width and height, in points.
    pub size_min: Option<(f64, f64)>,
}

/// The link between an app and its host: what the app asks for, and what it is told.
#[derive(Debug, Default)]
pub(crate) struct Link {
    pub(crate) is_over: bool,
    pub(crate) is_fullscreen: bool,
    pub(crate) requests: Requests,
    pub(crate) display: Display,
}
