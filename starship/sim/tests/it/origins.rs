//! The rules of the original Starship loop: the step, the phases, the timer, the freeze and the resets, one test each.
//! `docs/origins.md` lists them.

mod accumulator_and_step_cap;
mod fixed_timestep;
mod frame_state;
mod hit_freeze;
mod mission_timer;
mod pause_and_menu;
mod reset_and_start;
mod sim_rate;

use std::time::Duration;

use evenstep::Pacing;
use evenstep_host::Driver;
use starship_sim::{Input, Pad, Pass, Probe, RunDef, Sim, State};

use crate::player::Player;
use crate::playing_with;

const RUN: RunDef = RunDef::seeded(11);

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Creates a simulation in the playing phase, with a modified state.
fn playing(change: impl FnOnce(&mut State)) -> Sim {
    let mut sim = Sim::new(RUN);
    sim.start_new_game(RUN);
    let mut state = sim.state().clone();
    change(&mut state);
    Sim::from_state(state)
}

fn tick(sim: &mut Sim, ticks: u32) {
    for _ in 0..ticks {
        sim.tick(Input::default(), &mut ());
    }
}

fn pushing_right() -> Input {
    Input { keys: Pad { x: 127, ..Pad::default() }, ..Input::default() }
}

/// Creates a game with the original Starship loop that has been playing since time 0.
fn original_game() -> Driver<Player> {
    playing_with(Pacing::starship(), RUN)
}

fn frame(game: &mut Driver<Player>, at_ms: u64) -> evenstep::Frame {
    game.frame(ms(at_ms))
}

#[derive(Default)]
struct Passes(Vec<Pass>);

impl Probe for Passes {
    fn begin(&mut self, pass: Pass) {
        self.0.push(pass);
    }
    fn end(&mut self, _pass: Pass) {}
}
