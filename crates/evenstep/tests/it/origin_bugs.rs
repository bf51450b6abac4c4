//! Bugs of the original loops, each with the correct behaviour.

use std::time::Duration;

use evenstep::{Channel, Gate, Outcome, Pacer, Pacing, Rate};

/// The n-th frame of a display, up to a millisecond late.
fn noisy(display: Rate, n: u64) -> Duration {
    let noise = (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 44) % 1_000_000;
    display.time_of(n) + Duration::from_nanos(noise)
}

#[test]
fn a_frozen_frame_publishes_no_dt_instead_of_the_last_frames() {
    let mut pacer = Pacer::new(Pacing::starship());
    pacer.frame(Duration::ZERO);
    assert_eq!(pacer.frame(Duration::from_millis(20)).dt(), Rate::hz(60).step());
    pacer.hit_freeze(Duration::from_millis(50));
    let frozen = pacer.frame(Duration::from_millis(40));
    assert_eq!((frozen.outcome(), frozen.steps(), frozen.dt()), (Outcome::Frozen, 0, Duration::ZERO));
    assert_eq!(frozen.raw_dt(), Duration::from_millis(20));

    pacer.set_gate(Gate::Menu);
    assert_eq!(pacer.frame(Duration::from_millis(60)).dt(), Duration::ZERO);
    assert_eq!(pacer.frame(Duration::from_secs(2)).dt(), Duration::ZERO, "nor does a stalled frame");
}

#[test]
fn a_time_scale_of_zero_keeps_the_frame_rate_where_the_classic_loop_divides_zero_by_zero() {
    let mut pacer = Pacer::new(Pacing::game_loop());
    pacer.frame(Duration::ZERO);
    pacer.set_scale(Channel::TIME_DILATION, 0.0);
    for n in 1..=120 {
        let frame = pacer.frame(Rate::hz(60).time_of(n));
        assert_eq!((frame.steps(), frame.alpha()), (0, 0.0));
    }
    assert_eq!(pacer.stats().fps().round(), 60.0, "the frame rate is still known");
    pacer.set_scale(Channel::TIME_DILATION, 1.0);
    for n in 121..=180 {
        pacer.frame(Rate::hz(60).time_of(n));
    }
    assert!(pacer.tick().abs_diff(60) <= 1);
}

#[test]
fn a_hitstop_of_intensity_zero_lasts_as_asked_where_the_classic_loop_ends_it_after_one_frame() {
    let mut pacer = Pacer::new(Pacing::game_loop());
    pacer.frame(Duration::ZERO);
    pacer.hitstop(4, 0.0);
    let frames_stopped = (1..60).take_while(|&n| {
        pacer.frame(Rate::hz(60).time_of(n) + Duration::from_micros(n));
        pacer.is_in_hitstop()
    });
    assert_eq!(frames_stopped.count(), 3, "the fourth frame ends it");
    assert_eq!(pacer.scale(), 1.0);
}

#[test]
fn a_60_hz_game_on_a_60_hz_display_runs_one_step_a_frame_where_the_originals_run_zero_or_two() {
    let cadence = |pacing| {
        let mut pacer = Pacer::new(pacing);
        let first = 4; // Half a millisecond late, with noise on both sides.
        pacer.reset(noisy(Rate::hz(60), first));
        (first + 1..=first + 3_600).filter(|&n| pacer.frame(noisy(Rate::hz(60), n)).steps() != 1).count()
    };
    assert_eq!(cadence(Pacing::hz(60)), 0);
    let wrong = cadence(Pacing::game_loop());
    assert!(wrong > 900, "more than a quarter of the frames are wrong from phase 0: {wrong}");
}

#[test]
fn a_30_hz_display_runs_slow_in_the_starship_profile_and_keeps_time_in_the_recommended_one() {
    let ticks_in_ten_minutes = |pacing| {
        let mut pacer = Pacer::new(pacing);
        pacer.reset(Duration::ZERO);
        for n in 1..=30 * 600 {
            pacer.frame(Rate::hz(30).time_of(n));
        }
        pacer.tick()
    };
    assert_eq!(ticks_in_ten_minutes(Pacing::hz(60)), 36_000);
    assert_eq!(ticks_in_ten_minutes(Pacing::starship()), 35_640, "6 s lost: 33 ms of every 33.33 ms");
}

#[test]
fn alpha_stays_below_one_after_a_stall() {
    for pacing in [Pacing::hz(60), Pacing::starship(), Pacing::fixed_time_step(), Pacing::game_loop()] {
        for stall_ms in [34, 199, 200, 201, 250, 251, 5_000, 86_400_000] {
            let mut pacer = Pacer::new(pacing);
            pacer.frame(Duration::ZERO);
            pacer.frame(Duration::from_millis(16));
            let alpha = pacer.frame(Duration::from_millis(16 + stall_ms)).alpha();
            assert!((0.0..1.0).contains(&alpha), "{alpha} after {stall_ms} ms");
        }
    }
}

#[test]
fn step_and_draw_times_are_measured_where_the_classic_loop_publishes_zeros() {
    let ms = Duration::from_millis;
    let mut pacer = Pacer::new(Pacing::game_loop());
    pacer.frame(ms(1_000));
    pacer.steps_done(ms(1_004));
    pacer.draw_done(ms(1_011));
    assert_eq!((pacer.stats().step_time(), pacer.stats().draw_time()), (ms(4), ms(7)));
}

#[test]
fn angles_of_any_size_blend_in_constant_time_where_the_classic_loop_never_returns() {
    for angle in [1e18, -1e18, f64::MAX, f64::MIN] {
        assert!(evenstep::lerp_angle(0.0, angle, 0.5).abs() <= std::f64::consts::FRAC_PI_2 + 1e-9);
        assert!(evenstep::lerp_angle(-angle, angle, 0.5).is_finite());
    }
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(evenstep::lerp_angle(0.0, bad, 0.5).is_nan());
    }
    let across = evenstep::lerp_angle(3.0, -3.0, 0.5);
    assert!((across - std::f64::consts::PI).abs() < 1e-12);
}
