//! Gamepads, as every host reports them.

use crate::event::Event;

/// How many gamepads are tracked.
pub(crate) const PADS: usize = 4;
/// How far a stick must move to count. Worn sticks rest up to this far from the centre.
const DEAD_ZONE: f32 = 0.15;

/// Defines the enum and its list of values, in the order of the web's standard gamepad.
macro_rules! buttons {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// A gamepad button by its position, in the order of the web's
        /// [standard gamepad](https://www.w3.org/TR/gamepad/#remapping).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Button { $($(#[$doc])* $name,)* }

        impl Button {
            /// All buttons, in the standard's order.
            pub const ALL: [Self; 17] = [$(Self::$name,)*];
        }
    };
}

buttons! {
    /// The bottom face button: A, or the cross.
    South
    /// The right face button: B, or the circle.
    East
    /// The left face button: X, or the square.
    West
    /// The top face button: Y, or the triangle.
    North
    /// The left shoulder button.
    LeftShoulder
    /// The right shoulder button.
    RightShoulder
    /// The left trigger.
    LeftTrigger
    /// The right trigger.
    RightTrigger
    /// Select, back or share.
    Select
    /// Start or options.
    Start
    /// The left stick, pressed.
    LeftStick
    /// The right stick, pressed.
    RightStick
    /// Up on the d-pad.
    Up
    /// Down on the d-pad.
    Down
    /// Left on the d-pad.
    Left
    /// Right on the d-pad.
    Right
    /// The centre button, such as Guide or Home, if there is one.
    Mode
}

/// An axis of a gamepad stick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Axis {
    /// The left stick's horizontal axis: left is negative.
    LeftX,
    /// The left stick's vertical axis: up is negative.
    LeftY,
    /// The right stick's horizontal axis: left is negative.
    RightX,
    /// The right stick's vertical axis: up is negative.
    RightY,
}

impl Axis {
    /// All axes, in the standard's order.
    pub const ALL: [Self; 4] = [Self::LeftX, Self::LeftY, Self::RightX, Self::RightY];
}

/// Clamps an axis to -1..=1. NaN becomes 0.
pub(crate) const fn axis_in_range(value: f32) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(-1.0, 1.0) }
}

/// The state of one gamepad, which a host passes to [`Driver::poll_pad`](crate::Driver::poll_pad) once a frame.
///
/// ```
/// use evenstep_host::{Axis, Button, PadState};
///
/// let mut pad = PadState::default(); // Nothing pressed, sticks centred.
/// pad.set(Button::South, true);
/// pad.set_axis(Axis::LeftX, 2.0);
/// assert!(pad.is_down(Button::South));
/// assert_eq!(pad.axis(Axis::LeftX), 1.0, "clamped to its range");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PadState {
    buttons: u32,
    axes: [f32; 4],
}

impl PadState {
    /// Returns whether a button is down.
    pub const fn is_down(&self, button: Button) -> bool {
        self.buttons & (1 << button as u8) != 0
    }

    /// Sets a button to down or up.
    pub const fn set(&mut self, button: Button, is_down: bool) {
        if is_down {
            self.buttons |= 1 << button as u8;
        } else {
            self.buttons &= !(1 << button as u8);
        }
    }

    /// Returns the position of an axis, from -1 to 1.
    pub const fn axis(&self, axis: Axis) -> f32 {
        self.axes[axis as usize]
    }

    /// Sets the position of an axis, clamped to -1..=1. NaN counts as 0.
    pub const fn set_axis(&mut self, axis: Axis, value: f32) {
        self.axes[axis as usize] = axis_in_range(value);
    }

    /// Adds the buttons that are down in another state.
    pub(crate) const fn add_buttons(&mut self, other: &Self) {
        self.buttons |= other.buttons;
    }

    /// Leaves out the buttons that have been down since they were added to `ignored`, and removes from there those that
    /// are up by now.
    pub(crate) const fn without_ignored(mut self, ignored: &mut Self) -> Self {
        ignored.buttons &= self.buttons;
        self.buttons &= !ignored.buttons;
        self
    }

    /// Applies the dead zone: each stick rests inside it, and runs from 0 at its edge to 1.
    pub(crate) fn with_dead_zone(mut self) -> Self {
        for stick in self.axes.chunks_exact_mut(2) {
            let length = stick[0].hypot(stick[1]);
            let live = ((length - DEAD_ZONE) / (1.0 - DEAD_ZONE)).clamp(0.0, 1.0);
            let factor = if live > 0.0 { live / length } else { 0.0 };
            stick[0] *= factor;
            stick[1] *= factor;
        }
        self
    }

    /// Calls `on_change` with an event for every difference between `self` and `next`.
    pub(crate) fn for_each_change(&self, next: &Self, pad: u8, mut on_change: impl FnMut(Event)) {
        for button in Button::ALL {
            match (self.is_down(button), next.is_down(button)) {
                (false, true) => on_change(Event::PadDown { pad, button }),
                (true, false) => on_change(Event::PadUp { pad, button }),
                _ => {}
            }
        }
        for axis in Axis::ALL {
            let value = next.axis(axis);
            if value != self.axis(axis) {
                on_change(Event::PadAxis { pad, axis, value });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stick(x: f32, y: f32) -> PadState {
        let mut pad = PadState::default();
        pad.set_axis(Axis::LeftX, x);
        pad.set_axis(Axis::LeftY, y);
        pad
    }

    #[test]
    fn a_worn_stick_rests_and_a_pushed_one_reaches_its_end() {
        assert_eq!(stick(0.1, -0.1).with_dead_zone(), PadState::default());
        assert_eq!(stick(-1.0, 0.0).with_dead_zone().axis(Axis::LeftX), -1.0);
        let nearly = stick(0.151, 0.0).with_dead_zone().axis(Axis::LeftX);
        assert!(nearly > 0.0 && nearly < 0.01, "no jump at the zone's edge");
    }

    #[test]
    fn a_poll_without_changes_sends_no_events() {
        let pad = stick(0.5, 0.5);
        pad.for_each_change(&pad, 0, |event| panic!("{event:?}"));
    }
}
