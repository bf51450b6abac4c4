//! The loop around the simulation: what a host drives, and the only place where wall time meets the game.

use core::fmt;
use core::time::Duration;

use evenstep::{Channel, DropReason, Frame, Gate, Pacer, Pacing, WallTimer};

use crate::input::Input;
use crate::phases::Phase;
use crate::probe::{Pass, Probe};
use crate::signals::{Signal, Signals};
use crate::state::{RunDef, State};
use crate::tick::Sim;
use crate::tuning::TICK_HZ;

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

/// The game as a host drives it: timestamps in, frames out.
///
/// It owns the pacer and the simulation and carries out between them what the tick itself must not know: hit-freeze and
/// inverted flash in wall time, slow motion, level speed, test speed, pause and menu. All of these change how fast ticks
/// come and none of them what a tick does, so the display, the host and its hiccups never change the game.
///
/// ```
/// use core::time::Duration;
/// use starship_sim::{Autopilot, Game, RunDef};
///
/// let mut game = Game::new();
/// game.launch(Duration::ZERO, RunDef::seeded(7));
/// let frame = game.frame(Duration::from_millis(50), |state, _, _| Autopilot.input(state), &mut ());
/// assert_eq!((frame.steps(), game.state().clock.tick()), (3, 3));
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    pacer: Pacer,
    sim: Sim,
    paused: bool,
    test_speed: f64,
    invert: WallTimer,
    run_id: RunId,
    // Signals of all ticks since the host last took them.
    signals: Signals,
    // What this frame's ticks asked for; carried out when the frame is finished.
    freeze_asked: Option<Duration>,
    run_started: bool,
    now: Duration,
}

impl Default for Game {
    fn default() -> Self {
        Self::new()
    }
}

impl Game {
    /// A game in the menu, on the recommended loop: 60 ticks a second at every display rate.
    ///
    /// That is [`Pacing::hz`]. [`Pacing::starship`] has the limits of the original game, which plays slow below about
    /// 30 frames a second; both run the same ticks.
    pub fn new() -> Self {
        Self::with_pacing(Pacing::hz(TICK_HZ))
    }

    /// A game in the menu, on another loop.
    ///
    /// # Panics
    ///
    /// If the loop's rate is not the game's 60 ticks a second.
    pub fn with_pacing(pacing: Pacing) -> Self {
        assert!(
            pacing.rate() == Pacing::SIM_RATE,
            "the game ticks at 60 Hz, not at {} Hz",
            pacing.rate().as_hz()
        );
        Self {
            pacer: Pacer::new(pacing),
            sim: Sim::new(RunDef::seeded(0)),
            paused: false,
            test_speed: 1.0,
            invert: WallTimer::default(),
            run_id: RunId::default(),
            signals: Signals::of_frames(),
            freeze_asked: None,
            run_started: false,
            now: Duration::ZERO,
        }
    }

    /// Names the session that run ids are made of.
    pub fn set_session(&mut self, session: u64) {
        self.run_id.session = session;
    }
}

/// Runs: how one starts.
impl Game {
    /// Resets state, entities, modifiers, signals, smoothed fps, the deterministic clock and the frame timing; plays.
    ///
    /// The next frame is measured against `now`. The run gets a fresh id.
    pub fn start_new_game(&mut self, now: Duration, run: RunDef) {
        self.sim.start_new_game(run);
        self.begin_anew(now);
    }

    /// The same, but the ship arrives first: the phase is birth.
    pub fn launch(&mut self, now: Duration, run: RunDef) {
        self.sim.launch(run);
        self.begin_anew(now);
    }

    /// Goes on from a state and from its tick, as of `now`.
    pub fn resume_from(&mut self, now: Duration, state: State) {
        self.sim = Sim::from_state(state);
        self.begin_anew(now);
    }

    /// Back to the menu: nothing moves.
    pub fn open_menu(&mut self) {
        self.sim.open_menu();
    }

    /// A run that the host starts: nothing is left of what came before.
    fn begin_anew(&mut self, now: Duration) {
        self.signals.clear();
        self.signals.append(self.sim.signals());
        self.forget_wishes();
        self.begin_run(now);
    }

    /// What another run's ticks asked for is none of this one's business.
    fn forget_wishes(&mut self) {
        self.freeze_asked = None;
        self.invert = WallTimer::default();
    }

    /// The host's side of a new run: timing and channels start afresh, and the pacer counts the run's own ticks, of
    /// which this frame may have run some.
    fn begin_run(&mut self, now: Duration) {
        self.pacer.reset(now);
        self.pacer.set_tick(self.sim.state().clock.tick());
        self.set_test_speed(self.test_speed);
        self.paused = false;
        self.run_started = false;
        self.run_id.run = self.run_id.run.wrapping_add(1);
        self.now = now;
        self.write_channels();
    }
}

