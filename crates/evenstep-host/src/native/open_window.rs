//! A window, its canvas, and what its window system says about both.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use evenstep::Rate;
use winit::dpi::LogicalSize;
use winit::event_loop::ActiveEventLoop;
use winit::window::{Fullscreen, Window as WinitWindow};

use super::Window;
use crate::driver::Driver;
use crate::event::Size;
use crate::requests::Requests;

/// What an app draws on in a window.
pub(super) trait Canvas<A>: Sized {
    /// Creates the canvas of a window.
    fn open(window: &Arc<WinitWindow>) -> Result<Self, Box<dyn Error>>;

    /// Says what draws.
    fn name(&self) -> String;

    /// Returns whether presenting an image waits for the display.
    fn blocks(&self) -> bool {
        false
    }

    /// A number that changes when something else draws: another GPU, or pixels in place of one.
    fn generation(&self) -> u64 {
        0
    }

    /// Counts the swapchains that images were presented on.
    fn chain(&self) -> u32 {
        0
    }

    /// Takes what is known about the waits of the last image.
    fn take_waits(&mut self) -> Waits {
        Waits::default()
    }

    /// Draws the last frame and shows it, and returns whether it did. Calls `presenting` just before the image goes to
    /// the window system.
    fn draw(
        &mut self,
        size: Size,
        driver: &mut Driver<A>,
        presenting: impl FnOnce(),
    ) -> Result<bool, Box<dyn Error>>;

    /// Waits until the next image can be drawn, where the window system makes the canvas wait.
    fn prepare(&mut self, size: Size) -> Result<(), Box<dyn Error>> {
        let _ = size;
        Ok(())
    }
}

/// How long an image waited for the display.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waits {
    pub(super) blocked: Duration,
    /// There was no image to draw on, for so long that the driver gave up.
    pub(super) has_timed_out: bool,
}

/// A window and its canvas.
pub(super) struct OpenWindow<C> {
    // In the order in which they must be dropped.
    #[cfg(target_os = "linux")]
    pub(super) presentation: Option<super::presentation::Presentation>,
    pub(super) canvas: C,
    pub(super) handle: Arc<WinitWindow>,
    pub(super) size: Size,
    // Redraw requests are answered in step with the display's vertical sync.
    pub(super) has_callbacks: bool,
}

impl<C> OpenWindow<C> {
    pub(super) fn open<A>(event_loop: &ActiveEventLoop, options: &Window) -> Result<Self, Box<dyn Error>>
    where
        C: Canvas<A>,
    {
        let mut attributes = WinitWindow::default_attributes()
            .with_title(&options.title)
            .with_inner_size(LogicalSize::new(options.width, options.height))
            .with_fullscreen(options.is_fullscreen.then_some(Fullscreen::Borderless(None)));
        attributes.min_inner_size =
            options.size_min.map(|(width, height)| LogicalSize::new(width, height).into());
        let window = Arc::new(event_loop.create_window(attributes)?);
        let canvas = C::open(&window)?;
        let has_callbacks = has_callbacks(event_loop);
        let mut opened = Self {
            #[cfg(target_os = "linux")]
            presentation: super::presentation::Presentation::open(&window).ok(),
            canvas,
            handle: window,
            size: Size::of_pixels(0, 0, 1.0),
            has_callbacks,
        };
        opened.measure();
        Ok(opened)
    }

    /// Carries out what the app asks of its window.
    pub(super) fn carry_out(&self, requests: &Requests) {
        let window = &self.handle;
        if let Some(is_fullscreen) = requests.fullscreen {
            window.set_fullscreen(is_fullscreen.then_some(Fullscreen::Borderless(None)));
        }
        if let Some(title) = &requests.title {
            window.set_title(title);
        }
        if let Some(is_visible) = requests.is_cursor_visible {
            window.set_cursor_visible(is_visible);
        }
        if let Some((width, height)) = requests.size_min {
            window.set_min_inner_size(Some(LogicalSize::new(width, height)));
        }
    }

    pub(super) fn is_fullscreen(&self) -> bool {
        self.handle.fullscreen().is_some()
    }

    pub(super) fn measure(&mut self) {
        let pixels = self.handle.inner_size();
        self.size = Size::of_pixels(pixels.width, pixels.height, self.handle.scale_factor());
    }

    pub(super) fn refresh_rate(&self) -> Option<Rate> {
        let millihertz = self.handle.current_monitor()?.refresh_rate_millihertz()?;
        // Some drivers report 0 or nonsense.
        (1_000..=1_000_000).contains(&millihertz).then(|| Rate::new(millihertz, 1_000))
    }

    /// Draws the last frame as the image with this number, and returns whether it did.
    pub(super) fn draw<A>(&mut self, driver: &mut Driver<A>, image: u64) -> Result<bool, Box<dyn Error>>
    where
        C: Canvas<A>,
    {
        if self.size.pixels().0 == 0 || self.size.pixels().1 == 0 {
            return Ok(false);
        }
        let window = &self.handle;
        #[cfg(target_os = "linux")]
        let presentation = &self.presentation;
        self.canvas.draw(self.size, driver, || {
            #[cfg(target_os = "linux")]
            if let Some(presentation) = presentation {
                presentation.ask(image);
            }
            #[cfg(not(target_os = "linux"))]
            let _ = image;
            window.pre_present_notify();
        })
    }
}

/// Returns whether the window system answers redraw requests in step with the display's vertical sync.
#[cfg(target_os = "linux")]
fn has_callbacks(event_loop: &ActiveEventLoop) -> bool {
    use winit::platform::wayland::ActiveEventLoopExtWayland;
    event_loop.is_wayland()
}

#[cfg(not(target_os = "linux"))]
fn has_callbacks(_event_loop: &ActiveEventLoop) -> bool {
    false
}
