//! Phases of a run, and the way from one to the next.

use serde::{Deserialize, Serialize};

use crate::signals::{Signal, Signals};
use crate::state::{RunDef, State};
use crate::tuning::{AFTERMATH, BIRTH};

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Phase {
    /// No run: nothing ticks.
    Menu,
    /// The ship arrives: it flies, but no enemy comes and no timer runs.
    Birth,
    /// The game.
    Playing,
    /// The ship is lost. Physics stands; clock, modifiers and camera tick on.
    Dead,
    /// The ship flew through the portal. Physics stands as after death.
    Won,
}

impl Phase {
    /// Whether movement and physics run: only while playing and at birth.
    pub const fn has_physics(self) -> bool {
        matches!(self, Self::Playing | Self::Birth)
    }

    /// Whether the run is over.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Dead | Self::Won)
    }
}

/// At the end of a tick: the ship is born; a run that is over starts again when the player confirms.
pub(crate) fn tick(state: &mut State, signals: &mut Signals) {
    state.phase_ticks = state.phase_ticks.saturating_add(1);
    match state.phase {
        Phase::Birth if state.phase_ticks >= BIRTH => {
            signals.push(Signal::Born { at: state.ship.pos() });
            state.enter(Phase::Playing);
        }
        Phase::Dead | Phase::Won if state.phase_ticks >= AFTERMATH && state.controls.confirm => {
            let run = next_run(state);
            state.restart(run);
            state.enter(Phase::Birth);
            signals.clear();
            signals.push(Signal::RunStarted { sector: run.sector });
        }
        _ => {}
    }
}

/// After a victory the next sector, after death the first; another seed, drawn from this run's dice.
fn next_run(state: &mut State) -> RunDef {
    let sector = if state.phase == Phase::Won { state.run.sector + 1 } else { 1 };
    RunDef { seed: state.rng.seed(), sector, ..state.run }
}
