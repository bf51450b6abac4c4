//! The simulation and its tick.

use crate::behaviours;
use crate::bodies::{self, Owner};
use crate::boss;
use crate::crates;
use crate::game_master;
use crate::grid::Grid;
use crate::input::{self, Input};
use crate::mission;
use crate::movement;
use crate::phases::{self, Phase};
use crate::pickups;
use crate::probe::{Pass, Probe, pass};
use crate::save::RestoreError;
use crate::shots;
use crate::signals::{Signal, Signals};
use crate::state::{RunDef, State};
use crate::upgrades;
use crate::warp;
use crate::weapons;

/// The simulation: a state and the memory that a tick works in.
///
/// ```
/// use starship_sim::{Input, Phase, RunDef, Sim};
///
/// let mut sim = Sim::new(RunDef::seeded(1));
/// sim.start_new_game(RunDef::seeded(1));
/// for _ in 0..60 {
///     sim.tick(Input::default(), &mut ());
/// }
/// assert_eq!(sim.state().phase, Phase::Playing);
/// assert_eq!(sim.state().time(), 1.0);
/// ```
#[derive(Clone, Debug)]
pub struct Sim {
    state: State,
    signals: Signals,
    // Scratch memory, whose contents do not outlive a tick.
    grid: Grid,
    touching: Vec<Owner>,
}

impl Sim {
    /// Creates a simulation in the menu.
    pub fn new(run: RunDef) -> Self {
        Self::from_state(State::new(run))
    }

    /// Creates a simulation that continues from a state.
    pub fn from_state(state: State) -> Self {
        Self { state, signals: Signals::of_a_tick(), grid: Grid::new(), touching: Vec::with_capacity(64) }
    }

    /// Creates a simulation that continues from a saved game.
    ///
    /// # Errors
    ///
    /// If [`State::restore`] fails.
    pub fn restore(bytes: &[u8]) -> Result<Self, RestoreError> {
        State::restore(bytes).map(Self::from_state)
    }

    /// Returns the state as of the last tick.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Continues from another state, in the same scratch memory.
    pub(crate) fn replace_state(&mut self, state: State) {
        self.state = state;
        self.signals.clear();
    }

    #[cfg(feature = "testing")]
    pub(crate) const fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    /// Returns the signals of the last tick.
    pub const fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Starts a run: resets state, entities, modifiers, signals and clock, and enters the playing phase.
    pub fn start_new_game(&mut self, run: RunDef) {
        self.state.restart(run);
        self.state.enter(Phase::Playing);
        self.signals.clear();
        self.signals.push(Signal::RunStarted { sector: run.sector });
    }

    /// Starts a run like [`Sim::start_new_game`], but in the birth phase, in which the ship arrives.
    pub fn launch(&mut self, run: RunDef) {
        self.start_new_game(run);
        self.state.enter(Phase::Birth);
    }

    /// Counts runs that were launched and left without a single tick.
    pub(crate) const fn skip_runs(&mut self, runs: u32) {
        self.state.runs = self.state.runs.wrapping_add(runs);
    }

    /// Opens the menu. Nothing ticks until another run starts.
    pub fn open_menu(&mut self) {
        self.state.enter(Phase::Menu);
    }

    /// Drops the pending fraction of a physics step, for a loop that dropped time. Has no effect in lockstep.
    pub fn reset_physics_accumulator(&mut self) {
        self.state.physics.reset_accumulator();
    }

    /// Advances the simulation by exactly 1/60 s. The result depends only on the state and the input.
    pub fn tick(&mut self, input: Input, probe: &mut impl Probe) {
        let Self { state, signals, grid, touching } = self;
        signals.clear();
        if state.phase == Phase::Menu {
            return;
        }
        probe.begin(Pass::Tick);

        // The eight parts of a step.
        pass(probe, Pass::Clock, || state.clock.advance_sim_step());
        pass(probe, Pass::Input, || input::tick(state, input));
        if state.phase.has_physics() {
            pass(probe, Pass::Movement, || movement::tick(state, signals));
            pass(probe, Pass::Physics, || bodies::step(state));
            pass(probe, Pass::Sync, || {
                bodies::sync_ship(state);
                bodies::sync_others(state);
            });
        } else {
            pass(probe, Pass::Sync, || bodies::stand_still(state));
        }
        // Nothing may run out while the player chooses.
        if state.phase != Phase::Choosing {
            pass(probe, Pass::Modifiers, || {
                state.modifiers.tick(signals);
                state.modifiers.recalc(&mut state.ship);
            });
            pass(probe, Pass::Warp, || {
                warp::tick(&state.puddles, &mut state.ship, signals);
            });
        }
        pass(probe, Pass::Camera, || state.camera.tick(&state.ship));
        pass(probe, Pass::Mission, || mission::tick(state, signals));
        if state.phase != Phase::Choosing {
            pass(probe, Pass::Time, || state.time_ticks += 1);
        }

        // The original Starship loop runs these once per frame with `dt = steps * SIM_DT`: the same rate on every
        // display.
        if state.phase == Phase::Playing {
            pass(probe, Pass::GameMaster, || game_master::tick(state, signals));
        }
        if state.phase.has_physics() {
            pass(probe, Pass::Weapons, || weapons::tick(state, signals));
            pass(probe, Pass::Shots, || shots::tick(state, grid, signals));
            pass(probe, Pass::Enemies, || {
                behaviours::tick(state, touching, signals);
            });
        }
        pass(probe, Pass::Boss, || boss::tick(state, signals));
        if state.phase.has_physics() {
            pass(probe, Pass::Pickups, || pickups::tick(state, signals));
            pass(probe, Pass::Crates, || crates::tick(state));
        }
        pass(probe, Pass::Upgrades, || upgrades::tick(state, signals));
        pass(probe, Pass::Phases, || phases::tick(state, signals));
        probe.end(Pass::Tick);
    }
}
