//! `starship`: plays Starship Survivors.
//!
//! There is no window yet: the autopilot plays, in real time or, with `--headless`, as fast as it can.

#![forbid(unsafe_code)]

mod args;
mod font;
mod headless;
mod live;
mod picture;
mod report;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Args;

fn main() -> ExitCode {
    let args = Args::parse();
    if !args.headless() {
        live::run(&args);
        return ExitCode::SUCCESS;
    }
    match headless::run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}
