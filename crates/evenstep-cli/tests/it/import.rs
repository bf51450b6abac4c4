//! Laws of the import: it finds the display behind a trace, in bounded memory, and fails like `evenstep trace`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use evenstep_cli::analysis::survey::{PART_FRAMES, Survey, in_turn};
use evenstep_cli::analysis::timestamps::TimestampReader;
use proptest::prelude::*;
use roxmltree::Document;

use crate::errors::feed;

const HEADER: &str = "{\"trace\":2,\"profile\":\"evenstep\"}\n";

/// A file of its own for a test.
fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("import");
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder.join(name)
}

fn frame(at_ns: u64) -> String {
    format!("{{\"frame_ns\":{at_ns}}}\n")
}

/// A trace of this many frames on a 60 Hz display, whose timestamps shake a little.
fn trace(frames: u64) -> String {
    let mut text = String::from(HEADER);
    for n in 0..frames {
        text += &frame(n * 1_000_000_000 / 60 + n * 7_919 % 101 * 1_000);
    }
    text
}

/// Imports a file with a limit on memory, in megabytes.
#[cfg(target_os = "linux")]
fn import_within(megabytes: u32, path: &Path) -> Output {
    Command::new("sh")
        .args(["-c", &format!("ulimit -v {} && exec \"$@\"", megabytes * 1_024), "sh"])
        .args([env!("CARGO_BIN_EXE_evenstep"), "import"])
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
    let file = file("long.jsonl");
    let frames = 4 * PART_FRAMES as u64 + 1_000;
    fs::write(&file, trace(frames)).expect("a trace");
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
    feed(&["import", "-"], trace)
}

#[test]
fn a_bad_line_is_named_and_exits_2() {
    for (trace, message) in [
        (String::new(), "-: line 1: expected a header"),
        (format!("{HEADER}\n{{\"frame_ns\":1}}\n{{\"frame_ns\":NaN}}\n"), "-: line 4: expected a frame"),
        (format!("{HEADER}{{\"gate\":\"ajar\"}}\n"), "-: line 2: "),
        (
            format!("{HEADER}{{\"gate\":\"menu\"}}\n{{\"frame_ns\":1}}\n"),
            "-: expected 64 frames or more, found 1",
        ),
    ] {
        let output = import(trace.as_bytes());
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{trace}");
        assert!(error.starts_with("evenstep: ") && error.contains(message), "{trace}: {error}");
        assert!(output.stdout.is_empty(), "{trace}");
    }
    let output =
        Command::new(env!("CARGO_BIN_EXE_evenstep")).args(["import", "no/such/trace.jsonl"]).output();
    let error = output.expect("the command runs").stderr;
    let error = String::from_utf8_lossy(&error);
    assert!(error.starts_with("evenstep: no/such/trace.jsonl: the trace cannot be read: "), "{error}");
}

#[test]
fn controls_are_left_out_and_counted() {
    let mut trace = String::from(HEADER);
    for n in 0..600 {
        trace += &frame(n * 1_000_000_000 / 60);
        if n % 100 == 0 {
            trace += "{\"gate\":\"paused\"}\n";
        }
    }
    let output = import(trace.as_bytes());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("commands  6 lines"), "{text}");
    assert!(text.contains("refresh   60.0000 Hz"), "{text}");
}

#[test]
fn the_same_trace_from_standard_input_prints_the_same_and_a_picture_is_drawn_where_asked() {
    let file = file("short.jsonl");
    let picture = file.with_extension("svg");
    fs::write(&file, trace(600)).expect("a trace");
    let mut command = Command::new(env!("CARGO_BIN_EXE_evenstep"));
    let output = command.arg("import").arg(&file).arg("--svg").arg(&picture).output().expect("it runs");
    let from_file = String::from_utf8(output.stdout).expect("UTF-8");
    let from_stdin = String::from_utf8(import(trace(600).as_bytes()).stdout).expect("UTF-8");
    assert_eq!(from_file.replace(&file.display().to_string(), "-"), from_stdin);
    let verdict = "A steady 60 Hz display; no frame came late. In the last 7 s, a plain loop would have stuttered 0 times";
    assert!(from_stdin.contains(verdict), "{from_stdin}");
    let picture = fs::read_to_string(picture).expect("a picture");
    Document::parse(&picture).expect("well-formed");
    assert!(picture.contains(">plain<") && picture.contains(">evenstep<"), "{picture}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_timestamps_are_measured_without_a_panic(
        gaps_ns in prop::collection::vec(
            prop_oneof![
                8 => 0..40_000_000_i64,
                1 => Just(0),
                1 => -400_000_000..400_000_000_i64,
                1 => any::<i64>(),
            ],
            0..300,
        ),
    ) {
        let mut trace = String::from(HEADER);
        let mut now_ns = 0_u64;
        for gap_ns in gaps_ns {
            now_ns = now_ns.saturating_add_signed(gap_ns);
            trace += &frame(now_ns);
        }
        let mut trace = TimestampReader::open(trace.as_bytes()).expect("a header");
        trace.read_part().expect("a good trace");
        let mut survey = Survey::new("any");
        survey.part(&mut trace.recording, in_turn);
        let found = survey.findings();
        prop_assert!(!found.verdict(&trace.recording).is_empty());
        for report in found.outcomes.iter().map(|outcome| outcome.report) {
            prop_assert!(report.judder_us.is_finite() && report.drift_ms.is_finite() && report.lag_ms.is_finite());
        }
    }
}

#[test]
fn presentation_times_are_counted_and_reach_the_policies() {
    // Timestamps with slow noise, which the display lock alone cannot tell from a refresh that wanders.
    let period_ns = 16_666_667;
    let trace = |is_reported: bool| {
        let mut text = String::from(HEADER);
        let mut refresh = 100_u64;
        let mut noise_ns = 0.0_f64;
        let mut seed = 1_u64;
        let mut waiting = None;
        let mut missed = 0;
        for n in 0..1_800 {
            if let Some((frame_ns, at_ns)) = waiting.take() {
                writeln!(text, "{{\"presented\":{{\"frame_ns\":{frame_ns},\"at_ns\":{at_ns}}}}}")
                    .expect("a text");
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            noise_ns = 0.9 * noise_ns + ((seed >> 40) as f64 / f64::from(1 << 24) - 0.5) * 1.4e6;
            let frame_ns = (refresh * period_ns).saturating_add_signed(noise_ns as i64 + 4_000_000);
            text += &frame(frame_ns);
            waiting = is_reported.then_some((frame_ns, (refresh + 2) * period_ns));
            let is_missed = n % 90 == 89;
            missed += u64::from(is_missed && n < 1_799);
            refresh += 1 + u64::from(is_missed);
        }
        (text, missed)
    };
    let printed = |is_reported| {
        let output = import(trace(is_reported).0.as_bytes());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let without = printed(false);
    let with = printed(true);
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
    let without_us = judder(&without);
    let with_us = judder(&with);
    assert!(with_us < 0.9 * without_us, "{with_us} us with presentation times, {without_us} us without");
}

#[test]
fn a_clock_that_stands_still_has_a_picture() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("still.svg");
    let trace = format!("{HEADER}{}", frame(5).repeat(100));
    let output = feed(&["import", "--svg", path.to_str().expect("UTF-8"), "-"], trace.as_bytes());
    assert!(output.status.code().is_some(), "it ends");
}
