//! A window and its canvas.

use std::num::NonZeroU32;
use std::rc::Rc;

use evenstep::Rate;
use winit::dpi::LogicalSize;
use winit::event_loop::ActiveEventLoop;
use winit::window::{Fullscreen, Window as WinitWindow};

use super::Window;
use crate::app::{App, Draw};
use crate::driver::Driver;
use crate::event::Size;
use crate::pixels::Pixels;

/// A window and its canvas.
pub(super) struct Screen {
    pub(super) window: Rc<WinitWindow>,
    surface: softbuffer::Surface<Rc<WinitWindow>, Rc<WinitWindow>>,
    pub(super) size: Size,
    // Redraw requests are answered in step with the display's vertical sync.
    pub(super) has_sync: bool,
}

impl Screen {
    pub(super) fn open(
        event_loop: &ActiveEventLoop,
        options: &Window,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let attributes = WinitWindow::default_attributes()
            .with_title(&options.title)
            .with_inner_size(LogicalSize::new(options.width, options.height))
            .with_fullscreen(options.is_fullscreen.then_some(Fullscreen::Borderless(None)));
        let window = Rc::new(event_loop.create_window(attributes)?);
        let context = softbuffer::Context::new(Rc::clone(&window))?;
        let surface = softbuffer::Surface::new(&context, Rc::clone(&window))?;
        let size = Size::of_pixels(0, 0, 1.0);
        let mut screen = Self { window, surface, size, has_sync: has_sync(event_loop) };
        screen.measure();
        Ok(screen)
    }

    pub(super) fn measure(&mut self) {
        let pixels = self.window.inner_size();
        self.size = Size::of_pixels(pixels.width, pixels.height, self.window.scale_factor());
    }

    pub(super) fn refresh_rate(&self) -> Option<Rate> {
        let millihertz = self.window.current_monitor()?.refresh_rate_millihertz()?;
        // Some drivers report 0 or nonsense.
        (1_000..=1_000_000).contains(&millihertz).then(|| Rate::new(millihertz, 1_000))
    }

    pub(super) fn draw<A>(&mut self, driver: &mut Driver<A>) -> Result<(), softbuffer::SoftBufferError>
    where
        A: App + for<'a> Draw<Pixels<'a>>,
    {
        let (width, height) = self.size.pixels();
        let (Some(wide), Some(high)) = (NonZeroU32::new(width), NonZeroU32::new(height)) else {
            return Ok(());
        };
        self.surface.resize(wide, high)?;
        let mut buffer = self.surface.buffer_mut()?;
        driver.draw(&mut Pixels::new(&mut buffer, width, height, self.size.scale));
        self.window.pre_present_notify();
        buffer.present()
    }
}

/// Returns whether the window system answers redraw requests in step with the display's vertical sync.
#[cfg(target_os = "linux")]
fn has_sync(event_loop: &ActiveEventLoop) -> bool {
    use winit::platform::wayland::ActiveEventLoopExtWayland;
    event_loop.is_wayland()
}

#[cfg(not(target_os = "linux"))]
fn has_sync(_event_loop: &ActiveEventLoop) -> bool {
    false
}
