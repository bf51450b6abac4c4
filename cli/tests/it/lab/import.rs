//! Laws of the import: it finds what was put into a trace, and fails like `evenstep trace`.

use std::fs;
use std::process::Output;

use evenstep_cli::lab::display::{Display, Noise, Refresh};
use evenstep_cli::lab::fit::Grid;
use evenstep_cli::lab::import::{Measured, Recording};
use evenstep_cli::lab::policy::Policy;
use proptest::prelude::*;

use super::{folder, printed};
use crate::errors::feed;

fn grid_of(display: &Display, seconds: f64, seed: u64) -> Option<Grid> {
    let stamps: Vec<f64> = display.play(seconds, seed).iter().map(|frame| frame.stamp_ns as f64).collect();
    Grid::fit(&stamps)
}

#[test]
fn the_refresh_is_found_within_a_hundredth_of_a_percent_and_the_noise_within_20_percent() {
    for hz in [30.0, 59.94, 60.0, 60.05, 75.0, 144.0, 240.0] {
        for (noise, deviation_ms) in [
            (Noise::Gauss(0.1), 0.1),
            (Noise::Gauss(0.3), 0.3),
            (Noise::Gauss(1.0), 1.0),
            (Noise::Uniform(1.0), 1.0 / 3_f64.sqrt()),
            (Noise::Correlated { ms: 0.3, rho: 0.5 }, 0.3),
        ] {
            for (missed, late) in [(0.0, 0.0), (0.02, 0.01)] {
                let display = Display { noise, missed, late, ..Display::new(hz) };
                let grid = grid_of(&display, 30.0, 90_101).unwrap_or_else(|| panic!("{display}: no grid"));
                let (found_hz, found_ms) = (1e9 / grid.period_ns, grid.noise_ns / 1e6);
                assert!((found_hz / hz - 1.0).abs() < 1e-4, "{display}: {found_hz} Hz");
                assert!((found_ms / deviation_ms - 1.0).abs() < 0.2, "{display}: {found_ms} ms of noise");
            }
        }
    }
}

#[test]
fn missed_refreshes_and_late_timestamps_are_counted() {
    let display = Display { noise: Noise::Gauss(0.2), missed: 0.03, late: 0.02, ..Display::new(60.0) };
    let shown = display.play(60.0, 90_102);
    let refreshes = shown.last().and_then(|frame| frame.refresh).expect("a grid");
    let missed = refreshes + 1 - shown.len() as u64;
    let late = shown.iter().filter(|frame| frame.stamp_ns as f64 - frame.at_ns > 1.5e6).count();
    let grid = grid_of(&display, 60.0, 90_102).expect("a grid");
    assert_eq!((grid.missed(0.25e9), grid.late), (missed, late));
}

#[test]
fn a_display_without_a_fixed_refresh_has_no_grid() {
    for refresh in [
        Refresh::Wandering(0.4),
        Refresh::Wandering(0.05),
        Refresh::Independent(0.5),
        Refresh::Independent(0.02),
        Refresh::Breathing(2.0),
        Refresh::Switching { other_hz: 144.0, every_s: 10.0 },
    ] {
        for hz in [60.0, 100.0] {
            let display = Display { refresh, noise: Noise::Gauss(0.1), ..Display::new(hz) };
            assert_eq!(grid_of(&display, 60.0, 90_103), None, "{display}");
        }
    }
}

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
        let recording = Recording::read(trace.as_bytes()).expect("a good trace");
        if recording.stamps_ns.is_empty() {
            return Ok(());
        }
        let measured = Measured::of(&recording, "any");
        for policy in Policy::ALL {
            let report = measured.session.under(policy).report;
            prop_assert!(report.judder_us.is_finite() && report.drift_ms.is_finite() && report.lag_ms.is_finite());
        }
    }
}
