//! The pacer: one call for a frame, and a few for answers.

#![expect(unsafe_code, reason = "required to export functions by name, and to copy a frame by words")]

#[cfg(feature = "full")]
use core::fmt::{self, Write};
use core::mem::MaybeUninit;
use core::ptr;

use evenstep::{Channel, DropReason, Frame, LockState, Outcome, Pacer};

use crate::command::GATES;
use crate::store::{NUMBERS, remove, slot, with};
use crate::to_millis;

/// The number of fields in a plan.
const PLAN: usize = 7;

/// What a pacer's handle leads to. JavaScript reads the plan, so it comes first.
#[derive(Debug)]
#[repr(C)]
pub struct Slot {
    plan: [f64; PLAN],
    frame: Option<Frame>,
    pub(crate) pacer: Pacer,
}

impl Slot {
    pub(crate) const fn new(pacer: Pacer) -> Self {
        Self { plan: [0.0; PLAN], frame: None, pacer }
    }

    pub(crate) const fn frame(&self) -> Option<&Frame> {
        self.frame.as_ref()
    }

    /// Keeps the frame and writes its plan. Must agree with `src/plan.ts`.
    #[inline]
    fn publish(&mut self, frame: Frame) {
        let flags = outcome_number(frame.outcome()) | u32::from(frame.should_draw()) << 3;
        self.plan = [
            f64::from(frame.steps()),
            to_f64(frame.first_tick()),
            frame.alpha(),
            f64::from(flags),
            to_f64(frame.raw_dt_ns()) / 1e6,
            to_f64(frame.scaled_dt_ns()) / 1e6,
            f64::from(frame.missed()),
        ];
        copy_by_words(&Some(frame), &mut self.frame);
    }
}

/// Copies a value eight bytes at a time. A plain assignment becomes one instruction for the whole block, which V8 carries
/// out as a call, and which has to wait for the fields that were just written: a fifth of the cost of a frame.
#[inline]
fn copy_by_words<T: Copy>(from: &T, to: &mut T) {
    type Word = MaybeUninit<u64>;
    const { assert!(size_of::<T>().is_multiple_of(size_of::<Word>()) && align_of::<T>() == align_of::<Word>()) };
    let from = ptr::from_ref(from).cast::<Word>();
    let to = ptr::from_mut(to).cast::<Word>();
    for n in 0..size_of::<T>() / size_of::<Word>() {
        // SAFETY: both have that many words and the alignment of one. Volatile, or the compiler would make it one
        // instruction again.
        unsafe { to.add(n).write_volatile(from.add(n).read()) };
    }
}

/// Converts a number below 2^63, as all numbers of a plan are. Converting signed numbers takes one instruction.
const fn to_f64(number: u64) -> f64 {
    number.cast_signed() as f64
}

/// Creates a pacer with the configuration in the store. Returns its handle, or 0 if there is no memory.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_new() -> usize {
    with(|store| store.insert_pacer(Slot::new(Pacer::new(store.pacing))))
}

/// Gives a pacer back.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_free(pacer: usize) {
    with(|store| remove::<Slot>(&mut store.pacers, pacer));
}

/// Plans a frame: `now_ms` is its timestamp; the other two are when the steps and the drawing of the last one were done,
/// or NaN. Returns the number of steps; the plan is at the start of the slot.
///
/// Reports of the last frame come along with the next one, which is the first that they can influence: so a frame
/// is one call.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_frame(pacer: usize, now_ms: f64, steps_done_ms: f64, draw_done_ms: f64) -> u32 {
    let slot = slot::<Slot>(pacer);
    slot.pacer.steps_done_millis(steps_done_ms);
    slot.pacer.draw_done_millis(draw_done_ms);
    let frame = slot.pacer.frame_millis(now_ms);
    slot.publish(frame);
    slot.plan[0] as u32
}

/// A value of the last frame that the plan leaves out, because few need it on every frame. Must agree with `src/plan.ts`.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_frame_value(pacer: usize, value: u32) -> f64 {
    let Some(frame) = &slot::<Slot>(pacer).frame else { return 0.0 };
    to_millis(match value {
        0 => frame.dt(),
        1 => frame.draw_dt(),
        2 => frame.now(),
        3 => frame.elapsed(),
        4 => frame.dropped(),
        5 => return f64::from(frame.is_by_hand()),
        6 => return f64::from(frame.fast_forwarded()),
        7 => return frame.scale(),
        _ => frame.dropped_by(DropReason::ALL[(value as usize - 8).min(DropReason::ALL.len() - 1)]),
    })
}

/// When a tick of the last frame ends, in milliseconds.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_tick_end(pacer: usize, tick: f64) -> f64 {
    slot::<Slot>(pacer).frame.map_or(f64::NAN, |frame| to_millis(frame.tick_end(tick as u64)))
}

/// When the next frame has something to do, in milliseconds, or NaN.
#[cfg(feature = "full")]
#[unsafe(no_mangle)]
pub extern "C" fn pacer_next_due(pacer: usize) -> f64 {
    slot::<Slot>(pacer).pacer.next_due().map_or(f64::NAN, to_millis)
}

