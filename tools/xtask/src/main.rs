//! `cargo xtask`: the commands that CI and contributors run.

#![forbid(unsafe_code)]

use std::process::ExitCode;

mod bench;
mod deny;
mod package;
mod packages;
mod run;
mod steps;
mod test;
mod web;

const HELP: &str = "\
Usage: cargo xtask COMMAND

  check           format, lints and all tests that need no system package: for every day
  test            everything that CI checks; installs what it needs and says so
  deny            what dependencies bring along: licences, bans, sources and, with a network, advisories
  package         make the packages for a registry and build each from its own files; publishes nothing
  bench core      what a frame costs, side by side with peers; --write puts the table into docs/
  bench starship  what a crowded tick of the game costs beside a bare Rapier step, part by part
  soak [HOURS]    the game, played by its autopilot through a nervous display for so many virtual hours (24)
  golden          renew the golden traces from the present code; read the difference before you commit it
  fuzz TARGET [SECONDS]
                  feed trace, physics or state (what reads traces, physics snapshots, saved games) coverage-guided
                  garbage, for a minute (needs a nightly toolchain and cargo-fuzz)
  web             build the game and the pacing lab for the browser and serve them; --port N, --build-only, --open
  help            this text
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["check"] => test::check(),
        ["test"] => test::test(),
        ["deny"] => test::deny(),
        ["package"] => package::package(),
        ["bench", "core"] => bench::core(bench::Report::Print),
        ["bench", "core", "--write"] => bench::core(bench::Report::Write),
        ["bench", "starship"] => bench::starship(),
        ["soak"] => bench::soak("24"),
        ["soak", hours] if hours.parse::<u32>().is_ok_and(|hours| hours > 0) => bench::soak(hours),
        ["golden"] => test::renew_golden(),
        ["fuzz", target] if test::FUZZ_TARGETS.contains(&target) => test::fuzz(target, "60"),
        ["fuzz", target, seconds]
            if test::FUZZ_TARGETS.contains(&target) && seconds.parse::<u32>().is_ok() =>
        {
            test::fuzz(target, seconds)
        }
        ["web", ref options @ ..] => match web::web(options) {
            Ok(code) => return code,
            Err(message) => Err(message),
        },
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => Err(format!("no such command: `{}`\n\n{HELP}", arguments.join(" "))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
