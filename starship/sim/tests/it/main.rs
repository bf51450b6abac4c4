//! The game and the loop around it.

mod player;

#[expect(unsafe_code, reason = "a counting allocator needs unsafe code")]
mod allocation;
mod laws;
mod origins;
mod restarts;

use std::time::Duration;

use evenstep::Pacing;
use evenstep_host::{Driver, headless};
use player::Player;
use starship_sim::{Autopilot, FrameTimes, Input, Play, RunDef, State};

fn autopilot(state: &State) -> Input {
    Autopilot.input(state)
}

/// Lets the autopilot play for exactly this many ticks.
fn played(times: FrameTimes, run: RunDef, ticks: u64) -> Driver<Player> {
    played_by(times, Player::new(Play::launching(run), autopilot, ticks))
}

/// Runs a game until it has run its ticks.
fn played_by(times: FrameTimes, player: Player) -> Driver<Player> {
    let driver = headless::run(times.take(1_000_000), player);
    assert!(driver.is_over(), "{} ticks in a million frames", driver.app().ticks);
    driver
}

/// Creates a game that has been playing since time 0, without any input.
fn playing_with(pacing: Pacing, run: RunDef) -> Driver<Player> {
    let player = Player::new(Play::in_menu(), |_| Input::default(), u64::MAX);
    let mut game = Driver::new(Player { pacing, ..player });
    change(&mut game, |play| play.start_new_game(run, Duration::ZERO));
    game
}

/// Changes a game between two frames, and tells its pacer.
fn change(game: &mut Driver<Player>, change: impl FnOnce(&mut Play)) {
    let play = &mut game.app_mut().play;
    change(play);
    let commands: Vec<_> = play.commands().collect();
    for command in commands {
        game.pacer_mut().tell(command);
    }
}

/// Returns the game's state.
fn state(game: &Driver<Player>) -> &State {
    game.app().play.state()
}
