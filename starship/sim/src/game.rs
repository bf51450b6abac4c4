//! The game with its own pacer, for headless runs, tests and tools.

use core::time::Duration;

use evenstep::classic::SIM_RATE;
use evenstep::{Frame, Gate, Pacer, Pacing};

use crate::input::Input;
use crate::play::{Play, RunId};
use crate::probe::{Pass, Probe};
use crate::signals::Signals;
use crate::state::{RunDef, State};
use crate::tick::Sim;
use crate::tuning::TICK_HZ;

/// The game with its own pacer: turns timestamps into frames.
///
/// Wraps [`Play`], which windows and pages drive with a pacer of the host.
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
    play: Play,
    // The frame between `plan` and `finish`.
    frame: Option<Frame>,
}

impl Default for Game {
    fn default() -> Self {
        Self::new()
    }
}

impl Game {
    /// Creates a game in the menu with the recommended pacing: 60 ticks per second at every display rate.
    ///
    /// That is [`Pacing::hz`]. [`Pacing::starship`] has the limits of the original Starship loop, which slows down
    /// below about 30 frames per second; both run the same ticks.
    pub fn new() -> Self {
        Self::with_pacing(Pacing::hz(TICK_HZ))
    }

    /// Creates a game in the menu with another pacing.
    ///
    /// # Panics
    ///
    /// If the rate of the pacing is not 60 ticks per second.
    pub fn with_pacing(pacing: Pacing) -> Self {
        assert!(pacing.rate() == SIM_RATE, "the game must tick at 60 Hz, not at {}", pacing.rate());
        Self { pacer: Pacer::new(pacing), play: Play::in_menu(), frame: None }
    }

    /// Sets the session part of run ids.
    pub fn set_session(&mut self, session: u64) {
        self.play.set_session(session);
    }

    /// Starts a run; see [`Play::start_new_game`]. The next frame is measured against `now`.
    pub fn start_new_game(&mut self, now: Duration, run: RunDef) {
        self.play.start_new_game(run, &mut self.pacer, now);
    }

    /// Starts a run in which the ship arrives first; see [`Play::launch`]. The next frame is measured against `now`.
    pub fn launch(&mut self, now: Duration, run: RunDef) {
        self.play.launch(run, &mut self.pacer, now);
    }

    /// Continues from a state at `now`, from the tick that the state had reached.
    pub fn resume_from(&mut self, now: Duration, state: State) {
        self.play.resume_from(state, &mut self.pacer, now);
    }

    /// Opens the menu, which stops the game.
    pub fn open_menu(&mut self) {
        self.play.open_menu();
    }
}

/// Frames and ticks.
impl Game {
    /// Runs one frame at `now`: plans it, runs its ticks with the inputs from `pilot`, and applies what they requested.
    ///
    /// `pilot` gets the state, the plan and the tick number, as an [`InputLatch`](evenstep::InputLatch) needs them:
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
            let input = pilot(self.play.state(), &frame, tick);
            self.tick(input, probe);
        }
        self.finish();
        probe.end(Pass::Frame);
        frame
    }

    /// Plans a frame, for hosts that run its ticks themselves with [`Game::tick`] and end it with [`Game::finish`].
    pub fn plan(&mut self, now: Duration) -> Frame {
        self.play.apply(&mut self.pacer);
        *self.frame.insert(self.pacer.frame(now))
    }

    /// Runs one tick of a planned frame.
    pub fn tick(&mut self, input: Input, probe: &mut impl Probe) {
        self.play.tick(input, probe);
    }

    /// Ends a planned frame: what its ticks requested takes effect from the next frame.
    pub fn finish(&mut self) {
        if let Some(frame) = self.frame.take() {
            self.play.end_frame(&frame, &mut self.pacer);
        }
    }
}

/// Pause, speed and timing.
impl Game {
    /// Pauses the game. The UI clock and wall timers continue, and [`Game::step_by_hand`] runs single ticks.
    pub fn pause(&mut self) {
        self.play.pause();
    }

    /// Resumes the game after a pause.
    pub fn unpause(&mut self) {
        self.play.unpause();
    }

    /// Returns whether the game is paused.
    pub const fn is_paused(&self) -> bool {
        self.play.is_paused()
    }

    /// Runs one tick on the next frame of a paused game.
    pub fn step_by_hand(&mut self) {
        if self.play.is_paused() {
            self.pacer.set_gate(Gate::Paused);
            self.pacer.step_by_hand(1);
        }
    }

    /// Sets the speed of the game; see [`Play::set_speed`].
    pub fn set_test_speed(&mut self, speed: f64) {
        self.play.set_speed(speed, &mut self.pacer);
    }

    /// Returns the speed set by [`Game::set_test_speed`].
    pub const fn test_speed(&self) -> f64 {
        self.play.speed()
    }

    /// Resets the frame timing and nothing else: the next frame is measured against `last_frame`.
    pub fn reset_frame_timing(&mut self, last_frame: Duration) {
        self.pacer.reset_frame_timing(last_frame);
        self.play.reset_physics_accumulator();
    }

    /// Returns the pacer, so that a host can set the display rate, time dilation or a hit-freeze.
    pub const fn pacer_mut(&mut self) -> &mut Pacer {
        &mut self.pacer
    }
}

/// Getters.
impl Game {
    /// Returns the state as of the last tick. Draw it at the frame's alpha.
    pub const fn state(&self) -> &State {
        self.play.state()
    }

    /// Returns the simulation, to record it.
    pub const fn sim(&self) -> &Sim {
        self.play.sim()
    }

    /// Returns the pacer: clocks, ledger and statistics.
    pub const fn pacer(&self) -> &Pacer {
        &self.pacer
    }

    /// Returns whether to invert the screen.
    pub const fn is_inverted(&self) -> bool {
        self.play.is_inverted()
    }

    /// Returns the remaining wall time of the inverted flash.
    pub const fn invert_left(&self) -> Duration {
        self.play.invert_left()
    }

    /// Returns the id of the run, for telemetry.
    pub const fn run_id(&self) -> RunId {
        self.play.run_id()
    }

    /// Returns the signals of all ticks since [`Game::clear_signals`], however many ticks a frame runs.
    pub const fn signals(&self) -> &Signals {
        self.play.signals()
    }

    /// Clears the signals, once the host has handled them.
    pub fn clear_signals(&mut self) {
        self.play.clear_signals();
    }
}
