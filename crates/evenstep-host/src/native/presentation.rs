//! When a Wayland compositor has shown an image: the protocol `wp_presentation`.
//!
//! winit owns the connection and reads it. Its events for us wait in a queue of our own until we dispatch it.

use std::error::Error;
use std::time::Duration;

use wayland_backend::client::{Backend, ObjectId};
use wayland_client::globals::{GlobalListContents, registry_queue_init};
use wayland_client::protocol::wl_registry::{self, WlRegistry};
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, Dispatch, EventQueue, Proxy as _, QueueHandle};
use wayland_protocols::wp::presentation_time::client::wp_presentation::{self, WpPresentation};
use wayland_protocols::wp::presentation_time::client::wp_presentation_feedback::{
    self, WpPresentationFeedback,
};
use winit::raw_window_handle::{
    HasDisplayHandle as _, HasWindowHandle as _, RawDisplayHandle, RawWindowHandle,
};
use winit::window::Window as WinitWindow;

use super::images::ShownAt;

/// What became of an image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Report {
    /// The image's number.
    pub(super) image: u64,
    /// When it was shown, on the compositor's clock. `None` if it never was.
    pub(super) shown: Option<ShownAt>,
}

/// Asks a compositor when images are shown. Must be dropped before its window and its event loop.
#[derive(Debug)]
pub(super) struct Presentation {
    queue: EventQueue<State>,
    state: State,
    global: WpPresentation,
    surface: WlSurface,
}

#[derive(Debug, Default)]
struct State {
    clock: Option<u32>,
    reports: Vec<Report>,
}

impl Presentation {
    /// Asks the compositor of a window for reports.
    ///
    /// # Errors
    ///
    /// If the window is not on Wayland, or the compositor has no presentation feedback.
    pub(super) fn open(window: &WinitWindow) -> Result<Self, Box<dyn Error>> {
        let RawDisplayHandle::Wayland(display) = window.display_handle()?.as_raw() else {
            return Err("not on Wayland".into());
        };
        let RawWindowHandle::Wayland(handle) = window.window_handle()?.as_raw() else {
            return Err("not on Wayland".into());
        };
        #[expect(unsafe_code, reason = "winit offers its connection only as a pointer")]
        // SAFETY: The pointer is winit's `wl_display`, which lives as long as the event loop. The host drops this object
        // in `exiting`, before the event loop ends.
        let backend = unsafe { Backend::from_foreign_display(display.display.as_ptr().cast()) };
        let connection = Connection::from_backend(backend);
        let (globals, mut queue) = registry_queue_init::<State>(&connection)?;
        let global = globals.bind::<WpPresentation, _, _>(&queue.handle(), 1..=1, ())?;
        #[expect(unsafe_code, reason = "winit offers its surface only as a pointer")]
        // SAFETY: The pointer is the window's `wl_surface`, a proxy of the same connection. The window outlives this
        // object, which is dropped before it.
        let id = unsafe { ObjectId::from_ptr(WlSurface::interface(), handle.surface.as_ptr().cast()) }?;
        let surface = WlSurface::from_id(&connection, id)?;
        let mut state = State::default();
        // The compositor names its clock at once.
        queue.roundtrip(&mut state)?;
        Ok(Self { queue, state, global, surface })
    }

    /// The compositor's clock, numbered as in `clock_gettime`.
    pub(super) const fn clock(&self) -> Option<u32> {
        self.state.clock
    }

    /// Asks for a report on the next image, which is about to be committed.
    pub(super) fn ask(&self, image: u64) {
        self.global.feedback(&self.surface, &self.queue.handle(), image);
    }

    /// Takes the reports that have arrived.
    pub(super) fn take(&mut self) -> Vec<Report> {
        // A broken connection ends the event loop, which says why.
        let _ = self.queue.dispatch_pending(&mut self.state);
        std::mem::take(&mut self.state.reports)
    }
}

impl Dispatch<WpPresentation, ()> for State {
    fn event(
        state: &mut Self,
        _: &WpPresentation,
        event: wp_presentation::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let wp_presentation::Event::ClockId { clk_id } = event {
            state.clock = Some(clk_id);
        }
    }
}

impl Dispatch<WpPresentationFeedback, u64> for State {
    fn event(
        state: &mut Self,
        _: &WpPresentationFeedback,
        event: wp_presentation_feedback::Event,
        &image: &u64,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        let wide = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
        let shown = match event {
            wp_presentation_feedback::Event::Presented {
                tv_sec_hi,
                tv_sec_lo,
                tv_nsec,
                refresh,
                seq_hi,
                seq_lo,
                ..
            } => Some(ShownAt {
                at: Duration::new(wide(tv_sec_hi, tv_sec_lo), tv_nsec.min(999_999_999)),
                refresh: Duration::from_nanos(refresh.into()),
                sequence: Some(wide(seq_hi, seq_lo)).filter(|&sequence| sequence > 0),
            }),
            wp_presentation_feedback::Event::Discarded => None,
            _ => return,
        };
        state.reports.push(Report { image, shown });
    }
}

impl Dispatch<WlRegistry, GlobalListContents> for State {
    fn event(
        _: &mut Self,
        _: &WlRegistry,
        _: wl_registry::Event,
        _: &GlobalListContents,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
    }
}
