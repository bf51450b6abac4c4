//! A soak test: the autopilot plays mission after mission on a jittery display; nothing may panic, and memory must not
//! grow.
//!
//! Run: `cargo run --release -p starship-sim --example soak [HOURS]` (default: 24 virtual hours, 5.2 million ticks)

use std::time::{Duration, Instant};

use evenstep_host::Driver;
use player::Player;
use starship_sim::{Autopilot, FrameTimes, Phase, Play, RunDef};

#[path = "../tests/it/player.rs"]
mod player;

/// Half an hour, in ticks.
const HALF_HOUR: u64 = 108_000;

fn main() {
    let hours: u64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(24);
    let mut times =
        FrameTimes::hz(60.0).with_jitter(Duration::from_millis(6)).with_stalls(Duration::from_secs(20));
    let play = Play::launching(RunDef::seeded(2_026));
    let mut game = Driver::new(Player::new(play, |state| Autopilot.input(state), HALF_HOUR * 2 * hours));
    let start = now();
    let mut won = 0_u32;
    let mut lost = 0_u32;
    let mut sector_most = 0;
    let mut first_kib = None;
    println!("hour      ticks   runs  won  lost  furthest sector   memory      wall");
    for half_hour in 1..=2 * hours {
        while game.app().ticks < HALF_HOUR * half_hour {
            let phase = game.app().play.state().phase;
            game.frame(times.next().expect("timestamps never end"));
            let state = game.app().play.state();
            if state.phase != phase {
                won += u32::from(state.phase == Phase::Won);
                lost += u32::from(state.phase == Phase::Dead);
            }
            sector_most = sector_most.max(state.run.sector);
        }
        game.app_mut().play.clear_signals();
        let state = game.app().play.state();
        let bodies = state.physics.world.bodies.len() as u32;
        assert_eq!(bodies, state.enemies.len() + state.crates.len() + 5, "a body was left behind");
        assert!(game.pacer().ledger().is_balanced(), "a nanosecond was lost");
        let kib = resident_kib();
        // The first half hour fills pools and caches; after that, memory must be flat.
        let first = *first_kib.get_or_insert(kib);
        assert!(kib <= first + first / 4 + 4_096, "memory grew from {first} KiB to {kib} KiB");
        if half_hour % 2 == 0 {
            println!(
                "{:4} {:10} {:6} {won:4} {lost:5} {sector_most:16} {kib:8} KiB {:6.0} s",
                half_hour / 2,
                game.app().ticks,
                state.runs,
                start.elapsed().as_secs_f64(),
            );
        }
    }
    println!("tick {} hash {:016x}", game.app().ticks, game.app().play.state().hash());
}

/// Returns the resident memory in KiB, or 0 if the system does not report it.
fn resident_kib() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).map_or(0, |pages| pages * 4)
}

#[expect(clippy::disallowed_methods, reason = "a soak test reports its duration")]
fn now() -> Instant {
    Instant::now()
}
