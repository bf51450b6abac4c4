//! What hosts use: the check of a beat, the counts of what was shown, and the late start.

use std::time::Duration;

use evenstep::Rate;
use evenstep::host::{BeatCheck, BeatState, LateStart, Shown, ShownCounts};
use proptest::prelude::*;

use crate::commands::Random;

const RATES: [Rate; 6] = [
    Rate::new(24_000, 1_001),
    Rate::hz(60),
    Rate::new(60_000, 1_001),
    Rate::hz(85),
    Rate::hz(144),
    Rate::hz(480),
];

fn micros(us: u64) -> Duration {
    Duration::from_micros(us)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_true_beat_is_never_called_wild(
        rate in prop::sample::select(&RATES[..]),
        // A quarter of a refresh of noise, and missed refreshes.
        beats in prop::collection::vec((0.0..0.25_f64, prop_oneof![4 => 1..2_u64, 1 => 2..9_u64]), 40..200),
        has_counts in any::<bool>(),
        is_known in any::<bool>(),
    ) {
        let mut check = BeatCheck::new(is_known.then(|| rate.step()));
        let mut refresh = 0;
        for (noise, passed) in beats {
            refresh += passed;
            let at = rate.time_of(refresh) + rate.step().mul_f64(noise);
            let state = check.beat(at, has_counts.then_some(refresh));
            prop_assert_ne!(state, BeatState::Wild);
            prop_assert_ne!(check.wait(at + micros(10)), BeatState::Stopped);
        }
        prop_assert_eq!(check.state(), BeatState::Steady);
    }

    #[test]
    fn a_beat_that_runs_free_or_follows_another_display_is_found_within_49_beats(
        rate in prop::sample::select(&RATES[..]),
        times_faster in 1.5..20.0_f64,
        has_counts in any::<bool>(),
        steady_before in 0..100_u64,
    ) {
        let mut check = BeatCheck::new(Some(rate.step()));
        for n in 0..steady_before {
            check.beat(rate.time_of(n), has_counts.then_some(n));
        }
        let interval = rate.step().div_f64(times_faster);
        let start = rate.time_of(steady_before);
        for n in 0..49 {
            check.beat(start + interval * n, has_counts.then_some(steady_before + u64::from(n)));
        }
        prop_assert_eq!(check.state(), BeatState::Wild);
    }

    #[test]
    fn the_count_of_a_slower_display_is_wild_and_a_slow_game_is_not(
        rate in prop::sample::select(&RATES[..]),
        times_slower in 1.2..4.0_f64,
    ) {
        let interval = rate.step().mul_f64(times_slower);
        let mut counted = BeatCheck::new(Some(rate.step()));
        let mut uncounted = BeatCheck::new(Some(rate.step()));
        for n in 0..50 {
            counted.beat(interval * n, Some(n.into()));
            uncounted.beat(interval * n, None);
        }
        prop_assert_eq!(counted.state(), BeatState::Wild);
        prop_assert_eq!(uncounted.state(), BeatState::Steady);
    }

    #[test]
    fn no_order_of_times_and_counts_panics(
        acts in prop::collection::vec((any::<u64>(), prop::option::of(any::<u64>()), 0..6_u8), 0..200),
        refresh in prop::option::of(any::<u64>()),
    ) {
        let mut check = BeatCheck::new(refresh.map(Duration::from_nanos));
        let mut counts = ShownCounts::new();
        let mut late = LateStart::new();
        for (number, other, act) in acts {
            let at = Duration::from_nanos(number);
            let than = Duration::from_nanos(other.unwrap_or(u64::MAX));
            match act {
                0 => drop(check.beat(at, other)),
                1 => drop(check.wait(at)),
                2 => check.pause(),
                3 => {
                    let sequence = other;
                    let refreshes_planned = 0;
                    counts.record(Shown { frame_at: at, input_at: at, at: than, refresh: at, sequence, refreshes_planned });
                }
                4 => {
                    let wait = late.wait(at, other.map(Duration::from_nanos));
                    prop_assert!(wait < than);
                    late.shown(at, than);
                }
                _ => late.cost(at),
            }
            prop_assert!(counts.latency(f64::NAN).is_none() == (counts.shown() == 0));
        }
    }

    #[test]
    fn missed_refreshes_are_counted_alike_by_number_and_by_time(
        rate in prop::sample::select(&RATES[..]),
        images in prop::collection::vec((1..5_u64, -0.2..0.2_f64, 1..4_u32), 2..200),
    ) {
        let mut by_number = ShownCounts::new();
        let mut by_time = ShownCounts::new();
        let mut refresh = 10;
        let mut expected = 0;
        for (n, (passed, noise, refreshes_planned)) in images.into_iter().enumerate() {
            refresh += passed;
            let at = (rate.time_of(refresh).as_secs_f64() + noise * rate.step_secs()).max(0.0);
            let image = Shown {
                frame_at: Duration::ZERO,
                input_at: Duration::ZERO,
                at: Duration::from_secs_f64(at),
                refresh: rate.step(),
                sequence: Some(refresh),
                refreshes_planned,
            };
            let missed = by_number.record(image);
            prop_assert_eq!(missed, by_time.record(Shown { sequence: None, ..image }));
            expected += if n == 0 { 0 } else { passed.saturating_sub(refreshes_planned.into()) };
        }
        prop_assert_eq!((by_number.missed(), by_time.missed()), (expected, expected));
    }
}

