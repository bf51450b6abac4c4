//! The core as a wasm module for the npm package: plain exported functions, numbers in and numbers out.
//!
//! There is no generated glue and no allocator, which keeps the module small. JavaScript holds a pacer or a latch by its
//! *handle*, the address of its slot. [`pacer_frame`] plans a frame in one call and leaves the plan at the start of
//! the slot, where JavaScript reads it from a typed array. [`pacer_tell`] takes every command of the core, as numbers. Answers
//! come in two fixed buffers: [`numbers`], and [`text`] for sentences and saved pacers.
//!
//! The module converts units and copies fields. It makes no decision about time: those are the core's.
//!
//! In JavaScript a missing time is NaN, and a limit that is switched off is infinite.

#![cfg_attr(target_arch = "wasm32", no_std)]
#![deny(unsafe_op_in_unsafe_fn)]

mod config;
mod slab;
mod store;

mod command;
mod latch;
mod pacer;
#[cfg(feature = "full")]
mod saved;

pub use command::pacer_tell;
pub use config::{pacing_from, pacing_of, pacing_set, rate_of};
pub use latch::{
    LATCH_LEN, latch_clear, latch_free, latch_new, latch_push, latch_sync, latch_take, latch_take_until,
};
pub use pacer::{Slot, pacer_answers, pacer_frame, pacer_frame_value, pacer_free, pacer_new, pacer_tick_end};
#[cfg(feature = "full")]
pub use pacer::{pacer_explain, pacer_frame_time, pacer_ledger, pacer_next_due, pacer_shown_at};
#[cfg(feature = "full")]
pub use saved::{pacer_restore, pacer_save};
pub use store::{NUMBERS, TEXT, numbers, text};

use core::time::Duration;

use evenstep::from_millis;

/// Without std, a panic has no message. The core does not panic, and this crate checks what it passes on.
#[cfg(target_arch = "wasm32")]
#[panic_handler]
fn trap(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

/// Converts to milliseconds. Up to 104 days, every nanosecond can be recovered from the result.
#[inline(never)]
fn to_millis(time: Duration) -> f64 {
    let nanos = time.as_secs().saturating_mul(1_000_000_000).saturating_add(time.subsec_nanos().into());
    nanos as f64 / 1e6
}

/// Converts nanoseconds that JavaScript has checked. Anything that is not a time is zero.
fn nanos(nanos: f64) -> Duration {
    Duration::from_nanos(nanos as u64)
}

/// Converts milliseconds that JavaScript has checked. Anything that is not a time is zero.
fn to_duration(millis: f64) -> Duration {
    from_millis(millis).unwrap_or_default()
}
