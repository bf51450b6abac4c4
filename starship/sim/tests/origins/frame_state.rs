//! What a frame publishes.

use std::time::Duration;

use evenstep::Channel;
use starship_sim::tuning::TICK_HZ;
use starship_sim::{Autopilot, Display, Game, Input, Pass, TestRunner};

use crate::{Passes, RUN, frame, ms, original_game};

#[test]
fn dt_is_steps_times_the_step_and_ticks_count_monotonically() {
    let mut game = Game::new();
    game.start_new_game(Duration::ZERO, RUN);
    let mut expected = 0;
    for (n, gap) in [16, 16, 33, 7, 50, 3, 100].into_iter().enumerate() {
        let at = [16, 32, 65, 72, 122, 125, 225][n];
        let frame = frame(&mut game, at);
        assert_eq!(frame.first_tick(), expected);
        expected += u64::from(frame.steps());
        assert_eq!(frame.raw_dt(), ms(gap));
        assert!((frame.dt().as_secs_f64() - f64::from(frame.steps()) / 60.0).abs() < 1e-8);
        assert_eq!(game.state().clock.tick(), expected);
    }
}

#[test]
fn a_display_of_120_hz_runs_0_or_1_steps_one_of_60_runs_1_and_one_of_30_runs_2() {
    let steps = |hz: f64| {
        let mut runner = TestRunner::new(Game::new(), Display::hz(hz));
        runner.launch(RUN);
        (0..120).map(|_| runner.run_frame(|state| Autopilot.input(state)).steps()).collect::<Vec<_>>()
    };
    let at_120 = steps(120.0);
    assert_eq!((at_120.iter().sum::<u32>(), at_120.iter().max()), (60, Some(&1)));
    assert!(steps(60.0).iter().all(|&steps| steps == 1));
    assert!(steps(30.0).iter().all(|&steps| steps == 2));
}

#[test]
fn systems_that_the_original_drives_once_a_frame_keep_their_rate_on_every_display() {
    let after = |hz: f64| {
        let mut runner = TestRunner::new(Game::new(), Display::hz(hz));
        runner.launch(RUN);
        runner.run_ticks(20 * u64::from(TICK_HZ), |state| Autopilot.input(state));
        let state = runner.game.state();
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
    assert_eq!(game.state().clock.tick(), 0);
}

#[test]
fn the_frame_is_a_diagnostic_pass_around_its_ticks() {
    let mut game = original_game();
    let mut passes = Passes::default();
    game.frame(ms(33), |_, _, _| Input::default(), &mut passes);
    assert_eq!(passes.0[..2], [Pass::Frame, Pass::Tick]);
    assert_eq!(passes.0.iter().filter(|&&pass| pass == Pass::Frame).count(), 1);
}
