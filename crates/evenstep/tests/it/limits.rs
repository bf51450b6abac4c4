//! Limits at their boundaries.

use std::time::Duration;

use evenstep::{
    Channel, DisplayLock, DropReason, Excess, InputLatch, Latching, Outcome, Pacer, Pacing, Rate,
};

const MS: Duration = Duration::from_millis(1);
const NS: Duration = Duration::from_nanos(1);

fn started(pacing: Pacing) -> Pacer {
    let mut pacer = Pacer::new(pacing);
    pacer.reset_frame_timing(Duration::ZERO);
    pacer
}

#[test]
fn a_gap_of_exactly_the_threshold_is_not_a_stall_but_a_nanosecond_more_is() {
    assert_eq!(started(Pacing::starship()).frame(200 * MS).outcome(), Outcome::Ran);
    assert_eq!(started(Pacing::starship()).frame(200 * MS + NS).outcome(), Outcome::Stalled);
}

#[test]
fn a_frame_of_exactly_the_longest_length_loses_nothing_and_a_nanosecond_more_loses_that() {
    assert_eq!(started(Pacing::game_loop()).frame(250 * MS).dropped(), Duration::ZERO);
    let mut pacer = started(Pacing::game_loop());
    assert_eq!(pacer.frame(250 * MS + NS).dropped_by(DropReason::Clamp), NS);
    assert_eq!(pacer.stats().lag_spikes(), 1);
}

#[test]
fn every_limit_can_be_switched_off() {
    let unlimited = Pacing::starship()
        .with_stall(None)
        .with_longest_frame(None)
        .with_backlog(None)
        .with_backlog_steps(None)
        .with_steps_max(None);
    let frame = started(unlimited).frame(Duration::from_mins(1));
    assert_eq!((frame.steps(), frame.dropped()), (3_600, Duration::ZERO));
}

#[test]
fn five_intervals_hold_five_steps_at_every_rate() {
    for hz in 1..=60 {
        let mut pacer = started(Pacing::fixed_time_step().with_rate(Rate::hz(hz)));
        assert_eq!(pacer.frame(Duration::from_mins(1)).steps(), 5, "{hz} Hz");
    }
}

#[test]
fn the_step_cap_grows_with_the_scale_and_never_falls_below_its_base() {
    for (scale, cap) in [(0.01, 4), (0.5, 4), (1.0, 4), (1.01, 5), (1.2, 5), (2.1, 9), (4.0, 16)] {
        // Enough is pending when the scale is set, so the frame runs as many steps as the cap.
        let carry = Pacing::game_loop().with_excess(Excess::Carry).with_steps_max(1);
        let mut pacer = started(carry);
        for n in 1..=20 {
            pacer.frame(250 * MS * n);
        }
        pacer.set_pacing(pacer.pacing().with_steps_max(evenstep::classic::MAX_STEPS_BASE));
        pacer.set_scale(Channel::TIME_DILATION, scale);
        assert_eq!(pacer.frame(5_000 * MS).steps(), cap, "at scale {scale}");
    }
}

#[test]
fn scaled_time_never_drifts() {
    let mut pacer = started(Pacing::game_loop());
    pacer.set_scale(Channel::TIME_DILATION, 0.3);
    let mut now = Duration::ZERO;
    for n in 0..1_000_000_u64 {
        now += Duration::from_nanos(6_944_443 + n % 3);
        pacer.frame(now);
    }
    // Rounding 0.3 to 32 binary places is off by less than 1e-10; nothing else is lost.
    let played = (pacer.ledger().simulated_ns + pacer.ledger().pending_ns) as f64;
    let wanted = now.as_nanos() as f64 * 0.3;
    assert!((played - wanted).abs() < wanted * 4e-10 + 1.0, "{played} ns instead of {wanted}");
}

#[test]
fn what_the_cap_refuses_is_drained_dropped_or_carried() {
    let frame = |excess| {
        let mut pacer = started(Pacing::game_loop().with_steps_max(2).with_excess(excess));
        let frame = pacer.frame(60 * MS);
        assert_eq!(frame.steps(), 2);
        (
            frame.dropped_by(DropReason::Cap).as_micros(),
            (frame.alpha() * 100.0).round(),
            pacer.frame(60 * MS).steps(),
        )
    };
    assert_eq!(frame(Excess::Drain), (26_666, 0.0, 0));
    assert_eq!(frame(Excess::KeepPhase), (16_666, 60.0, 0));
    assert_eq!(frame(Excess::Carry), (0, 100.0, 1));
}

