//! Laws of the live session and of the recorder.

use evenstep_cli::lab::import::Imported;
use evenstep_lab::display::{Display, Noise};
use evenstep_lab::policy::Policy;
use evenstep_lab::recording::Measured;
use evenstep_lab::session::Session;
use evenstep_lab::words::{cells, facts};
use lab_page::link::{Link, MAGNIFY, SPEEDS};
use lab_page::live::{FRAMES_MAX, LiveSession, WINDOW};
use lab_page::numbers::Numbers;
use lab_page::recorder::{Findings, Histogram, Recorder, SECONDS};
use lab_page::settings::{
    HZ_MAX, HZ_MIN, MISSED_MAX, MISSED_STEP, Mode, NOISE_MS_MAX, NOISE_MS_STEP, PRESETS, Preset, STALLS_S,
    Settings, Trouble,
};
use proptest::prelude::*;

/// A session that is shown in portions, as a page shows it.
fn play_live(settings: &Settings, seed: u64, seconds: f64, portion_s: f64) -> LiveSession {
    let mut live = LiveSession::new(settings.display(), seed);
    let mut now_s = 0.0;
    while now_s < seconds {
        now_s += portion_s;
        live.play_until(now_s.min(seconds));
    }
    live
}

fn any_settings() -> impl Strategy<Value = Settings> {
    let mode = prop::sample::select(Mode::ALL.to_vec());
    let trouble = prop::sample::select(Trouble::ALL.to_vec());
    (24.0..300.0, mode, trouble, 0.0..3.0, 0.0..20.0, 0.0..10.0).prop_map(
        |(hz, mode, trouble, trouble_ms, missed, stall_every_s)| Settings {
            hz,
            mode,
            trouble,
            trouble_ms,
            missed,
            stall_every_s,
        },
    )
}

