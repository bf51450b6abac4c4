//! A Rapier world driven by simulation ticks.

use std::fmt;

use evenstep::{Lerp, Rate};
use rapier2d::math::{Pose, Rotation, Vector};
use rapier2d::prelude::{EventHandler, PhysicsHooks, PhysicsWorld, RigidBodyHandle};

use crate::clock::StepClock;
use crate::history::{History, Past};
use crate::motion::Motion;

/// The result of [`Physics::tick`]: how many steps it ran, and how far the tick is into the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stepped {
    /// Number of physics steps that ran.
    pub steps: u32,
    /// How far the tick is into the next physics step: 0 <= alpha < 1.
    pub alpha: f64,
}

/// A Rapier world that steps at its own rate inside the ticks of a simulation.
///
/// The world is public: insert, remove and push bodies with Rapier's own API. Do not step it yourself; call
/// [`Physics::tick`].
///
/// ```
/// use evenstep_rapier::Physics;
/// use evenstep_rapier::rapier::prelude::*;
///
/// let mut physics = Physics::at_hz(60, 90);
/// let puck = RigidBodyBuilder::dynamic().linvel(Vector::new(9.0, 0.0));
/// let (puck, _) = physics.world.insert(puck, ColliderBuilder::ball(0.5));
///
/// assert_eq!(physics.tick().steps, 1, "one and a half steps are due");
/// assert_eq!(physics.alpha(), 0.5);
/// // The step moved the puck by 0.1 m. The tick lies between two steps, so its motion is interpolated.
/// assert!((physics.motion(puck).unwrap().position.x - 0.1).abs() < 1e-6);
/// assert!((physics.motion_at_tick(puck).unwrap().position.x - 0.05).abs() < 1e-6);
///
/// // A loop that drops time after a stall drops the fraction of a step, too.
/// physics.reset_accumulator();
/// assert_eq!(physics.alpha(), 0.0);
/// ```
pub struct Physics {
    /// Bodies, colliders, joints and Rapier's parameters. New worlds have no gravity.
    pub world: PhysicsWorld,
    pub(crate) clock: StepClock,
    // Where each body was at the tick before the last one: drawing starts from there.
    pub(crate) before_tick: History,
    // Where each body was before the last step. Empty in lockstep, which does not need it.
    pub(crate) before_step: History,
}

/// Time: rates, ticks and steps.
impl Physics {
    /// Creates an empty world without gravity from a tick rate and a step rate.
    ///
    /// # Panics
    ///
    /// If a tick has more than 1,000 steps, or if ticks and steps do not coincide within 4,294,967,295 ticks.
    ///
    /// ```
    /// use evenstep::Rate;
    /// use evenstep_rapier::Physics;
    ///
    /// let ntsc = Rate::new(60_000, 1_001);
    /// let mut physics = Physics::new(ntsc, Rate::hz(120));
    /// let steps: u32 = (0..60_000).map(|_| physics.tick().steps).sum();
    /// assert_eq!(steps, 120 * 1_001);
    /// ```
    pub fn new(ticks: Rate, steps: Rate) -> Self {
        let mut world = PhysicsWorld { gravity: Vector::ZERO, ..PhysicsWorld::default() };
        world.integration_parameters.dt = steps.step_secs() as f32;
        let clock = StepClock::new(ticks, steps, 0).unwrap_or_else(|error| panic!("{error}"));
        Self { world, clock, before_tick: History::default(), before_step: History::default() }
    }

    /// Creates an empty world without gravity from a tick rate and a step rate in whole hertz.
    ///
    /// # Panics
    ///
    /// If a rate is 0 or above one million, or if a tick has more than 1,000 steps.
    pub fn at_hz(tick_hz: u32, step_hz: u32) -> Self {
        Self::new(Rate::hz(tick_hz), Rate::hz(step_hz))
    }

    /// Returns the rate of simulation ticks.
    pub const fn tick_rate(&self) -> Rate {
        self.clock.ticks()
    }

    /// Returns the rate of physics steps.
    pub const fn step_rate(&self) -> Rate {
        self.clock.steps()
    }

    /// Runs the physics steps that are due in one simulation tick.
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

    /// Runs one simulation tick like [`Physics::tick`], with Rapier's hooks and event handler.
    ///
    /// ```
    /// use std::sync::mpsc::channel;
    /// use evenstep_rapier::Physics;
    /// use evenstep_rapier::rapier::prelude::*;
    ///
    /// let mut physics = Physics::at_hz(60, 60);
    /// for x in [0.0, 0.5] {
    ///     let ball = ColliderBuilder::ball(1.0).active_events(ActiveEvents::COLLISION_EVENTS);
    ///     physics.world.insert(RigidBodyBuilder::dynamic().translation(Vector::new(x, 0.0)), ball);
    /// }
    /// let (sender, collisions) = channel();
    /// let events = ChannelEventCollector::new(sender, channel().0, channel().0);
    /// physics.tick_with(&(), &events);
    /// assert!(collisions.try_recv().unwrap().started());
    /// ```
    pub fn tick_with(&mut self, hooks: &dyn PhysicsHooks, events: &dyn EventHandler) -> Stepped {
        self.remember_tick();
        let steps = self.clock.tick();
        for _ in 0..steps {
            self.remember_step();
            self.world.step_with_events(hooks, events);
        }
        Stepped { steps, alpha: self.alpha() }
    }

