//! `cargo xtask`: the commands that CI and contributors run.

#![forbid(unsafe_code)]

use std::process::ExitCode;

mod bench;
mod bevy;
mod deny;
mod lint;
mod npm;
mod package;
mod packages;
mod run;
mod steps;
mod test;
mod web;

const HELP: &str = "\
Usage: cargo xtask COMMAND

  check           formatting, lints and all tests that need no system packages, for everyday use
  test            all tests; installs missing system packages. --thorough runs the long ones with all their cases
  lint            formatting, lints, documentation, packages, dependencies and other systems; CI runs test and lint
  deny            check dependencies: licences, bans, sources and, with a network, advisories
  package         create the packages for the registry and build each from its own files; publishes nothing
  npm             build the npm package into npm/dist, ready for `npm pack` and `npm publish` in npm/
  bench core      measure the cost of a frame beside other loops; --write updates docs/benchmarks.md
  bench beats [MINUTES]
                  measure the display's beat and the late start on an X server of its own, by default for half a minute each
  bench smooth    measure how smooth the motion of these loops and of mainloop.js is, on simulated displays
  bench bevy      measure the cost of a frame with the Bevy plugin beside Bevy alone
  bench starship  measure the cost of a crowded tick of the game beside a bare Rapier step, part by part
  bench replay    measure what recording, the ring and verification cost beside a tick of the game
  bench npm       measure the npm package in node: a frame beside mainloop.js, its size, and 200 servers beside setInterval
                  for a minute each; --write updates docs/benchmarks.md
  soak [HOURS]    let the autopilot play on an unsteady display for this many hours of game time (default 24)
  golden          regenerate the golden traces; review the diff before you commit it
  fuzz TARGET [SECONDS]
                  fuzz the reader of traces (trace), physics snapshots (physics), saved games (state) or recordings
                  (replay), by default for a minute (needs a nightly toolchain and cargo-fuzz)
  web             build the game and the pacing lab for the browser and serve them; --port N, --build-only, --open;
                  --game FOLDER does so for any game
  help            print this text
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["check"] => test::check(),
        ["test"] => test::test(test::Depth::Everyday),
        ["test", "--thorough"] => test::test(test::Depth::Thorough),
        ["lint"] => lint::lint(),
        ["deny"] => lint::dependencies(),
        ["package"] => package::package(),
        ["npm"] => npm::build(),
        ["bench", "core"] => bench::core(bench::Report::Print),
        ["bench", "core", "--write"] => bench::core(bench::Report::Write),
        ["bench", "beats"] => bench::beats("0.5"),
        ["bench", "beats", minutes] if minutes.parse::<f64>().is_ok_and(|minutes| minutes > 0.0) => {
            bench::beats(minutes)
        }
        ["bench", "smooth"] => bench::smooth(),
        ["bench", "bevy"] => bench::bevy(),
        ["bench", "npm"] => bench::npm(bench::Report::Print),
        ["bench", "npm", "--write"] => bench::npm(bench::Report::Write),
        ["bench", "starship"] => bench::starship(),
        ["bench", "replay"] => bench::replay(),
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
