//! A small game to test with: bodies that swing, dice, and a score. And two broken builds of it.

use evenstep::Rate;
use evenstep_replay::{Header, LoadError, RecordingWriter, Simulation};
use xxhash_rust::xxh3::xxh3_64;

/// What is wrong with a build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fault {
    #[default]
    None,
    /// Uses the sine of std, which differs between machines.
    StdSin,
    /// Keeps state that it does not save, from this tick on.
    Leak { from: u64 },
}

/// The game. Its input is any bytes.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) bodies: Vec<[f64; 2]>,
    pub(crate) dice: u64,
    pub(crate) score: u64,
    pub(crate) fault: Fault,
    hidden: u64,
    stepped: u64,
}

impl World {
    pub(crate) fn new(seed: u64) -> Self {
        Self::with_bodies(seed, 24)
    }

    pub(crate) fn with_bodies(seed: u64, bodies: u32) -> Self {
        let bodies = (0..bodies).map(|n| [f64::from(n) * 0.37 + seed as f64 * 0.01, 0.0]).collect();
        Self {
            bodies,
            dice: seed ^ 0x9E37_79B9_7F4A_7C15,
            score: 0,
            fault: Fault::None,
            hidden: 0,
            stepped: 0,
        }
    }

    pub(crate) fn with_fault(mut self, fault: Fault) -> Self {
        self.fault = fault;
        self
    }

    pub(crate) fn header(seed: u64) -> Header {
        Header::new("world", "1.0.0", Rate::hz(60)).with_seed(seed).with_platform("any")
    }

    fn sin(&self, x: f64) -> f64 {
        if self.fault == Fault::StdSin { x.sin() } else { libm::sin(x) }
    }
}

impl Simulation for World {
    type Input = Vec<u8>;

    fn step(&mut self, input: &Vec<u8>) {
        let push = input.iter().fold(0.0, |sum, &byte| sum + f64::from(byte) / 256.0);
        for n in 0..self.bodies.len() {
            let [x, v] = self.bodies[n];
            let v = v - 0.01 * self.sin(x) + 0.001 * push;
            self.bodies[n] = [x + 0.1 * v, v];
        }
        self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.score = self.score.wrapping_add(self.dice >> 60);
        self.stepped += 1;
        if let Fault::Leak { from } = self.fault
            && self.stepped > from
        {
            self.score = self.score.wrapping_add(self.hidden & 1);
            self.hidden += 1;
        }
    }

    fn save(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.dice.to_le_bytes());
        bytes.extend(self.score.to_le_bytes());
        for value in self.bodies.iter().flatten() {
            bytes.extend(value.to_le_bytes());
        }
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        if bytes.len() != 16 + self.bodies.len() * 16 {
            return Err(
                format!("a world has {} bytes, not {}", 16 + self.bodies.len() * 16, bytes.len()).into()
            );
        }
        let mut words = bytes.chunks_exact(8).map(|word| word.try_into().expect("eight bytes"));
        self.dice = u64::from_le_bytes(words.next().expect("checked above"));
        self.score = u64::from_le_bytes(words.next().expect("checked above"));
        for (value, word) in self.bodies.iter_mut().flatten().zip(words) {
            *value = f64::from_le_bytes(word);
        }
        Ok(())
    }

    fn hash(&self, part: &mut dyn FnMut(&'static str, u64)) -> u64 {
        let bodies = self.bodies.iter().flatten().fold(0_u64, |hash, value| {
            (hash.rotate_left(5) ^ value.to_bits()).wrapping_mul(0x517C_C1B7_2722_0A95)
        });
        let parts = [("dice", xxh3_64(&self.dice.to_le_bytes())), ("bodies", bodies), ("score", self.score)];
        let mut whole = 0_u64;
        for (name, hash) in parts {
            part(name, hash);
            whole = (whole.rotate_left(9) ^ hash).wrapping_mul(0x2545_F491_4F6C_DD1D);
        }
        whole
    }

    fn write_input(input: &Vec<u8>, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(input);
    }

    fn read_input(bytes: &[u8]) -> Option<Vec<u8>> {
        Some(bytes.to_vec())
    }
}

/// Inputs that change every few ticks.
pub(crate) fn input(tick: u64) -> Vec<u8> {
    vec![(tick / 7 * 37) as u8, 0, (tick / 31) as u8, u8::from(tick.is_multiple_of(11))]
}

/// Records some ticks with marks, and returns the file.
pub(crate) fn record(header: Header, ticks: u64, world: &mut World) -> Vec<u8> {
    let mut writer = RecordingWriter::new(Vec::new(), header, world).expect("memory can be written");
    for tick in 0..ticks {
        let input = input(tick);
        writer.tick(&input, world);
        world.step(&input);
        if tick % 50 == 49 {
            writer.mark("fifty more");
        }
    }
    writer.finish(world).expect("memory can be written")
}

/// xorshift64*
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) % bound.max(1)
    }
}
