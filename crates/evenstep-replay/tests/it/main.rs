//! Tests of recordings: laws, damage, memory, and the samples of version 1.

mod odd;
mod world;

mod blame;
mod files;
mod laws;
mod memory;
mod mutations;
mod players;
mod presented;
mod recorders;
mod refusals;
mod rings;
mod samples;
mod writers;
