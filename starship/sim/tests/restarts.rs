//! Runs that start inside a frame, when the player confirms after the end of the last one.

use std::time::Duration;

use evenstep::{Gate, Pacer, Pacing};
use starship_sim::tuning::TICK_HZ;
use starship_sim::{Game, Input, Pad, Phase, Play, RunDef, Signal};

const RUN: RunDef = RunDef::seeded(11);

/// Creates a game whose ship is destroyed and whose player may start the next run.
fn lost(pacing: Pacing) -> Game {
    let mut game = Game::with_pacing(pacing);
    game.start_new_game(Duration::ZERO, RUN);
    let mut state = game.state().clone();
    (state.phase, state.phase_ticks) = (Phase::Dead, 10_000);
    game.resume_from(Duration::ZERO, state);
    game
}

fn confirm(confirm: bool) -> Input {
    Input { keys: Pad { confirm, ..Pad::default() }, ..Input::default() }
}

#[test]
fn a_run_that_starts_inside_a_frame_is_told_once_and_the_pacer_counts_its_ticks() {
    for pacing in [Pacing::hz(TICK_HZ), Pacing::game_loop(), Pacing::starship()] {
        for (gap_ms, confirmed) in [(10, 0), (33, 0), (33, 1), (50, 0), (50, 1), (50, 2), (80, 0), (80, 3)] {
            let mut game = lost(pacing);
            let mut starts = 0;
            for n in 1..40 {
                let mut tick = 0;
                game.frame(
                    Duration::from_millis(gap_ms * n),
                    |_, _, _| {
                        tick += 1;
                        confirm(n == 3 && tick > confirmed)
                    },
                    &mut (),
                );
                starts += game.signals().iter().filter(|it| matches!(it, Signal::RunStarted { .. })).count();
                game.clear_signals();
                assert_eq!(game.pacer().tick(), game.state().clock.tick(), "{gap_ms} ms, frame {n}");
            }
            assert_eq!(
                game.state().runs,
                1 + starts as u32,
                "{gap_ms} ms, tick {confirmed}: each start is signalled once"
            );
        }
    }
}

#[test]
fn a_state_goes_on_at_its_own_tick() {
    let mut game = Game::new();
    game.start_new_game(Duration::ZERO, RUN);
    for n in 1..=60 {
        game.frame(Duration::from_millis(20 * n), |_, _, _| Input::default(), &mut ());
    }
    let state = game.state().clone();
    let tick = state.clock.tick();
    let mut other = Game::new();
    other.resume_from(Duration::from_secs(9), state);
    let frame = other.frame(Duration::from_millis(9_020), |_, _, _| Input::default(), &mut ());
    assert_eq!(frame.first_tick(), tick);
    assert_eq!(other.pacer().tick(), other.state().clock.tick());
}

#[test]
fn a_pause_survives_a_run_that_starts_inside_a_frame_and_ends_with_one_that_the_host_starts() {
    let mut pacer = Pacer::new(Pacing::hz(60));
    let mut play = Play::launching(RunDef::seeded(3));
    play.pause();
    play.apply(&mut pacer);
    let frame = pacer.frame(Duration::ZERO);
    play.end_frame(&frame, &mut pacer);
    assert!(play.is_paused() && pacer.gate() == Gate::Paused);
    play.launch(RunDef::seeded(3), &mut pacer, None);
    assert!(!play.is_paused() && pacer.gate() == Gate::Open);
}

#[test]
fn the_pacer_counts_the_ticks_of_a_run_that_starts_between_the_ticks_of_a_frame() {
    let mut game = Game::new();
    game.launch(Duration::ZERO, RunDef::seeded(3));
    let frame = game.plan(Duration::from_millis(50));
    assert_eq!(frame.steps(), 3);
    game.tick(Input::default(), &mut ());
    game.launch(Duration::from_millis(50), RunDef::seeded(4));
    game.tick(Input::default(), &mut ());
    game.tick(Input::default(), &mut ());
    game.finish();
    assert_eq!((game.pacer().tick(), game.state().clock.tick()), (2, 2));
}
