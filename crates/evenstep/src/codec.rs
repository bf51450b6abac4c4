//! Fixed-size encoding: one description of the fields serves for writing and reading.

use core::time::Duration;

use crate::rate::Rate;

/// Visits fields in a fixed order. A writer copies each field and leaves it unchanged; a reader replaces it.
pub(crate) trait Codec {
    /// Writes the bytes and returns them, or reads the same number.
    fn bytes<const N: usize>(&mut self, value: [u8; N]) -> [u8; N];

    /// Reports that a reader found an invalid value.
    fn refuse(&mut self);

    fn u8(&mut self, value: &mut u8) {
        [*value] = self.bytes([*value]);
    }

    fn u32(&mut self, value: &mut u32) {
        *value = u32::from_le_bytes(self.bytes(value.to_le_bytes()));
    }

    fn u64(&mut self, value: &mut u64) {
        *value = u64::from_le_bytes(self.bytes(value.to_le_bytes()));
    }

    fn i64(&mut self, value: &mut i64) {
        *value = i64::from_le_bytes(self.bytes(value.to_le_bytes()));
    }

    fn u128(&mut self, value: &mut u128) {
        *value = u128::from_le_bytes(self.bytes(value.to_le_bytes()));
    }

    fn i128(&mut self, value: &mut i128) {
        *value = i128::from_le_bytes(self.bytes(value.to_le_bytes()));
    }

    fn f64(&mut self, value: &mut f64) {
        *value = f64::from_le_bytes(self.bytes(value.to_le_bytes()));
    }

    fn usize(&mut self, value: &mut usize) {
        let mut wide = *value as u64;
        self.u64(&mut wide);
        *value = wide as usize;
    }

    fn bool(&mut self, value: &mut bool) {
        *value = self.choice(u8::from(*value), 2) == 1;
    }

    /// Encodes one of `count` values by its index.
    fn choice(&mut self, number: u8, count: u8) -> u8 {
        let mut number = number;
        self.u8(&mut number);
        if number < count {
            return number;
        }
        self.refuse();
        0
    }

    /// Encodes an optional value, which takes the same number of bytes if it is missing.
    fn option<T: Copy>(&mut self, value: &mut Option<T>, blank: T, field: impl FnOnce(&mut Self, &mut T))
    where
        Self: Sized,
    {
        let mut is_there = value.is_some();
        self.bool(&mut is_there);
        let mut inner = value.unwrap_or(blank);
        field(self, &mut inner);
        *value = is_there.then_some(inner);
    }

    fn duration(&mut self, value: &mut Duration) {
        let (mut secs, mut nanos) = (value.as_secs(), value.subsec_nanos());
        self.u64(&mut secs);
        self.u32(&mut nanos);
        // More would carry over into the seconds.
        if nanos >= 1_000_000_000 {
            self.refuse();
            nanos = 0;
        }
        *value = Duration::new(secs, nanos);
    }

    fn rate(&mut self, value: &mut Rate) {
        let (mut ticks, mut seconds) = (value.ticks(), value.seconds());
        self.u32(&mut ticks);
        self.u32(&mut seconds);
        match Rate::try_new(ticks, seconds) {
            Some(rate) => *value = rate,
            None => self.refuse(),
        }
    }

    /// Refuses the value just read unless the condition holds.
    fn require(&mut self, condition: bool) {
        if !condition {
            self.refuse();
        }
    }
}

/// Writes into a buffer that is long enough.
pub(crate) struct Writer<'a> {
    pub(crate) bytes: &'a mut [u8],
    pub(crate) len: usize,
}

impl Codec for Writer<'_> {
    fn bytes<const N: usize>(&mut self, value: [u8; N]) -> [u8; N] {
        self.bytes[self.len..self.len + N].copy_from_slice(&value);
        self.len += N;
        value
    }

    /// Does nothing: values in memory are valid.
    fn refuse(&mut self) {}
}

/// Reads from a buffer.
pub(crate) struct Reader<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) is_refused: bool,
}

impl Codec for Reader<'_> {
    fn bytes<const N: usize>(&mut self, blank: [u8; N]) -> [u8; N] {
        let Some((value, rest)) = self.bytes.split_first_chunk() else {
            self.refuse();
            return blank;
        };
        self.bytes = rest;
        *value
    }

    fn refuse(&mut self) {
        self.is_refused = true;
    }
}

/// FNV-1a with 64 bits: detects damage, not tampering.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}
