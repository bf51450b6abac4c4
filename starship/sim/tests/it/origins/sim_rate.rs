//! The rate of the simulation: time dilation, level speed and juice.

use std::time::Duration;

use evenstep::{Channel, TickTimer};
use starship_sim::{Autopilot, Signal, Sim};

use super::{RUN, frame, ms, original_game};
use crate::{change, state};

#[test]
fn it_is_the_product_of_dilation_level_speed_and_clamped_juice() {
    let mut game = original_game();
    let mut state = state(&game).clone();
    state.run.sector = 3;
    state.juice.dilation = 0.5;
    state.juice.revert = TickTimer::start(100);
    change(&mut game, |play| play.resume_from(state, Duration::ZERO));
    change(&mut game, |play| play.set_speed(2.0));
    frame(&mut game, 5);
    assert!((game.pacer().scale() - 2.0 * 1.08 * 0.5).abs() < 1e-6, "{}", game.pacer().scale());
}

#[test]
fn a_stuck_juice_can_neither_freeze_the_game_nor_push_it_past_normal() {
    for (juice, scale) in [(0.0, 0.1), (-3.0, 0.1), (0.05, 0.1), (1.0, 1.0), (9.0, 1.0)] {
        let mut game = original_game();
        let mut state = state(&game).clone();
        state.juice.dilation = juice;
        state.juice.revert = TickTimer::start(u32::MAX);
        change(&mut game, |play| play.resume_from(state, Duration::ZERO));
        frame(&mut game, 5);
        assert!((game.pacer().scale() - scale).abs() < 1e-6, "juice {juice}: {}", game.pacer().scale());
    }
}

#[test]
fn the_boss_writes_slow_motion_at_its_phase_changes_and_takes_it_back_itself() {
    let mut written = 0;
    let mut slow_ticks = 0;
    let mut sim = Sim::new(RUN);
    sim.start_new_game(RUN);
    for _ in 0..12_000 {
        let input = Autopilot.input(sim.state());
        sim.tick(input, &mut ());
        let changes = sim.signals().iter().any(|signal| matches!(signal, Signal::BossPhase { .. }));
        if changes {
            written += 1;
            assert_eq!(sim.state().juice.dilation, 0.3);
        }
        slow_ticks += u32::from(sim.state().juice.dilation < 1.0);
        if sim.state().phase.is_over() {
            break;
        }
    }
    assert_eq!(written, 2, "two changes between three phases");
    // Two changes of 24 ticks and the end of 30.
    assert!((24..=80).contains(&slow_ticks), "{slow_ticks}");
    assert_eq!(sim.state().juice.dilation, 1.0, "taken back, though the boss is gone");
}

#[test]
fn the_loop_consumes_juice_and_never_writes_it() {
    let mut game = original_game();
    let mut slow = state(&game).clone();
    slow.juice.dilation = 0.4;
    slow.juice.revert = TickTimer::start(2);
    change(&mut game, |play| play.resume_from(slow, Duration::ZERO));
    game.pacer_mut().hit_freeze(ms(50));
    frame(&mut game, 30);
    frame(&mut game, 60);
    assert_eq!(state(&game).juice.dilation, 0.4, "frozen: the boss's timer stands too");
    assert_eq!(game.pacer().channel(Channel::JUICE), f64::from(0.4_f32));
}
