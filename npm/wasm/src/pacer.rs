//! The pacer: one call for a frame, one for each control, and a few for answers.

#![expect(unsafe_code, reason = "required to export functions by name, and to copy a frame by words")]

#[cfg(feature = "full")]
use core::fmt::{self, Write};
use core::mem::MaybeUninit;
use core::ptr;

#[cfg(feature = "full")]
use evenstep::RestoreError;
use evenstep::{DropReason, Frame, Gate, LockState, Outcome, Pacer};

use crate::config::channel;
use crate::store::{NUMBERS, remove, slot, with};
use crate::{to_duration, to_millis};

/// The number of fields in a plan.
const PLAN: usize = 7;

const GATES: [Gate; 3] = [Gate::Open, Gate::Paused, Gate::Menu];
const CHANNELS: u32 = 8;

/// What a pacer's handle leads to. JavaScript reads the plan, so it comes first.
#[derive(Debug)]
#[repr(C)]
pub struct Slot {
    plan: [f64; PLAN],
    frame: Option<Frame>,
    pub(crate) pacer: Pacer,
}

impl Slot {
    const fn new(pacer: Pacer) -> Self {
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
    let (from, to) = (ptr::from_ref(from).cast::<Word>(), ptr::from_mut(to).cast::<Word>());
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
    with(|store| store.insert_pacer(Slot::new(Pacer::new(store.pacing.unwrap_or_default()))))
}

/// Gives a pacer back.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_free(pacer: usize) {
    with(|store| remove::<Slot>(&mut store.pacers, pacer));
}

/// Changes the configuration to the one in the store.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_configure(pacer: usize) {
    with(|store| slot::<Slot>(pacer).pacer.set_pacing(store.pacing.unwrap_or_default()));
}

/// Plans a frame: `now_ms` is its timestamp; the other two are when the steps and the drawing of the last one were done,
/// or NaN. Returns the number of steps; the plan is at the start of the slot.
///
/// Reports of the last frame come along with the next one, which is the first that they can influence: so a frame
/// is one call.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_frame(pacer: usize, now_ms: f64, steps_done_ms: f64, draw_done_ms: f64) -> u32 {
    let slot = slot::<Slot>(pacer);
    slot.report(steps_done_ms, draw_done_ms);
    let frame = slot.pacer.frame_millis(now_ms);
    slot.publish(frame);
    slot.plan[0] as u32
}

impl Slot {
    #[inline]
    fn report(&mut self, steps_done_ms: f64, draw_done_ms: f64) {
        if !steps_done_ms.is_nan() {
            self.pacer.steps_done(to_duration(steps_done_ms));
        }
        if !draw_done_ms.is_nan() {
            self.pacer.draw_done(to_duration(draw_done_ms));
        }
    }
}

/// Reports when the steps were done.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_steps_done(pacer: usize, at_ms: f64) {
    slot::<Slot>(pacer).report(at_ms, f64::NAN);
}

/// Reports when the drawing was done.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_draw_done(pacer: usize, at_ms: f64) {
    slot::<Slot>(pacer).report(f64::NAN, at_ms);
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
    let (stats, rate) = (pacer.stats(), pacer.pacing().rate());
    let (lock, refresh_hz) = match stats.lock_state() {
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
        put(f64::from(rate.ticks()));
        put(f64::from(rate.seconds()));
        put(stats.fps());
        put(stats.ticks_per_second());
        put(stats.frames() as f64);
        put(stats.lag_spikes() as f64);
        put(stats.missed_frames() as f64);
        put(stats.skipped_frames() as f64);
        put(f64::from(stats.is_running_slowly()));
        put(f64::from(lock));
        put(refresh_hz);
        put(to_millis(stats.step_time()));
        put(to_millis(stats.draw_time()));
        for n in 0..CHANNELS {
            put(pacer.channel(channel(n)));
        }
        for n in 0..CHANNELS {
            put(pacer.resting_scale(channel(n)));
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
        put(ledger.followed_ns as f64);
        for reason in DropReason::ALL {
            put(ledger.dropped_ns(reason) as f64);
        }
        put(ledger.total_in_ns() as f64);
        put(ledger.total_out_ns() as f64);
        put(f64::from(ledger.is_balanced()));
    });
}

