//! The pose and velocity of a body.

use evenstep::{Lerp, lerp_angle};
use rapier2d::math::Vector;
use rapier2d::prelude::RigidBody;

/// The pose and velocity of a body at one instant.
///
/// Interpolates every field linearly, and the angle the short way round:
///
/// ```
/// use evenstep::Lerp;
/// use evenstep_rapier::Motion;
///
/// let from = Motion { angle: 3.0, ..Motion::default() };
/// let to = Motion { angle: -3.0, ..Motion::default() };
/// assert!((from.lerp(to, 0.5).angle - std::f32::consts::PI).abs() < 1e-6, "through pi, not through 0");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Position of the body's origin, in metres.
    pub position: Vector,
    /// Angle in radians.
    pub angle: f32,
    /// Velocity in metres per second.
    pub velocity: Vector,
    /// Angular velocity in radians per second.
    pub spin: f32,
}

impl Motion {
    pub(crate) fn of(body: &RigidBody) -> Self {
        Self {
            position: body.translation(),
            angle: body.rotation().angle(),
            velocity: body.linvel(),
            spin: body.angvel(),
        }
    }
}

impl Lerp for Motion {
    fn lerp(self, to: Self, alpha: f64) -> Self {
        let share = alpha as f32;
        Self {
            position: self.position + (to.position - self.position) * share,
            angle: lerp_angle(self.angle.into(), to.angle.into(), alpha) as f32,
            velocity: self.velocity + (to.velocity - self.velocity) * share,
            spin: self.spin + (to.spin - self.spin) * share,
        }
    }
}
