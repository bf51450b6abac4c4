//! The player's input in one tick, from the keyboard and from a gamepad.

use serde::{Deserialize, Serialize};

use crate::math::{Vec2, at_most};
use crate::state::State;

/// The stick and buttons of one device in one tick. Integers keep recordings exact and small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pad {
    /// Right is positive, full deflection is 127.
    pub x: i8,
    /// Up is positive, full deflection is 127.
    pub y: i8,
    /// Boost: more thrust, and more heat.
    pub boost: bool,
    /// Starts the next run after death or victory. Acts when pressed, not while held.
    pub confirm: bool,
}

/// The player's input for one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Input {
    /// Keyboard or touch.
    pub keys: Pad,
    /// The gamepad, if one is connected.
    pub gamepad: Option<Pad>,
    /// The upgrade that the player takes, from 0. Has no effect unless one is on offer.
    pub choice: Option<u8>,
}

/// Stick deflections below this are ignored.
const DEAD_ZONE: f32 = 0.12;

/// The combined controls of all devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Controls {
    /// Direction of thrust, with a length of at most 1.
    pub stick: Vec2,
    /// Whether the boost is held.
    pub boost: bool,
    /// Whether confirm was pressed on this tick.
    pub confirm: bool,
    /// The upgrade chosen on this tick, from 0.
    pub choice: Option<u8>,
    confirm_held: bool,
}

pub(crate) fn tick(state: &mut State, input: Input) {
    let pad = input.gamepad.unwrap_or_default();
    let keys_stick = stick(input.keys);
    let pad_stick = stick(pad);
    let confirm_held = input.keys.confirm || pad.confirm;
    let confirm = confirm_held && !state.controls.confirm_held;
    state.controls = Controls {
        stick: if keys_stick == Vec2::ZERO { pad_stick } else { keys_stick },
        boost: input.keys.boost || pad.boost,
        confirm,
        choice: input.choice,
        confirm_held,
    };
}

fn stick(pad: Pad) -> Vec2 {
    let stick = Vec2::new(f32::from(pad.x.max(-127)), f32::from(pad.y.max(-127))) / 127.0;
    if stick.length() < DEAD_ZONE { Vec2::ZERO } else { at_most(stick, 1.0) }
}
