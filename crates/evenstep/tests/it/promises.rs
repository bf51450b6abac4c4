//! What a real host relies on: resets, absences, freezes, slow frames and unusual limits.

use std::time::Duration;

use crate::commands::Random;
use evenstep::{
    Channel, DisplayLock, DropReason, Excess, Gate, InputLatch, Latching, LockState, Outcome, Pacer, Pacing,
    Rate,
};

pub(crate) const MS: Duration = Duration::from_millis(1);

pub(crate) fn started(pacing: Pacing) -> Pacer {
    let mut pacer = Pacer::new(pacing);
    pacer.reset_frame_timing(Duration::ZERO);
    pacer
}

/// The frames of a display after `first`, with uniform noise of up to `noise_us` in both directions.
pub(crate) fn noisy(rate: Rate, first: u64, noise_us: u64, random: &mut Random) -> impl FnMut() -> Duration {
    let mut n = first;
    move || {
        n += 1;
        let early = Duration::from_secs(1).saturating_sub(Duration::from_micros(noise_us));
        rate.time_of(n) + early + Duration::from_nanos(random.below(2 * noise_us * 1_000 + 1))
    }
}

#[test]
fn no_order_of_resets_loses_the_ledger() {
    type Reset = fn(&mut Pacer);
    let resets: [Reset; 6] = [
        |pacer| pacer.reset(None),
        |pacer| pacer.reset(Duration::from_secs(3)),
        |pacer| pacer.reset_frame_timing(None),
        |pacer| pacer.reset_frame_timing(Duration::from_secs(5)),
        Pacer::suspend,
        |pacer| {
            pacer.frame(Duration::from_secs(9));
        },
    ];
    for first in resets {
        for second in resets {
            for third in resets {
                let mut random = Random(11);
                let mut now = noisy(Rate::hz(60), 0, 300, &mut random);
                let mut pacer = Pacer::new(Pacing::hz(60));
                for _ in 0..600 {
                    pacer.frame(now());
                }
                let wall = pacer.wall_time();
                for reset in [first, second, third] {
                    reset(&mut pacer);
                    assert!(pacer.ledger().is_balanced());
                    assert!(pacer.wall_time() >= wall, "{:?} of {wall:?}", pacer.wall_time());
                }
            }
        }
    }
}

#[test]
fn with_the_display_lock_one_tap_per_step_is_one_tap_per_tick() {
    for lock in [DisplayLock::Off, DisplayLock::Follow, DisplayLock::RateLock] {
        for display in [Rate::hz(60), Rate::new(60_000, 1_001), Rate::hz(120), Rate::hz(30)] {
            for seed in 1..=5 {
                let mut random = Random(seed * 977);
                let mut pacer = Pacer::new(Pacing::hz(60).with_display_lock(lock));
                let mut input: InputLatch<(), 256> = InputLatch::new(Latching::ByTime);
                let mut now =
                    noisy(display, 0, if lock == DisplayLock::Off { 0 } else { 2_000 }, &mut random);
                // With a rate lock, the game runs at the display's speed.
                let follows = lock == DisplayLock::RateLock && display.as_hz().round() == 60.0;
                let taps = if follows { display } else { Rate::hz(60) };
                let first = now();
                pacer.frame(first);
                let mut tap = 0;
                let mut wrong = 0;
                let mut ticks = 0;
                let frames = (20.0 * display.as_hz()) as u64;
                for n in 0..frames {
                    let at = now();
                    let frame = pacer.frame(at);
                    // Half a step away from the ends of ticks.
                    let tap_at =
                        |k: u64| taps.time_of(k) + Duration::from_micros(10_400) + Duration::from_secs(1);
                    while tap_at(tap) <= at {
                        input.push(tap_at(tap), ()).unwrap();
                        tap += 1;
                    }
                    for tick in frame.ticks() {
                        let taken = std::iter::from_fn(|| input.take(&frame, tick)).count();
                        // The lock needs a few seconds, and at first there is nothing to take.
                        if n > frames / 2 {
                            (ticks, wrong) = (ticks + 1, wrong + u32::from(taken != 1));
                        }
                    }
                }
                assert!(ticks > 500);
                assert!(wrong <= ticks / 100, "{lock:?} on {display}, seed {seed}: {wrong} of {ticks} ticks");
            }
        }
    }
}

