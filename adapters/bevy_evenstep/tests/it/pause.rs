//! Pauses: what they do to input and to messages.

use core::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use bevy_evenstep::evenstep::Gate;
use bevy_evenstep::{EvenstepPlugin, PausedInput};
use bevy_input::ButtonInput;
use bevy_input::keyboard::{KeyCode, KeyboardInput};
use bevy_input::mouse::{AccumulatedMouseMotion, MouseMotion};
use bevy_math::Vec2;

use crate::rig::{Rig, ms};

const KEY: KeyCode = KeyCode::Space;

/// For every tick: just pressed, pressed, just released, mouse motion.
#[derive(Resource, Default)]
struct Log(Vec<(bool, bool, bool, f32)>);

fn log(mut log: ResMut<Log>, keys: Res<ButtonInput<KeyCode>>, motion: Res<AccumulatedMouseMotion>) {
    log.0.push((keys.just_pressed(KEY), keys.pressed(KEY), keys.just_released(KEY), motion.delta.x));
}

fn rig(paused_input: PausedInput) -> Rig {
    let mut rig = Rig::with(EvenstepPlugin::hz(60).with_paused_input(paused_input));
    rig.app.init_resource::<Log>().add_systems(FixedUpdate, log);
    rig.frame_at(Duration::ZERO);
    rig.frames(3, ms(17));
    rig.app.world_mut().resource_mut::<Log>().0.clear();
    rig
}

fn frame(rig: &mut Rig) {
    rig.frame_after(Duration::from_nanos(16_666_667));
}

/// An app after a pause in which a key was tapped and the mouse was moved.
fn tapped_in_a_pause(paused_input: PausedInput) -> Rig {
    let mut rig = rig(paused_input);
    rig.virt().pause();
    frame(&mut rig);
    rig.press(KEY);
    rig.send(MouseMotion { delta: Vec2::X });
    frame(&mut rig);
    rig.release(KEY);
    frame(&mut rig);
    rig.virt().unpause();
    frame(&mut rig);
    rig
}

#[test]
fn presses_during_a_pause_are_dropped() {
    let rig = tapped_in_a_pause(PausedInput::Drop);
    assert_eq!(rig.resource::<Log>().0, [(false, false, false, 0.0)]);
}

#[test]
fn a_key_that_is_down_when_a_pause_ends_is_held_but_not_just_pressed() {
    let mut rig = rig(PausedInput::Drop);
    rig.virt().pause();
    frame(&mut rig);
    rig.press(KEY);
    frame(&mut rig);
    rig.virt().unpause();
    frame(&mut rig);
    rig.release(KEY);
    frame(&mut rig);
    assert_eq!(rig.resource::<Log>().0, [(false, true, false, 0.0), (false, false, true, 0.0)]);
}

#[test]
fn a_key_that_is_let_go_in_the_frame_in_which_a_pause_ends_was_never_there() {
    let mut rig = rig(PausedInput::Drop);
    rig.virt().pause();
    frame(&mut rig);
    rig.press(KEY);
    frame(&mut rig);
    rig.virt().unpause();
    rig.release(KEY);
    frame(&mut rig);
    assert_eq!(rig.resource::<Log>().0, [(false, false, false, 0.0)]);
}

#[test]
fn a_key_that_was_held_before_a_pause_and_let_go_in_it_is_released_once() {
    let mut rig = rig(PausedInput::Drop);
    rig.press(KEY);
    frame(&mut rig);
    rig.virt().pause();
    frame(&mut rig);
    rig.release(KEY);
    frame(&mut rig);
    frame(&mut rig);
    rig.virt().unpause();
    frame(&mut rig);
    frame(&mut rig);
    let expected = [(true, true, false, 0.0), (false, false, true, 0.0), (false, false, false, 0.0)];
    assert_eq!(rig.resource::<Log>().0, expected);
}

#[test]
fn a_key_held_through_a_pause_stays_held_without_being_pressed_again() {
    let mut rig = rig(PausedInput::Drop);
    rig.press(KEY);
    frame(&mut rig);
    rig.virt().pause();
    for _ in 0..10 {
        frame(&mut rig);
    }
    rig.virt().unpause();
    frame(&mut rig);
    assert_eq!(rig.resource::<Log>().0, [(true, true, false, 0.0), (false, true, false, 0.0)]);
}

#[test]
fn a_press_just_before_a_pause_is_not_lost() {
    let mut rig = rig(PausedInput::Drop);
    rig.press(KEY);
    rig.send(MouseMotion { delta: Vec2::X });
    assert_eq!(rig.frame_after(ms(1)), 0);
    rig.virt().pause();
    frame(&mut rig);
    rig.release(KEY);
    frame(&mut rig);
    rig.virt().unpause();
    frame(&mut rig);
    assert_eq!(rig.resource::<Log>().0, [(true, false, true, 1.0)]);
}

