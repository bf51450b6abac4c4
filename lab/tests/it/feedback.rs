//! The quality bar for presentation feedback.

use evenstep_lab::display::{Display, Noise};
use evenstep_lab::feedback::{Feedback, Lie};
use evenstep_lab::host::Host;
use evenstep_lab::policy::Policy;
use evenstep_lab::program::family::{FAMILIES, Family, Group};
use evenstep_lab::program::parallel;
use evenstep_lab::session::{Run, Session};

const SEEDS: std::ops::Range<u64> = 94_001..94_003;
const RATES_HZ: [f64; 6] = [30.0, 59.94, 60.0, 100.0, 144.0, 240.0];
/// The families that feedback is checked on: every kind of trouble.
const MATRIX: [&str; 22] = [
    "none",
    "gauss-0.3",
    "gauss-1.5",
    "late",
    "clock-1ms",
    "missed",
    "stall",
    "vrr",
    "gauss-0.5+missed-5+late-3",
    "gauss-0.3+missed-50",
    "burst-0.3-3",
    "ar-1-0.9",
    "ar-0.5-0.95",
    "switch-144+gauss-0.3",
    "pattern-1-2+gauss-0.3",
    "changing",
    "halving+gauss-0.3",
    "pause+work-50",
    "pairs",
    "clock-16.67ms",
    "wander-0.1+gauss-0.1",
    "independent-50",
];

fn family(name: &str) -> &'static Family {
    Family::named(name).expect("a family of that name")
}

fn judder_us(display: &Display, seed: u64, seconds: f64, feedback: Option<Feedback>) -> f64 {
    let host = Host { feedback, ..Host::default() };
    host.tell(display.session(seconds, seed)).under(Policy::Evenstep).report.judder_us
}

/// Means over the rates and seeds, with and without feedback.
fn means(family: &Family, seconds: f64, feedback: Feedback) -> [f64; 2] {
    let sessions: Vec<(f64, u64)> =
        RATES_HZ.into_iter().flat_map(|hz| SEEDS.map(move |seed| (hz, seed))).collect();
    [Some(feedback), None].map(|feedback| {
        let judders =
            parallel::map(&sessions, |&(hz, seed)| judder_us(&family.display(hz), seed, seconds, feedback));
        judders.iter().sum::<f64>() / judders.len() as f64
    })
}

#[test]
fn correlated_noise_and_bursts_have_a_quarter_of_the_judder_with_feedback_one_frame_late() {
    let names =
        ["ar-1-0.8", "ar-1-0.9", "ar-0.5-0.95", "ar-0.9-0.98", "burst-0-2", "burst-0.3-3", "burst-0.05-4"];
    let mut failures = Vec::new();
    for name in names {
        let [with, without] = means(family(name), 120.0, Feedback::late(1));
        // So slow a noise is hard to tell from a clock that drifts.
        let share = if name == "ar-0.9-0.98" { 0.45 } else { 0.25 };
        if with > share * without {
            failures.push(format!("{name}: {with:.1} us, {without:.1} us without"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Sessions that are worse with feedback than without by more than 5 % and 1 us, in words.
fn worse(feedback: Feedback) -> Vec<String> {
    let sessions: Vec<(&str, f64)> =
        MATRIX.into_iter().flat_map(|name| RATES_HZ.map(|hz| (name, hz))).collect();
    let found = parallel::map(&sessions, |&(name, hz)| {
        let family = family(name);
        let judder_us = |feedback| judder_us(&family.display(hz), SEEDS.start, 30.0, feedback);
        let with = judder_us(Some(feedback));
        let without = judder_us(None);
        (with > 1.05 * without + 1.0)
            .then(|| format!("{with:.1} us, {without:.1} us without: {}{feedback}", family.arguments(hz)))
    });
    found.into_iter().flatten().collect()
}

/// Asserts that at most one session in `sessions` is worse.
fn assert_rarely_worse(sessions: usize, feedbacks: &[Feedback]) {
    let failures: Vec<String> = feedbacks.iter().flat_map(|&feedback| worse(feedback)).collect();
    let limit = MATRIX.len() * RATES_HZ.len() * feedbacks.len() / sessions;
    assert!(failures.len() <= limit, "{} sessions:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn true_feedback_makes_one_session_in_25_worse_however_late_lost_or_swapped() {
    let late = Feedback::late(1);
    assert_rarely_worse(
        25,
        &[
            late,
            Feedback::late(2),
            Feedback { lost: 0.3, swapped: 0.3, ..Feedback::late(2) },
            Feedback { noise_ms: 0.0, ..late },
        ],
    );
}

#[test]
fn feedback_on_another_clock_makes_one_session_in_11_worse() {
    let late = Feedback::late(1);
    assert_rarely_worse(
        11,
        &[
            Feedback { offset_ms: 5.0, ..late },
            Feedback { offset_ms: -1e6, ..late },
            Feedback { drift: 1e-4, ..late },
            Feedback { drift: -1e-3, ..late },
            Feedback { drift: 1e-2, ..late },
        ],
    );
}

#[test]
fn feedback_that_lies_makes_one_session_in_45_worse() {
    let lies = [Lie::Grid(61.3), Lie::Constant, Lie::Random, Lie::Later, Lie::Jumping];
    assert_rarely_worse(45, &lies.map(|lie| Feedback { lie, ..Feedback::late(1) }));
}

#[test]
fn without_feedback_the_same_families_have_the_same_sessions() {
    for family in FAMILIES.iter().filter(|family| family.group == Group::Feedback) {
        let session = |host: Host| host.tell(family.display(60.0).session(5.0, 1));
        let with = session(family.host());
        let without = session(Host::default());
        assert_eq!(with.shown, without.shown, "{}", family.name);
        let plain = |session: &Session| session.under(Policy::Plain).report;
        assert_eq!(plain(&with), plain(&without), "{}", family.name);
    }
}

#[test]
fn the_instant_at_which_a_frame_is_expected_is_within_a_fifth_of_a_millisecond() {
    for feedback in [None, Some(Feedback::late(1)), Some(Feedback { lie: Lie::Later, ..Feedback::late(2) })] {
        // Shown a refresh after its timestamp, and the host says so.
        let later = feedback.is_some_and(|it| it.lie == Lie::Later);
        for hz in [30.0, 60.0, 144.0, 240.0] {
            let display = Display { noise: Noise::Gauss(0.3), ..Display::new(hz) };
            let session = Host { feedback, ..Host::default() }.tell(display.session(60.0, SEEDS.start));
            let start_ns = session.shown[0].at_ns;
            let mut shown = session.shown.iter();
            let mut known = 0;
            let mut frames = 0;
            session.play(&mut Run::new(Policy::Evenstep, display.grid_hz()), |run, _| {
                let shown = shown.next().expect("one of each");
                if shown.at_ns - start_ns < 5e9 {
                    return;
                }
                frames += 1;
                let Some(at) = run.shown_at() else { return };
                known += 1;
                let true_ns = shown.at_ns + if later { shown.interval_ns } else { 0.0 };
                let off_us = (at.as_nanos() as f64 - true_ns) / 1e3;
                assert!(off_us.abs() <= 200.0, "{hz} Hz, {feedback:?}: {off_us} us off");
            });
            assert_eq!(known, frames, "{hz} Hz, {feedback:?}");
        }
    }
}
