//! The size of the canvas: points from the page's style, pixels from the screen.

use std::rc::Rc;

use js_sys::{Array, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    HtmlCanvasElement, ResizeObserver, ResizeObserverBoxOptions, ResizeObserverEntry, ResizeObserverOptions,
    ResizeObserverSize,
};

use super::host::{Host, Shared};
use crate::app::App;
use crate::event::{Event, Size};

/// Observes the size of the canvas until it is dropped.
pub(super) struct Sizes {
    observer: ResizeObserver,
    _on_size: Closure<dyn FnMut(Array)>,
}

impl Drop for Sizes {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

impl<A: App + 'static> Host<A> {
    pub(super) fn watch_size(host: &Shared<A>) -> Result<(), JsValue> {
        let weak = Rc::downgrade(host);
        let on_size = Closure::<dyn FnMut(Array)>::new(move |entries: Array| {
            let (Some(host), Ok(entry)) = (weak.upgrade(), entries.pop().dyn_into::<ResizeObserverEntry>())
            else {
                return;
            };
            let mut host = host.borrow_mut();
            let area = entry.content_rect();
            host.area = (area.width(), area.height());
            host.measure(exact_pixels(&entry));
        });
        let observer = ResizeObserver::new(on_size.as_ref().unchecked_ref())?;
        let mut host = host.borrow_mut();
        host.measure(None);
        observe(&observer, &host.element);
        host.sizes = Some(Sizes { observer, _on_size: on_size });
        Ok(())
    }

    /// Recomputes the size, from the exact number of pixels if the browser reports it.
    pub(super) fn measure(&mut self, exact: Option<(u32, u32)>) {
        let scale = self.window.device_pixel_ratio();
        let pixels = ((self.area.0 * scale).round() as u32, (self.area.1 * scale).round() as u32);
        // Exact numbers differ from these only by rounding. A larger difference means that the pixel ratio is emulated,
        // as by a browser's developer tools.
        let exact = exact.filter(|exact| exact.0.abs_diff(pixels.0) <= 2 && exact.1.abs_diff(pixels.1) <= 2);
        let (width, height) = exact.unwrap_or(pixels);
        let size = Size::of_pixels(width, height, scale);
        if size != self.size {
            self.size = size;
            let now = self.now();
            self.driver.event(now, Event::Resized(size));
        }
    }
}

/// Pins the size of a canvas without a styled size, and keeps touches on it from scrolling the page.
///
/// Without a style, a canvas is as large as its number of pixels, and the host sets the pixels from its size. On a
/// high-density screen it would grow with every frame.
pub(super) fn pin_style(element: &HtmlCanvasElement) -> Result<(), JsValue> {
    let style = element.style();
    style.set_property("touch-action", "none")?;
    let width = element.client_width();
    let height = element.client_height();
    element.set_width(element.width() + 1);
    element.set_height(element.height() + 1);
    if element.client_width() != width {
        style.set_property("width", &format!("{width}px"))?;
    }
    if element.client_height() != height {
        style.set_property("height", &format!("{height}px"))?;
    }
    Ok(())
}

/// Observes device pixels if the browser can, which is exact at any zoom.
fn observe(observer: &ResizeObserver, element: &HtmlCanvasElement) {
    let options = ResizeObserverOptions::new();
    options.set_box(ResizeObserverBoxOptions::DevicePixelContentBox);
    let observe = Reflect::get(observer, &"observe".into()).and_then(JsCast::dyn_into::<js_sys::Function>);
    let is_exact = observe.is_ok_and(|observe| observe.call2(observer, element, &options).is_ok());
    if !is_exact {
        observer.observe(element);
    }
}

fn exact_pixels(entry: &ResizeObserverEntry) -> Option<(u32, u32)> {
    if !Reflect::has(entry, &"devicePixelContentBoxSize".into()).unwrap_or(false) {
        return None;
    }
    let pixels = entry.device_pixel_content_box_size().get(0).dyn_into::<ResizeObserverSize>().ok()?;
    Some((pixels.inline_size() as u32, pixels.block_size() as u32))
}