#[test]
fn a_frame_that_is_not_drawn_is_not_charged_for_the_last_drawing() {
    let undrawn = |pacing: Pacing| {
        let mut pacer = Pacer::new(pacing.with_budget(10 * MS));
        // A frame of one cheap step and a long drawing.
        pacer.frame(Duration::ZERO);
        assert_eq!(pacer.frame(17 * MS).steps(), 1);
        pacer.steps_done(17 * MS + MS / 10);
        pacer.draw_done(417 * MS);
        let mut steps = 0;
        for n in 1..=30 {
            let now = (17 + 33 * n) * MS;
            let frame = pacer.frame(now);
            steps += frame.steps();
            pacer.steps_done(now + MS / 10 * frame.steps());
        }
        steps
    };
    assert_eq!(undrawn(Pacing::hz(60)), 59, "only the first frame is charged");
    assert_eq!(undrawn(Pacing::hz(60).with_draw_rate(Rate::new(1, 60))), 60, "no frame is to be drawn");
}

#[test]
fn frame_rate_and_tick_rate_are_per_second_of_wall_time() {
    for (pacing, fps, wanted, ticks) in [
        (Pacing::starship(), 10, 10.0, 19.8),
        (Pacing::hz(60), 2, 2.0, 30.0),
        (Pacing::hz(60), 60, 60.0, 60.0),
        (Pacing::game_loop(), 60, 60.0, 60.0),
        (Pacing::game_loop(), 144, 144.0, 60.0),
    ] {
        let mut pacer = Pacer::new(pacing);
        let mut first_second = None;
        for n in 0..=fps * 20 {
            pacer.frame(Rate::hz(fps).time_of(n.into()));
            if n == fps {
                first_second = Some(pacer.stats().fps());
            }
        }
        assert!(
            (pacer.stats().fps() - wanted).abs() < 1e-6,
            "{} frames a second at {fps}",
            pacer.stats().fps()
        );
        let measured = pacer.stats().ticks_per_second();
        assert!((measured - ticks).abs() <= 1.0, "{measured} ticks a second at {fps}");
        assert_eq!(first_second.map(f64::round), Some(wanted), "the first second");
    }
}

#[test]
fn the_clamp_keeps_the_phase_at_every_scale_where_it_can() {
    for lock in [DisplayLock::Off, DisplayLock::Follow] {
        for scale in [1.0, 0.5, 0.3, 1.7, 4.0] {
            for hitch_us in (250_001..900_000).step_by(7_919) {
                let mut pacer = started(Pacing::hz(60).with_display_lock(lock));
                pacer.set_scale(Channel::TIME_DILATION, scale);
                let hitch = Duration::from_micros(hitch_us);
                let frame = pacer.frame(hitch);
                let steps = 0.875 + hitch.as_secs_f64() * scale * 60.0;
                let off = (frame.alpha() - steps.fract()).abs();
                assert!(off.min(1.0 - off) < 1e-6, "alpha {} after {hitch:?} at {scale}", frame.alpha());
                assert!(frame.raw_dt() <= 250 * MS);
                assert_eq!(frame.raw_dt() + frame.dropped_by(DropReason::Clamp), hitch);
                assert!(
                    frame.raw_dt() + Rate::hz(60).step().div_f64(scale) + MS > 250 * MS,
                    "drops no more than necessary"
                );
            }
        }
    }
    let mut held = started(Pacing::hz(60));
    held.set_gate(Gate::Paused);
    assert_eq!(held.frame(777 * MS).raw_dt(), 250 * MS, "no phase to keep while held");
    let mut still = started(Pacing::hz(60));
    still.set_scale(Channel::TIME_DILATION, 0.0);
    assert_eq!(still.frame(777 * MS).raw_dt(), 250 * MS, "no phase to keep at scale 0");
}

#[test]
fn a_hitch_never_leaves_a_steady_display_on_the_step_boundary() {
    for hitch_us in (260_000..300_000).step_by(37) {
        let mut pacer = started(Pacing::hz(60).with_display_lock(DisplayLock::Off));
        let frame_at = |n: u64| Rate::hz(60).time_of(n);
        for n in 1..=60 {
            pacer.frame(frame_at(n));
        }
        // One late wake-up; the display continues on its grid.
        pacer.frame(frame_at(60) + Duration::from_micros(hitch_us));
        let noise = |n: u64| Duration::from_micros(n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56);
        pacer.frame(frame_at(80) + noise(80));
        let wrong = (81..200).filter(|&n| pacer.frame(frame_at(n) + noise(n)).steps() != 1).count();
        assert_eq!(wrong, 0, "after {hitch_us} us");
    }
}

