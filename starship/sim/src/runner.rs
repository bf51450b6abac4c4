//! The test runner: drives the whole loop with synthetic frames.

use core::time::Duration;

use evenstep::{Frame, Pacer};

use crate::game::Game;
use crate::input::Input;
use crate::rng::Rng;
use crate::state::{RunDef, State};
use crate::tick::Sim;

/// Length of a stall: longer than any pacing accepts as a frame.
const STALL: Duration = Duration::from_millis(600);

/// A simulated display: timestamps at a refresh rate, with optional jitter and stalls.
///
/// ```
/// use core::time::Duration;
/// use starship_sim::Display;
///
/// let mut display = Display::hz(50.0);
/// assert_eq!([(); 3].map(|()| display.next_frame().as_millis()), [20, 40, 60]);
/// let mut noisy = Display::hz(60.0).with_jitter(Duration::from_millis(4)).with_stalls(Duration::from_secs(5));
/// assert!(noisy.next_frame() > Duration::from_millis(12));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Display {
    hz: f64,
    jitter: Duration,
    stall_every: Option<Duration>,
    frame: u64,
    stalled: Duration,
    stalls: u32,
    last: Duration,
    rng: Rng,
}

impl Display {
    /// Creates a display without jitter or stalls.
    ///
    /// # Panics
    ///
    /// If `hz` is not between 1 and 10,000.
    pub fn hz(hz: f64) -> Self {
        assert!((1.0..=10_000.0).contains(&hz), "a refresh rate must be 1 to 10,000 Hz, not {hz}");
        Self {
            hz,
            jitter: Duration::ZERO,
            stall_every: None,
            frame: 0,
            stalled: Duration::ZERO,
            stalls: 0,
            last: Duration::ZERO,
            rng: Rng::new(0xD15B),
        }
    }

    /// Makes timestamps up to this much early or late.
    pub fn with_jitter(self, jitter: Duration) -> Self {
        Self { jitter, ..self }
    }

    /// Inserts a gap of 600 ms at this interval.
    pub fn with_stalls(self, every: Duration) -> Self {
        Self { stall_every: (!every.is_zero()).then_some(every), ..self }
    }

    /// Sets the seed of the jitter.
    pub fn with_seed(self, seed: u64) -> Self {
        Self { rng: Rng::new(seed), ..self }
    }

    /// Returns the next timestamp, which is never before the last one.
    pub fn next_frame(&mut self) -> Duration {
        self.frame += 1;
        let ideal = Duration::from_secs_f64(self.frame as f64 / self.hz) + self.stalled;
        if self.stall_every.is_some_and(|every| ideal >= (every + STALL) * (self.stalls + 1)) {
            self.stalls += 1;
            self.stalled += STALL;
        }
        let noise = self.jitter.mul_f64(f64::from(self.rng.unit()) * 2.0);
        let timestamp = (ideal + noise).saturating_sub(self.jitter);
        self.last = timestamp.max(self.last);
        self.last
    }

    /// Returns the last timestamp.
    pub const fn last_frame(&self) -> Duration {
        self.last
    }
}

/// What an observer of a [`TestRunner`] sees.
#[derive(Clone, Copy, Debug)]
pub enum Observed<'a> {
    /// A tick is about to run with this input.
    BeforeTick(Input, &'a Sim),
    /// A tick has run.
    AfterTick(&'a Sim),
    /// The ticks of a frame have run: this many. They are fewer than the frame planned if the runner's last tick was
    /// among them.
    Frame(&'a Frame, &'a Pacer, u32),
}

/// Drives a [`Game`] with a [`Display`]'s timestamps, as fast as possible.
///
/// ```
/// use starship_sim::{Autopilot, Display, Game, RunDef, TestRunner};
///
/// let run = |hz| {
///     let mut runner = TestRunner::new(Game::new(), Display::hz(hz));
///     runner.launch(RunDef::seeded(5));
///     runner.run_ticks(300, |state| Autopilot.input(state));
///     runner.game.state().hash()
/// };
/// assert_eq!(run(60.0), run(144.0));
/// ```
#[derive(Clone, Debug)]
pub struct TestRunner {
    /// The game to drive.
    pub game: Game,
    /// The source of timestamps.
    pub display: Display,
    ticks: u64,
    frames: u64,
}

impl TestRunner {
    /// Creates a runner.
    pub fn new(game: Game, display: Display) -> Self {
        Self { game, display, ticks: 0, frames: 0 }
    }

    /// Returns the ticks over all runs.
    pub const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Returns the frames over all runs.
    pub const fn frames(&self) -> u64 {
        self.frames
    }

    /// Starts a run at the display's last frame, in the birth phase.
    pub fn launch(&mut self, run: RunDef) {
        self.game.launch(self.display.last_frame(), run);
    }

    /// Switches to another display and resets the frame timing, so that the gap between the two does not count.
    pub fn change_display(&mut self, display: Display) {
        self.display = display;
        self.game.reset_frame_timing(display.last_frame());
    }

    /// Runs one frame.
    pub fn run_frame(&mut self, pilot: impl FnMut(&State) -> Input) -> Frame {
        self.pump(u64::MAX, pilot, &mut |_| ())
    }

    /// Runs frames until exactly this many more ticks have run.
    ///
    /// # Panics
    ///
    /// If no tick runs in a million frames, because the game is in the menu or paused.
    pub fn run_ticks(&mut self, ticks: u64, pilot: impl FnMut(&State) -> Input) {
        self.run_ticks_observed(ticks, pilot, |_| ());
    }

    /// Runs frames like [`run_ticks`](Self::run_ticks), and shows every tick and frame to an observer, such as a
    /// recorder.
    ///
    /// # Panics
    ///
    /// If no tick runs in a million frames, because the game is in the menu or paused.
    pub fn run_ticks_observed(
        &mut self,
        ticks: u64,
        mut pilot: impl FnMut(&State) -> Input,
        mut observer: impl FnMut(Observed<'_>),
    ) {
        let end = self.ticks + ticks;
        let mut idle = 0;
        while self.ticks < end {
            let frame = self.pump(end, &mut pilot, &mut observer);
            idle = if frame.steps() > 0 { 0 } else { idle + 1 };
            assert!(idle < 1_000_000, "no tick in a million frames: the game is in the menu or paused");
        }
    }

    fn pump(
        &mut self,
        end: u64,
        mut pilot: impl FnMut(&State) -> Input,
        observer: &mut impl FnMut(Observed<'_>),
    ) -> Frame {
        let frame = self.game.plan(self.display.next_frame());
        self.frames += 1;
        let mut ran = 0;
        for _ in frame.ticks() {
            if self.ticks < end {
                ran += 1;
                let input = pilot(self.game.state());
                observer(Observed::BeforeTick(input, self.game.sim()));
                self.game.tick(input, &mut ());
                observer(Observed::AfterTick(self.game.sim()));
                self.ticks += 1;
            }
        }
        observer(Observed::Frame(&frame, self.game.pacer(), ran));
        self.game.finish();
        frame
    }
}
