//! Pickups: experience, repairs and modifiers, attracted by the ship's magnet.

use evenstep::TickTimer;
use serde::{Deserialize, Serialize};

use crate::math::{Vec2, at_most, inside_arena, unit_or};
use crate::modifiers::ModifierKind;
use crate::signals::{Signal, Signals};
use crate::state::State;
use crate::track::Track;
use crate::tuning::{DROPS, MAGNET_PULL, MODIFIER_LASTS, PICKUP_LASTS, PICKUP_REACH, REPAIR, SIM_DT, XP};

/// Kinds of pickups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PickupKind {
    /// Experience.
    Xp(u32),
    /// Hull points.
    Repair,
    /// A temporary modifier.
    Modifier(ModifierKind),
}

/// A pickup in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pickup {
    /// Kind of pickup.
    pub kind: PickupKind,
    pub(crate) track: Track,
    /// Velocity in metres per second.
    pub vel: Vec2,
    /// Runs until the pickup disappears.
    #[serde(with = "crate::track::tick_timer")]
    pub timer: TickTimer,
}

impl Pickup {
    /// Returns the position in metres as of the last tick.
    pub const fn pos(&self) -> Vec2 {
        self.track.current()
    }

    /// Returns the position to draw at, `alpha` of the way between the last two ticks.
    pub fn at(&self, alpha: f64) -> Vec2 {
        self.track.at(alpha)
    }
}

/// Kills, score, level and experience.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Enemies killed.
    pub kills: u32,
    /// Score.
    pub score: u64,
    /// The ship's level, from 0.
    pub level: u32,
    /// Experience towards the next level.
    pub xp: u32,
}

impl Progress {
    /// Returns the experience needed for the next level.
    pub const fn xp_needed(&self) -> u32 {
        XP.0 + XP.1 * self.level
    }
}

pub(crate) fn tick(state: &mut State, signals: &mut Signals) {
    let ship = state.ship.pos();
    let magnet = state.ship.stats.magnet;
    for place in 0..state.pickups.places() {
        let Some(id) = state.pickups.id_at(place) else {
            continue;
        };
        let Some(pickup) = state.pickups.get_mut(id) else {
            continue;
        };
        pickup.timer.tick();
        let to_ship = ship - pickup.pos();
        let apart = to_ship.length();
        pickup.vel = if apart < magnet {
            at_most(pickup.vel * 0.92 + unit_or(to_ship, Vec2::Y) * MAGNET_PULL * SIM_DT, 34.0)
        } else {
            pickup.vel * 0.94
        };
        pickup.track.advance(pickup.pos() + pickup.vel * SIM_DT);
        let kind = pickup.kind;
        let at = pickup.pos();
        let is_gone = !pickup.timer.is_running();
        if apart < PICKUP_REACH {
            state.pickups.remove(id);
            signals.push(Signal::PickedUp { kind, at });
            collect(state, kind);
        } else if is_gone {
            state.pickups.remove(id);
        }
    }
}

fn collect(state: &mut State, kind: PickupKind) {
    match kind {
        PickupKind::Xp(xp) => {
            state.progress.xp = state.progress.xp.saturating_add(xp);
            state.progress.score += u64::from(xp);
        }
        PickupKind::Repair => state.ship.repair(REPAIR),
        PickupKind::Modifier(kind) => state.modifiers.add(kind, MODIFIER_LASTS),
    }
}

/// Drops what an enemy leaves: experience, and sometimes a repair or a modifier.
pub(crate) fn drop_from_enemy(state: &mut State, at: Vec2, xp: u32) {
    if xp == 0 {
        return;
    }
    scatter(state, PickupKind::Xp(xp), at);
    let roll = state.rng.unit();
    if roll < DROPS.0 {
        scatter(state, PickupKind::Repair, at);
    } else if roll < DROPS.0 + DROPS.1 {
        let kind = any_good(state);
        scatter(state, kind, at);
    }
}

/// Drops the contents of a crate.
pub(crate) fn drop_from_crate(state: &mut State, at: Vec2, count: u32) {
    for n in 0..count {
        let kind = match (n, state.rng.below(10)) {
            (0, 0..=3) => PickupKind::Repair,
            (0, _) => any_good(state),
            _ => PickupKind::Xp(2),
        };
        scatter(state, kind, at);
    }
}

fn any_good(state: &mut State) -> PickupKind {
    PickupKind::Modifier(ModifierKind::ALL[state.rng.below(ModifierKind::GOOD) as usize])
}

fn scatter(state: &mut State, kind: PickupKind, at: Vec2) {
    let vel = state.rng.direction() * state.rng.between(1.0, 4.0);
    let track = Track::new(inside_arena(at, 1.5));
    state.pickups.insert(Pickup { kind, track, vel, timer: TickTimer::start(PICKUP_LASTS) });
}
