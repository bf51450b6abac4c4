//! Images that no window shows.

use std::error::Error;
use std::sync::mpsc;

use wgpu::{Adapter, Backends, Device, Instance, InstanceDescriptor, PollType, Queue, TextureFormat};

use super::{Gpu, Painter, find_card, readback};
use crate::event::Size;

/// A graphics card that draws images into memory, for tests and screenshots.
///
/// ```no_run
/// use evenstep_host::gpu::Offscreen;
/// use evenstep_host::{Color, Paint};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut card = Offscreen::new()?;
/// println!("drawing with {}", card.name());
/// let image = card.draw(640, 360, 1.0, |gpu| gpu.fill(Color::rgb(0xFF_80_00)))?;
/// assert!(image.iter().all(|&pixel| pixel == 0xFF_80_00));
/// # Ok(())
/// # }
/// ```
pub struct Offscreen {
    painter: Painter,
    queue: Queue,
    device: Device,
    adapter: Adapter,
}

impl Offscreen {
    const FORMAT: TextureFormat = TextureFormat::Rgba8Unorm;

    /// Finds a GPU, which may be software.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn new() -> Result<Self, Box<dyn Error>> {
        let mut descriptor = InstanceDescriptor::new_without_display_handle();
        descriptor.backends = Backends::PRIMARY;
        let (adapter, device, queue) = find_card(&Instance::new(descriptor), None)?;
        Ok(Self { painter: Painter::new(&device, Self::FORMAT), queue, device, adapter })
    }

    /// Returns the name of the card.
    pub fn name(&self) -> String {
        self.adapter.get_info().name
    }

    /// Draws an image and returns its pixels as `0x00_RR_GG_BB`, row by row.
    ///
    /// # Errors
    ///
    /// If the card is lost.
    pub fn draw(
        &mut self,
        width: u32,
        height: u32,
        scale: f64,
        draw: impl FnOnce(&mut Gpu<'_>),
    ) -> Result<Vec<u32>, Box<dyn Error>> {
        let width = width.max(1);
        let height = height.max(1);
        let image = readback::image(&self.device, Self::FORMAT, (width, height));
        let view = image.create_view(&wgpu::TextureViewDescriptor::default());
        self.painter.begin();
        draw(&mut Gpu {
            device: &self.device,
            queue: &self.queue,
            view: &view,
            format: Self::FORMAT,
            generation: 1,
            size: Size::of_pixels(width, height, scale),
            painter: &mut self.painter,
        });
        self.painter.finish(&self.device, &self.queue, &view, (width, height));
        let (sender, pixels) = mpsc::channel();
        readback::read(&self.device, &self.queue, &image, move |pixels| _ = sender.send(pixels));
        self.device.poll(PollType::wait_indefinitely())?;
        Ok(pixels.try_recv()?.ok_or("the graphics card is lost")?)
    }
}

impl std::fmt::Debug for Offscreen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Offscreen({})", self.name())
    }
}
