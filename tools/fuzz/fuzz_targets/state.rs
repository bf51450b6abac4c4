//! Any bytes are a saved game or a named error; one that is restored plays on without a panic of ours.
//!
//! Run: `cargo xtask fuzz state`

#![no_main]

mod damage;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use starship_sim::{Autopilot, RunDef, Sim};

/// A game that fights the boss.
static SAVED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut sim = Sim::new(RunDef::seeded(1));
    sim.launch(RunDef::seeded(1));
    play(&mut sim, 3_300);
    sim.state().save()
});

fn play(sim: &mut Sim, ticks: u32) {
    for _ in 0..ticks {
        let input = Autopilot.input(sim.state());
        sim.tick(input, &mut ());
    }
}

fuzz_target!(|bytes: &[u8]| {
    damage::run(bytes, &SAVED, |bytes| {
        if let Ok(mut sim) = Sim::restore(bytes) {
            play(&mut sim, 60);
            let _ = sim.state().hash();
        }
    });
});
