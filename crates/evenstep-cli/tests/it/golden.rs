//! Golden traces: the decisions of each profile, line by line.
//!
//! Regenerate with `cargo xtask golden` and review the diff. They are the same on x86-64 and wasm32, because the core uses
//! only integers and basic float operations.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

const TRACES: [&str; 6] =
    ["starship", "fixed-time-step", "game-loop", "evenstep", "display-lock-off", "recorded"];

fn golden_dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn evenstep(arguments: &[&str], trace: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_evenstep"))
        .arg("trace")
        .args(arguments)
        .arg(golden_dir().join(format!("{trace}.trace.jsonl")))
        .output()
        .expect("the command runs");
    assert!(output.status.success(), "{trace}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn every_profile_decides_as_its_golden_trace_says() {
    if std::env::var_os("EVENSTEP_RENEW_GOLDEN").is_some() {
        crate::recorded::renew();
    }
    for trace in TRACES {
        for (arguments, kind) in
            [(&[][..], "frames"), (&["--ledger"], "ledger"), (&["--explain", "--csv"], "csv")]
        {
            let actual = evenstep(arguments, trace);
            let path = golden_dir().join(format!("{trace}.{kind}"));
            if std::env::var_os("EVENSTEP_RENEW_GOLDEN").is_some() {
                fs::write(&path, actual).expect("the golden can be written");
                continue;
            }
            let wanted =
                fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            for (n, (actual, wanted)) in actual.lines().zip(wanted.lines()).enumerate() {
                assert_eq!(actual, wanted, "{trace}.{kind}, line {}", n + 1);
            }
            assert_eq!(actual.len(), wanted.len(), "{trace}.{kind} ends elsewhere");
        }
    }
}

#[test]
fn every_golden_ledger_balances() {
    for trace in TRACES {
        assert!(evenstep(&["--ledger"], trace).contains("\"balanced\":true"), "{trace}");
    }
}

#[test]
fn standard_input_plays_like_a_file() {
    let path = golden_dir().join("game-loop.trace.jsonl");
    let output = Command::new(env!("CARGO_BIN_EXE_evenstep"))
        .args(["trace", "-"])
        .stdin(fs::File::open(path).expect("the trace is there"))
        .output()
        .expect("the command runs");
    assert_eq!(String::from_utf8(output.stdout).expect("UTF-8"), evenstep(&[], "game-loop"));
}
