//! Unusual combinations: wrong hints, late frames, outdated reports, switched locks.

use std::time::Duration;

use crate::commands::Random;
use crate::promises::{MS, noisy, started};
use evenstep::{Channel, DisplayLock, Excess, InputLatch, Latching, LockState, Pacer, Pacing, Rate};

#[test]
fn a_longest_frame_near_the_display_interval_or_the_step_does_not_stop_the_game() {
    let ticks = |pacing: Pacing, display: Rate, seconds: u64| {
        let mut pacer = started(pacing);
        let frames = (display.as_hz() * seconds as f64) as u64;
        (1..=frames).map(|n| u64::from(pacer.frame(display.time_of(n)).steps())).sum::<u64>()
    };
    let ntsc = Rate::new(60_000, 1_001);
    assert!(ticks(Pacing::hz(60).with_longest_frame(16 * MS), ntsc, 10) > 580);
    assert!(ticks(Pacing::hz(60).with_longest_frame(Duration::ZERO), Rate::hz(58), 10) > 550);
    // Slow motion in which a step lasts nearly as long as the longest frame.
    for gap in [250, 251, 260, 300] {
        let mut pacer = started(Pacing::hz(60));
        pacer.set_scale(Channel::TIME_DILATION, 0.07);
        for n in 1..=100 {
            pacer.frame(gap * MS * n);
        }
        assert!(pacer.tick() > 50, "{} ticks in 100 frames of {gap} ms", pacer.tick());
        pacer.hitstop(12, 0.067);
        let frames = (101..200).take_while(|&n| {
            pacer.frame(gap * MS * n);
            pacer.is_in_hitstop()
        });
        assert!(frames.count() <= 3, "a hitstop of 200 ms must end in frames of {gap} ms");
    }
}

#[test]
fn a_wrong_hint_only_delays_the_lock() {
    for (told, is) in [(60, 59.0), (60, 60.5), (60, 59.79), (144, 143.0), (75, 74.0), (60, 57.5), (60, 144.0)]
    {
        let mut pacer = Pacer::new(Pacing::hz(60));
        pacer.hint_refresh(Rate::hz(told).step());
        for n in 0..1_500 {
            pacer.frame(Duration::from_secs_f64(f64::from(n) / is));
        }
        let LockState::Locked { refresh_hz } = pacer.lock_state() else {
            panic!("hint {told} Hz, display {is} Hz: never locked")
        };
        assert!((refresh_hz - is).abs() < 0.01);
    }
}

#[test]
fn a_late_frame_skips_no_image_and_a_slow_phase_earns_no_extra_ones() {
    for (hz, late) in [(60, 6), (144, 3), (60, 4)] {
        let limited = Pacing::fixed_time_step().with_draw_rate(Rate::hz(hz));
        let mut pacer = Pacer::new(limited);
        let late_at = |n: u64| if n % 100 == 50 { late * MS } else { Duration::ZERO };
        let skipped =
            (0..6_000).filter(|&n| !pacer.frame(Rate::hz(hz).time_of(n) + late_at(n)).should_draw());
        assert_eq!(skipped.count(), 0, "{hz} Hz, {late} ms late");
    }
    for (limit, display) in [(60, 75), (50, 60), (144, 165)] {
        let mut pacer = Pacer::new(Pacing::fixed_time_step().with_draw_rate(Rate::hz(limit)));
        let slow = Rate::hz(limit / 2);
        for n in 0..200 {
            pacer.frame(slow.time_of(n));
        }
        let from = slow.time_of(200);
        let images = (0..3 * u64::from(display))
            .filter(|&n| pacer.frame(from + Rate::hz(display).time_of(n)).should_draw())
            .count();
        let most = 3 * limit as usize + 12;
        assert!(images <= most, "{images} images in 3 s under a limit of {limit} on {display} Hz");
    }
}

