//! Warp puddles: they change the ship's stats on top of the modifiers, eased in and out by `warp_t`.

use serde::{Deserialize, Serialize};

use crate::math::{Vec2, inside_arena};
use crate::rng::Rng;
use crate::ship::Ship;
use crate::signals::{Signal, Signals};
use crate::tuning::{
    ARENA_HALF, PUDDLE_RADIUS, PUDDLES, WARP_COOLING, WARP_DRAG, WARP_HEAT, WARP_IN, WARP_OUT, WARP_THRUST,
};

/// A warp puddle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Puddle {
    /// Centre in metres.
    pub pos: Vec2,
    /// Radius in metres.
    pub radius: f32,
}

impl Puddle {
    fn holds(&self, point: Vec2) -> bool {
        self.pos.distance_squared(point) < self.radius * self.radius
    }
}

/// Scatters puddles over the arena, away from where the ship starts.
pub(crate) fn scatter(rng: &mut Rng) -> Vec<Puddle> {
    (0..PUDDLES)
        .map(|_| {
            let away = rng.between(14.0, ARENA_HALF);
            let pos = inside_arena(rng.direction() * away, PUDDLE_RADIUS.1);
            Puddle { pos, radius: rng.between(PUDDLE_RADIUS.0, PUDDLE_RADIUS.1) }
        })
        .collect()
}

/// Updates `warp_t` and applies the warp to the recalculated stats.
pub(crate) fn tick(puddles: &[Puddle], ship: &mut Ship, signals: &mut Signals) {
    let was_in = ship.warp_t > 0.0;
    let is_in = puddles.iter().any(|puddle| puddle.holds(ship.pos()));
    ship.warp_t =
        if is_in { (ship.warp_t + 1.0 / WARP_IN).min(1.0) } else { (ship.warp_t - 1.0 / WARP_OUT).max(0.0) };
    match (was_in, ship.warp_t > 0.0) {
        (false, true) => signals.push(Signal::WarpEntered { at: ship.pos() }),
        (true, false) => signals.push(Signal::WarpLeft { at: ship.pos() }),
        _ => {}
    }
    apply_overrides(ship);
}

/// Changes thrust, drag and heat on top of the modifiers, scaled by `warp_t`.
pub(crate) fn apply_overrides(ship: &mut Ship) {
    let scaled = |factor: f32| 1.0 + (factor - 1.0) * ship.warp_t;
    ship.stats.thrust *= scaled(WARP_THRUST);
    ship.stats.drag *= scaled(WARP_DRAG);
    ship.stats.heat_gain *= scaled(WARP_HEAT);
    ship.stats.cooling *= scaled(WARP_COOLING);
}
