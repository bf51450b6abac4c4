//! Measures the difficulty: plays many seeds with three simulated players and prints the results.
//!
//! Run: `cargo run --release -p starship-sim --example playtest [SEEDS [DIFFICULTY]]`
//!
//! The expert is the autopilot. The regular acts on what it saw a quarter of a second ago and rarely boosts. The
//! newcomer sees half a second late, decides only twice per second and never boosts. All of them choose upgrades as the
//! autopilot does.

use starship_sim::{Autopilot, Difficulty, Input, Phase, RunDef, Sim};

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

/// The longest run: a quarter of an hour of ticks.
const TICKS_MAX: u64 = 15 * 60 * 60;

/// How a run went.
struct Played {
    /// Seconds in the first sector.
    seconds: f64,
    has_won: bool,
    /// Level at the end of the first sector.
    level: u32,
    sector: u32,
    score: u64,
}

fn main() {
    let seeds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(40);
    println!("                        in the first sector                        until death, medians");
    println!("difficulty  player     lived 60 s  reached portal  seconds  level  sector   score  furthest");
    let only = std::env::args().nth(2);
    let is_asked = |it: &Difficulty| only.as_ref().is_none_or(|name| name == it.name());
    for difficulty in Difficulty::ALL.into_iter().filter(is_asked) {
        for player in &PLAYERS {
            let runs: Vec<_> = (0..seeds).map(|seed| play(player, seed, difficulty)).collect();
            let share = |is_so: fn(&Played) -> bool| {
                100.0 * runs.iter().filter(|run| is_so(run)).count() as f64 / runs.len() as f64
            };
            println!(
                "{:10}  {:9}  {:8.0} %  {:12.0} %  {:7.1}  {:5}  {:6}  {:6}  {:8}",
                difficulty.name(),
                player.name,
                share(|run| run.seconds >= 60.0),
                share(|run| run.has_won),
                median(runs.iter().map(|run| run.seconds)),
                median(runs.iter().map(|run| f64::from(run.level))),
                median(runs.iter().map(|run| f64::from(run.sector))),
                median(runs.iter().map(|run| run.score as f64)),
                runs.iter().map(|run| run.sector).max().unwrap_or(0),
            );
        }
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Plays from sector to sector until the ship is lost.
fn play(player: &Player, seed: u64, difficulty: Difficulty) -> Played {
    let run = RunDef { difficulty, ..RunDef::seeded(seed) };
    let mut sim = Sim::new(run);
    sim.launch(run);
    let mut views = vec![Input::default(); player.sees_late + 1];
    let mut held = Input::default();
    let mut first = None;
    for tick in 0..TICKS_MAX {
        let place = tick as usize % views.len();
        let late = views[place];
        views[place] = Autopilot.input(sim.state());
        if tick % player.decides_every == 0 {
            held = if player.sees_late == 0 { views[place] } else { late };
            held.keys.boost &= player.boosts;
        }
        // Nobody holds the button down.
        held.keys.confirm = tick.is_multiple_of(2);
        sim.tick(held, &mut ());
        let state = sim.state();
        if first.is_none() && state.phase.is_over() {
            first = Some((state.time(), state.phase == Phase::Won, state.progress.level));
        }
        if state.phase == Phase::Dead {
            break;
        }
    }
    let state = sim.state();
    let (seconds, has_won, level) = first.unwrap_or((state.time(), false, state.progress.level));
    Played { seconds, has_won, level, sector: state.run.sector, score: state.progress.score }
}
