//! The `evenstep` command.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use evenstep_cli::import::{ImportArguments, import};
use evenstep_cli::replay::{self, ReplayCommand};
use evenstep_cli::trace::output::Style;
use evenstep_cli::trace::{self, Show};
use evenstep_cli::{Error, Output, run};

/// Frame pacing for games: inspect and reproduce the decisions of the loop.
#[derive(Parser)]
#[command(name = "evenstep", version, about, max_term_width = 100)]
struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Replay a pacing trace and print what the loop decided, one line per frame
    Trace(TraceArgs),
    /// Find the display behind a trace: refresh, noise, missed refreshes, and how often each loop would have stuttered
    Import(ImportArguments),
    /// Measure this display in a window: refresh, noise, missed refreshes, latency, and how each loop paces it
    #[cfg(feature = "measure")]
    Measure(evenstep_cli::measure::MeasureArguments),
    /// Show, compare, export and cut recordings of any game
    #[command(subcommand)]
    Replay(ReplayCommand),
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
    let Command { action } = Command::parse();
    run("evenstep", |output| {
        let mut status = ExitCode::SUCCESS;
        match &action {
            Action::Trace(args) => play_trace(args, output)?,
            Action::Import(args) => import(args, output)?,
            #[cfg(feature = "measure")]
            Action::Measure(args) => evenstep_cli::measure::measure(args, output)?,
            Action::Replay(command) => {
                let is_same = replay::execute(command, output)?;
                if !is_same {
                    status = ExitCode::FAILURE;
                }
            }
        }
        Ok(status)
    })
}

fn play_trace(args: &TraceArgs, output: &mut Output<'_>) -> Result<(), Error> {
    let show =
        if args.ledger { Show::Ledger } else { Show::Frames(Style { csv: args.csv, explain: args.explain }) };
    let result = if args.file == Path::new("-") {
        trace::run(io::stdin().lock(), output, show)
    } else {
        match File::open(&args.file) {
            Ok(file) => trace::run(BufReader::new(file), output, show),
            Err(error) => Err(trace::Error::Read(error)),
        }
    };
    result.map_err(|source| Error::Trace { path: args.file.clone(), source })
}