#[test]
fn hiding_and_showing_simulates_exactly_the_visible_time() {
    for rate in [Rate::hz(144), Rate::hz(60), Rate::new(60_000, 1_001)] {
        for lock in [DisplayLock::Off, DisplayLock::Follow] {
            let mut pacer = Pacer::new(Pacing::hz(60).with_display_lock(lock));
            let mut seen = Duration::ZERO;
            let mut origin = Duration::ZERO;
            for visit in 0..100_u32 {
                for n in 0..10 {
                    pacer.frame(origin + rate.time_of(n));
                }
                seen += rate.time_of(9);
                let alpha = pacer.alpha();
                pacer.suspend();
                assert_eq!(pacer.alpha(), alpha, "nothing jumps");
                origin += Duration::from_secs(7) + Duration::from_micros(u64::from(visit) * 911);
            }
            let ledger = pacer.ledger();
            let game = (ledger.simulated_ns + ledger.pending_ns - ledger.head_start_ns).cast_signed()
                + ledger.held_ns;
            assert_eq!(game, seen.as_nanos().cast_signed(), "{rate} {lock:?}");
            assert_eq!((pacer.wall_time(), ledger.forfeited_ns), (seen, 0));
            assert!(pacer.stats().frame_time(0.0) > Duration::ZERO, "starting the clock has no frame time");
        }
    }
}

#[test]
fn no_configuration_blocks_the_game_permanently() {
    let limits = [Duration::ZERO, Duration::from_nanos(1), 10 * MS, 16 * MS];
    let mut configurations = vec![
        Pacing::starship().with_rate(Rate::hz(3)),
        Pacing::hz(60).with_rate(Rate::hz(1)),
        Pacing::game_loop().with_backlog_steps(0),
        Pacing::game_loop().with_backlog_steps(1),
        Pacing::hz(60).with_budget(Duration::ZERO),
        Pacing::hz(60).with_steps_max(0),
        Pacing::at(Rate::new(1, 3_600)),
        Pacing::at(Rate::new(1, 550)),
        Pacing::game_loop().with_rate(Rate::new(1, 3_600)).with_longest_frame(None),
    ];
    for limit in limits {
        configurations.push(Pacing::game_loop().with_backlog(limit));
        configurations.push(Pacing::hz(60).with_longest_frame(limit));
        configurations.push(Pacing::hz(60).with_stall(limit));
    }
    for pacing in configurations {
        let mut pacer = started(pacing);
        let woken_once_a_tick = (1..=40).map(|n| pacer.frame(pacing.rate().time_of(n)).steps()).sum::<u32>();
        assert!((39..=40).contains(&woken_once_a_tick), "{woken_once_a_tick} of 40 steps with {pacing:?}");
    }
}

#[test]
fn a_slow_game_woken_once_a_tick_keeps_its_speed() {
    for hz in 1..=5 {
        let mut pacer = started(Pacing::hz(hz));
        for n in 1..=100 {
            pacer.frame(Rate::hz(hz).time_of(n));
        }
        assert_eq!((pacer.tick(), pacer.ledger().dropped_ns(DropReason::Clamp)), (100, 0), "{hz} Hz");
    }
}

#[test]
fn a_faster_rate_does_not_begin_with_a_burst() {
    for (from, to) in [(60, 240), (1, 1_000), (30, 1_000_000), (240, 60)] {
        let mut pacer = started(Pacing::hz(from));
        pacer.frame(Rate::hz(from).step() / 8);
        let waiting = pacer.pending();
        pacer.set_pacing(Pacing::hz(to));
        assert!(pacer.pending() <= Rate::hz(to).step() + Duration::from_nanos(1));
        let dropped = Duration::from_nanos(pacer.ledger().dropped_ns(DropReason::Rate) as u64);
        assert_eq!(pacer.pending() + dropped, waiting);
        assert!(pacer.frame(Rate::hz(from).step() / 8).steps() <= 1, "{from} Hz to {to} Hz");
        assert!(pacer.ledger().is_balanced());
    }
    let mut original = started(Pacing::fixed_time_step());
    original.frame(16 * MS);
    original.set_fps(60.0, 50.0);
    assert_eq!((original.pending(), original.ledger().dropped_ns(DropReason::Rate)), (16 * MS, 0));
}

