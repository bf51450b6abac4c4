//! Where bodies were.

use evenstep::Lerp;
use rapier2d::math::{Pose, Rotation, Vector};
use rapier2d::prelude::{RigidBody, RigidBodyHandle, RigidBodySet};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Serialize, Serializer};

use crate::error::SnapshotError;
use crate::motion::Motion;

/// Where every body was at one instant.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    // By the index of the body's handle.
    past: Vec<Option<Past>>,
}

/// A body in the past.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Past {
    // Tells a body from a later one in the same place.
    generation: u32,
    // Not an angle: to keep a pose costs nothing, and an angle is asked for only to draw.
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

    /// The body between here and a later place.
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
    /// The body then, unless it was not there yet.
    pub(crate) fn get(&self, body: RigidBodyHandle) -> Option<Past> {
        let (index, generation) = body.into_raw_parts();
        let past = self.past.get(index as usize).copied().flatten();
        past.filter(|past| past.generation == generation)
    }

    /// Forgets everything and keeps this instead. Allocates only for more bodies than ever before.
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

    /// What was written, if it is about bodies that are there.
    pub(crate) fn restore(written: Vec<WrittenPast>, bodies: &RigidBodySet) -> Result<Self, SnapshotError> {
        let mut history = Self::default();
        let mut next = 0;
        for WrittenPast { index, past } in written {
            let handle = RigidBodyHandle::from_raw_parts(index, past.generation);
            // In the order of places, and each once. A place that holds a body is one in memory, so it bounds `resize`.
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

/// How a body's past stands in a snapshot.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct WrittenPast {
    index: u32,
    past: Past,
}

/// Writes a history: only what is about bodies that are still there.
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
