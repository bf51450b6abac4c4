//! A timer that browsers do not throttle on a hidden page.

use std::time::Duration;

use js_sys::Array;
use wasm_bindgen::JsValue;
use web_sys::{Blob, BlobPropertyBag, MessageEvent, Url, Worker};

use super::listener::Listener;

/// Calls back at a fixed interval from a worker, until it is dropped.
pub(super) struct Ticker {
    worker: Worker,
    _listener: Listener,
}

impl Ticker {
    pub(super) fn new(interval: Duration, mut on_tick: impl FnMut() + 'static) -> Result<Self, JsValue> {
        let source = format!("setInterval(() => postMessage(0), {});", interval.as_secs_f64() * 1e3);
        let options = BlobPropertyBag::new();
        options.set_type("text/javascript");
        let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&source.into()), &options)?;
        let url = Url::create_object_url_with_blob(&blob)?;
        let worker = Worker::new(&url);
        Url::revoke_object_url(&url)?;
        let worker = worker?;
        let listener = Listener::new(&worker, "message", move |_: MessageEvent| on_tick())?;
        Ok(Self { worker, _listener: listener })
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}