/// Explains the last frame. Returns the length of the sentence.
#[cfg(feature = "full")]
#[unsafe(no_mangle)]
pub extern "C" fn pacer_explain(pacer: usize) -> usize {
    let Some(frame) = slot::<Slot>(pacer).frame else { return 0 };
    with(|store| {
        let mut sentence = Sentence { bytes: &mut store.text, len: 0 };
        // A sentence that does not fit is cut off. The longest has a few hundred bytes.
        let _ = write!(sentence, "{}", frame.explain());
        sentence.len
    })
}

#[cfg(feature = "full")]
struct Sentence<'a> {
    bytes: &'a mut [u8],
    len: usize,
}

#[cfg(feature = "full")]
impl Write for Sentence<'_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let room = self.bytes.get_mut(self.len..self.len + part.len()).ok_or(fmt::Error)?;
        room.copy_from_slice(part.as_bytes());
        self.len += part.len();
        Ok(())
    }
}

/// Writes the state of the pacer and its statistics. Must agree with `src/pacer.ts`.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_answers(pacer: usize) {
    let Slot { pacer, .. } = slot::<Slot>(pacer);
    let stats = pacer.stats();
    let pacing = pacer.pacing();
    let (lock, refresh_hz) = match pacer.lock_state() {
        LockState::Off => (0, f64::NAN),
        LockState::Searching => (1, f64::NAN),
        LockState::Locked { refresh_hz } => (2, refresh_hz),
        LockState::Free => (3, f64::NAN),
    };
    let gate = GATES.iter().position(|&gate| gate == pacer.gate()).unwrap_or_default();
    answer(|put| {
        put(pacer.tick() as f64);
        put(to_millis(pacer.wall_time()));
        put(to_millis(pacer.ui_time()));
        put(pacer.scale());
        put(pacer.alpha());
        put(to_millis(pacer.pending()));
        put(to_millis(pacer.freeze_left()));
        put(to_millis(pacer.hitstop_left()));
        put(gate as f64);
        put(f64::from(pacing.rate().ticks()));
        put(f64::from(pacing.rate().seconds()));
        put(pacing.longest_frame().map_or(f64::INFINITY, |longest| longest.as_nanos() as f64));
        put(pacing.steps_max().map_or(f64::INFINITY, f64::from));
        put(stats.fps());
        put(stats.ticks_per_second());
        put(stats.frames() as f64);
        put(stats.lag_spikes() as f64);
        put(stats.missed_steps() as f64);
        put(stats.skipped_frames() as f64);
        put(f64::from(stats.is_running_slowly()));
        put(f64::from(lock));
        put(refresh_hz);
        put(to_millis(stats.step_time()));
        put(to_millis(stats.draw_time()));
        for channel in Channel::ALL {
            put(pacer.channel(channel));
        }
        for channel in Channel::ALL {
            put(pacer.resting_scale(channel));
        }
    });
}

/// A percentile of recent frame times, in milliseconds.
#[cfg(feature = "full")]
#[unsafe(no_mangle)]
pub extern "C" fn pacer_frame_time(pacer: usize, share: f64) -> f64 {
    to_millis(slot::<Slot>(pacer).pacer.stats().frame_time(share))
}

/// Writes the ledger in nanoseconds. Must agree with `src/pacer.ts`.
#[cfg(feature = "full")]
#[unsafe(no_mangle)]
pub extern "C" fn pacer_ledger(pacer: usize) {
    let ledger = slot::<Slot>(pacer).pacer.ledger();
    answer(|put| {
        for nanos in [ledger.wall_ns, ledger.head_start_ns, ledger.by_hand_ns, ledger.fast_forward_ns] {
            put(nanos as f64);
        }
        put(ledger.stretch_ns as f64);
        for nanos in
            [ledger.simulated_ns, ledger.paused_ns, ledger.menu_ns, ledger.frozen_ns, ledger.pending_ns]
        {
            put(nanos as f64);
        }
        put(ledger.held_ns as f64);
        put(ledger.forfeited_ns as f64);
        for reason in DropReason::ALL {
            put(ledger.dropped_ns(reason) as f64);
        }
        put(ledger.total_in_ns() as f64);
        put(ledger.total_out_ns() as f64);
        put(f64::from(ledger.is_balanced()));
    });
}

/// When the last frame is shown, in milliseconds, or NaN.
#[cfg(feature = "full")]
#[unsafe(no_mangle)]
pub extern "C" fn pacer_shown_at(pacer: usize) -> f64 {
    slot::<Slot>(pacer).pacer.shown_at().map_or(f64::NAN, to_millis)
}

/// Fills the numbers from the start.
fn answer(fill: impl FnOnce(&mut dyn FnMut(f64))) {
    with(|store| {
        let mut free = store.numbers.iter_mut();
        fill(&mut |number| {
            if let Some(place) = free.next() {
                *place = number;
            }
        });
    });
}

const _: () = assert!(24 + 2 * Channel::ALL.len() <= NUMBERS);

const fn outcome_number(outcome: Outcome) -> u32 {
    match outcome {
        Outcome::Ran => 0,
        Outcome::Stalled => 1,
        Outcome::Menu => 2,
        Outcome::Paused => 3,
        Outcome::Frozen => 4,
        Outcome::Skipped => 5,
    }
}
