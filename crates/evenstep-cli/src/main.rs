//! The `evenstep` command.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use evenstep_cli::lab::{self, arguments::LabCommand};
use evenstep_cli::replay::{self, ReplayCommand};
use evenstep_cli::trace::output::Style;
use evenstep_cli::trace::{self, Error, Show};

mod demo;

/// Frame pacing for games: inspect and reproduce the decisions of the loop.
#[derive(Parser)]
#[command(name = "evenstep", version, about, max_term_width = 100)]
struct Command {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    /// Replay a pacing trace and print what the loop decided, one line per frame
    Trace(TraceArgs),
    /// Measure pacing on simulated displays and recorded traces: judder, cadence, drift, lag
    #[command(subcommand)]
    Lab(LabCommand),
    /// Show, compare, export and cut recordings of any game
    #[command(subcommand)]
    Replay(ReplayCommand),
    /// Measure this display in a window: refresh, noise, missed refreshes, latency, and how each loop paces it
    #[cfg(feature = "measure")]
    Measure(evenstep_cli::measure::MeasureArguments),
    /// Show a live demo of the pacer in this terminal (the default)
    Demo,
}

#[derive(Args)]
struct TraceArgs {
    /// Trace file in JSON Lines format; `-` reads standard input
    file: PathBuf,
    /// Print only the ledger: where every nanosecond went, by reason
    #[arg(long, conflicts_with_all = ["explain", "csv"])]
    ledger: bool,
    /// Explain why each frame ran 0, 1 or more steps
    #[arg(long)]
    explain: bool,
    /// Print comma-separated values with a header line
    #[arg(long)]
    csv: bool,
}

fn main() -> ExitCode {
    match Command::parse().action.unwrap_or(Action::Demo) {
        Action::Trace(args) => play_trace(&args),
        Action::Lab(command) => report(|output| lab::execute(&command, output)),
        Action::Replay(command) => run_replay(&command),
        #[cfg(feature = "measure")]
        Action::Measure(arguments) => report(|output| evenstep_cli::measure::measure(&arguments, output)),
        Action::Demo => demo::run(),
    }
}

/// Exit status for bad input.
const USAGE: u8 = 2;

fn play_trace(args: &TraceArgs) -> ExitCode {
    let show =
        if args.ledger { Show::Ledger } else { Show::Frames(Style { csv: args.csv, explain: args.explain }) };
    let mut output = BufWriter::new(io::stdout().lock());
    let result = if args.file == Path::new("-") {
        trace::run(io::stdin().lock(), &mut output, show)
    } else {
        match File::open(&args.file) {
            Ok(file) => trace::run(BufReader::new(file), &mut output, show),
            Err(error) => Err(Error::Read(error)),
        }
    };
    // Print the frames before a bad line before the error.
    let flushed = output.flush().map_err(Error::Write);
    match result.and(flushed) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader closed the pipe, as `head` does.
        Err(Error::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("evenstep: {}: {error}{}", args.file.display(), cause_of(&error));
            ExitCode::from(USAGE)
        }
    }
}

/// Runs a command of the lab, or one that ends alike.
fn report(run: impl FnOnce(&mut BufWriter<io::StdoutLock<'_>>) -> Result<(), lab::Error>) -> ExitCode {
    let mut output = BufWriter::new(io::stdout().lock());
    let result = run(&mut output);
    let flushed = output.flush().map_err(lab::Error::Write);
    match result.and(flushed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(lab::Error::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("evenstep: {error}{}", cause_of(&error));
            ExitCode::from(USAGE)
        }
    }
}

/// Exits with 1 if two recordings differ.
fn run_replay(command: &ReplayCommand) -> ExitCode {
    let mut output = BufWriter::new(io::stdout().lock());
    let result = replay::execute(command, &mut output);
    let is_closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    let flushed = match output.flush() {
        // Whoever reads no further still wants the exit status.
        Err(error) if !is_closed(&error) => Err(replay::Error::Write(error)),
        _ => Ok(()),
    };
    match result.and_then(|is_same| flushed.map(|()| is_same)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(replay::Error::Write(error)) if is_closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("evenstep: {error}{}", cause_of(&error));
            ExitCode::from(USAGE)
        }
    }
}

/// The causes of an error, down to the first.
fn cause_of(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.map(|cause| format!(": {cause}")).collect::<Vec<_>>().concat()
}
