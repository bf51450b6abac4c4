//! The mission timer and overtime.

use evenstep::TickTimer;
use starship_sim::tuning::MISSION;
use starship_sim::{BossRoom, Phase, Signal, Sim, Vec2};

use super::{playing, pushing_right, tick};

#[test]
fn it_drains_only_while_playing() {
    for (phase, drained) in [(Phase::Playing, 5), (Phase::Birth, 0), (Phase::Dead, 0), (Phase::Won, 0)] {
        let mut sim = playing(|state| state.phase = phase);
        tick(&mut sim, 5);
        assert_eq!(MISSION - sim.state().mission.timer.left(), drained, "{phase:?}");
    }
}

#[test]
fn it_is_skipped_in_a_sandbox() {
    let mut sim = playing(|state| state.run.sandbox = true);
    tick(&mut sim, 50);
    assert_eq!(sim.state().mission.timer.left(), MISSION);
}

#[test]
fn it_stands_once_the_boss_room_is_there_and_leaves_unlimited_time_to_fly_through() {
    let mut sim = playing(|state| {
        state.mission.timer = TickTimer::start(60);
        state.boss_room = Some(BossRoom { pos: Vec2::new(5.0, 0.0), ring: 30.0, age: 0 });
    });
    tick(&mut sim, 10_000);
    let state = sim.state();
    assert_eq!(
        (state.mission.timer.left(), state.mission.overtime, state.phase),
        (60, false, Phase::Playing)
    );
    let mut state = state.clone();
    state.ship.vel = Vec2::new(30.0, 0.0);
    let mut sim = Sim::from_state(state);
    for _ in 0..120 {
        sim.tick(pushing_right(), &mut ());
    }
    assert_eq!(sim.state().phase, Phase::Won);
}

#[test]
fn at_zero_it_clamps_and_flips_to_overtime_which_then_accrues() {
    let mut sim = playing(|state| state.mission.timer = TickTimer::start(3));
    tick(&mut sim, 2);
    assert_eq!((sim.state().mission.timer.left(), sim.state().mission.overtime), (1, false));
    tick(&mut sim, 1);
    assert_eq!((sim.state().mission.timer.left(), sim.state().mission.overtime), (0, true));
    assert!(sim.signals().iter().any(|signal| *signal == Signal::OvertimeBegan));
    assert_eq!(sim.state().mission.overtime_elapsed, 0);
    tick(&mut sim, 7);
    assert_eq!((sim.state().mission.timer.left(), sim.state().mission.overtime_elapsed), (0, 7));
}

#[test]
fn overtime_gets_harder() {
    let alive = |overtime| {
        let mut sim = playing(|state| {
            state.mission.overtime = overtime > 0;
            state.mission.overtime_elapsed = overtime;
            state.master.boss_sent = true;
            state.ship.invulnerable = TickTimer::start(u32::MAX);
        });
        tick(&mut sim, 600);
        sim.state().enemies.len() + sim.state().progress.kills
    };
    assert!(alive(60 * 60) > 2 * alive(0));
}
