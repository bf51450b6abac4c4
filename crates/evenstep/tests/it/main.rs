//! Everything that is tested from outside, in one binary.

mod judge;

mod latch;
mod laws;
mod limits;
mod no_alloc;
mod oracles;
mod origin_bugs;
mod origins;
mod promises;
mod saved;
