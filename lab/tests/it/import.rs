//! Laws of `evenstep import` on simulated sessions: it finds the refresh and the noise that a trace was made with.

use evenstep_cli::import::{ImportArguments, import};

use super::{folder, printed};

/// Plays a session, writes its trace, and returns what the lab and what the import print about it.
fn recorded(words: &str, name: &str) -> (String, String) {
    let file = folder("import").join(name);
    let simulated = printed(&format!("run {words} --trace {}", file.display()));
    let mut output = Vec::new();
    import(&ImportArguments { file, svg: None }, &mut output).expect("a trace");
    (simulated, String::from_utf8(output).expect("UTF-8"))
}

#[test]
fn a_recording_is_measured_as_the_session_it_was_recorded_from() {
    let words = "--display 59.94 --noise gauss:0.3ms --missed 2% --seconds 30 --policy plain,evenstep";
    let (simulated, recorded) = recorded(words, "session.jsonl");
    let judder = |text: &str, policy: &str| -> f64 {
        let row = text.lines().find(|line| line.starts_with(policy)).expect("a row");
        row.split_whitespace().nth(1).expect("judder").parse().expect("a number")
    };
    for policy in ["plain ", "evenstep "] {
        let true_us = judder(&simulated, policy);
        let found_us = judder(&recorded, policy);
        assert!((true_us - found_us).abs() < 0.01 * true_us + 1.0, "{policy}: {true_us} us, {found_us} us");
    }
    for part in ["refresh   59.94", "noise     0.", "missed    ", "late      ", "evenstep: locked after"] {
        assert!(recorded.contains(part), "{part}: {recorded}");
    }
}

#[test]
fn the_import_of_a_slow_clock_names_its_resolution() {
    for (clock, found) in [("1ms", "multiples of 1 ms"), ("0.1ms", "0.1 ms"), ("1us", "0.001 ms")] {
        let words = format!("--display 60 --clock {clock} --noise gauss:0.3ms --seconds 5");
        let (_, text) = recorded(&words, &format!("clock-{clock}.jsonl"));
        assert!(text.contains(found), "{clock}: {text}");
    }
}
