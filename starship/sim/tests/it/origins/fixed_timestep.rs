//! The fixed step: its length, its parts and their order.

use std::time::Duration;

use starship_sim::tuning::SIM_DT;
use starship_sim::{FrameTimes, Input, ModifierKind, Pad, Pass, Phase, Puddle, Sim, Vec2};

use super::{Passes, RUN, playing, pushing_right, tick};
use crate::{played, state};

#[test]
fn the_sim_step_is_one_sixtieth_of_a_second_and_matches_the_physics_step() {
    let sim = playing(|_| {});
    assert_eq!(SIM_DT, 1.0 / 60.0);
    assert_eq!(sim.state().physics.world.integration_parameters.dt, SIM_DT);
    assert!(sim.state().physics.is_in_lockstep());
}

#[test]
fn physics_gameplay_and_clock_advance_in_lockstep() {
    let mut sim = playing(|state| state.ship.vel = Vec2::new(6.0, 0.0));
    tick(&mut sim, 1);
    let state = sim.state();
    assert_eq!((state.clock.tick(), state.time_ticks, state.physics.alpha()), (1, 1, 0.0));
    let moved = state.ship.pos().x;
    assert!((moved - state.ship.vel.x * SIM_DT).abs() < 1e-5, "one physics step, {moved} m");
}

#[test]
fn the_deterministic_clock_takes_no_wall_clock_input() {
    let mut clocks = Vec::new();
    for hz in [24.0, 60.0, 240.0] {
        clocks.push(state(&played(FrameTimes::hz(hz), RUN, 120)).clock.time());
    }
    assert_eq!(clocks, [Duration::from_secs(2); 3]);
}

#[test]
fn the_parts_of_a_step_run_in_the_documented_order() {
    let mut passes = Passes::default();
    playing(|_| {}).tick(Input::default(), &mut passes);
    let eight = [
        Pass::Clock,
        Pass::Input,
        Pass::Movement,
        Pass::Physics,
        Pass::Sync,
        Pass::Modifiers,
        Pass::Warp,
        Pass::Camera,
        Pass::Mission,
        Pass::Time,
    ];
    let then = [
        Pass::GameMaster,
        Pass::Weapons,
        Pass::Shots,
        Pass::Enemies,
        Pass::Boss,
        Pass::Pickups,
        Pass::Crates,
        Pass::Upgrades,
        Pass::Phases,
    ];
    assert_eq!(passes.0[0], Pass::Tick);
    assert_eq!(passes.0[1..11], eight);
    assert_eq!(passes.0[11..], then);
}

#[test]
fn input_and_gamepad_are_read_on_every_step() {
    let mut sim = playing(|_| {});
    sim.tick(pushing_right(), &mut ());
    assert_eq!(sim.state().controls.stick, Vec2::new(1.0, 0.0));
    let gamepad = Some(Pad { y: -127, boost: true, ..Pad::default() });
    sim.tick(Input { gamepad, ..Input::default() }, &mut ());
    assert_eq!((sim.state().controls.stick, sim.state().controls.boost), (Vec2::new(0.0, -1.0), true));
    sim.tick(Input::default(), &mut ());
    assert_eq!(sim.state().controls.stick, Vec2::ZERO);
}

#[test]
fn physics_steps_and_the_ship_syncs_only_while_playing_or_at_birth() {
    for (phase, moves) in
        [(Phase::Playing, true), (Phase::Birth, true), (Phase::Dead, false), (Phase::Won, false)]
    {
        let mut sim = playing(|state| {
            state.phase = phase;
            state.ship.vel = Vec2::new(6.0, 0.0);
        });
        let mut passes = Passes::default();
        sim.tick(Input::default(), &mut passes);
        assert_eq!(passes.0.contains(&Pass::Physics), moves, "{phase:?}");
        assert_eq!(passes.0.contains(&Pass::Movement), moves, "{phase:?}");
        assert_eq!(sim.state().ship.pos().x > 0.0, moves, "{phase:?}");
    }
}

