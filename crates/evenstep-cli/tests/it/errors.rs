//! Bad input: a named error, exit status 2, and nothing printed after it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn play(arguments: &[&str], trace: &[u8]) -> Output {
    feed(&[&["trace", "-"], arguments].concat(), trace)
}

/// Runs the command with a trace on its standard input.
pub(crate) fn feed(arguments: &[&str], trace: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_evenstep"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    // The command may stop reading at a bad line.
    let _ = child.stdin.take().expect("piped").write_all(trace);
    child.wait_with_output().expect("the command ends")
}

/// A line that follows a good header and one good frame, and what the error must name.
const BAD_LINES: [(&str, &str, &str); 34] = [
    ("starship", r#"{"frame_ms":NaN}"#, "expected value"),
    ("starship", r#"{"frame_ms":Infinity}"#, "expected value"),
    ("starship", r#"{"frame_ms":1e999}"#, "out of range"),
    ("starship", r#"{"frame_ms":"33"}"#, "expected f64"),
    ("starship", r#"{"frame_ms":null}"#, "expected f64"),
    ("starship", r#"{"frame_ms":33,"frame_ms":34}"#, "duplicate field"),
    ("starship", r#"{"frame_ms":33,"juice":1}"#, "found both"),
    ("starship", r#"{"frame_ms":33} {"frame_ms":50}"#, "trailing characters"),
    ("starship", r#"{"frame_ms":33"#, "EOF"),
    ("starship", "{}", "found an empty object"),
    ("starship", "[33]", "a line is a JSON object"),
    ("starship", "33", "a line is a JSON object"),
    ("starship", "# a comment", "a line is a JSON object"),
    ("starship", r#"{"frame":33}"#, "unknown field `frame`"),
    ("starship", r#"{"phase":"paused"}"#, "unknown variant `paused`"),
    ("starship", r#"{"hit_freeze_s":-0.1}"#, "`hit_freeze_s` to be 0 or more, found -0.1"),
    ("starship", r#"{"hit_freeze_s":1e300}"#, "`hit_freeze_s` to be a time"),
    ("starship", r#"{"invert_s":-1}"#, "`invert_s` to be 0 or more"),
    ("starship", r#"{"time_dilation":"fast"}"#, "expected f64"),
    ("starship", r#"{"time_dilation":-1}"#, "`time_dilation` to be 0 or more"),
    ("starship", r#"{"test_speed":-4}"#, "`test_speed` to be 0 or more"),
    ("starship", r#"{"mission":{"sandbox":true}}"#, "missing field `timer_s`"),
    ("starship", r#"{"mission":{"timer_s":-1}}"#, "`timer_s` to be 0 or more"),
    ("starship", r#"{"mission":{"timer_s":9,"boss":1}}"#, "unknown field `boss`"),
    ("starship", r#"{"reset":"all"}"#, "unknown variant `all`"),
    ("starship", r#"{"set_fps":{"render":30}}"#, "`set_fps` belongs to fixed-time-step"),
    (
        "starship",
        r#"{"hitstop":{"frames":3,"intensity":0.1}}"#,
        "`hitstop` belongs to game-loop and evenstep",
    ),
    ("fixed-time-step", r#"{"set_fps":{"fixed":30}}"#, "missing field `render`"),
    ("fixed-time-step", r#"{"phase":"menu"}"#, "`phase` belongs to starship"),
    ("game-loop", r#"{"juice":0.5}"#, "`juice` belongs to starship"),
    ("game-loop", r#"{"hitstop":{"frames":-1,"intensity":0.1}}"#, "expected u32"),
    ("game-loop", r#"{"hitstop":{"frames":1,"intensity":-0.1}}"#, "`intensity` to be 0 or more"),
    ("evenstep", r#"{"step":1.5}"#, "expected u32"),
    ("evenstep", r#"{"pause":1}"#, "expected a boolean"),
];

#[test]
fn a_bad_line_is_named_exits_2_and_prints_no_frame_after_it() {
    for (profile, line, message) in BAD_LINES {
        let header = format!("{{\"trace\":1,\"profile\":\"{profile}\"}}");
        let trace = format!("{header}\n\n{{\"frame_ms\":16}}\n{line}\n{{\"frame_ms\":32}}\n");
        let output = play(&[], trace.as_bytes());
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(error.starts_with("evenstep: -: line 4: "), "{line}: {error}");
        assert!(error.contains(message), "{line}: {error}");
        assert!(error.contains("expected"), "{line}: {error}");
        assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1, "{line}");
        assert!(play(&["--ledger"], trace.as_bytes()).stdout.is_empty(), "{line}");
    }
}

#[test]
fn a_bad_header_is_named_and_prints_nothing() {
    for (header, message) in [
        ("", "expected a header"),
        ("\n\n", "expected a header"),
        (r#"{"frame_ms":16}"#, "expected a header"),
        (r#"{"trace":3,"profile":"starship"}"#, "expected trace format 1 or 2, found 3"),
        (r#"{"trace":3}"#, "expected trace format 1 or 2, found 3"),
        (r#"{"trace":2,"pacing":{"rate":null}}"#, "invalid type: null"),
        (r#"{"trace":1}"#, "missing field `profile`"),
        (r#"{"trace":1,"profile":"godot"}"#, "unknown variant `godot`"),
        (r#"{"trace":1,"profile":"starship","display_lock":null}"#, "expected a boolean"),
        (r#"{"trace":1,"profile":"starship","start_ms":"0"}"#, "expected f64"),
        (r#"{"trace":1,"profile":"starship","lock":true}"#, "unknown field `lock`"),
    ] {
        let output = play(&[], format!("{header}\n{{\"frame_ms\":16}}\n").as_bytes());
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{header}");
        assert!(error.contains(message), "{header}: {error}");
        assert!(output.stdout.is_empty(), "{header}");
    }
    assert_eq!(play(&[], b"").status.code(), Some(2));
    let not_text = play(&[], b"{\"trace\":1,\"profile\":\"starship\"}\n\xFF\xFE\n");
    assert!(String::from_utf8_lossy(&not_text.stderr).contains("line 2: expected UTF-8"));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let output = Command::new(env!("CARGO_BIN_EXE_evenstep"))
        .args(["trace", "no/such/trace.jsonl"])
        .output()
        .expect("the command runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("evenstep: no/such/trace.jsonl: "));
}

#[cfg(feature = "measure")]
#[test]
fn a_display_is_measured_for_longer_than_the_policies_need_to_settle() {
    for seconds in ["0", "1", "3", "3601", "4.5", ""] {
        let output = Command::new(env!("CARGO_BIN_EXE_evenstep"))
            .args(["measure", "--seconds", seconds])
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .output()
            .expect("the command runs");
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("4 to 3600 whole seconds"), "{seconds}: {said}");
    }
}
