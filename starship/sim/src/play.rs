//! A game in progress: the simulation, and what its ticks and its player ask of the loop around it.

use core::fmt;
use core::time::Duration;
use std::vec::Drain;

use evenstep::{Command, DropReason, Frame, Gate, Reset, WallTimer};

use crate::commands::Commands;
use crate::input::Input;
use crate::phases::Phase;
use crate::probe::{Pass, Probe};
use crate::replay::Turn;
use crate::signals::{Signal, Signals};
use crate::state::{RunDef, State};
use crate::tick::Sim;

/// Identifies a run for telemetry. Every run gets a new id.
///
/// ```
/// use starship_sim::{Play, RunDef};
///
/// let mut play = Play::in_menu();
/// play.launch(RunDef::seeded(1), None);
/// let first = play.run_id();
/// play.launch(RunDef::seeded(1), None);
/// assert_ne!(first, play.run_id());
/// assert_eq!(play.run_id().to_string(), "0000000000000000-2");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RunId {
    /// Session number, chosen by the host. It should be unique.
    pub session: u64,
    /// Number of runs started in the session.
    pub run: u32,
}

impl fmt::Display for RunId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:016x}-{}", self.session, self.run)
    }
}

/// A game in progress, driven by the owner of a pacer: a window, a page or a test.
///
/// A tick does not know wall time. It emits signals instead, and this type turns them into [commands](Self::commands) for
/// the pacer: hit-freeze, slow motion, level speed and new runs. The player's speed, pause and menu become commands as
/// well. All of these change when ticks run, and none of them changes what a tick does.
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Pacer, Pacing};
/// use starship_sim::{Autopilot, Play, RunDef};
///
/// let mut pacer = Pacer::new(Pacing::hz(60));
/// let mut play = Play::launching(RunDef::seeded(7));
/// for millis in [0, 50, 100] {
///     let frame = pacer.frame(Duration::from_millis(millis));
///     for _tick in frame.ticks() {
///         play.tick(Autopilot.input(play.state()), &mut ());
///     }
///     play.end_frame(&frame, &mut ());
///     play.commands().for_each(|command| pacer.tell(command));
/// }
/// assert_eq!(pacer.tick(), play.state().clock.tick());
/// ```
#[derive(Clone, Debug)]
pub struct Play {
    sim: Sim,
    is_paused: bool,
    is_demo: bool,
    speed: f64,
    invert: WallTimer,
    run_id: RunId,
    // Signals of all ticks since the host last cleared them.
    signals: Signals,
    asked: Asked,
    is_in_frame: bool,
    commands: Commands,
}

/// What the ticks of a frame requested, which becomes commands at the end of the frame.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    run_started: bool,
    freeze: Option<Duration>,
    invert: Option<Duration>,
    // The simulation was replaced, so the pacer counts other ticks than the frame.
    has_jumped: bool,
}

/// Starting runs.
impl Play {
    /// Creates a game in the menu.
    pub fn in_menu() -> Self {
        let mut play = Self::new();
        play.follow_state();
        play
    }

    /// Creates a game whose run begins with the first frame, in the birth phase.
    pub fn launching(run: RunDef) -> Self {
        let mut play = Self::new();
        play.sim.launch(run);
        play.signals.append(play.sim.signals());
        play.asked.run_started = true;
        play
    }

    fn new() -> Self {
        Self {
            sim: Sim::new(RunDef::seeded(0)),
            is_paused: false,
            is_demo: false,
            speed: 1.0,
            invert: WallTimer::default(),
            run_id: RunId::default(),
            signals: Signals::of_frames(),
            asked: Asked::default(),
            is_in_frame: false,
            commands: Commands::new(),
        }
    }

    /// Sets the speed from the first run onwards.
    pub fn with_speed(mut self, speed: f64) -> Self {
        self.speed = valid_speed(speed);
        self
    }

    /// Starts a run: resets the state, the pacer's clocks and all timers, and assigns a new run id.
    ///
    /// The next frame is measured against `last_frame`, or starts the clock.
    pub fn start_new_game(&mut self, run: RunDef, last_frame: impl Into<Option<Duration>>) {
        self.sim.start_new_game(run);
        self.begin_anew(last_frame.into());
    }

