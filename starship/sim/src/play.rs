//! A game in progress: the simulation, and the requests of its ticks to the loop around it.

use core::fmt;
use core::time::Duration;

use evenstep::{Channel, DropReason, Frame, Gate, Pacer, WallTimer};

use crate::input::Input;
use crate::phases::Phase;
use crate::probe::Probe;
use crate::replay::Turn;
use crate::signals::{Signal, Signals};
use crate::state::{RunDef, State};
use crate::tick::Sim;

/// Identifies a run for telemetry. Every run gets a new id.
///
/// ```
/// use core::time::Duration;
/// use starship_sim::{Game, RunDef};
///
/// let mut game = Game::new();
/// game.launch(Duration::ZERO, RunDef::seeded(1));
/// let first = game.run_id();
/// game.launch(Duration::ZERO, RunDef::seeded(1));
/// assert_ne!(first, game.run_id());
/// assert_eq!(game.run_id().to_string(), "0000000000000000-2");
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

/// A game in progress, driven by the owner of the pacer: a window, a page or a test.
///
/// A tick does not know wall time. It emits signals instead, and this type applies them to the pacer between frames:
/// hit-freeze, inverted flash, slow motion, level speed and new runs. It also handles the player's speed, pause and
/// menu. All of these change when ticks run, and none of them changes what a tick does.
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
///     play.end_frame(&frame, &mut pacer);
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
}

/// What the ticks of a frame requested, applied at the end of the frame.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    run_started: bool,
    freeze: Option<Duration>,
    invert: Option<Duration>,
}

/// Starting runs.
impl Play {
    /// Creates a game in the menu.
    pub fn in_menu() -> Self {
        Self {
            sim: Sim::new(RunDef::seeded(0)),
            is_paused: false,
            is_demo: false,
            speed: 1.0,
            invert: WallTimer::default(),
            run_id: RunId::default(),
            signals: Signals::of_frames(),
            asked: Asked::default(),
        }
    }

    /// Creates a game whose run begins with the first frame, in the birth phase.
    pub fn launching(run: RunDef) -> Self {
        let mut play = Self::in_menu();
        play.sim.launch(run);
        play.signals.append(play.sim.signals());
        play.asked.run_started = true;
        play
    }

    /// Sets the speed from the first run onwards.
    pub fn with_speed(mut self, speed: f64) -> Self {
        self.speed = valid_speed(speed);
        self
    }

    /// Starts a run: resets the state, the pacer's clocks and all timers, and assigns a new run id.
    ///
    /// The next frame is measured against `last_frame`, or starts the clock.
    pub fn start_new_game(
        &mut self,
        run: RunDef,
        pacer: &mut Pacer,
        last_frame: impl Into<Option<Duration>>,
    ) {
        self.sim.start_new_game(run);
        self.begin_anew(pacer, last_frame.into());
    }

    /// Starts a run like [`start_new_game`](Self::start_new_game), but in the birth phase, in which the ship arrives.
    pub fn launch(&mut self, run: RunDef, pacer: &mut Pacer, last_frame: impl Into<Option<Duration>>) {
        self.sim.launch(run);
        self.begin_anew(pacer, last_frame.into());
    }

    /// Continues from a state, from the tick that it had reached.
    pub fn resume_from(&mut self, state: State, pacer: &mut Pacer, last_frame: impl Into<Option<Duration>>) {
        self.sim = Sim::from_state(state);
        self.begin_anew(pacer, last_frame.into());
    }

    /// Opens the menu, which stops the game.
    pub fn open_menu(&mut self) {
        self.sim.open_menu();
    }

    /// Begins a run for the host and discards everything from the previous one.
    fn begin_anew(&mut self, pacer: &mut Pacer, last_frame: Option<Duration>) {
        self.signals.clear();
        self.signals.append(self.sim.signals());
        self.asked = Asked::default();
        self.is_paused = false;
        self.invert = WallTimer::default();
        self.begin_run(pacer, last_frame);
    }

