//! The `evenstep` command from outside, and its trace reader.

mod errors;
mod golden;
mod lab;
mod oracle;
mod reader;
