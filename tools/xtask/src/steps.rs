//! Runs the steps of a check one after the other, and times them.

#![expect(clippy::disallowed_methods, reason = "prints how long each step took")]

use std::process::Command;
use std::time::Instant;

use crate::run::{Result, run};

/// The name of a step, and how to run it.
pub(crate) type Step = (&'static str, Action);

/// How to run a step.
pub(crate) enum Action {
    /// Run a program, which must succeed.
    Run(Command),
    /// Call a function, for steps that need more than one program.
    Call(fn() -> Result<()>),
}

impl From<Command> for Action {
    fn from(command: Command) -> Self {
        Self::Run(command)
    }
}

/// Runs all steps and stops at the first that fails.
pub(crate) fn run_all(steps: Vec<Step>) -> Result<()> {
    let count = steps.len();
    let start = Instant::now();
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
