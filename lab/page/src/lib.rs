//! The pacing lab as a web page.
//!
//! The model does not depend on a browser and is tested natively: [`settings`] are the page's controls, a [`link`] has them
//! in the page's address, [`live`] plays the
//! display that they describe under every policy as time passes, and the [`recorder`] measures the user's own display. Only
//! `page` uses the browser: it reads controls, draws, and writes numbers.

#![forbid(unsafe_code)]

pub mod link;
pub mod settings;

pub mod live;
pub mod recorder;

pub mod numbers;

#[cfg(target_arch = "wasm32")]
pub mod page;

pub use numbers::digest;
