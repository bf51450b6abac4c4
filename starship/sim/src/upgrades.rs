//! Upgrades: with each new level the world holds still, and the player takes one of three.

use evenstep::TickTimer;
use serde::{Deserialize, Serialize};

use crate::modifiers::ModifierKind;
use crate::phases::Phase;
use crate::ship::{Ship, Stats};
use crate::signals::{Signal, Signals};
use crate::state::State;
use crate::tuning::{
    BOUNTY, CHOICE_GRACE, CHOICE_WAIT, LEVEL_REPAIR, MODIFIER_LASTS, OFFER_REPAIR, PART_COOLING, PART_DAMAGE,
    PART_FIRE_RATE, PART_HULL, PART_LEVEL_MAX, PART_MAGNET, PART_THRUST, WEAPON_LEVEL_MAX,
};
use crate::weapons::WeaponKind;

/// Permanent parts of the ship. Each level adds the same again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Part {
    /// More hull points.
    Hull,
    /// Less damage from hits.
    Plating,
    /// Weapons fire faster.
    Loader,
    /// More thrust.
    Thrusters,
    /// The ship cools faster.
    Radiator,
    /// Attracts pickups from further away.
    Magnet,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 6] =
        [Self::Hull, Self::Plating, Self::Loader, Self::Thrusters, Self::Radiator, Self::Magnet];
}

/// What a player can take at a new level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Upgrade {
    /// The next level of a weapon; its first level adds the weapon.
    Weapon(WeaponKind),
    /// The next level of a part.
    Part(Part),
    /// Hull points.
    Repair,
    /// One stack of every beneficial modifier.
    Surge,
    /// Points.
    Bounty,
}

impl Upgrade {
    /// All upgrades: the weapons, the parts, and what does not last.
    pub const ALL: [Self; LASTING + OFFERS] = [
        Self::Weapon(WeaponKind::Pulse),
        Self::Weapon(WeaponKind::Scatter),
        Self::Weapon(WeaponKind::Seeker),
        Self::Part(Part::Hull),
        Self::Part(Part::Plating),
        Self::Part(Part::Loader),
        Self::Part(Part::Thrusters),
        Self::Part(Part::Radiator),
        Self::Part(Part::Magnet),
        Self::Repair,
        Self::Surge,
        Self::Bounty,
    ];

    /// Returns the highest level, or `None` for what does not last.
    pub const fn level_max(self) -> Option<u32> {
        match self {
            Self::Weapon(_) => Some(WEAPON_LEVEL_MAX),
            Self::Part(_) => Some(PART_LEVEL_MAX),
            Self::Repair | Self::Surge | Self::Bounty => None,
        }
    }
}

/// Number of upgrades on offer at a new level.
pub const OFFERS: usize = 3;

/// The number of weapons and parts, the first of [`Upgrade::ALL`]. The others are on offer once too few of these can be
/// upgraded.
const LASTING: usize = WeaponKind::ALL.len() + Part::ALL.len();

/// The ship's parts, and the upgrades on offer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Upgrades {
    /// The upgrades to choose from, in the phase [`Phase::Choosing`].
    pub offer: Option<[Upgrade; OFFERS]>,
    pub(crate) parts: [u32; Part::ALL.len()],
}

impl Upgrades {
    /// Returns the level of a part; 0 means that the ship does not have it yet.
    pub const fn level(&self, part: Part) -> u32 {
        self.parts[part as usize]
    }

    /// Gives a ship the stats that it has with these parts.
    pub(crate) fn fit(&self, ship: &mut Ship) {
        // A ship without a base keeps its stats.
        if ship.base.is_none() {
            return;
        }
        let steps = |part| self.level(part) as f32;
        let base = Stats::BASE;
        let damage_taken =
            (0..self.level(Part::Plating)).fold(base.damage_taken, |taken, _| taken * PART_DAMAGE);
        let base = Stats {
            hull_full: base.hull_full + PART_HULL * steps(Part::Hull),
            damage_taken,
            fire_rate: base.fire_rate * (1.0 + PART_FIRE_RATE * steps(Part::Loader)),
            thrust: base.thrust * (1.0 + PART_THRUST * steps(Part::Thrusters)),
            cooling: base.cooling * (1.0 + PART_COOLING * steps(Part::Radiator)),
            magnet: base.magnet * (1.0 + PART_MAGNET * steps(Part::Magnet)),
            ..base
        };
        ship.base = Some(base);
        ship.stats.hull_full = base.hull_full;
    }
}

