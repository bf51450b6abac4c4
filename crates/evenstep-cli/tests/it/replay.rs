//! `evenstep replay` on the recordings that every version reads.

use std::path::PathBuf;
use std::process::Command;
use std::{fs, io};

use evenstep::Rate;
use evenstep_replay::{Header, LoadError, RecordingWriter, Simulation};
use serde_json::Value;

fn sample(name: &str) -> String {
    let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../evenstep-replay/tests/samples");
    samples.join(name).to_str().expect("UTF-8").to_owned()
}

/// Runs the command and returns its exit status, output and errors.
fn replay(args: &[&str]) -> (i32, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_evenstep")).arg("replay").args(args).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("a status"), text(output.stdout), text(output.stderr))
}

#[test]
fn info_describes_a_recording_and_what_is_wrong_with_it() {
    let (status, text, _) = replay(&["info", &sample("v1-complete.replay")]);
    assert_eq!(status, 0);
    for line in [
        "game           world 1.0.0",
        "ticks          0 to 500 (8.3 s), from the seed",
        "hashes         11, every 50 ticks",
        "parts          dice, bodies, score",
        "snapshots      3, every 200 ticks",
        "marks          fifty more 10",
        "complete       yes",
    ] {
        assert!(text.lines().any(|it| it == line), "{line} is not in\n{text}");
    }
    let (status, text, _) = replay(&["info", &sample("v1-crashed.replay")]);
    assert_eq!(status, 0, "a recording without an end can be looked at");
    assert!(text.contains("incomplete     at byte "), "{text}");
}

#[test]
fn export_writes_every_tick_hash_and_mark() {
    let (status, csv, _) = replay(&["export", "--csv", &sample("v1-complete.replay")]);
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!((status, lines.len(), lines[0]), (0, 502, "tick,input,hash,mark"));
    assert!(lines[124].starts_with("123,"), "{}", lines[124]);
    assert!(lines[501].starts_with("500,,") && lines[501].ends_with(",fifty more"), "{}", lines[501]);

    let (status, json, _) = replay(&["export", "--jsonl", &sample("v1-complete.replay")]);
    let lines: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let count = |name: &str| lines.iter().filter(|line| line.get(name).is_some()).count();
    assert_eq!((status, count("input"), count("hash"), count("mark")), (0, 500, 11, 10));
}

#[test]
fn a_recording_without_an_end_exports_what_it_has() {
    let crashed = sample("v1-crashed.replay");
    let (status, csv, errors) = replay(&["export", "--csv", &crashed]);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(csv.lines().count() > 100, "{csv}");
    let (status, json, _) = replay(&["export", "--jsonl", &crashed]);
    let header: Value = serde_json::from_str(json.lines().next().expect("a header")).expect("JSON");
    assert_eq!((status, &header["complete"]), (0, &Value::Bool(false)));
}

#[test]
fn diff_says_where_two_recordings_part() {
    let a = sample("v1-complete.replay");
    let b = sample("v1-crashed.replay");
    let (status, text, _) = replay(&["diff", &a, &a]);
    assert_eq!((status, text.as_str()), (0, "the same inputs and hashes\n"));
    let (status, text, _) = replay(&["diff", &a, &b]);
    assert_eq!(status, 1);
    assert!(text.contains("inputs differ from tick ") && text.contains(" and nothing"), "{text}");
}

