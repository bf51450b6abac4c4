//! Engine types in the state, and the serde adaptors that they need: the engine's core has no dependencies.

use evenstep::Interpolated;
use serde::{Deserialize, Serialize};

use crate::math::Vec2;

/// A vector as of the last two ticks: the rules read the current one, and drawing blends the two.
///
/// Serialised as the current vector followed by the previous one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "(Vec2, Vec2)", into = "(Vec2, Vec2)")]
pub(crate) struct Track(Interpolated<[f32; 2]>);

impl Track {
    pub(crate) const fn new(value: Vec2) -> Self {
        Self(Interpolated::new([value.x, value.y]))
    }

    pub(crate) const fn current(&self) -> Vec2 {
        vector(self.0.current())
    }

    pub(crate) const fn previous(&self) -> Vec2 {
        vector(self.0.previous())
    }

    /// Moves to the vector of the next tick.
    pub(crate) fn advance(&mut self, next: Vec2) {
        self.0.advance([next.x, next.y]);
    }

    /// Stays where it is for a tick.
    pub(crate) fn hold(&mut self) {
        self.0.advance(self.0.current());
    }

    /// Blends the last two ticks for drawing.
    pub(crate) fn at(&self, alpha: f64) -> Vec2 {
        vector(self.0.at(alpha))
    }
}

const fn vector([x, y]: [f32; 2]) -> Vec2 {
    Vec2::new(x, y)
}

impl From<(Vec2, Vec2)> for Track {
    fn from((current, previous): (Vec2, Vec2)) -> Self {
        let mut track = Self::new(previous);
        track.advance(current);
        track
    }
}

impl From<Track> for (Vec2, Vec2) {
    fn from(track: Track) -> Self {
        (track.current(), track.previous())
    }
}

/// Serialises a [`TickTimer`](evenstep::TickTimer) as the number of ticks left, for `#[serde(with = "...")]`.
pub(crate) mod tick_timer {
    use evenstep::TickTimer;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a field by reference")]
    pub(crate) fn serialize<S: Serializer>(timer: &TickTimer, serializer: S) -> Result<S::Ok, S::Error> {
        timer.left().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TickTimer, D::Error> {
        u32::deserialize(deserializer).map(TickTimer::start)
    }
}

#[cfg(test)]
mod tests {
    use evenstep::TickTimer;
    use evenstep_rapier::SnapshotFormat;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Timed {
        track: Track,
        #[serde(with = "tick_timer")]
        timer: TickTimer,
    }

    /// Snapshots and golden hashes from before the engine's types were in the state rely on it.
    #[test]
    fn a_track_and_a_timer_are_written_as_two_vectors_and_a_count() {
        let previous = Vec2::new(1.0, -2.0);
        let current = Vec2::new(3.5, 4.0);
        let mut track = Track::new(previous);
        track.advance(current);
        let timed = Timed { track, timer: TickTimer::start(300) };
        let format = SnapshotFormat::new("TEST", 1);
        let bytes = format.write(&timed);
        assert_eq!(bytes, format.write(&(current, previous, 300_u32)));
        assert_eq!(format.read::<Timed>(&bytes).unwrap(), timed);
    }
}