impl State {
    /// Returns the level of a weapon or part, and 0 for what does not last.
    pub fn level_of(&self, upgrade: Upgrade) -> u32 {
        match upgrade {
            Upgrade::Weapon(kind) => self.weapons[kind as usize].level,
            Upgrade::Part(part) => self.upgrades.level(part),
            Upgrade::Repair | Upgrade::Surge | Upgrade::Bounty => 0,
        }
    }

    fn is_open(&self, upgrade: Upgrade) -> bool {
        upgrade.level_max().is_none_or(|most| self.level_of(upgrade) < most)
    }
}

/// Raises the level once there is enough experience, and then waits for the player's choice.
pub(crate) fn tick(state: &mut State, signals: &mut Signals) {
    match state.phase {
        Phase::Playing if !state.run.sandbox => level_up(state, signals),
        Phase::Choosing => choose(state, signals),
        _ => {}
    }
}

/// One level at a time: experience beyond it counts after the choice.
fn level_up(state: &mut State, signals: &mut Signals) {
    let Some(xp) = state.progress.xp.checked_sub(state.progress.xp_needed()) else {
        return;
    };
    state.progress.xp = xp;
    state.progress.level += 1;
    state.ship.repair(LEVEL_REPAIR);
    signals.push(Signal::LevelUp { level: state.progress.level });
    state.upgrades.offer = Some(draw(state));
    state.enter(Phase::Choosing);
}

/// Draws three different upgrades. The first is a weapon while there is one to upgrade, so that nobody runs out of
/// firepower by bad luck.
fn draw(state: &mut State) -> [Upgrade; OFFERS] {
    let (lasting, passing) = Upgrade::ALL.split_at(LASTING);
    let mut open = Upgrade::ALL;
    let mut count = 0;
    for &upgrade in lasting {
        if state.is_open(upgrade) {
            open[count] = upgrade;
            count += 1;
        }
    }
    let weapons = open[..count].iter().filter(|upgrade| matches!(upgrade, Upgrade::Weapon(_))).count();
    let mut offer = [Upgrade::Bounty; OFFERS];
    offer.copy_from_slice(passing);
    for n in 0..OFFERS.min(count) {
        // Those before `n` are taken. The weapons come first in the list.
        let among = if n == 0 && weapons > 0 { weapons } else { count - n };
        let pick = n + state.rng.below(among as u32) as usize;
        open.swap(n, pick);
        offer[n] = open[n];
    }
    offer
}

/// Takes the chosen upgrade. Not at once, because the player may still be steering.
fn choose(state: &mut State, signals: &mut Signals) {
    let Some(offer) = state.upgrades.offer else {
        state.enter(Phase::Playing);
        return;
    };
    let choice = state.controls.choice.and_then(|choice| offer.get(usize::from(choice)));
    let Some(&upgrade) = choice.filter(|_| state.phase_ticks >= CHOICE_WAIT) else {
        return;
    };
    state.upgrades.offer = None;
    take(state, upgrade);
    signals.push(Signal::Upgraded { upgrade, level: state.level_of(upgrade) });
    // Nobody remembers exactly where everything was.
    if state.ship.invulnerable.left() < CHOICE_GRACE {
        state.ship.invulnerable = TickTimer::start(CHOICE_GRACE);
    }
    state.enter(Phase::Playing);
}

fn take(state: &mut State, upgrade: Upgrade) {
    match upgrade {
        Upgrade::Weapon(kind) => {
            let weapon = &mut state.weapons[kind as usize];
            weapon.level = (weapon.level + 1).min(WEAPON_LEVEL_MAX);
        }
        Upgrade::Part(part) => {
            let level = &mut state.upgrades.parts[part as usize];
            *level = (*level + 1).min(PART_LEVEL_MAX);
            state.upgrades.fit(&mut state.ship);
            if part == Part::Hull {
                state.ship.repair(PART_HULL);
            }
        }
        Upgrade::Repair => state.ship.repair(OFFER_REPAIR),
        Upgrade::Surge => {
            for kind in &ModifierKind::ALL[..ModifierKind::GOOD as usize] {
                state.modifiers.add(*kind, MODIFIER_LASTS);
            }
        }
        Upgrade::Bounty => state.progress.score += BOUNTY,
    }
}