#[test]
fn an_event_at_the_very_end_of_a_tick_belongs_to_it() {
    let mut pacer = Pacer::new(Pacing::game_loop());
    let mut input: InputLatch<(), 4> = InputLatch::new(Latching::ByTime);
    pacer.frame(Duration::ZERO);
    let frame_at = 50 * MS;
    input.push(Duration::from_nanos(16_666_667), ()).unwrap();
    let frame = pacer.frame(frame_at);
    assert_eq!(frame.tick_end(0), Duration::from_nanos(16_666_667), "the first nanosecond not before 1/60 s");
    assert_eq!(input.take(&frame, 0), Some(()), "just in time");
    input.push(Duration::from_nanos(16_666_668), ()).unwrap();
    assert_eq!(input.take(&frame, 0), None, "a nanosecond late");
    assert_eq!(input.take(&frame, 1), Some(()));
    input.push(frame_at, ()).unwrap();
    assert_eq!(frame.tick_end(2), frame_at);
    assert_eq!(input.take(&frame, 2), Some(()), "just in time");
}

#[test]
fn a_tick_carried_from_before_the_clock_began_ends_no_earlier_than_that() {
    let mut pacer = started(Pacing::game_loop().with_excess(Excess::Carry).with_steps_max(1));
    pacer.frame(100 * MS);
    pacer.set_scale(Channel::TIME_DILATION, 0.001);
    let frame = pacer.frame(110 * MS);
    assert_eq!((frame.steps(), frame.tick_end(1)), (1, Duration::ZERO));
}

#[test]
fn with_the_display_lock_a_small_step_back_is_noise_and_a_large_one_sets_the_clock_back() {
    let mut pacer = started(Pacing::game_loop().with_display_lock(DisplayLock::Follow));
    for n in 1..=1_000 {
        pacer.frame(MS * 10 * n);
        pacer.frame(MS * (10 * n - 3));
    }
    assert_eq!(pacer.wall_time(), Duration::from_secs(10));
    pacer.frame(Duration::from_secs(5));
    assert_eq!(pacer.frame(5_020 * MS).steps(), 1);
}

#[test]
fn without_the_lock_no_time_passes_on_a_step_back_and_the_next_frame_is_measured_from_it() {
    let mut pacer = started(Pacing::game_loop());
    pacer.frame(100 * MS);
    assert_eq!(pacer.frame(60 * MS).raw_dt(), Duration::ZERO);
    assert_eq!(pacer.frame(75 * MS).raw_dt(), 15 * MS);
}

#[test]
fn an_event_waits_no_longer_when_the_clock_is_set_back() {
    let mut pacer = Pacer::new(Pacing::hz(60));
    let mut input: InputLatch<(), 4> = InputLatch::new(Latching::ByTime);
    pacer.frame(Duration::from_mins(1));
    let frame = pacer.frame(Duration::from_mins(1) + 20 * MS);
    assert_eq!(input.take(&frame, 0), None);
    input.push(Duration::from_mins(1) + 21 * MS, ()).unwrap();
    pacer.frame(Duration::ZERO);
    let taken = (1..=3).filter_map(|n| {
        let frame = pacer.frame(17 * MS * n);
        frame.ticks().find_map(|tick| input.take(&frame, tick))
    });
    assert_eq!(taken.count(), 1);
}

#[test]
fn a_game_that_dropped_time_counts_as_slow_however_long_its_frames() {
    for gap in [300, 499, 500, 1_000, 60_000] {
        let mut pacer = started(Pacing::hz(60));
        pacer.frame(gap * MS);
        assert!(pacer.stats().is_running_slowly(), "after {gap} ms");
        for n in 1..=60 {
            pacer.frame(gap * MS + Rate::hz(60).time_of(n));
        }
        assert!(!pacer.stats().is_running_slowly(), "a second after {gap} ms");
    }
}

#[test]
fn drawing_leaves_less_of_the_budget_for_catching_up() {
    let steps_after_drawing_for = |draw_ms: u32| {
        let mut pacer = started(Pacing::game_loop().with_budget(20 * MS));
        pacer.frame(17 * MS);
        pacer.steps_done(21 * MS);
        pacer.draw_done((21 + draw_ms) * MS);
        pacer.frame(200 * MS).steps()
    };
    assert_eq!([0, 8, 16, 36].map(steps_after_drawing_for), [5, 3, 1, 1]);
}

#[test]
fn the_recommended_loop_runs_a_frame_of_the_longest_length_in_full_at_any_rate() {
    for rate in [Rate::hz(30), Rate::hz(60), Rate::new(60_000, 1_001), Rate::hz(144), Rate::hz(240)] {
        assert_eq!(started(Pacing::at(rate)).frame(250 * MS).dropped(), Duration::ZERO, "{rate:?}");
    }
}

#[test]
fn a_lag_spike_misses_as_many_whole_steps_as_it_lasted() {
    let missed = |gap: Duration| started(Pacing::game_loop()).frame(gap).missed();
    assert_eq!(missed(300 * MS), 18);
    assert_eq!(missed(Duration::from_nanos(299_999_999)), 17);
    assert_eq!(missed(Duration::MAX), u32::MAX);
}
