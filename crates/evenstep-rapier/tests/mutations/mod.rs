//! Reproducible damage to snapshots, and its outcomes.

mod judge;

use std::collections::BTreeMap;

pub(crate) use judge::seal;

/// Damages snapshots reproducibly from a seed.
pub(crate) struct Mutator(u64);

impl Mutator {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a damaged copy. Splices take their bytes from `other`.
    pub(crate) fn mutate(&mut self, bytes: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.below(3) {
            let at = self.below(bytes.len());
            match self.below(8) {
                0 | 1 => bytes[at] ^= 1 << self.below(8),
                2 => bytes[at] = self.next() as u8,
                3 => bytes[at] = [0, 1, 0x7F, 0x80, 0xFF][self.below(5)],
                4 => bytes.truncate(at.max(1)),
                5 => bytes.insert(at, self.next() as u8),
                // The longest length that the format can write, where a length may be.
                6 => drop(bytes.splice(at..=at, [[0xFF; 9].as_slice(), &[1]].concat())),
                _ => {
                    let from = self.below(other.len());
                    let len = self.below(64).min(other.len() - from).min(bytes.len() - at);
                    bytes[at..at + len].copy_from_slice(&other[from..from + len]);
                }
            }
        }
        bytes
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    /// `SplitMix64`.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }
}

/// The outcome of one damaged snapshot.
#[derive(Debug, PartialEq)]
pub(crate) enum Fate {
    Refused,
    Ran,
}

/// The outcomes of many damaged snapshots.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) refused: u32,
    pub(crate) ran: u32,
    /// How often Rapier panicked, by location.
    pub(crate) panicked: BTreeMap<String, u32>,
    /// Peak memory of a single case, in bytes.
    pub(crate) memory_max: u64,
}

impl Tally {
    pub(crate) fn panics(&self) -> u32 {
        self.panicked.values().sum()
    }
}

/// Damages snapshots, fixes their checksums, and runs them.
pub(crate) fn run_sealed(cases: u32, snapshots: [&[u8]; 2], run: impl Fn(&[u8]) -> Fate) -> Tally {
    let mut mutator = Mutator::new(1);
    let mut tally = Tally::default();
    for case in 0..cases as usize {
        let mut bytes = mutator.mutate(snapshots[case % 2], snapshots[1 - case % 2]);
        seal(&mut bytes);
        let mut fate = Ok(Fate::Refused);
        let memory = allocation_counter::measure(|| fate = judge::judge(|| run(&bytes)));
        // Capturing a backtrace takes memory of its own.
        if !fate.as_ref().is_err_and(|place| place.contains("/library/")) {
            tally.memory_max = tally.memory_max.max(memory.bytes_max);
        }
        match fate {
            Ok(Fate::Refused) => tally.refused += 1,
            Ok(Fate::Ran) => tally.ran += 1,
            Err(place) => *tally.panicked.entry(place).or_default() += 1,
        }
    }
    tally
}
