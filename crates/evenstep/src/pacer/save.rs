//! Saving and restoring a pacer, for saved games, rollback and late joiners.

use core::fmt;
use core::time::Duration;

use super::{Gate, Pacer};
use crate::codec::{Codec, Reader, Writer, checksum};
use crate::lock::DisplayLock;
use crate::pacing::{Effects, Excess, Pacing};

/// The first bytes: a magic number and a version.
const HEADER: [u8; 6] = *b"EVPC\x01\x00";
const CHECKSUM_LEN: usize = 8;
/// Upper bound of restored counters. A run cannot exceed the range above it.
const COUNT_MAX: u64 = 1 << 63;
/// Upper bound of restored nanosecond sums, so that adding them cannot overflow.
const NANOS_MAX: u128 = 1 << 120;

// Enums are encoded as an index into these.
const GATES: [Gate; 3] = [Gate::Open, Gate::Paused, Gate::Menu];
const EXCESS: [Excess; 3] = [Excess::KeepPhase, Excess::Drain, Excess::Carry];
const EFFECTS: [Effects; 2] = [Effects::Composed, Effects::Classic];
const LOCKS: [DisplayLock; 3] = [DisplayLock::Off, DisplayLock::Follow, DisplayLock::RateLock];

/// Why [`Pacer::restore`] failed.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RestoreError {
    /// The number of bytes is wrong.
    #[non_exhaustive]
    Length {
        /// The number of bytes given.
        bytes: usize,
    },
    /// The header does not match, or the version is not supported.
    #[non_exhaustive]
    Header,
    /// The bytes are damaged.
    #[non_exhaustive]
    Checksum {
        /// The checksum stored in the bytes.
        expected: u64,
        /// The checksum computed from the bytes.
        actual: u64,
    },
    /// A field has a value that no pacer can have.
    #[non_exhaustive]
    Value,
}

impl fmt::Display for RestoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { bytes } => {
                write!(out, "not a saved pacer: {bytes} bytes instead of {}", Pacer::SAVED_LEN)
            }
            Self::Header => write!(out, "not a saved pacer of version 1"),
            Self::Checksum { expected, actual } => {
                write!(out, "saved pacer is damaged: checksum {actual:016x} instead of {expected:016x}")
            }
            Self::Value => write!(out, "saved pacer contains an invalid value"),
        }
    }
}

/// What `main() -> Result<(), RestoreError>` prints: the message.
impl fmt::Debug for RestoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl core::error::Error for RestoreError {}

impl Pacer {
    /// The length of a saved pacer in bytes.
    pub const SAVED_LEN: usize = 2048;

    /// Saves the complete pacer as bytes, which are the same on every platform: configuration, clocks, pending time,
    /// display lock, ledger and statistics.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let ms = Duration::from_millis;
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(ms(0));
    /// pacer.frame(ms(40));
    /// let saved = pacer.save();
    ///
    /// let mut restored = Pacer::restore(&saved).expect("the bytes are unchanged");
    /// assert_eq!(restored, pacer);
    /// assert_eq!(restored.frame(ms(57)), pacer.frame(ms(57)));
    /// ```
    pub fn save(&self) -> [u8; Self::SAVED_LEN] {
        let mut bytes = [0; Self::SAVED_LEN];
        let (body, sum) = bytes.split_at_mut(Self::SAVED_LEN - CHECKSUM_LEN);
        let mut writer = Writer { bytes: body, len: 0 };
        writer.bytes(HEADER);
        self.clone().code(&mut writer);
        sum.copy_from_slice(&checksum(body).to_le_bytes());
        bytes
    }