#[test]
fn a_beat_that_stays_away_has_stopped_and_is_checked_again_when_it_is_back() {
    let rate = Rate::hz(60);
    let mut check = BeatCheck::new(Some(rate.step()));
    for n in 0..100 {
        check.beat(rate.time_of(n), Some(n));
        check.wait(rate.time_of(n) + micros(100));
    }
    assert_eq!(check.wait(rate.time_of(99) + micros(249_000)), BeatState::Steady);
    assert_eq!(check.wait(rate.time_of(99) + micros(251_000)), BeatState::Stopped);
    for n in 200..240 {
        check.beat(rate.time_of(n), Some(n));
    }
    assert_eq!(check.state(), BeatState::Steady);
}

#[test]
fn a_hidden_window_neither_stops_its_beat_nor_misses_refreshes() {
    let rate = Rate::hz(60);
    let mut check = BeatCheck::new(Some(rate.step()));
    let mut counts = ShownCounts::new();
    let image = |n: u64| Shown {
        frame_at: rate.time_of(n),
        input_at: rate.time_of(n),
        at: rate.time_of(n + 2),
        refresh: rate.step(),
        sequence: Some(n),
        refreshes_planned: 1,
    };
    for n in (0..100).chain(10_000..10_020) {
        if n == 10_000 {
            check.pause();
            counts.pause();
        }
        check.beat(rate.time_of(n), Some(n));
        check.wait(rate.time_of(n));
        counts.record(image(n));
        assert_ne!(check.state(), BeatState::Wild);
    }
    assert_eq!((check.state(), counts.missed()), (BeatState::Steady, 0));
}

#[test]
fn a_window_on_another_display_misses_nothing_by_its_other_count() {
    let rate = Rate::hz(60);
    let mut counts = ShownCounts::new();
    for (n, sequence) in [(0, 500), (1, 501), (2, 9_000_000), (3, 9_000_001), (4, 7), (5, 8), (6, 10)] {
        let at = rate.time_of(n);
        let refresh = rate.step();
        counts.record(Shown {
            at,
            refresh,
            sequence: Some(sequence),
            refreshes_planned: 1,
            ..Shown::default()
        });
    }
    assert_eq!(counts.missed(), 1, "only between the last two");
}

/// A display that takes its image a while before each refresh, in microseconds.
#[derive(Clone, Copy)]
struct Simulation {
    period_us: u64,
    latch_us: u64,
    reports: bool,
}

/// What came of it.
struct Outcome {
    missed: u64,
    latency_us: u64,
}

impl Simulation {
    const AT_60_HZ: Self = Self { period_us: 16_667, latch_us: 2_000, reports: true };

    /// Runs frames with the costs that `cost_us` returns, with or without a late start.
    fn run(
        &self,
        mut late: Option<&mut LateStart>,
        frames: u64,
        mut cost_us: impl FnMut() -> u64,
    ) -> Outcome {
        let mut missed = 0;
        let mut latency_us = 0;
        let mut sync_us = 1_000_000;
        for _ in 0..frames {
            let sync = micros(sync_us);
            let period = micros(self.period_us);
            let wait = late.as_mut().map_or(Duration::ZERO, |late| late.wait(sync, Some(period)));
            let start_us = sync_us + wait.as_micros() as u64;
            let cost_us = cost_us();
            // The first refresh whose latch comes after the image.
            let refreshes = (start_us + cost_us + self.latch_us - sync_us).div_ceil(self.period_us);
            let shown_us = sync_us + refreshes * self.period_us;
            missed += refreshes - 1;
            latency_us += shown_us - start_us;
            if let Some(late) = &mut late {
                late.cost(micros(cost_us));
                if self.reports {
                    late.shown(sync, micros(shown_us));
                }
            }
            sync_us += (start_us + cost_us - sync_us).div_ceil(self.period_us) * self.period_us;
        }
        Outcome { missed, latency_us: latency_us / frames }
    }
}

