//! Headless runs: a simulated display, as fast as possible.

use std::path::Path;
use std::time::{Duration, Instant};

use starship_sim::{Autopilot, Game, Phase, RunDef, TestRunner};

use crate::args::Args;
use crate::report::{self, say};
use crate::screenshot;

/// The longest mission, in ticks: an hour of play.
const MISSION_TICKS_MAX: u64 = 60 * 60 * 60;
/// The number of ticks between two reads of the clock.
const BATCH: u64 = 600;

/// The screenshot that is written if no window can be opened.
const SCREENSHOT: &str = "starship.png";

/// Runs the game headless because no window can be opened.
pub(crate) fn run_without_display(args: &Args) -> Result<(), String> {
    play(args, Some(Path::new(SCREENSHOT)))
}

pub(crate) fn run(args: &Args) -> Result<(), String> {
    play(args, args.png.as_deref())
}

fn play(args: &Args, png: Option<&Path>) -> Result<(), String> {
    let mut game = Game::new();
    game.set_test_speed(args.scale);
    let mut runner = TestRunner::new(game, args.simulated_display());
    runner.launch(RunDef::seeded(args.seed));

    let start = now();
    let mut last_line = start;
    let end = args.ticks.unwrap_or(MISSION_TICKS_MAX);
    while runner.ticks() < end {
        if args.ticks.is_none() && runner.game.state().phase.is_over() {
            break;
        }
        let batch = if args.ticks.is_some() { BATCH } else { 1 };
        runner.run_ticks(batch.min(end - runner.ticks()), |state| Autopilot.input(state));
        runner.game.clear_signals();
        if last_line.elapsed() > Duration::from_millis(250) {
            last_line = now();
            report::progress(&runner.game, runner.ticks(), args.ticks);
        }
    }
    let took = start.elapsed().max(Duration::from_nanos(1));
    report::end_progress();
    report::summary(&runner, args, took);
    if let Some(file) = png {
        let alpha = 0.5;
        screenshot::write(&runner.game, alpha, file)?;
        say!("picture     {}", file.display());
    }
    if args.bench {
        let steps = runner.ticks() as f64 / took.as_secs_f64();
        say!("bench       {steps:.0} steps/s, {:.0} times real time", steps / 60.0);
    }
    if args.hash {
        say!("tick {} hash {:016x}", runner.ticks(), runner.game.state().hash());
    }
    debug_assert!(runner.game.state().phase != Phase::Menu, "a launched game is never in the menu");
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a host may read the clock, here to measure its speed")]
fn now() -> Instant {
    Instant::now()
}
