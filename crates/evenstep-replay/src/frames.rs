//! Frames: what the loop decided, when, and under which controls.

use std::collections::VecDeque;
use std::time::Duration;

use evenstep::{DisplayLock, Frame, Gate, Outcome, Pacer};

use crate::format::{Cursor, Problem, begin_block, kind, put_signed, put_varint};
use crate::pack::Packer;

/// One frame in a recording: its timestamp, its plan, and what changed about the controls.
///
/// A [`FrameWatch`] makes them from a pacer. A game with a loop of its own fills the fields in itself.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FrameRecord {
    /// The host's timestamp, in nanoseconds.
    pub at_ns: u64,
    /// When the image was shown, if the host knows.
    pub presented_ns: Option<u64>,
    /// What the frame did with its time.
    pub outcome: Outcome,
    /// Whether its steps were requested by hand.
    pub is_by_hand: bool,
    /// The number of steps.
    pub steps: u32,
    /// The position between the last two ticks, rounded down to 1/65536.
    pub alpha: f64,
    /// Time dropped in this frame, in nanoseconds.
    pub dropped_ns: u64,
    /// The controls that changed before this frame.
    pub controls: Controls,
}

/// The controls of the pacer that changed before a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Controls {
    /// What holds the simulation.
    pub gate: Option<Gate>,
    /// Whether the display lock is on.
    pub display_lock: Option<bool>,
    /// Game seconds per wall second.
    pub scale: Option<f64>,
    /// The length of a hit-freeze that began, in nanoseconds.
    pub freeze_ns: Option<u64>,
}

