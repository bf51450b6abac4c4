//! Headless runs: a simulated display, as fast as possible.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use starship_sim::{Autopilot, Game, Observed, Phase, RunDef, Sim, TestRunner};

use crate::args::Args;
use crate::report::{self, say};
use crate::screenshot;
use crate::tape::Tape;

/// The longest mission, in ticks: an hour of play.
const MISSION_TICKS_MAX: u64 = 60 * 60 * 60;
/// The number of ticks between two reads of the clock.
const BATCH: u64 = 600;

/// The screenshot that is written if no window can be opened.
const SCREENSHOT: &str = "starship.png";

/// Runs the game headless because no window can be opened.
pub(crate) fn run_without_display(args: &Args) -> Result<(), String> {
    let file = PathBuf::from(SCREENSHOT);
    // Nobody has asked for this name, so it replaces no file.
    let file = if file.exists() { crate::files::unused("starship", "png") } else { file };
    play(args, Some(&file))
}

pub(crate) fn run(args: &Args) -> Result<(), String> {
    play(args, args.png.as_deref())
}

fn play(args: &Args, png: Option<&Path>) -> Result<(), String> {
    if args.trace.is_some() {
        return Err(
            "--trace records the frames of a window, and this run has none: leave --trace out".to_owned()
        );
    }
    if args.replay.is_some() {
        return Err("--replay shows a recording in a window, and this run has none: \
                    leave out --ticks, --hash, --bench and --png"
            .to_owned());
    }
    if png.is_some() && png == args.record.as_deref() {
        return Err("--record and --png name the same file: give each its own".to_owned());
    }
    let mut game = Game::new();
    game.set_test_speed(args.scale.unwrap_or(1.0));
    let mut runner = TestRunner::new(game, args.simulated_display());
    let run = RunDef { sandbox: args.sandbox, ..args.headless_run() };
    let mut tape = match &args.record {
        Some(path) => Some(record(path, run)?),
        None => None,
    };
    runner.launch(run);

    let start = now();
    let mut last_line = start;
    let end = args.ticks.unwrap_or(MISSION_TICKS_MAX);
    while runner.ticks() < end {
        if args.ticks.is_none() && runner.game.state().phase.is_over() {
            break;
        }
        let batch = if args.ticks.is_some() { BATCH } else { 1 };
        let ticks = batch.min(end - runner.ticks());
        runner.run_ticks_observed(
            ticks,
            |state| Autopilot.input(state),
            |observed| {
                if let Some(tape) = &mut tape {
                    match observed {
                        Observed::BeforeTick(input, sim) => tape.tick(input, sim),
                        Observed::AfterTick(sim) => tape.mark(sim),
                        Observed::Frame(..) => {}
                    }
                }
            },
        );
        runner.game.clear_signals();
        if last_line.elapsed() > Duration::from_millis(250) {
            last_line = now();
            report::progress(&runner.game, runner.ticks(), args.ticks);
        }
    }
    let took = start.elapsed().max(Duration::from_nanos(1));
    report::end_progress();
    report::summary(&runner, args, took);
    if let (Some(mut tape), Some(path)) = (tape, &args.record) {
        tape.end_file(runner.game.sim());
        if let Some(message) = tape.take_failure() {
            return Err(format!("{}: {message}", path.display()));
        }
        say!("recording   {}", path.display());
    }
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

/// Starts to record a run.
fn record(path: &Path, run: RunDef) -> Result<Tape, String> {
    let before = Sim::before_any_run();
    let mut tape = Tape::new(&before);
    let file = crate::files::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    tape.record(file, run.seed);
    tape.launch(&before, run);
    Ok(tape)
}

#[expect(clippy::disallowed_methods, reason = "a host may read the clock, here to measure its speed")]
fn now() -> Instant {
    Instant::now()
}
