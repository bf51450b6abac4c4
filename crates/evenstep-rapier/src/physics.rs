//! A Rapier world on Evenstep's clock.

use std::fmt;

use evenstep::{Accumulator, Lerp, Rate};
use rapier2d::math::{Pose, Rotation, Vector};
use rapier2d::prelude::{EventHandler, PhysicsHooks, PhysicsWorld, RigidBodyHandle};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use crate::motion::Motion;

/// What one tick did to the physics.
///
/// ```
/// use evenstep_rapier::Physics;
///
/// let stepped = Physics::at_hz(60, 30).tick();
/// assert_eq!((stepped.steps, stepped.alpha), (0, 0.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stepped {
    /// Physics steps run.
    pub steps: u32,
    /// How far the tick stands into the next physics step: 0 <= alpha < 1.
    pub alpha: f64,
}

/// A Rapier world that steps at its own rate inside the ticks of a simulation.
///
/// The world is public: insert, remove and push bodies as Rapier does it. Time belongs to this type.
///
/// ```
/// use evenstep_rapier::Physics;
/// use evenstep_rapier::rapier::prelude::*;
///
/// let mut physics = Physics::at_hz(60, 120);
/// let (puck, _) = physics
///     .world
///     .insert(RigidBodyBuilder::dynamic().linvel(Vector::new(6.0, 0.0)), ColliderBuilder::ball(0.5));
/// assert_eq!(physics.tick().steps, 2);
/// assert!((physics.motion(puck).unwrap().position.x - 0.1).abs() < 1e-5);
/// ```
pub struct Physics {
    /// Bodies, colliders, joints and what Rapier knows about them. New worlds have no gravity.
    pub world: PhysicsWorld,
    tick_hz: u32,
    step_hz: u32,
    steps: Accumulator,
    // Ticks since the accumulator was last empty: with the rates, all there is to know about it. In lockstep always 0.
    ticks: u64,
    // Where each body was one step ago, by the index of its handle.
    before: Vec<Option<Before>>,
}

/// A body one step ago. The generation tells a body from a later one in the same place.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Before {
    generation: u32,
    pose: Pose,
    velocity: Vector,
    spin: f32,
}

impl Physics {
    /// An empty world without gravity whose steps come at `step_hz` while ticks come at `tick_hz`.
    ///
    /// # Panics
    ///
    /// If a rate is 0 or above one million.
    ///
    /// ```
    /// use evenstep_rapier::Physics;
    ///
    /// let physics = Physics::at_hz(60, 60);
    /// assert_eq!(physics.world.bodies.len(), 0);
    /// ```
    pub fn at_hz(tick_hz: u32, step_hz: u32) -> Self {
        let mut world = PhysicsWorld { gravity: Vector::ZERO, ..PhysicsWorld::default() };
        world.integration_parameters.dt = (1.0 / f64::from(step_hz)) as f32;
        Self::from_parts(world, tick_hz, step_hz, 0, Vec::new())
    }

    pub(crate) fn from_parts(
        world: PhysicsWorld,
        tick_hz: u32,
        step_hz: u32,
        ticks: u64,
        before: Vec<Option<Before>>,
    ) -> Self {
        let mut steps = Accumulator::of_ticks(Rate::hz(tick_hz), Rate::hz(step_hz));
        // Every tick takes all whole steps, so what waits is the remainder of the ticks, whenever they came.
        steps.add(ticks);
        while steps.take(u32::MAX) > 0 {}
        Self { world, tick_hz, step_hz, steps, ticks, before }
    }

    pub(crate) fn clock(&self) -> (u32, u32, u64) {
        (self.tick_hz, self.step_hz, self.ticks)
    }

    pub(crate) fn before(&self) -> &Vec<Option<Before>> {
        &self.before
    }

    /// One tick of the simulation: runs the physics steps that are due.
    ///
    /// ```
    /// use evenstep_rapier::Physics;
    ///
    /// let mut physics = Physics::at_hz(60, 30);
    /// let steps = [(); 4].map(|()| physics.tick().steps);
    /// assert_eq!(steps, [0, 1, 0, 1]);
    /// ```
    pub fn tick(&mut self) -> Stepped {
        self.tick_with(&(), &())
    }

