//! The mission timer and overtime.

use evenstep::TickTimer;
use serde::{Deserialize, Serialize};

use crate::phases::Phase;
use crate::signals::{Signal, Signals};
use crate::state::State;
use crate::tuning::MISSION;

/// The mission timer and overtime. Counted in ticks, so there is no rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mission {
    /// Runs until overtime.
    #[serde(with = "crate::track::tick_timer")]
    pub timer: TickTimer,
    /// Whether the timer has run out.
    pub overtime: bool,
    /// Ticks spent in overtime.
    pub overtime_elapsed: u32,
}

impl Default for Mission {
    fn default() -> Self {
        Self { timer: TickTimer::start(MISSION), overtime: false, overtime_elapsed: 0 }
    }
}

/// Runs the timer while playing, except in overtime, in a sandbox or in the boss room.
pub(crate) fn tick(state: &mut State, signals: &mut Signals) {
    if state.phase != Phase::Playing {
        return;
    }
    let mission = &mut state.mission;
    if mission.overtime {
        mission.overtime_elapsed = mission.overtime_elapsed.saturating_add(1);
    } else if !state.run.sandbox && state.boss_room.is_none() {
        mission.timer.tick();
        if !mission.timer.is_running() {
            mission.overtime = true;
            signals.push(Signal::OvertimeBegan);
        }
    }
}