/// Saves the pacer to the text buffer.
#[cfg(feature = "full")]
#[unsafe(no_mangle)]
pub extern "C" fn pacer_save(pacer: usize) {
    let Slot { pacer, .. } = slot::<Slot>(pacer);
    with(|store| store.text = pacer.save());
}

/// Restores a pacer from the first bytes of the text buffer. Returns its handle, or 0 with the reason in the numbers: 1
/// for the length, 2 for the header, 3 for the checksum, 4 for a value, -1 if there is no memory.
#[cfg(feature = "full")]
#[unsafe(no_mangle)]
pub extern "C" fn pacer_restore(len: usize) -> usize {
    with(|store| {
        let pacer = match Pacer::restore(&store.text[..len.min(store.text.len())]) {
            Ok(pacer) => pacer,
            Err(error) => {
                store.numbers[0] = match error {
                    RestoreError::Length { .. } => 1.0,
                    RestoreError::Header { .. } => 2.0,
                    RestoreError::Checksum { .. } => 3.0,
                    _ => 4.0,
                };
                return 0;
            }
        };
        store.numbers[0] = -1.0;
        store.insert_pacer(Slot::new(pacer))
    })
}

/// Opens the gate (0), pauses (1) or opens a menu (2).
#[unsafe(no_mangle)]
pub extern "C" fn pacer_set_gate(pacer: usize, gate: u32) {
    slot::<Slot>(pacer).pacer.set_gate(GATES[(gate as usize).min(GATES.len() - 1)]);
}

/// Requests steps by hand.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_step_by_hand(pacer: usize, steps: u32) {
    slot::<Slot>(pacer).pacer.step_by_hand(steps);
}

/// Sets a channel.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_set_scale(pacer: usize, of: u32, scale: f64) {
    slot::<Slot>(pacer).pacer.set_scale(channel(of), scale);
}

/// Sets the resting value of a channel.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_set_resting_scale(pacer: usize, of: u32, scale: f64) {
    slot::<Slot>(pacer).pacer.set_resting_scale(channel(of), scale);
}

/// Starts a hit-freeze.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_hit_freeze(pacer: usize, wall_ms: f64) {
    slot::<Slot>(pacer).pacer.hit_freeze(to_duration(wall_ms));
}

/// Starts a hitstop.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_hitstop(pacer: usize, steps: u32, intensity: f64) {
    slot::<Slot>(pacer).pacer.hitstop(steps, intensity);
}

/// Runs additional ticks in the next frame.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_fast_forward(pacer: usize, ticks: u32) {
    slot::<Slot>(pacer).pacer.fast_forward(ticks);
}

/// Sets the tick counter.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_set_tick(pacer: usize, tick: f64) {
    slot::<Slot>(pacer).pacer.set_tick(tick as u64);
}

/// Sets the rates for drawing and stepping like the original `setFps`. NaN keeps a rate.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_set_fps(pacer: usize, render: f64, fixed: f64) {
    slot::<Slot>(pacer).pacer.set_fps(render, fixed);
}

/// Stops the clock until the next frame.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_go_away(pacer: usize) {
    slot::<Slot>(pacer).pacer.go_away();
}

/// Drops pending time and measures the next frame against this one, or starts the clock with it if this is NaN.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_reset_frame_timing(pacer: usize, last_frame_ms: f64) {
    slot::<Slot>(pacer).pacer.reset_frame_timing(evenstep::from_millis(last_frame_ms));
}

/// Resets everything, as for a new game.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_reset(pacer: usize, last_frame_ms: f64) {
    slot::<Slot>(pacer).pacer.reset(evenstep::from_millis(last_frame_ms));
}

/// Tells the display lock the refresh period.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_hint_refresh(pacer: usize, period_ms: f64) {
    slot::<Slot>(pacer).pacer.hint_refresh(to_duration(period_ms));
}

/// Tells the display lock whether the refresh is variable.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_set_variable_refresh(pacer: usize, is_variable: bool) {
    slot::<Slot>(pacer).pacer.set_variable_refresh(is_variable);
}

/// Reports when the frame that was planned at `now_ms` was shown.
#[cfg(feature = "full")]
#[unsafe(no_mangle)]
pub extern "C" fn pacer_presented(pacer: usize, now_ms: f64, at_ms: f64) {
    slot::<Slot>(pacer).pacer.presented(to_duration(now_ms), to_duration(at_ms));
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

const _: () = assert!(22 + 2 * CHANNELS as usize <= NUMBERS);

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
