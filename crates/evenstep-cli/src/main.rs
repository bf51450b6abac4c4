//! The `evenstep` command.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use evenstep_cli::lab::{self, arguments::LabCommand};
use evenstep_cli::trace::output::Style;
use evenstep_cli::trace::{self, Error, Show};

mod demo;

/// Frame pacing for games: see and reproduce what the loop decides.
#[derive(Parser)]
#[command(name = "evenstep", version, about, max_term_width = 100)]
struct Command {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    /// Play a pacing trace and print what the loop decided, one line a frame
    Trace(TraceArgs),
    /// Measure pacing on simulated displays and recorded traces: judder, cadence, drift, lag
    #[command(subcommand)]
    Lab(LabCommand),
    /// Watch the pacer at work in this terminal, on real time (what runs without a command)
    Demo,
}

#[derive(Args)]
struct TraceArgs {
    /// The trace, JSON Lines; `-` reads standard input
    file: PathBuf,
    /// Print one last line instead: where every nanosecond went, by reason
    #[arg(long, conflicts_with_all = ["explain", "csv"])]
    ledger: bool,
    /// Add to each frame the sentence that says why it ran 0, 1 or more steps
    #[arg(long)]
    explain: bool,
    /// Print comma-separated values with a head line
    #[arg(long)]
    csv: bool,
}

fn main() -> ExitCode {
    match Command::parse().action.unwrap_or(Action::Demo) {
        Action::Trace(args) => play_trace(&args),
        Action::Lab(command) => visit_lab(&command),
        Action::Demo => demo::run(),
    }
}

/// What a user's mistake exits with.
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
    // Frames before a bad line are good: out with them before the error.
    let flushed = output.flush().map_err(Error::Write);
    match result.and(flushed) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the output has had enough of it.
        Err(Error::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("evenstep: {}: {error}{}", args.file.display(), cause_of(&error));
            ExitCode::from(USAGE)
        }
    }
}

fn visit_lab(command: &LabCommand) -> ExitCode {
    let mut output = BufWriter::new(io::stdout().lock());
    let result = lab::execute(command, &mut output);
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

fn cause_of(error: &dyn std::error::Error) -> String {
    error.source().map(|cause| format!(": {cause}")).unwrap_or_default()
}