    /// Starts a run like [`start_new_game`](Self::start_new_game), but in the birth phase, in which the ship arrives.
    pub fn launch(&mut self, run: RunDef, last_frame: impl Into<Option<Duration>>) {
        self.sim.launch(run);
        self.begin_anew(last_frame.into());
    }

    /// Continues from a state, from the tick that it had reached.
    pub fn resume_from(&mut self, state: State, last_frame: impl Into<Option<Duration>>) {
        self.sim = Sim::from_state(state);
        self.begin_anew(last_frame.into());
    }

    /// Opens the menu, which stops the game.
    pub fn open_menu(&mut self) {
        self.sim.open_menu();
        self.follow_state();
    }

    /// Begins a run for the host and discards everything from the previous one.
    fn begin_anew(&mut self, last_frame: Option<Duration>) {
        self.signals.clear();
        self.signals.append(self.sim.signals());
        self.asked = Asked { has_jumped: true, ..Asked::default() };
        self.is_paused = false;
        self.invert = WallTimer::default();
        self.begin_run(last_frame);
    }

    /// Resets the pacer for a new run. Its tick count is the run's, since the frame may already have run some ticks of
    /// it.
    fn begin_run(&mut self, last_frame: Option<Duration>) {
        self.run_id.run = self.run_id.run.wrapping_add(1);
        self.commands.begin_run(last_frame);
        self.tell_tick();
        self.commands.set_speed(self.speed);
        self.follow_state();
    }
}

/// Frames and ticks.
impl Play {
    /// Runs one tick of a frame.
    pub fn tick(&mut self, input: Input, probe: &mut impl Probe) {
        self.enter_frame(probe);
        self.sim.tick(input, probe);
        self.collect_requests();
    }

    /// Runs one tick of a recording, which may launch a run first.
    pub fn turn(&mut self, turn: &Turn, probe: &mut impl Probe) {
        if turn.launch.is_some() {
            self.sim.begin(turn);
            self.collect_requests();
        }
        self.tick(turn.input, probe);
    }

    /// Changes the simulation between frames, by seeking in a recording or rewinding: nothing that it requested before
    /// applies any more. Pause and speed stay as they are.
    pub fn jump<R>(&mut self, jump: impl FnOnce(&mut Sim) -> R) -> R {
        let result = jump(&mut self.sim);
        self.signals.clear();
        self.asked = Asked { has_jumped: true, ..Asked::default() };
        self.invert = WallTimer::default();
        self.tell_tick();
        self.follow_state();
        result
    }

    /// Ends a frame after its ticks: advances wall timers, and turns what the ticks requested into commands.
    pub fn end_frame(&mut self, frame: &Frame, probe: &mut impl Probe) {
        self.enter_frame(probe);
        self.invert.advance(frame);
        let lost = [DropReason::Stall, DropReason::Cap, DropReason::Budget];
        if lost.iter().any(|&reason| !frame.dropped_by(reason).is_zero()) {
            self.sim.reset_physics_accumulator();
        }
        let asked = core::mem::take(&mut self.asked);
        if asked.run_started {
            self.begin_run(Some(frame.now()));
        } else if asked.has_jumped || frame.ticks().end != self.sim.state().clock.tick() {
            // A run may also have started, or the menu opened, between the frame's ticks.
            self.tell_tick();
        }
        if let Some(wall_time) = asked.invert {
            self.invert = WallTimer::start(wall_time);
        }
        if let Some(wall_time) = asked.freeze {
            self.commands.push(Command::HitFreeze(wall_time));
        }
        self.follow_state();
        self.is_in_frame = false;
        probe.end(Pass::Frame);
    }

