//! Signals: what happened in a tick, for sound, shake, particles and telemetry, and what it asks of the host.

use serde::{Deserialize, Serialize};

use crate::enemies::EnemyKind;
use crate::math::Vec2;
use crate::modifiers::ModifierKind;
use crate::pickups::PickupKind;
use crate::weapons::WeaponKind;

/// Something that happened in a tick.
///
/// A signal never acts on the simulation. Two of them ask something of the host: [`Signal::HitFreeze`] and
/// [`Signal::InvertScreen`] run in wall time, which a tick does not know.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say where, what and how much; each variant says when")]
pub enum Signal {
    /// A run began.
    RunStarted { sector: u32 },
    /// The ship is there and the mission timer runs.
    Born { at: Vec2 },
    /// One of the ship's weapons fired.
    Fired { weapon: WeaponKind, at: Vec2, along: Vec2 },
    /// An enemy fired.
    EnemyFired { at: Vec2 },
    /// A charger begins to wind up.
    ChargeWarning { at: Vec2 },
    /// A bomber lit its fuse.
    FuseLit { at: Vec2 },
    /// A shot hit an enemy or a crate.
    Hit { at: Vec2, damage: f32 },
    /// An enemy is gone.
    EnemyKilled { kind: EnemyKind, at: Vec2 },
    /// A blast.
    Exploded { at: Vec2, radius: f32 },
    /// The ship lost hull points.
    Hurt { at: Vec2, damage: f32 },
    /// Asks the host to hold the simulation for this much wall time.
    HitFreeze { wall_ms: u16 },
    /// Asks the host to invert the screen for this much wall time.
    InvertScreen { wall_ms: u16 },
    /// A pickup was collected.
    PickedUp { kind: PickupKind, at: Vec2 },
    /// A modifier ended.
    ModifierEnded { kind: ModifierKind },
    /// Enough experience for another level.
    LevelUp { level: u32 },
    /// A weapon got better.
    WeaponUpgraded { weapon: WeaponKind, level: u32 },
    /// A crate broke.
    CrateBroken { at: Vec2 },
    /// The ship entered a warp puddle.
    WarpEntered { at: Vec2 },
    /// The ship left a warp puddle.
    WarpLeft { at: Vec2 },
    /// Too hot to boost.
    Overheated,
    /// Cool enough again.
    Cooled,
    /// A wave of enemies comes.
    Wave { number: u32 },
    /// The Awakened Mech is here.
    BossArrived { at: Vec2 },
    /// The boss entered a phase; slow motion with it.
    BossPhase { phase: u32, at: Vec2 },
    /// The boss is beaten.
    BossDefeated { at: Vec2 },
    /// The boss room is there: the ring closes and the mission timer stands.
    BossRoomOpened { at: Vec2 },
    /// The portal can be flown through.
    PortalOpened { at: Vec2 },
    /// The mission timer ran out.
    OvertimeBegan,
    /// The ship is lost.
    Died { at: Vec2 },
    /// The ship flew through the portal.
    Won { at: Vec2 },
}

/// Most signals of one tick, and most that a host may leave waiting.
const TICK_MAX: usize = 256;
const LOG_MAX: usize = 4_096;

/// The signals of one tick, or of all ticks since the host last took them. Bounded; what does not fit is counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Signals {
    log: Vec<Signal>,
    most: usize,
    refused: u32,
}

impl Signals {
    pub(crate) fn of_a_tick() -> Self {
        Self { log: Vec::with_capacity(TICK_MAX), most: TICK_MAX, refused: 0 }
    }

    pub(crate) fn of_frames() -> Self {
        Self { log: Vec::with_capacity(LOG_MAX), most: LOG_MAX, refused: 0 }
    }

    pub(crate) fn push(&mut self, signal: Signal) {
        if self.log.len() < self.most {
            self.log.push(signal);
        } else {
            self.refused = self.refused.saturating_add(1);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.log.clear();
    }

    pub(crate) fn append(&mut self, tick: &Self) {
        tick.iter().for_each(|&signal| self.push(signal));
        self.refused = self.refused.saturating_add(tick.refused);
    }

    /// In the order in which they happened.
    pub fn iter(&self) -> core::slice::Iter<'_, Signal> {
        self.log.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.log.len()
    }

    /// Whether nothing happened.
    pub fn is_empty(&self) -> bool {
        self.log.is_empty()
    }

    /// How many did not fit, ever.
    pub const fn refused(&self) -> u32 {
        self.refused
    }
}

impl<'a> IntoIterator for &'a Signals {
    type Item = &'a Signal;
    type IntoIter = core::slice::Iter<'a, Signal>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
