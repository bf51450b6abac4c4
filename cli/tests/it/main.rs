//! The `evenstep` command from outside, and its trace reader.

mod errors;
mod golden;
mod oracle;
mod lab;
mod reader;
