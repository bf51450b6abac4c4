//! The resource: the pacer with its controls, and the plan of the current frame.

use core::time::Duration;

use bevy_ecs::prelude::*;
use bevy_platform::time::Instant;
use bevy_time::{Fixed, Time, Virtual};
use evenstep::{
    Channel, Command, Excess, Explanation, Frame, GameClock, Gate, Ledger, Pacer, Pacing, Rate, Reset, Stats,
};

use crate::input::PausedInput;
use crate::plugin::recommended;

/// The pacer: controls for the game, and what the current frame does.
///
/// Controls take effect from the next frame on. Bevy's own controls keep working: `pause`, `set_relative_speed` and
/// `set_max_delta` of [`Time<Virtual>`](Virtual), and `set_timestep` of [`Time<Fixed>`](Fixed).
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_evenstep::Evenstep;
/// use bevy_evenstep::evenstep::Channel;
/// use bevy_input::prelude::*;
/// use bevy_time::prelude::*;
///
/// fn debug_keys(keys: Res<ButtonInput<KeyCode>>, mut time: ResMut<Time<Virtual>>, mut evenstep: ResMut<Evenstep>) {
///     if keys.just_pressed(KeyCode::KeyP) {
///         time.toggle();
///     }
///     if keys.just_pressed(KeyCode::Period) {
///         evenstep.step_by_hand(1); // One tick, while paused.
///     }
///     if keys.just_pressed(KeyCode::KeyB) {
///         evenstep.set_scale(Channel::JUICE, 0.3); // Slow motion, on top of the relative speed.
///     }
///     if evenstep.frame().steps() != 1 {
///         println!("{}", evenstep.explain());
///     }
/// }
/// # bevy_ecs::system::assert_is_system(debug_keys);
/// ```
#[derive(Resource, Clone, Debug)]
pub struct Evenstep {
    pub(crate) pacer: Pacer,
    pub(crate) frame: Frame,
    pub(crate) paused_input: PausedInput,
    // Requests that wait for the next frame, after Bevy's own settings have been read.
    pub(crate) pacing_new: Option<Pacing>,
    pub(crate) gate: Gate,
    pub(crate) steps_by_hand: u32,
    // Bevy's settings as last read or written; `None` before the first frame.
    pub(crate) settings: Option<Settings>,
    pub(crate) has_started: bool,
    // `Time<Virtual>` as last written.
    pub(crate) virt: Time<Virtual>,
    // The timestamp that counts as zero.
    pub(crate) origin: Option<Instant>,
    // The time of `Time<Fixed>`, and what is pending on top of it after this frame.
    pub(crate) clock: GameClock,
    pub(crate) pending: Duration,
    // The sum of both that `Time<Virtual>` has reached. More than the sum only after pending time was dropped.
    pub(crate) reached: Duration,
    pub(crate) is_held: bool,
    // Whether the ticks of this frame have run.
    pub(crate) is_done: bool,
}

/// The settings that Bevy's clocks have and the pacer has, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) timestep: Duration,
    pub(crate) max_delta: Duration,
}

impl Settings {
    pub(crate) fn of(fixed: &Time<Fixed>, virt: &Time<Virtual>) -> Self {
        Self { timestep: fixed.timestep(), max_delta: virt.max_delta() }
    }
}

impl Evenstep {
    /// The channel that [`Time<Virtual>::set_relative_speed`](Time::set_relative_speed) sets. The plugin overwrites it
    /// on every frame, so a game cannot use `Channel::custom(3)` for anything else.
    pub const RELATIVE_SPEED: Channel = Channel::custom(3);

    /// Creates the resource. The first frame reads the rate from `Time<Fixed>`.
    pub(crate) fn new(paused_input: PausedInput) -> Self {
        let pacing = recommended(Rate::hz(64));
        let pacer = Pacer::new(pacing);
        Self {
            frame: Frame::default(),
            pending: pacer.pending(),
            reached: pacer.pending(),
            clock: GameClock::new(pacing.rate()),
            pacer,
            paused_input,
            pacing_new: None,
            gate: Gate::Open,
            steps_by_hand: 0,
            settings: None,
            has_started: false,
            virt: Time::default(),
            origin: None,
            is_held: false,
            is_done: true,
        }
    }

