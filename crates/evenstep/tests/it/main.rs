//! All integration tests, in one binary.

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
