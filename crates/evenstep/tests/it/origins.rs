//! Behaviour of the original loops that no other test covers. `docs/origins.md` lists every statement with its test.

mod page;

use std::time::Duration;

use evenstep::{
    Channel, DropReason, Interpolated, Outcome, Pacer, Pacing, Rate, Stats, WallTimer, lerp, lerp_angle,
};

const MS: Duration = Duration::from_millis(1);

fn started(pacing: Pacing) -> Pacer {
    let mut pacer = Pacer::new(pacing);
    pacer.reset_frame_timing(Duration::ZERO);
    pacer
}

/// The drawn positions of a body that moves one unit per step, on each frame of a display.
fn drawn_positions(pacing: Pacing, display: Rate, frames: u64) -> Vec<f64> {
    let mut pacer = started(pacing);
    let mut x = Interpolated::new(0.0);
    let draw = |n| {
        let frame = pacer.frame(display.time_of(n));
        for _ in frame.ticks() {
            x.advance(x.current() + 1.0);
        }
        x.at(frame.alpha())
    };
    (1..=frames).map(draw).collect()
}

mod starship {
    use super::*;

    #[test]
    fn a_new_game_measured_against_zero_begins_with_a_stall_and_against_now_it_does_not() {
        let now = Duration::from_secs(10);
        let first_frame = |last_frame: Option<Duration>| {
            let mut pacer = started(Pacing::starship());
            pacer.frame(now);
            pacer.reset(last_frame);
            let frame = pacer.frame(now + 17 * MS);
            (frame.outcome(), frame.steps())
        };
        assert_eq!(first_frame(Some(Duration::ZERO)), (Outcome::Stalled, 0), "as the original does");
        assert_eq!(first_frame(Some(now)), (Outcome::Ran, 1));
        assert_eq!(first_frame(None), (Outcome::Ran, 0), "this frame starts the clock");
    }

    #[test]
    fn the_frame_limit_keeps_the_step_cap_out_of_reach_at_every_speed() {
        for scale in [0.1, 0.5, 1.0, 1.01, 2.0, 4.0, 7.0, 8.0] {
            let mut pacer = started(Pacing::starship());
            pacer.set_scale(Channel::TIME_DILATION, scale);
            let mut now = Duration::ZERO;
            for n in 1..=2_000_u32 {
                now += MS * (n * 37 % 201);
                pacer.frame(now);
            }
            let dropped = |reason| pacer.ledger().dropped_ns(reason) > 0;
            assert!(!dropped(DropReason::Cap), "at {scale}");
            assert_eq!(dropped(DropReason::Backlog), scale > 7.5, "at {scale}");
        }
    }

    #[test]
    fn a_phone_at_15_frames_a_second_plays_at_half_speed_and_in_the_recommended_loop_at_full_speed() {
        let ticks_in_a_minute = |pacing| {
            let mut pacer = started(pacing);
            for n in 1..=15 * 60 {
                pacer.frame(Rate::hz(15).time_of(n));
            }
            pacer.tick()
        };
        assert_eq!(ticks_in_a_minute(Pacing::starship()), 1_782, "33 ms of every 66.7 ms");
        assert_eq!(ticks_in_a_minute(Pacing::hz(60)), 3_600);
    }

    #[test]
    fn the_wall_clock_counts_what_the_limits_drop_and_the_ui_clock_does_not() {
        let mut pacer = started(Pacing::starship());
        for at in [20, 120, 620] {
            pacer.frame(at * MS);
        }
        assert_eq!(pacer.ui_time(), (20 + 33) * MS, "the second frame is cut and the third is a stall");
        assert_eq!(pacer.wall_time(), 620 * MS);
    }

    #[test]
    fn a_test_speed_acts_from_the_end_of_the_next_freeze() {
        let mut pacer = started(Pacing::starship());
        pacer.set_scale(Channel::TIME_DILATION, 0.3);
        pacer.set_resting_scale(Channel::TIME_DILATION, 4.0);
        assert_eq!(pacer.scale(), 0.3);
        pacer.hit_freeze(10 * MS);
        assert_eq!(pacer.frame(16 * MS).outcome(), Outcome::Frozen);
        assert_eq!(pacer.scale(), 4.0);
    }
}

mod fixed_time_step {
    use super::*;

    #[test]
    fn it_draws_and_steps_at_60_until_told_otherwise() {
        let pacing = Pacing::fixed_time_step();
        assert_eq!((pacing.draw_rate(), pacing.rate()), (Some(Rate::hz(60)), Rate::hz(60)));
    }