    /// Returns how far the last tick is into the next physics step: 0 <= alpha < 1.
    pub fn alpha(&self) -> f64 {
        self.clock.alpha()
    }

    /// Returns whether every tick runs a whole number of steps, as at 60 ticks and 60 or 120 steps per second.
    pub const fn is_in_lockstep(&self) -> bool {
        self.clock.is_in_lockstep()
    }

    /// Drops the pending fraction of a step, for a loop that drops time.
    ///
    /// In lockstep there is no fraction and this has no effect, so a stall cannot change the game. Otherwise
    /// [`motion_at_tick`](Self::motion_at_tick) moves back to where the last step began.
    pub fn reset_accumulator(&mut self) {
        self.clock.reset();
    }

    /// Records where every body is at the last tick, before the next one moves it.
    fn remember_tick(&mut self) {
        let Self { world, clock, before_tick, before_step } = self;
        let bodies = world.bodies.iter().map(|(handle, body)| (handle, Past::of(body, handle)));
        if clock.is_in_lockstep() {
            before_tick.record(bodies);
        } else {
            let alpha = clock.alpha();
            before_tick.record(bodies.map(|(handle, now)| {
                (handle, before_step.get(handle).map_or(now, |before| before.between(now, alpha)))
            }));
        }
    }

    /// Records where every body is before a step moves it.
    fn remember_step(&mut self) {
        if !self.is_in_lockstep() {
            let bodies = self.world.bodies.iter();
            self.before_step.record(bodies.map(|(handle, body)| (handle, Past::of(body, handle))));
        }
    }
}

/// Poses and velocities of bodies.
impl Physics {
    /// Returns a body's motion as of the last step, or `None` if the body was removed.
    pub fn motion(&self, body: RigidBodyHandle) -> Option<Motion> {
        self.world.bodies.get(body).map(Motion::of)
    }

    /// Returns a body's motion at the instant of the last tick: what a game copies to its own entities.
    ///
    /// In lockstep this is the last step. Otherwise the tick lies inside a step that has not run yet, so the result is
    /// interpolated between the last two steps by [`Physics::alpha`], one step behind.
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
    /// assert_eq!(travelled, [0.0, 0.0, 1.0, 2.0], "evenly, from the first step onwards");
    /// ```
    pub fn motion_at_tick(&self, body: RigidBodyHandle) -> Option<Motion> {
        let now = self.motion(body)?;
        // Empty in lockstep.
        let before = self.before_step.get(body);
        Some(before.map_or(now, |before| before.motion().lerp(now, self.alpha())))
    }

    /// Returns a body's motion at the instant of the tick before the last.
    ///
    /// A body that was inserted or teleported since then has no such motion; for it the result is that of
    /// [`Physics::motion_at_tick`].
    pub fn previous(&self, body: RigidBodyHandle) -> Option<Motion> {
        let at_tick = self.motion_at_tick(body)?;
        Some(self.before_tick.get(body).map_or(at_tick, |past| past.motion()))
    }

    /// Interpolates a body's motion between the last two ticks, for drawing at a frame's alpha.
    ///
    /// Position, velocity and spin are interpolated linearly, the angle the short way round.
    ///
    /// ```text
    /// ticks    |-----------|-----------|      60 Hz: the frame's alpha goes from one to the next
    /// steps    |-----|-----|-----|-----|      120 Hz: how many there are in between does not matter
    /// drawn                o---x-->o          alpha 0 is the tick before the last, 1 would be the last
    /// ```
    ///
    /// ```
    /// use evenstep_rapier::Physics;
    /// use evenstep_rapier::rapier::prelude::*;
    ///
    /// let mut physics = Physics::at_hz(60, 120);
    /// let moving = RigidBodyBuilder::dynamic().linvel(Vector::new(60.0, 0.0));
    /// let (body, _) = physics.world.insert(moving, ColliderBuilder::ball(1.0));
    /// physics.tick();
    /// assert!((physics.motion_at(body, 0.25).unwrap().position.x - 0.25).abs() < 1e-6);
    /// ```
    pub fn motion_at(&self, body: RigidBodyHandle, alpha: f64) -> Option<Motion> {
        Some(self.previous(body)?.lerp(self.motion_at_tick(body)?, alpha))
    }

    /// Moves a body instantly: drawing does not interpolate between the two poses.
    ///
    /// Does nothing if the body was removed.
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
        if let Some(moved) = self.world.bodies.get_mut(body) {
            moved.set_position(Pose::from_parts(position, Rotation::new(angle)), true);
            self.before_tick.forget(body);
            self.before_step.forget(body);
        }
    }
}

/// Clones the whole world: a snapshot in memory, faster than serialising it.
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
            // Workspaces, whose contents do not outlive a step.
            ..PhysicsWorld::default()
        };
        let before_tick = self.before_tick.clone();
        let before_step = self.before_step.clone();
        Self { world, clock: self.clock, before_tick, before_step }
    }
}

impl fmt::Debug for Physics {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Physics")
            .field("bodies", &self.world.bodies.len())
            .field("ticks", &self.clock.ticks())
            .field("steps", &self.clock.steps())
            .field("ticked", &self.clock.ticked())
            .field("hash", &format_args!("{:016x}", self.hash()))
            .finish_non_exhaustive()
    }
}