#[test]
fn every_gap_that_loses_a_step_is_a_lag_spike() {
    for (pacing, gap) in [
        (Pacing::starship(), 150),
        (Pacing::fixed_time_step(), 3_000),
        (Pacing::game_loop(), 251),
        (Pacing::hz(60), 300),
        (Pacing::hz(60).with_steps_max(4), 200),
        (Pacing::hz(60).with_stall(Duration::from_secs(1)), 700),
    ] {
        let mut pacer = started(pacing);
        let frame = pacer.frame(gap * MS);
        assert!(frame.dropped() > Duration::ZERO);
        assert_eq!(pacer.stats().lag_spikes(), 1, "{gap} ms");
        assert_eq!(frame.missed(), (f64::from(gap) / 1_000.0 * 60.0 + 1e-9) as u32);
    }
    let mut slow_phone = started(Pacing::starship());
    slow_phone.frame(40 * MS);
    assert_eq!(slow_phone.stats().lag_spikes(), 0, "7 ms are less than a step");
}

#[test]
fn only_a_game_that_lost_time_while_it_ran_runs_slowly() {
    let mut carry = started(Pacing::game_loop().with_excess(Excess::Carry).with_steps_max(1));
    carry.frame(100 * MS);
    assert!(!carry.stats().is_running_slowly(), "nothing was dropped");
    for gate in [Gate::Menu, Gate::Paused] {
        let mut away = started(Pacing::hz(60));
        away.set_gate(gate);
        away.frame(Duration::from_hours(1));
        assert!(!away.stats().is_running_slowly(), "the laptop slept in {gate:?}");
    }
    let mut frozen = started(Pacing::hz(60));
    frozen.hit_freeze(MS);
    frozen.frame(Duration::from_secs(1));
    assert!(!frozen.stats().is_running_slowly());
}

#[test]
fn steps_are_timed_from_their_own_frame_whatever_the_clock_did() {
    let mut pacer = started(Pacing::hz(60));
    pacer.frame(100 * MS);
    pacer.frame(97 * MS);
    pacer.steps_done(99 * MS);
    assert_eq!(pacer.stats().step_time(), 2 * MS);
    pacer.frame(117 * MS);
    pacer.reset(None);
    pacer.steps_done(120 * MS);
    assert_eq!(pacer.stats().step_time(), 3 * MS, "the game may reset itself in a step");
}

#[test]
fn switching_the_display_lock_gives_up_no_time() {
    let mut random = Random(5);
    let mut now = noisy(Rate::hz(60), 0, 2_000, &mut random);
    let mut pacer = Pacer::new(Pacing::hz(60));
    for n in 0..6_000 {
        if n % 97 == 0 {
            let lock = if n % 2 == 0 { DisplayLock::Follow } else { DisplayLock::Off };
            pacer.set_pacing(pacer.pacing().with_display_lock(lock));
        }
        pacer.frame(now());
        assert!(pacer.ledger().is_balanced() && pacer.ledger().forfeited_ns == 0);
    }
    pacer.set_pacing(pacer.pacing().with_display_lock(DisplayLock::Off));
    for _ in 0..120 {
        pacer.frame(now());
    }
    assert_eq!(pacer.ledger().held_ns, 0, "all withheld time was returned");
    assert_eq!(pacer.lock_state(), LockState::Off);
}

#[test]
fn a_freeze_leaves_slow_motion_alone_but_the_original_resets_it() {
    for (pacing, wanted) in [(Pacing::hz(60), 0.3), (Pacing::starship(), 1.0)] {
        let mut pacer = started(pacing);
        pacer.hit_freeze(20 * MS);
        pacer.set_scale(Channel::TIME_DILATION, 0.3);
        assert_eq!(pacer.frame(16 * MS).outcome(), Outcome::Frozen);
        assert_eq!(pacer.frame(33 * MS).outcome(), Outcome::Frozen);
        assert_eq!(pacer.channel(Channel::TIME_DILATION), wanted);
    }
}

#[test]
fn a_short_hitstop_does_not_cut_off_a_longer_one_and_zero_ends_it() {
    let mut pacer = started(Pacing::hz(60));
    pacer.hitstop(12, 0.5);
    pacer.hitstop(3, 0.1);
    assert_eq!((pacer.hitstop_left(), pacer.scale()), (200 * MS, 0.5));
    pacer.frame(190 * MS);
    pacer.hitstop(3, 0.1);
    assert_eq!(
        (pacer.hitstop_left(), pacer.scale()),
        (50 * MS, 0.1),
        "it lasts longer than the remaining time"
    );
    pacer.hitstop(0, 0.0);
    assert!(!pacer.is_in_hitstop() && pacer.scale() == 1.0);
    let mut original = started(Pacing::game_loop());
    original.hitstop(12, 0.5);
    original.hitstop(3, 0.1);
    assert_eq!((original.hitstop_left(), original.scale()), (50 * MS, 0.1));
}

