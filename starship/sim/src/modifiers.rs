//! Modifiers: timed, stacking changes to the ship's stats, recalculated from its base on every tick.

use evenstep::TickTimer;
use serde::{Deserialize, Serialize};

use crate::ship::{Ship, Stats};
use crate::signals::{Signal, Signals};
use crate::tuning::{
    COOLANT_COOLING, JAMMED_FIRE, MAGNET_REACH, MODIFIERS_MAX, OVERDRIVE_THRUST, PLATING_DAMAGE, RAPID_FIRE,
    STACKS_MAX,
};

/// Kinds of modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ModifierKind {
    /// More thrust.
    Overdrive,
    /// Weapons fire faster.
    RapidFire,
    /// Attracts pickups from further away.
    Magnet,
    /// Less damage from hits.
    Plating,
    /// The ship cools faster.
    Coolant,
    /// Weapons fire slower. Caused by enemy shots.
    Jammed,
}

impl ModifierKind {
    /// All kinds, beneficial ones first.
    pub const ALL: [Self; 6] =
        [Self::Overdrive, Self::RapidFire, Self::Magnet, Self::Plating, Self::Coolant, Self::Jammed];
    /// Number of beneficial kinds.
    pub(crate) const GOOD: u32 = 5;
}

/// An active modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Modifier {
    /// Kind of modifier.
    pub kind: ModifierKind,
    /// Runs until the modifier ends.
    #[serde(with = "crate::track::tick_timer")]
    pub timer: TickTimer,
}

/// All active modifiers, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Modifiers {
    active: Vec<Modifier>,
}

impl Modifiers {
    pub(crate) fn reserve(&mut self) {
        self.active.reserve_exact(MODIFIERS_MAX as usize);
    }

    /// Returns the active modifiers, oldest first.
    pub fn active(&self) -> &[Modifier] {
        &self.active
    }

    /// Counts the active modifiers of a kind.
    pub fn stacks(&self, kind: ModifierKind) -> u32 {
        self.active.iter().filter(|modifier| modifier.kind == kind).count() as u32
    }

    /// Adds a modifier. Replaces the oldest of its kind if the maximum is active.
    pub fn add(&mut self, kind: ModifierKind, ticks: u32) {
        if self.stacks(kind) >= STACKS_MAX || self.active.len() >= MODIFIERS_MAX as usize {
            let Some(oldest) = self.active.iter().position(|modifier| modifier.kind == kind) else {
                return;
            };
            self.active.remove(oldest);
        }
        self.active.push(Modifier { kind, timer: TickTimer::start(ticks) });
    }

    pub(crate) fn tick(&mut self, signals: &mut Signals) {
        self.active.retain_mut(|modifier| {
            modifier.timer.tick();
            if !modifier.timer.is_running() {
                signals.push(Signal::ModifierEnded { kind: modifier.kind });
            }
            modifier.timer.is_running()
        });
    }

    /// Recalculates the ship's stats from its base, if it has one, so that errors cannot accumulate.
    pub(crate) fn recalc(&self, ship: &mut Ship) {
        let Some(base) = ship.base else {
            return;
        };
        let mut stats = base;
        for modifier in &self.active {
            change(&mut stats, modifier.kind, &base);
        }
        ship.stats = stats;
    }
}

fn change(stats: &mut Stats, kind: ModifierKind, base: &Stats) {
    match kind {
        ModifierKind::Overdrive => stats.thrust += base.thrust * OVERDRIVE_THRUST,
        ModifierKind::RapidFire => stats.fire_rate += base.fire_rate * RAPID_FIRE,
        ModifierKind::Magnet => stats.magnet += base.magnet * MAGNET_REACH,
        ModifierKind::Plating => stats.damage_taken *= PLATING_DAMAGE,
        ModifierKind::Coolant => stats.cooling += base.cooling * COOLANT_COOLING,
        ModifierKind::Jammed => stats.fire_rate *= JAMMED_FIRE,
    }
}
