//! A canvas on a graphics card, through wgpu.

mod card;
#[cfg(not(target_arch = "wasm32"))]
mod offscreen;
mod painter;
mod pictures;
mod readback;

use std::fmt;

use wgpu::{Device, Queue, TextureFormat, TextureView};

use crate::event::Size;
use crate::image::Image;
use crate::mark::{Mark, draw_shape};
use crate::paint::{Color, Paint};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use card::find_card;
#[cfg(any(feature = "web", not(target_arch = "wasm32")))]
pub(crate) use card::{configure, plain_format};
#[cfg(all(feature = "web", target_arch = "wasm32"))]
pub(crate) use card::{request_adapter, request_device};
#[cfg(not(target_arch = "wasm32"))]
pub use offscreen::Offscreen;
pub(crate) use painter::Painter;

/// A canvas on a graphics card.
///
/// It implements [`Paint`], so an app that is generic over `Paint` runs on it unchanged. An app with a renderer of its
/// own uses [`device`](Self::device), [`queue`](Self::queue) and [`view`](Self::view): it records and submits its work in
/// [`Draw::draw`](crate::Draw::draw), and the host presents the image. Shapes that are drawn through the canvas appear on
/// top of it.
///
/// When the graphics card was lost and found again, everything that was created with the old device is void: the
/// [`generation`](Self::generation) then has another value.
///
/// ```no_run
/// use evenstep_host::gpu::Gpu;
/// use evenstep_host::{Draw, View};
///
/// struct Pipelines { generation: u64 }
/// struct Game { pipelines: Option<Pipelines> }
///
/// impl Draw<Gpu<'_>> for Game {
///     fn draw(&mut self, gpu: &mut Gpu<'_>, _view: View<'_>) {
///         if self.pipelines.as_ref().is_none_or(|mine| mine.generation != gpu.generation()) {
///             self.pipelines = Some(Pipelines { generation: gpu.generation() }); // Created with gpu.device().
///         }
///         let commands = gpu.device().create_command_encoder(&Default::default());
///         // A render pass into gpu.view(), in gpu.format().
///         gpu.queue().submit([commands.finish()]);
///     }
/// }
/// ```
pub struct Gpu<'a> {
    pub(crate) device: &'a Device,
    pub(crate) queue: &'a Queue,
    pub(crate) view: &'a TextureView,
    pub(crate) format: TextureFormat,
    pub(crate) generation: u64,
    pub(crate) size: Size,
    pub(crate) painter: &'a mut Painter,
}

impl Gpu<'_> {
    /// Returns the device, to create resources with.
    pub const fn device(&self) -> &Device {
        self.device
    }

    /// Returns the queue, to submit work to.
    pub const fn queue(&self) -> &Queue {
        self.queue
    }

    /// Returns the image to draw into. It holds nothing yet.
    pub const fn view(&self) -> &TextureView {
        self.view
    }

    /// Returns the format of the image. Its values are blended as they are stored, like those of
    /// [`Pixels`](crate::Pixels).
    pub const fn format(&self) -> TextureFormat {
        self.format
    }

    /// Returns a number that changes with the device: pipelines of an earlier generation must be created again.
    pub const fn generation(&self) -> u64 {
        self.generation
    }

    /// Passes what was drawn through this canvas so far to `done`, as pixels `0x00_RR_GG_BB`, row by row. What an app
    /// draws with the device itself is not in it.
    ///
    /// In a window, `done` is called before this returns; on a page, once the browser has read the pixels. It is not
    /// called if the graphics card is lost.
    ///
    /// ```no_run
    /// # use evenstep_host::gpu::Gpu;
    /// fn save(gpu: &mut Gpu<'_>) {
    ///     gpu.screenshot(|pixels| println!("{} pixels", pixels.len()));
    /// }
    /// ```
    pub fn screenshot(&mut self, done: impl FnOnce(Vec<u32>) + Send + 'static) {
        let size = self.size.pixels();
        let image = readback::image(self.device, self.format, size);
        self.painter.paint(
            self.device,
            self.queue,
            &image.create_view(&wgpu::TextureViewDescriptor::default()),
            size,
        );
        readback::read(self.device, self.queue, &image, |pixels| {
            if let Some(pixels) = pixels {
                done(pixels);
            }
        });
        // A lost card says so with the next image. On a page there is nothing to wait for.
        let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
    }

    /// Adds light around the lines, rings and outlines that are drawn from now on: how far it reaches, in pixels, and how
    /// strong it is at the edge. Zero turns it off. A new image starts without it.
    pub const fn set_glow(&mut self, radius: f32, strength: f32) {
        self.painter.set_glow(radius, strength);
    }
}

impl Paint for Gpu<'_> {
    fn size(&self) -> Size {
        self.size
    }

    fn fill(&mut self, color: Color) {
        if color.alpha() < 1.0 {
            self.rect(0.0, 0.0, self.size.width, self.size.height, color);
        } else {
            self.painter.clear(color);
        }
    }

    fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, color: Color) {
        self.painter.mark(Mark::rect(self.size.scale, [x, y], [width, height]), color);
    }

    fn line(&mut self, from: [f64; 2], to: [f64; 2], width: f64, color: Color) {
        self.painter.mark(Mark::line(self.size.scale, from, to, width), color);
    }

    fn ring(&mut self, x: f64, y: f64, radius: f64, width: f64, color: Color) {
        self.painter.mark(Mark::ring(self.size.scale, [x, y], radius, width), color);
    }

    fn shape(&mut self, corners: &[[f64; 2]], filling: Color, outline: Color, width: f64) {
        draw_shape(self.size.scale, corners, [filling, outline], width, |mark, color| {
            self.painter.mark(mark, color);
        });
    }

    fn light(&mut self, x: f64, y: f64, radius: f64, color: Color) {
        self.painter.mark(Mark::light(self.size.scale, [x, y], radius), color);
    }

    fn invert(&mut self) {
        self.painter.invert(self.size.pixels());
    }

    /// Draws an image from a texture, which is kept for as long as a clone of the image lives. An image that is larger
    /// than the card's textures can be is not drawn; no card of the last decade refuses 4096 x 4096 pixels.
    fn image(&mut self, x: f64, y: f64, width: f64, height: f64, image: &Image) {
        let edges = [x, y, x + width, y + height].map(|points| (points * self.size.scale) as f32);
        self.painter.picture(self.device, self.queue, edges, image);
    }
}

impl fmt::Debug for Gpu<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, format, generation, .. } = self;
        write!(f, "Gpu({size:?}, {format:?}, generation {generation})")
    }
}
