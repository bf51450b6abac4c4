//! Modifiers: timed, stacking changes of the ship's stats, recalculated from its base on every tick.

use evenstep::TickTimer;
use serde::{Deserialize, Serialize};

use crate::ship::{Ship, Stats};
use crate::signals::{Signal, Signals};
use crate::tuning::{
    COOLANT_COOLING, JAMMED_FIRE, MAGNET_REACH, MODIFIERS_MAX, OVERDRIVE_THRUST, PLATING_DAMAGE, RAPID_FIRE,
    STACKS_MAX,
};

/// What a modifier changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ModifierKind {
    /// More thrust.
    Overdrive,
    /// Weapons fire faster.
    RapidFire,
    /// Pickups come from further away.
    Magnet,
    /// Hits hurt less.
    Plating,
    /// The ship cools faster.
    Coolant,
    /// Weapons fire slower: what a gunner's shot does.
    Jammed,
}

impl ModifierKind {
    /// All of them, the good ones first.
    pub const ALL: [Self; 6] =
        [Self::Overdrive, Self::RapidFire, Self::Magnet, Self::Plating, Self::Coolant, Self::Jammed];
    /// How many of them are good.
    pub(crate) const GOOD: u32 = 5;
}

/// One modifier at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Modifier {
    /// What it changes.
    pub kind: ModifierKind,
    /// Runs until the modifier ends.
    #[serde(with = "crate::track::tick_timer")]
    pub timer: TickTimer,
}

/// All modifiers at work, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Modifiers {
    active: Vec<Modifier>,
}

impl Modifiers {
    pub(crate) fn reserve(&mut self) {
        self.active.reserve_exact(MODIFIERS_MAX as usize);
    }

    /// The modifiers at work, oldest first.
    pub fn active(&self) -> &[Modifier] {
        &self.active
    }

    /// How many of a kind are at work.
    pub fn stacks(&self, kind: ModifierKind) -> u32 {
        self.active.iter().filter(|modifier| modifier.kind == kind).count() as u32
    }

    /// Adds a stack. With all stacks of its kind in use the oldest of them starts again.
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

    /// The ship's stats from its base, if it has one. Never from the last result: nothing piles up.
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
