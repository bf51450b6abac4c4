//! Signals: events of a tick, for sound, shake, particles and telemetry, and requests to the host.

use serde::{Deserialize, Serialize};

use crate::enemies::EnemyKind;
use crate::math::Vec2;
use crate::modifiers::ModifierKind;
use crate::pickups::PickupKind;
use crate::upgrades::Upgrade;
use crate::weapons::WeaponKind;

/// An event of a tick.
///
/// Signals never affect the simulation. Two of them are requests to the host: [`Signal::HitFreeze`] and
/// [`Signal::InvertScreen`] run in wall time, which a tick does not know.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say where, what and how much; each variant says when")]
pub enum Signal {
    /// A run began.
    RunStarted { sector: u32 },
    /// The ship has arrived and the mission timer starts.
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
    /// An enemy was killed.
    EnemyKilled { kind: EnemyKind, at: Vec2 },
    /// Something exploded.
    Exploded { at: Vec2, radius: f32 },
    /// The ship lost hull points.
    Hurt { at: Vec2, damage: f32 },
    /// Asks the host to freeze the simulation for this much wall time.
    HitFreeze { wall_ms: u16 },
    /// Asks the host to invert the screen for this much wall time.
    InvertScreen { wall_ms: u16 },
    /// A pickup was collected.
    PickedUp { kind: PickupKind, at: Vec2 },
    /// A modifier ended.
    ModifierEnded { kind: ModifierKind },
    /// The ship reached a new level, and a choice of upgrades opened.
    LevelUp { level: u32 },
    /// The player chose an upgrade, which now has this level.
    Upgraded { upgrade: Upgrade, level: u32 },
    /// A crate broke.
    CrateBroken { at: Vec2 },
    /// The ship entered a warp puddle.
    WarpEntered { at: Vec2 },
    /// The ship left a warp puddle.
    WarpLeft { at: Vec2 },
    /// The ship is too hot to boost.
    Overheated,
    /// The ship has cooled down and can boost again.
    Cooled,
    /// A wave of enemies spawned.
    Wave { number: u32 },
    /// The boss arrived.
    BossArrived { at: Vec2 },
    /// The boss entered a new phase, in slow motion.
    BossPhase { phase: u32, at: Vec2 },
    /// The boss was defeated.
    BossDefeated { at: Vec2 },
    /// The boss room opened: the ring closes and the mission timer stops.
    BossRoomOpened { at: Vec2 },
    /// The portal opened.
    PortalOpened { at: Vec2 },
    /// The mission timer ran out.
    OvertimeBegan,
    /// The ship was destroyed.
    Died { at: Vec2 },
    /// The ship flew through the portal.
    Won { at: Vec2 },
}

impl Signal {
    /// Returns whether a tick may emit any number of these: only effects depend on them.
    const fn comes_in_crowds(self) -> bool {
        matches!(
            self,
            Self::Fired { .. }
                | Self::EnemyFired { .. }
                | Self::ChargeWarning { .. }
                | Self::FuseLit { .. }
                | Self::Hit { .. }
                | Self::EnemyKilled { .. }
                | Self::Exploded { .. }
                | Self::PickedUp { .. }
                | Self::CrateBroken { .. }
        )
    }
}

/// Maximum signals of one tick.
const TICK_MAX: usize = 256;
/// Maximum signals that a host may leave unhandled.
const LOG_MAX: usize = 4_096;
/// Places that crowds of hits, shots and explosions leave free: what the loop carries out must always fit.
const RESERVED: usize = 32;

/// The signals of one tick, or of all ticks since the host last cleared them. Bounded; the rest is counted.
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
        let most = if signal.comes_in_crowds() { self.most - RESERVED } else { self.most };
        if self.log.len() < most {
            self.log.push(signal);
        } else {
            self.refused = self.refused.saturating_add(1);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.log.clear();
        self.refused = 0;
    }

    pub(crate) fn append(&mut self, tick: &Self) {
        tick.iter().for_each(|&signal| self.push(signal));
        self.refused = self.refused.saturating_add(tick.refused);
    }

    /// Iterates over the signals in the order in which they occurred.
    pub fn iter(&self) -> core::slice::Iter<'_, Signal> {
        self.log.iter()
    }

    /// Returns the number of signals.
    pub fn len(&self) -> usize {
        self.log.len()
    }

    /// Returns whether there are no signals.
    pub fn is_empty(&self) -> bool {
        self.log.is_empty()
    }

    /// Returns how many signals were dropped because the log was full, since it was last cleared.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_of_hits_never_displaces_what_the_loop_carries_out() {
        let mut tick = Signals::of_a_tick();
        for _ in 0..1_000 {
            tick.push(Signal::Hit { at: Vec2::ZERO, damage: 1.0 });
        }
        for signal in [Signal::HitFreeze { wall_ms: 70 }, Signal::InvertScreen { wall_ms: 70 }] {
            tick.push(signal);
            assert!(tick.iter().any(|&seen| seen == signal));
        }
        let mut frames = Signals::of_frames();
        frames.append(&tick);
        tick.clear();
        frames.append(&tick);
        assert_eq!(frames.refused(), 1_000 - (TICK_MAX - RESERVED) as u32, "each refusal counts once");
    }
}
