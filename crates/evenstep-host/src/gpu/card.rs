//! Finds a graphics card.

#[cfg(not(target_arch = "wasm32"))]
use std::error::Error;
#[cfg(not(target_arch = "wasm32"))]
use std::future::Future;
#[cfg(not(target_arch = "wasm32"))]
use std::pin::pin;
#[cfg(not(target_arch = "wasm32"))]
use std::task::{Context, Poll, Waker};

use wgpu::{
    Adapter, CompositeAlphaMode, Device, DeviceDescriptor, Instance, Limits, PowerPreference, PresentMode,
    Queue, RequestAdapterError, RequestAdapterOptions, RequestDeviceError, Surface, SurfaceColorSpace,
    SurfaceConfiguration, TextureFormat, TextureUsages,
};

/// Finds a card that can draw into the surface, or any card.
pub(crate) async fn request_adapter(
    instance: &Instance,
    surface: Option<&Surface<'_>>,
) -> Result<Adapter, RequestAdapterError> {
    // A page leaves the choice to the browser, which knows whether the device runs on its battery.
    let is_page = cfg!(target_arch = "wasm32");
    let power_preference = if is_page { PowerPreference::None } else { PowerPreference::HighPerformance };
    let options =
        RequestAdapterOptions { power_preference, compatible_surface: surface, ..Default::default() };
    instance.request_adapter(&options).await
}

/// Opens a card.
pub(crate) async fn request_device(adapter: &Adapter) -> Result<(Device, Queue), RequestDeviceError> {
    let descriptor = DeviceDescriptor {
        // What every card of the last decade has, but images as large as this one can.
        required_limits: Limits::downlevel_webgl2_defaults().using_resolution(adapter.limits()),
        ..Default::default()
    };
    adapter.request_device(&descriptor).await
}

/// Returns the first format that is not converted, if there is one: with any other, blending differs from that of pixels in
/// memory and of a 2D context.
pub(crate) fn plain_format(surface: &Surface<'_>, adapter: &Adapter) -> Option<TextureFormat> {
    let is_plain =
        |format: &TextureFormat| matches!(format, TextureFormat::Bgra8Unorm | TextureFormat::Rgba8Unorm);
    surface.get_capabilities(adapter).formats.into_iter().find(is_plain)
}

/// Prepares a surface for images of this size in pixels.
pub(crate) fn configure(
    surface: &Surface<'_>,
    device: &Device,
    format: TextureFormat,
    (width, height): (u32, u32),
) {
    let config = SurfaceConfiguration {
        usage: TextureUsages::RENDER_ATTACHMENT,
        format,
        color_space: SurfaceColorSpace::Auto,
        width,
        height,
        // Never `AutoVsync`: it prefers a mode that tears.
        present_mode: PresentMode::Fifo,
        desired_maximum_frame_latency: 2,
        alpha_mode: CompositeAlphaMode::Auto,
        view_formats: Vec::new(),
    };
    surface.configure(device, &config);
}

/// Finds a card that can draw into the surface, or any card.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn find_card(
    instance: &Instance,
    surface: Option<&Surface<'_>>,
) -> Result<(Adapter, Device, Queue), Box<dyn Error>> {
    let adapter = wait_for(request_adapter(instance, surface))?;
    let (device, queue) = wait_for(request_device(&adapter))?;
    Ok((adapter, device, queue))
}

/// Waits for one of wgpu's futures, which are ready at once outside of browsers.
#[cfg(not(target_arch = "wasm32"))]
fn wait_for<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(result) = future.as_mut().poll(&mut context) {
            return result;
        }
        std::thread::yield_now();
    }
}
