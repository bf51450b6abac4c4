//! Laws of the live session and of the recorder.

use evenstep_lab::display::{Display, Noise};
use evenstep_lab::policy::Policy;
use evenstep_lab::survey::{Survey, in_turn};
use evenstep_lab::timestamps::TimestampReader;
use evenstep_lab::words::cells;
use lab_page::link::{Link, MAGNIFY, SPEEDS};
use lab_page::live::{FRAMES_MAX, LiveSession, WINDOW};
use lab_page::numbers::Numbers;
use lab_page::recorder::{Findings, Recorder, SECONDS};
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
    let noise = 0..=(NOISE_MS_MAX / NOISE_MS_STEP) as u32;
    let missed = 0..=(MISSED_MAX / MISSED_STEP) as u32;
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
    let speed = prop::sample::select(SPEEDS.to_vec());
    let magnify = prop::sample::select(MAGNIFY.to_vec());
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
        let session = settings.display().session(8.0, seed);
        prop_assert_eq!(live.frames_shown(), session.shown.len() as u64);
        for lane in live.lanes() {
            let outcome = session.under(lane.run().policy());
            prop_assert_eq!(lane.run().tally().report(), outcome.report);
            let window = &outcome.motion[outcome.motion.len().saturating_sub(WINDOW)..];
            prop_assert!(lane.window().iter().eq(window));
            prop_assert_eq!(lane.run().lock(), &outcome.lock);
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
            prop_assert!(findings.picture().starts_with("<svg") && !findings.picture().contains("NaN"));
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
            let lane = live.lanes().iter().find(|lane| lane.run().policy() == policy).expect("a lane");
            lane.run().tally().report().judder_us
        };
        let plain = judder_us(Policy::Plain);
        let ours = judder_us(Policy::Evenstep);
        assert!(ours < 0.05 * plain, "{}: {ours} us, plain {plain} us", preset.name);
    }
}

#[test]
fn nothing_is_shown_as_measured_in_the_first_three_seconds() {
    let settings = PRESETS[0].settings;
    let numbers =
        |seconds| Numbers::of(&play_live(&settings, 1, seconds, 1.0).lanes()[0].run().tally().report());
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
        let trace = findings.trace();
        let mut trace = TimestampReader::open(trace.as_bytes()).expect("a header");
        trace.read_part().expect("a trace as described");
        let mut survey = Survey::new("display");
        survey.part(&mut trace.recording, in_turn);
        let found = survey.findings();
        assert_eq!(found.grid.map(|grid| 1e9 / grid.period_ns), findings.refresh_hz(), "{display}");
        assert_eq!(found.facts(&trace.recording), findings.facts(), "{display}");
        assert_eq!(found.verdict(&trace.recording), findings.verdict(), "{display}");
        let rows: Vec<_> =
            found.outcomes.iter().map(|outcome| (outcome.policy, cells(&outcome.report))).collect();
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
fn the_verdict_names_the_display_and_what_each_loop_would_have_done() {
    let verdict = |display: &Display| findings(display).verdict();
    let exact = verdict(&Display::new(60.0));
    let none = "a plain loop would have stuttered 0 times, Evenstep 0 times.";
    assert!(exact.starts_with("A steady 60 Hz display; no frame came late. In the last 7 s, "), "{exact}");
    assert!(exact.ends_with(none), "{exact}");

    let noisy = verdict(&Display { noise: Noise::Gauss(0.7), ..Display::new(59.94) });
    assert!(noisy.starts_with("A steady 59.94 Hz display;"), "{noisy}");
    let (_, times) = noisy.split_once("a plain loop would have stuttered ").expect("a count");
    let (plain, ours) = times.split_once(" times, Evenstep ").expect("two counts");
    assert!(plain.parse::<usize>().is_ok_and(|plain| plain > 50) && ours == "0 times.", "{noisy}");

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
