//! Input: what the player holds during one tick, from the keyboard and from a gamepad.

use serde::{Deserialize, Serialize};

use crate::math::{Vec2, at_most};
use crate::state::State;

/// What a stick and its buttons say during one tick. Whole numbers, so that a recording is exact and small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pad {
    /// Right is positive, full deflection is 127.
    pub x: i8,
    /// Up is positive, full deflection is 127.
    pub y: i8,
    /// Thrust harder and run hot.
    pub boost: bool,
    /// Start again after death or victory. It acts when pressed, not while held.
    pub confirm: bool,
}

/// All that reaches a tick from outside.
///
/// ```
/// use starship_sim::{Input, Pad};
///
/// let up = Input { keys: Pad { y: 127, ..Pad::default() }, ..Input::default() };
/// assert_eq!(up.gamepad, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Input {
    /// Keyboard or touch.
    pub keys: Pad,
    /// The gamepad's state, if there is one.
    pub gamepad: Option<Pad>,
}

/// Stick deflections below this are a thumb at rest.
const DEAD_ZONE: f32 = 0.12;

/// What the ship is told, and what is remembered to see a press.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Controls {
    /// Where to thrust; no longer than 1.
    pub stick: Vec2,
    /// Whether the boost is held.
    pub boost: bool,
    /// Whether confirm was pressed on this tick.
    pub confirm: bool,
    confirm_held: bool,
}

pub(crate) fn tick(state: &mut State, input: Input) {
    let pad = input.gamepad.unwrap_or_default();
    let (keys_stick, pad_stick) = (stick(input.keys), stick(pad));
    let confirm_held = input.keys.confirm || pad.confirm;
    let confirm = confirm_held && !state.controls.confirm_held;
    state.controls = Controls {
        stick: if keys_stick == Vec2::ZERO { pad_stick } else { keys_stick },
        boost: input.keys.boost || pad.boost,
        confirm,
        confirm_held,
    };
}

fn stick(pad: Pad) -> Vec2 {
    let stick = Vec2::new(f32::from(pad.x.max(-127)), f32::from(pad.y.max(-127))) / 127.0;
    if stick.length() < DEAD_ZONE { Vec2::ZERO } else { at_most(stick, 1.0) }
}
