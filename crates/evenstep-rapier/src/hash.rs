//! The hash of a physics world.

use xxhash_rust::xxh3::Xxh3;

use crate::physics::Physics;

impl Physics {
    /// The state of the clock and of every body, by bits and in the order of handles.
    ///
    /// ```
    /// use evenstep_rapier::Physics;
    /// use evenstep_rapier::rapier::prelude::*;
    ///
    /// let mut a = Physics::at_hz(60, 60);
    /// let mut b = a.clone();
    /// a.world.insert_body(RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.0)));
    /// b.world.insert_body(RigidBodyBuilder::dynamic().translation(Vector::new(-0.0, 0.0)));
    /// assert_ne!(a.hash(), b.hash(), "even the sign of a zero counts");
    /// ```
    pub fn hash(&self) -> u64 {
        let mut hasher = Xxh3::new();
        hasher.update(&self.clock.ticked().to_le_bytes());
        let mut bytes = [0; 40];
        for (handle, body) in self.world.bodies.iter() {
            let (index, generation) = handle.into_raw_parts();
            let (position, velocity, rotation) = (body.translation(), body.linvel(), body.rotation());
            let flags = u32::from(body.is_enabled()) | u32::from(body.is_sleeping()) << 1;
            let words = [
                index,
                generation,
                position.x.to_bits(),
                position.y.to_bits(),
                rotation.re.to_bits(),
                rotation.im.to_bits(),
                velocity.x.to_bits(),
                velocity.y.to_bits(),
                body.angvel().to_bits(),
                flags,
            ];
            for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
                place.copy_from_slice(&word.to_le_bytes());
            }
            hasher.update(&bytes);
        }
        hasher.digest()
    }
}
