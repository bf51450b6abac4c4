//! A soak test: the autopilot plays mission after mission on a jittery display; nothing may panic, and memory must not
//! grow.
//!
//! Run: `cargo run --release -p starship-sim --example soak [HOURS]` (default: 24 virtual hours, 5.2 million ticks)

use std::time::{Duration, Instant};

use starship_sim::{Autopilot, Display, Game, Phase, RunDef, TestRunner};

fn main() {
    let hours: u64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(24);
    let display =
        Display::hz(60.0).with_jitter(Duration::from_millis(6)).with_stalls(Duration::from_secs(20));
    let mut runner = TestRunner::new(Game::new(), display);
    runner.launch(RunDef::seeded(2_026));
    let start = now();
    let (mut won, mut lost, mut sector_most) = (0_u32, 0_u32, 0);
    let mut first_kib = None;
    println!("hour      ticks   runs  won  lost  furthest sector   memory      wall");
    for half_hour in 1..=2 * hours {
        for _ in 0..108_000 {
            let phase = runner.game.state().phase;
            runner.run_ticks(1, |state| Autopilot.input(state));
            let state = runner.game.state();
            if state.phase != phase {
                won += u32::from(state.phase == Phase::Won);
                lost += u32::from(state.phase == Phase::Dead);
            }
            sector_most = sector_most.max(state.run.sector);
        }
        runner.game.clear_signals();
        let state = runner.game.state();
        let bodies = state.physics.world.bodies.len() as u32;
        assert_eq!(bodies, state.enemies.len() + state.crates.len() + 5, "a body was left behind");
        assert!(runner.game.pacer().ledger().is_balanced(), "a nanosecond was lost");
        let kib = resident_kib();
        // The first half hour fills pools and caches; after that, memory must be flat.
        let first = *first_kib.get_or_insert(kib);
        assert!(kib <= first + first / 4 + 4_096, "memory grew from {first} KiB to {kib} KiB");
        if half_hour % 2 == 0 {
            println!(
                "{:4} {:10} {:6} {won:4} {lost:5} {sector_most:16} {kib:8} KiB {:6.0} s",
                half_hour / 2,
                runner.ticks(),
                state.runs,
                start.elapsed().as_secs_f64(),
            );
        }
    }
    println!("tick {} hash {:016x}", runner.ticks(), runner.game.state().hash());
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
