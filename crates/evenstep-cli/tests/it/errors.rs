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

/// A line that follows a good header and one good frame, and what the error must name. The trace crate's tests have more.
const BAD_LINES: [(&str, &str); 19] = [
    (r#"{"frame_ns":NaN}"#, "expected value"),
    (r#"{"frame_ns":1e999}"#, "out of range"),
    (r#"{"frame_ns":"33"}"#, "expected u64"),
    (r#"{"frame_ns":null}"#, "expected u64"),
    (r#"{"frame_ns":33,"frame_ns":34}"#, "duplicate field"),
    (r#"{"frame_ns":33,"step":1}"#, "unknown field `step`"),
    (r#"{"frame_ns":33} {"frame_ns":50}"#, "trailing characters"),
    (r#"{"frame_ns":33"#, "EOF"),
    ("{}", "expected"),
    ("[33]", "a line is a JSON object"),
    ("33", "a line is a JSON object"),
    ("# a comment", "a line is a JSON object"),
    (r#"{"frame_ms":33}"#, "unknown variant `frame_ms`"),
    (r#"{"gate":"shut"}"#, "unknown variant `shut`"),
    (r#"{"hit_freeze_ns":-1}"#, "expected u64"),
    (r#"{"scale":{"channel":"juice","value":"fast"}}"#, "expected f64"),
    (r#"{"reset":{"kind":"all"}}"#, "unknown variant `all`"),
    (r#"{"hitstop":{"frames":-1,"intensity":0.1}}"#, "expected u32"),
    (r#"{"step":1.5}"#, "expected u32"),
];

#[test]
fn a_bad_line_is_named_exits_2_and_prints_no_frame_after_it() {
    for (line, message) in BAD_LINES {
        let trace = format!("{{\"trace\":2}}\n\n{{\"frame_ns\":16}}\n{line}\n{{\"frame_ns\":32}}\n");
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
        (r#"{"frame_ns":16}"#, "expected a header"),
        (r#"{"trace":3,"profile":"starship"}"#, "expected trace format 2, found 3"),
        (r#"{"trace":1,"profile":"starship"}"#, "expected trace format 2, found 1"),
        (r#"{"trace":2,"pacing":{"rate":null}}"#, "invalid type: null"),
        (r#"{"profile":"starship"}"#, "missing field `trace`"),
        (r#"{"trace":2,"profile":"godot"}"#, "unknown variant `godot`"),
        (r#"{"trace":2,"profile":"starship","lock":true}"#, "unknown field `lock`"),
    ] {
        let output = play(&[], format!("{header}\n{{\"frame_ns\":16}}\n").as_bytes());
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{header}");
        assert!(error.contains(message), "{header}: {error}");
        assert!(output.stdout.is_empty(), "{header}");
    }
    assert_eq!(play(&[], b"").status.code(), Some(2));
    let not_text = play(&[], b"{\"trace\":2}\n\xFF\xFE\n");
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
