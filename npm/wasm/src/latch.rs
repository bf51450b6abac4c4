//! The input latch. Events stay in JavaScript, in the order in which they came; the latch says when the next is due.

#![expect(unsafe_code, reason = "required to export functions by name; there is no other unsafe code here")]

use evenstep::{InputLatch, Latching};

use crate::pacer::Slot;
use crate::store::{remove, slot, with};
use crate::to_duration;

/// How many events a latch can hold.
pub const LATCH_LEN: usize = 256;

/// A latch for events without content.
pub(crate) type Latch = InputLatch<(), LATCH_LEN>;

/// Creates a latch and returns its handle, or 0 if there is no memory.
#[unsafe(no_mangle)]
pub extern "C" fn latch_new(by_time: bool) -> usize {
    let latching = if by_time { Latching::ByTime } else { Latching::FirstTick };
    with(|store| store.insert_latch(InputLatch::new(latching)))
}

/// Gives a latch back.
#[unsafe(no_mangle)]
pub extern "C" fn latch_free(latch: usize) {
    with(|store| remove::<Latch>(&mut store.latches, latch));
}

/// Adds an event. Returns whether there was room.
#[unsafe(no_mangle)]
pub extern "C" fn latch_push(latch: usize, at_ms: f64) -> bool {
    slot::<Latch>(latch).push(to_duration(at_ms), ()).is_ok()
}

/// Whether the next event belongs to a tick of the pacer's last frame. If so, it is taken.
#[unsafe(no_mangle)]
pub extern "C" fn latch_take(latch: usize, pacer: usize, tick: f64) -> bool {
    let frame = slot::<Slot>(pacer).frame();
    frame.is_some_and(|frame| slot::<Latch>(latch).take(frame, tick as u64).is_some())
}

/// Whether the next event happened no later than this. If so, it is taken.
#[unsafe(no_mangle)]
pub extern "C" fn latch_take_until(latch: usize, instant_ms: f64) -> bool {
    slot::<Latch>(latch).take_until(to_duration(instant_ms)).is_some()
}

/// Tells the latch the current time.
#[unsafe(no_mangle)]
pub extern "C" fn latch_sync(latch: usize, now_ms: f64) {
    slot::<Latch>(latch).sync(to_duration(now_ms));
}

/// Removes all events.
#[unsafe(no_mangle)]
pub extern "C" fn latch_clear(latch: usize) {
    slot::<Latch>(latch).clear();
}