/// Whatever the page's controls can say.
fn any_link() -> impl Strategy<Value = Link> {
    let mode = prop::sample::select(Mode::ALL.to_vec());
    let trouble = prop::sample::select(Trouble::ALL.to_vec());
    let (noise, missed) = (0..=(NOISE_MS_MAX / NOISE_MS_STEP) as u32, 0..=(MISSED_MAX / MISSED_STEP) as u32);
    let stalls = prop::sample::select(STALLS_S.to_vec());
    let settings = (HZ_MIN..=HZ_MAX, mode, trouble, noise, missed, stalls).prop_map(
        |(hz, mode, trouble, noise, missed, stall_every_s)| Settings {
            hz,
            mode,
            trouble,
            // As a slider has it: a decimal, and not the product.
            trouble_ms: format!("{:.2}", f64::from(noise) * NOISE_MS_STEP).parse().expect("a number"),
            missed: f64::from(missed) * MISSED_STEP,
            stall_every_s,
        },
    );
    let (speed, magnify) = (prop::sample::select(SPEEDS.to_vec()), prop::sample::select(MAGNIFY.to_vec()));
    (settings, any::<u32>(), speed, magnify, any::<bool>()).prop_map(
        |(settings, seed, speed, magnify, shows_all)| Link { settings, seed, speed, magnify, shows_all },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_address_says_all_that_the_controls_say(link in any_link()) {
        prop_assert_eq!(Link::parse(&link.query()), (link, vec![]));
    }

    #[test]
    fn any_address_is_read_without_a_panic_and_gives_a_display_within_its_ranges(query in "[?&=a-z0-9.%é-]{0,60}") {
        let (link, problems) = Link::parse(&query);
        prop_assert!((HZ_MIN..=HZ_MAX).contains(&link.settings.hz));
        prop_assert_eq!(Link::parse(&link.query()).0, link);
        prop_assert!(problems.iter().all(|problem| problem.ends_with('.')));
    }

    #[test]
    fn a_live_session_is_the_whole_session_bit_for_bit(
        settings in any_settings(),
        seed: u64,
        portion_s in 0.001..0.2,
    ) {
        let live = play_live(&settings, seed, 8.0, portion_s);
        let session = Session::of(&settings.display(), 8.0, seed);
        prop_assert_eq!(live.frames_shown(), session.shown.len() as u64);
        for lane in live.lanes() {
            let outcome = session.under(lane.policy());
            let (tally, report) = (lane.tally(), outcome.report);
            prop_assert_eq!(tally.frames(), report.frames);
            prop_assert_eq!(tally.judder_us().to_bits(), report.judder_us.to_bits());
            prop_assert_eq!(tally.drift_ms().to_bits(), report.drift_ms.to_bits());
            prop_assert_eq!(tally.lag_ms().to_bits(), report.lag_ms.to_bits());
            prop_assert_eq!(tally.cadence_error(), report.cadence_error);
            let window = &outcome.motion[outcome.motion.len().saturating_sub(WINDOW)..];
            prop_assert!(lane.window().iter().eq(window));
            prop_assert_eq!(lane.lock(), &outcome.lock);
        }
    }

    #[test]
    fn any_timestamps_are_measured_without_a_panic(
        stamps_ms in prop::collection::vec(prop_oneof![8 => 0.0..20_000.0, 1 => any::<f64>()], 0..300),
    ) {
        let mut recorder = Recorder::default();
        for at_ms in stamps_ms {
            recorder.frame(at_ms);
            prop_assert!((0.0..=1.0).contains(&recorder.progress()));
        }
        if let Ok(findings) = recorder.finish() {
            prop_assert_eq!(findings.rows().len(), Policy::ALL.len());
            prop_assert!(findings.histogram().counts.len() == Histogram::BINS);
        }
    }
}

#[test]
fn one_call_plays_no_more_frames_than_its_bound() {
    let mut live = LiveSession::new(Display::new(1000.0), 1);
    assert_eq!(live.play_until(1e9), FRAMES_MAX);
    assert_eq!(live.play_until(1e9), FRAMES_MAX);
}

#[test]
fn on_every_fixed_display_among_the_presets_ours_is_far_below_a_plain_loop() {
    for preset in PRESETS.iter().filter(|preset| preset.settings.mode != Mode::Wandering) {
        let live = play_live(&preset.settings, 1, 20.0, 1.0);
        let judder_us = |policy| {
            let lane = live.lanes().iter().find(|lane| lane.policy() == policy).expect("a lane");
            lane.tally().judder_us()
        };
        let (plain, ours) = (judder_us(Policy::Plain), judder_us(Policy::Evenstep));
        assert!(ours < 0.05 * plain, "{}: {ours} us, plain {plain} us", preset.name);
    }
}

#[test]
fn nothing_is_shown_as_measured_in_the_first_three_seconds() {
    let settings = PRESETS[0].settings;
    let numbers = |seconds| Numbers::of(play_live(&settings, 1, seconds, 1.0).lanes()[0].tally());
    assert_eq!(numbers(2.9).judder, "–");
    assert_ne!(numbers(3.5).judder, "–");
}

/// What a browser would record of a display.
fn record(display: &Display, seed: u64) -> Recorder {
    let mut recorder = Recorder::default();
    for shown in display.play(SECONDS + 1.0, seed) {
        // As a page has it: fractions of a millisecond since it was opened.
        recorder.frame(54_321.1 + shown.stamp_ns as f64 / 1e6);
    }
    assert!(recorder.is_done());
    recorder
}

fn findings(display: &Display) -> Findings {
    record(display, 90_201).finish().expect("frames enough")
}

#[test]
fn the_saved_trace_reads_back_to_the_same_measurement() {
    for display in [
        Display { noise: Noise::Gauss(0.3), missed: 0.02, ..Display::new(59.94) },
        Display { clock_ns: 100_000, ..Display::new(144.0) },
        Preset::named("VRR").expect("a preset").settings.display(),
    ] {
        let findings = findings(&display);
        let imported = Imported::read(findings.trace().as_bytes()).expect("a trace as described");
        let measured = Measured::of(&imported.recording, "display");
        assert_eq!(measured.session.grid_hz, findings.refresh_hz(), "{display}");
        assert_eq!(facts(&imported.recording, measured.grid.as_ref()), findings.facts(), "{display}");
        let rows: Vec<_> = measured
            .session
            .under_each(&Policy::ALL)
            .iter()
            .map(|outcome| (outcome.policy, cells(&outcome.report)))
            .collect();
        assert_eq!(rows, findings.rows(), "{display}");
    }
}

#[test]
fn the_saved_trace_starts_at_its_first_frame() {
    let trace = findings(&Display::new(60.0)).trace();
    let mut output = Vec::new();
    evenstep_cli::trace::run(trace.as_bytes(), &mut output, evenstep_cli::trace::Show::Ledger)
        .expect("a trace");
    let ledger = String::from_utf8(output).expect("UTF-8");
    // Had it started at 0, the minute before the recording would be a stall.
    assert!(ledger.contains("\"wall_ns\":1000000"), "{ledger}");
}

#[test]
fn the_display_behind_a_recording_is_found() {
    let display = Display { noise: Noise::Gauss(0.3), ..Display::new(75.0) };
    let hz = findings(&display).refresh_hz().expect("a fixed refresh");
    assert!((hz - 75.0).abs() < 0.01, "{hz} Hz");
}

#[test]
fn a_recording_ends_after_ten_seconds_and_takes_no_frame_more() {
    let mut recorder = Recorder::default();
    for n in 0..2_000 {
        assert_eq!(recorder.is_done(), n > 1_000, "after {n} frames");
        recorder.frame(f64::from(n) * 10.0);
    }
    assert_eq!(recorder.finish().expect("frames enough").trace().lines().count(), 1 + 1_001);
}

#[test]
fn too_few_frames_are_an_error_and_a_hidden_tab_is_reported() {
    let mut recorder = Recorder::default();
    (0..20).for_each(|n| recorder.frame(f64::from(n) * 1_000.0));
    let mut hidden = recorder.clone();
    hidden.hide();
    let message = recorder.finish().expect_err("too few");
    assert!(message.starts_with("Only 11 frames arrived") && !message.contains("hidden"), "{message}");
    assert!(hidden.finish().expect_err("too few").contains("hidden"));

    let mut hidden = record(&Display::new(60.0), 1);
    hidden.hide();
    assert!(hidden.finish().expect("frames enough").facts().iter().any(|(name, _)| *name == "hidden"));
}

#[test]
fn the_histogram_has_every_interval_and_its_peak_at_the_typical_one() {
    let findings = findings(&Display { missed: 0.1, ..Display::new(60.0) });
    let histogram = findings.histogram();
    let frames = findings.trace().lines().count() - 1;
    assert_eq!(histogram.counts.iter().sum::<usize>(), frames - 1);
    let peak = (0..Histogram::BINS).max_by_key(|&bin| histogram.counts[bin]).expect("bins");
    assert_eq!(peak, Histogram::BINS / 3);
    assert!((histogram.median_ms - 1e3 / 60.0).abs() < 0.01);
    assert!(histogram.counts[2 * Histogram::BINS / 3] > 20, "missed refreshes are twice as long");
}

#[test]
fn the_verdict_names_the_display_and_what_each_loop_would_have_done() {
    let verdict = |display: &Display| findings(display).verdict();
    let exact = verdict(&Display::new(60.0));
    let none = "a plain loop would have stuttered 0 times, Evenstep 0 times.";
    assert!(exact.starts_with("A steady 60 Hz display; no frame came late. In the last 7 s, "), "{exact}");
    assert!(exact.ends_with(none), "{exact}");

    let noisy = findings(&Display { noise: Noise::Gauss(0.7), ..Display::new(59.94) });
    let (plain, ours) = (noisy.stutters(Policy::Plain), noisy.stutters(Policy::Evenstep));
    assert!(plain > Some(50) && ours == Some(0), "{plain:?} and {ours:?}");
    let words = format!("a plain loop would have stuttered {} times, Evenstep 0 times.", plain.unwrap_or(0));
    assert!(noisy.verdict().starts_with("A steady 59.94 Hz display;"), "{}", noisy.verdict());
    assert!(noisy.verdict().ends_with(&words), "{}", noisy.verdict());

    let late = verdict(&Display { late: 0.02, ..Display::new(60.0) });
    assert!(late.contains(" frames came late. In"), "{late}");
    let missed = verdict(&Display { missed: 0.02, ..Display::new(60.0) });
    assert!(
        missed.starts_with("A 60 Hz display; ") && missed.contains(" refreshes were missed;"),
        "{missed}"
    );
    let variable = verdict(&Preset::named("VRR").expect("a preset").settings.display());
    assert!(variable.starts_with("No fixed refresh rate was found in "), "{variable}");
}

/// The page's own text.
const PAGE: &str = include_str!("../site/lab.html");

#[test]
fn the_page_offers_every_choice_and_every_rate_that_a_preset_takes() {
    let names = Mode::ALL.iter().map(|mode| mode.name()).chain(Trouble::ALL.iter().map(|it| it.name()));
    for name in names {
        assert!(PAGE.contains(&format!("<option value=\"{name}\">")), "{name}");
    }
    for value in STALLS_S.iter().chain(&SPEEDS) {
        assert!(PAGE.contains(&format!("<option value=\"{value}\">")), "{value}");
    }
    let slider = |max: f64, step: f64| format!("type=\"range\" min=\"0\" max=\"{max}\" step=\"{step}\"");
    assert!(PAGE.contains(&slider(NOISE_MS_MAX, NOISE_MS_STEP)));
    assert!(PAGE.contains(&slider(MISSED_MAX, MISSED_STEP)));
    assert!(PAGE.contains(&slider(MAGNIFY.len() as f64 - 1.0, 1.0)));
    for preset in &PRESETS {
        assert!(STALLS_S.contains(&preset.settings.stall_every_s), "{}", preset.name);
    }
}

#[test]
fn the_page_asks_nobody_but_its_own_folder() {
    assert!(!PAGE.contains("http"));
    for attribute in ["src=\"", "href=\""] {
        for (at, _) in PAGE.match_indices(attribute) {
            let target = PAGE[at + attribute.len()..].split('"').next().expect("a quoted value");
            assert!(
                ["data:,", "lab.css", "lab.js", "index.html", "docs/guide/index.html"].contains(&target),
                "{target}"
            );
        }
    }
}
