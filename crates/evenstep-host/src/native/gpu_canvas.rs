//! A GPU as the canvas of a window.
//!
//! ```text
//! configure     on the first image, after a resize, and when the surface is out of date
//! acquire       may wait for the display; in `prepare`, if that is what the frames follow
//! draw, submit
//! present       may wait for the display
//! ```
//!
//! A GPU that is lost is looked for again over the following frames. Until there is one, nothing is drawn.

#![expect(clippy::disallowed_methods, reason = "measures how long the display makes it wait")]

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use wgpu::{
    Adapter, AdapterInfo, Backends, CurrentSurfaceTexture, Device, DeviceType, Instance, InstanceDescriptor,
    Queue, Surface, SurfaceTexture, TextureFormat, TextureViewDescriptor,
};
use winit::window::Window as WinitWindow;

use super::open_window::{Canvas, Waits};
use super::pixel_canvas::PixelCanvas;
use crate::app::{App, Draw};
use crate::driver::Driver;
use crate::event::Size;
use crate::gpu::{Gpu, Painter, configure, find_card, plain_format};
use crate::pixels::Pixels;

/// How often an image may fail in a row before the canvas gives up.
const FAILURES_MAX: u32 = 600;
/// How often to look for another GPU when one was lost, and how long to wait before the second time. Each later wait is
/// twice as long: a driver that was updated or reset needs about a second.
const SEARCHES_MAX: u32 = 5;
const SEARCH_PAUSE: Duration = Duration::from_millis(100);
/// How long to draw nothing after the driver had no image for a second, which stops the event loop for as long.
const TIMEOUT_PAUSE: Duration = Duration::from_secs(5);

/// A GPU that draws into a window.
pub(super) struct GpuCanvas {
    // In the order in which they must be dropped.
    held: Option<SurfaceTexture>,
    // `None` only while it is replaced.
    card: Option<Box<Card>>,
    window: Arc<WinitWindow>,
    generation: u64,
    // The size that the surface is configured for.
    configured: Option<(u32, u32)>,
    chain: u32,
    failures: u32,
    // How often another GPU was looked for in vain.
    searches: u32,
    // Nothing is drawn before this instant.
    paused_until: Option<Instant>,
    waits: Waits,
}

/// Everything that is lost with a device.
struct Card {
    painter: Painter,
    surface: Surface<'static>,
    format: TextureFormat,
    queue: Queue,
    device: Device,
    adapter: Adapter,
    _instance: Instance,
    is_lost: Arc<AtomicBool>,
}

impl Card {
    /// Finds a GPU that can draw into the window.
    fn find(window: &Arc<WinitWindow>) -> Result<Self, Box<dyn Error>> {
        let mut descriptor = InstanceDescriptor::new_with_display_handle(Box::new(Arc::clone(window)));
        descriptor.backends = Backends::PRIMARY | Backends::GL;
        let instance = Instance::new(descriptor);
        let surface = instance.create_surface(Arc::clone(window))?;
        let (adapter, device, queue) = find_card(&instance, Some(&surface))?;
        let is_lost = Arc::new(AtomicBool::new(false));
        let lost = Arc::clone(&is_lost);
        device.set_device_lost_callback(move |_, _| lost.store(true, Ordering::Relaxed));
        let has_said = AtomicBool::new(false);
        // By default wgpu panics. An image with an error in it is better than no game, and one message is enough.
        device.on_uncaptured_error(Arc::new(move |error| {
            if !has_said.swap(true, Ordering::Relaxed) {
                eprintln!("the GPU reports an error: {error}");
            }
        }));
        let first = || surface.get_capabilities(&adapter).formats.first().copied();
        let format = plain_format(&surface, &adapter).or_else(first);
        let format = format.ok_or("the GPU cannot draw into this window")?;
        let painter = Painter::new(&device, format);
        Ok(Self { painter, surface, format, queue, device, adapter, _instance: instance, is_lost })
    }
}

