//! The camera: follows the ship with a lead, and shakes.

use serde::{Deserialize, Serialize};

use crate::math::{Vec2, between};
use crate::ship::Ship;
use crate::tuning::{CAMERA_FOLLOW, CAMERA_LEAD, TRAUMA_FADE};

/// Where the game looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Camera {
    /// Where it looks, as of this tick.
    pub pos: Vec2,
    /// Where it looked on the tick before.
    pub prev: Vec2,
    /// How hard it shakes, 0 to 1. Drawing makes a shake of its square.
    pub trauma: f32,
}

impl Camera {
    pub(crate) fn tick(&mut self, ship: &Ship) {
        let target = ship.pos + ship.vel * CAMERA_LEAD;
        self.prev = self.pos;
        self.pos += (target - self.pos) * CAMERA_FOLLOW;
        self.trauma = (self.trauma - TRAUMA_FADE).max(0.0);
    }

    pub(crate) fn shake(&mut self, trauma: f32) {
        self.trauma = (self.trauma + trauma).min(1.0);
    }

    /// Where to draw from.
    pub fn at(&self, alpha: f64) -> Vec2 {
        between(self.prev, self.pos, alpha)
    }
}