    /// Sets a configuration before the first frame. The clocks already have its settings.
    pub(crate) fn start_with(&mut self, pacing: Pacing, fixed: &Time<Fixed>, virt: &Time<Virtual>) {
        self.apply(pacing);
        self.settings = Some(Settings::of(fixed, virt));
    }

    /// Changes the configuration now.
    pub(crate) fn apply(&mut self, pacing: Pacing) {
        if !self.has_started {
            // The head start is a share of the step, which is another one now: it is granted again, and none is dropped.
            self.pacer.set_pacing(pacing.with_excess(Excess::Carry));
            self.pacer.reset_frame_timing(None);
        }
        self.pacer.set_pacing(pacing);
        self.clock.set_rate(pacing.rate());
        if !self.has_started {
            self.pending = self.pacer.pending();
            self.reached = self.clock.now() + self.pending;
        }
    }
}

/// Commands. They take effect from the next frame on.
impl Evenstep {
    /// Tells the pacer a command. The methods below are short for it, and say what each does.
    ///
    /// In a Bevy app:
    ///
    /// - The simulation runs if the gate is open and [`Time<Virtual>`](Virtual) is not paused.
    /// - Steps by hand run if the game is paused in the next frame: a speed of 0 alone is not enough.
    /// - Presses during a hit-freeze wait for the first tick after it.
    /// - All channels and Bevy's relative speed are multiplied.
    /// - A configuration includes Bevy's own settings: the timestep of [`Time<Fixed>`](Fixed), and `max_delta` of
    ///   [`Time<Virtual>`](Virtual), which is the longest frame.
    /// - A reset leaves Bevy's clocks, its pause and its relative speed as they are.
    /// - Times are those of [`Frame::now`], to which [`time_of`](Self::time_of) converts. Bevy does not know when an image
    ///   was shown; some graphics drivers do.
    pub fn tell(&mut self, command: Command) {
        match command {
            // Bevy's pause counts, too, and the next frame reads it first.
            Command::Gate(gate) => self.gate = gate,
            Command::StepByHand(steps) => self.steps_by_hand = self.steps_by_hand.saturating_add(steps),
            // The clocks have to be changed with it.
            Command::Pacing(pacing) => self.pacing_new = Some(pacing),
            Command::Reset { kind: Reset::NewGame, .. } => {
                self.gate = Gate::Open;
                self.steps_by_hand = 0;
                self.pacer.tell(command);
            }
            _ => self.pacer.tell(command),
        }
    }

    evenstep::command_methods!();

    /// Sets what happens to presses during a pause.
    pub fn set_paused_input(&mut self, paused_input: PausedInput) {
        self.paused_input = paused_input;
    }
}

/// Getters.
impl Evenstep {
    /// The plan of the current frame: steps, alpha, what was dropped and why.
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Explains the number of steps of the current frame in one line.
    pub const fn explain(&self) -> Explanation {
        self.frame.explain()
    }

    /// Where every nanosecond went.
    pub fn ledger(&self) -> Ledger {
        self.pacer.ledger()
    }

    /// Statistics of recent frames.
    pub const fn stats(&self) -> &Stats {
        self.pacer.stats()
    }

    /// The gate as set with [`set_gate`](Self::set_gate). What is in force, [`pacer`](Self::pacer) knows: a pause of
    /// [`Time<Virtual>`](Virtual) counts there.
    pub const fn gate(&self) -> Gate {
        self.gate
    }

    /// Converts an instant to the clock of the frames, such as the one at which the display showed an image. `None` before
    /// the first frame. Earlier instants count as its beginning.
    pub fn time_of(&self, instant: Instant) -> Option<Duration> {
        self.origin.map(|origin| instant.saturating_duration_since(origin))
    }

    /// Whether nothing but a control lets the next tick run: a pause, a menu or a speed of 0. A hit-freeze ends by
    /// itself and does not count.
    pub const fn is_held(&self) -> bool {
        self.is_held
    }

    /// The pacer, for everything else that it can answer.
    pub const fn pacer(&self) -> &Pacer {
        &self.pacer
    }
}
