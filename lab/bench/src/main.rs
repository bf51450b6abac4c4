//! Measures the cost of a frame: Evenstep, Bevy's clocks, the game-loop crate and a bare float accumulator, in one run.
//! And how smooth their motion is.
//!
//! Run: `cargo xtask bench core`, which also counts instructions; `cargo xtask bench smooth`.

#![expect(clippy::disallowed_methods, reason = "measures")]

mod smooth;

use std::cell::Cell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use bevy_time::{Fixed, Real, Time, Virtual, update_virtual_time};
use evenstep::{DisplayLock, Pacer, Pacing};
use game_loop::{GameLoop, TimeTrait};

/// A loop: takes a timestamp, returns steps and alpha.
type Loop = Box<dyn FnMut(Duration) -> (u32, f64)>;
type Named = (&'static str, fn() -> Loop);

const LOOPS: [Named; 8] = [
    ("(nothing: the harness)", || Box::new(|now| (now.subsec_nanos(), 0.0))),
    ("bare f64 accumulator", bare),
    ("game-loop 1.3", game_loop_crate),
    ("bevy_time 0.20 clocks", bevy),
    ("evenstep game_loop()", || evenstep(Pacing::game_loop())),
    ("evenstep starship()", || evenstep(Pacing::starship())),
    ("evenstep hz(60), display lock on", || evenstep(Pacing::hz(60))),
    ("evenstep hz(60), display lock off", || evenstep(Pacing::hz(60).with_display_lock(DisplayLock::Off))),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => time_all(),
        // Runs one loop for a given number of frames, to count its instructions.
        ["--only", index, "--frames", frames] => {
            let (Ok(index), Ok(frames)) = (index.parse::<usize>(), frames.parse::<usize>()) else {
                panic!("--only and --frames take whole numbers");
            };
            let timestamps = timestamps();
            let mut paced = LOOPS[index].1();
            for n in 0..frames {
                black_box(paced(black_box(timestamps[n % timestamps.len()])));
            }
        }
        ["--list"] => LOOPS.iter().for_each(|(name, _)| println!("{name}")),
        ["--smooth"] => smooth::measure(),
        ["--timestamps"] => smooth::print_timestamps().expect("standard output"),
        ["--judge", name] => smooth::judge(name),
        _ => panic!(
            "usage: evenstep-bench [--list | --only INDEX --frames N | --smooth | --timestamps | --judge NAME]"
        ),
    }
}

/// Monotonic timestamps of a 144 Hz display with up to a millisecond of noise.
fn timestamps() -> Vec<Duration> {
    (0..100_000_u64)
        .map(|n| {
            let noise = (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 44) % 1_000_000;
            Duration::from_nanos(1_000_000_000 + n * 6_944_444 + noise)
        })
        .collect()
}

fn time_all() {
    const ROUNDS: usize = 31;
    let timestamps = timestamps();
    let mut costs = LOOPS.map(|_| Vec::new());
    // In rounds, so that other load on the machine affects all loops alike.
    for _ in 0..ROUNDS {
        for (costs, (_, new)) in costs.iter_mut().zip(LOOPS) {
            let mut paced = new();
            let start = Instant::now();
            for &now in &timestamps {
                black_box(paced(black_box(now)));
            }
            costs.push(start.elapsed().as_nanos() as f64 / timestamps.len() as f64);
        }
    }
    for ((name, _), costs) in LOOPS.iter().zip(&mut costs) {
        costs.sort_by(f64::total_cmp);
        println!("{name}\t{:.2}", costs[ROUNDS / 2]);
    }
}

fn evenstep(pacing: Pacing) -> Loop {
    let mut pacer = Pacer::new(pacing);
    pacer.reset_frame_timing(Duration::from_secs(1));
    Box::new(move |now| {
        let frame = pacer.frame(now);
        (frame.steps(), frame.alpha())
    })
}

fn bare() -> Loop {
    const STEP: f64 = 1.0 / 60.0;
    let mut last = 1.0;
    let mut accumulator = 0.0;
    Box::new(move |now| {
        let now = now.as_secs_f64();
        accumulator += f64::min(now - last, 0.25);
        last = now;
        let mut steps = 0;
        while accumulator >= STEP {
            accumulator -= STEP;
            steps += 1;
        }
        (steps, accumulator / STEP)
    })
}

thread_local! {
    static NOW: Cell<Duration> = const { Cell::new(Duration::from_secs(1)) };
}

#[derive(Clone, Copy)]
struct Given(Duration);

impl TimeTrait for Given {
    fn now() -> Self {
        Self(NOW.get())
    }

    fn sub(&self, other: &Self) -> f64 {
        self.0.saturating_sub(other.0).as_secs_f64()
    }

    fn supports_sleep() -> bool {
        false
    }

    fn sleep(_seconds: f64) {}
}

fn game_loop_crate() -> Loop {
    NOW.set(Duration::from_secs(1));
    let mut paced: GameLoop<u32, Given, ()> = GameLoop::new(0, 60, 0.25, ());
    Box::new(move |now| {
        NOW.set(now);
        paced.game = 0;
        paced.next_frame(|paced| paced.game += 1, |_| {});
        (paced.game, paced.blending_factor())
    })
}

/// Bevy's three clocks (real, virtual, fixed) without its scheduler.
fn bevy() -> Loop {
    let mut generic: Time = Time::default();
    let mut real: Time<Real> = Time::default();
    let mut virt: Time<Virtual> = Time::default();
    let mut fixed: Time<Fixed> = Time::from_hz(60.0);
    let mut last = Duration::from_secs(1);
    // The first update has no duration.
    real.update_with_duration(Duration::ZERO);
    Box::new(move |now| {
        real.update_with_duration(now.saturating_sub(last));
        last = now;
        update_virtual_time(&mut generic, &mut virt, &real);
        fixed.accumulate_overstep(virt.delta());
        let mut steps = 0;
        while fixed.overstep() >= fixed.timestep() {
            let timestep = fixed.timestep();
            fixed.discard_overstep(timestep);
            fixed.advance_by(timestep);
            steps += 1;
        }
        (steps, fixed.overstep_fraction_f64())
    })
}