impl GpuCanvas {
    fn find(window: &Arc<WinitWindow>) -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            held: None,
            card: Some(Box::new(Card::find(window)?)),
            window: Arc::clone(window),
            generation: 1,
            configured: None,
            chain: 0,
            failures: 0,
            searches: 0,
            paused_until: None,
            waits: Waits::default(),
        })
    }

    fn info(&self) -> Option<AdapterInfo> {
        self.card.as_ref().map(|card| card.adapter.get_info())
    }

    fn is_software(&self) -> bool {
        self.info().is_some_and(|info| info.device_type == DeviceType::Cpu)
    }

    fn describe(&self) -> String {
        self.info().map_or_else(String::new, |info| format!("{} ({})", info.name, info.backend))
    }

    /// Leaves a lost card behind, with all that belongs to it: freeing what it had in hand would end the program.
    fn forget_lost(&mut self) {
        if let Some(card) = self.card.take_if(|card| card.is_lost.load(Ordering::Relaxed)) {
            std::mem::forget((self.held.take(), card));
        }
    }

    /// Returns the next image to draw on, or `None` if there is none right now.
    fn acquire(&mut self, size: (u32, u32)) -> Result<Option<SurfaceTexture>, Box<dyn Error>> {
        if let Some(card) = &self.card {
            // Lets the device say that it is lost.
            let _ = card.device.poll(wgpu::PollType::Poll);
        }
        self.forget_lost();
        if self.configured != Some(size) && self.card.is_some() {
            self.paused_until = None;
        }
        if self.paused_until.is_some_and(|until| Instant::now() < until) {
            return Ok(None);
        }
        if self.card.is_none() && !self.search()? {
            return Ok(None);
        }
        let Some(card) = &mut self.card else {
            return Ok(None);
        };
        if self.configured != Some(size) {
            // A surface with an image that is still held cannot be configured.
            self.held = None;
            configure(&card.surface, &card.device, card.format, size);
            self.configured = Some(size);
            self.chain += 1;
        }
        if let Some(held) = self.held.take() {
            return Ok(Some(held));
        }
        let began = Instant::now();
        let acquired = card.surface.get_current_texture();
        self.waits.blocked += began.elapsed();
        let image = match acquired {
            CurrentSurfaceTexture::Success(image) => Some(image),
            CurrentSurfaceTexture::Suboptimal(image) => {
                // It can be shown; the next one should fit.
                self.configured = None;
                Some(image)
            }
            CurrentSurfaceTexture::Timeout => {
                self.waits.has_timed_out = true;
                self.paused_until = Some(Instant::now() + TIMEOUT_PAUSE);
                return Ok(None);
            }
            CurrentSurfaceTexture::Occluded => return Ok(None),
            CurrentSurfaceTexture::Outdated | CurrentSurfaceTexture::Validation => {
                self.configured = None;
                None
            }
            CurrentSurfaceTexture::Lost => {
                // A lost card says so here first. The surface alone is rarely lost, and comes back with another card, too.
                card.is_lost.store(true, Ordering::Relaxed);
                None
            }
        };
        self.failures = if image.is_some() { 0 } else { self.failures + 1 };
        if self.failures > FAILURES_MAX {
            return Err("the GPU offers no image to draw on".into());
        }
        Ok(image)
    }

    /// Looks for another GPU, and returns whether there is one. Fails only after several times.
    fn search(&mut self) -> Result<bool, Box<dyn Error>> {
        self.configured = None;
        match Card::find(&self.window) {
            Ok(card) => {
                self.card = Some(Box::new(card));
                (self.generation, self.searches, self.paused_until) = (self.generation + 1, 0, None);
                Ok(true)
            }
            Err(error) => {
                self.searches += 1;
                if self.searches == SEARCHES_MAX {
                    return Err(format!("the GPU was lost: {error}").into());
                }
                self.paused_until = Some(Instant::now() + SEARCH_PAUSE * (1 << self.searches));
                Ok(false)
            }
        }
    }

    fn draw<A>(
        &mut self,
        size: Size,
        driver: &mut Driver<A>,
        presenting: impl FnOnce(),
    ) -> Result<bool, Box<dyn Error>>
    where
        A: App + for<'a> Draw<Gpu<'a>>,
    {
        let pixels = size.pixels();
        let Some(image) = self.acquire(pixels)? else {
            return Ok(false);
        };
        let Some(Card { painter, queue, device, format, .. }) = self.card.as_deref_mut() else {
            return Ok(false);
        };
        let view = image.texture.create_view(&TextureViewDescriptor::default());
        painter.begin();
        driver.draw(&mut Gpu {
            device,
            queue,
            view: &view,
            format: *format,
            generation: self.generation,
            size,
            painter,
        });
        painter.finish(device, queue, &view, pixels);
        presenting();
        let began = Instant::now();
        queue.present(image);
        self.waits.blocked += began.elapsed();
        Ok(true)
    }
}

impl Drop for GpuCanvas {
    fn drop(&mut self) {
        self.forget_lost();
    }
}

