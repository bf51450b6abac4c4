//! Hashes of a physics world and of any serialisable value.

use postcard::ser_flavors::Flavor;
use rapier2d::math::{Pose, Vector};
use rapier2d::prelude::{Collider, RigidBody, TypedShape};
use serde::Serialize;
use xxhash_rust::xxh3::Xxh3;

use crate::physics::Physics;

/// Hashes the serialised bytes of a value: floats by their bits, integers by their value, nothing by its address.
///
/// Allocates nothing and gives the same result on every target.
///
/// ```
/// use evenstep_rapier::hash_of;
///
/// let position = [1.0_f32, 2.0];
/// let velocity = [0.0_f32, -0.0];
/// assert_ne!(hash_of(&(position, velocity)), hash_of(&(position, [0.0_f32, 0.0])));
/// ```
pub fn hash_of(value: &impl Serialize) -> u64 {
    let mut hash = Hash::new();
    hash.add(value);
    hash.finish()
}

impl Physics {
    /// Hashes everything that decides the next tick, as far as Rapier exposes it: by bits, in the order of handles.
    ///
    /// It covers
    ///
    /// - both rates, and how far the last tick is into the next step;
    /// - gravity and the integration parameters;
    /// - for every body: handle, type, pose, kinematic target, velocities, accumulated forces and torques, gravity
    ///   scale, damping, masses, locked axes, dominance, sleep state, continuous collision detection and extra
    ///   iterations;
    /// - for every collider: handle, parent, pose, mass, material, groups, flags and shape; for meshes, compounds and
    ///   other composite shapes only the kind and the bounding box;
    /// - every joint and its impulses, every multibody's velocities and damping, and every soft body;
    /// - out of lockstep: where every body was before the last step, because [`Physics::motion_at_tick`] reads it.
    ///
    /// It excludes what only drawing reads ([`Physics::previous`]), user data, and Rapier's caches: contacts with their
    /// impulses, islands, the broad phase and which handles are free. [`Physics::save`] includes those.
    ///
    /// ```
    /// use evenstep_rapier::Physics;
    /// use evenstep_rapier::rapier::prelude::*;
    ///
    /// let mut a = Physics::at_hz(60, 60);
    /// let body = a.world.insert_body(RigidBodyBuilder::dynamic());
    /// let mut b = a.clone();
    /// assert_eq!(a.hash(), b.hash());
    /// b.world.bodies[body].add_force(Vector::new(1.0, 0.0), true);
    /// assert_ne!(a.hash(), b.hash(), "a force for the next step counts");
    /// ```
    pub fn hash(&self) -> u64 {
        let world = &self.world;
        let mut hash = Hash::new();
        hash.add(&(self.written_clock(), world.gravity, world.integration_parameters));
        hash.add(&world.bodies.len());
        for (handle, body) in world.bodies.iter() {
            hash.handle(handle.into_raw_parts());
            add_body(&mut hash, body);
        }
        hash.add(&world.colliders.len());
        for (handle, collider) in world.colliders.iter() {
            hash.handle(handle.into_raw_parts());
            add_collider(&mut hash, collider);
        }
        hash.add(&world.impulse_joints.len());
        for (handle, joint) in world.impulse_joints.iter() {
            hash.add(&(handle, joint.body1(), joint.body2(), joint.data, joint.impulses));
        }
        for (_, _, _, link) in world.multibody_joints.iter() {
            hash.add(&(link.rigid_body_handle(), link.joint));
        }
        for multibody in world.multibody_joints.multibodies() {
            hash.floats_of(multibody.generalized_velocity().iter());
            hash.floats_of(multibody.damping().iter());
        }
        for (handle, body) in world.soft_bodies.iter() {
            hash.add(&(handle, body));
        }
        hash.add(&self.written_steps());
        hash.finish()
    }
}

/// Written by hand because serde takes ten times as long, and games hash their bodies on every tick.
fn add_body(hash: &mut Hash, body: &RigidBody) {
    let masses = body.mass_properties();
    let sleep = body.activation();
    let flags = [
        body.is_enabled(),
        body.is_sleeping(),
        body.is_ccd_enabled(),
        body.is_fast_rotation_allowed(),
        masses.additional_local_mprops.is_some(),
    ];
    hash.flags(&flags);
    hash.words([
        body.body_type() as u32,
        u32::from(body.dominance_group().cast_unsigned()),
        u32::from(masses.flags.bits()),
        body.additional_solver_iterations() as u32,
        body.additional_pgs_iterations() as u32,
    ]);
    hash.pose(body.position());
    hash.pose(body.next_position());
    hash.vectors([
        body.linvel(),
        body.user_force(),
        masses.effective_inv_mass,
        masses.local_mprops.local_com,
    ]);
    hash.floats([
        body.angvel(),
        body.user_torque(),
        body.gravity_scale(),
        body.linear_damping(),
        body.angular_damping(),
        body.soft_ccd_prediction(),
        masses.effective_world_inv_inertia,
        masses.local_mprops.inv_mass,
        masses.local_mprops.inv_principal_inertia,
        sleep.normalized_linear_threshold,
        sleep.angular_threshold,
        sleep.time_until_sleep,
        sleep.time_since_can_sleep,
    ]);
    if let Some(additional) = &masses.additional_local_mprops {
        hash.add(additional);
    }
}