#[test]
fn carried_steps_under_a_budget_have_a_ceiling() {
    for pacing in [Pacing::hz(60), Pacing::game_loop().with_longest_frame(None)] {
        let mut pacer = started(pacing.with_excess(Excess::Carry).with_budget(5 * MS));
        for n in 1..=2_000 {
            let now = 100 * MS * n;
            let frame = pacer.frame(now);
            pacer.steps_done(now + 20 * MS * frame.steps());
            assert!(pacer.pending() <= 250 * MS, "{:?} pending", pacer.pending());
        }
    }
}

#[test]
fn a_host_that_sleeps_until_the_next_due_time_loses_nothing() {
    let mut random = Random(77);
    for pacing in [Pacing::hz(60), Pacing::hz(1), Pacing::starship(), Pacing::game_loop(), Pacing::hz(144)] {
        let mut pacer = Pacer::new(pacing.with_display_lock(DisplayLock::Off));
        let mut now = Duration::ZERO;
        let mut idle = 0;
        for n in 0..4_000 {
            match random.below(40) {
                0 => pacer.hit_freeze(Duration::from_millis(random.below(150))),
                1 => pacer.hitstop(random.below(9) as u32, random.below(3) as f64 / 4.0),
                2 => pacer.set_scale(Channel::TIME_DILATION, random.below(5) as f64 / 4.0),
                3 => pacer.fast_forward(random.below(3) as u32),
                _ => {}
            }
            let was = (pacer.tick(), pacer.freeze_left(), pacer.hitstop_left());
            let Some(due) = pacer.next_due() else {
                assert_eq!(pacer.scale(), 0.0);
                pacer.set_scale(Channel::TIME_DILATION, 1.0);
                continue;
            };
            assert!(due >= now || n == 0);
            if due > now + Duration::from_nanos(1) {
                let mut early = pacer.clone();
                early.frame(due.saturating_sub(Duration::from_nanos(1)));
                assert_eq!(early.tick(), was.0, "a nanosecond early is too early");
            }
            now = due;
            let frame = pacer.frame(now);
            assert_eq!(frame.dropped(), Duration::ZERO);
            let nothing = was == (pacer.tick(), pacer.freeze_left(), pacer.hitstop_left());
            idle += u32::from(nothing && n > 0);
        }
        // Only in slow motion, where the next tick is beyond the longest frame.
        assert!(idle < 1_000, "{idle} idle frames with {pacing:?}");
    }
    let mut held = started(Pacing::hz(60));
    held.set_gate(Gate::Paused);
    assert_eq!(held.next_due(), None);
    held.step_by_hand(1);
    assert_eq!(held.next_due(), Some(Duration::ZERO), "immediately");
}

#[test]
fn fast_forward_runs_once_when_the_game_runs_and_is_recorded_in_the_ledger() {
    let mut pacer = started(Pacing::hz(60));
    pacer.set_gate(Gate::Paused);
    pacer.fast_forward(500);
    assert_eq!(pacer.frame(16 * MS).steps(), 0, "not while held");
    pacer.set_gate(Gate::Open);
    let frame = pacer.frame(33 * MS);
    assert_eq!((frame.steps(), frame.fast_forwarded(), frame.ticks()), (501, 500, 0..501));
    assert_eq!(pacer.frame(50 * MS).fast_forwarded(), 0);
    assert_eq!(pacer.ledger().fast_forward_ns, 500 * 16_666_666);
    assert!(pacer.ledger().is_balanced());
    assert!(frame.explain().to_string().contains("500 fast-forwarded"));
}

#[test]
fn every_property_of_a_frame_can_be_read() {
    let mut pacer = started(Pacing::game_loop().with_draw_rate(Rate::hz(30)));
    pacer.set_scale(Channel::TIME_DILATION, 0.25);
    let frame = pacer.frame(17 * MS);
    assert_eq!((frame.now(), frame.elapsed(), frame.scale()), (17 * MS, 17 * MS, 0.25));
    assert_eq!((frame.scaled_dt(), frame.is_by_hand()), (Duration::from_micros(4_250), false));
    assert_eq!(frame.should_draw(), pacer.frame(17 * MS).draw_dt().is_zero(), "since the last frame to draw");
    pacer.set_gate(Gate::Paused);
    pacer.step_by_hand(2);
    let frame = pacer.frame(34 * MS);
    assert_eq!((frame.steps(), frame.is_by_hand(), frame.scaled_dt()), (2, true, Duration::ZERO));
    assert_eq!(pacer.stats().frames(), 3);
}
