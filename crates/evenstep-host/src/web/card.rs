//! A graphics card as the surface of a page, through WebGPU.
//!
//! A canvas that was used for WebGPU cannot be used for 2D, so the host asks for the card and its device first, and only then
//! touches the canvas. A lost card is searched for again; the canvas then stays.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use js_sys::Reflect;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{HtmlCanvasElement, Window};
use wgpu::{
    AdapterInfo, Backends, CurrentSurfaceTexture, Device, DeviceType, Instance, InstanceDescriptor, Queue,
    SurfaceTarget, TextureFormat,
};

use super::canvas::Canvas;
use super::host::Shared;
use super::surface::{Lost, Surface, use_canvas};
use crate::app::{App, Draw};
use crate::driver::Driver;
use crate::event::Size;
use crate::gpu::{Gpu, Painter, configure, plain_format, request_adapter, request_device};
use crate::web::host::Host;

/// How long a browser may search for a card. Most answer within a few milliseconds.
const SEARCH_MS_MAX: i32 = 10_000;
/// How many cards a host tries, one after the other.
const CARDS_MAX: u64 = 8;

/// Draws with a graphics card, or not at all.
pub(super) fn use_card<A>(host: &Shared<A>, lost: Lost)
where
    A: App + for<'a> Draw<Gpu<'a>> + 'static,
{
    search(host, lost, Software::Accepted, |host, why| {
        host.borrow_mut().fail(format!("no graphics card to draw with: {why}"));
    });
}

/// Draws with a graphics card if there is one that is worth it, or with the browser's 2D context.
pub(super) fn use_any<A>(host: &Shared<A>, lost: Lost)
where
    A: App + for<'a> Draw<Gpu<'a>> + Draw<Canvas> + 'static,
{
    search(host, lost, Software::Refused, |host, why| use_canvas(host, &format!(": {why}")));
}

/// Whether a processor that plays a graphics card is good enough.
#[derive(Clone, Copy, PartialEq)]
enum Software {
    Accepted,
    Refused,
}

/// Searches for a card, and draws with it. Calls `give_up` if there is none.
fn search<A>(host: &Shared<A>, lost: Lost, software: Software, give_up: fn(&Shared<A>, &str))
where
    A: App + for<'a> Draw<Gpu<'a>> + 'static,
{
    let (window, element, generation) = {
        let mut host = host.borrow_mut();
        host.generation += 1;
        (host.window.clone(), host.element.clone(), host.generation)
    };
    // At once, so that a browser without WebGPU starts as fast as ever.
    if !Reflect::get(&window.navigator(), &"gpu".into()).is_ok_and(|gpu| gpu.is_truthy()) {
        return give_up(host, "the browser has no WebGPU");
    }
    if let (true, Lost::Card(why)) = (generation > CARDS_MAX, lost) {
        return give_up(host, &format!("the graphics card was lost {CARDS_MAX} times: {why}"));
    }
    if let Err(missing) = is_complete(&window) {
        return give_up(host, &format!("the browser's WebGPU has no {missing}"));
    }
    // The first to answer counts. A search that throws a JavaScript exception never ends, so the timer is not part of it.
    let is_answered = Rc::new(Cell::new(false));
    let waiting = Rc::clone(host);
    let answered = Rc::clone(&is_answered);
    let too_late = Closure::once_into_js(move || {
        if !answered.replace(true) && waiting.borrow().is_running() {
            give_up(&waiting, "the browser does not answer");
        }
    });
    let _ =
        window.set_timeout_with_callback_and_timeout_and_arguments_0(too_late.unchecked_ref(), SEARCH_MS_MAX);
    let host = Rc::clone(host);
    spawn_local(async move {
        let found = Card::find(element, generation, software).await;
        if is_answered.replace(true) {
            return;
        }
        match found {
            Ok((card, name)) => Host::show(&host, card, name),
            Err(why) if host.borrow().is_running() => give_up(&host, &why),
            Err(_) => {}
        }
    });
}

