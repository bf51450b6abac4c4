//! The hit-freeze and the inverted screen.

use std::time::Duration;

use evenstep::{Channel, Outcome, TickTimer};
use evenstep_host::Driver;
use starship_sim::{Signal, Sim};

use super::{frame, ms, original_game};
use crate::player::Player;
use crate::{change, state};

/// Creates a game in which enemies are about to hit the ship.
fn about_to_be_hit() -> Driver<Player> {
    let mut game = original_game();
    let mut donor = Sim::crowded(300, 0).state().clone();
    donor.run.sandbox = false;
    donor.ship.invulnerable = TickTimer::default();
    change(&mut game, |play| play.resume_from(donor, Duration::ZERO));
    game
}

/// Runs until the ship is hit. Returns the time of that frame.
fn hit() -> (Driver<Player>, u64) {
    let mut game = about_to_be_hit();
    for n in 1..600 {
        frame(&mut game, 17 * n);
        if !game.pacer().freeze_left().is_zero() {
            return (game, 17 * n);
        }
    }
    panic!("nobody hit the ship");
}

#[test]
fn damage_freezes_the_game_and_inverts_the_screen() {
    let (game, _) = hit();
    assert_eq!(game.pacer().freeze_left(), ms(70));
    assert!(game.app().play.is_inverted());
    assert!(game.app().play.signals().iter().any(|signal| matches!(signal, Signal::Hurt { .. })));
}

#[test]
fn the_timer_runs_down_in_wall_time_and_no_step_runs() {
    let (mut game, at) = hit();
    let tick = state(&game).clock.tick();
    for (after, left) in [(20, 50), (40, 30), (60, 10)] {
        let frame = frame(&mut game, at + after);
        assert_eq!((frame.outcome(), frame.steps(), frame.raw_dt()), (Outcome::Frozen, 0, ms(20)));
        assert_eq!(game.pacer().freeze_left(), ms(left));
    }
    assert_eq!(state(&game).clock.tick(), tick);
}

#[test]
fn at_its_end_the_dilation_returns_to_the_test_speed_or_to_one() {
    for test_speed in [1.0, 4.0] {
        let (mut game, at) = hit();
        change(&mut game, |play| play.set_speed(test_speed));
        game.pacer_mut().set_scale(Channel::TIME_DILATION, 0.2);
        for after in [30, 60, 90] {
            frame(&mut game, at + after);
        }
        assert!(game.pacer().freeze_left().is_zero());
        assert_eq!(game.pacer().channel(Channel::TIME_DILATION), test_speed);
    }
}

#[test]
fn a_test_speed_acts_at_once_and_replaces_slow_motion() {
    let mut game = original_game();
    game.pacer_mut().set_scale(Channel::TIME_DILATION, 0.2);
    change(&mut game, |play| play.set_speed(4.0));
    assert_eq!(game.pacer().channel(Channel::TIME_DILATION), 4.0);
}

#[test]
fn the_inverted_flash_ticks_in_wall_time_inside_and_outside_the_freeze() {
    let (mut game, at) = hit();
    let mut left = vec![game.app().play.invert_left()];
    for after in [30, 60, 90, 120] {
        frame(&mut game, at + after);
        left.push(game.app().play.invert_left());
    }
    assert_eq!(left, [110, 80, 50, 20, 0].map(ms));
    assert!(!game.app().play.is_inverted());
}

#[test]
fn ui_and_wall_time_advance_through_the_freeze() {
    let (mut game, at) = hit();
    let ui = game.pacer().ui_time();
    let wall = game.pacer().wall_time();
    frame(&mut game, at + 20);
    assert_eq!((game.pacer().ui_time(), game.pacer().wall_time()), (ui + ms(20), wall + ms(20)));
}
