//! All integration tests, in one binary.

#![expect(unused_must_use, reason = "many laws look at the pacer, not at the plan")]

mod commands;
mod judge;

mod combinations;
mod hosting;
mod latch;
mod laws;
mod limits;
mod no_alloc;
mod oracles;
mod origin_bugs;
mod origins;
mod promises;
mod saved;