    /// The same, with Rapier's hooks and events.
    ///
    /// ```
    /// use evenstep_rapier::Physics;
    ///
    /// let mut physics = Physics::at_hz(60, 60);
    /// assert_eq!(physics.tick_with(&(), &()).steps, 1);
    /// ```
    pub fn tick_with(&mut self, hooks: &dyn PhysicsHooks, events: &dyn EventHandler) -> Stepped {
        self.steps.add(1);
        self.ticks = (self.ticks + 1) % self.period();
        let steps = self.steps.take(u32::MAX);
        for _ in 0..steps {
            self.remember();
            self.world.step_with_events(hooks, events);
        }
        Stepped { steps, alpha: self.alpha() }
    }

    /// How far the last tick stands into the next physics step: 0 <= alpha < 1.
    ///
    /// ```
    /// use evenstep_rapier::Physics;
    ///
    /// assert_eq!(Physics::at_hz(60, 60).alpha(), 0.0);
    /// ```
    pub fn alpha(&self) -> f64 {
        self.steps.alpha()
    }

    /// Whether every tick ends exactly where a step does, so that nothing ever lies between two of them.
    ///
    /// ```
    /// use evenstep_rapier::Physics;
    ///
    /// assert!(Physics::at_hz(60, 120).is_in_lockstep());
    /// assert!(!Physics::at_hz(60, 30).is_in_lockstep());
    /// ```
    pub const fn is_in_lockstep(&self) -> bool {
        self.step_hz.is_multiple_of(self.tick_hz)
    }

    /// Forgets the fraction of a step that waits: for a loop that drops time.
    ///
    /// In lockstep nothing ever waits and this changes nothing, which is why a stall cannot change the game.
    ///
    /// ```
    /// use evenstep_rapier::Physics;
    ///
    /// let mut physics = Physics::at_hz(60, 30);
    /// physics.tick();
    /// physics.reset_accumulator();
    /// assert_eq!(physics.alpha(), 0.0);
    /// ```
    pub fn reset_accumulator(&mut self) {
        self.steps.clear();
        self.ticks = 0;
    }

    /// A body as of the last step, or `None` when it is gone.
    ///
    /// ```
    /// use evenstep_rapier::Physics;
    /// use evenstep_rapier::rapier::prelude::*;
    ///
    /// let mut physics = Physics::at_hz(60, 60);
    /// let body = physics.world.insert_body(RigidBodyBuilder::dynamic().translation(Vector::new(2.0, 0.0)));
    /// assert_eq!(physics.motion(body).unwrap().position.x, 2.0);
    /// ```
    pub fn motion(&self, body: RigidBodyHandle) -> Option<Motion> {
        self.world.bodies.get(body).map(Motion::of)
    }

    /// A body as of the step before the last; one that was not there yet, or was teleported, as it is now.
    ///
    /// ```
    /// use evenstep_rapier::Physics;
    /// use evenstep_rapier::rapier::prelude::*;
    ///
    /// let mut physics = Physics::at_hz(60, 60);
    /// let moving = RigidBodyBuilder::dynamic().linvel(Vector::new(60.0, 0.0));
    /// let (body, _) = physics.world.insert(moving, ColliderBuilder::ball(1.0));
    /// physics.tick();
    /// assert_eq!(physics.previous(body).unwrap().position.x, 0.0);
    /// ```
    pub fn previous(&self, body: RigidBodyHandle) -> Option<Motion> {
        let now = self.motion(body)?;
        let (index, generation) = body.into_raw_parts();
        let before = self.before.get(index as usize).copied().flatten();
        let before = before.filter(|before| before.generation == generation);
        Some(before.map_or(now, |before| Motion {
            position: before.pose.translation,
            angle: before.pose.rotation.angle(),
            velocity: before.velocity,
            spin: before.spin,
        }))
    }

    /// A body between the last two steps: position, velocity and spin on the straight line, angle the short way.
    ///
    /// ```
    /// use evenstep_rapier::Physics;
    /// use evenstep_rapier::rapier::prelude::*;
    ///
    /// let mut physics = Physics::at_hz(60, 60);
    /// let moving = RigidBodyBuilder::dynamic().linvel(Vector::new(60.0, 0.0));
    /// let (body, _) = physics.world.insert(moving, ColliderBuilder::ball(1.0));
    /// physics.tick();
    /// assert!((physics.motion_at(body, 0.25).unwrap().position.x - 0.25).abs() < 1e-6);
    /// ```
    pub fn motion_at(&self, body: RigidBodyHandle, alpha: f64) -> Option<Motion> {
        Some(self.previous(body)?.lerp(self.motion(body)?, alpha))
    }