#[test]
fn without_physics_nothing_sways_between_two_ticks() {
    let mut sim = playing(|state| state.ship.vel = Vec2::new(9.0, 0.0));
    tick(&mut sim, 300);
    let mut state = sim.state().clone();
    state.phase = Phase::Dead;
    let mut sim = Sim::from_state(state);
    tick(&mut sim, 1);
    let state = sim.state();
    assert_eq!(state.ship.at(0.0), state.ship.at(0.9));
    assert!(state.enemies.values().all(|enemy| enemy.at(0.0) == enemy.at(0.9)));
    assert!(state.shots.values().all(|shot| shot.at(0.0) == shot.at(0.9)));
}

#[test]
fn the_loop_writes_the_interpolated_ship_from_physics() {
    let mut sim = playing(|state| state.ship.vel = Vec2::new(9.0, 3.0));
    tick(&mut sim, 9);
    let before = sim.state().ship.pos();
    tick(&mut sim, 1);
    let ship = &sim.state().ship;
    let body = sim.state().physics.world.bodies.iter().find(|(_, body)| body.translation() == ship.pos());
    assert_eq!(body.unwrap().1.linvel(), ship.vel);
    assert_eq!(ship.at(0.0), before);
}

#[test]
fn modifiers_tick_and_recalculate_from_the_base() {
    let mut sim = playing(|state| {
        state.modifiers.add(ModifierKind::Overdrive, 10);
        state.modifiers.add(ModifierKind::Overdrive, 20);
    });
    let base = sim.state().ship.base.unwrap().thrust;
    let after = |sim: &mut Sim, ticks| {
        tick(sim, ticks);
        sim.state().ship.stats.thrust / base
    };
    assert!((after(&mut sim, 9) - 1.44).abs() < 1e-5, "two stacks");
    assert!((after(&mut sim, 1) - 1.22).abs() < 1e-5, "one stack");
    assert_eq!(after(&mut sim, 10), 1.0);
}

#[test]
fn modifiers_do_not_recalculate_without_a_base() {
    let mut sim = playing(|state| {
        state.ship.base = None;
        state.ship.stats.thrust = 7.0;
        state.modifiers.add(ModifierKind::Overdrive, 60);
    });
    tick(&mut sim, 5);
    assert_eq!(sim.state().ship.stats.thrust, 7.0);
}

#[test]
fn warp_overrides_lie_on_top_of_the_recalculated_stats_scaled_by_warp_t() {
    let puddle = Puddle { pos: Vec2::ZERO, radius: 6.0 };
    let mut sim = playing(|state| {
        state.puddles = vec![puddle];
        state.modifiers.add(ModifierKind::Overdrive, 600);
    });
    let base = sim.state().ship.base.unwrap();
    let mut last = base.thrust * 1.22;
    for n in 1..=18 {
        tick(&mut sim, 1);
        let ship = &sim.state().ship;
        assert!((ship.warp_t - n as f32 / 18.0).abs() < 1e-4, "eased in");
        assert!(ship.stats.thrust > last && ship.stats.drag < base.drag, "on top of the modifier");
        last = ship.stats.thrust;
    }
    let ship = &sim.state().ship;
    assert!((ship.stats.thrust / (base.thrust * 1.22) - 1.7).abs() < 1e-3);
    assert!(ship.stats.heat_gain < 0.3 && ship.stats.cooling > 2.0 * base.cooling);
    let mut state = sim.state().clone();
    state.puddles.clear();
    let mut sim = Sim::from_state(state);
    tick(&mut sim, 18);
    assert!((sim.state().ship.warp_t - 0.5).abs() < 0.01, "eased out, at its own pace");
}

#[test]
fn the_camera_updates_on_every_step() {
    let mut sim = playing(|state| state.ship.vel = Vec2::new(10.0, 0.0));
    tick(&mut sim, 1);
    let first = sim.state().camera.pos().x;
    tick(&mut sim, 1);
    assert!(first > 0.0 && sim.state().camera.pos().x > first && sim.state().camera.at(0.0).x == first);
}

#[test]
fn time_grows_by_one_step_at_the_end_of_each() {
    let mut sim = playing(|_| {});
    tick(&mut sim, 90);
    assert_eq!(sim.state().time(), 1.5);
}
