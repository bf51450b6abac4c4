//! Console output of headless runs.

use std::io::{ErrorKind, IsTerminal, Write};
use std::time::Duration;

use evenstep::{DropReason, Ledger};
use starship_sim::{Hud, Phase, Play};

use crate::args::Args;
use crate::headless::Autoplay;

/// Prints a line.
macro_rules! say {
    ($($text:tt)*) => { $crate::report::print(format_args!($($text)*)) };
}
pub(crate) use say;

/// Prints a line. Nobody misses it if the pipe was closed, as by `| head`. Otherwise the result of the run is lost, and the
/// program fails.
pub(crate) fn print(line: std::fmt::Arguments<'_>) {
    match writeln!(std::io::stdout(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("starship: the output cannot be written: {error}");
            std::process::exit(2);
        }
        _ => {}
    }
}

/// Prints progress on a single line, if the output is a terminal.
pub(crate) fn progress(play: &Play, tick: u64, of: Option<u64>) {
    let mut err = std::io::stderr();
    if !err.is_terminal() {
        return;
    }
    let of = of.map(|of| format!(" of {of}")).unwrap_or_default();
    let hud = play.state().hud();
    let _ = write!(err, "\r\x1b[Ktick {tick}{of}  {}", line(&hud));
    let _ = err.flush();
}

pub(crate) fn end_progress() {
    let mut err = std::io::stderr();
    if err.is_terminal() {
        let _ = write!(err, "\r\x1b[K");
    }
}

pub(crate) fn summary(game: &Autoplay, ledger: &Ledger, args: &Args, took: Duration) {
    let dropped: u128 =
        [DropReason::Stall, DropReason::Clamp, DropReason::Backlog, DropReason::Cap, DropReason::Budget]
            .into_iter()
            .map(|reason| ledger.dropped_ns(reason))
            .sum();
    print_run(&game.play);
    say!(
        "loop        {} ticks in {} frames at {} Hz, scale {}; dropped {:.3} s, frozen {:.3} s",
        game.ticks,
        game.frames,
        args.display,
        args.scale.unwrap_or(1.0),
        dropped as f64 / 1e9,
        ledger.frozen_ns as f64 / 1e9,
    );
    say!("wall        {:.2} s", took.as_secs_f64());
}

fn print_run(play: &Play) {
    let state = play.state();
    let run = state.run;
    say!(
        "run         {} (seed {}, {}, run {} of this game)",
        play.run_id(),
        run.seed,
        run.difficulty.name(),
        state.runs
    );
    say!("end         {}", line(&state.hud()));
}

fn line(hud: &Hud) -> String {
    let phase = match hud.phase {
        Phase::Menu => "menu",
        Phase::Birth => "arriving",
        Phase::Playing => "playing",
        Phase::Choosing => "choosing",
        Phase::Dead => "lost",
        Phase::Won => "won",
    };
    let time = match hud.overtime_secs {
        Some(seconds) => format!("overtime {seconds:.1} s"),
        None => format!("{:.1} s left", hud.timer_secs),
    };
    let boss = hud.boss_hull.map(|hull| format!("  boss {:.0} %", hull * 100.0)).unwrap_or_default();
    format!(
        "{phase}  sector {}  {time}  hull {:.0} %  heat {:.0} %  level {}  enemies {}  kills {}  score {}{boss}",
        hud.sector,
        hud.hull * 100.0,
        hud.heat * 100.0,
        hud.level,
        hud.enemies,
        hud.kills,
        hud.score,
    )
}
