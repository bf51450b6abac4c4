//! Phases of a run and their transitions.

use serde::{Deserialize, Serialize};

use crate::signals::{Signal, Signals};
use crate::state::{RunDef, State};
use crate::tuning::{AFTERMATH, BIRTH};

/// The phase of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Phase {
    /// No run is active; nothing ticks.
    Menu,
    /// The ship arrives: it can fly, but no enemy spawns and the mission timer does not run.
    Birth,
    /// Normal play.
    Playing,
    /// The ship reached a new level, and the world holds still until the player has chosen an upgrade. Clock and camera
    /// continue.
    Choosing,
    /// The ship is destroyed. Physics stops; clock, modifiers and camera continue.
    Dead,
    /// The ship flew through the portal. Physics stops; clock, modifiers and camera continue.
    Won,
}

impl Phase {
    /// Returns whether movement and physics run: while playing and at birth.
    pub const fn has_physics(self) -> bool {
        matches!(self, Self::Playing | Self::Birth)
    }

    /// Returns whether the run is over.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Dead | Self::Won)
    }
}

/// Ends the birth phase, and starts the next run when the player confirms after the end of one.
pub(crate) fn tick(state: &mut State, signals: &mut Signals) {
    state.phase_ticks = state.phase_ticks.saturating_add(1);
    match state.phase {
        Phase::Birth if state.phase_ticks >= BIRTH => {
            signals.push(Signal::Born { at: state.ship.pos() });
            state.enter(Phase::Playing);
        }
        Phase::Dead | Phase::Won if state.phase_ticks >= AFTERMATH && state.controls.confirm => {
            let run = next_run(state);
            if state.phase == Phase::Won {
                state.advance(run);
            } else {
                state.restart(run);
            }
            state.enter(Phase::Birth);
            signals.clear();
            signals.push(Signal::RunStarted { sector: run.sector });
        }
        _ => {}
    }
}

/// Returns the next run: the next sector after victory; after death the first, usually with another seed.
fn next_run(state: &mut State) -> RunDef {
    let run = state.run;
    if state.phase == Phase::Won {
        return RunDef { sector: run.sector.saturating_add(1), ..run };
    }
    let seed = if run.repeats { run.seed } else { state.rng.seed() };
    RunDef { seed, sector: 1, ..run }
}
