//! A game being played: the simulation, and what its ticks ask of the loop around it. The one place for both.

use core::fmt;
use core::time::Duration;

use evenstep::{Channel, DropReason, Frame, Gate, Pacer, WallTimer};

use crate::input::Input;
use crate::phases::Phase;
use crate::probe::Probe;
use crate::signals::{Signal, Signals};
use crate::state::{RunDef, State};
use crate::tick::Sim;

/// Names a run for telemetry: a fresh one for every run.
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
    /// What the host calls this session: anything, as long as no other session has it.
    pub session: u64,
    /// Runs started in it.
    pub run: u32,
}

impl fmt::Display for RunId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:016x}-{}", self.session, self.run)
    }
}

/// A game being played, by whoever owns the pacer: a window, a page, a test.
///
/// A tick must not know of wall time. What it asks for instead, by signals, is collected here and carried out between
/// frames: hit-freeze and inverted flash, slow motion, level speed, a new run. So are the player's speed, pause and menu.
/// All of these change when ticks come, and none of them what a tick does.
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
    // Signals of all ticks since the host last took them.
    signals: Signals,
    asked: Asked,
}

/// What the ticks of a frame asked for; carried out at its end.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    run_started: bool,
    freeze: Option<Duration>,
    invert: Option<Duration>,
}

/// Runs: how one starts.
impl Play {
    /// A game in the menu.
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

    /// A run that begins with the first frame: the ship arrives.
    pub fn launching(run: RunDef) -> Self {
        let mut play = Self::in_menu();
        play.sim.launch(run);
        play.signals.append(play.sim.signals());
        play.asked.run_started = true;
        play
    }

    /// Plays at this speed from the first run on.
    pub fn with_speed(mut self, speed: f64) -> Self {
        self.speed = if speed > 0.0 { speed } else { 1.0 };
        self
    }

    /// Starts a run: everything in the state, the pacer's clocks and the timers begin anew, and the run gets a fresh id.
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

    /// Starts a run as [`start_new_game`](Self::start_new_game) does, but the ship arrives first: the phase is birth.
    pub fn launch(&mut self, run: RunDef, pacer: &mut Pacer, last_frame: impl Into<Option<Duration>>) {
        self.sim.launch(run);
        self.begin_anew(pacer, last_frame.into());
    }

    /// Continues from a state, at its tick.
    pub fn resume_from(&mut self, state: State, pacer: &mut Pacer, last_frame: impl Into<Option<Duration>>) {
        self.sim = Sim::from_state(state);
        self.begin_anew(pacer, last_frame.into());
    }

    /// Back to the menu: nothing moves.
    pub fn open_menu(&mut self) {
        self.sim.open_menu();
    }

    /// A run that the host starts: nothing is left of what came before.
    fn begin_anew(&mut self, pacer: &mut Pacer, last_frame: Option<Duration>) {
        self.signals.clear();
        self.signals.append(self.sim.signals());
        self.asked = Asked::default();
        self.invert = WallTimer::default();
        self.begin_run(pacer, last_frame);
    }

    /// The loop's side of a new run. The pacer counts the run's own ticks, of which the frame may have run some.
    fn begin_run(&mut self, pacer: &mut Pacer, last_frame: Option<Duration>) {
        pacer.reset(last_frame);
        pacer.set_tick(self.sim.state().clock.tick());
        self.is_paused = false;
        self.run_id.run = self.run_id.run.wrapping_add(1);
        self.set_speed(self.speed, pacer);
        self.apply(pacer);
    }
}

/// Frames.
impl Play {
    /// One tick of the frame's plan.
    pub fn tick(&mut self, input: Input, probe: &mut impl Probe) {
        self.sim.tick(input, probe);
        for &signal in self.sim.signals() {
            match signal {
                // What another run's ticks asked for does not concern this one.
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

    /// After the frame's ticks: wall-time timers move on, and what the ticks asked for acts from the next frame on.
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
        if let Some(wall_time) = asked.invert {
            self.invert = WallTimer::start(wall_time);
        }
        if let Some(wall_time) = asked.freeze {
            pacer.hit_freeze(wall_time);
        }
        self.apply(pacer);
    }

    /// Sets the pacer's gate and channels to what the game says. Hosts that change the pause or the menu between frames call
    /// this before the next.
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

/// Controls of the host and the player.
impl Play {
    /// Pauses the game: the UI and wall timers run on, and single steps are possible.
    pub const fn pause(&mut self) {
        self.is_paused = true;
    }

    /// Resumes the game after a pause.
    pub const fn unpause(&mut self) {
        self.is_paused = false;
    }

    /// Whether the game is paused.
    pub const fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Plays everything faster or slower from now on; it replaces slow motion and outlives hit-freezes and runs.
    pub fn set_speed(&mut self, speed: f64, pacer: &mut Pacer) {
        self.speed = if speed > 0.0 { speed } else { 1.0 };
        pacer.set_resting_scale(Channel::TIME_DILATION, self.speed);
        pacer.set_scale(Channel::TIME_DILATION, self.speed);
    }

    /// The speed that everything plays at.
    pub const fn speed(&self) -> f64 {
        self.speed
    }

    /// Makes the game a demo, as behind a title: hits neither freeze nor flash.
    pub const fn set_demo(&mut self, is_demo: bool) {
        self.is_demo = is_demo;
    }

    /// Names the session that run ids are made of.
    pub const fn set_session(&mut self, session: u64) {
        self.run_id.session = session;
    }

    /// Forgets the fraction of a physics step that waits, as a reset of the frame timing does with that of a tick.
    pub fn reset_physics_accumulator(&mut self) {
        self.sim.reset_physics_accumulator();
    }
}

/// Answers.
impl Play {
    /// The state as of the last tick: what to draw, at the frame's alpha.
    pub const fn state(&self) -> &State {
        self.sim.state()
    }

    /// The simulation as of the last tick, with that tick's signals.
    pub const fn sim(&self) -> &Sim {
        &self.sim
    }

    /// Replaces or changes the simulation, for tests and benches that need a state which play would take long to reach.
    #[cfg(feature = "testing")]
    pub const fn sim_mut(&mut self) -> &mut Sim {
        &mut self.sim
    }

    /// Whether to invert the screen now.
    pub const fn is_inverted(&self) -> bool {
        self.invert.is_running()
    }

    /// What is left of the inverted flash, in wall time.
    pub const fn invert_left(&self) -> Duration {
        self.invert.left()
    }

    /// The run's id for telemetry.
    pub const fn run_id(&self) -> RunId {
        self.run_id
    }

    /// Signals of all ticks since [`Play::clear_signals`]: none is lost when a frame runs several ticks, or none.
    pub const fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Forgets the signals: after the host has played and drawn them.
    pub fn clear_signals(&mut self) {
        self.signals.clear();
    }
}