/// Frames.
impl Game {
    /// One frame at `now`: plans it, runs its ticks with the inputs that `pilot` gives for each, carries out what they
    /// asked for.
    ///
    /// `pilot` gets the state, the plan and the number of the tick, which is what an
    /// [`InputLatch`](evenstep::InputLatch) wants:
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{InputLatch, Latching};
    /// use starship_sim::{Game, Input, RunDef};
    ///
    /// let mut game = Game::new();
    /// game.start_new_game(Duration::ZERO, RunDef::seeded(1));
    /// // A press and its release, both before the next tick: neither is lost.
    /// let mut events: InputLatch<bool, 16> = InputLatch::new(Latching::ByTime);
    /// events.push(Duration::from_millis(3), true).unwrap();
    /// events.push(Duration::from_millis(5), false).unwrap();
    ///
    /// let mut input = Input::default();
    /// let mut presses = 0;
    /// game.frame(
    ///     Duration::from_millis(20),
    ///     |_state, frame, tick| {
    ///         while let Some(pressed) = events.take(frame, tick) {
    ///             input.keys.boost = pressed;
    ///             presses += u32::from(pressed);
    ///         }
    ///         input
    ///     },
    ///     &mut (),
    /// );
    /// assert_eq!(presses, 1);
    /// ```
    pub fn frame(
        &mut self,
        now: Duration,
        mut pilot: impl FnMut(&State, &Frame, u64) -> Input,
        probe: &mut impl Probe,
    ) -> Frame {
        probe.begin(Pass::Frame);
        let frame = self.plan(now);
        for tick in frame.ticks() {
            let input = pilot(self.sim.state(), &frame, tick);
            self.tick(input, probe);
        }
        self.finish();
        probe.end(Pass::Frame);
        frame
    }

    /// The first part of a frame, for hosts that run the ticks themselves: how many, and where to draw.
    pub fn plan(&mut self, now: Duration) -> Frame {
        self.pacer.set_gate(if self.sim.state().phase == Phase::Menu {
            Gate::Menu
        } else if self.paused {
            Gate::Paused
        } else {
            Gate::Open
        });
        self.now = now;
        let frame = self.pacer.frame(now);
        self.invert.advance(&frame);
        let lost = [DropReason::Stall, DropReason::Cap, DropReason::Budget];
        if lost.iter().any(|&reason| !frame.dropped_by(reason).is_zero()) {
            self.sim.reset_physics_accumulator();
        }
        frame
    }

    /// The second part: one tick of the plan.
    pub fn tick(&mut self, input: Input, probe: &mut impl Probe) {
        self.sim.tick(input, probe);
        if self.sim.signals().iter().any(|signal| matches!(signal, Signal::RunStarted { .. })) {
            self.forget_wishes();
            self.run_started = true;
        }
        for &signal in self.sim.signals() {
            match signal {
                Signal::HitFreeze { wall_ms } => {
                    let asked = Duration::from_millis(wall_ms.into());
                    self.freeze_asked = Some(self.freeze_asked.map_or(asked, |already| already.max(asked)));
                }
                Signal::InvertScreen { wall_ms } => {
                    self.invert = WallTimer::start(Duration::from_millis(wall_ms.into()));
                }
                _ => {}
            }
        }
        self.signals.append(self.sim.signals());
    }

    /// The last part: what the ticks asked for acts from the next frame on.
    pub fn finish(&mut self) {
        if self.run_started {
            // The player confirmed and the simulation started again by itself; the rest of the reset is ours.
            self.begin_run(self.now);
        }
        if let Some(wall_time) = self.freeze_asked.take() {
            self.pacer.hit_freeze(wall_time);
        }
        self.write_channels();
    }

    fn write_channels(&mut self) {
        let state = self.sim.state();
        let channels = [
            (Channel::LEVEL_SPEED, f64::from(state.level_speed())),
            (Channel::JUICE, f64::from(state.juice.dilation)),
        ];
        for (channel, scale) in channels {
            if self.pacer.channel(channel) != scale {
                self.pacer.set_scale(channel, scale);
            }
        }
    }
}

/// Controls of the host and the player.
impl Game {
    /// Holds the game: UI and wall timers run on, and single steps are possible.
    pub fn pause(&mut self) {
        self.paused = true;
    }

    /// Lets go of it.
    pub fn unpause(&mut self) {
        self.paused = false;
    }

    /// Whether the player holds the game.
    pub const fn is_paused(&self) -> bool {
        self.paused
    }

    /// One tick while paused, on the next frame.
    pub fn step_by_hand(&mut self) {
        if self.paused {
            self.pacer.set_gate(Gate::Paused);
            self.pacer.step_by_hand(1);
        }
    }

    /// Plays everything faster or slower. It outlives hit-freezes, which return to it, and new runs.
    pub fn set_test_speed(&mut self, speed: f64) {
        self.test_speed = if speed > 0.0 { speed } else { 1.0 };
        self.pacer.set_resting_scale(Channel::TIME_DILATION, self.test_speed);
        self.pacer.set_scale(Channel::TIME_DILATION, self.test_speed);
    }

    /// The test speed.
    pub const fn test_speed(&self) -> f64 {
        self.test_speed
    }

    /// Forgets the frame timing alone, as before synthetic frames: the next frame is measured against `last_frame`.
    pub fn reset_frame_timing(&mut self, last_frame: Duration) {
        self.pacer.reset_frame_timing(last_frame);
        self.sim.reset_physics_accumulator();
    }

    /// The pacer, for what a host sets itself: a display's rate, time dilation, a hit-freeze for effect.
    pub const fn pacer_mut(&mut self) -> &mut Pacer {
        &mut self.pacer
    }
}

/// Answers.
impl Game {
    /// The state as of the last tick: what to draw, at the frame's alpha.
    pub const fn state(&self) -> &State {
        self.sim.state()
    }

    /// The pacer: clocks, ledger, statistics.
    pub const fn pacer(&self) -> &Pacer {
        &self.pacer
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

    /// Signals of all ticks since [`Game::clear_signals`]: none is lost when a frame runs several ticks, or none.
    pub const fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Forgets the signals: after the host has played and drawn them.
    pub fn clear_signals(&mut self) {
        self.signals.clear();
    }
}
