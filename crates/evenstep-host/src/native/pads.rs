//! Gamepads through gilrs.

use gilrs::{Axis as GilrsAxis, Button as GilrsButton, Gilrs, GilrsBuilder};

use crate::pad::{Axis, Button, PADS, PadState};

/// The system's gamepads, or `None` if the system does not support any.
pub(super) struct Pads(Option<Gilrs>);

impl Pads {
    pub(super) fn new() -> Self {
        // The driver applies its own dead zone, the same in a window and on a page.
        Self(GilrsBuilder::new().with_default_filters(false).build().ok())
    }

    /// Calls `on_pad` with the state of every gamepad.
    pub(super) fn poll(&mut self, mut on_pad: impl FnMut(u8, Option<PadState>)) {
        let Some(gilrs) = &mut self.0 else {
            return;
        };
        // Reading the events updates the states that gilrs keeps.
        while gilrs.next_event().is_some() {}
        let mut states = [None; PADS];
        for (id, pad) in gilrs.gamepads() {
            if let Some(state) = states.get_mut(usize::from(id)) {
                *state = Some(read(&pad));
            }
        }
        for (n, state) in states.into_iter().enumerate() {
            on_pad(n as u8, state);
        }
    }
}

fn read(pad: &gilrs::Gamepad<'_>) -> PadState {
    let mut state = PadState::default();
    for button in Button::ALL {
        state.set(button, pad.is_pressed(to_gilrs(button)));
    }
    // In gilrs, up is positive.
    state.set_axis(Axis::LeftX, pad.value(GilrsAxis::LeftStickX));
    state.set_axis(Axis::LeftY, -pad.value(GilrsAxis::LeftStickY));
    state.set_axis(Axis::RightX, pad.value(GilrsAxis::RightStickX));
    state.set_axis(Axis::RightY, -pad.value(GilrsAxis::RightStickY));
    state
}

const fn to_gilrs(button: Button) -> GilrsButton {
    match button {
        Button::South => GilrsButton::South,
        Button::East => GilrsButton::East,
        Button::West => GilrsButton::West,
        Button::North => GilrsButton::North,
        Button::LeftShoulder => GilrsButton::LeftTrigger,
        Button::RightShoulder => GilrsButton::RightTrigger,
        Button::LeftTrigger => GilrsButton::LeftTrigger2,
        Button::RightTrigger => GilrsButton::RightTrigger2,
        Button::Select => GilrsButton::Select,
        Button::Start => GilrsButton::Start,
        Button::LeftStick => GilrsButton::LeftThumb,
        Button::RightStick => GilrsButton::RightThumb,
        Button::Up => GilrsButton::DPadUp,
        Button::Down => GilrsButton::DPadDown,
        Button::Left => GilrsButton::DPadLeft,
        Button::Right => GilrsButton::DPadRight,
        Button::Mode => GilrsButton::Mode,
    }
}
