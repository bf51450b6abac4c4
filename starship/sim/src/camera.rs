//! The camera: leads the ship and shakes.

use serde::{Deserialize, Serialize};

use crate::math::Vec2;
use crate::ship::Ship;
use crate::track::Track;
use crate::tuning::{CAMERA_FOLLOW, CAMERA_LEAD, TRAUMA_FADE};

/// The camera, which follows the ship.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Camera {
    pub(crate) track: Track,
    /// Strength of the shake, 0 to 1. Drawing uses its square.
    pub trauma: f32,
}

impl Camera {
    pub(crate) fn tick(&mut self, ship: &Ship) {
        let target = ship.pos() + ship.vel * CAMERA_LEAD;
        let pos = self.pos();
        self.track.advance(pos + (target - pos) * CAMERA_FOLLOW);
        self.trauma = (self.trauma - TRAUMA_FADE).max(0.0);
    }

    pub(crate) fn shake(&mut self, trauma: f32) {
        self.trauma = (self.trauma + trauma).min(1.0);
    }

    /// Returns the point that the camera looks at, in metres, as of the last tick.
    pub const fn pos(&self) -> Vec2 {
        self.track.current()
    }

    /// Returns the point to draw around, `alpha` of the way between the last two ticks.
    pub fn at(&self, alpha: f64) -> Vec2 {
        self.track.at(alpha)
    }
}
