//! The game with a pacer of its own: what headless runs, tests and tools drive.

use core::time::Duration;

use evenstep::{Frame, Gate, Pacer, Pacing};

use crate::input::Input;
use crate::play::{Play, RunId};
use crate::probe::{Pass, Probe};
use crate::signals::Signals;
use crate::state::{RunDef, State};
use crate::tuning::TICK_HZ;

/// The game with a pacer of its own: timestamps in, frames out.
///
/// Everything about the game's side of a frame is [`Play`]'s, which the window and the page drive, too.
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
    // The plan that is being carried out.
    frame: Option<Frame>,
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
        assert!(pacing.rate() == Pacing::SIM_RATE, "the game ticks at 60 Hz, not at {}", pacing.rate());
        Self { pacer: Pacer::new(pacing), play: Play::in_menu(), frame: None }
    }

    /// Names the session that run ids are made of.
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

    /// Continues from a state, at its tick, as of `now`.
    pub fn resume_from(&mut self, now: Duration, state: State) {
        self.play.resume_from(state, &mut self.pacer, now);
    }

    /// Back to the menu: nothing moves.
    pub fn open_menu(&mut self) {
        self.play.open_menu();
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
            let input = pilot(self.play.state(), &frame, tick);
            self.tick(input, probe);
        }
        self.finish();
        probe.end(Pass::Frame);
        frame
    }

    /// The first part of a frame, for hosts that run the ticks themselves: how many, and where to draw.
    pub fn plan(&mut self, now: Duration) -> Frame {
        self.play.apply(&mut self.pacer);
        *self.frame.insert(self.pacer.frame(now))
    }

    /// The second part: one tick of the plan.
    pub fn tick(&mut self, input: Input, probe: &mut impl Probe) {
        self.play.tick(input, probe);
    }

    /// The last part: what the ticks asked for acts from the next frame on.
    pub fn finish(&mut self) {
        if let Some(frame) = self.frame.take() {
            self.play.end_frame(&frame, &mut self.pacer);
        }
    }
}

/// Controls of the host and the player.
impl Game {
    /// Pauses the game: the UI and wall timers run on, and single steps are possible.
    pub fn pause(&mut self) {
        self.play.pause();
    }

    /// Resumes the game after a pause.
    pub fn unpause(&mut self) {
        self.play.unpause();
    }

    /// Whether the game is paused.
    pub const fn is_paused(&self) -> bool {
        self.play.is_paused()
    }

    /// Runs one tick on the next frame, while paused.
    pub fn step_by_hand(&mut self) {
        if self.play.is_paused() {
            self.pacer.set_gate(Gate::Paused);
            self.pacer.step_by_hand(1);
        }
    }

    /// Plays everything faster or slower; see [`Play::set_speed`].
    pub fn set_test_speed(&mut self, speed: f64) {
        self.play.set_speed(speed, &mut self.pacer);
    }

    /// The test speed.
    pub const fn test_speed(&self) -> f64 {
        self.play.speed()
    }

    /// Forgets the frame timing alone, as before synthetic frames: the next frame is measured against `last_frame`.
    pub fn reset_frame_timing(&mut self, last_frame: Duration) {
        self.pacer.reset_frame_timing(last_frame);
        self.play.reset_physics_accumulator();
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
        self.play.state()
    }

    /// The pacer: clocks, ledger, statistics.
    pub const fn pacer(&self) -> &Pacer {
        &self.pacer
    }

    /// Whether to invert the screen now.
    pub const fn is_inverted(&self) -> bool {
        self.play.is_inverted()
    }

    /// What is left of the inverted flash, in wall time.
    pub const fn invert_left(&self) -> Duration {
        self.play.invert_left()
    }

    /// The run's id for telemetry.
    pub const fn run_id(&self) -> RunId {
        self.play.run_id()
    }

    /// Signals of all ticks since [`Game::clear_signals`]: none is lost when a frame runs several ticks, or none.
    pub const fn signals(&self) -> &Signals {
        self.play.signals()
    }

    /// Forgets the signals: after the host has played and drawn them.
    pub fn clear_signals(&mut self) {
        self.play.clear_signals();
    }
}
