//! A game with faults, and tools to take files apart.

use std::ops::Range;

use evenstep::Rate;
use evenstep_replay::{Header, LoadError, Simulation};

/// A game whose faults can be switched on. Its state is a counter, and as many zeros as it is told to have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Odd {
    pub(crate) count: u64,
    pub(crate) zeros: usize,
    pub(crate) parts: usize,
    /// `load` fails after it has changed the state.
    pub(crate) is_unloadable: bool,
    /// Not in the hash.
    pub(crate) unhashed: u8,
}

pub(crate) const NAMES: [&str; 4] = ["a", "b", "c", "d"];

impl Simulation for Odd {
    type Input = Vec<u8>;

    fn step(&mut self, input: &Vec<u8>) {
        self.count += 1 + input.iter().map(|&byte| u64::from(byte)).sum::<u64>();
    }

    fn save(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.count.to_le_bytes());
        bytes.push(self.unhashed);
        bytes.resize(bytes.len() + self.zeros, 0);
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let (count, rest) = bytes.split_first_chunk().ok_or("too short")?;
        if self.is_unloadable {
            self.count = 666;
            return Err("half-way".into());
        }
        self.count = u64::from_le_bytes(*count);
        self.unhashed = rest[0];
        self.zeros = rest.len() - 1;
        Ok(())
    }

    fn hash(&self, part: &mut dyn FnMut(&'static str, u64)) -> u64 {
        NAMES[..self.parts].iter().for_each(|name| part(name, self.count));
        self.count
    }

    fn write_input(input: &Vec<u8>, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(input);
    }

    /// Inputs that begin with 13 cannot be read.
    fn read_input(bytes: &[u8]) -> Option<Vec<u8>> {
        (bytes.first() != Some(&13)).then(|| bytes.to_vec())
    }
}

pub(crate) fn header() -> Header {
    Header::new("odd", "1", Rate::hz(60)).with_platform("any")
}

/// Noise, which no coding makes shorter.
pub(crate) fn noise(tick: u64, len: usize) -> Vec<u8> {
    let mut random = crate::world::Random(tick + 1);
    (0..len).map(|_| random.below(256) as u8 | 16).collect()
}

/// The offsets of the blocks of a file, with their kinds.
pub(crate) fn blocks(file: &[u8]) -> Vec<(u8, Range<usize>)> {
    let mut at = 12;
    let mut found = Vec::new();
    while at < file.len() {
        let len = u32::from_le_bytes(file[at + 2..at + 6].try_into().unwrap()) as usize;
        found.push((file[at], at..at + 10 + len));
        at += 10 + len;
    }
    found
}

pub(crate) fn rebuilt(file: &[u8], order: impl IntoIterator<Item = Range<usize>>) -> Vec<u8> {
    let mut bytes = file[..12].to_vec();
    order.into_iter().for_each(|block| bytes.extend_from_slice(&file[block]));
    bytes
}
