//! The X server's counts of refreshes, from its Present extension.
//!
//! ```text
//! this thread   wait for an event -> remember it -> wake the event loop -> ask for the next count
//! event loop                                          take the latest
//! ```
//!
//! The events arrive on a connection of their own, because winit's is not ours to read. A count that nobody takes is
//! replaced by the next one; after a few of those the thread stops asking, so a hidden window costs nothing.

#![expect(clippy::disallowed_methods, reason = "reads the clock when an event arrives")]

use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use winit::event_loop::EventLoopProxy;
use winit::raw_window_handle::{HasWindowHandle as _, RawWindowHandle};
use winit::window::Window as WinitWindow;
use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::protocol::Event;
use x11rb::protocol::present::{self, CompleteKind, CompleteMode, CompleteNotifyEvent, EventMask};
use x11rb::rust_connection::RustConnection;

use super::host::Wake;

/// How many counts may pass before somebody takes one. Enough for a slow frame.
const UNTAKEN_MAX: u32 = 8;
/// Marks our requests: graphics drivers make some of their own for the same window.
const SERIAL: u32 = 0x4576_656E;
/// How many finished images are remembered, if nobody takes them.
const FINISHED_MAX: usize = 64;

/// One refresh of the display.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    /// The number of the refresh.
    pub(super) number: u64,
    /// When it began: microseconds on a clock that the server does not name.
    pub(super) server_time: Duration,
    /// When this process heard of it.
    pub(super) heard: Instant,
}

/// An image that a graphics driver has presented.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finished {
    pub(super) count: Count,
    /// The driver's number of the image.
    pub(super) serial: u32,
    pub(super) is_shown: bool,
}

/// Listens to the counts of a window's display.
#[derive(Debug)]
pub(super) struct Counts {
    listener: Arc<Listener>,
}

#[derive(Debug)]
struct Listener {
    connection: RustConnection,
    window: u32,
    heard: Mutex<Heard>,
}

#[derive(Debug, Default)]
struct Heard {
    latest: Option<Count>,
    finished: Vec<Finished>,
    untaken: u32,
    is_asked: bool,
    is_over: bool,
}

impl Counts {
    /// Starts to listen.
    ///
    /// # Errors
    ///
    /// If the window is not on an X server, or the server has no Present extension.
    pub(super) fn listen(window: &WinitWindow, proxy: EventLoopProxy<Wake>) -> Result<Self, Box<dyn Error>> {
        let window = match window.window_handle()?.as_raw() {
            RawWindowHandle::Xlib(handle) => handle.window as u32,
            RawWindowHandle::Xcb(handle) => handle.window.get(),
            other => return Err(format!("not an X window: {other:?}").into()),
        };
        let (connection, _) = x11rb::connect(None)?;
        connection.extension_information(present::X11_EXTENSION_NAME)?.ok_or("no Present extension")?;
        present::query_version(&connection, 1, 0)?.reply()?;
        let id = connection.generate_id()?;
        present::select_input(&connection, id, window, EventMask::COMPLETE_NOTIFY)?.check()?;
        let listener = Arc::new(Listener { connection, window, heard: Mutex::default() });
        let its = Arc::clone(&listener);
        thread::Builder::new().name("vertical counts".to_owned()).spawn(move || its.listen(&proxy))?;
        Ok(Self { listener })
    }

    /// Asks for the counts to go on.
    pub(super) fn ask(&self) {
        let mut heard = self.listener.heard();
        heard.untaken = 0;
        self.listener.ask(&mut heard);
    }

    /// Takes the latest count.
    pub(super) fn take(&self) -> Option<Count> {
        self.listener.heard().latest.take()
    }

    /// Takes the images that a graphics driver has presented, in order.
    pub(super) fn take_finished(&self) -> Vec<Finished> {
        std::mem::take(&mut self.listener.heard().finished)
    }
}

impl Drop for Counts {
    fn drop(&mut self) {
        self.listener.heard().is_over = true;
        // Any event wakes the thread: a count, or an error about a window that is gone.
        let _ = self.listener.request(0);
    }
}

impl Listener {
    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn listen(&self, proxy: &EventLoopProxy<Wake>) {
        while let Ok(event) = self.connection.wait_for_event() {
            if self.heard().is_over || !self.hear(&event, proxy) {
                return;
            }
        }
        // Without a server there are no counts any more, which the host notices.
    }

    /// Handles an event, and returns whether the event loop still runs.
    fn hear(&self, event: &Event, proxy: &EventLoopProxy<Wake>) -> bool {
        let Event::PresentCompleteNotify(event) = event else {
            // A request failed. The next one may not.
            self.heard().is_asked = false;
            return true;
        };
        let count = of_event(event);
        let mut heard = self.heard();
        if event.kind == CompleteKind::PIXMAP {
            heard.finished.push(Finished {
                count,
                serial: event.serial,
                is_shown: event.mode != CompleteMode::SKIP,
            });
            let excess = heard.finished.len().saturating_sub(FINISHED_MAX);
            heard.finished.drain(..excess);
            return true;
        }
        if event.serial != SERIAL {
            return true;
        }
        let was_taken = heard.latest.replace(count).is_none();
        heard.is_asked = false;
        heard.untaken += 1;
        if heard.untaken < UNTAKEN_MAX {
            self.ask(&mut heard);
        }
        drop(heard);
        !was_taken || proxy.send_event(Wake::Counted).is_ok()
    }

    fn ask(&self, heard: &mut Heard) {
        if !heard.is_asked {
            // The next refresh, whatever its number.
            heard.is_asked = self.request(1).is_ok();
        }
    }

    /// Asks for a count: at once with a divisor of 0, at the next refresh with 1.
    fn request(&self, divisor: u64) -> Result<(), Box<dyn Error>> {
        present::notify_msc(&self.connection, self.window, SERIAL, 0, divisor, 0)?;
        Ok(self.connection.flush()?)
    }
}

fn of_event(event: &CompleteNotifyEvent) -> Count {
    Count { number: event.msc, server_time: Duration::from_micros(event.ust), heard: Instant::now() }
}
