//! Gamepads through the Gamepad API.

use wasm_bindgen::JsCast;
use web_sys::{Gamepad, GamepadButton, Navigator};

use crate::pad::{Axis, Button, PADS, PadState};

/// Asks for every gamepad's state. A page that may not know gets none.
pub(super) fn poll(navigator: &Navigator, mut on_pad: impl FnMut(u8, Option<PadState>)) {
    let Ok(pads) = navigator.get_gamepads() else {
        return;
    };
    for n in 0..PADS as u8 {
        let pad = pads.get(u32::from(n)).dyn_into::<Gamepad>().ok();
        on_pad(n, pad.filter(Gamepad::connected).map(|pad| read(&pad)));
    }
}

fn read(pad: &Gamepad) -> PadState {
    let mut state = PadState::default();
    for (button, theirs) in Button::ALL.into_iter().zip(pad.buttons().iter()) {
        state.set(button, theirs.dyn_ref().is_some_and(GamepadButton::pressed));
    }
    for (axis, theirs) in Axis::ALL.into_iter().zip(pad.axes().iter()) {
        state.set_axis(axis, theirs.as_f64().unwrap_or_default() as f32);
    }
    state
}