    /// Takes what the pacer must be told before the next frame, in this order. Call it at the end of every frame, and
    /// after changing the game between frames.
    pub fn commands(&mut self) -> Drain<'_, Command> {
        self.commands.take()
    }

    /// The pass of a frame begins with its first tick, or with its end if it has none.
    fn enter_frame(&mut self, probe: &mut impl Probe) {
        if !core::mem::replace(&mut self.is_in_frame, true) {
            probe.begin(Pass::Frame);
        }
    }

    /// Remembers what the simulation requests.
    fn collect_requests(&mut self) {
        for &signal in self.sim.signals() {
            match signal {
                // Requests of the previous run do not apply to the new one.
                Signal::RunStarted { .. } => {
                    self.asked = Asked { run_started: true, ..Asked::default() };
                    self.invert = WallTimer::default();
                }
                Signal::HitFreeze { wall_ms } if !self.is_demo => {
                    let freeze = Duration::from_millis(wall_ms.into());
                    self.asked.freeze = self.asked.freeze.max(Some(freeze));
                }
                Signal::InvertScreen { wall_ms } if !self.is_demo => {
                    self.asked.invert = Some(Duration::from_millis(wall_ms.into()));
                }
                _ => {}
            }
        }
        self.signals.append(self.sim.signals());
    }

    fn tell_tick(&mut self) {
        self.commands.push(Command::Tick(self.sim.state().clock.tick()));
    }

    /// Tells the pacer how the gate and the channels of speed have changed.
    fn follow_state(&mut self) {
        let state = self.sim.state();
        self.commands.set_gate(match state.phase {
            Phase::Menu => Gate::Menu,
            _ if self.is_paused => Gate::Paused,
            _ => Gate::Open,
        });
        self.commands.set_level_speed(f64::from(state.level_speed()));
        self.commands.set_juice(f64::from(state.juice.dilation));
    }
}

/// Pause, speed and other settings.
impl Play {
    /// Pauses the game. The UI clock and wall timers continue, and [`step_by_hand`](Self::step_by_hand) runs single ticks.
    pub fn pause(&mut self) {
        self.is_paused = true;
        self.follow_state();
    }

    /// Resumes the game after a pause.
    pub fn unpause(&mut self) {
        self.is_paused = false;
        self.follow_state();
    }

    /// Returns whether the game is paused.
    pub const fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Runs one tick on the next frame of a paused game.
    pub fn step_by_hand(&mut self) {
        if self.is_paused {
            self.commands.push(Command::StepByHand(1));
        }
    }

    /// Sets the speed of the game. Replaces slow motion, and persists across hit-freezes and runs.
    pub fn set_speed(&mut self, speed: f64) {
        self.speed = valid_speed(speed);
        self.commands.set_speed(self.speed);
    }

    /// Returns the speed of the game.
    pub const fn speed(&self) -> f64 {
        self.speed
    }

    /// Turns demo mode on or off. In a demo, as behind the title screen, hits neither freeze the game nor flash.
    pub const fn set_demo(&mut self, is_demo: bool) {
        self.is_demo = is_demo;
    }

    /// Sets the session part of run ids.
    pub const fn set_session(&mut self, session: u64) {
        self.run_id.session = session;
    }

    /// Resets the frame timing and nothing else: the next frame is measured against `last_frame`, or starts the clock.
    pub fn reset_frame_timing(&mut self, last_frame: impl Into<Option<Duration>>) {
        self.commands.push(Command::Reset { kind: Reset::FrameTiming, last_frame: last_frame.into() });
        self.sim.reset_physics_accumulator();
    }
}

/// Getters.
impl Play {
    /// Returns the state as of the last tick. Draw it at the frame's alpha.
    pub const fn state(&self) -> &State {
        self.sim.state()
    }

    /// Returns the simulation, with the signals of the last tick.
    pub const fn sim(&self) -> &Sim {
        &self.sim
    }

    /// Returns the simulation for modification, so that tests and benchmarks can set up a state.
    #[cfg(feature = "testing")]
    pub const fn sim_mut(&mut self) -> &mut Sim {
        &mut self.sim
    }

    /// Returns whether to invert the screen.
    pub const fn is_inverted(&self) -> bool {
        self.invert.is_running()
    }

    /// Returns the remaining wall time of the inverted flash.
    pub const fn invert_left(&self) -> Duration {
        self.invert.left()
    }

    /// Returns the id of the run, for telemetry.
    pub const fn run_id(&self) -> RunId {
        self.run_id
    }

    /// Returns the signals of all ticks since [`Play::clear_signals`], however many ticks a frame runs.
    pub const fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Clears the signals, once the host has handled them.
    pub fn clear_signals(&mut self) {
        self.signals.clear();
    }
}

/// The fastest that a game can be played at; the pacer's own limit.
const SPEED_MAX: f64 = 1_000_000.0;

/// Zero, negative numbers and NaN mean normal speed.
fn valid_speed(speed: f64) -> f64 {
    if speed > 0.0 { speed.min(SPEED_MAX) } else { 1.0 }
}
