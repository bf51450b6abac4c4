//! Every device: mouse, touch, gamepads, and a resource of the game's own.

use core::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_evenstep::{AddTickInput, EvenstepPlugin, TickInput};
use bevy_input::gamepad::{
    Gamepad, GamepadAxis, GamepadButton, GamepadConnection, GamepadConnectionEvent,
    RawGamepadAxisChangedEvent, RawGamepadButtonChangedEvent, RawGamepadEvent,
};
use bevy_input::keyboard::{KeyCode, KeyboardFocusLost};
use bevy_input::mouse::{AccumulatedMouseScroll, MouseButton, MouseButtonInput, MouseScrollUnit, MouseWheel};
use bevy_input::touch::{ForceTouch, Touch, TouchInput, TouchPhase, Touches};
use bevy_input::{ButtonInput, ButtonState};
use bevy_math::Vec2;
use bevy_time::TimePlugin;

use crate::rig::{Rig, ms};

/// What ticks saw, as words.
#[derive(Resource, Default)]
struct Log(Vec<String>);

fn rig<M>(system: impl IntoSystem<(), (), M> + 'static) -> Rig {
    let mut app = App::new();
    app.add_plugins((TimePlugin, bevy_input::InputPlugin, EvenstepPlugin::hz(60)));
    app.init_resource::<Log>();
    let id = app.register_system(system);
    app.add_systems(FixedUpdate, move |world: &mut World| {
        world.run_system(id).expect("the test's system runs");
    });
    let mut rig = Rig::of(app);
    rig.frame_at(Duration::ZERO);
    rig
}

impl Rig {
    fn no_tick(&mut self) {
        assert_eq!(self.frame_after(Duration::from_micros(100)), 0);
    }

    fn three_ticks(&mut self) {
        assert_eq!(self.frame_after(ms(50)), 3);
    }

    fn log(&mut self) -> Vec<String> {
        core::mem::take(&mut self.app.world_mut().resource_mut::<Log>().0)
    }
}

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

fn touch(phase: TouchPhase, id: u64, x: f32) -> TouchInput {
    TouchInput { phase, position: Vec2::new(x, 0.0), window: Entity::PLACEHOLDER, force: None, id }
}

fn log_touches(mut log: ResMut<Log>, touches: Res<Touches>) {
    let mut words = Vec::new();
    let ids = |name: &str, ids: Vec<u64>| (!ids.is_empty()).then(|| format!("{name}{ids:?}"));
    words.extend(ids("+", touches.iter_just_pressed().map(Touch::id).collect()));
    words.extend(ids("-", touches.iter_just_released().map(Touch::id).collect()));
    words.extend(ids("x", touches.iter_just_canceled().map(Touch::id).collect()));
    words.extend(touches.iter().map(|touch| format!("{}:{}", touch.position().x, touch.delta().x)));
    log.0.push(words.join(" "));
}

#[test]
fn a_touch_goes_to_one_tick_and_its_motion_adds_up() {
    let mut rig = rig(log_touches);
    rig.send(touch(TouchPhase::Started, 1, 10.0));
    rig.no_tick();
    rig.send(touch(TouchPhase::Moved, 1, 12.0));
    rig.no_tick();
    rig.send(touch(TouchPhase::Moved, 1, 15.0));
    rig.no_tick();
    rig.three_ticks();
    assert_eq!(rig.log(), ["+[1] 15:5", "15:0", "15:0"]);
    rig.send(touch(TouchPhase::Moved, 1, 25.0));
    rig.three_ticks();
    assert_eq!(rig.log(), ["25:10", "25:0", "25:0"]);
    rig.three_ticks();
    assert_eq!(rig.log(), ["25:0", "25:0", "25:0"]);
    rig.send(touch(TouchPhase::Ended, 1, 25.0));
    rig.no_tick();
    rig.send(touch(TouchPhase::Started, 2, 1.0));
    rig.send(touch(TouchPhase::Ended, 2, 1.0));
    rig.no_tick();
    rig.no_tick();
    rig.three_ticks();
    let log = rig.log();
    assert!(log[0] == "+[2] -[1, 2]" || log[0] == "+[2] -[2, 1]", "{}", log[0]);
    assert_eq!(log[1..], ["", ""]);
    rig.send(touch(TouchPhase::Started, 3, 1.0));
    rig.three_ticks();
    rig.send(touch(TouchPhase::Canceled, 3, 1.0));
    rig.no_tick();
    rig.three_ticks();
    assert_eq!(rig.log(), ["+[3] 1:0", "1:0", "1:0", "x[3]", "", ""]);
    assert_eq!(rig.resource::<Touches>().iter().count(), 0, "the frame's own are untouched");
    // Lifted and put down elsewhere within a frame: not a motion.
    rig.send(touch(TouchPhase::Started, 4, 1.0));
    rig.three_ticks();
    rig.send(touch(TouchPhase::Ended, 4, 1.0));
    rig.send(touch(TouchPhase::Started, 4, 90.0));
    rig.three_ticks();
    assert_eq!(rig.log(), ["+[4] 1:0", "1:0", "1:0", "+[4] -[4] 90:0", "90:0", "90:0"]);
}