    #[test]
    fn set_fps_clamps_both_rates_to_1_to_60_and_without_a_second_rate_uses_the_first_for_both() {
        for (render, fixed, wanted) in [
            (30.0, Some(60.0), (30, 60)),
            (50.0, None, (50, 50)),
            (144.0, Some(240.0), (60, 60)),
            (0.0, Some(-7.0), (1, 1)),
            (f64::INFINITY, Some(0.999), (60, 1)),
            (f64::NAN, Some(20.0), (60, 20)),
        ] {
            let mut pacer = started(Pacing::fixed_time_step());
            pacer.set_fps(render, fixed);
            let pacing = pacer.pacing();
            let (draw, rate) = wanted;
            assert_eq!((pacing.draw_rate(), pacing.rate()), (Some(Rate::hz(draw)), Rate::hz(rate)));
        }
    }

    #[test]
    fn the_interval_is_1000_ms_over_the_rate() {
        for fps in 1..=60 {
            let rate = Rate::hz(fps);
            let interval_ms = 1_000.0 / f64::from(fps);
            assert!((rate.step_secs() * 1e3 - interval_ms).abs() < 1e-9);
            let mut pacer = started(Pacing::fixed_time_step().with_rate(rate));
            assert_eq!(pacer.frame(rate.step()).steps() + pacer.frame(rate.step() + MS).steps(), 1);
        }
    }

    #[test]
    fn a_frame_runs_zero_one_or_several_steps() {
        let steps = |display: Rate| {
            let mut pacer = started(Pacing::fixed_time_step());
            let mut steps: Vec<_> = (1..=300).map(|n| pacer.frame(display.time_of(n)).steps()).collect();
            steps.sort_unstable();
            steps.dedup();
            steps
        };
        assert_eq!(steps(Rate::hz(144)), [0, 1]);
        assert_eq!(steps(Rate::hz(20)), [3]);
    }

    #[test]
    fn every_frame_has_its_interpolation_and_delta_and_the_draw_limit_only_says_when_to_draw() {
        let mut limited = started(Pacing::fixed_time_step().with_draw_rate(Rate::hz(30)));
        let mut unlimited = started(Pacing::fixed_time_step().with_draw_rate(None));
        let mut drawn = 0;
        let mut since_drawn = Duration::ZERO;
        for n in 0..600 {
            let (frame, every) =
                [&mut limited, &mut unlimited].map(|it| it.frame(Rate::hz(60).time_of(n))).into();
            assert!(every.should_draw() && every.draw_dt() == every.raw_dt());
            assert_eq!((frame.alpha(), frame.raw_dt()), (every.alpha(), every.raw_dt()));
            since_drawn += frame.raw_dt();
            assert_eq!(frame.draw_dt(), since_drawn);
            if frame.should_draw() {
                (drawn, since_drawn) = (drawn + 1, Duration::ZERO);
            }
        }
        assert_eq!(drawn, 300);
    }