    /// Restores a pacer from the bytes of [`Pacer::save`]. It makes the same decisions as the saved one.
    ///
    /// The next frame is measured against the saved timestamp. If the clock is a different one, call
    /// [`go_away`](Self::go_away) first.
    ///
    /// # Errors
    ///
    /// If the bytes are not a saved pacer, have another version, or are damaged.
    ///
    /// ```
    /// # use evenstep::{Pacer, Pacing};
    /// let mut saved = Pacer::new(Pacing::hz(60)).save();
    /// saved[100] ^= 1;
    /// let error = Pacer::restore(&saved).unwrap_err();
    /// assert!(error.to_string().starts_with("saved pacer is damaged: checksum "));
    /// assert_eq!(format!("{error:?}"), error.to_string(), "what `main` prints");
    /// ```
    pub fn restore(bytes: &[u8]) -> Result<Self, RestoreError> {
        if bytes.len() != Self::SAVED_LEN {
            return Err(RestoreError::Length { bytes: bytes.len() });
        }
        let (body, sum) = bytes.split_at(Self::SAVED_LEN - CHECKSUM_LEN);
        let body_of_version = body.strip_prefix(&HEADER).ok_or(RestoreError::Header)?;
        let expected = sum.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let actual = checksum(body);
        if actual != expected {
            return Err(RestoreError::Checksum { expected, actual });
        }
        let mut reader = Reader { bytes: body_of_version, is_refused: false };
        let mut pacer = Self::default();
        pacer.code(&mut reader);
        // The bytes after the last field are zero in this version.
        let is_padded = reader.bytes.iter().all(|&byte| byte == 0);
        if reader.is_refused || !is_padded || !pacer.ledger().is_balanced() {
            return Err(RestoreError::Value);
        }
        Ok(pacer)
    }

    /// Encodes every field that is not derived from others, in a fixed order.
    fn code(&mut self, codec: &mut impl Codec) {
        self.pacing.code(codec);
        self.gate = GATES[usize::from(codec.choice(self.gate as u8, GATES.len() as u8))];
        codec.option(&mut self.last_ns, 0, Codec::u64);
        codec.u64(&mut self.tick);
        codec.require(self.tick <= COUNT_MAX);
        self.steps.set_rate(self.pacing.rate);
        self.steps.code(codec);
        self.scales.set_ranges(self.pacing.channels);
        self.scales.code(codec);
        codec.u32(&mut self.scale_rest);
        codec.u32(&mut self.steps_by_hand);
        codec.u32(&mut self.steps_ahead);
        codec.u64(&mut self.freeze_left_ns);
        codec.u64(&mut self.hitstop_left_ns);
        codec.require((self.hitstop_left_ns > 0) == self.scales.is_in_hitstop());
        codec.u128(&mut self.ui_ns);
        codec.require(self.ui_ns <= NANOS_MAX);
        self.lock.code(codec);
        self.draw.set_rate(self.pacing.draw_rate);
        self.draw.code(codec);
        codec.u64(&mut self.undrawn_ns);
        self.costs.code(codec);
        codec.u64(&mut self.frame_at_ns);
        codec.u32(&mut self.steps_run);
        codec.u64(&mut self.steps_done_at_ns);
        self.ledger.code(codec, NANOS_MAX);
        self.stats.code(codec, COUNT_MAX);
        self.record_lock();
        self.update_limits();
    }
}

impl Pacing {
    fn code(&mut self, codec: &mut impl Codec) {
        codec.rate(&mut self.rate);
        for limit in [&mut self.stall, &mut self.frame_longest, &mut self.backlog, &mut self.budget] {
            codec.option(limit, Duration::ZERO, Codec::duration);
        }
        codec.option(&mut self.backlog_steps, 0, Codec::u32);
        codec.option(&mut self.steps_max, 1, Codec::u32);
        if self.steps_max == Some(0) {
            codec.refuse();
            self.steps_max = None;
        }
        codec.option(&mut self.draw_rate, Self::SIM_RATE, Codec::rate);
        self.excess = EXCESS[usize::from(codec.choice(self.excess as u8, EXCESS.len() as u8))];
        self.effects = EFFECTS[usize::from(codec.choice(self.effects as u8, EFFECTS.len() as u8))];
        self.display_lock = LOCKS[usize::from(codec.choice(self.display_lock as u8, LOCKS.len() as u8))];
        codec.f64(&mut self.start_phase);
        codec.require((0.0..1.0).contains(&self.start_phase));
        for channel in &mut self.channels {
            channel.code(codec);
        }
    }
}
