//! Everything that is tested from outside, in one binary.

mod judge;

mod latch;
mod laws;
mod limits;
mod no_alloc;
mod oracles;
mod promises;
mod saved;
mod seed_bugs;
