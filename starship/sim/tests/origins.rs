//! What the original Starship loop says about the step, the phases, the timer, the freeze and the resets, one test each.
//! `docs/origins.md` lists them.

use std::time::Duration;

use evenstep::{Channel, Outcome, Pacing, TickTimer};
use starship_sim::tuning::{MISSION, SIM_DT, TICK_HZ};
use starship_sim::{
    Autopilot, BossRoom, Display, EnemyKind, Game, Input, ModifierKind, Pad, Pass, Phase, Probe, Puddle,
    RunDef, Signal, Sim, State, TestRunner, Vec2,
};

const RUN: RunDef = RunDef::seeded(11);

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A simulation that plays, changed before it goes on.
fn playing(change: impl FnOnce(&mut State)) -> Sim {
    let mut sim = Sim::new(RUN);
    sim.start_new_game(RUN);
    let mut state = sim.state().clone();
    change(&mut state);
    Sim::from_state(state)
}

fn tick(sim: &mut Sim, ticks: u32) {
    for _ in 0..ticks {
        sim.tick(Input::default(), &mut ());
    }
}

fn pushing_right() -> Input {
    Input { keys: Pad { x: 127, ..Pad::default() }, gamepad: None }
}

/// A game on the original loop, playing since time 0.
fn original_game() -> Game {
    let mut game = Game::with_pacing(Pacing::starship());
    game.start_new_game(Duration::ZERO, RUN);
    game
}

fn frame(game: &mut Game, at_ms: u64) -> evenstep::Frame {
    game.frame(ms(at_ms), |_, _, _| Input::default(), &mut ())
}

#[derive(Default)]
struct Passes(Vec<Pass>);

impl Probe for Passes {
    fn begin(&mut self, pass: Pass) {
        self.0.push(pass);
    }
    fn end(&mut self, _pass: Pass) {}
}

mod fixed_timestep {
    use super::*;

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
            let mut runner = TestRunner::new(Game::new(), Display::hz(hz));
            runner.launch(RUN);
            runner.run_ticks(120, |state| Autopilot.input(state));
            clocks.push(runner.game.state().clock.time());
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
}

mod mission_timer {
    use super::*;

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
}

mod accumulator_and_step_cap {
    use super::*;

    #[test]
    fn a_gap_above_200_ms_empties_both_accumulators_and_simulates_nothing() {
        let mut game = original_game();
        frame(&mut game, 16);
        let frame = frame(&mut game, 16 + 201);
        assert_eq!((frame.outcome(), frame.steps(), frame.alpha()), (Outcome::Stalled, 0, 0.0));
        assert_eq!(game.pacer().ledger().pending_ns, 0);
        assert_eq!(game.state().physics.alpha(), 0.0);
        assert_eq!(
            super::frame(&mut game, 16 + 201 + 16).steps(),
            0,
            "16 ms are no step, and nothing was left"
        );
    }

    #[test]
    fn a_gap_of_200_ms_is_a_frame_of_33_ms() {
        let mut game = original_game();
        let frame = frame(&mut game, 200);
        assert_eq!((frame.raw_dt(), frame.steps()), (ms(33), 1));
    }

    #[test]
    fn four_steps_are_the_cap_at_normal_speed_and_sixteen_at_four_times_test_speed() {
        for (speed, cap) in [(1.0, 4), (4.0, 16)] {
            let unlimited = Pacing::starship().with_longest_frame(None);
            let mut game = Game::with_pacing(unlimited);
            game.set_test_speed(speed);
            game.start_new_game(Duration::ZERO, RUN);
            assert_eq!(frame(&mut game, 190).steps(), if speed > 1.0 { 15 } else { cap });
            let frame = frame(&mut game, 380);
            assert!(frame.steps() <= cap, "{} steps", frame.steps());
        }
    }

    #[test]
    fn what_the_cap_refuses_is_drained() {
        let mut game = Game::with_pacing(Pacing::starship().with_longest_frame(None));
        game.start_new_game(Duration::ZERO, RUN);
        let frame = frame(&mut game, 190);
        assert_eq!((frame.steps(), frame.alpha()), (4, 0.0));
        assert_eq!(game.state().clock.tick(), 4);
    }

    #[test]
    fn the_cap_that_drops_time_leaves_the_game_itself_as_it_is() {
        let hash_after = |pacing: Pacing, gap: u64| {
            let mut game = Game::with_pacing(pacing);
            game.start_new_game(Duration::ZERO, RUN);
            let mut at = 0;
            while game.state().clock.tick() < 60 {
                at += gap;
                frame(&mut game, at);
            }
            (game.state().clock.tick(), game.state().hash())
        };
        let capped = Pacing::starship().with_longest_frame(None);
        assert_eq!(hash_after(capped, 190), hash_after(Pacing::hz(60), 10));
    }
}

mod sim_rate {
    use super::*;

    #[test]
    fn it_is_the_product_of_dilation_level_speed_and_clamped_juice() {
        let mut game = original_game();
        let mut state = game.state().clone();
        state.run.sector = 3;
        state.juice.dilation = 0.5;
        state.juice.revert = TickTimer::start(100);
        game.resume_from(Duration::ZERO, state);
        game.set_test_speed(2.0);
        frame(&mut game, 5);
        assert!((game.pacer().scale() - 2.0 * 1.08 * 0.5).abs() < 1e-6, "{}", game.pacer().scale());
    }

