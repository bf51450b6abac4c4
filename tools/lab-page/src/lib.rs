//! The pacing lab as a web page.
//!
//! The model knows no page and is tested natively: [`settings`] are the page's controls, the [`mod@bench`] plays the display
//! they describe under every policy as time passes, the [`recorder`] measures the display of whoever reads the page.
//! Only `page` touches the browser: it reads controls, draws, and writes numbers.

#![forbid(unsafe_code)]

pub mod settings;

pub mod bench;
pub mod recorder;

pub mod numbers;

#[cfg(target_arch = "wasm32")]
pub mod page;

pub use numbers::digest;
