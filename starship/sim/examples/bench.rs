//! Measures a crowded tick against a bare Rapier step of the same bodies, every part of the tick, and how much faster
//! than real time a headless game runs.
//!
//! Run: `cargo run --release -p starship-sim --example bench`

use std::time::{Duration, Instant};

use evenstep_host::headless;
use evenstep_rapier::rapier::prelude::{ColliderBuilder, RigidBodyBuilder};
use evenstep_rapier::{Physics, rapier::prelude::RigidBodyHandle};
use player::Player;
use starship_sim::tuning::SIM_DT;
use starship_sim::{Autopilot, FrameTimes, Input, Pass, Play, Probe, RunDef, Sim, Vec2};

#[path = "../tests/it/player.rs"]
mod player;

const ENEMIES: u32 = 300;
const SHOTS: u32 = 500;
const WARM_UP: u32 = 300;
const TICKS: u32 = 3_000;

fn main() {
    println!("A crowd of {ENEMIES} live enemies and {SHOTS} projectiles, {TICKS} ticks, medians:");
    let crowd = crowd();
    let row = |name: &str, time: Duration| println!("  {name:<58} {:8.1} us", time.as_secs_f64() * 1e6);
    row("the tick", crowd.tick);
    row("a bare Rapier step of the game's bodies", crowd.bare);
    row("a bare Rapier step with the projectiles as bodies too", crowd.bare_with_shots);
    let ratio = |bare: Duration| crowd.tick.as_secs_f64() / bare.as_secs_f64();
    let strict = ratio(crowd.bare);
    let literal = ratio(crowd.bare_with_shots);
    println!("  the tick is {strict:.2} times the first and {literal:.2} times the second; the bar is 1.5");
    println!("Parts of that tick, averages over the same ticks, timing included:");
    for (pass, time) in crowd.passes {
        println!("  {:<12} {:8.2} us", pass.name(), time.as_secs_f64() * 1e6);
    }
    let (speed, wall_speed, ticks) = headless();
    println!("Headless game with autopilot, {ticks} ticks at 60 Hz through the whole loop:");
    println!(
        "  {speed:.0} steps per second of one core, {:.0} times real time; the bar is 100",
        speed / 60.0
    );
    println!("  {wall_speed:.0} steps per second of wall time, {:.0} times real time", wall_speed / 60.0);
    let met = strict <= 1.5 && literal <= 1.5 && speed >= 6_000.0;
    println!("{}", if met { "All bars met." } else { "A bar is missed." });
}

struct Crowd {
    tick: Duration,
    bare: Duration,
    bare_with_shots: Duration,
    passes: Vec<(Pass, Duration)>,
}

/// Steps three worlds side by side, so that other load on the machine affects them equally.
fn crowd() -> Crowd {
    let mut sim = Sim::crowded(ENEMIES, SHOTS);
    let mut bare = sim.state().physics.clone();
    let mut with_shots = sim.state().physics.clone();
    let mut shots: Vec<_> = (0..SHOTS).map(|_| insert_shot(&mut with_shots)).collect();
    let mut ticks = Vec::new();
    let mut bares = Vec::new();
    let mut bares_with_shots = Vec::new();
    let mut clock = PassClock::new();
    let mut same = 0;
    for n in 0..WARM_UP + TICKS {
        let input = Input::default();
        follow(&mut bare, &sim, &[]);
        follow(&mut with_shots, &sim, &shots);
        // Every other tick is timed as a whole, the rest by part, because the probe itself takes time.
        let by_parts = n % 2 == 1;
        let whole =
            if by_parts { time(|| sim.tick(input, &mut clock)) } else { time(|| sim.tick(input, &mut ())) };
        let bare_step = time(|| bare.world.step());
        let bare_step_with_shots = time(|| with_shots.world.step());
        let is_same = bare.hash() == sim.state().physics.hash();
        sim.crowd(ENEMIES, SHOTS);
        if n < WARM_UP {
            clock = PassClock::new();
        } else {
            if !by_parts {
                ticks.push(whole);
            }
            bares.push(bare_step);
            bares_with_shots.push(bare_step_with_shots);
            same += u32::from(is_same);
        }
        if !is_same {
            // A crate broke or appeared: copy the game's world again.
            bare = sim.state().physics.clone();
            with_shots = sim.state().physics.clone();
            shots = (0..SHOTS).map(|_| insert_shot(&mut with_shots)).collect();
        }
    }
    assert_eq!(sim.state().enemies.len(), ENEMIES, "the crowd must keep its size");
    println!("  (the bare world was equal to the game's, to the bit, after {same} of {TICKS} steps)");
    Crowd {
        tick: median(ticks),
        bare: median(bares),
        bare_with_shots: median(bares_with_shots),
        passes: clock.averages(),
    }
}

/// Writes the velocities of the game's next tick, and the shots, to a bare world.
fn follow(physics: &mut Physics, sim: &Sim, shots: &[RigidBodyHandle]) {
    let state = sim.state();
    let bodies = &mut physics.world.bodies;
    for (handle, velocity) in state.velocities(SIM_DT) {
        if let Some(body) = bodies.get_mut(handle) {
            body.set_linvel(velocity, true);
        }
    }
    for (&handle, shot) in shots.iter().zip(state.shots.values()) {
        let body = &mut bodies[handle];
        body.set_translation(shot.pos(), true);
        body.set_linvel(shot.vel, true);
    }
}

/// Inserts a projectile as a physics body: a small sensor.
fn insert_shot(physics: &mut Physics) -> RigidBodyHandle {
    let body = RigidBodyBuilder::dynamic().translation(Vec2::ZERO).lock_rotations().can_sleep(false);
    physics.world.insert(body, ColliderBuilder::ball(0.22).sensor(true)).0
}

/// Returns steps per second of processor time, steps per second of wall time, and the number of ticks.
fn headless() -> (f64, f64, u64) {
    let ticks = 36_000;
    let player = Player::new(Play::launching(RunDef::seeded(1)), |state| Autopilot.input(state), ticks);
    let before = processor_time();
    let wall = time(|| headless::run(FrameTimes::hz(60.0), player));
    let own = before.zip(processor_time()).map_or(wall, |(before, after)| after.saturating_sub(before));
    (ticks as f64 / own.as_secs_f64(), ticks as f64 / wall.as_secs_f64(), ticks)
}

/// Returns the processor time of this thread, if the system reports it. Unlike wall time it ignores other load.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// A probe that times every pass.
struct PassClock {
    begun: [Option<Instant>; Pass::ALL.len()],
    spent: [Duration; Pass::ALL.len()],
    ticks: u32,
}

impl PassClock {
    fn new() -> Self {
        Self { begun: [None; Pass::ALL.len()], spent: [Duration::ZERO; Pass::ALL.len()], ticks: 0 }
    }

    fn averages(&self) -> Vec<(Pass, Duration)> {
        let spent = Pass::ALL.into_iter().map(|pass| (pass, self.spent[pass as usize] / self.ticks.max(1)));
        spent.filter(|(_, time)| !time.is_zero()).collect()
    }
}

impl Probe for PassClock {
    fn begin(&mut self, pass: Pass) {
        self.begun[pass as usize] = Some(now());
    }

    fn end(&mut self, pass: Pass) {
        if let Some(begun) = self.begun[pass as usize].take() {
            self.spent[pass as usize] += begun.elapsed();
        }
        self.ticks += u32::from(pass == Pass::Tick);
    }
}

fn time<R>(work: impl FnOnce() -> R) -> Duration {
    let start = now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
fn now() -> Instant {
    Instant::now()
}