#[test]
fn a_late_start_saves_latency_and_misses_at_most_one_refresh_in_a_thousand() {
    for (cost_us, latch_us) in [(3_000, 2_000), (3_000, 4_000), (5_000, 1_000)] {
        let simulation = Simulation { latch_us, ..Simulation::AT_60_HZ };
        let run = |late| {
            let mut random = Random(7);
            simulation.run(late, 36_000, || cost_us + random.below(600))
        };
        let early = run(None);
        let late = run(Some(&mut LateStart::new()));
        assert_eq!(early.missed, 0);
        assert!(late.missed <= 36, "{cost_us} {latch_us}: {} missed", late.missed);
        let saved_us = early.latency_us - late.latency_us;
        let wanted_us = simulation.period_us - (cost_us + 600) - latch_us - 4_000;
        assert!(saved_us >= wanted_us, "{cost_us} {latch_us}: saved {saved_us} us, not {wanted_us} us");
    }
}

#[test]
fn a_late_start_waits_only_on_evidence_and_only_where_there_is_time() {
    let latency_us = |simulation: Simulation, cost_us| {
        simulation.run(Some(&mut LateStart::new()), 2_000, || cost_us).latency_us
    };
    let on_60_hz = Simulation::AT_60_HZ;
    assert_eq!(
        latency_us(Simulation { reports: false, ..on_60_hz }, 3_000),
        16_667,
        "no presentation feedback"
    );
    assert_eq!(latency_us(on_60_hz, 11_000), 16_667, "the work fills the refresh");
    assert_eq!(latency_us(Simulation { period_us: 6_944, ..on_60_hz }, 3_000), 6_944, "the refresh is short");
    assert!(latency_us(on_60_hz, 3_000) < 8_000);

    let mut unlocked = LateStart::new();
    let period = micros(16_667);
    for n in 0..500 {
        assert_eq!(unlocked.wait(period * n, None), Duration::ZERO, "not locked");
        unlocked.cost(micros(3_000));
        unlocked.shown(period * n, period * (n + 1));
    }
}

#[test]
fn a_late_start_learns_from_frames_that_came_too_late() {
    // The display takes its image 7 ms before the refresh, which nobody says.
    let simulation = Simulation { latch_us: 7_000, ..Simulation::AT_60_HZ };
    let mut late = LateStart::new();
    let learning = simulation.run(Some(&mut late), 6_000, || 3_000);
    assert!(learning.missed > 0, "there is something to learn");
    let after = simulation.run(Some(&mut late), 36_000, || 3_000);
    assert!(after.missed <= 36, "{} missed in ten minutes", after.missed);
    assert!(after.latency_us < 13_000, "{} us", after.latency_us);
}

#[test]
fn misses_do_not_switch_a_late_start_off_for_good() {
    let simulation = Simulation::AT_60_HZ;
    let mut late = LateStart::new();
    assert!(simulation.run(Some(&mut late), 2_000, || 3_000).latency_us < 8_000);
    // For a while, something else on this machine keeps the display from taking images in time.
    let busy = Simulation { latch_us: 12_000, ..simulation };
    busy.run(Some(&mut late), 6_000, || 3_000);
    let latch = late.latch();
    assert!(latch > micros(6_000), "{latch:?} is what the misses look like");
    simulation.run(Some(&mut late), 200_000, || 3_000);
    assert!(late.latch() < micros(3_000), "{:?}", late.latch());
    assert!(simulation.run(Some(&mut late), 2_000, || 3_000).latency_us < 8_500);
}

#[test]
fn what_a_late_start_would_save_is_observed_without_it() {
    let period = micros(16_667);
    let mut late = LateStart::new();
    let mut could_wait = Duration::ZERO;
    for n in 0..1_000 {
        could_wait = late.observe(period * n, Some(period));
        late.cost(micros(3_000));
        // A miss now and then: not the fault of a late start that is off.
        late.shown(period * n, period * (n + if n % 100 == 99 { 2 } else { 1 }));
    }
    assert_eq!((could_wait.as_micros(), late.misses()), (16_667 - 3_000 - 2_000 - 1_500, 0));
}
