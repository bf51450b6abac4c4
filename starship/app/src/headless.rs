//! Headless runs: a simulated display, as fast as possible.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use evenstep::Frame;
use evenstep_host::{App, Context, Input, headless};
use starship_sim::{Autopilot, Phase, Play, RunDef, Sim};

use crate::args::Args;
use crate::report::{self, say};
use crate::screenshot;
use crate::tape::Tape;

/// The longest mission, in ticks: an hour of play.
const MISSION_TICKS_MAX: u64 = 60 * 60 * 60;
/// The number of ticks between two reads of the clock.
const BATCH: u64 = 600;
/// The time between two lines of progress.
const PROGRESS: Duration = Duration::from_millis(250);

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
    let run = RunDef { sandbox: args.sandbox, ..args.headless_run() };
    let tape = match &args.record {
        Some(path) => Some(record(path, run)?),
        None => None,
    };
    let play = Play::launching(run).with_speed(args.scale.unwrap_or(1.0));
    let start = now();
    let mut driver = headless::run(args.frame_times(), Autoplay::new(play, args.ticks, tape));
    let took = start.elapsed().max(Duration::from_nanos(1));
    report::end_progress();
    report::summary(driver.app(), &driver.pacer().ledger(), args, took);
    let Autoplay { play, tape, ticks, .. } = driver.app_mut();
    if let (Some(tape), Some(path)) = (tape, &args.record) {
        tape.end_file(play.sim());
        if let Some(message) = tape.take_failure() {
            return Err(format!("{}: {message}", path.display()));
        }
        say!("recording   {}", path.display());
    }
    if let Some(file) = png {
        let alpha = 0.5;
        screenshot::write(play, alpha, file)?;
        say!("picture     {}", file.display());
    }
    if args.bench {
        let steps = *ticks as f64 / took.as_secs_f64();
        say!("bench       {steps:.0} steps/s, {:.0} times real time", steps / 60.0);
    }
    if args.hash {
        say!("tick {ticks} hash {:016x}", play.state().hash());
    }
    debug_assert!(play.state().phase != Phase::Menu, "a launched game is never in the menu");
    Ok(())
}

/// A game that the autopilot plays until its last tick, or the end of its mission.
pub(crate) struct Autoplay {
    pub(crate) play: Play,
    tape: Option<Tape>,
    /// Ticks and frames over all runs.
    pub(crate) ticks: u64,
    pub(crate) frames: u64,
    /// The number of ticks that were asked for.
    of: Option<u64>,
    is_over: bool,
    last_line: Instant,
}

impl Autoplay {
    pub(crate) fn new(play: Play, of: Option<u64>, tape: Option<Tape>) -> Self {
        Self { play, tape, ticks: 0, frames: 0, of, is_over: false, last_line: now() }
    }

    fn tick(&mut self) {
        let input = Autopilot.input(self.play.state());
        if let Some(tape) = &mut self.tape {
            tape.tick(input, self.play.sim());
        }
        self.play.tick(input, &mut ());
        if let Some(tape) = &mut self.tape {
            tape.mark(self.play.sim());
        }
        self.ticks += 1;
        self.is_over = match self.of {
            Some(ticks) => self.ticks == ticks,
            None => self.ticks == MISSION_TICKS_MAX || self.play.state().phase.is_over(),
        };
        if self.ticks.is_multiple_of(BATCH) && self.last_line.elapsed() > PROGRESS {
            self.last_line = now();
            report::progress(&self.play, self.ticks, self.of);
        }
    }
}

impl App for Autoplay {
    /// Stops at its end, even in the middle of a frame.
    fn step(&mut self, _input: &Input, cx: &mut Context<'_>) {
        if !self.is_over {
            self.tick();
        }
        if self.is_over {
            cx.quit();
        }
    }

    fn frame(&mut self, frame: &Frame, cx: &mut Context<'_>) {
        self.frames += 1;
        self.play.end_frame(frame, &mut ());
        self.play.clear_signals();
        self.play.commands().for_each(|command| cx.pacer.tell(command));
    }
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
