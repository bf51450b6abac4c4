//! Steps of a check, run one after the other and timed.

#![expect(clippy::disallowed_methods, reason = "says how long each step took")]

use std::process::Command;
use std::time::Instant;

use crate::run::{Result, run};

/// What a step checks, and how.
pub(crate) type Step = (&'static str, Action);

/// How a step is carried out.
pub(crate) enum Action {
    /// By a program that must succeed.
    Run(Command),
    /// By a function of ours, where more than one program is needed.
    Call(fn() -> Result<()>),
}

impl From<Command> for Action {
    fn from(command: Command) -> Self {
        Self::Run(command)
    }
}

/// Carries out every step, up to the first that fails.
pub(crate) fn run_all(steps: Vec<Step>) -> Result<()> {
    let (count, start) = (steps.len(), Instant::now());
    for (n, (name, action)) in steps.into_iter().enumerate() {
        println!("\n== {}/{count} {name}", n + 1);
        let start = Instant::now();
        match action {
            Action::Run(command) => run(command),
            Action::Call(function) => function(),
        }
        .map_err(|error| format!("{name}: {error}"))?;
        println!("== {name}: {:.1} s", start.elapsed().as_secs_f64());
    }
    println!("\n== all {count} steps: {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}
