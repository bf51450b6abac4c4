//! Gamepads through the Gamepad API.

use wasm_bindgen::JsCast;
use web_sys::{Gamepad, GamepadButton, Navigator};

use crate::pad::{Axis, Button, PADS, PadState};

/// Calls `on_pad` with the state of every gamepad. Does nothing if the page is not allowed to read them.
pub(super) fn poll(navigator: &Navigator, mut on_pad: impl FnMut(u8, Option<PadState>)) {
    let Ok(pads) = navigator.get_gamepads() else {
        return;
    };
    for n in 0..PADS as u8 {
        let pad = pads.get(u32::from(n));
        // The browser's list has nulls for empty slots.
        let pad = (!pad.is_null() && !pad.is_undefined()).then(|| pad.unchecked_into::<Gamepad>());
        on_pad(n, pad.filter(Gamepad::connected).map(|pad| read(&pad)));
    }
}

fn read(pad: &Gamepad) -> PadState {
    let mut state = PadState::default();
    for (button, theirs) in Button::ALL.into_iter().zip(pad.buttons().iter()) {
        state.set(button, theirs.unchecked_ref::<GamepadButton>().pressed());
    }
    for (axis, theirs) in Axis::ALL.into_iter().zip(pad.axes().iter()) {
        state.set_axis(axis, theirs.as_f64().unwrap_or_default() as f32);
    }
    state
}
