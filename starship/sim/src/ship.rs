//! The ship: hull, heat, stats and damage.

use serde::{Deserialize, Serialize};

use evenstep::TickTimer;
use evenstep_rapier::rapier::prelude::{ColliderHandle, RigidBodyHandle};

use crate::math::{Vec2, unit_or};
use crate::phases::Phase;
use crate::signals::{Signal, Signals};
use crate::state::State;
use crate::track::Track;
use crate::tuning::{
    COOLING, HIT_FREEZE_MS, INVERT_MS, INVULNERABLE, MAGNET, OVERTIME_DAMAGE, SECTOR_DAMAGE, SHIP_DRAG,
    SHIP_HULL, SHIP_THRUST, SIM_DT,
};

/// The ship's stats: its base, changed by modifiers and then by warp puddles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// Metres per second squared at full stick.
    pub thrust: f32,
    /// Drag, per second.
    pub drag: f32,
    /// Heat gain, as a factor.
    pub heat_gain: f32,
    /// Degrees lost per second.
    pub cooling: f32,
    /// Fire rate, as a factor.
    pub fire_rate: f32,
    /// Reach of the magnet, in metres.
    pub magnet: f32,
    /// Damage taken, as a factor.
    pub damage_taken: f32,
    /// Hull points of an undamaged ship.
    pub hull_full: f32,
}

impl Stats {
    pub(crate) const BASE: Self = Self {
        thrust: SHIP_THRUST,
        drag: SHIP_DRAG,
        heat_gain: 1.0,
        cooling: COOLING,
        fire_rate: 1.0,
        magnet: MAGNET,
        damage_taken: 1.0,
        hull_full: SHIP_HULL,
    };
}

/// The player's ship.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ship {
    pub(crate) track: Track,
    /// Velocity in metres per second.
    pub vel: Vec2,
    pub(crate) heading: Track,
    /// Remaining hull points.
    pub hull: f32,
    /// Heat, in degrees above cold.
    pub heat: f32,
    /// Whether the ship must cool down before it can boost again.
    pub overheated: bool,
    /// Whether the boost is on.
    pub boosting: bool,
    /// Strength of the warp: 0 outside all puddles, 1 after some time in one.
    pub warp_t: f32,
    /// Current stats.
    pub stats: Stats,
    /// Stats without modifiers and puddles, from which the current ones are calculated.
    pub base: Option<Stats>,
    /// Runs after a hit, while nothing hurts the ship.
    #[serde(with = "crate::track::tick_timer")]
    pub invulnerable: TickTimer,
    pub(crate) body: RigidBodyHandle,
    pub(crate) collider: ColliderHandle,
}

impl Ship {
    pub(crate) fn new(body: RigidBodyHandle, collider: ColliderHandle) -> Self {
        Self {
            track: Track::new(Vec2::ZERO),
            vel: Vec2::ZERO,
            heading: Track::new(Vec2::Y),
            hull: SHIP_HULL,
            heat: 0.0,
            overheated: false,
            boosting: false,
            warp_t: 0.0,
            stats: Stats::BASE,
            base: Some(Stats::BASE),
            invulnerable: TickTimer::default(),
            body,
            collider,
        }
    }

    /// Returns the position in metres as of the last tick.
    pub const fn pos(&self) -> Vec2 {
        self.track.current()
    }

    /// Returns the position to draw at, `alpha` of the way between the last two ticks.
    pub fn at(&self, alpha: f64) -> Vec2 {
        self.track.at(alpha)
    }

    pub(crate) fn repair(&mut self, hull: f32) {
        self.hull = (self.hull + hull).min(self.stats.hull_full);
    }

    /// Returns the direction that the ship points in: a unit vector.
    pub const fn heading(&self) -> Vec2 {
        self.heading.current()
    }

    /// Returns the direction to draw the ship in, `alpha` of the way between the last two ticks.
    pub fn heading_at(&self, alpha: f64) -> Vec2 {
        unit_or(self.heading.at(alpha), self.heading())
    }
}

/// Damages the ship, and asks the host for the hit-freeze and the flash, which run in wall time.
pub(crate) fn hurt(state: &mut State, damage: f32, signals: &mut Signals) {
    let ship = &mut state.ship;
    if state.phase != Phase::Playing || ship.invulnerable.is_running() || state.run.sandbox {
        return;
    }
    let overtime = 1.0 + state.mission.overtime_elapsed as f32 * SIM_DT * OVERTIME_DAMAGE;
    let sector = 1.0 + SECTOR_DAMAGE * state.run.sector.saturating_sub(1) as f32;
    let damage = damage * ship.stats.damage_taken * overtime * sector * state.run.difficulty.numbers().damage;
    ship.invulnerable = TickTimer::start(INVULNERABLE);
    state.camera.shake(0.55);
    signals.push(Signal::Hurt { at: ship.pos(), damage });
    signals.push(Signal::HitFreeze { wall_ms: HIT_FREEZE_MS });
    signals.push(Signal::InvertScreen { wall_ms: INVERT_MS });
    drain(state, damage, signals);
}

/// Drains hull points without the effects of a hit, as outside the ring.
pub(crate) fn drain(state: &mut State, damage: f32, signals: &mut Signals) {
    if state.phase != Phase::Playing || state.run.sandbox {
        return;
    }
    state.ship.hull = (state.ship.hull - damage).max(0.0);
    if state.ship.hull <= 0.0 {
        signals.push(Signal::Died { at: state.ship.pos() });
        state.enter(Phase::Dead);
    }
}