    #[test]
    fn blending_by_two_products_is_lerp() {
        for (a, b) in [(0.0, 1.0), (-3.5, 700.25), (1e6, 1e6 + 1.0), (5.0, 5.0)] {
            for alpha in [0.0, 0.1, 0.5, 0.999] {
                let by_two_products = (1.0 - alpha) * a + alpha * b;
                assert!((lerp(a, b, alpha) - by_two_products).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn a_body_that_steps_at_60_hz_moves_evenly_on_a_144_hz_display() {
        let drawn = drawn_positions(Pacing::fixed_time_step(), Rate::hz(144), 1_440);
        // The first three frames come before the first step.
        for pair in drawn[3..].windows(2) {
            assert!((pair[1] - pair[0] - 60.0 / 144.0).abs() < 1e-6, "{pair:?}");
        }
    }

    #[test]
    fn starting_drops_pending_time_and_time_while_stopped_never_counts() {
        for pacing in [Pacing::fixed_time_step(), Pacing::game_loop()] {
            let mut pacer = started(pacing);
            pacer.frame(10 * MS);
            pacer.suspend();
            assert_eq!(pacer.frame(9_000 * MS).steps(), 0, "stopped for nine seconds");
            assert_eq!(pacer.pending(), 10 * MS, "stopping drops nothing");
            pacer.reset_frame_timing(10_000 * MS);
            assert_eq!(pacer.pending(), Duration::ZERO);
            assert_eq!(pacer.frame(10_010 * MS).alpha(), 0.6);
        }
    }
}

mod game_loop {
    use super::*;

    #[test]
    fn the_step_is_a_sixtieth_of_a_second_unless_another_is_given() {
        assert_eq!(started(Pacing::game_loop()).frame(100 * MS).steps(), 6);
        assert_eq!(started(Pacing::game_loop().with_rate(Rate::hz(30))).frame(100 * MS).steps(), 3);
    }

    #[test]
    fn starting_keeps_hitstop_time_scale_and_statistics() {
        let mut pacer = started(Pacing::game_loop());
        pacer.set_scale(Channel::TIME_DILATION, 0.3);
        pacer.frame(300 * MS);
        pacer.hitstop(4, 0.05);
        pacer.reset_frame_timing(900 * MS);
        assert_eq!((pacer.scale(), pacer.hitstop_left().as_micros()), (0.05, 66_666));
        assert_eq!((pacer.channel(Channel::TIME_DILATION), pacer.stats().lag_spikes()), (0.3, 1));
    }

    #[test]
    fn a_hitstop_of_three_steps_lasts_fifty_milliseconds_of_wall_time_at_any_intensity() {
        for intensity in [0.0, 0.05, 0.1, 0.5, 1.0, 2.0] {
            let mut pacer = started(Pacing::game_loop());
            pacer.hitstop(3, intensity);
            for (at, left) in [(0, 50), (20, 30), (40, 10), (60, 0)] {
                pacer.frame(at * MS);
                assert_eq!((pacer.hitstop_left(), pacer.is_in_hitstop()), (left * MS, left > 0));
            }
        }
    }

    #[test]
    fn the_frame_that_ends_a_hitstop_is_slow_to_its_end() {
        let mut pacer = started(Pacing::game_loop());
        pacer.hitstop(1, 0.5);
        let last = pacer.frame(100 * MS);
        assert_eq!((last.raw_dt(), last.scaled_dt(), last.scale()), (100 * MS, 50 * MS, 0.5));
        assert_eq!((last.steps(), pacer.is_in_hitstop(), pacer.scale()), (3, false, 1.0));
        assert_eq!(pacer.frame(200 * MS).scaled_dt(), 100 * MS);
    }

    #[test]
    fn a_time_scale_set_during_a_hitstop_acts_when_it_ends() {
        let mut pacer = started(Pacing::game_loop());
        pacer.hitstop(3, 0.1);
        pacer.set_scale(Channel::TIME_DILATION, 0.3);
        assert_eq!(pacer.scale(), 0.1);
        pacer.frame(50 * MS);
        assert_eq!(pacer.scale(), 0.3);
    }

    #[test]
    fn a_hitstop_overrides_the_time_scale_and_no_other_channel() {
        let mut pacer = started(Pacing::game_loop());
        pacer.set_scale(Channel::TIME_DILATION, 3.0);
        pacer.set_scale(Channel::LEVEL_SPEED, 2.0);
        pacer.hitstop(3, 0.25);
        assert_eq!(pacer.scale(), 0.5);
    }

    #[test]
    fn a_negative_time_scale_or_intensity_counts_as_zero_and_nan_changes_nothing() {
        let mut pacer = started(Pacing::game_loop());
        pacer.set_scale(Channel::TIME_DILATION, -2.0);
        assert_eq!((pacer.scale(), pacer.frame(100 * MS).steps()), (0.0, 0));
        pacer.set_scale(Channel::TIME_DILATION, 0.5);
        pacer.set_scale(Channel::TIME_DILATION, f64::NAN);
        pacer.hitstop(3, f64::NAN);
        assert_eq!((pacer.scale(), pacer.is_in_hitstop()), (0.5, false));
        pacer.hitstop(3, -1.0);
        assert_eq!(pacer.scale(), 0.0);
    }

    #[test]
    fn only_the_longest_frame_bounds_the_steps_of_one_frame() {
        let mut pacer = started(Pacing::game_loop());
        pacer.set_scale(Channel::TIME_DILATION, 10.0);
        let frame = pacer.frame(Duration::from_secs(5));
        assert_eq!((frame.steps(), frame.missed()), (150, 300));
    }

    #[test]
    fn every_field_of_the_classic_stats_is_available() {
        let mut pacer = started(Pacing::game_loop());
        pacer.frame(400 * MS);
        pacer.steps_done(403 * MS);
        pacer.draw_done(408 * MS);
        pacer.hitstop(4, 0.05);
        let stats = pacer.stats();
        assert_eq!((stats.fps(), stats.frame_time(1.0), stats.lag_spikes()), (60.0, 400 * MS, 1));
        assert_eq!((stats.step_time(), stats.draw_time()), (3 * MS, 5 * MS));
        assert_eq!((pacer.alpha(), pacer.scale(), pacer.is_in_hitstop()), (0.0, 0.05, true));
    }

    #[test]
    fn the_frame_rate_reads_as_the_step_rate_until_the_first_second_is_over() {
        for step_hz in [60, 30] {
            let mut pacer = started(Pacing::game_loop().with_rate(Rate::hz(step_hz)));
            for n in 1..144 {
                pacer.frame(Rate::hz(144).time_of(n));
                assert_eq!(pacer.stats().fps(), f64::from(step_hz));
            }
            pacer.frame(Duration::from_secs(1));
            assert_eq!(pacer.stats().fps().round(), 144.0);
        }
    }

    #[test]
    fn neither_hitstops_nor_slow_motion_nor_long_frames_change_the_frame_rate() {
        let fps = |display: Rate, act: fn(&mut Pacer, u64)| {
            let mut pacer = started(Pacing::game_loop());
            for n in 1..=240 {
                act(&mut pacer, n);
                pacer.frame(display.time_of(n));
            }
            Stats::fps(pacer.stats()).round()
        };
        let hitstop_on_every_fifth_frame = |pacer: &mut Pacer, n: u64| {
            if n.is_multiple_of(5) {
                pacer.hitstop(3, 0.1);
            }
        };
        assert_eq!(fps(Rate::hz(60), hitstop_on_every_fifth_frame), 60.0, "the original reads 73");
        assert_eq!(fps(Rate::hz(60), |pacer, _| pacer.set_scale(Channel::TIME_DILATION, 0.01)), 60.0);
        assert_eq!(fps(Rate::hz(2), |_, _| ()), 2.0, "the original reads 4");
    }

    #[test]
    fn lerp_angle_agrees_with_adding_turns_one_by_one() {
        use std::f64::consts::{PI, TAU};
        let turn_by_turn = |a: f64, b: f64, alpha: f64| {
            let mut apart = b - a;
            while apart.abs() > PI {
                apart -= TAU.copysign(apart);
            }
            a + apart * alpha
        };
        for n in -60_i32..60 {
            for m in -60_i32..60 {
                let a = f64::from(n) * 0.37;
                let b = f64::from(m) * 0.41;
                assert!((lerp_angle(a, b, 0.3) - turn_by_turn(a, b, 0.3)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_falling_body_lands_in_the_same_step_at_the_same_place_on_every_display() {
        let fall = |display: Rate| {
            let mut pacer = started(Pacing::game_loop());
            let mut height = 40.0_f64;
            let mut speed = 0.0;
            let mut states = Vec::new();
            for n in 1..=1_000 {
                for _ in pacer.frame(display.time_of(n)).ticks() {
                    speed -= 9.81 * evenstep::classic::SIM_DT;
                    height = (height + speed * evenstep::classic::SIM_DT).max(0.0);
                    states.push(height.to_bits());
                }
            }
            states.truncate(300);
            states
        };
        let at_60 = fall(Rate::hz(60));
        assert_eq!(at_60.last(), Some(&0), "it has landed");
        for display in [Rate::hz(30), Rate::new(60_000, 1_001), Rate::hz(144), Rate::hz(7)] {
            assert_eq!(fall(display), at_60, "{display}");
        }
    }

    #[test]
    fn a_wall_timer_ends_slow_motion_after_its_wall_time() {
        let mut pacer = started(Pacing::game_loop());
        let mut slow = WallTimer::start(Duration::from_secs(2));
        pacer.set_scale(Channel::TIME_DILATION, 0.3);
        let ended = (1..=600).find(|&n| slow.advance(&pacer.frame(Rate::hz(60).time_of(n))));
        assert_eq!((ended, pacer.tick()), (Some(120), 36), "2 s at 0.3 of 60 steps a second");
    }

    #[test]
    fn a_30_hz_simulation_runs_half_the_steps_and_moves_on_every_frame_of_a_60_hz_display() {
        let drawn = drawn_positions(Pacing::game_loop().with_rate(Rate::hz(30)), Rate::hz(60), 600);
        for pair in drawn[2..].windows(2) {
            assert!((pair[1] - pair[0] - 0.5).abs() < 1e-6, "{pair:?}");
        }
    }
}