fn add_collider(hash: &mut Hash, collider: &Collider) {
    let material = collider.material();
    let shape = collider.shape();
    let parent = collider.parent().zip(collider.position_wrt_parent());
    hash.flags(&[collider.is_enabled(), collider.is_sensor(), parent.is_some()]);
    if let Some((body, pose)) = parent {
        hash.handle(body.into_raw_parts());
        hash.pose(pose);
    }
    hash.pose(collider.position());
    hash.floats([
        collider.density(),
        collider.contact_skin(),
        collider.contact_force_event_threshold(),
        material.friction,
        material.restitution,
    ]);
    for groups in [collider.collision_groups(), collider.solver_groups()] {
        hash.words([groups.memberships.bits(), groups.filter.bits(), groups.test_mode as u32]);
    }
    hash.words([
        material.friction_combine_rule as u32,
        material.restitution_combine_rule as u32,
        u32::from(collider.active_collision_types().bits()),
        collider.active_hooks().bits(),
        collider.active_events().bits(),
        shape.shape_type() as u32,
    ]);
    match shape.as_typed_shape() {
        TypedShape::Ball(ball) => hash.floats([ball.radius]),
        TypedShape::Cuboid(cuboid) => hash.vectors([cuboid.half_extents]),
        _ if shape.as_composite_shape().is_some() => hash.add(&shape.compute_local_aabb()),
        _ => hash.add(collider.shared_shape()),
    }
}

/// An incremental hash. It buffers small writes, because calling the hasher costs more than they do.
struct Hash {
    hasher: Xxh3,
    buffer: [u8; 1_024],
    len: usize,
}

impl Hash {
    fn new() -> Self {
        Self { hasher: Xxh3::new(), buffer: [0; 1_024], len: 0 }
    }

    /// Adds a value. If it cannot be serialised, such as a custom shape, adds the part before the failure.
    fn add(&mut self, value: &(impl Serialize + ?Sized)) {
        let _ = postcard::serialize_with_flavor(value, &mut *self);
    }

    fn words<const N: usize>(&mut self, words: [u32; N]) {
        if self.len + 4 * N > self.buffer.len() {
            self.flush();
        }
        let places = self.buffer[self.len..][..4 * N].chunks_exact_mut(4);
        for (place, word) in places.zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        self.len += 4 * N;
    }

    fn floats<const N: usize>(&mut self, floats: [f32; N]) {
        self.words(floats.map(f32::to_bits));
    }

    fn floats_of<'a>(&mut self, floats: impl Iterator<Item = &'a f32>) {
        floats.for_each(|&float| self.floats([float]));
    }

    fn vectors<const N: usize>(&mut self, vectors: [Vector; N]) {
        for vector in vectors {
            self.floats([vector.x, vector.y]);
        }
    }

    fn pose(&mut self, pose: &Pose) {
        self.vectors([pose.translation]);
        self.floats([pose.rotation.re, pose.rotation.im]);
    }

    fn handle(&mut self, (index, generation): (u32, u32)) {
        self.words([index, generation]);
    }

    /// Packs up to 32 flags into one word.
    fn flags(&mut self, flags: &[bool]) {
        self.words([flags.iter().fold(0, |word, &flag| word << 1 | u32::from(flag))]);
    }

    #[inline]
    fn extend(&mut self, bytes: &[u8]) {
        if self.len + bytes.len() > self.buffer.len() {
            self.flush();
        }
        match self.buffer.get_mut(self.len..self.len + bytes.len()) {
            Some(place) => {
                place.copy_from_slice(bytes);
                self.len += bytes.len();
            }
            None => self.hasher.update(bytes),
        }
    }

    fn flush(&mut self) {
        self.hasher.update(&self.buffer[..self.len]);
        self.len = 0;
    }

    fn finish(mut self) -> u64 {
        self.flush();
        self.hasher.digest()
    }
}

impl Flavor for &mut Hash {
    type Output = ();

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.extend(&[byte]);
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.extend(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}