#[test]
fn outdated_costs_and_reports_without_a_frame_do_not_affect_the_budget() {
    let plain = Pacing::hz(60).with_display_lock(DisplayLock::Off);
    let mut pacer = started(plain);
    pacer.frame(17 * MS);
    pacer.steps_done(17 * MS + MS / 10);
    pacer.draw_done(400 * MS);
    for n in 2..=30 {
        pacer.frame(17 * MS * n);
    }
    pacer.set_pacing(plain.with_budget(10 * MS));
    assert_eq!(pacer.frame(610 * MS).steps(), 6, "the reported drawing is out of date");

    let mut pacer = started(plain.with_budget(10 * MS));
    for (at_ms, done, drawn) in [(17.0, 18, 19), (f64::NAN, 34, 35)] {
        pacer.frame_millis(at_ms);
        pacer.steps_done(done * MS);
        pacer.draw_done(drawn * MS);
    }
    assert_eq!(
        (pacer.frame(100 * MS).steps(), pacer.stats().step_time()),
        (5, MS),
        "a skipped frame has no cost"
    );

    let unreported =
        Pacing::game_loop().with_longest_frame(None).with_excess(Excess::Carry).with_budget(10 * MS);
    assert_eq!(started(unreported).frame(1_000 * MS).steps(), 60, "without reports the budget has no effect");
}

#[test]
fn pending_steps_are_due_at_any_scale_and_after_the_lock_was_switched_off() {
    let mut carry = started(Pacing::game_loop().with_excess(Excess::Carry).with_steps_max(1));
    carry.frame(100 * MS);
    carry.set_scale(Channel::TIME_DILATION, 0.0);
    assert_eq!((carry.next_due(), carry.frame(100 * MS).steps()), (Some(100 * MS), 1));

    for seed in 1..=20 {
        let mut random = Random(seed * 31);
        let mut now = noisy(Rate::hz(60), 0, 3_000, &mut random);
        let mut pacer = Pacer::new(Pacing::hz(60));
        for _ in 0..300 {
            pacer.frame(now());
        }
        pacer.set_pacing(pacer.pacing().with_display_lock(DisplayLock::Off));
        for wake in 0..100 {
            let tick = pacer.tick();
            let due = pacer.next_due().unwrap();
            let mut early = pacer.clone();
            early.frame(due.saturating_sub(Duration::from_nanos(1)));
            assert_eq!(early.tick(), tick, "seed {seed}, wake {wake}: a nanosecond early");
            assert!(pacer.frame(due).steps() > 0, "seed {seed}, wake {wake}: no step");
        }
    }
}

#[test]
fn noise_with_the_display_lock_moves_neither_ticks_nor_waiting_events_back() {
    let base = Duration::from_secs(5);
    let mut pacer = Pacer::new(Pacing::hz(60));
    let mut input: InputLatch<(), 8> = InputLatch::new(Latching::ByTime);
    pacer.frame(base);
    input.push(base + 900 * MS, ()).unwrap();
    let mut last_end = Duration::ZERO;
    let mut taken_at = None;
    for n in 1..=200 {
        for back in [0, 3] {
            let frame = pacer.frame(base + (10 * n - back) * MS);
            input.sync(frame.now());
            for tick in frame.ticks() {
                assert!(frame.tick_end(tick) >= last_end);
                last_end = frame.tick_end(tick);
                if input.take(&frame, tick).is_some() {
                    taken_at = Some(last_end);
                }
            }
        }
    }
    let at = taken_at.expect("its time has passed");
    assert!((base + 900 * MS..base + 920 * MS).contains(&at), "taken at {at:?}");
}

#[test]
fn a_reset_of_the_frame_timing_grants_the_head_start_of_the_current_configuration() {
    let mut pacer = Pacer::new(Pacing::hz(60));
    pacer.set_pacing(Pacing::hz(60).with_start_phase(0.0));
    pacer.reset_frame_timing(Duration::ZERO);
    assert_eq!(pacer.alpha(), 0.0);
    assert!(pacer.ledger().is_balanced());
}

#[test]
fn a_game_that_was_away_is_not_slow() {
    for leave in [Pacer::suspend, |pacer: &mut Pacer| pacer.reset_frame_timing(None)] {
        let mut pacer = started(Pacing::hz(60));
        pacer.frame(400 * MS);
        assert!(pacer.stats().is_running_slowly());
        leave(&mut pacer);
        pacer.frame(Duration::from_hours(1));
        assert!(!pacer.stats().is_running_slowly());
    }
}

#[test]
fn time_held_by_the_lock_stays_in_the_ledger_up_to_the_largest_timestamp() {
    let mut random = Random(3);
    let mut now = noisy(Rate::hz(60), 0, 3_000, &mut random);
    for frames in 300..330 {
        let mut pacer = Pacer::new(Pacing::hz(60));
        for _ in 0..frames {
            pacer.frame(now());
        }
        pacer.set_pacing(pacer.pacing().with_display_lock(DisplayLock::Off));
        pacer.frame(Duration::ZERO);
        pacer.frame(Duration::MAX);
        assert!(pacer.ledger().is_balanced());
    }
}
