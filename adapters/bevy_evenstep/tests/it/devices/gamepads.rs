//! Gamepads.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_input::gamepad::{
    Gamepad, GamepadAxis, GamepadButton, GamepadConnection, GamepadConnectionEvent,
    RawGamepadAxisChangedEvent, RawGamepadButtonChangedEvent, RawGamepadEvent,
};

use super::{Log, rig};
use crate::rig::Rig;

fn connect(rig: &mut Rig) -> Entity {
    let pad = rig.app.world_mut().spawn_empty().id();
    let connection = GamepadConnection::Connected { name: "pad".into(), vendor_id: None, product_id: None };
    rig.send(GamepadConnectionEvent::new(pad, connection));
    rig.no_tick();
    pad
}

fn button(pad: Entity, value: f32) -> RawGamepadEvent {
    RawGamepadEvent::Button(RawGamepadButtonChangedEvent::new(pad, GamepadButton::South, value))
}

fn log_pads(mut log: ResMut<Log>, pads: Query<&Gamepad>) {
    let south = GamepadButton::South;
    let words: Vec<String> = pads
        .iter()
        .map(|pad| {
            let flag = |is: bool, word: &'static str| if is { word } else { "" };
            let pressed = flag(pad.just_pressed(south), "+");
            let released = flag(pad.just_released(south), "-");
            format!("{pressed}{released}{} {}", flag(pad.pressed(south), "held"), pad.left_stick().x)
        })
        .collect();
    log.0.push(words.join(", "));
}

#[test]
fn a_gamepad_button_goes_to_one_tick_and_sticks_to_all() {
    let mut rig = rig(log_pads);
    let pad = connect(&mut rig);
    rig.send(button(pad, 1.0));
    rig.no_tick();
    rig.send(button(pad, 0.0));
    rig.no_tick();
    rig.send(RawGamepadEvent::Axis(RawGamepadAxisChangedEvent::new(pad, GamepadAxis::LeftStickX, 1.0)));
    rig.three_ticks();
    assert_eq!(rig.log(), ["+- 1", " 1", " 1"]);
    rig.send(button(pad, 1.0));
    rig.three_ticks();
    assert_eq!(rig.log(), ["+held 1", "held 1", "held 1"]);
    assert!(rig.app.world().get::<Gamepad>(pad).expect("a pad").pressed(GamepadButton::South));
}

#[test]
fn two_gamepads_do_not_mix() {
    let mut rig = rig(log_pads);
    let first = connect(&mut rig);
    connect(&mut rig);
    rig.send(button(first, 1.0));
    rig.no_tick();
    rig.three_ticks();
    assert_eq!(rig.log(), ["+held 0,  0", "held 0,  0", "held 0,  0"]);
}

#[test]
fn a_gamepad_may_go_and_come_back_at_any_time() {
    let mut rig = rig(log_pads);
    let pad = connect(&mut rig);
    rig.send(button(pad, 1.0));
    rig.no_tick();
    rig.send(GamepadConnectionEvent::new(pad, GamepadConnection::Disconnected));
    rig.no_tick();
    rig.three_ticks();
    assert_eq!(rig.log(), ["", "", ""], "what waited went with it");
    let connection = GamepadConnection::Connected { name: "pad".into(), vendor_id: None, product_id: None };
    rig.send(GamepadConnectionEvent::new(pad, connection));
    rig.three_ticks();
    assert_eq!(rig.log(), [" 0", " 0", " 0"], "and does not come back");
    rig.send(button(pad, 1.0));
    rig.three_ticks();
    assert_eq!(rig.log(), ["+held 0", "held 0", "held 0"]);
}

#[test]
fn a_gamepad_may_go_in_the_middle_of_a_tick() {
    for whole_entity in [false, true] {
        let mut rig = rig(log_pads);
        let first = connect(&mut rig);
        let second = connect(&mut rig);
        rig.app.add_systems(FixedPostUpdate, move |world: &mut World| {
            if whole_entity {
                world.despawn(first);
            } else if let Ok(mut pad) = world.get_entity_mut(first) {
                pad.remove::<Gamepad>();
            }
        });
        rig.send(button(first, 1.0));
        rig.send(button(second, 1.0));
        rig.no_tick();
        rig.three_ticks();
        assert_eq!(rig.log(), ["+held 0, +held 0", "held 0", "held 0"]);
        rig.send(button(second, 0.0));
        rig.three_ticks();
        assert_eq!(rig.log(), ["- 0", " 0", " 0"]);
    }
}

#[test]
fn what_a_tick_writes_to_a_gamepad_is_gone_after_the_frame_s_ticks() {
    let mut rig = rig(log_pads);
    let pad = connect(&mut rig);
    rig.send(button(pad, 1.0));
    rig.three_ticks();
    rig.log();
    let release = |mut pads: Query<&mut Gamepad>, mut is_done: Local<bool>| {
        if !core::mem::replace(&mut *is_done, true) {
            pads.iter_mut().for_each(|mut pad| pad.digital_mut().release_all());
        }
    };
    rig.app.add_systems(FixedPreUpdate, release);
    rig.three_ticks();
    assert_eq!(rig.log(), ["- 0", " 0", " 0"]);
    assert!(rig.app.world().get::<Gamepad>(pad).expect("a pad").pressed(GamepadButton::South));
    rig.three_ticks();
    assert_eq!(rig.log(), ["held 0", "held 0", "held 0"]);
}
