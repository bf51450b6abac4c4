//! Laws of the displays and of the metrics.

use std::collections::VecDeque;
use std::time::Duration;

use evenstep::Presented;
use evenstep_lab::display::{Display, Noise, Pace, Pattern, Refresh, Shown};
use evenstep_lab::metrics::{Report, SETTLE_S, motion};
use evenstep_lab::policy::{Decision, Policy};
use evenstep_lab::recording::{Recording, ShownFacts};
use evenstep_lab::session::Run;
use proptest::prelude::*;

const STEP_NS: f64 = 1e9 / 60.0;

/// The decisions of a pacer that draws game time `D` on each frame.
fn decisions(game_ns: impl IntoIterator<Item = f64>) -> Vec<Decision> {
    let mut steps_so_far = 0.0;
    game_ns
        .into_iter()
        .map(|game_ns| {
            let position = game_ns / STEP_NS + 1.0;
            let steps = position.floor() - steps_so_far;
            steps_so_far += steps;
            Decision { steps: steps as u32, alpha: position.fract() }
        })
        .collect()
}

fn measure(grid_hz: f64, shown: &[Shown], decided: &[Decision]) -> Report {
    Report::of(&motion(Some(grid_hz), shown, decided))
}

fn any_display() -> impl Strategy<Value = Display> {
    let noise = prop_oneof![
        Just(Noise::None),
        (0.0..3.0).prop_map(Noise::Gauss),
        (0.0..3.0).prop_map(Noise::Uniform),
        (0.0..3.0).prop_map(Noise::Exponential),
        (0.0..3.0, 0.0..0.99).prop_map(|(ms, rho)| Noise::Correlated { ms, rho }),
        (0.0..1.0, 0.0..4.0).prop_map(|(quiet, loud)| Noise::Bursts(quiet, loud)),
    ];
    let refresh = prop_oneof![
        Just(Refresh::Fixed),
        (20.0..300.0, 0.5..9.0).prop_map(|(other_hz, every_s)| Refresh::Switching { other_hz, every_s }),
        (0.0..2.0).prop_map(Refresh::Wandering),
        (0.0..1.0).prop_map(Refresh::Independent),
        (0.0..20.0).prop_map(Refresh::Breathing),
        Just(Refresh::Capped),
    ];
    let pattern =
        || prop::collection::vec(1..=4_u8, 1..=8).prop_map(|it| Pattern::new(&it).expect("in range"));
    let pace = prop_oneof![
        Just(Pace::Every),
        pattern().prop_map(Pace::Repeated),
        pattern().prop_map(Pace::Random),
        (pattern(), pattern()).prop_map(|(even, odd)| Pace::Alternating(even, odd)),
        Just(Pace::Changing),
        (1.0..9.0).prop_map(|every_s| Pace::Halving { every_s }),
    ];
    let clock_ns = prop::sample::select(vec![1, 1_000, 100_000, 1_000_000, 16_670_000, 100_000_000]);
    let pause_every_s = prop::sample::select(vec![0.0, 1.0]);
    (24.0..480.0, refresh, pace, noise, 0.0..0.1, 0.0..0.1, pause_every_s, any::<bool>(), clock_ns).prop_map(
        |(hz, refresh, pace, noise, late, missed, pause_every_s, is_paired, clock_ns)| Display {
            hz,
            refresh,
            pace,
            noise,
            late,
            missed,
            pause_every_s,
            work: 0.5,
            stall_every_s: 5.0,
            is_paired,
            clock_ns,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_perfect_pacer_has_no_judder_no_drift_and_no_lag(display in any_display(), seed: u64) {
        let shown = display.play(8.0, seed);
        // Game time starts at the first timestamp and is always equal to the display's.
        let decided = decisions(shown.iter().map(|frame| frame.at_ns - shown[0].stamp_ns as f64 + 1e9));
        let report = Report::of(&motion(display.grid_hz(), &shown, &decided));
        prop_assert!(report.frames > 0);
        prop_assert!(report.judder_us_max < 0.01 && report.drift_ms.abs() < 1e-3, "{report:?}");
        // A second ahead, as decided.
        prop_assert!((report.lag_ms + 1e3).abs() < 1e-3, "{report:?}");
    }

    #[test]
    fn frames_go_on_and_timestamps_never_go_back(display in any_display(), seed: u64) {
        let shown = display.play(8.0, seed);
        for pair in shown.windows(2) {
            prop_assert!(pair[0].at_ns < pair[1].at_ns);
            prop_assert!(pair[0].stamp_ns <= pair[1].stamp_ns);
            prop_assert_eq!(pair[1].stamp_ns % display.clock_ns, 0);
            prop_assert!(pair[0].refresh.is_none() || pair[0].refresh < pair[1].refresh);
        }
    }

    #[test]
    fn drift_is_the_sum_of_all_errors_and_rms_p99_and_max_are_in_order(display in any_display(), seed: u64) {
        let session = Display { stall_every_s: 0.0, ..display }.session(8.0, seed);
        for policy in Policy::ALL {
            let outcome = session.under(policy);
            let settled: Vec<f64> =
                outcome.motion.iter().filter(|it| it.at_s >= SETTLE_S).filter_map(|it| it.error_us).collect();
            let report = outcome.report;
            prop_assert!((report.drift_ms - settled.iter().sum::<f64>() / 1e3).abs() < 1e-6);
            prop_assert_eq!(report.frames, settled.len());
            prop_assert!(report.judder_us <= report.judder_us_max * 1.000_001);
            prop_assert!(report.judder_us_p99 <= report.judder_us_max);
            let mut sizes: Vec<f64> = settled.iter().map(|error_us| error_us.abs()).collect();
            sizes.sort_unstable_by(f64::total_cmp);
            let p99_us = sizes[(sizes.len() - 1) * 99 / 100];
            prop_assert!((report.judder_us_p99 - p99_us).abs() <= 0.002 * p99_us + 0.002, "{p99_us}: {report:?}");
            // The errors of all frames add up to the change over the whole session.
            let before = outcome.motion.iter().rfind(|it| it.at_s < SETTLE_S).expect("three seconds of frames");
            let last = outcome.motion.last().expect("frames");
            prop_assert!((before.behind_ms - last.behind_ms - report.drift_ms).abs() < 1e-3);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_session_and_another_seed_another(display in any_display(), seed: u64) {
        let session = display.play(5.0, seed);
        prop_assert_eq!(&session, &display.play(5.0, seed));
        prop_assert_ne!(&session, &display.play(5.0, seed ^ 1));
    }

    #[test]
    fn every_policy_starts_its_clock_at_one_random_time_in_the_refresh_interval_before_the_first_frame(
        display in any_display(),
        seed: u64,
    ) {
        let session = display.session(5.0, seed);
        let first = session.shown[0];
        let lead_ns = session.lead_ns;
        prop_assert_eq!(lead_ns, display.frames(seed).lead_ns());
        prop_assert_eq!((first.stamp_ns - lead_ns) % display.clock_ns, 0);
        prop_assert!((lead_ns as f64) < first.interval_ns + display.clock_ns as f64, "{} ns", lead_ns);
        // A perfect display shows what the clock has counted: the start phase, and the time since the start.
        let perfect = Display::new(60.0).session(5.0, seed);
        for policy in Policy::ALL {
            let phase_ms = policy.pacing().start_phase() * 1e3 / 60.0;
            let lag_ms = perfect.under(policy).motion[0].behind_ms;
            prop_assert!((lag_ms - (1e3 / 60.0 - phase_ms)).abs() < 1e-3, "{}: {} ms", policy.name(), lag_ms);
        }
    }

    #[test]
    fn a_stream_of_frames_is_the_session_bit_for_bit(display in any_display(), seed: u64) {
        let session = display.session(8.0, seed);
        let mut frames = display.frames(seed);
        for &shown in &session.shown {
            prop_assert_eq!(frames.next_s().to_bits(), ((shown.at_ns - session.shown[0].at_ns) / 1e9).to_bits());
            prop_assert_eq!(frames.next(), Some(shown));
        }
        prop_assert!(frames.next_s() >= 8.0);
        for policy in Policy::ALL {
            let outcome = session.under(policy);
            let mut run = Run::new(policy, display.grid_hz()).with_lead(session.lead_ns);
            let mut frames = display.frames(seed);
            prop_assert_eq!(frames.next().and_then(|shown| run.frame(shown)), None);
            for (shown, &motion) in frames.zip(&outcome.motion) {
                prop_assert_eq!(run.frame(shown), Some(motion));
            }
            prop_assert_eq!(run.lock(), &outcome.lock);
            prop_assert_eq!(run.tally().report(), outcome.report);
            prop_assert_eq!(Report::of(&outcome.motion), outcome.report);
        }
    }
}

#[test]
fn on_a_perfect_60_hz_display_every_loop_runs_one_step_on_every_frame() {
    let mut starts = [0; 4];
    for seed in 0..100 {
        let session = Display::new(60.0).session(10.0, seed);
        let before = session.lead_ns as f64 / STEP_NS;
        starts[(before * 4.0) as usize] += 1;
        for policy in Policy::ALL {
            let motion = session.under(policy).motion;
            let wrong = motion.iter().filter(|frame| frame.at_s >= SETTLE_S && frame.is_ideal == Some(false));
            // The rate lock moves the game to the middle of a step, and passes at most one boundary on the way.
            let limit = usize::from(policy == Policy::EvenstepRateLock);
            assert!(wrong.count() <= limit, "{}, seed {seed}: started {before} before", policy.name());
        }
    }
    assert!(starts.iter().all(|&count| count >= 15), "starts by quarter of the interval: {starts:?}");
}

#[test]
fn one_frame_that_is_off_and_back_counts_twice_in_judder_and_not_in_drift() {
    let shown = Display::new(60.0).play(10.0, 1);
    let odd = shown.len() - 100;
    let decided = decisions(shown.iter().enumerate().map(|(n, frame)| {
        let off_ns = if n == odd { 2e6 } else { 0.0 };
        frame.at_ns + off_ns
    }));
    let report = measure(60.0, &shown, &decided);
    assert!((report.judder_us_max - 2_000.0).abs() < 0.01);
    assert!((report.judder_us - 2_000.0 * (2.0 / report.frames as f64).sqrt()).abs() < 0.01);
    assert!(report.drift_ms.abs() < 1e-6);
}

#[test]
fn lag_is_how_far_the_game_stands_behind_the_display() {
    let shown = Display::new(60.0).play(10.0, 1);
    let decided = decisions(shown.iter().map(|frame| frame.at_ns - shown[0].stamp_ns as f64 + 1e9 - 5e6));
    assert!((measure(60.0, &shown, &decided).lag_ms - (5.0 - 1e3)).abs() < 1e-3);
}

#[test]
fn the_ideal_pattern_is_one_step_at_60_hz_every_second_frame_at_120_and_two_at_30() {
    for (hz, pattern) in [(60.0, &[1][..]), (120.0, &[0, 1]), (30.0, &[2]), (240.0, &[0, 0, 0, 1])] {
        let shown = Display::new(hz).play(10.0, 1);
        let decided: Vec<_> =
            (0..shown.len()).map(|n| Decision { steps: pattern[n % pattern.len()], alpha: 0.5 }).collect();
        assert_eq!(measure(hz, &shown, &decided).cadence_error, Some(0.0), "{hz} Hz");
    }
    let shown = Display::new(144.0).play(10.0, 1);
    let decided = vec![Decision { steps: 1, alpha: 0.5 }; shown.len()];
    assert_eq!(measure(144.0, &shown, &decided).cadence_error, None, "144 Hz has no such pattern");
}

#[test]
fn every_frame_with_another_number_of_steps_is_a_cadence_error() {
    let shown = Display::new(60.0).play(10.0, 1);
    let mut decided = vec![Decision { steps: 1, alpha: 0.5 }; shown.len()];
    for pair in 0..10 {
        decided[300 + 20 * pair].steps = 0;
        decided[301 + 20 * pair].steps = 2;
    }
    let report = measure(60.0, &shown, &decided);
    assert_eq!(report.cadence_error, Some(100.0 * 20.0 / report.frames as f64));
}

#[test]
fn a_missed_refresh_wants_the_steps_of_two() {
    let display = Display { missed: 0.1, ..Display::new(60.0) };
    let shown = display.play(10.0, 1);
    let steps = |n: usize| if n == 0 { 1 } else { shown[n].refresh.unwrap() - shown[n - 1].refresh.unwrap() };
    let decided: Vec<_> = (0..shown.len()).map(|n| Decision { steps: steps(n) as u32, alpha: 0.5 }).collect();
    assert_eq!(measure(60.0, &shown, &decided).cadence_error, Some(0.0));
}

#[test]
fn a_stall_is_in_no_metric() {
    let display = Display { stall_every_s: 2.0, ..Display::new(60.0) };
    let outcome = display.session(30.0, 1).under(Policy::Starship);
    let stalls = outcome.motion.iter().filter(|frame| frame.error_us.is_none()).count();
    assert!(stalls > 5, "{stalls} stalls");
    assert!(outcome.motion.iter().all(|frame| frame.error_us.is_some() || frame.is_ideal.is_none()));
    // Starship drops every stall completely, which is not judder.
    assert!(outcome.report.judder_us_max < 1.0, "{:?}", outcome.report);
}

fn pattern(refreshes: &[u8]) -> Pattern {
    Pattern::new(refreshes).expect("one to eight frames of one to eight refreshes")
}

/// The refreshes from each frame to the next.
fn refreshes(shown: &[Shown]) -> Vec<u64> {
    shown.windows(2).map(|pair| pair[1].refresh.expect("a grid") - pair[0].refresh.expect("a grid")).collect()
}

#[test]
fn a_pattern_has_one_to_eight_frames_of_one_to_eight_refreshes() {
    for good in [&[1][..], &[8; 8], &[1, 2, 3, 4]] {
        assert_eq!(pattern(good).refreshes(), good);
    }
    for bad in [&[][..], &[0], &[9], &[1, 0], &[1; 9]] {
        assert_eq!(Pattern::new(bad), None, "{bad:?}");
    }
    assert_eq!(pattern(&[2, 1, 2, 1, 1]).to_string(), "2,1,2,1,1");
}

#[test]
fn a_repeated_pattern_is_shown_frame_by_frame() {
    let display = Display { pace: Pace::Repeated(pattern(&[2, 1, 3])), ..Display::new(60.0) };
    assert_eq!(refreshes(&display.play(0.2, 1)), [2, 1, 3, 2, 1, 3]);
}

#[test]
fn a_random_pace_takes_every_number_of_its_pattern_equally_often_and_never_in_a_pattern() {
    let display = Display { pace: Pace::Random(pattern(&[1, 2, 3, 4])), ..Display::new(240.0) };
    let taken = refreshes(&display.play(100.0, 1));
    for wanted in 1..=4 {
        let share = taken.iter().filter(|&&it| it == wanted).count() as f64 / taken.len() as f64;
        assert!((share - 0.25).abs() < 0.02, "{wanted} refreshes: {share}");
    }
    for lag in 1..=8 {
        let repeats = taken.iter().zip(&taken[lag..]).filter(|(a, b)| a == b).count();
        assert!((repeats as f64 / taken.len() as f64 - 0.25).abs() < 0.02, "{lag} frames apart: {repeats}");
    }
}

#[test]
fn a_pace_that_alternates_or_changes_does_so_every_ten_seconds() {
    let alternating = Pace::Alternating(pattern(&[2]), pattern(&[3]));
    let taken = refreshes(&Display { pace: alternating, ..Display::new(60.0) }.play(40.0, 1));
    // Ten seconds of 30 frames each, then of 20, and again; a rounded refresh may lie just before a change.
    assert!(taken.iter().filter(|&&it| it == 2).count().abs_diff(600) <= 2);
    assert_eq!(taken.chunk_by(|a, b| a == b).count(), 4);

    let shown = Display { pace: Pace::Changing, ..Display::new(60.0) }.play(100.0, 1);
    let part = |turn: f64| -> Vec<u64> {
        let at_s = |frame: &Shown| (frame.at_ns - shown[0].at_ns) / 1e9 - 10.0 * turn;
        let part: Vec<Shown> = shown.iter().copied().filter(|it| (0.5..9.5).contains(&at_s(it))).collect();
        refreshes(&part)
    };
    let parts: Vec<_> = (0..10).map(|turn| part(f64::from(turn))).collect();
    for part in &parts {
        let is_repeated = |frames: usize| part.iter().zip(&part[frames..]).all(|(a, b)| a == b);
        assert!((1..=5).any(is_repeated), "{part:?}");
        assert!(part.iter().all(|it| (1..=4).contains(it)), "{part:?}");
    }
    assert!(parts.windows(2).filter(|pair| pair[0][..20] != pair[1][..20]).count() >= 7);
}

#[test]
fn a_display_halves_and_doubles_its_rate_in_place() {
    let refresh = Refresh::Switching { other_hz: 60.0, every_s: 2.0 };
    let shown = Display { refresh, ..Display::new(120.0) }.play(8.0, 1);
    for frame in &shown {
        // Every frame lies on the finer grid.
        let refreshes = (frame.at_ns - shown[0].at_ns) * 120.0 / 1e9;
        assert!((refreshes - refreshes.round()).abs() < 1e-3, "{refreshes}");
    }
    let gap_ms = |pair: &[Shown]| ((pair[1].at_ns - pair[0].at_ns) / 1e5).round() / 10.0;
    let gaps: Vec<f64> = shown.windows(2).map(gap_ms).collect();
    assert_eq!(gaps.chunk_by(|a, b| a == b).map(|run| run[0]).collect::<Vec<_>>(), [8.3, 16.7, 8.3, 16.7]);
}

#[test]
fn a_pause_delays_the_timestamp_by_5_to_40_ms_and_misses_the_refreshes_that_the_work_then_ends_after() {
    for (hz, work) in [(24.0, 0.0), (60.0, 0.0), (60.0, 0.5), (240.0, 0.9)] {
        let display = Display { pause_every_s: 1.0, work, ..Display::new(hz) };
        let shown = display.play(60.5, 1);
        let period_ns = 1e9 / hz;
        let mut pauses = 0;
        for pair in shown.windows(2) {
            let missed = pair[1].refresh.unwrap() - pair[0].refresh.unwrap() - 1;
            let pause_ns = pair[1].stamp_ns as f64 - pair[0].at_ns - period_ns;
            if pause_ns < 1_000.0 {
                assert_eq!(missed, 0);
                continue;
            }
            pauses += 1;
            assert!((5e6..40e6).contains(&pause_ns), "{hz} Hz: {pause_ns} ns");
            assert_eq!(missed, (pause_ns / period_ns + work) as u64, "{hz} Hz: {pause_ns} ns");
        }
        assert_eq!(pauses, 60, "{hz} Hz");
    }
}

#[test]
fn the_second_timestamp_of_a_pair_follows_the_first_and_the_display_shows_one_a_refresh() {
    let display = Display { is_paired: true, noise: Noise::Gauss(0.3), ..Display::new(60.0) };
    let shown = display.play(10.0, 1);
    assert!(refreshes(&shown).iter().all(|&it| it == 1));
    for pair in shown.chunks_exact(2) {
        let apart_ns = pair[1].stamp_ns - pair[0].stamp_ns;
        assert!((100_000..=500_000).contains(&apart_ns), "{apart_ns} ns");
        assert!((pair[0].stamp_ns as f64 - pair[0].at_ns).abs() < 2e6, "the first is as ever");
    }
}

#[test]
fn under_a_frame_cap_frames_appear_when_the_loop_wakes_up() {
    let display = Display { refresh: Refresh::Capped, noise: Noise::Gauss(0.3), ..Display::new(60.0) };
    let session = display.session(30.0, 1);
    for frame in &session.shown {
        assert!((frame.at_ns - frame.stamp_ns as f64).abs() < 1.0);
    }
    // Deadlines lie on a grid, so noise does not add up.
    let frames = session.shown.len() as f64;
    let off_ms = (session.shown.last().expect("frames").at_ns - session.shown[0].at_ns) / 1e6
        - (frames - 1.0) * 1e3 / 60.0;
    assert!(off_ms.abs() < 3.0, "{off_ms} ms");
    assert!(session.under(Policy::Plain).report.judder_us < 0.01, "nothing beats the timestamps");
}

/// A display at 50 Hz that shows frames two refreshes later and misses every 30th, read in parts of this many frames. Each
/// image is reported `times` times.
fn shown_in_parts(part: usize, times: usize) -> ShownFacts {
    const DELAY: Duration = Duration::from_millis(40);
    let mut recording = Recording::default();
    let refreshes = (0..400_u64).filter(|refresh| refresh % 30 != 7);
    let mut unreported = VecDeque::new();
    for (n, refresh) in refreshes.enumerate() {
        if n > 0 && n % part == 0 {
            recording.forget();
        }
        let now = Duration::from_millis(20 * refresh);
        recording.frame(now);
        unreported.push_back(now);
        while let Some(frame) = unreported.pop_front_if(|frame| *frame + DELAY <= now) {
            for _ in 0..times {
                recording.presented(Presented { frame, at: frame + DELAY });
            }
        }
    }
    recording.shown_facts().expect("there are reports")
}

#[test]
fn presentation_times_are_the_same_whether_a_recording_is_read_in_parts_or_reported_twice() {
    let whole = shown_in_parts(usize::MAX, 1);
    assert_eq!((whole.images, whole.missed, whole.delay_ns), (384, 13, 40_000_000));
    for part in [64, 100, 127, 200] {
        for times in [1, 2, 5] {
            assert_eq!(shown_in_parts(part, times), whole, "parts of {part}, reported {times} times");
        }
    }
}
