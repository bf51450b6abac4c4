//! Tests `evenstep measure` with real windows on X11 and Wayland.
//!
//! Run: `cargo test -p evenstep-cli --test window -- --ignored`
//!
//! Without `--ignored` the test is skipped. It needs `xvfb openbox wmctrl xdotool sway grim` (Debian) and fails when one
//! of them is missing.

use std::process::ExitCode;

fn main() -> ExitCode {
    let has = |wanted: &str| std::env::args().any(|argument| argument == wanted);
    if has("--list") {
        return ExitCode::SUCCESS;
    }
    if !has("--ignored") {
        println!("window: skipped, needs X11 and Wayland; run with: -- --ignored");
        return ExitCode::SUCCESS;
    }
    #[cfg(target_os = "linux")]
    cases::run();
    ExitCode::SUCCESS
}

#[cfg(target_os = "linux")]
mod cases {
    use std::fs;
    use std::path::Path;
    use std::process::{Command, Output};

    use test_desktops::{Compositor, Desk, without_display};

    const EVENSTEP: &str = env!("CARGO_BIN_EXE_evenstep");

    pub(crate) fn run() {
        let desk = Desk::start(1280, 800);
        an_x_display_is_measured_and_files_are_written_where_asked(&desk);
        println!("test an_x_display_is_measured_and_files_are_written_where_asked ... ok");
        a_compositor_is_measured_and_no_file_is_written(&desk);
        println!("test a_compositor_is_measured_and_no_file_is_written ... ok");
        without_a_display_there_is_a_clear_error();
        println!("test without_a_display_there_is_a_clear_error ... ok");
    }

    fn an_x_display_is_measured_and_files_are_written_where_asked(desk: &Desk) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("measured/here");
        let _ = fs::remove_dir_all(&folder);
        let measure = || {
            let mut command = desk.command(EVENSTEP);
            command.args(["measure", "--seconds", "5", "--out"]).arg(&folder);
            said(&command.output().expect("the command runs"))
        };
        // Beside other work, noise can hide the refresh, and the command says so. Then it is measured again.
        let is_hidden = |said: &String| line(said, "refresh").contains("noise hides it");
        let mut tries = (0..3).map(|_| measure()).inspect(|said| println!("{}", line(said, "refresh")));
        let said = tries.find(|said| !is_hidden(said)).expect("a refresh in one of three measurements");
        assert!(line(&said, "beat").ends_with("count"), "{said}");
        let refresh_hz = number(line(&said, "refresh"));
        assert!((refresh_hz - 60.0).abs() < 0.5, "{said}");
        assert!(number(line(&said, "shown")) > 50.0, "{said}");
        let latency_ms = number(line(&said, "latency"));
        assert!(latency_ms > 0.0 && latency_ms < 200.0, "{said}");
        assert!(said.contains("evenstep") && said.contains("plain"), "every policy has a row: {said}");

        // The import reads the trace, and finds the same refresh.
        let trace = folder.join("measure.jsonl");
        let output = without_display(EVENSTEP).arg("import").arg(&trace).output();
        let imported = self::said(&output.expect("the command runs"));
        assert_eq!(line(&said, "refresh"), line(&imported, "refresh"));
        assert_eq!(line(&said, "frames"), line(&imported, "frames"));
        assert!(fs::read_to_string(folder.join("measure.svg")).expect("a chart").starts_with("<svg"));
    }

    fn a_compositor_is_measured_and_no_file_is_written(desk: &Desk) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a temporary folder");
        let compositor = Compositor::start_in(desk);
        let mut command: Command = compositor.command(EVENSTEP);
        let output = command.args(["measure", "--seconds", "4"]).current_dir(&folder).output();
        let said = said(&output.expect("the command runs"));
        assert!(line(&said, "beat").ends_with("callback"), "{said}");
        assert!(number(line(&said, "shown")) > 50.0, "{said}");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0, "files only where asked");
    }

    fn without_a_display_there_is_a_clear_error() {
        let output = without_display(EVENSTEP).arg("measure").output().expect("the command runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.starts_with("evenstep: no display to open a window on"), "{said}");
        assert!(said.contains("evenstep import"), "what to do instead: {said}");
        assert_eq!(output.status.code(), Some(2));
    }

    fn said(output: &Output) -> String {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The line that begins with a name.
    fn line<'a>(said: &'a str, name: &str) -> &'a str {
        let is_it = |line: &&str| line.split(' ').next() == Some(name);
        said.lines().find(is_it).unwrap_or_else(|| panic!("no line {name:?} in:\n{said}"))
    }

    /// The first number of a line.
    fn number(line: &str) -> f64 {
        line.split([' ', ','])
            .find_map(|word| word.parse().ok())
            .unwrap_or_else(|| panic!("no number in {line:?}"))
    }
}