    #[test]
    fn a_stuck_juice_can_neither_freeze_the_game_nor_push_it_past_normal() {
        for (juice, scale) in [(0.0, 0.1), (-3.0, 0.1), (0.05, 0.1), (1.0, 1.0), (9.0, 1.0)] {
            let mut game = original_game();
            let mut state = game.state().clone();
            state.juice.dilation = juice;
            state.juice.revert = TickTimer::start(u32::MAX);
            game.resume_from(Duration::ZERO, state);
            frame(&mut game, 5);
            assert!((game.pacer().scale() - scale).abs() < 1e-6, "juice {juice}: {}", game.pacer().scale());
        }
    }

    #[test]
    fn the_boss_writes_slow_motion_at_its_phase_changes_and_takes_it_back_itself() {
        let (mut written, mut slow_ticks) = (0, 0);
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
        let mut state = game.state().clone();
        state.juice.dilation = 0.4;
        state.juice.revert = TickTimer::start(2);
        game.resume_from(Duration::ZERO, state);
        game.pacer_mut().hit_freeze(ms(50));
        frame(&mut game, 30);
        frame(&mut game, 60);
        assert_eq!(game.state().juice.dilation, 0.4, "frozen: the boss's timer stands too");
        assert_eq!(game.pacer().channel(Channel::JUICE), f64::from(0.4_f32));
    }
}

mod hit_freeze {
    use super::*;

    /// A game whose next tick hurts the ship.
    fn about_to_be_hit() -> Game {
        let mut game = original_game();
        let mut donor = Sim::crowded(300, 0).state().clone();
        donor.run.sandbox = false;
        donor.ship.invulnerable = TickTimer::default();
        game.resume_from(Duration::ZERO, donor);
        game
    }

    /// Runs until the ship is hit; the time of the frame in which it was.
    fn hit() -> (Game, u64) {
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
        assert!(game.is_inverted());
        assert!(game.signals().iter().any(|signal| matches!(signal, Signal::Hurt { .. })));
    }

    #[test]
    fn the_timer_runs_down_in_wall_time_and_no_step_runs() {
        let (mut game, at) = hit();
        let tick = game.state().clock.tick();
        for (after, left) in [(20, 50), (40, 30), (60, 10)] {
            let frame = frame(&mut game, at + after);
            assert_eq!((frame.outcome(), frame.steps(), frame.raw_dt()), (Outcome::Frozen, 0, ms(20)));
            assert_eq!(game.pacer().freeze_left(), ms(left));
        }
        assert_eq!(game.state().clock.tick(), tick);
    }

    #[test]
    fn at_its_end_the_dilation_returns_to_the_test_speed_or_to_one() {
        for test_speed in [1.0, 4.0] {
            let (mut game, at) = hit();
            game.set_test_speed(test_speed);
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
        game.set_test_speed(4.0);
        assert_eq!(game.pacer().channel(Channel::TIME_DILATION), 4.0);
    }

    #[test]
    fn the_inverted_flash_ticks_in_wall_time_inside_and_outside_the_freeze() {
        let (mut game, at) = hit();
        let mut left = vec![game.invert_left()];
        for after in [30, 60, 90, 120] {
            frame(&mut game, at + after);
            left.push(game.invert_left());
        }
        assert_eq!(left, [110, 80, 50, 20, 0].map(ms));
        assert!(!game.is_inverted());
    }

    #[test]
    fn ui_and_wall_time_advance_through_the_freeze() {
        let (mut game, at) = hit();
        let (ui, wall) = (game.pacer().ui_time(), game.pacer().wall_time());
        frame(&mut game, at + 20);
        assert_eq!((game.pacer().ui_time(), game.pacer().wall_time()), (ui + ms(20), wall + ms(20)));
    }
}

mod pause_and_menu {
    use super::*;

    #[test]
    fn the_menu_simulates_nothing_and_runs_no_timer() {
        let mut game = original_game();
        game.open_menu();
        let before = game.state().hash();
        for n in 1..50 {
            assert_eq!(frame(&mut game, 17 * n).outcome(), Outcome::Menu);
        }
        assert_eq!(game.state().hash(), before);
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
        game.pause();
        for n in 1..200 {
            assert_eq!(frame(&mut game, 10 + 30 * n).steps(), 0);
        }
        assert_eq!(game.pacer().ledger().pending_ns, 10_000_000, "the 10 ms from before");
        game.unpause();
        assert_eq!(frame(&mut game, 10 + 30 * 199 + 7).steps(), 1);
    }

    #[test]
    fn a_paused_game_can_be_stepped_by_hand() {
        let mut game = original_game();
        game.pause();
        frame(&mut game, 20);
        game.step_by_hand();
        assert_eq!(frame(&mut game, 40).steps(), 1);
        assert_eq!(frame(&mut game, 60).steps(), 0);
        assert_eq!(game.state().clock.tick(), 1);
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
}

mod frame_state {
    use super::*;

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
}

mod reset_and_start {
    use super::*;

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
                fired +=
                    game.signals().iter().filter(|signal| matches!(signal, Signal::Fired { .. })).count();
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
        let holding = Input { keys: Pad { confirm: true, ..Pad::default() }, gamepad: None };
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
}
