//! Gamepads: components, each with buttons of its own. Sticks and triggers are states, and need nothing.

use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::gamepad::{Gamepad, GamepadButton};

use super::{Latch, TickInput};

/// The buttons that ticks see, of all connected gamepads.
#[derive(Default)]
pub(super) struct Gamepads {
    query: Option<QueryState<(Entity, &'static mut Gamepad)>>,
    pads: Vec<Pad>,
}

struct Pad {
    entity: Entity,
    buttons: ButtonInput<GamepadButton>,
    is_connected: bool,
    is_in: bool,
}

impl Latch for Gamepads {
    fn gather(&mut self, world: &mut World, drops: bool) -> bool {
        let query = self.query.get_or_insert_with(|| world.query());
        for pad in &mut self.pads {
            pad.is_connected = false;
        }
        for (entity, gamepad) in query.iter(world) {
            let known = self.pads.iter().position(|pad| pad.entity == entity);
            let index = known.unwrap_or(self.pads.len());
            if known.is_none() {
                self.pads.push(Pad {
                    entity,
                    buttons: ButtonInput::default(),
                    is_connected: true,
                    is_in: false,
                });
            }
            let pad = &mut self.pads[index];
            pad.is_connected = true;
            if drops {
                pad.buttons.gather_paused(gamepad.digital());
            } else {
                pad.buttons.gather(gamepad.digital());
            }
        }
        self.pads.retain(|pad| pad.is_connected);
        !self.pads.is_empty()
    }

    fn enter(&mut self, world: &mut World) {
        for pad in &mut self.pads {
            pad.is_in = pad.swap(world);
        }
    }

    fn tick_done(&mut self, world: &mut World) {
        for pad in self.pads.iter().filter(|pad| pad.is_in) {
            if let Some(mut gamepad) = world.get_mut::<Gamepad>(pad.entity) {
                gamepad.bypass_change_detection().digital_mut().tick_done();
            }
        }
    }

    fn leave(&mut self, world: &mut World) {
        // A pad that was disconnected during a tick takes its buttons with it.
        self.pads.retain_mut(|pad| !core::mem::take(&mut pad.is_in) || pad.swap(world));
    }
}

impl Pad {
    /// Swaps the buttons of the gamepad for the other instance. Returns whether the gamepad is still there.
    fn swap(&mut self, world: &mut World) -> bool {
        let gamepad = world.get_mut::<Gamepad>(self.entity);
        let swap = |mut gamepad: Mut<Gamepad>| {
            core::mem::swap(gamepad.bypass_change_detection().digital_mut(), &mut self.buttons);
        };
        gamepad.map(swap).is_some()
    }
}
