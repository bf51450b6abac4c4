//! Mouse buttons and the wheel.

use bevy_ecs::prelude::*;
use bevy_input::mouse::{AccumulatedMouseScroll, MouseButton, MouseButtonInput, MouseScrollUnit, MouseWheel};
use bevy_input::touch::TouchPhase;
use bevy_input::{ButtonInput, ButtonState};

use super::{Log, rig};

#[test]
fn a_click_goes_to_one_tick() {
    let mut rig = rig(|mut log: ResMut<Log>, buttons: Res<ButtonInput<MouseButton>>| {
        log.0.push(format!("{:?}", buttons.get_just_pressed().collect::<Vec<_>>()));
    });
    let click = |state| MouseButtonInput { button: MouseButton::Left, state, window: Entity::PLACEHOLDER };
    rig.send(click(ButtonState::Pressed));
    rig.send(click(ButtonState::Released));
    rig.no_tick();
    rig.no_tick();
    rig.three_ticks();
    assert_eq!(rig.log(), ["[Left]", "[]", "[]"]);
}

#[test]
fn scroll_adds_up_until_a_tick_in_the_unit_of_the_latest() {
    let mut rig = rig(|mut log: ResMut<Log>, scroll: Res<AccumulatedMouseScroll>| {
        log.0.push(format!("{} {:?}", scroll.delta.y, scroll.unit));
    });
    let wheel =
        |unit, y| MouseWheel { unit, x: 0.0, y, window: Entity::PLACEHOLDER, phase: TouchPhase::Moved };
    rig.send(wheel(MouseScrollUnit::Line, 1.0));
    rig.no_tick();
    rig.send(wheel(MouseScrollUnit::Line, 2.0));
    rig.no_tick();
    rig.no_tick();
    rig.three_ticks();
    assert_eq!(rig.log(), ["3 Line", "0 Line", "0 Line"]);
    rig.send(wheel(MouseScrollUnit::Line, 1.0));
    rig.no_tick();
    rig.send(wheel(MouseScrollUnit::Pixel, 5.0));
    rig.no_tick();
    rig.no_tick();
    rig.three_ticks();
    assert_eq!(rig.log(), ["105 Pixel", "0 Line", "0 Line"]);
}
