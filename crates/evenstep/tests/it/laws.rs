//! Invariants of the pacer, over arbitrary timestamps and controls.

use std::time::Duration;

use crate::commands::{PACINGS, Random, pacings};
use crate::judge::{Act, Judge};
use evenstep::{DropReason, Gate, InputLatch, Latching, Outcome, Pacer, Pacing, Rate};
use proptest::prelude::*;

fn any_act() -> impl Strategy<Value = Act> {
    let nanos = prop_oneof![
        any::<u64>(),
        0..2_000_000_000_u64,
        Just(0),
        Just(u64::MAX),
        Just(200_000_000),
        Just(16_666_667),
        Just(33_000_000)
    ];
    let millis = prop_oneof![any::<f64>(), Just(f64::NAN), Just(f64::INFINITY), Just(1e308), Just(-1e308)];
    // Commands shrink by their number, not by their values.
    let command = (1..u64::MAX, nanos.clone())
        .prop_map(|(seed, now)| Act::Tell(Random(seed).command(Duration::from_nanos(now))));
    prop_oneof![
        8 => (0..120_000_000_u64).prop_map(Act::Later),
        2 => nanos.prop_map(Act::At),
        1 => millis.prop_map(Act::AtMillis),
        16 => command,
        4 => (-1_000_000_000..1_000_000_000_i64).prop_map(Act::Press),
        1 => Just(Act::SaveAndRestore),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_trace_panics_exceeds_the_cap_leaves_the_alpha_range_or_loses_a_nanosecond(
        pacing in 0..PACINGS,
        acts in prop::collection::vec(any_act(), 1..120),
    ) {
        let mut judge = Judge::new(pacings()[pacing]);
        for act in acts {
            judge.act(act);
        }
    }

    #[test]
    fn splitting_time_into_frames_never_changes_the_number_of_ticks(
        rate in prop_oneof![Just(Rate::hz(60)), Just(Rate::new(60_000, 1_001)), Just(Rate::hz(144)), Just(Rate::hz(30))],
        gaps in prop::collection::vec(0..400_000_000_u64, 1..200),
    ) {
        let unlimited = Pacing::game_loop().with_longest_frame(None).with_rate(rate);
        let mut pacer = Pacer::new(unlimited);
        pacer.reset(Duration::ZERO);
        let mut now = 0;
        for gap in gaps {
            now += gap;
            pacer.frame(Duration::from_nanos(now));
            // The current tick has begun, and the next one has not.
            prop_assert!(rate.time_of(pacer.tick()) <= Duration::from_nanos(now));
            prop_assert!(rate.time_of(pacer.tick() + 1) >= Duration::from_nanos(now));
        }
    }

    #[test]
    fn a_reset_pacer_decides_like_a_new_one(
        pacing in 0..PACINGS,
        before in prop::collection::vec(any_act(), 1..40),
        gaps in prop::collection::vec(0..300_000_000_u64, 1..40),
    ) {
        let mut judge = Judge::new(pacings()[pacing]);
        for act in before {
            judge.act(act);
        }
        let mut old = judge.into_pacer();
        let mut new = Pacer::new(old.pacing());
        old.reset(Duration::ZERO);
        new.reset(Duration::ZERO);
        let mut now = 0;
        for gap in gaps {
            now += gap;
            prop_assert_eq!(old.frame(Duration::from_nanos(now)), new.frame(Duration::from_nanos(now)));
        }
        prop_assert_eq!(old.stats(), new.stats());
    }
}

#[test]
fn every_outcome_explains_itself_in_one_line() {
    let mut random = Random(3);
    for pacing in pacings() {
        let mut pacer = Pacer::new(pacing);
        for n in 0..2_000 {
            pacer.set_gate([Gate::Open, Gate::Open, Gate::Paused, Gate::Menu][random.below(4) as usize]);
            pacer.step_by_hand(n % 3);
            if n % 40 == 0 {
                pacer.hit_freeze(Duration::from_millis(30));
            }
            let frame = pacer.frame(Duration::from_nanos(random.next() >> random.below(40)));
            let line = frame.explain().to_string();
            assert!(line.starts_with(&format!("{} step", frame.steps())), "{line}");
            assert!(!line.contains('\n') && line.len() < 300, "{line}");
        }
    }
}

#[test]
fn ten_million_fuzzed_frames_keep_every_invariant() {
    const FRAMES: u64 = 10_000_000;
    let mut random = Random(0x5EED_1E55_CAFE_F00D);
    let mut judge = Judge::new(Pacing::hz(60));
    while judge.frames < FRAMES {
        let act = match random.below(80) {
            0..48 => Act::Later(random.below(40_000_000)),
            48 | 49 => Act::Later(random.below(900_000_000)),
            50 => Act::At(random.nanos()),
            51 => Act::AtMillis(f64::from_bits(random.next())),
            52..70 => Act::Tell(judge.any_command(&mut random)),
            70 if random.below(64) == 0 => Act::SaveAndRestore,
            _ => Act::Press(random.below(2_000_000_000) as i64 - 1_000_000_000),
        };
        judge.act(act);
    }
    judge.finish();
}

#[test]
fn a_press_and_a_release_within_a_frame_without_ticks_are_seen_by_one_tick() {
    let ms = Duration::from_millis;
    for latching in [Latching::ByTime, Latching::FirstTick] {
        let mut pacer = Pacer::new(Pacing::game_loop());
        let mut input: InputLatch<&str, 4> = InputLatch::new(latching);
        pacer.frame(ms(0));
        input.push(ms(2), "press").unwrap();
        input.push(ms(4), "release").unwrap();
        assert_eq!(pacer.frame(ms(8)).steps(), 0);
        let frame = pacer.frame(ms(17));
        assert_eq!(frame.ticks(), 0..1);
        assert_eq!(input.take(&frame, 0), Some("press"));
        assert_eq!(input.take(&frame, 0), Some("release"));
        assert!(input.is_empty());
    }
}

#[test]
fn three_ticks_in_a_frame_share_its_events_by_time_or_give_all_to_the_first() {
    let ms = Duration::from_millis;
    for (latching, wanted) in [(Latching::ByTime, [0, 1, 2]), (Latching::FirstTick, [0, 0, 0])] {
        let mut pacer = Pacer::new(Pacing::game_loop());
        let mut input: InputLatch<u32, 4> = InputLatch::new(latching);
        pacer.frame(ms(0));
        for (at, event) in [(10, 0), (20, 1), (40, 2)] {
            input.push(ms(at), event).unwrap();
        }
        let frame = pacer.frame(ms(51));
        assert_eq!(frame.steps(), 3);
        let mut seen = [9; 3];
        for tick in frame.ticks() {
            while let Some(event) = input.take(&frame, tick) {
                seen[event as usize] = tick;
            }
        }
        assert_eq!(seen, wanted);
    }
}

#[test]
fn slow_steps_under_a_budget_bound_the_next_catch_up_and_one_good_frame_lifts_it() {
    let ms = Duration::from_millis;
    let mut pacer = Pacer::new(Pacing::hz(60).with_budget(ms(12)));
    let mut now = ms(0);
    pacer.frame(now);
    for _ in 0..20 {
        now += ms(100);
        let frame = pacer.frame(now);
        assert!(frame.steps() <= 6);
        pacer.steps_done(now + ms(30) * frame.steps());
    }
    now += ms(100);
    let slow = pacer.frame(now);
    assert_eq!(slow.steps(), 1, "a step costs 30 ms and the budget is 12 ms");
    assert_eq!(slow.dropped_by(DropReason::Cap), Duration::ZERO);
    assert!(slow.dropped_by(DropReason::Budget) > ms(80));
    assert!(pacer.stats().is_running_slowly());

    pacer.steps_done(now + ms(1));
    now += ms(100);
    assert_eq!(pacer.frame(now).steps(), 6, "recovers immediately");
    for _ in 0..60 {
        now += Duration::from_micros(16_667);
        pacer.frame(now);
    }
    assert!(!pacer.stats().is_running_slowly(), "the flag clears within a second");
}

#[test]
fn skipped_frames_cost_no_time() {
    let mut pacer = Pacer::new(Pacing::hz(60));
    let mut whole = pacer.clone();
    for n in 0..600 {
        let ms = f64::from(n) * 1000.0 / 60.0;
        whole.frame_millis(ms);
        let frame = pacer.frame_millis(if n % 7 == 3 { f64::NAN } else { ms });
        assert_eq!(frame.outcome() == Outcome::Skipped, n % 7 == 3);
    }
    assert_eq!(pacer.tick(), whole.tick());
    assert_eq!(pacer.stats().skipped_frames(), 86);
}

#[test]
fn nothing_drifts_after_a_trillion_frames() {
    // Starts after a trillion frames at 60 Hz and continues in frames of ten minutes.
    let rate = Rate::hz(60);
    let mut pacer = Pacer::new(Pacing::game_loop().with_longest_frame(None));
    let start = rate.time_of(1_000_000_000_000);
    pacer.reset(start);
    for n in 1..=1_000_000_u64 {
        let frame = pacer.frame(start + Duration::from_mins(10) * n as u32);
        assert_eq!((frame.steps(), frame.alpha()), (36_000, 0.0));
    }
    assert_eq!(pacer.tick(), 36_000_000_000);
}
