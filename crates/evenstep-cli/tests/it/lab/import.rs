//! Laws of the import: it finds the refresh and noise that a trace was made with, and fails like `evenstep trace`.

use std::fs;
use std::process::Output;

use evenstep_cli::lab::import::Imported;
use evenstep_lab::policy::Policy;
use evenstep_lab::recording::Measured;
use proptest::prelude::*;

use super::{folder, printed};
use crate::errors::feed;

#[test]
fn a_recording_is_measured_as_the_session_it_was_recorded_from() {
    let file = folder("import").join("session.jsonl");
    let words = "--display 59.94 --noise gauss:0.3ms --missed 2% --seconds 30 --policy plain,evenstep";
    let simulated = printed(&format!("run {words} --trace {}", file.display()));
    let recorded = printed(&format!("import {} --policy plain,evenstep", file.display()));
    let judder = |text: &str, policy: &str| -> f64 {
        let row = text.lines().find(|line| line.starts_with(policy)).expect("a row");
        row.split_whitespace().nth(1).expect("judder").parse().expect("a number")
    };
    for policy in ["plain ", "evenstep "] {
        let (true_us, found_us) = (judder(&simulated, policy), judder(&recorded, policy));
        assert!((true_us - found_us).abs() < 0.01 * true_us + 1.0, "{policy}: {true_us} us, {found_us} us");
    }
    for part in ["refresh   59.94", "noise     0.", "missed    ", "late      ", "evenstep: locked after"] {
        assert!(recorded.contains(part), "{part}: {recorded}");
    }
}

#[test]
fn the_import_of_a_slow_clock_names_its_resolution() {
    for (clock, found) in [("1ms", "multiples of 1 ms"), ("0.1ms", "0.1 ms"), ("1us", "0.001 ms")] {
        let file = folder("import").join(format!("clock-{clock}.jsonl"));
        printed(&format!(
            "run --display 60 --clock {clock} --noise gauss:0.3ms --seconds 5 --trace {}",
            file.display()
        ));
        let text = printed(&format!("import {} --policy plain", file.display()));
        assert!(text.contains(found), "{clock}: {text}");
    }
}

fn import(trace: &[u8]) -> Output {
    feed(&["lab", "import", "-"], trace)
}

#[test]
fn a_bad_line_is_named_and_exits_2() {
    let header = "{\"trace\":1,\"profile\":\"starship\"}\n";
    for (trace, message) in [
        (String::new(), "-: line 1: expected a header"),
        (
            format!("{header}\n{{\"frame_ms\":1}}\n{{\"frame_ms\":NaN}}\n"),
            "-: line 4: expected a frame or a control",
        ),
        (
            format!("{header}{{\"hitstop\":{{\"frames\":3,\"intensity\":0.1}}}}\n"),
            "-: line 2: expected a frame or a control",
        ),
        (
            format!("{header}{{\"phase\":\"menu\"}}\n{{\"frame_ms\":1}}\n"),
            "-: expected 64 frames or more, found 1",
        ),
    ] {
        let output = import(trace.as_bytes());
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{trace}");
        assert!(error.starts_with("evenstep: ") && error.contains(message), "{trace}: {error}");
        assert!(output.stdout.is_empty(), "{trace}");
    }
}

fn frame_line(at_ms: f64) -> String {
    format!("{{\"frame_ms\":{at_ms}}}\n")
}

#[test]
fn controls_are_left_out_and_counted() {
    let mut trace = String::from("{\"trace\":1,\"profile\":\"evenstep\"}\n");
    for n in 0..600 {
        trace += &frame_line(f64::from(n) * 1000.0 / 60.0);
        if n % 100 == 0 {
            trace += "{\"pause\":true}\n";
        }
    }
    let output = import(trace.as_bytes());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("controls  6 lines"), "{text}");
    assert!(text.contains("refresh   60.0000 Hz"), "{text}");
}

#[test]
fn the_same_trace_from_standard_input_prints_the_same() {
    let file = folder("import").join("stdin.jsonl");
    printed(&format!("run --display 60 --noise gauss:0.3ms --seconds 5 --trace {}", file.display()));
    let trace = fs::read(&file).expect("the trace is there");
    let from_file = printed(&format!("import {}", file.display()));
    let from_stdin = String::from_utf8(import(&trace).stdout).expect("UTF-8");
    assert_eq!(from_file.replace(&file.display().to_string(), "-"), from_stdin);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_timestamps_are_measured_without_a_panic(
        gaps in prop::collection::vec(
            prop_oneof![
                8 => 0.0..40.0_f64,
                1 => Just(0.0),
                1 => -400.0..400.0,
                1 => any::<f64>().prop_filter("finite", |gap| gap.is_finite()),
            ],
            0..300,
        ),
    ) {
        let mut trace = String::from("{\"trace\":1,\"profile\":\"evenstep\"}\n");
        let mut now = 0.0_f64;
        for gap in gaps {
            let next: f64 = now + gap;
            now = if next.is_finite() { next } else { 0.0 };
            trace += &frame_line(now);
        }
        let recording = Imported::read(trace.as_bytes()).expect("a good trace").recording;
        if recording.stamps_ns().is_empty() {
            return Ok(());
        }
        let measured = Measured::of(&recording, "any");
        for policy in Policy::ALL {
            let report = measured.session.under(policy).report;
            prop_assert!(report.judder_us.is_finite() && report.drift_ms.is_finite() && report.lag_ms.is_finite());
        }
    }
}