/// Checks that the browser has what wgpu uses without asking, or else names what is missing: early versions of WebGPU are
/// not complete.
fn is_complete(window: &Window) -> Result<(), &'static str> {
    let of = |object: &JsValue, name: &str| Reflect::get(object, &name.into()).unwrap_or_default();
    let gpu = of(&window.navigator(), "gpu");
    for name in ["requestAdapter", "getPreferredCanvasFormat"] {
        if !of(&gpu, name).is_function() {
            return Err(name);
        }
    }
    let adapter = of(&of(window, "GPUAdapter"), "prototype");
    let has_info = adapter.is_object() && Reflect::has(&adapter, &"info".into()).unwrap_or(false);
    if has_info { Ok(()) } else { Err("GPUAdapter.info") }
}

/// A graphics card that draws into a canvas.
struct Card {
    painter: Painter,
    surface: wgpu::Surface<'static>,
    format: TextureFormat,
    queue: Queue,
    device: Device,
    generation: u64,
    // The size that the surface is configured for.
    configured: Option<(u32, u32)>,
    // Why the device is lost.
    lost: Arc<Mutex<Option<String>>>,
}

impl Card {
    /// Finds a card, and returns its name as well.
    async fn find(
        element: HtmlCanvasElement,
        generation: u64,
        software: Software,
    ) -> Result<(Self, String), String> {
        let mut descriptor = InstanceDescriptor::new_without_display_handle();
        descriptor.backends = Backends::BROWSER_WEBGPU;
        let instance = Instance::new(descriptor);
        let adapter = request_adapter(&instance, None).await;
        let adapter = adapter.map_err(|_| "the browser offers no graphics card")?;
        let info = adapter.get_info();
        if info.device_type == DeviceType::Cpu && software == Software::Refused {
            return Err(format!("{} is software", name_of(&info)));
        }
        let (device, queue) = request_device(&adapter).await.map_err(|error| error.to_string())?;
        let lost = Arc::new(Mutex::new(None));
        let told = Arc::clone(&lost);
        device.set_device_lost_callback(move |_, why| {
            *told.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
        });
        let surface = instance.create_surface(SurfaceTarget::Canvas(element));
        let surface = surface.map_err(|error| error.to_string())?;
        let format = plain_format(&surface, &adapter).ok_or("the graphics card cannot draw on a canvas")?;
        let painter = Painter::new(&device, format);
        let card = Self { painter, surface, format, queue, device, generation, configured: None, lost };
        Ok((card, name_of(&info)))
    }
}

impl<A: App + for<'a> Draw<Gpu<'a>>> Surface<A> for Card {
    fn draw(&mut self, size: Size, driver: &mut Driver<A>) -> Result<bool, Lost> {
        if let Some(why) = self.lost.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(Lost::Card(why));
        }
        let pixels = size.pixels();
        // A canvas without an area has no image.
        if pixels.0 == 0 || pixels.1 == 0 {
            return Ok(false);
        }
        if self.configured != Some(pixels) {
            configure(&self.surface, &self.device, self.format, pixels);
            self.configured = Some(pixels);
        }
        let (CurrentSurfaceTexture::Success(image) | CurrentSurfaceTexture::Suboptimal(image)) =
            self.surface.get_current_texture()
        else {
            return Err(Lost::Card("it offers no image".to_owned()));
        };
        let view = image.texture.create_view(&wgpu::TextureViewDescriptor::default());
        self.painter.begin();
        driver.draw(&mut Gpu {
            device: &self.device,
            queue: &self.queue,
            view: &view,
            format: self.format,
            generation: self.generation,
            size,
            painter: &mut self.painter,
        });
        self.painter.finish(&self.device, &self.queue, &view, pixels);
        self.queue.present(image);
        Ok(true)
    }
}

/// Names a card as far as the browser tells.
fn name_of(info: &AdapterInfo) -> String {
    if info.name.is_empty() { "WebGPU".to_owned() } else { format!("{} (WebGPU)", info.name) }
}
