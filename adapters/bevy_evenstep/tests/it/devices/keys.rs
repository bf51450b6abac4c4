//! Keys.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::{KeyCode, KeyboardFocusLost};

use super::{Log, rig};
use crate::rig::Rig;

#[test]
fn keys_are_released_when_the_window_loses_focus() {
    let mut rig = rig(|mut log: ResMut<Log>, keys: Res<ButtonInput<KeyCode>>| {
        log.0.push(format!("{} {}", keys.pressed(KeyCode::KeyA), keys.just_released(KeyCode::KeyA)));
    });
    rig.press(KeyCode::KeyA);
    rig.three_ticks();
    rig.log();
    rig.send(KeyboardFocusLost);
    rig.no_tick();
    rig.three_ticks();
    assert_eq!(rig.log(), ["false true", "false false", "false false"]);
}

#[test]
fn keys_that_a_game_resets_are_gone_for_ticks() {
    let mut rig = rig(|mut log: ResMut<Log>, keys: Res<ButtonInput<KeyCode>>| {
        log.0.push(format!("{} {}", keys.pressed(KeyCode::KeyA), keys.just_released(KeyCode::KeyA)));
    });
    rig.press(KeyCode::KeyA);
    rig.three_ticks();
    rig.log();
    rig.app.world_mut().resource_mut::<ButtonInput<KeyCode>>().reset_all();
    rig.three_ticks();
    assert_eq!(rig.log(), ["false false", "false false", "false false"]);
}

fn log_space(mut log: ResMut<Log>, keys: Res<ButtonInput<KeyCode>>) {
    let flag = |is: bool, word: &'static str| if is { word } else { "" };
    let key = KeyCode::Space;
    let pressed = flag(keys.just_pressed(key), "+");
    let released = flag(keys.just_released(key), "-");
    log.0.push(format!("{pressed}{released}{}", flag(keys.pressed(key), "held")));
}

#[test]
fn a_waiting_press_that_a_game_resets_is_gone_for_ticks() {
    let mut rig = rig(log_space);
    rig.press(KeyCode::Space);
    rig.no_tick();
    rig.app.world_mut().resource_mut::<ButtonInput<KeyCode>>().reset_all();
    rig.three_ticks();
    assert_eq!(rig.log(), ["", "", ""]);
    // Also during a pause, which drops presses but not those from before it.
    rig.press(KeyCode::Space);
    rig.no_tick();
    rig.virt().pause();
    rig.app.world_mut().resource_mut::<ButtonInput<KeyCode>>().reset_all();
    rig.no_tick();
    rig.virt().unpause();
    rig.three_ticks();
    assert_eq!(rig.log(), ["", "", ""]);
}

#[test]
fn a_waiting_press_that_is_reset_before_the_loop_of_a_later_frame_is_gone_for_ticks() {
    #[derive(Resource)]
    struct Resets(bool);
    let mut rig = rig(log_space);
    let reset = |mut resets: ResMut<Resets>, mut keys: ResMut<ButtonInput<KeyCode>>| {
        if core::mem::take(&mut resets.0) {
            keys.reset_all();
        }
    };
    rig.app.insert_resource(Resets(false)).add_systems(PreUpdate, reset.after(bevy_input::InputSystems));
    rig.press(KeyCode::Space);
    rig.no_tick();
    rig.app.insert_resource(Resets(true));
    rig.three_ticks();
    assert_eq!(rig.log(), ["", "", ""]);
}

/// What the next tick does to the keys.
#[derive(Resource, Default)]
struct Write(Option<fn(&mut ButtonInput<KeyCode>)>);

fn writing_rig() -> Rig {
    let mut rig = rig(log_space);
    let write = |mut write: ResMut<Write>, mut keys: ResMut<ButtonInput<KeyCode>>| {
        if let Some(write) = write.0.take() {
            write(&mut keys);
        }
    };
    rig.app.init_resource::<Write>().add_systems(FixedPreUpdate, write);
    rig
}

#[test]
fn what_a_tick_writes_is_gone_after_the_frame_s_ticks_with_and_without_other_input() {
    for has_edge in [false, true] {
        let mut rig = writing_rig();
        let edge = |rig: &mut Rig| {
            if has_edge {
                rig.press(KeyCode::KeyA);
                rig.release(KeyCode::KeyA);
            }
        };
        rig.app.insert_resource(Write(Some(|keys| keys.press(KeyCode::Space))));
        edge(&mut rig);
        rig.three_ticks();
        assert_eq!(rig.log(), ["+held", "held", "held"]);
        assert!(!rig.resource::<ButtonInput<KeyCode>>().pressed(KeyCode::Space));
        rig.three_ticks();
        assert_eq!(rig.log(), ["", "", ""]);
        rig.press(KeyCode::Space);
        rig.three_ticks();
        rig.log();
        rig.app.insert_resource(Write(Some(ButtonInput::release_all)));
        edge(&mut rig);
        rig.three_ticks();
        assert_eq!(rig.log(), ["-", "", ""]);
        assert!(rig.resource::<ButtonInput<KeyCode>>().pressed(KeyCode::Space));
        rig.three_ticks();
        assert_eq!(rig.log(), ["held", "held", "held"]);
    }
}

#[test]
fn a_press_that_a_tick_writes_before_a_pause_is_not_released_after_it() {
    let mut rig = writing_rig();
    rig.app.insert_resource(Write(Some(|keys| keys.press(KeyCode::Space))));
    rig.three_ticks();
    rig.virt().pause();
    rig.no_tick();
    rig.log();
    rig.virt().unpause();
    rig.three_ticks();
    assert_eq!(rig.log(), ["", "", ""]);
}
