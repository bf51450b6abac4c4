//! Gamepads: what every host makes of them.

use crate::event::Event;

/// How many gamepads an app hears of.
pub(crate) const PADS: usize = 4;
/// How far a stick must be moved to count. Worn ones rest this far from the middle.
const DEAD_ZONE: f32 = 0.15;

/// Makes the enum and the list of its values in the order of the web's standard gamepad.
macro_rules! buttons {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// A button of a gamepad by its place, in the order of the web's
        /// [standard gamepad](https://www.w3.org/TR/gamepad/#remapping).
        ///
        /// ```
        /// use evenstep_host::Button;
        ///
        /// assert_eq!(Button::ALL[0], Button::South);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Button { $($(#[$doc])* $name,)* }

        impl Button {
            /// Every button, in the standard's order.
            ///
            /// ```
            /// assert_eq!(evenstep_host::Button::ALL.len(), 17);
            /// ```
            pub const ALL: [Self; 17] = [$(Self::$name,)*];
        }
    };
}

buttons! {
    /// The lower one of the right four: A, or the cross.
    South
    /// The right one of the right four: B, or the circle.
    East
    /// The left one of the right four: X, or the square.
    West
    /// The upper one of the right four: Y, or the triangle.
    North
    /// The left shoulder.
    LeftShoulder
    /// The right shoulder.
    RightShoulder
    /// The left trigger.
    LeftTrigger
    /// The right trigger.
    RightTrigger
    /// Select, back, share.
    Select
    /// Start, options.
    Start
    /// The left stick, pressed.
    LeftStick
    /// The right stick, pressed.
    RightStick
    /// Up on the cross of arrows.
    Up
    /// Down on the cross of arrows.
    Down
    /// Left on the cross of arrows.
    Left
    /// Right on the cross of arrows.
    Right
    /// The one in the middle, where there is one.
    Mode
}

/// An axis of a gamepad's stick.
///
/// ```
/// assert_eq!(evenstep_host::Axis::ALL[1], evenstep_host::Axis::LeftY);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Axis {
    /// The left stick: left is negative.
    LeftX,
    /// The left stick: up is negative.
    LeftY,
    /// The right stick: left is negative.
    RightX,
    /// The right stick: up is negative.
    RightY,
}

impl Axis {
    /// Every axis, in the standard's order.
    ///
    /// ```
    /// assert_eq!(evenstep_host::Axis::ALL.len(), 4);
    /// ```
    pub const ALL: [Self; 4] = [Self::LeftX, Self::LeftY, Self::RightX, Self::RightY];
}

/// Where an axis can stand: from -1 to 1, and in the middle if the value is no number.
pub(crate) const fn axis_in_range(value: f32) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(-1.0, 1.0) }
}

/// One gamepad as of a poll: what a host hands to the [`Driver`](crate::Driver) once a frame.
///
/// ```
/// use evenstep_host::{Button, PadState};
///
/// let mut pad = PadState::default();
/// pad.set(Button::South, true);
/// assert!(pad.is_down(Button::South));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PadState {
    buttons: u32,
    axes: [f32; 4],
}

impl PadState {
    /// Whether a button is down.
    ///
    /// ```
    /// # use evenstep_host::{Button, PadState};
    /// assert!(!PadState::default().is_down(Button::Start));
    /// ```
    pub const fn is_down(&self, button: Button) -> bool {
        self.buttons & (1 << button as u8) != 0
    }

    /// Puts a button down or up.
    ///
    /// ```
    /// # use evenstep_host::{Button, PadState};
    /// let mut pad = PadState::default();
    /// pad.set(Button::Start, true);
    /// pad.set(Button::Start, false);
    /// assert_eq!(pad, PadState::default());
    /// ```
    pub const fn set(&mut self, button: Button, is_down: bool) {
        if is_down {
            self.buttons |= 1 << button as u8;
        } else {
            self.buttons &= !(1 << button as u8);
        }
    }

    /// Where an axis stands, from -1 to 1.
    ///
    /// ```
    /// # use evenstep_host::{Axis, PadState};
    /// assert_eq!(PadState::default().axis(Axis::LeftX), 0.0);
    /// ```
    pub const fn axis(&self, axis: Axis) -> f32 {
        self.axes[axis as usize]
    }

    /// Moves an axis; NaN is the middle.
    ///
    /// ```
    /// # use evenstep_host::{Axis, PadState};
    /// let mut pad = PadState::default();
    /// pad.set_axis(Axis::LeftX, 2.0);
    /// assert_eq!(pad.axis(Axis::LeftX), 1.0);
    /// ```
    pub const fn set_axis(&mut self, axis: Axis, value: f32) {
        self.axes[axis as usize] = axis_in_range(value);
    }

    /// The same with each stick at rest inside its dead zone and running from 0 at the zone's edge to 1.
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

    /// Calls back with every difference from `self` to `next`.
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
    fn a_worn_stick_rests_and_a_pushed_one_reaches_the_end() {
        assert_eq!(stick(0.1, -0.1).with_dead_zone(), PadState::default());
        assert_eq!(stick(-1.0, 0.0).with_dead_zone().axis(Axis::LeftX), -1.0);
        let nearly = stick(0.151, 0.0).with_dead_zone().axis(Axis::LeftX);
        assert!(nearly > 0.0 && nearly < 0.01, "no jump at the zone's edge");
    }

    #[test]
    fn a_poll_that_brings_nothing_new_is_silent() {
        let pad = stick(0.5, 0.5);
        pad.for_each_change(&pad, 0, |event| panic!("{event:?}"));
    }
}
