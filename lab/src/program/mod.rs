//! The program `lab`: families of displays, tables, charts and reports.
//!
//! [`arguments`] parses the command line, and [`family`] defines the displays of every report. The commands are
//! [`run()`], [`compare()`] and [`harm()`].

pub mod arguments;
pub mod family;

mod compare;
pub mod exception;
pub mod harm;
pub mod matrix;
mod mixture;
pub mod parallel;
mod report;
mod run;

pub use compare::compare;
pub use harm::harm;
pub use run::run;
