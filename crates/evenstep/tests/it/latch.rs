//! Invariants of the input latch: every event once, in order of arrival, and none waits indefinitely.

use std::time::Duration;

use evenstep::{Channel, DisplayLock, Frame, InputLatch, Latching, Pacer, Pacing};
use proptest::prelude::*;

const LATCHINGS: [Latching; 2] = [Latching::ByTime, Latching::FirstTick];

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// All events that a frame's ticks take, with the tick of each.
fn take_all<E, const N: usize>(input: &mut InputLatch<E, N>, frame: &Frame) -> Vec<(u64, E)> {
    let mut taken = Vec::new();
    for tick in frame.ticks() {
        while let Some(event) = input.take(frame, tick) {
            taken.push((tick, event));
        }
    }
    taken
}

/// An action on a latch and its pacer.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// A frame this many nanoseconds after the last.
    Frame(u64),
    /// A frame whose clock was set back by this many nanoseconds.
    SetBack(u64),
    /// An event this many nanoseconds after or before the last frame.
    Push(i64),
}

fn any_act() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => (0..60_000_000_u64).prop_map(Act::Frame),
        1 => prop_oneof![0..1_000_000_u64, 0..1_000_000_000_u64, any::<u64>()].prop_map(Act::SetBack),
        6 => (-20_000_000..60_000_000_i64).prop_map(Act::Push),
        2 => (-1_000_000_000..1_000_000_000_i64).prop_map(Act::Push),
        1 => any::<i64>().prop_map(Act::Push),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_event_reaches_exactly_one_tick_in_the_order_of_arrival_and_none_waits_over_a_second(
        latching in prop::sample::select(&LATCHINGS[..]),
        lock in prop::sample::select(vec![DisplayLock::Off, DisplayLock::Follow]),
        scale in prop_oneof![Just(1.0), 0.1..4.0_f64],
        acts in prop::collection::vec(any_act(), 1..100),
    ) {
        let mut input: InputLatch<usize, 128> = InputLatch::new(latching);
        let mut pacer = Pacer::new(Pacing::hz(60).with_display_lock(lock));
        pacer.set_scale(Channel::TIME_DILATION, scale);
        let mut now = 100_000_000_000_u64;
        let mut pushed = 0;
        let mut taken = Vec::new();
        let mut run = |input: &mut InputLatch<usize, 128>, now: u64| {
            let frame = pacer.frame(Duration::from_nanos(now));
            let new = take_all(input, &frame);
            if latching == Latching::FirstTick && frame.steps() > 0 {
                assert!(new.iter().all(|&(tick, _)| tick == frame.first_tick()), "the first tick takes all");
            }
            taken.extend(new.into_iter().map(|(_, id)| id));
        };
        for act in acts {
            match act {
                Act::Frame(gap) => now += gap,
                Act::SetBack(by) => now = now.saturating_sub(by),
                Act::Push(offset) => {
                    let at = Duration::from_nanos(now.saturating_add_signed(offset));
                    prop_assert!(input.push(at, pushed).is_ok());
                    pushed += 1;
                    continue;
                }
            }
            run(&mut input, now);
        }
        // One second for the latest event, and a few ticks at the slowest scale.
        for _ in 0..30 {
            now += 50_000_000;
            run(&mut input, now);
        }
        prop_assert!(input.is_empty(), "every event was taken");
        prop_assert_eq!(taken, (0..pushed).collect::<Vec<_>>());
    }

    #[test]
    fn an_event_in_order_goes_to_the_tick_whose_interval_contains_its_time(
        scale in prop_oneof![Just(1.0), 0.1..4.0_f64],
        frames in prop::collection::vec((0..60_000_000_u64, prop::collection::vec(0..60_000_000_u64, 0..4)), 1..100),
    ) {
        let mut input: InputLatch<Duration, 1_000> = InputLatch::new(Latching::ByTime);
        let mut pacer = Pacer::new(Pacing::game_loop());
        pacer.set_scale(Channel::TIME_DILATION, scale);
        pacer.frame(Duration::ZERO);
        let mut now = 0;
        let mut last_end = Duration::ZERO;
        for (gap, mut offsets) in frames {
            offsets.sort_unstable();
            for offset in offsets {
                let at = Duration::from_nanos(now + offset.min(gap));
                prop_assert!(input.push(at, at).is_ok());
            }
            now += gap;
            let frame = pacer.frame(Duration::from_nanos(now));
            for tick in frame.ticks() {
                let end = frame.tick_end(tick);
                prop_assert!(end <= Duration::from_nanos(now));
                while let Some(at) = input.take(&frame, tick) {
                    prop_assert!(last_end <= at && at <= end, "{:?} <= {:?} <= {:?}", last_end, at, end);
                }
                last_end = end;
            }
        }
    }
}