#[test]
fn touches_follow_the_policy_of_a_pause() {
    let mut rig = rig(log_touches);
    rig.send(touch(TouchPhase::Started, 1, 0.0));
    rig.three_ticks();
    rig.virt().pause();
    rig.no_tick();
    rig.send(touch(TouchPhase::Started, 2, 5.0));
    rig.send(touch(TouchPhase::Started, 3, 6.0));
    rig.no_tick();
    rig.send(touch(TouchPhase::Ended, 1, 0.0));
    rig.send(touch(TouchPhase::Ended, 3, 6.0));
    rig.no_tick();
    rig.log();
    rig.virt().unpause();
    rig.three_ticks();
    assert_eq!(rig.log(), ["-[1] 5:0", "5:0", "5:0"], "2 is held, and 3 never was");
    rig.send(touch(TouchPhase::Ended, 2, 5.0));
    rig.three_ticks();
    assert_eq!(rig.log(), ["-[2]", "", ""]);
}

#[test]
fn touches_that_a_game_resets_are_gone_for_ticks() {
    let mut rig = rig(log_touches);
    rig.send(touch(TouchPhase::Started, 1, 0.0));
    rig.three_ticks();
    rig.log();
    rig.app.world_mut().resource_mut::<Touches>().reset_all();
    rig.three_ticks();
    assert_eq!(rig.log(), ["", "", ""]);
}

#[test]
fn a_touch_that_is_reset_before_its_first_tick_is_gone_for_ticks() {
    let mut rig = rig(log_touches);
    rig.send(touch(TouchPhase::Started, 1, 1.0));
    rig.no_tick();
    rig.app.world_mut().resource_mut::<Touches>().reset_all();
    rig.three_ticks();
    rig.send(touch(TouchPhase::Ended, 1, 1.0));
    rig.three_ticks();
    assert_eq!(rig.log(), ["", "", "", "", "", ""]);
    // A finger that ticks know is lifted, and the one after it with the same id is reset.
    rig.send(touch(TouchPhase::Started, 1, 1.0));
    rig.three_ticks();
    rig.log();
    rig.send(touch(TouchPhase::Ended, 1, 1.0));
    rig.no_tick();
    rig.send(touch(TouchPhase::Started, 1, 5.0));
    rig.no_tick();
    rig.app.world_mut().resource_mut::<Touches>().reset_all();
    rig.three_ticks();
    assert_eq!(rig.log(), ["-[1]", "", ""]);
}

#[test]
fn a_finger_that_is_put_down_again_after_a_pause_is_pressed_once() {
    let mut rig = rig(log_touches);
    rig.virt().pause();
    rig.no_tick();
    rig.send(touch(TouchPhase::Started, 1, 1.0));
    rig.no_tick();
    rig.virt().unpause();
    rig.no_tick();
    rig.send(touch(TouchPhase::Ended, 1, 1.0));
    rig.no_tick();
    rig.send(touch(TouchPhase::Started, 1, 9.0));
    rig.no_tick();
    rig.three_ticks();
    assert_eq!(rig.log(), ["+[1] -[1] 9:0", "9:0", "9:0"]);
    // The same, for a finger that ticks knew before the pause.
    rig.virt().pause();
    rig.send(touch(TouchPhase::Ended, 1, 9.0));
    rig.no_tick();
    rig.send(touch(TouchPhase::Started, 1, 2.0));
    rig.no_tick();
    rig.virt().unpause();
    rig.no_tick();
    rig.send(touch(TouchPhase::Ended, 1, 2.0));
    rig.no_tick();
    rig.send(touch(TouchPhase::Started, 1, 3.0));
    rig.no_tick();
    rig.three_ticks();
    assert_eq!(rig.log(), ["+[1] -[1] 3:0", "3:0", "3:0"]);
}

#[test]
fn a_tap_that_waits_through_a_pause_is_seen_although_its_finger_is_down_again() {
    let mut rig = rig(log_touches);
    rig.send(touch(TouchPhase::Started, 1, 1.0));
    rig.send(touch(TouchPhase::Ended, 1, 1.0));
    rig.no_tick();
    rig.virt().pause();
    rig.no_tick();
    rig.send(touch(TouchPhase::Started, 1, 2.0));
    rig.no_tick();
    rig.virt().unpause();
    rig.three_ticks();
    assert_eq!(rig.log(), ["+[1] -[1] 2:0", "2:0", "2:0"]);
}

#[test]
fn the_force_of_a_touch_reaches_ticks_without_motion() {
    let mut rig = rig(|mut log: ResMut<Log>, touches: Res<Touches>| {
        log.0.extend(touches.iter().map(|touch| format!("{:?}", touch.force())));
    });
    let touch =
        |phase, force| TouchInput { force: Some(ForceTouch::Normalized(force)), ..touch(phase, 1, 1.0) };
    rig.send(touch(TouchPhase::Started, 0.1));
    rig.three_ticks();
    rig.log();
    rig.send(touch(TouchPhase::Moved, 0.9));
    rig.no_tick();
    rig.three_ticks();
    assert_eq!(rig.log(), ["Some(Normalized(0.9))"; 3]);
}

