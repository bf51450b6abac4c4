//! End-to-end tests of the command line: flags, the last line, errors.

use std::process::{Command, Output};

fn starship(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_starship")).args(args).output().expect("the launcher starts")
}

fn last_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn the_last_line_is_the_tick_and_the_hash_whatever_the_display() {
    let mut lines = Vec::new();
    for extra in [
        &["--display", "60"][..],
        &["--display", "144", "--jitter", "3"],
        &["--display", "59.94", "--stall-every", "2"],
        &["--display", "30", "--scale", "4"],
        &["--display", "240", "--scale", "0.25", "--png", "/dev/null", "--bench"],
    ] {
        let mut args = vec!["--headless", "--autopilot", "--seed", "9", "--ticks", "1500", "--hash"];
        args.extend(extra);
        let output = starship(&args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        lines.push(last_line(&output));
    }
    let (start, hash) = lines[0].split_at("tick 1500 hash ".len());
    assert_eq!(start, "tick 1500 hash ");
    assert!(hash.len() == 16 && hash.chars().all(|digit| digit.is_ascii_hexdigit()), "{hash}");
    assert!(lines.iter().all(|line| *line == lines[0]), "{lines:?}");
}

#[test]
fn another_seed_is_another_game() {
    let line = |seed| last_line(&starship(&["--headless", "--seed", seed, "--ticks", "300", "--hash"]));
    assert_ne!(line("1"), line("2"));
}

#[test]
fn bad_input_is_named_with_its_fix_and_exits_with_2() {
    for (args, value, fix) in [
        (&["--seed", "abc"][..], "abc", "a seed is a whole number"),
        (&["--seed", "-1"], "-1", "a seed is a whole number"),
        (&["--ticks", "0"], "0", "give 1 or more"),
        (&["--ticks", "1e9"], "1e9", "ticks are a whole number"),
        (&["--display", "0"], "0", "1 to 10000 images a second"),
        (&["--display", "NaN"], "NaN", "1 to 10000 images a second"),
        (&["--jitter", "-3"], "-3", "0 to 1000 milliseconds"),
        (&["--stall-every", "0"], "0", "leave the option out"),
        (&["--scale", "inf"], "inf", "a scale is 0.01 to 100"),
        (&["--ticks", "1", "--png", "/nowhere/at/all.png"], "/nowhere/at/all.png", "cannot write"),
    ] {
        let output = starship(args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.contains(value) && message.contains(fix), "{args:?}: {message}");
    }
}

#[test]
fn a_screenshot_is_a_png_file() {
    let file = std::env::temp_dir().join(format!("starship-{}.png", std::process::id()));
    let path = file.to_str().expect("a temporary folder with a plain name");
    let output = starship(&["--headless", "--seed", "5", "--ticks", "600", "--png", path]);
    assert!(output.status.success());
    let bytes = std::fs::read(&file).expect("the screenshot exists");
    std::fs::remove_file(&file).expect("the screenshot can be removed");
    assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 20_000, "{} bytes", bytes.len());
}

#[test]
fn bench_prints_steps_per_second() {
    let output = starship(&["--headless", "--ticks", "600", "--bench"]);
    assert!(last_line(&output).contains("steps/s"), "{}", last_line(&output));
}