impl Controls {
    /// What is in force after this change, where `before` was. A hit-freeze is an event, and not in force.
    pub(crate) fn after(self, before: Self) -> Self {
        Self {
            gate: self.gate.or(before.gate),
            display_lock: self.display_lock.or(before.display_lock),
            scale: self.scale.or(before.scale),
            freeze_ns: self.freeze_ns,
        }
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl FrameRecord {
    /// Records a frame at a timestamp that ran some steps.
    pub fn new(at: Duration, steps: u32, alpha: f64) -> Self {
        Self {
            at_ns: nanos(at),
            presented_ns: None,
            outcome: Outcome::Ran,
            is_by_hand: false,
            steps,
            alpha: f64::from(to_parts(alpha)) / PARTS,
            dropped_ns: 0,
            controls: Controls::default(),
        }
    }
}

/// Makes records of frames from a pacer and its plans.
///
/// ```
/// use std::time::Duration;
/// use evenstep::{Gate, Pacer, Pacing};
/// use evenstep_replay::FrameWatch;
///
/// let mut pacer = Pacer::new(Pacing::hz(60));
/// let mut watch = FrameWatch::default();
/// let frame = pacer.frame(Duration::from_millis(16));
/// watch.frame(&frame, &pacer);
/// pacer.set_gate(Gate::Paused);
/// let frame = pacer.frame(Duration::from_millis(33));
/// assert_eq!(watch.frame(&frame, &pacer).controls.gate, Some(Gate::Paused));
/// ```
#[derive(Clone, Debug, Default)]
pub struct FrameWatch {
    seen: Controls,
    freeze_left_ns: u64,
}

impl FrameWatch {
    /// Records a frame. Call it after [`Pacer::frame`], before the controls for the next frame change.
    pub fn frame(&mut self, frame: &Frame, pacer: &Pacer) -> FrameRecord {
        let mut record = FrameRecord::new(frame.now(), frame.steps(), frame.alpha());
        record.outcome = frame.outcome();
        record.is_by_hand = frame.is_by_hand();
        record.dropped_ns = nanos(frame.dropped());
        let now = Controls {
            gate: Some(pacer.gate()),
            display_lock: Some(pacer.pacing().display_lock() != DisplayLock::Off),
            scale: Some(frame.scale()),
            freeze_ns: None,
        };
        // A freeze runs down only in frames that it holds: not in a pause, nor in a menu.
        let is_frozen = frame.outcome() == Outcome::Frozen;
        let (left_ns, before_ns) = (nanos(pacer.freeze_left()), self.freeze_left_ns);
        let raw_ns = if is_frozen { frame.raw_dt_ns() } else { 0 };
        let begins = if left_ns > 0 {
            left_ns.saturating_add(raw_ns) != before_ns
        } else {
            // One that ends in the frame in which it began, or instead of a longer one.
            is_frozen && (before_ns == 0 || before_ns > raw_ns)
        };
        record.controls = Controls {
            gate: now.gate.filter(|_| now.gate != self.seen.gate),
            display_lock: now.display_lock.filter(|_| now.display_lock != self.seen.display_lock),
            scale: now.scale.filter(|_| now.scale != self.seen.scale),
            freeze_ns: begins.then(|| left_ns.saturating_add(raw_ns)),
        };
        self.seen = now;
        self.freeze_left_ns = left_ns;
        record
    }
}

/// Frames that are kept back, because the display shows them later.
const RECENT: usize = 8;

/// The newest frames, each with where it belongs, until the display has had time to show them.
#[derive(Clone, Debug)]
pub(crate) struct Recent<P> {
    frames: VecDeque<(P, FrameRecord)>,
}

impl<P> Default for Recent<P> {
    fn default() -> Self {
        Self { frames: VecDeque::with_capacity(RECENT + 1) }
    }
}

impl<P> Recent<P> {
    /// Adds a frame. Returns the oldest if there are too many.
    pub(crate) fn push(&mut self, place: P, record: FrameRecord) -> Option<(P, FrameRecord)> {
        self.frames.push_back((place, record));
        if self.frames.len() > RECENT { self.frames.pop_front() } else { None }
    }

    pub(crate) fn pop(&mut self) -> Option<(P, FrameRecord)> {
        self.frames.pop_front()
    }

    pub(crate) fn clear(&mut self) {
        self.frames.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &(P, FrameRecord)> {
        self.frames.iter()
    }

    /// Notes when the frame of a timestamp was shown.
    pub(crate) fn presented(&mut self, frame: Duration, at: Duration) {
        let frame_ns = nanos(frame);
        if let Some((_, record)) = self.frames.iter_mut().rev().find(|(_, record)| record.at_ns == frame_ns) {
            record.presented_ns = Some(nanos(at));
        }
    }
}

/// Parts of a tick in which alpha is stored.
const PARTS: f64 = 65_536.0;

fn to_parts(alpha: f64) -> u16 {
    // Out of range and NaN saturate.
    (alpha * PARTS) as u16
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

const BY_HAND: u8 = 1 << 3;
const STEPS: u8 = 4;
/// In the two bits of the steps: the number follows.
const MANY: u8 = 3;
const EXTRAS: u8 = 1 << 6;

const DROPPED: u8 = 1;
const PRESENTED: u8 = 1 << 1;
const GATE: u8 = 1 << 2;
const LOCK: u8 = 1 << 3;
const SCALE: u8 = 1 << 4;
const FREEZE: u8 = 1 << 5;

const OUTCOMES: [Outcome; 6] =
    [Outcome::Ran, Outcome::Stalled, Outcome::Menu, Outcome::Paused, Outcome::Frozen, Outcome::Skipped];
const GATES: [Gate; 3] = [Gate::Open, Gate::Paused, Gate::Menu];

fn index_of<T: PartialEq>(all: &[T], one: &T) -> u8 {
    all.iter().position(|it| it == one).unwrap_or(0) as u8
}

/// What a frame's time and alpha are predicted from.
#[derive(Clone, Copy, Debug, Default)]
struct Prediction {
    frames: u64,
    at_ns: u64,
    step_ns: u64,
    alpha: u16,
    alpha_step: u16,
}

impl Prediction {
    /// The times and alphas of most frames are evenly spaced. The first of a block is predicted to be 0.
    fn at_ns(&self) -> u64 {
        self.at_ns.wrapping_add(self.step_ns)
    }

    fn alpha(&self) -> u16 {
        self.alpha.wrapping_add(self.alpha_step)
    }

    fn learn(&mut self, at_ns: u64, alpha: u16) {
        let is_first = self.frames == 0;
        self.step_ns = if is_first { 0 } else { at_ns.wrapping_sub(self.at_ns) };
        self.alpha_step = if is_first { 0 } else { alpha.wrapping_sub(self.alpha) };
        self.at_ns = at_ns;
        self.alpha = alpha;
        self.frames += 1;
    }
}

/// Collects frames for one block.
#[derive(Clone, Debug, Default)]
pub(crate) struct FramesWriter {
    first_frame: u64,
    first_tick: u64,
    next_tick: u64,
    prediction: Prediction,
    flags: Vec<u8>,
    times: Vec<u8>,
    alphas: Vec<u8>,
    extras: Vec<u8>,
}

impl FramesWriter {
    pub(crate) fn starting_at(first_frame: u64, first_tick: u64) -> Self {
        Self { first_frame, first_tick, next_tick: first_tick, ..Self::default() }
    }

    pub(crate) fn restart(&mut self, first_frame: u64, first_tick: u64) {
        self.first_frame = first_frame;
        self.first_tick = first_tick;
        self.next_tick = first_tick;
        self.prediction = Prediction::default();
        for column in [&mut self.flags, &mut self.times, &mut self.alphas, &mut self.extras] {
            column.clear();
        }
    }

    pub(crate) fn count(&self) -> u64 {
        self.flags.len() as u64
    }

    /// The tick that the next frame begins with, if the frames' steps were all recorded.
    pub(crate) const fn next_tick(&self) -> u64 {
        self.next_tick
    }

    pub(crate) fn memory(&self) -> usize {
        [&self.flags, &self.times, &self.alphas, &self.extras].iter().map(|column| column.capacity()).sum()
    }

    pub(crate) fn push(&mut self, record: &FrameRecord) {
        let alpha = to_parts(record.alpha);
        let late_ns = record.at_ns.wrapping_sub(self.prediction.at_ns()).cast_signed();
        put_signed(&mut self.times, late_ns);
        put_signed(&mut self.alphas, alpha.wrapping_sub(self.prediction.alpha()).cast_signed().into());
        self.prediction.learn(record.at_ns, alpha);

        let controls = &record.controls;
        let mut extras = 0;
        for (bit, is_set) in [
            (DROPPED, record.dropped_ns > 0),
            (PRESENTED, record.presented_ns.is_some()),
            (GATE, controls.gate.is_some()),
            (LOCK, controls.display_lock.is_some()),
            (SCALE, controls.scale.is_some()),
            (FREEZE, controls.freeze_ns.is_some()),
        ] {
            extras |= if is_set { bit } else { 0 };
        }
        let steps = record.steps.min(MANY.into()) as u8;
        self.flags.push(
            index_of(&OUTCOMES, &record.outcome)
                | if record.is_by_hand { BY_HAND } else { 0 }
                | steps << STEPS
                | if extras > 0 { EXTRAS } else { 0 },
        );
        let out = &mut self.extras;
        if steps == MANY {
            put_varint(out, record.steps.into());
        }
        if extras > 0 {
            out.push(extras);
            if record.dropped_ns > 0 {
                put_varint(out, record.dropped_ns);
            }
            if let Some(presented_ns) = record.presented_ns {
                put_signed(out, presented_ns.wrapping_sub(record.at_ns).cast_signed());
            }
            if let Some(gate) = &controls.gate {
                out.push(index_of(&GATES, gate));
            }
            if let Some(is_on) = controls.display_lock {
                out.push(is_on.into());
            }
            if let Some(scale) = controls.scale {
                out.extend(scale.to_le_bytes());
            }
            if let Some(freeze_ns) = controls.freeze_ns {
                put_varint(out, freeze_ns);
            }
        }
        self.next_tick = self.next_tick.wrapping_add(record.steps.into());
    }

    /// Reads what was collected.
    pub(crate) fn read(&self) -> FramesReader<'_> {
        FramesReader {
            first_frame: self.first_frame,
            first_tick: self.first_tick,
            flags: Cursor::new(&self.flags),
            times: Cursor::new(&self.times),
            alphas: Cursor::new(&self.alphas),
            extras: Cursor::new(&self.extras),
            prediction: Prediction::default(),
        }
    }

    pub(crate) fn write_block(&self, out: &mut Vec<u8>, packer: &mut Packer) {
        self.write_block_as(self.first_frame, out, packer);
    }

    /// Writes the block with another number for its first frame.
    pub(crate) fn write_block_as(&self, first_frame: u64, out: &mut Vec<u8>, packer: &mut Packer) {
        let start = begin_block(out, kind::FRAMES);
        put_varint(out, first_frame);
        put_varint(out, self.first_tick);
        put_varint(out, self.count());
        out.extend_from_slice(&self.flags);
        out.extend_from_slice(&self.times);
        out.extend_from_slice(&self.alphas);
        out.extend_from_slice(&self.extras);
        packer.end_block(out, start);
    }
}

/// Reads the frames of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FramesReader<'a> {
    pub(crate) first_frame: u64,
    pub(crate) first_tick: u64,
    flags: Cursor<'a>,
    times: Cursor<'a>,
    alphas: Cursor<'a>,
    extras: Cursor<'a>,
    prediction: Prediction,
}

impl<'a> FramesReader<'a> {
    pub(crate) fn new(payload: &'a [u8]) -> Result<Self, Problem> {
        let mut cursor = Cursor::new(payload);
        let first_frame = cursor.varint()?;
        let first_tick = cursor.varint()?;
        let count = cursor.count()?;
        let flags = Cursor::new(cursor.take(count as usize)?);
        let times = cursor;
        for _ in 0..count {
            cursor.signed()?;
        }
        let alphas = cursor;
        for _ in 0..count {
            cursor.signed()?;
        }
        let prediction = Prediction::default();
        Ok(Self { first_frame, first_tick, flags, times, alphas, extras: cursor, prediction })
    }

    pub(crate) fn left(&self) -> u64 {
        self.flags.left() as u64
    }

    /// Reads the next frame, or `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<FrameRecord>, Problem> {
        if self.flags.left() == 0 {
            self.extras.end()?;
            return Ok(None);
        }
        let flags = self.flags.u8()?;
        if flags >> 7 != 0 {
            return Err("an unknown flag of a frame");
        }
        let outcome = *OUTCOMES.get(usize::from(flags & 7)).ok_or("an unknown outcome of a frame")?;
        let at_ns = self.prediction.at_ns().wrapping_add_signed(self.times.signed()?);
        let alpha = self.prediction.alpha().wrapping_add(self.alphas.signed()? as u16);
        self.prediction.learn(at_ns, alpha);
        let extras = &mut self.extras;
        let steps = match flags >> STEPS & 3 {
            MANY => u32::try_from(extras.varint()?).map_err(|_| "more steps than a frame can have")?,
            few => few.into(),
        };
        let mut record = FrameRecord {
            at_ns,
            presented_ns: None,
            outcome,
            is_by_hand: flags & BY_HAND != 0,
            steps,
            alpha: f64::from(alpha) / PARTS,
            dropped_ns: 0,
            controls: Controls::default(),
        };
        if flags & EXTRAS != 0 {
            let has = extras.u8()?;
            if has >> 6 != 0 {
                return Err("an unknown property of a frame");
            }
            if has & DROPPED != 0 {
                record.dropped_ns = extras.varint()?;
            }
            if has & PRESENTED != 0 {
                record.presented_ns = Some(at_ns.wrapping_add_signed(extras.signed()?));
            }
            if has & GATE != 0 {
                let gate = GATES.get(usize::from(extras.u8()?)).ok_or("an unknown gate")?;
                record.controls.gate = Some(*gate);
            }
            if has & LOCK != 0 {
                record.controls.display_lock = match extras.u8()? {
                    0 => Some(false),
                    1 => Some(true),
                    _ => return Err("an unknown state of the display lock"),
                };
            }
            if has & SCALE != 0 {
                record.controls.scale = Some(extras.f64()?);
            }
            if has & FREEZE != 0 {
                record.controls.freeze_ns = Some(extras.varint()?);
            }
        }
        Ok(Some(record))
    }
}