impl<A> Canvas<A> for GpuCanvas
where
    A: App + for<'a> Draw<Gpu<'a>>,
{
    fn open(window: &Arc<WinitWindow>) -> Result<Self, Box<dyn Error>> {
        Self::find(window)
    }

    fn name(&self) -> String {
        self.describe()
    }

    fn blocks(&self) -> bool {
        true
    }

    fn generation(&self) -> u64 {
        self.generation
    }

    fn chain(&self) -> u32 {
        self.chain
    }

    fn take_waits(&mut self) -> Waits {
        std::mem::take(&mut self.waits)
    }

    fn draw(
        &mut self,
        size: Size,
        driver: &mut Driver<A>,
        presenting: impl FnOnce(),
    ) -> Result<bool, Box<dyn Error>> {
        self.draw(size, driver, presenting)
    }

    fn prepare(&mut self, size: Size) -> Result<(), Box<dyn Error>> {
        if self.held.is_none() && size.pixels().0 > 0 && size.pixels().1 > 0 {
            self.held = self.acquire(size.pixels())?;
        }
        Ok(())
    }
}

/// A GPU, or pixels where there is none worth using.
pub(super) enum AnyCanvas {
    Gpu(GpuCanvas),
    Pixels { canvas: PixelCanvas, why: String },
}

impl<A> Canvas<A> for AnyCanvas
where
    A: App + for<'a> Draw<Gpu<'a>> + for<'a> Draw<Pixels<'a>>,
{
    fn open(window: &Arc<WinitWindow>) -> Result<Self, Box<dyn Error>> {
        let why = match GpuCanvas::find(window) {
            // Our own rasteriser is several times as fast as a GPU in software.
            Ok(canvas) if canvas.is_software() => format!("{} is software", canvas.describe()),
            Ok(canvas) => return Ok(Self::Gpu(canvas)),
            Err(error) => format!("no GPU: {error}"),
        };
        Ok(Self::Pixels { canvas: <PixelCanvas as Canvas<A>>::open(window)?, why })
    }

    fn generation(&self) -> u64 {
        match self {
            Self::Gpu(canvas) => canvas.generation,
            Self::Pixels { .. } => u64::MAX,
        }
    }

    fn chain(&self) -> u32 {
        match self {
            Self::Gpu(canvas) => canvas.chain,
            Self::Pixels { .. } => 0,
        }
    }

    fn take_waits(&mut self) -> Waits {
        match self {
            Self::Gpu(canvas) => std::mem::take(&mut canvas.waits),
            Self::Pixels { .. } => Waits::default(),
        }
    }

    fn name(&self) -> String {
        match self {
            Self::Gpu(canvas) => canvas.describe(),
            Self::Pixels { why, .. } => format!("pixels in memory: {why}"),
        }
    }

    fn blocks(&self) -> bool {
        matches!(self, Self::Gpu(_))
    }

    fn draw(
        &mut self,
        size: Size,
        driver: &mut Driver<A>,
        presenting: impl FnOnce(),
    ) -> Result<bool, Box<dyn Error>> {
        match self {
            Self::Gpu(canvas) => {
                let drawn = canvas.draw(size, driver, presenting);
                self.or_pixels(drawn).map(|drawn| drawn == Some(true))
            }
            Self::Pixels { canvas, .. } => canvas.draw(size, driver, presenting),
        }
    }

    fn prepare(&mut self, size: Size) -> Result<(), Box<dyn Error>> {
        match self {
            Self::Gpu(canvas) => {
                let prepared = <GpuCanvas as Canvas<A>>::prepare(canvas, size);
                self.or_pixels(prepared).map(drop)
            }
            Self::Pixels { .. } => Ok(()),
        }
    }
}

impl AnyCanvas {
    /// Goes on with pixels if the GPU has failed, or was replaced by one in software.
    fn or_pixels<T>(&mut self, done: Result<T, Box<dyn Error>>) -> Result<Option<T>, Box<dyn Error>> {
        let Self::Gpu(canvas) = self else {
            return done.map(Some);
        };
        let why = match done {
            Ok(done) if canvas.generation == 1 || !canvas.is_software() => return Ok(Some(done)),
            Ok(_) => format!("the GPU was lost, and {} is software", canvas.describe()),
            Err(error) => error.to_string(),
        };
        let canvas = PixelCanvas::new(&canvas.window)?;
        *self = Self::Pixels { canvas, why };
        Ok(None)
    }
}
