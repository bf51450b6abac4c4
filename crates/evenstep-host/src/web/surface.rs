//! What a host draws on: the browser's 2D context, or a graphics card.

use super::canvas::Canvas;
use super::host::{Host, Shared};
use crate::app::{App, Draw};
use crate::driver::Driver;
use crate::event::Size;

/// Why a host has no surface.
pub(super) enum Lost {
    /// It has just started.
    NotFound,
    /// The graphics card is gone, and with it everything that was created on it.
    Card(String),
}

/// Something to draw images on.
pub(super) trait Surface<A> {
    /// Draws an image. Returns whether there is one to show.
    fn draw(&mut self, size: Size, driver: &mut Driver<A>) -> Result<bool, Lost>;
}

impl<A: App + Draw<Self>> Surface<A> for Canvas {
    fn draw(&mut self, size: Size, driver: &mut Driver<A>) -> Result<bool, Lost> {
        self.resize(size);
        self.begin();
        driver.draw(self);
        Ok(true)
    }
}

/// Draws with the browser's 2D context, and says why.
pub(super) fn use_canvas<A>(host: &Shared<A>, why: &str)
where
    A: App + Draw<Canvas> + 'static,
{
    let canvas = || Canvas::new(host.borrow().element.clone());
    // A canvas that was used for WebGPU has no 2D context.
    match canvas().or_else(|_| Host::replace_element(host).and_then(|()| canvas())) {
        Ok(canvas) => Host::show(host, canvas, format!("Canvas 2D{why}")),
        Err(error) => host.borrow_mut().fail(format!("the canvas cannot be drawn on: {error:?}")),
    }
}