    /// A body at the instant of the last tick: what a game writes onto its ship.
    ///
    /// In lockstep that is the newest step. Otherwise the tick lies inside a step that has not been run, and the answer
    /// is interpolated by [`Physics::alpha`], one step behind, as interpolation always is.
    ///
    /// ```
    /// use evenstep_rapier::Physics;
    /// use evenstep_rapier::rapier::prelude::*;
    ///
    /// let mut physics = Physics::at_hz(60, 30);
    /// let moving = RigidBodyBuilder::dynamic().linvel(Vector::new(60.0, 0.0));
    /// let (body, _) = physics.world.insert(moving, ColliderBuilder::ball(1.0));
    /// let travelled = [(); 4].map(|()| {
    ///     physics.tick();
    ///     physics.motion_at_tick(body).unwrap().position.x.round()
    /// });
    /// assert_eq!(travelled, [0.0, 0.0, 1.0, 2.0], "evenly, from the first step on");
    /// ```
    pub fn motion_at_tick(&self, body: RigidBodyHandle) -> Option<Motion> {
        if self.is_in_lockstep() { self.motion(body) } else { self.motion_at(body, self.alpha()) }
    }

    /// Puts a body somewhere else without a way there: nothing drawn between the two places.
    ///
    /// ```
    /// use evenstep_rapier::Physics;
    /// use evenstep_rapier::rapier::prelude::*;
    ///
    /// let mut physics = Physics::at_hz(60, 60);
    /// let body = physics.world.insert_body(RigidBodyBuilder::dynamic());
    /// physics.tick();
    /// physics.teleport(body, Vector::new(50.0, 0.0), 0.0);
    /// assert_eq!(physics.motion_at(body, 0.5).unwrap().position.x, 50.0);
    /// ```
    pub fn teleport(&mut self, body: RigidBodyHandle, position: Vector, angle: f32) {
        if let Some(body) = self.world.bodies.get_mut(body) {
            body.set_position(Pose::from_parts(position, Rotation::new(angle)), true);
        }
        if let Some(before) = self.before.get_mut(body.into_raw_parts().0 as usize) {
            *before = None;
        }
    }

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
        hasher.update(&self.ticks.to_le_bytes());
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

    /// After this many ticks the accumulator is empty again.
    const fn period(&self) -> u64 {
        let (mut a, mut b) = (self.tick_hz, self.step_hz);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        (self.tick_hz / a) as u64
    }

    /// Keeps where every body is before it moves.
    fn remember(&mut self) {
        self.before.iter_mut().for_each(|before| *before = None);
        for (handle, body) in self.world.bodies.iter() {
            let (index, generation) = handle.into_raw_parts();
            let index = index as usize;
            if self.before.len() <= index {
                self.before.resize(index + 1, None);
            }
            self.before[index] = Some(Before {
                generation,
                pose: *body.position(),
                velocity: body.linvel(),
                spin: body.angvel(),
            });
        }
    }
}

/// A snapshot in memory: all of Rapier's sets together, without the detour through bytes.
impl Clone for Physics {
    fn clone(&self) -> Self {
        let world = PhysicsWorld {
            gravity: self.world.gravity,
            integration_parameters: self.world.integration_parameters,
            islands: self.world.islands.clone(),
            broad_phase: self.world.broad_phase.clone(),
            narrow_phase: self.world.narrow_phase.clone(),
            bodies: self.world.bodies.clone(),
            colliders: self.world.colliders.clone(),
            impulse_joints: self.world.impulse_joints.clone(),
            multibody_joints: self.world.multibody_joints.clone(),
            soft_bodies: self.world.soft_bodies.clone(),
            // Workspaces: nothing in them outlives a step.
            ..PhysicsWorld::default()
        };
        Self {
            world,
            tick_hz: self.tick_hz,
            step_hz: self.step_hz,
            steps: self.steps,
            ticks: self.ticks,
            before: self.before.clone(),
        }
    }
}

impl fmt::Debug for Physics {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Physics")
            .field("bodies", &self.world.bodies.len())
            .field("tick_hz", &self.tick_hz)
            .field("step_hz", &self.step_hz)
            .field("ticks", &self.ticks)
            .field("hash", &format_args!("{:016x}", self.hash()))
            .finish_non_exhaustive()
    }
}
