//! The past motion of bodies.

use evenstep::Lerp;
use rapier2d::math::{Pose, Rotation, Vector};
use rapier2d::prelude::{RigidBody, RigidBodyHandle, RigidBodySet};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Serialize, Serializer};

use crate::error::SnapshotError;
use crate::motion::Motion;

/// The motion of every body at one instant in the past.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    // Indexed by the index of the body's handle.
    past: Vec<Option<Past>>,
}

/// The motion of one body at an instant in the past.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Past {
    // Distinguishes a body from a later one with the same index.
    generation: u32,
    // A pose and not an angle: storing it is free, and the angle is computed only for drawing.
    pose: Pose,
    velocity: Vector,
    spin: f32,
}

impl Past {
    pub(crate) fn of(body: &RigidBody, handle: RigidBodyHandle) -> Self {
        Self {
            generation: handle.into_raw_parts().1,
            pose: *body.position(),
            velocity: body.linvel(),
            spin: body.angvel(),
        }
    }

    /// Blends two instants of the same body.
    pub(crate) fn between(self, later: Self, alpha: f64) -> Self {
        let Motion { position, angle, velocity, spin } = self.motion().lerp(later.motion(), alpha);
        Self { pose: Pose::from_parts(position, Rotation::new(angle)), velocity, spin, ..later }
    }

    pub(crate) fn motion(&self) -> Motion {
        Motion {
            position: self.pose.translation,
            angle: self.pose.rotation.angle(),
            velocity: self.velocity,
            spin: self.spin,
        }
    }
}

impl History {
    /// Returns the motion of a body, or `None` if it did not exist yet.
    pub(crate) fn get(&self, body: RigidBodyHandle) -> Option<Past> {
        let (index, generation) = body.into_raw_parts();
        let past = self.past.get(index as usize).copied().flatten();
        past.filter(|past| past.generation == generation)
    }

    /// Replaces the whole history. Allocates only when there are more bodies than ever before.
    pub(crate) fn record(&mut self, bodies: impl Iterator<Item = (RigidBodyHandle, Past)>) {
        self.past.iter_mut().for_each(|past| *past = None);
        for (handle, past) in bodies {
            let index = handle.into_raw_parts().0 as usize;
            if self.past.len() <= index {
                self.past.resize(index + 1, None);
            }
            self.past[index] = Some(past);
        }
    }

    pub(crate) fn forget(&mut self, body: RigidBodyHandle) {
        if let Some(past) = self.past.get_mut(body.into_raw_parts().0 as usize) {
            *past = None;
        }
    }

    /// Restores a history. Fails if it mentions a body that does not exist.
    pub(crate) fn restore(written: Vec<WrittenPast>, bodies: &RigidBodySet) -> Result<Self, SnapshotError> {
        let mut history = Self::default();
        let mut next = 0;
        for WrittenPast { index, past } in written {
            let handle = RigidBodyHandle::from_raw_parts(index, past.generation);
            // Strictly increasing. An index of an existing body is within the body set, which bounds `resize`.
            if index < next || !bodies.contains(handle) {
                return Err(SnapshotError::Reference { what: "the past", index });
            }
            next = index + 1;
            history.past.resize(index as usize, None);
            history.past.push(Some(past));
        }
        Ok(history)
    }
}

/// The serialised form of a body's past.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct WrittenPast {
    index: u32,
    past: Past,
}

/// Serialises a history, without bodies that no longer exist.
pub(crate) struct HistoryOf<'a> {
    pub(crate) history: &'a History,
    pub(crate) bodies: &'a RigidBodySet,
}

impl Serialize for HistoryOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let kept = || {
            let handles = self.bodies.iter().map(|(handle, _)| handle);
            handles.filter_map(|handle| Some((handle.into_raw_parts().0, self.history.get(handle)?)))
        };
        let mut list = serializer.serialize_seq(Some(kept().count()))?;
        for (index, past) in kept() {
            list.serialize_element(&WrittenPast { index, past })?;
        }
        list.end()
    }
}
