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

#[cfg(not(feature = "gpu"))]
#[test]
fn without_its_feature_the_gpu_renderer_says_how_to_build_it() {
    let output = starship(&["--renderer", "gpu"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("cargo run --release --features gpu -- --renderer gpu"), "{message}");
    assert!(!output.status.success());
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

fn status(output: &Output) -> i32 {
    output.status.code().expect("a status")
}

/// The kind of a block of hashes.
const HASHES: u8 = 3;

fn payload_len(bytes: &[u8], block: usize) -> usize {
    u32::from_le_bytes(bytes[block + 2..block + 6].try_into().expect("four bytes")) as usize
}

/// Where the blocks of a recording begin.
fn blocks(bytes: &[u8]) -> Vec<usize> {
    let next = |&at: &usize| Some(at + 10 + payload_len(bytes, at)).filter(|&at| at < bytes.len());
    std::iter::successors(Some(12), next).collect()
}

/// Gives a changed block its checksum again.
fn reseal(bytes: &mut [u8], block: usize) {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&bytes[block..block + 6]);
    sum.update(&bytes[block + 10..block + 10 + payload_len(bytes, block)]);
    bytes[block + 6..block + 10].copy_from_slice(&sum.finalize().to_le_bytes());
}

#[test]
fn a_recorded_run_is_verified_and_a_damaged_or_foreign_one_is_not() {
    let folder = std::env::temp_dir().join(format!("starship-launcher-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let file = path("run.replay");
    let output =
        starship(&["--headless", "--seed", "7", "--ticks", "1300", "--jitter", "2", "--record", &file]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let verify = |args: &[&str]| starship(&[&["replay", "verify"], args].concat());
    let output = verify(&[&file]);
    assert_eq!((status(&output), last_line(&output).as_str()), (0, "same: 1300 ticks, 12 hashes"));

    let bytes = std::fs::read(&file).expect("the recording");
    let cut = path("cut.replay");
    std::fs::write(&cut, &bytes[..bytes.len() - 20]).expect("a file");
    let output = verify(&[&cut]);
    assert_eq!(status(&output), 2, "without an end");
    assert!(last_line(&output).starts_with("incomplete: at byte "), "{}", last_line(&output));
    assert_eq!(status(&verify(&["--incomplete", &cut])), 0);

    // Another version of the game: refused by name, unless forced.
    let place = bytes.windows(8).position(|word| word == b"starship").expect("the name") + 9;
    let mut other = bytes.clone();
    other[place] ^= 1;
    reseal(&mut other, 12);
    let foreign = path("foreign.replay");
    std::fs::write(&foreign, other).expect("a file");
    let output = verify(&[&foreign]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(status(&output), 2);
    assert!(errors.contains("recorded with game version") && errors.contains("--force"), "{errors}");
    assert_eq!(status(&verify(&["--force", &foreign])), 0);

    // Another hash, as if a build had computed something else.
    let mut changed = bytes.clone();
    let at = blocks(&bytes).into_iter().filter(|&at| bytes[at] == HASHES).nth(3).expect("some hashes");
    // After the block's head, the number of hashes and a tick of two bytes.
    changed[at + 10 + 1 + 2] ^= 1;
    reseal(&mut changed, at);
    let diverged = path("diverged.replay");
    std::fs::write(&diverged, changed).expect("a file");
    let output = verify(&[&diverged]);
    let line = last_line(&output);
    assert_eq!(status(&output), 1, "{line}");
    assert!(line.starts_with("diverged at tick ") && line.contains("expected "), "{line}");

    assert_eq!(status(&verify(&[&path("missing.replay")])), 2);
    assert_eq!(status(&starship(&["replay", "play"])), 2);
    assert_eq!(status(&starship(&["replay", "--help"])), 0);
    std::fs::remove_dir_all(folder).expect("the folder");
}

#[test]
fn a_result_that_cannot_be_printed_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full disk");
    let mut game = std::process::Command::new(env!("CARGO_BIN_EXE_starship"));
    game.args(["--headless", "--seed", "7", "--ticks", "10", "--hash"]).stdout(full);
    let output =
        game.stderr(std::process::Stdio::piped()).spawn().and_then(std::process::Child::wait_with_output);
    let output = output.expect("the launcher starts");
    assert_eq!(status(&output), 2);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("the output cannot be written"), "{errors}");
}

#[test]
fn a_command_that_is_refused_leaves_files_alone() {
    let folder = std::env::temp_dir().join(format!("starship-refused-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("run.replay");
    std::fs::write(&file, "precious").expect("a file");
    let path = file.to_str().expect("UTF-8");
    let trace = folder.join("trace.jsonl");
    let trace = trace.to_str().expect("UTF-8");
    for refused in [
        &["--record", path, "--trace", trace][..],
        &["--headless", "--ticks", "10", "--record", path, "--png", path],
    ] {
        let mut game = std::process::Command::new(env!("CARGO_BIN_EXE_starship"));
        game.args(refused).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        let output = game.output().expect("the launcher starts");
        assert_eq!(status(&output), 2, "{refused:?}");
        assert_eq!(std::fs::read(&file).expect("the file"), b"precious", "{refused:?}");
    }
    // A picture that nobody has named replaces none.
    std::fs::write(folder.join("starship.png"), "precious").expect("a file");
    let mut game = std::process::Command::new(env!("CARGO_BIN_EXE_starship"));
    game.args(["--seed", "3"]).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").current_dir(&folder);
    assert_eq!(status(&game.output().expect("the launcher starts")), 0);
    assert_eq!(std::fs::read(folder.join("starship.png")).expect("the file"), b"precious");
    assert!(folder.join("starship-001.png").exists());
    std::fs::remove_dir_all(folder).expect("the folder");
}

#[test]
fn a_recording_that_cannot_be_written_is_named() {
    let output =
        starship(&["--headless", "--seed", "7", "--ticks", "600", "--hash", "--record", "/dev/full"]);
    assert_eq!(status(&output), 2);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("/dev/full") && errors.contains("(os error 28)"),
        "the file and the cause: {errors}"
    );
}

#[test]
fn a_headless_recording_has_every_tick_however_the_frames_cut_them() {
    let file = std::env::temp_dir().join(format!("starship-steps-{}.replay", std::process::id()));
    let path = file.to_str().expect("UTF-8");
    // Frames of eight ticks, of which the last is cut.
    let args = ["--headless", "--display", "30", "--scale", "4", "--ticks", "1300", "--record", path];
    assert!(starship(&args).status.success());
    let bytes = std::fs::read(&file).expect("the recording");
    std::fs::remove_file(&file).expect("the recording can be removed");
    let recording = evenstep_replay::Recording::read(&bytes[..]).expect("a recording");
    assert_eq!((recording.ticks(), recording.is_complete()), (1_300, true));
}

#[test]
fn a_crash_leaves_the_last_minute_in_a_file_that_verifies() {
    let folder = std::env::temp_dir().join(format!("starship-crashed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut game = Command::new(env!("CARGO_BIN_EXE_starship"));
    game.args(["--headless", "--seed", "7", "--ticks", "9000", "--record", "run.replay"]);
    game.env("STARSHIP_PANIC_AT", "5000").current_dir(&folder);
    let output = game.output().expect("the launcher starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains("starship-crash-001.replay"), "{errors}");
    for (name, ticks_min) in [("starship-crash-001.replay", 3_600), ("run.replay", 4_900)] {
        let path = folder.join(name);
        let bytes = std::fs::read(&path).expect("the file");
        let recording = evenstep_replay::Recording::read(&bytes[..]).expect("a recording");
        assert_eq!((recording.header().seed, recording.is_complete()), (7, false), "{name}");
        assert!(recording.ticks() >= ticks_min, "{name} has {} ticks", recording.ticks());
        let output = starship(&["replay", "verify", "--incomplete", path.to_str().expect("UTF-8")]);
        assert_eq!(status(&output), 0, "{name}: {}", last_line(&output));
    }
    std::fs::remove_dir_all(folder).expect("the folder");
}

#[test]
fn force_is_for_watching_a_recording() {
    let output = starship(&["--force", "--ticks", "60"]);
    assert_eq!(status(&output), 2);
    assert!(String::from_utf8_lossy(&output.stderr).contains("--replay"), "{output:?}");
}

#[test]
fn options_of_a_headless_run_do_not_hide_a_recording_that_was_to_be_watched() {
    for option in [&["--ticks", "60"][..], &["--hash"], &["--bench"], &["--png", "x.png"], &["--headless"]] {
        let output = starship(&[&["--replay", "/nowhere"], option].concat());
        assert_eq!(status(&output), 2, "{option:?}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("--replay"), "{option:?}: {output:?}");
    }
}
