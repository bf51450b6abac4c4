//! Crates: they drift, block the way, break, and drop pickups.

use serde::{Deserialize, Serialize};

use evenstep::{Every, TickTimer};
use evenstep_rapier::rapier::prelude::RigidBodyHandle;

use crate::bodies;
use crate::math::{Vec2, direction, unit_or};
use crate::pickups;
use crate::pool::Id;
use crate::signals::{Signal, Signals};
use crate::state::State;
use crate::track::Track;
use crate::tuning::{ARENA_HALF, CRATE_EVERY, CRATE_HOLDS, CRATE_HULL, CRATES, HIT_FLASH, RAM_SPEED};

const REPLENISH: Every = Every::ticks(CRATE_EVERY);

/// A crate in the arena.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crate {
    pub(crate) track: Track,
    pub(crate) facing: Track,
    /// Remaining hull points.
    pub hull: f32,
    /// Runs after a hit, while the crate flashes.
    #[serde(with = "crate::track::tick_timer")]
    pub flash: TickTimer,
    pub(crate) body: RigidBodyHandle,
}

impl Crate {
    /// Returns the position in metres as of the last tick.
    pub const fn pos(&self) -> Vec2 {
        self.track.current()
    }

    /// Returns the position to draw at, `alpha` of the way between the last two ticks.
    pub fn at(&self, alpha: f64) -> Vec2 {
        self.track.at(alpha)
    }

    /// Returns the direction to draw one of its sides in, `alpha` of the way between the last two ticks.
    pub fn facing_at(&self, alpha: f64) -> Vec2 {
        unit_or(self.facing.at(alpha), self.facing.current())
    }
}

pub(crate) fn tick(state: &mut State) {
    for krate in state.crates.values_mut() {
        krate.flash.tick();
    }
    if REPLENISH.is_due(state.clock.tick()) && !state.crates.is_full() {
        place(state, 20.0);
    }
}

/// Places the crates of a new run.
pub(crate) fn scatter(state: &mut State) {
    for _ in 0..CRATES {
        place(state, 7.0);
    }
}

/// Places a crate at a random position, unless that is within `away` metres of the ship.
fn place(state: &mut State, away: f32) {
    let most = ARENA_HALF - 4.0;
    let pos = Vec2::new(state.rng.between(-most, most), state.rng.between(-most, most));
    if pos.distance(state.ship.pos()) < away {
        return;
    }
    let angle = state.rng.between(0.0, 1.57);
    let physics = &mut state.physics;
    state.crates.insert_with(|id| {
        let body = bodies::insert_crate(physics, id, pos, angle);
        let facing = Track::new(direction(angle));
        Crate { track: Track::new(pos), facing, hull: CRATE_HULL, flash: TickTimer::default(), body }
    });
}

pub(crate) fn hit(state: &mut State, id: Id<Crate>, damage: f32, signals: &mut Signals) {
    let Some(krate) = state.crates.get_mut(id) else {
        return;
    };
    krate.hull -= damage;
    krate.flash = TickTimer::start(HIT_FLASH);
    if krate.hull > 0.0 {
        return;
    }
    let at = krate.pos();
    let body = krate.body;
    state.crates.remove(id);
    state.physics.world.remove_body(body);
    state.progress.score += 5;
    signals.push(Signal::CrateBroken { at });
    pickups::drop_from_crate(state, at, CRATE_HOLDS);
}

/// Breaks a crate that the ship rams fast enough.
pub(crate) fn ram(state: &mut State, id: Id<Crate>, signals: &mut Signals) {
    if state.ship.boosting || state.ship.vel.length() > RAM_SPEED {
        state.camera.shake(0.2);
        hit(state, id, CRATE_HULL, signals);
    }
}

pub(crate) fn blast(state: &mut State, at: Vec2, radius: f32, damage: f32, signals: &mut Signals) {
    for place in 0..state.crates.places() {
        if let Some(id) = state.crates.id_at(place)
            && state.crates.get(id).is_some_and(|krate| krate.pos().distance(at) < radius + 0.9)
        {
            hit(state, id, damage, signals);
        }
    }
}