    /// Resets the pacer for a new run. Its tick count is the run's, since the frame may already have run some ticks of
    /// it.
    fn begin_run(&mut self, pacer: &mut Pacer, last_frame: Option<Duration>) {
        pacer.reset(last_frame);
        pacer.set_tick(self.sim.state().clock.tick());
        self.run_id.run = self.run_id.run.wrapping_add(1);
        self.set_speed(self.speed, pacer);
        self.apply(pacer);
    }
}

/// Frames and ticks.
impl Play {
    /// Runs one tick of a frame.
    pub fn tick(&mut self, input: Input, probe: &mut impl Probe) {
        self.sim.tick(input, probe);
        self.heed();
    }

    /// Runs one tick of a recording, which may launch a run first.
    pub fn turn(&mut self, turn: &Turn, probe: &mut impl Probe) {
        if turn.launch.is_some() {
            self.sim.begin(turn);
            self.heed();
        }
        self.tick(turn.input, probe);
    }

    /// Changes the simulation between frames, by seeking in a recording or rewinding: nothing that it requested before
    /// applies any more. Pause and speed stay as they are.
    pub fn jump<R>(&mut self, pacer: &mut Pacer, jump: impl FnOnce(&mut Sim) -> R) -> R {
        let result = jump(&mut self.sim);
        self.signals.clear();
        self.asked = Asked::default();
        self.invert = WallTimer::default();
        pacer.set_tick(self.sim.state().clock.tick());
        self.apply(pacer);
        result
    }

    /// Remembers what the simulation requests.
    fn heed(&mut self) {
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

    /// Ends a frame after its ticks: advances wall timers and applies what the ticks requested.
    pub fn end_frame(&mut self, frame: &Frame, pacer: &mut Pacer) {
        self.invert.advance(frame);
        let lost = [DropReason::Stall, DropReason::Cap, DropReason::Budget];
        if lost.iter().any(|&reason| !frame.dropped_by(reason).is_zero()) {
            self.sim.reset_physics_accumulator();
        }
        let asked = core::mem::take(&mut self.asked);
        if asked.run_started {
            self.begin_run(pacer, Some(frame.now()));
        }
        // A run may also have started, or the menu opened, between the frame's ticks.
        let tick = self.sim.state().clock.tick();
        if pacer.tick() != tick {
            pacer.set_tick(tick);
        }
        if let Some(wall_time) = asked.invert {
            self.invert = WallTimer::start(wall_time);
        }
        if let Some(wall_time) = asked.freeze {
            pacer.hit_freeze(wall_time);
        }
        self.apply(pacer);
    }

    /// Updates the pacer's gate and channels. Call this before the next frame after changing pause or menu between
    /// frames.
    pub fn apply(&self, pacer: &mut Pacer) {
        let state = self.sim.state();
        let gate = match state.phase {
            Phase::Menu => Gate::Menu,
            _ if self.is_paused => Gate::Paused,
            _ => Gate::Open,
        };
        if pacer.gate() != gate {
            pacer.set_gate(gate);
        }
        let channels = [
            (Channel::LEVEL_SPEED, f64::from(state.level_speed())),
            (Channel::JUICE, f64::from(state.juice.dilation)),
        ];
        for (channel, scale) in channels {
            if pacer.channel(channel) != scale {
                pacer.set_scale(channel, scale);
            }
        }
    }
}

/// Pause, speed and other settings.
impl Play {
    /// Pauses the game. The UI clock and wall timers continue, and the pacer can run single ticks.
    pub const fn pause(&mut self) {
        self.is_paused = true;
    }

    /// Resumes the game after a pause.
    pub const fn unpause(&mut self) {
        self.is_paused = false;
    }

    /// Returns whether the game is paused.
    pub const fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Sets the speed of the game. Replaces slow motion, and persists across hit-freezes and runs.
    pub fn set_speed(&mut self, speed: f64, pacer: &mut Pacer) {
        self.speed = valid_speed(speed);
        pacer.set_resting_scale(Channel::TIME_DILATION, self.speed);
        pacer.set_scale(Channel::TIME_DILATION, self.speed);
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

    /// Drops the pending fraction of a physics step. Call it when resetting the frame timing.
    pub fn reset_physics_accumulator(&mut self) {
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
