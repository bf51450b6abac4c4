//! Pause, menu and the phases of a run.

use std::time::Duration;

use evenstep::Outcome;
use starship_sim::tuning::MISSION;
use starship_sim::{ModifierKind, Phase, Play, Sim};

use super::{RUN, frame, original_game, playing, tick};
use crate::{change, state};

#[test]
fn the_menu_simulates_nothing_and_runs_no_timer() {
    let mut game = original_game();
    change(&mut game, Play::open_menu);
    let before = state(&game).hash();
    for n in 1..50 {
        assert_eq!(frame(&mut game, 17 * n).outcome(), Outcome::Menu);
    }
    assert_eq!(state(&game).hash(), before);
    assert_eq!((game.pacer().ui_time(), game.pacer().ledger().pending_ns), (Duration::ZERO, 0));
    let mut sim = Sim::new(RUN);
    tick(&mut sim, 10);
    assert_eq!((sim.state().clock.tick(), sim.state().phase), (0, Phase::Menu));
}

#[test]
fn clock_modifiers_and_camera_tick_in_every_phase_but_the_menu() {
    for phase in [Phase::Birth, Phase::Playing, Phase::Dead, Phase::Won] {
        let mut sim = playing(|state| {
            state.phase = phase;
            state.camera.trauma = 1.0;
            state.modifiers.add(ModifierKind::Magnet, 50);
        });
        tick(&mut sim, 5);
        let state = sim.state();
        assert_eq!((state.clock.tick(), state.modifiers.active()[0].timer.left()), (5, 45), "{phase:?}");
        assert!(state.camera.trauma < 1.0, "{phase:?}");
    }
}

#[test]
fn the_accumulator_persists_across_a_pause_bounded_by_its_ceiling() {
    let mut game = original_game();
    frame(&mut game, 10);
    change(&mut game, Play::pause);
    for n in 1..200 {
        assert_eq!(frame(&mut game, 10 + 30 * n).steps(), 0);
    }
    assert_eq!(game.pacer().ledger().pending_ns, 10_000_000, "the 10 ms from before");
    change(&mut game, Play::unpause);
    assert_eq!(frame(&mut game, 10 + 30 * 199 + 7).steps(), 1);
}

#[test]
fn a_paused_game_can_be_stepped_by_hand() {
    let mut game = original_game();
    change(&mut game, Play::pause);
    frame(&mut game, 20);
    change(&mut game, Play::step_by_hand);
    assert_eq!(frame(&mut game, 40).steps(), 1);
    assert_eq!(frame(&mut game, 60).steps(), 0);
    assert_eq!(state(&game).clock.tick(), 1);
}

#[test]
fn birth_leads_to_playing_without_enemies_or_timer() {
    let mut sim = Sim::new(RUN);
    sim.launch(RUN);
    for _ in 0..75 {
        assert_eq!((sim.state().phase, sim.state().enemies.len()), (Phase::Birth, 0));
        tick(&mut sim, 1);
    }
    assert_eq!((sim.state().phase, sim.state().mission.timer.left()), (Phase::Playing, MISSION));
}
