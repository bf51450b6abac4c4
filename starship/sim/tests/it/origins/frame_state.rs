//! What a frame publishes.

use std::time::Duration;

use evenstep::{Channel, Pacer, Pacing};
use evenstep_host::Driver;
use starship_sim::tuning::TICK_HZ;
use starship_sim::{FrameTimes, Input, Pass, Play};

use super::{Passes, RUN, frame, ms, original_game};
use crate::player::Player;
use crate::{autopilot, change, played, playing_with, state};

#[test]
fn dt_is_steps_times_the_step_and_ticks_count_monotonically() {
    let mut game = playing_with(Pacing::hz(TICK_HZ), RUN);
    let mut expected = 0;
    for (n, gap) in [16, 16, 33, 7, 50, 3, 100].into_iter().enumerate() {
        let at = [16, 32, 65, 72, 122, 125, 225][n];
        let frame = frame(&mut game, at);
        assert_eq!(frame.first_tick(), expected);
        expected += u64::from(frame.steps());
        assert_eq!(frame.raw_dt(), ms(gap));
        assert!((frame.dt().as_secs_f64() - f64::from(frame.steps()) / 60.0).abs() < 1e-8);
        assert_eq!(state(&game).clock.tick(), expected);
    }
}

#[test]
fn a_display_of_120_hz_runs_0_or_1_steps_one_of_60_runs_1_and_one_of_30_runs_2() {
    let steps = |hz: f64| {
        let mut play = Play::in_menu();
        play.launch(RUN, Duration::ZERO);
        let mut game = Driver::new(Player::new(play, autopilot, u64::MAX));
        change(&mut game, |_| ());
        FrameTimes::hz(hz).take(120).map(|now| game.frame(now).steps()).collect::<Vec<_>>()
    };
    let at_120 = steps(120.0);
    assert_eq!((at_120.iter().sum::<u32>(), at_120.iter().max()), (60, Some(&1)));
    assert!(steps(60.0).iter().all(|&steps| steps == 1));
    assert!(steps(30.0).iter().all(|&steps| steps == 2));
}

#[test]
fn systems_that_the_original_drives_once_a_frame_keep_their_rate_on_every_display() {
    let after = |hz: f64| {
        let game = played(FrameTimes::hz(hz), RUN, 20 * u64::from(TICK_HZ));
        let state = state(&game);
        (state.master, state.weapons, state.enemies.len(), state.pickups.len(), state.progress)
    };
    assert_eq!(after(30.0), after(60.0));
    assert_eq!(after(120.0), after(60.0));
}

#[test]
fn ui_and_wall_time_always_advance_outside_the_menu() {
    let mut game = original_game();
    game.pacer_mut().set_scale(Channel::TIME_DILATION, 0.0);
    frame(&mut game, 20);
    assert_eq!((game.pacer().ui_time(), game.pacer().wall_time()), (ms(20), ms(20)));
    assert_eq!(state(&game).clock.tick(), 0);
}

#[test]
fn the_frame_is_a_diagnostic_pass_around_its_ticks() {
    let mut pacer = Pacer::new(Pacing::starship());
    let mut play = Play::in_menu();
    play.start_new_game(RUN, Duration::ZERO);
    play.commands().for_each(|command| pacer.tell(command));
    let mut passes = Passes::default();
    let frame = pacer.frame(ms(33));
    for _ in frame.ticks() {
        play.tick(Input::default(), &mut passes);
    }
    play.end_frame(&frame, &mut passes);
    assert_eq!(passes.0[..2], [Pass::Frame, Pass::Tick]);
    assert_eq!(passes.0.iter().filter(|&&pass| pass == Pass::Frame).count(), 1);
}
