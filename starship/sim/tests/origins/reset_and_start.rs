//! Resets, new games and what they leave behind.

use std::time::Duration;

use evenstep::TickTimer;
use starship_sim::{Autopilot, Display, EnemyKind, Game, Input, Pad, Phase, RunDef, Signal, TestRunner};

use crate::{RUN, frame, ms, original_game, playing, tick};

#[test]
fn resetting_the_frame_timing_measures_the_first_synthetic_frame_against_frame_0() {
    let mut game = original_game();
    frame(&mut game, 150_010);
    frame(&mut game, 150_020);
    game.reset_frame_timing(Duration::ZERO);
    let frame = frame(&mut game, 17);
    assert_eq!((frame.raw_dt(), frame.steps()), (ms(17), 1));
}

#[test]
fn the_test_runner_resets_between_displays() {
    let mut runner = TestRunner::new(Game::new(), Display::hz(60.0));
    runner.launch(RUN);
    runner.run_ticks(100, |state| Autopilot.input(state));
    runner.change_display(Display::hz(144.0));
    let steps: u32 = (0..144).map(|_| runner.run_frame(|state| Autopilot.input(state)).steps()).sum();
    assert!((60..=61).contains(&steps), "{steps} steps in a second");
}

#[test]
fn a_new_game_resets_everything_and_plays() {
    let mut game = Game::new();
    game.launch(Duration::ZERO, RunDef::seeded(3));
    for n in 1..1_500 {
        game.frame(Duration::from_secs(n) / 60, |state, _, _| Autopilot.input(state), &mut ());
    }
    let worn = game.state();
    assert!(!worn.enemies.is_empty() && worn.progress.kills > 0 && worn.clock.tick() > 1_000);
    game.pacer_mut().hit_freeze(ms(500));
    game.start_new_game(Duration::from_secs(30), RUN);
    let state = game.state();
    let fresh = playing(|_| {});
    assert_eq!(state.phase, Phase::Playing);
    let differs: Vec<_> = state
        .subsystem_hashes()
        .into_iter()
        .zip(fresh.state().subsystem_hashes())
        .filter(|(a, b)| a.1 != b.1)
        .map(|(a, _)| a.0)
        .collect();
    assert_eq!(differs, ["run"], "the count of runs is all that stays");
    assert_eq!((state.clock.tick(), state.enemies.len(), state.modifiers.active().len()), (0, 0, 0));
    let pacer = game.pacer();
    assert_eq!((pacer.tick(), pacer.freeze_left(), pacer.scale()), (0, Duration::ZERO, 1.0));
    assert_eq!((pacer.stats().fps(), pacer.ui_time()), (60.0, Duration::ZERO));
    let signals: Vec<_> = game.signals().iter().copied().collect();
    assert_eq!(signals, [Signal::RunStarted { sector: 1 }]);
    assert!(!game.is_inverted());
}

#[test]
fn every_new_game_has_a_fresh_run_id() {
    let mut game = Game::new();
    game.set_session(0xABCD);
    let mut ids = Vec::new();
    for _ in 0..3 {
        game.start_new_game(Duration::ZERO, RUN);
        ids.push(game.run_id());
    }
    assert_eq!(ids[0].to_string(), "000000000000abcd-1");
    assert!(ids[0] != ids[1] && ids[1] != ids[2]);
}

#[test]
fn a_run_that_the_player_restarts_gets_the_same_reset_and_a_fresh_id() {
    let mut game = original_game();
    let mut state = game.state().clone();
    state.phase = Phase::Dead;
    game.resume_from(Duration::ZERO, state);
    let id = game.run_id();
    for n in 1..200 {
        game.frame(Duration::from_secs(n) / 60, |state, _, _| Autopilot.input(state), &mut ());
    }
    assert_ne!(game.run_id(), id);
    assert_eq!(game.state().runs, 2);
    assert!(game.state().phase.has_physics());
}

#[test]
fn signals_of_several_ticks_in_a_frame_are_all_there() {
    let fired = |gap: u64| {
        let mut game = Game::new();
        game.start_new_game(Duration::ZERO, RUN);
        let (mut at, mut fired) = (0, 0);
        while game.state().clock.tick() < 600 {
            at += gap;
            game.frame(ms(at), |state, _, _| Autopilot.input(state), &mut ());
            fired += game.signals().iter().filter(|signal| matches!(signal, Signal::Fired { .. })).count();
            game.clear_signals();
        }
        fired
    };
    assert_eq!(fired(50), fired(10));
    assert!(fired(50) > 10);
}

#[test]
fn a_dead_ship_needs_a_fresh_press_to_start_again() {
    let mut sim = playing(|state| state.phase = Phase::Dead);
    let holding = Input { keys: Pad { confirm: true, ..Pad::default() }, ..Input::default() };
    for _ in 0..200 {
        sim.tick(holding, &mut ());
    }
    assert_eq!(sim.state().phase, Phase::Dead, "held since before it was possible");
    sim.tick(Input::default(), &mut ());
    sim.tick(holding, &mut ());
    assert_eq!(sim.state().phase, Phase::Birth);
}

#[test]
fn the_boss_arrives_in_every_run_that_lives_long_enough() {
    let mut sim = playing(|state| state.mission.timer = TickTimer::start(40 * 60 + 1));
    tick(&mut sim, 2);
    assert!(sim.state().enemies.values().any(|enemy| enemy.kind == EnemyKind::Mech));
    assert!(sim.state().boss.is_some());
}
