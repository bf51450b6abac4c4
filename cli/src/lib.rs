//! What the `evenstep` command is made of.

#![forbid(unsafe_code)]

pub mod lab;
pub mod trace;
