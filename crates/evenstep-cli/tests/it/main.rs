//! End-to-end tests of the `evenstep` command, and tests of its trace reader.

mod errors;
mod golden;
mod import;
mod oracle;
mod reader;
mod recorded;
mod replay;
