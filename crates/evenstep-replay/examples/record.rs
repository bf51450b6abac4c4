//! Records a ball, finds the tick at which a broken build differs, and rewinds.
//!
//! Run: cargo run -p evenstep-replay --example record

use evenstep::Rate;
use evenstep_replay::{
    Header, LoadError, Recording, RecordingWriter, Rewind, RewindOptions, Simulation, Verdict, verify,
};

struct Ball {
    x: f32,
    bounce: f32,
}

// The ten lines that a game needs.
impl Simulation for Ball {
    type Input = i8;
    fn step(&mut self, input: &i8) {
        self.x = (self.x + f32::from(*input)) * self.bounce;
    }
    fn save(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.x.to_le_bytes());
    }
    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        self.x = f32::from_le_bytes(bytes.try_into()?);
        Ok(())
    }
    fn write_input(input: &i8, bytes: &mut Vec<u8>) {
        bytes.push(input.cast_unsigned());
    }
    fn read_input(bytes: &[u8]) -> Option<i8> {
        Some(bytes.first()?.cast_signed())
    }
}

fn main() -> Result<(), evenstep_replay::Error> {
    let mut ball = Ball { x: 0.0, bounce: 0.9 };
    let mut writer = RecordingWriter::new(Vec::new(), Header::new("ball", "1.0", Rate::hz(60)), &ball)?;
    let mut rewind = Rewind::new(RewindOptions { ticks: 600, bytes: 1 << 20, snapshot_every: 60 }, 0);
    for tick in 0..600_i16 {
        let input = (tick / 40 % 3 - 1) as i8;
        writer.tick(&input, &ball);
        rewind.tick(&input, &ball);
        ball.step(&input);
    }
    let file = writer.finish(&ball)?;
    println!("recorded 600 ticks in {} bytes", file.len());

    let recording = Recording::read(&file[..])?;
    for bounce in [0.9, 0.900_001] {
        match verify(&recording, &mut Ball { x: 0.0, bounce }, |_| ())? {
            Verdict::Diverged(divergence) => println!("bounce {bounce}: {divergence}"),
            same => println!("bounce {bounce}: {same:?}"),
        }
    }

    rewind.back_to(300, &mut ball)?;
    println!("at tick 300, the ball was at {}", ball.x);
    Ok(())
}
