//! What a game has to tell the pacer that it runs on.

use core::time::Duration;
use std::vec::Drain;

use evenstep::{Channel, Command, Gate, Reset};

/// More commands than a frame needs.
const COMMANDS: usize = 16;

/// The commands that a pacer has yet to get, in order.
#[derive(Clone, Debug)]
pub(crate) struct Commands {
    waiting: Vec<Command>,
    // What the pacer was told last, so that it is told only what changes.
    gate: Gate,
    level_speed: f64,
    juice: f64,
}

impl Commands {
    /// Creates the commands for a new pacer.
    pub(crate) fn new() -> Self {
        Self { waiting: Vec::with_capacity(COMMANDS), gate: Gate::Open, level_speed: 1.0, juice: 1.0 }
    }

    pub(crate) fn push(&mut self, command: Command) {
        self.waiting.push(command);
    }

    pub(crate) fn take(&mut self) -> Drain<'_, Command> {
        self.waiting.drain(..)
    }

    /// Resets the pacer for a new run, after which nothing that it was told before has an effect.
    pub(crate) fn begin_run(&mut self, last_frame: Option<Duration>) {
        self.waiting.clear();
        self.push(Command::Reset { kind: Reset::NewGame, last_frame });
        self.gate = Gate::Open;
        self.level_speed = 1.0;
        self.juice = 1.0;
    }

    /// Sets the speed of the game, at once and after a hit-freeze.
    pub(crate) fn set_speed(&mut self, value: f64) {
        let channel = Channel::TIME_DILATION;
        self.push(Command::RestingScale { channel, value });
        self.push(Command::Scale { channel, value });
    }

    pub(crate) fn set_gate(&mut self, gate: Gate) {
        if self.gate != gate {
            self.gate = gate;
            self.push(Command::Gate(gate));
        }
    }

    pub(crate) fn set_level_speed(&mut self, value: f64) {
        if self.level_speed != value {
            self.level_speed = value;
            self.push(Command::Scale { channel: Channel::LEVEL_SPEED, value });
        }
    }

    pub(crate) fn set_juice(&mut self, value: f64) {
        if self.juice != value {
            self.juice = value;
            self.push(Command::Scale { channel: Channel::JUICE, value });
        }
    }
}
