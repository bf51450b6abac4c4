//! What recording, the ring, verification and rewinding cost, beside a tick of the game with the autopilot. Fails if one
//! of them exceeds its limit.
//!
//! Run: cargo xtask bench replay

#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use evenstep_replay::{
    Error, Player, Recording, RecordingWriter, Rewind, Simulation, StateHash, Verdict, verify,
};
use starship_sim::{Autopilot, RING, RunDef, Sim, Turn, autopilot_hashes, record_autopilot};

const TICKS: u64 = 36_000;
const SEED: u64 = 7;
/// Ticks to verify.
const VERIFIED: u64 = 100_000;

// Limits: shares of a tick in percent, seconds for verifying, milliseconds for going back, bytes of ten minutes.
const RECORDING_MAX: f64 = 2.0;
const KEEPING_MAX: f64 = 5.0;
const VERIFYING_S_MAX: f64 = 10.0;
const BACK_MS_MAX: f64 = 16.0;
const BYTES_A_TICK_MAX: f64 = 110_000.0 / 36_000.0;

/// Passes over the same game. Each tick counts with its shortest time, so that other programs do not count.
const PASSES: usize = 3;

/// The time of each tick, in nanoseconds.
#[derive(Default)]
struct Times(Vec<u64>);

impl Times {
    fn add(&mut self, n: usize, took: Duration) {
        let took_ns = took.as_nanos() as u64;
        match self.0.get_mut(n) {
            Some(best_ns) => *best_ns = took_ns.min(*best_ns),
            None => self.0.push(took_ns),
        }
    }

    fn sum(&self) -> f64 {
        self.0.iter().sum::<u64>() as f64
    }
}

/// The shortest time of some runs, in seconds.
fn shortest<T>(mut run: impl FnMut() -> Result<T, Error>) -> Result<f64, Error> {
    let mut shortest = f64::INFINITY;
    for _ in 0..PASSES {
        let start = Instant::now();
        std::hint::black_box(run()?);
        shortest = shortest.min(start.elapsed().as_secs_f64());
    }
    Ok(shortest)
}

/// Prints measurements, and remembers which exceed their limit.
#[derive(Default)]
struct Report {
    exceeded: Vec<&'static str>,
}

impl Report {
    fn limited(&mut self, name: &'static str, value: f64, unit: &str, max: f64) {
        println!("{name:25} {value:.2} {unit} (limit {max:.2})");
        if value > max {
            self.exceeded.push(name);
        }
    }
}

fn main() -> Result<ExitCode, Error> {
    let mut report = Report::default();
    let ticks: u64 = std::env::args().nth(1).map_or(TICKS, |ticks| ticks.parse().expect("a number of ticks"));
    let header = || Sim::replay_header().with_seed(SEED);
    let [mut steps, mut writing, mut keeping] = [(); 3].map(|()| Times::default());
    let mut result = None;
    for pass in 1..=PASSES {
        eprintln!("pass {pass} of {PASSES}");
        let mut sim = Sim::before_any_run();
        let mut small = RecordingWriter::new(Vec::new(), header().with_snapshot_every(0), &sim)?;
        let mut writer = RecordingWriter::new(Vec::new(), header(), &sim)?;
        let mut ring = Rewind::new(RING, 0);
        let mut ring_bytes = 0;
        while small.next_tick() < ticks {
            let n = small.next_tick() as usize;
            let turn = match n {
                0 => Turn::launching(RunDef::seeded(SEED)),
                _ => Turn::from(Autopilot.input(sim.state())),
            };
            let start = Instant::now();
            writer.tick(&turn, &sim);
            let written = Instant::now();
            ring.tick(&turn, &sim);
            let kept = Instant::now();
            sim.step(&turn);
            steps.add(n, kept.elapsed());
            writing.add(n, written - start);
            keeping.add(n, kept - written);
            small.tick(&turn, &sim);
            ring_bytes = ring_bytes.max(ring.bytes());
        }
        result = Some((sim, small, writer, ring, ring_bytes));
    }
    let (mut sim, small, writer, mut ring, ring_bytes) = result.expect("there is a pass");
    let share = |times: &Times| times.sum() * 100.0 / steps.sum();
    println!(
        "a tick                    {:.1} us, the mean of {ticks} with the autopilot",
        steps.sum() / 1e3 / ticks as f64
    );
    report.limited("recording", share(&writing), "% of a tick", RECORDING_MAX);
    report.limited("the ring of 60 s", share(&keeping), "% of a tick", KEEPING_MAX);
    println!("the ring's memory         {} KB at most", ring_bytes / 1_000);
    let bytes_a_tick = small.bytes() as f64 / ticks as f64;
    report.limited("file without snapshots", bytes_a_tick, "bytes a tick", BYTES_A_TICK_MAX);
    println!("file with snapshots       {} KB", writer.bytes() / 1_000);

    let long = Recording::read(&record_autopilot(SEED, VERIFIED).0[..])?;
    let seconds = shortest(|| {
        let verdict = verify(&long, &mut Sim::before_any_run(), |_| ())?;
        assert!(matches!(verdict, Verdict::Same { ticks: VERIFIED, .. }), "{verdict:?}");
        Ok(())
    })?;
    report.limited("verifying 100,000 ticks", seconds, "s", VERIFYING_S_MAX);

    report.limited("back to a tick, at most", rewind(&mut ring, &mut sim)? * 1e3, "ms", BACK_MS_MAX);
    seek(Recording::read(&writer.finish(&sim)?[..])?)?;
    let golden = include_str!("../tests/golden/hashes.txt");
    assert_eq!(autopilot_hashes(7, &[1, 60, 600, 3_000, 36_000]), golden, "the goldens in this build");
    println!("golden hashes             the same in this build");

    let seconds = shortest(|| Ok(StateHash::of(&sim)))?;
    println!("a hash                    {:.1} us", seconds * 1e6);
    let mut state = Vec::new();
    let seconds = shortest(|| {
        state.clear();
        sim.save(&mut state);
        Ok(())
    })?;
    println!("a snapshot                {:.1} us, {} bytes", seconds * 1e6, state.len());
    let seconds = shortest(|| sim.load(&state).map_err(|_| unreachable!("it was just saved")))?;
    println!("loading it                {:.1} us", seconds * 1e6);
    for name in &report.exceeded {
        eprintln!("above its limit: {name}");
    }
    Ok(if report.exceeded.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Goes back to ticks over more than a snapshot interval. Returns the longest time, in seconds.
fn rewind(ring: &mut Rewind, sim: &mut Sim) -> Result<f64, Error> {
    // Each distance is timed three times, with play up to the last tick in between.
    let last = ring.next_tick();
    let mut longest = 0.0_f64;
    for back in 1..=30 {
        let mut best = f64::INFINITY;
        for _ in 0..PASSES {
            while ring.next_tick() < last {
                let turn = Turn::from(Autopilot.input(sim.state()));
                ring.tick(&turn, sim);
                sim.step(&turn);
            }
            let start = Instant::now();
            ring.back_to(last - back * 7, sim)?;
            best = best.min(start.elapsed().as_secs_f64());
        }
        longest = longest.max(best);
    }
    Ok(longest)
}

fn seek(recording: Recording) -> Result<(), Error> {
    let mut player_sim = Sim::before_any_run();
    let last = recording.last_tick();
    let mut player = Player::new(recording, &mut player_sim)?;
    let seconds = shortest(|| {
        player.seek(0, &mut player_sim)?;
        player.seek(last * 2 / 3 + 959, &mut player_sim)
    })?;
    println!("seeking in the file       {:.1} ms", seconds * 1e3);
    Ok(())
}
