//! Laws of the import: it finds the refresh and noise that a trace was made with, and fails like `evenstep trace`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use evenstep::Pacing;
use evenstep_cli::lab::import::Imported;
use evenstep_lab::policy::Policy;
use evenstep_lab::recording::Measured;
use evenstep_lab::survey::PART_FRAMES;
use evenstep_trace::{Control, Header, Presented, Writer};
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

/// Writes a trace of this many frames on a 60 Hz display, whose timestamps shake a little.
fn write_trace(path: &Path, frames: u64) {
    let mut text = String::from("{\"trace\":1,\"profile\":\"evenstep\"}\n");
    for n in 0..frames {
        let ms = n as f64 * 1e3 / 60.0 + (n * 7_919 % 101) as f64 * 1e-3;
        writeln!(text, "{{\"frame_ms\":{ms:.4}}}").expect("a text");
    }
    fs::write(path, text).expect("a trace");
}

/// Imports a file with a limit on memory, in megabytes.
#[cfg(target_os = "linux")]
fn import_within(megabytes: u32, path: &Path) -> Output {
    Command::new("sh")
        .args(["-c", &format!("ulimit -v {} && exec \"$@\"", megabytes * 1_024), "sh"])
        .args([env!("CARGO_BIN_EXE_evenstep"), "lab", "import", "--policy", "plain,evenstep"])
        .arg(path)
        // Every further arena would reserve addresses, which count.
        .env("MALLOC_ARENA_MAX", "1")
        .output()
        .expect("a shell")
}

/// Read at once, it would take 150 bytes a frame: far more than the limit.
#[cfg(target_os = "linux")]
#[test]
fn a_long_trace_is_imported_in_parts_with_progress_and_within_a_limit_on_memory() {
    const MEGABYTES: u32 = 96;
    let file = folder("import").join("long.jsonl");
    let frames = 4 * PART_FRAMES as u64 + 1_000;
    write_trace(&file, frames);
    let output = import_within(MEGABYTES, &file);
    let progress = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{progress}");
    assert_eq!(progress.lines().filter(|line| line.ends_with(" bytes")).count(), 4, "{progress}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    for part in ["recorded at 60.000 Hz", &format!("frames    {frames} in "), "evenstep: locked after"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    fs::remove_file(file).expect("it is there");
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

#[test]
fn presentation_times_are_counted_and_reach_the_policies() {
    // Timestamps with slow noise, which the display lock alone cannot tell from a refresh that wanders.
    let period_ns = 16_666_667;
    let trace = |is_reported: bool| {
        let mut writer = Writer::new(Vec::new(), &Header::of(&Pacing::hz(60))).expect("memory");
        let (mut refresh, mut noise_ns, mut seed) = (100_u64, 0.0_f64, 1_u64);
        let (mut waiting, mut missed) = (None, 0);
        for n in 0..1_800 {
            if let Some(Presented { frame_ns, at_ns }) = waiting.take() {
                writer.control(&Control::Presented(Presented { frame_ns, at_ns })).expect("memory");
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            noise_ns = 0.9 * noise_ns + ((seed >> 40) as f64 / f64::from(1 << 24) - 0.5) * 1.4e6;
            let frame_ns = (refresh * period_ns).saturating_add_signed(noise_ns as i64 + 4_000_000);
            writer.frame(Duration::from_nanos(frame_ns)).expect("memory");
            waiting = is_reported.then_some(Presented { frame_ns, at_ns: (refresh + 2) * period_ns });
            let is_missed = n % 90 == 89;
            missed += u64::from(is_missed && n < 1_799);
            refresh += 1 + u64::from(is_missed);
        }
        (writer.finish().expect("memory"), missed)
    };
    let printed = |is_reported| {
        let output = import(&trace(is_reported).0);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let (without, with) = (printed(false), printed(true));
    assert!(!without.contains("\nshown "), "{without}");
    // The report of the last frame comes after the end.
    let missed = trace(true).1;
    assert!(
        with.contains(&format!("\nshown     1799 images; {missed} refreshes missed (")),
        "{missed}: {with}"
    );
    assert!(with.contains("\ndelay     29.") && !with.contains("controls"), "{with}");
    let judder = |text: &str| -> f64 {
        let row = text.lines().find(|line| line.starts_with("evenstep ")).expect("a row");
        row.split_whitespace().nth(1).expect("judder").parse().expect("a number")
    };
    let (without_us, with_us) = (judder(&without), judder(&with));
    assert!(with_us < 0.9 * without_us, "{with_us} us with presentation times, {without_us} us without");
}
