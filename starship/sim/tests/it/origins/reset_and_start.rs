//! Resets, new games and what they leave behind.

use std::time::Duration;

use evenstep::{Pacing, TickTimer};
use evenstep_host::Driver;
use starship_sim::tuning::TICK_HZ;
use starship_sim::{EnemyKind, FrameTimes, Input, Pad, Phase, Play, RunDef, Signal};

use super::{RUN, frame, ms, original_game, playing, tick};
use crate::player::Player;
use crate::{autopilot, change, played, playing_with, state};

#[test]
fn resetting_the_frame_timing_measures_the_first_synthetic_frame_against_frame_0() {
    let mut game = original_game();
    frame(&mut game, 150_010);
    frame(&mut game, 150_020);
    change(&mut game, |play| play.reset_frame_timing(Duration::ZERO));
    let frame = frame(&mut game, 17);
    assert_eq!((frame.raw_dt(), frame.steps()), (ms(17), 1));
}

#[test]
fn the_test_runner_resets_between_displays() {
    let mut game = played(FrameTimes::hz(60.0), RUN, 100);
    change(&mut game, |play| play.reset_frame_timing(Duration::ZERO));
    let steps: u32 = FrameTimes::hz(144.0).take(144).map(|now| game.frame(now).steps()).sum();
    assert!((60..=61).contains(&steps), "{steps} steps in a second");
}

#[test]
fn a_new_game_resets_everything_and_plays() {
    let player = Player::new(Play::launching(RunDef::seeded(3)), autopilot, u64::MAX);
    let mut game = Driver::new(player);
    for now in FrameTimes::hz(60.0).take(1_500) {
        game.frame(now);
    }
    let worn = state(&game);
    assert!(!worn.enemies.is_empty() && worn.progress.kills > 0 && worn.clock.tick() > 1_000);
    game.pacer_mut().hit_freeze(ms(500));
    change(&mut game, |play| play.start_new_game(RUN, Duration::from_secs(30)));
    let state = state(&game);
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
    let signals: Vec<_> = game.app().play.signals().iter().copied().collect();
    assert_eq!(signals, [Signal::RunStarted { sector: 1 }]);
    assert!(!game.app().play.is_inverted());
}

#[test]
fn every_new_game_has_a_fresh_run_id() {
    let mut play = Play::in_menu();
    play.set_session(0xABCD);
    let mut ids = Vec::new();
    for _ in 0..3 {
        play.start_new_game(RUN, Duration::ZERO);
        ids.push(play.run_id());
    }
    assert_eq!(ids[0].to_string(), "000000000000abcd-1");
    assert!(ids[0] != ids[1] && ids[1] != ids[2]);
}

#[test]
fn a_run_that_the_player_restarts_gets_the_same_reset_and_a_fresh_id() {
    let mut game = original_game();
    let mut dead = state(&game).clone();
    dead.phase = Phase::Dead;
    change(&mut game, |play| play.resume_from(dead, Duration::ZERO));
    let id = game.app().play.run_id();
    game.app_mut().pilot = Box::new(autopilot);
    for now in FrameTimes::hz(60.0).take(200) {
        game.frame(now);
    }
    assert_ne!(game.app().play.run_id(), id);
    assert_eq!(state(&game).runs, 2);
    assert!(state(&game).phase.has_physics());
}

#[test]
fn signals_of_several_ticks_in_a_frame_are_all_there() {
    let fired = |gap: u64| {
        let mut game = playing_with(Pacing::hz(TICK_HZ), RUN);
        game.app_mut().pilot = Box::new(autopilot);
        let mut at = 0;
        let mut fired = 0;
        while state(&game).clock.tick() < 600 {
            at += gap;
            frame(&mut game, at);
            fired += game
                .app()
                .play
                .signals()
                .iter()
                .filter(|signal| matches!(signal, Signal::Fired { .. }))
                .count();
            change(&mut game, Play::clear_signals);
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
