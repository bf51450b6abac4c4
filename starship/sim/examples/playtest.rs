//! Measures the difficulty: plays many seeds with three simulated players and prints the results.
//!
//! Run: `cargo run --release -p starship-sim --example playtest [SEEDS]`
//!
//! The expert is the autopilot. The regular acts on what it saw a quarter of a second ago and rarely boosts. The
//! newcomer sees half a second late, decides only twice per second and never boosts.

use starship_sim::{Autopilot, Input, Phase, RunDef, Sim};

/// A player with delayed perception and rare decisions, both in ticks.
struct Player {
    name: &'static str,
    sees_late: usize,
    decides_every: u64,
    boosts: bool,
}

const PLAYERS: [Player; 3] = [
    Player { name: "expert", sees_late: 0, decides_every: 1, boosts: true },
    Player { name: "regular", sees_late: 15, decides_every: 12, boosts: true },
    Player { name: "newcomer", sees_late: 30, decides_every: 30, boosts: false },
];

fn main() {
    let seeds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(40);
    println!("player     lived 60 s   reached portal   median s   deaths at (s)");
    for player in &PLAYERS {
        let mut runs: Vec<_> = (0..seeds).map(|seed| play(player, seed)).collect();
        let portal = runs.iter().filter(|(phase, _)| *phase == Phase::Won).count();
        let minute = runs.iter().filter(|(_, seconds)| *seconds >= 60.0).count();
        runs.sort_by(|a, b| a.1.total_cmp(&b.1));
        let deaths: Vec<_> = runs.iter().filter(|it| it.0 == Phase::Dead).map(|it| it.1 as u32).collect();
        println!(
            "{:9}  {:9.0} %  {:13.0} %  {:9.1}   {deaths:?}",
            player.name,
            100.0 * minute as f64 / f64::from(seeds as u32),
            100.0 * portal as f64 / f64::from(seeds as u32),
            runs[runs.len() / 2].1,
        );
    }
}

/// Plays one mission of at most five minutes and returns its end and its length in seconds.
fn play(player: &Player, seed: u64) -> (Phase, f64) {
    let mut sim = Sim::new(RunDef::seeded(seed));
    sim.launch(RunDef::seeded(seed));
    let mut views = vec![Input::default(); player.sees_late + 1];
    let mut held = Input::default();
    for tick in 0..18_000 {
        let place = tick as usize % views.len();
        let late = views[place];
        views[place] = Autopilot.input(sim.state());
        if tick % player.decides_every == 0 {
            held = if player.sees_late == 0 { views[place] } else { late };
            held.keys.boost &= player.boosts;
        }
        sim.tick(held, &mut ());
        if sim.state().phase.is_over() {
            break;
        }
    }
    (sim.state().phase, sim.state().time())
}