#[test]
fn presses_during_a_pause_can_be_kept() {
    let mut rig = tapped_in_a_pause(PausedInput::Keep);
    frame(&mut rig);
    assert_eq!(rig.resource::<Log>().0, [(true, false, true, 1.0), (false, false, false, 0.0)]);
}

#[test]
fn presses_during_a_hit_freeze_wait() {
    let mut rig = rig(PausedInput::Drop);
    rig.evenstep().hit_freeze(ms(50));
    frame(&mut rig);
    rig.press(KEY);
    frame(&mut rig);
    rig.release(KEY);
    frame(&mut rig);
    assert!(rig.resource::<Log>().0.is_empty());
    frame(&mut rig);
    assert_eq!(rig.resource::<Log>().0, [(true, false, true, 0.0)]);
}

#[test]
fn a_menu_and_a_speed_of_zero_are_pauses() {
    for hold in [
        (|rig: &mut Rig| rig.evenstep().set_gate(Gate::Menu)) as fn(&mut Rig),
        |rig| rig.evenstep().set_gate(Gate::Paused),
        |rig| rig.virt().set_relative_speed(0.0),
    ] {
        let mut rig = rig(PausedInput::Drop);
        hold(&mut rig);
        frame(&mut rig);
        assert!(rig.evenstep().is_held());
        rig.press(KEY);
        frame(&mut rig);
        rig.release(KEY);
        frame(&mut rig);
        rig.evenstep().set_gate(Gate::Open);
        rig.virt().set_relative_speed(1.0);
        frame(&mut rig);
        assert_eq!(rig.resource::<Log>().0, [(false, false, false, 0.0)]);
    }
}

#[test]
fn a_step_by_hand_sees_keys_that_are_held_and_presses_of_its_own_frame() {
    let mut rig = rig(PausedInput::Drop);
    rig.virt().pause();
    frame(&mut rig);
    rig.press(KEY);
    frame(&mut rig);
    rig.evenstep().step_by_hand(1);
    frame(&mut rig);
    rig.release(KEY);
    frame(&mut rig);
    rig.evenstep().step_by_hand(2);
    rig.press(KEY);
    frame(&mut rig);
    let expected = [(false, true, false, 0.0), (true, true, true, 0.0), (false, true, false, 0.0)];
    assert_eq!(rig.resource::<Log>().0, expected);
}

fn messages_after_600_frames(mut rig: Rig) -> usize {
    rig.frame_at(Duration::ZERO);
    rig.frames(3, ms(17));
    rig.virt().pause();
    for _ in 0..600 {
        rig.press(KEY);
        rig.release(KEY);
        rig.frame_after(ms(17));
    }
    rig.resource::<Messages<KeyboardInput>>().len()
}

#[test]
fn messages_do_not_pile_up_during_a_pause() {
    let stock = Rig::stock(60.0);
    let plugin = Rig::new();
    let kept = Rig::with(EvenstepPlugin::hz(60).with_paused_input(PausedInput::Keep));
    assert_eq!(messages_after_600_frames(stock), 1_200);
    assert_eq!(messages_after_600_frames(kept), 1_200);
    let left = messages_after_600_frames(plugin);
    assert!(left <= 4, "{left} messages are left");
}

#[test]
fn a_reader_in_update_misses_no_message_of_a_pause() {
    #[derive(Resource, Default)]
    struct Read(usize);
    let mut rig = Rig::new();
    rig.app.init_resource::<Read>().add_systems(
        Update,
        |mut read: ResMut<Read>, mut messages: MessageReader<KeyboardInput>| {
            read.0 += messages.read().count();
        },
    );
    rig.virt().pause();
    for _ in 0..100 {
        rig.press(KEY);
        rig.frame_after(ms(17));
    }
    assert_eq!(rig.resource::<Read>().0, 100);
}

#[test]
fn messages_wait_for_a_tick_through_a_hit_freeze() {
    #[derive(Resource, Default)]
    struct Read(usize);
    let mut rig = Rig::new();
    rig.app.init_resource::<Read>().add_systems(
        FixedUpdate,
        |mut read: ResMut<Read>, mut messages: MessageReader<KeyboardInput>| {
            read.0 += messages.read().count();
        },
    );
    rig.frame_at(Duration::ZERO);
    rig.evenstep().hit_freeze(ms(300));
    for _ in 0..20 {
        rig.press(KEY);
        rig.frame_after(ms(17));
    }
    assert_eq!(rig.resource::<Read>().0, 20);
}
