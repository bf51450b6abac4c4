//! Pixels in memory as the canvas of a window, through softbuffer.

use std::error::Error;
use std::num::NonZeroU32;
use std::sync::Arc;

use winit::window::Window as WinitWindow;

use super::open_window::Canvas;
use crate::app::{App, Draw};
use crate::driver::Driver;
use crate::event::Size;
use crate::pixels::Pixels;

/// The pixels of a window.
pub(super) struct PixelCanvas {
    surface: softbuffer::Surface<Arc<WinitWindow>, Arc<WinitWindow>>,
}

impl PixelCanvas {
    pub(super) fn new(window: &Arc<WinitWindow>) -> Result<Self, Box<dyn Error>> {
        let context = softbuffer::Context::new(Arc::clone(window))?;
        Ok(Self { surface: softbuffer::Surface::new(&context, Arc::clone(window))? })
    }
}

impl<A> Canvas<A> for PixelCanvas
where
    A: App + for<'a> Draw<Pixels<'a>>,
{
    fn open(window: &Arc<WinitWindow>) -> Result<Self, Box<dyn Error>> {
        Self::new(window)
    }

    fn name(&self) -> String {
        "pixels in memory".to_owned()
    }

    fn draw(
        &mut self,
        size: Size,
        driver: &mut Driver<A>,
        presenting: impl FnOnce(),
    ) -> Result<bool, Box<dyn Error>> {
        let (width, height) = size.pixels();
        let (Some(wide), Some(high)) = (NonZeroU32::new(width), NonZeroU32::new(height)) else {
            return Ok(false);
        };
        self.surface.resize(wide, high)?;
        let mut buffer = self.surface.buffer_mut()?;
        driver.draw(&mut Pixels::new(&mut buffer, width, height, size.scale));
        presenting();
        buffer.present()?;
        Ok(true)
    }
}
