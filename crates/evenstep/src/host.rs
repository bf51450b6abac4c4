//! What only a host needs: the check of its beat, the count of what was shown, and the late start.
//!
//! [`BeatCheck`] verifies what starts the frames, [`ShownCounts`] counts what was shown and missed, and [`LateStart`] waits
//! for fresher input.

mod beat;
mod late;
mod shown;

pub use beat::{BeatCheck, BeatState};
pub use late::LateStart;
pub use shown::{Shown, ShownCounts};