#[test]
fn a_finger_that_went_down_in_a_pause_starts_where_it_did_and_has_not_moved() {
    let mut rig = rig(|mut log: ResMut<Log>, touches: Res<Touches>| {
        let words = |touch: &Touch| format!("{} {}", touch.start_position().x, touch.delta().x);
        log.0.extend(touches.iter().map(words));
    });
    rig.virt().pause();
    rig.no_tick();
    rig.send(touch(TouchPhase::Started, 1, 1.0));
    rig.no_tick();
    rig.send(touch(TouchPhase::Moved, 1, 50.0));
    rig.no_tick();
    rig.virt().unpause();
    rig.three_ticks();
    assert_eq!(rig.log(), ["1 0", "1 0", "1 0"]);
}

#[test]
fn what_a_tick_writes_to_touches_is_gone_after_the_frame_s_ticks() {
    let mut rig = rig(log_touches);
    rig.send(touch(TouchPhase::Started, 1, 1.0));
    rig.three_ticks();
    rig.log();
    rig.app.add_systems(FixedPreUpdate, |mut touches: ResMut<Touches>, mut is_done: Local<bool>| {
        if !core::mem::replace(&mut *is_done, true) {
            touches.release_all();
        }
    });
    rig.send(touch(TouchPhase::Moved, 1, 3.0));
    rig.three_ticks();
    assert_eq!(rig.log(), ["-[1]", "", ""]);
    rig.three_ticks();
    assert_eq!(rig.log(), ["3:0", "3:0", "3:0"]);
}

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
    let (first, _) = (connect(&mut rig), connect(&mut rig));
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
        let (first, second) = (connect(&mut rig), connect(&mut rig));
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
    let (pressed, released) = (flag(keys.just_pressed(key), "+"), flag(keys.just_released(key), "-"));
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

/// A game's own input: letters typed.
#[derive(Resource, Default)]
struct Typed(String);

impl TickInput for Typed {
    fn gather(&mut self, frame: &Self) {
        self.0.push_str(&frame.0);
    }

    fn tick_done(&mut self) {
        self.0.clear();
    }
}

#[test]
fn a_resource_of_the_game_s_own_is_exactly_once_too() {
    let mut rig = rig(|mut log: ResMut<Log>, typed: Res<Typed>| log.0.push(typed.0.clone()));
    rig.app.init_resource::<Typed>().add_tick_input::<Typed>().add_tick_input::<Typed>();
    for letter in ["a", "b", ""] {
        rig.app.insert_resource(Typed(letter.into()));
        rig.no_tick();
    }
    rig.three_ticks();
    assert_eq!(rig.log(), ["ab", "", ""], "although it is registered twice");
    // The default drops it during a pause.
    rig.virt().pause();
    rig.no_tick();
    rig.app.insert_resource(Typed("c".into()));
    rig.no_tick();
    rig.app.insert_resource(Typed(String::new()));
    rig.virt().unpause();
    rig.three_ticks();
    assert_eq!(rig.log(), ["", "", ""]);
}

#[test]
fn buttons_of_the_game_s_own_can_be_registered() {
    let mut rig = rig(|mut log: ResMut<Log>, actions: Res<ButtonInput<&'static str>>| {
        log.0.push(format!("{}", actions.just_pressed("jump")));
    });
    rig.app.init_resource::<ButtonInput<&'static str>>().add_tick_input::<ButtonInput<&'static str>>();
    rig.app.add_systems(PreUpdate, |mut actions: ResMut<ButtonInput<&'static str>>| actions.clear());
    rig.app.add_systems(
        bevy_app::RunFixedMainLoop,
        (|mut actions: ResMut<ButtonInput<&'static str>>, mut done: Local<bool>| {
            if !core::mem::replace(&mut *done, true) {
                actions.press("jump");
            }
        })
        .in_set(bevy_app::RunFixedMainLoopSystems::BeforeFixedMainLoop),
    );
    rig.no_tick();
    rig.three_ticks();
    assert_eq!(rig.log(), ["true", "false", "false"]);
}

#[test]
fn a_resource_that_comes_and_goes_is_harmless() {
    let mut rig = rig(|mut log: ResMut<Log>, typed: Option<Res<Typed>>| {
        log.0.push(typed.map_or("none".into(), |typed| typed.0.clone()));
    });
    rig.app.add_tick_input::<Typed>();
    rig.three_ticks();
    rig.app.insert_resource(Typed("a".into()));
    rig.three_ticks();
    rig.app.add_systems(FixedPostUpdate, |mut commands: Commands| commands.remove_resource::<Typed>());
    rig.three_ticks();
    rig.three_ticks();
    let expected = ["none", "none", "none", "a", "", "", "a", "none", "none", "none", "none", "none"];
    assert_eq!(rig.log(), expected);
}
