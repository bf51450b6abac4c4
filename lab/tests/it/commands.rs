//! End-to-end tests of `lab`.

use std::fs;
use std::path::Path;

use super::{folder, lab, printed};

#[test]
fn run_prints_a_row_a_policy_with_every_metric() {
    let table = printed("run --display 60 --noise gauss:0.3ms --policy evenstep,plain --seconds 20");
    let head = table.lines().find(|line| line.starts_with("policy")).expect("a head");
    for metric in ["judder RMS us", "p99 us", "max us", "cadence error %", "drift ms", "lag ms"] {
        assert!(head.contains(metric), "{metric}: {head}");
    }
    let judder = |policy: &str| -> f64 {
        let row = table.lines().find(|line| line.starts_with(policy)).expect("a row");
        row.split_whitespace().nth(1).expect("judder").parse().expect("a number")
    };
    assert!(judder("evenstep ") < 3.0 && judder("plain ") > 300.0, "{table}");
    assert!(table.contains("evenstep: locked after "), "{table}");
}

#[test]
fn the_same_seed_prints_the_same_bytes() {
    let words = "run --display 60,144 --switch 3s --noise burst:0.1ms:2ms --late 1% --missed 2% --stall-every 5s \
                 --pattern random:1,2 --pause-every 1s --work 50% --pairs --clock 1us --told-refresh \
                 --feedback 2,lost:10%,swapped:10%,offset:1ms,drift:10ppm,lie:jumping --policy all --seconds 20 --seed 7";
    assert_eq!(printed(words), printed(words));
    assert_ne!(printed(words), printed(&words.replace("--seed 7", "--seed 8")));
}

#[test]
fn a_bad_argument_is_named_with_what_is_accepted_and_exits_2() {
    for (words, value, accepted) in [
        ("run --display 5", "'5'", "from 10 to 1000 Hz"),
        ("run --display NaN", "'NaN'", "from 10 to 1000 Hz"),
        ("run --display 60,144,30", "'60,144,30'", "one rate or two"),
        ("run --display 60,", "'60,'", "from 10 to 1000 Hz"),
        ("run --noise loud", "'loud'", "none, gauss:0.3ms, uniform:2ms"),
        ("run --noise gauss", "'gauss'", "gauss:0.3ms"),
        ("run --noise gauss:0.3", "'gauss:0.3'", "a time with its unit"),
        ("run --noise gauss:-1ms", "'gauss:-1ms'", "from 0 to 100 ms"),
        ("run --noise uniform:1s", "'uniform:1s'", "from 0 to 100 ms"),
        ("run --noise ar:1ms:1", "'ar:1ms:1'", "from 0 to 0.999"),
        ("run --late 100", "'100'", "from 0 to 90 %"),
        ("run --missed many", "'many'", "from 0 to 90 %"),
        ("run --stall-every 0", "'0'", "from 1 to 3600 s"),
        ("run --vrr freesync", "'freesync'", "wander:0.4ms"),
        ("run --clock 0ms", "'0ms'", "from 0.000001 to 100 ms"),
        ("run --display 60,144 --switch 0", "'0'", "from 0.1 to 3600 s"),
        ("run --seconds 4", "'4'", "from 5 to 3600 s"),
        ("run --seed -1", "-1", ""),
        ("run --seed one", "'one'", "a whole number from 0"),
        ("run --policy evenstep,godot", "`godot`", "plain, starship"),
        ("run --switch 3", "--switch needs two rates", "--display 60,144"),
        ("run --display 60,144 --vrr wander:1ms", "two rates", "--vrr"),
        ("run --pattern 0", "'0'", "numbers from 1 to 8, such as 1,2"),
        ("run --pattern 1,9", "'1,9'", "numbers from 1 to 8"),
        ("run --pattern 1,,2", "'1,,2'", "numbers from 1 to 8"),
        ("run --pattern 1,1,1,1,1,1,1,1,1", "'1,1,1,1,1,1,1,1,1'", "one to eight numbers"),
        ("run --pattern random:", "'random:'", "random:1,2,3,4"),
        ("run --pattern 1/2/3", "`2/3`", "1,2/2"),
        ("run --pattern 1,2 --half-rate-every 6s", "--half-rate-every", "--pattern"),
        ("run --pause-every 0", "'0'", "from 0.1 to 3600 s"),
        ("run --work 100", "'100'", "from 0 to 90 %"),
        ("run --vrr cap --pairs", "--pairs", "--vrr cap"),
        ("run --feedback 0", "'0'", "1 to 8 frames first"),
        ("run --feedback 9", "'9'", "1 to 8 frames first"),
        ("run --feedback lost:10%", "'lost:10%'", "1 to 8 frames first"),
        ("run --feedback 1,late", "`late`", "noise:50us, lost:10%"),
        ("run --feedback 1,lost:110%", "'1,lost:110%'", "from 0 to 100 %"),
        ("run --feedback 1,noise:1", "`1`", "a time with its unit"),
        ("run --feedback 1,drift:NaN", "`NaN`", "from -100000 to 100000 ppm"),
        ("run --feedback 1,lie:white", "`white`", "grid:61.3, constant, random"),
        ("run --feedback 1,lie:grid:0", "'1,lie:grid:0'", "from 10 to 1000 Hz"),
        ("harm --mixtures 0", "'0'", "from 1 to 100000"),
        ("harm --mixtures 5 --family late", "--mixtures", "--family"),
        ("harm --seed 18446744073709551615", "--seed 18446744073709551615", "3 seeds"),
        ("run --no-such-flag", "--no-such-flag", ""),
        ("run --seconds 5 --svg no/such/folder/a.svg", "no/such/folder/a.svg", "cannot be written"),
        ("run --seconds 5 --trace no/such/folder/a.jsonl", "no/such/folder/a.jsonl", "cannot be written"),
        ("compare --family gaus", "`gaus`", "single, mixed, pattern, hard, variable, feedback"),
        ("compare --seeds 0", "'0'", "from 1 to 1000"),
        ("compare --seed 18446744073709551615", "--seed 18446744073709551615", "2 seeds"),
    ] {
        let output = lab(words);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(error.contains(value) && error.contains(accepted), "{words}: {error}");
        assert!(output.stdout.is_empty(), "{words}");
    }
}

#[test]
fn every_command_of_the_document_runs_and_every_chart_is_there() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let text = fs::read_to_string(docs.join("pacing.md")).expect("the document is there");
    let mut commands = 0;
    for line in text.lines() {
        let Some(words) = line.trim_start().strip_prefix("lab run ") else { continue };
        // Shorter than in the document, and not into its charts.
        let (words, file) = words.split_once(" --svg ").expect("each draws a picture");
        let words = words.replace("--seconds 60", "--seconds 5");
        printed(&format!("run {words} --svg {}", folder("document").join(file).display()));
        assert!(text.contains(&format!("(pacing/{file})")), "{file} is not shown");
        commands += 1;
    }
    assert!(commands >= 6, "{commands} commands");
    for file in text.split("](pacing/").skip(1).filter_map(|rest| rest.split(')').next()) {
        let length = fs::metadata(docs.join("pacing").join(file)).expect("the picture is there").len();
        assert!(length < 150_000, "{file}: {length} bytes");
    }
}
