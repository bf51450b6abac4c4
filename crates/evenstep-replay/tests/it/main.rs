//! Tests of recordings: laws, damage, memory, and the samples of version 1.

mod odd;
mod world;

mod blame;
mod files;
mod laws;
mod memory;
mod mutations;
mod outputs;
mod players;
mod refusals;
mod rings;
mod samples;
mod writers;
