//! The program `lab`: pacing on simulated displays.
//!
//! Run: cargo run --release -p evenstep-lab -- run --help

use std::process::ExitCode;

use clap::Parser;
use evenstep_lab::program::arguments::LabCommand;
use evenstep_lab::program::{compare, harm, run};

/// Measures pacing on simulated displays: judder, cadence, drift, lag.
#[derive(Parser)]
#[command(name = "lab", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: LabCommand,
}

fn main() -> ExitCode {
    let Arguments { command } = Arguments::parse();
    evenstep_cli::run("lab", |output| {
        match &command {
            LabCommand::Run(arguments) => run(arguments, output),
            LabCommand::Compare(arguments) => compare(arguments, output),
            LabCommand::Harm(arguments) => harm(arguments, output),
        }
        .map(|()| ExitCode::SUCCESS)
    })
}