#[test]
fn a_release_never_overtakes_its_press_whatever_the_timestamps_say() {
    for latching in LATCHINGS {
        let mut pacer = Pacer::new(Pacing::hz(60));
        let mut input: InputLatch<&str, 4> = InputLatch::new(latching);
        pacer.frame(ms(0));
        input.push(ms(20), "press").unwrap();
        input.push(ms(15), "release").unwrap();
        let frame = pacer.frame(ms(60));
        let order: Vec<_> = take_all(&mut input, &frame).into_iter().map(|(_, event)| event).collect();
        assert_eq!(order, ["press", "release"], "{latching:?}");
    }
}

#[test]
fn order_survives_a_clock_that_is_set_back_between_two_events() {
    for latching in LATCHINGS {
        let mut pacer = Pacer::new(Pacing::hz(60));
        let mut input: InputLatch<&str, 4> = InputLatch::new(latching);
        pacer.frame(ms(60_000));
        input.push(ms(60_003), "press").unwrap();
        pacer.frame(ms(0));
        input.push(ms(5), "release").unwrap();
        let order: Vec<_> = (1..4)
            .flat_map(|n| take_all(&mut input, &pacer.frame(ms(17 * n))))
            .map(|(_, event)| event)
            .collect();
        assert_eq!(order, ["press", "release"], "{latching:?}");
    }
}

#[test]
fn an_event_from_a_clock_far_ahead_counts_as_now_and_holds_up_no_other() {
    let mut pacer = Pacer::new(Pacing::hz(60));
    let mut input: InputLatch<&str, 4> = InputLatch::new(Latching::ByTime);
    pacer.frame(ms(0));
    input.push(ms(3_600_000), "far").unwrap();
    input.push(ms(10), "near").unwrap();
    let taken = [20, 40].map(|now| take_all(&mut input, &pacer.frame(ms(now))).len());
    assert_eq!(taken.iter().sum::<usize>(), 2);
}

#[test]
fn an_event_pushed_within_a_second_of_its_time_waits_for_its_tick() {
    let mut pacer = Pacer::new(Pacing::game_loop());
    let mut input: InputLatch<&str, 4> = InputLatch::new(Latching::ByTime);
    pacer.frame(ms(0));
    input.push(ms(990), "early").unwrap();
    let taken = (1..=60).flat_map(|n| take_all(&mut input, &pacer.frame(ms(17 * n))));
    assert_eq!(taken.collect::<Vec<_>>(), [(59, "early")]);
}

#[test]
fn a_clock_set_back_on_a_frame_without_ticks_is_noticed() {
    let mut input: InputLatch<char, 4> = InputLatch::new(Latching::ByTime);
    input.sync(ms(60_000));
    input.push(ms(60_003), 'a').unwrap();
    input.sync(ms(59_500));
    input.sync(ms(59_600));
    assert_eq!(input.take_until(ms(59_600)), Some('a'), "it moved back with the clock");
}

#[test]
fn waiting_events_are_listed_and_removed_in_order() {
    let mut input: InputLatch<u32, 4> = InputLatch::new(Latching::ByTime);
    // The ring buffer wraps in the middle.
    for n in 0..6 {
        input.push(ms(n), n as u32).unwrap();
        if n < 3 {
            assert_eq!(input.remove(0), Some(n as u32));
        }
    }
    let waiting: Vec<_> = input.iter().map(|(at, &event)| (at, event)).collect();
    assert_eq!(waiting, [(ms(3), 3), (ms(4), 4), (ms(5), 5)]);
    assert_eq!((input.remove(3), input.remove(1)), (None, Some(4)));
    assert_eq!(input.iter().map(|(_, &event)| event).rev().collect::<Vec<_>>(), [5, 3]);
    input.iter_mut().for_each(|(_, event)| *event *= 10);
    assert_eq!(input.iter().map(|(_, &event)| event).collect::<Vec<_>>(), [30, 50]);
    assert_eq!((input.take_until(ms(4)), input.take_until(ms(4)), input.len()), (Some(30), None, 1));
    let mut nothing: InputLatch<u32, 0> = InputLatch::new(Latching::FirstTick);
    assert_eq!((nothing.push(ms(0), 1), nothing.remove(0), nothing.take_until(ms(9))), (Err(1), None, None));
}