#[test]
fn trim_cuts_at_snapshots_and_hashes() {
    let output = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("trimmed.replay");
    let output = output.to_str().expect("UTF-8");
    let (status, text, errors) =
        replay(&["trim", &sample("v1-complete.replay"), output, "--from", "333", "--to", "420"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(text.starts_with("ticks 200 to 450, "), "{text}");
    let (_, text, _) = replay(&["info", output]);
    assert!(text.contains("ticks          200 to 450 (4.2 s), from a snapshot"), "{text}");
    assert!(text.contains("complete       yes"), "{text}");
}

#[test]
fn errors_name_the_file_the_place_and_the_fix() {
    let this = file!();
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(this);
    let (status, _, errors) = replay(&["info", source.to_str().expect("UTF-8")]);
    assert_eq!(status, 2);
    assert!(errors.contains("at byte 0: not a recording: it begins with 2f 2f 21"), "{errors}");
    let (status, _, errors) = replay(&["trim", &sample("v1-complete.replay"), "/dev/null", "--from", "501"]);
    assert_eq!(status, 2);
    assert!(errors.contains("--from 501 is after --to 500"), "{errors}");
    assert_eq!(replay(&["export", &sample("v1-complete.replay")]).0, 2, "a format is needed");
}

/// A game of nothing.
struct Nothing;

impl Simulation for Nothing {
    type Input = u8;
    fn step(&mut self, _: &u8) {}
    fn save(&self, _: &mut Vec<u8>) {}
    fn load(&mut self, _: &[u8]) -> Result<(), LoadError> {
        Ok(())
    }
    fn write_input(input: &u8, bytes: &mut Vec<u8>) {
        bytes.push(*input);
    }
    fn read_input(bytes: &[u8]) -> Option<u8> {
        bytes.first().copied()
    }
    fn hash(&self, part: &mut dyn FnMut(&'static str, u64)) -> u64 {
        part("p\u{1b}[2J,\"", 1);
        2
    }
}

/// Writes a recording into a file of its own.
fn write(name: &str, header: Header, fill: impl FnOnce(&mut RecordingWriter<Vec<u8>>)) -> String {
    let mut recording = RecordingWriter::new(Vec::new(), header, &Nothing).expect("memory can be written");
    fill(&mut recording);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, recording.finish(&Nothing).expect("memory can be written")).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn names_in_a_file_can_neither_clear_the_terminal_nor_fake_a_line() {
    let evil = "x\u{1b}[2J\r\ncomplete       yes\u{9b}1A";
    let header = Header::new(evil, evil, Rate::hz(60)).with_platform(evil);
    let a = write("evil.replay", header, |recording| recording.mark(evil));
    let b = write("plain.replay", Header::new("x", "1", Rate::hz(50)), |_| ());
    for args in [vec!["info", &a], vec!["diff", &a, &b]] {
        let (_, text, _) = replay(&args);
        assert!(text.contains("\\u{1b}[2J"), "{text:?}");
        assert!(text.chars().all(|it| it == '\n' || !it.is_control()), "{text:?}");
        assert!(text.lines().filter(|line| line.starts_with("complete")).count() <= 1, "{text:?}");
    }
}

#[test]
fn a_recording_of_nothing_exports_in_every_format() {
    let empty = write("empty.replay", Header::new("x", "1", Rate::hz(60)), |_| ());
    assert_eq!(replay(&["export", "--csv", &empty]).1, "tick,input,hash,mark\n0,,0000000000000002,\n");
    let (status, json, _) = replay(&["export", "--jsonl", &empty]);
    assert_eq!((status, json.lines().count()), (0, 2));
    json.lines().for_each(|line| drop(serde_json::from_str::<Value>(line).expect(line)));
}

#[test]
fn labels_with_the_characters_of_csv_and_json_come_back() {
    let label = "a,\"b\"\n\r\\\u{1}\u{7f}";
    let file = write("labels.replay", Header::new("\"\\", "1", Rate::hz(60)), |recording| {
        recording.tick(&7, &Nothing);
        recording.mark(label);
    });
    let (_, csv, _) = replay(&["export", "--csv", &file]);
    assert!(csv.ends_with("\n1,,0000000000000002,\"a,\"\"b\"\"\n\r\\\u{1}\u{7f}\"\n"), "{csv:?}");
    let (_, json, _) = replay(&["export", "--jsonl", &file]);
    let lines: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert!(lines.iter().any(|line| line["mark"] == label), "{json}");
}

#[test]
fn diff_exits_with_one_even_if_nobody_reads_its_output() {
    let a = sample("v1-complete.replay");
    let b = sample("v1-crashed.replay");
    for (b, expected) in [(&b, 1), (&a, 0)] {
        let (reader, writer) = io::pipe().expect("a pipe");
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_evenstep"));
        let status = command.args(["replay", "diff", &a, b]).stdout(writer).status().expect("it runs");
        assert_eq!(status.code(), Some(expected));
    }
}
