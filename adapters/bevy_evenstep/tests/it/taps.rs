//! A tap is seen by exactly one tick.

use core::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_evenstep::EvenstepPlugin;
use bevy_input::ButtonInput;
use bevy_input::keyboard::{Key, KeyCode, KeyboardInput};
use bevy_input::mouse::{AccumulatedMouseMotion, MouseMotion};
use bevy_math::Vec2;
use evenstep_lab::display::{Display, Noise};

use crate::rig::{Frames, Rig};

const TAPS: usize = 1_000;

/// How often ticks saw each tap.
#[derive(Resource)]
struct Seen {
    tap: usize,
    pressed: Vec<u32>,
    released: Vec<u32>,
    logical: Vec<u32>,
    messages: Vec<u32>,
    motion: f64,
}

fn look(
    mut seen: ResMut<Seen>,
    keys: Res<ButtonInput<KeyCode>>,
    logical: Res<ButtonInput<Key>>,
    motion: Res<AccumulatedMouseMotion>,
    mut messages: MessageReader<KeyboardInput>,
) {
    let tap = seen.tap;
    seen.pressed[tap] += u32::from(keys.just_pressed(KeyCode::Space));
    seen.released[tap] += u32::from(keys.just_released(KeyCode::Space));
    seen.logical[tap] += u32::from(logical.just_pressed(Key::Space));
    seen.messages[tap] += messages.read().filter(|message| message.state.is_pressed()).count() as u32;
    seen.motion += f64::from(motion.delta.x);
}

/// Taps a key 1,000 times, for 30 ms each, and moves the mouse by 2 with each tap.
fn tap(mut rig: Rig, display: &Display) -> Seen {
    let none = || vec![0; TAPS + 1];
    let seen =
        Seen { tap: TAPS, pressed: none(), released: none(), logical: none(), messages: none(), motion: 0.0 };
    rig.app.insert_resource(seen).add_systems(FixedUpdate, look);
    // Far enough apart that a slow frame has only one tap, and out of step with every display.
    let at_ns = |tap: usize| 1_000_000_000 + tap as u64 * 137_000_000;
    let mut pressed = 0;
    let mut released = 0;
    for shown in display.frames(7) {
        if released < pressed && shown.stamp_ns >= at_ns(released) + 30_000_000 {
            rig.release(KeyCode::Space);
            released += 1;
        }
        if pressed < TAPS && shown.stamp_ns >= at_ns(pressed) {
            rig.app.world_mut().resource_mut::<Seen>().tap = pressed;
            rig.press(KeyCode::Space);
            rig.send(MouseMotion { delta: Vec2::new(2.0, 0.0) });
            pressed += 1;
            if shown.stamp_ns >= at_ns(released) + 30_000_000 {
                rig.release(KeyCode::Space);
                released += 1;
            }
        }
        rig.frame_at(Duration::from_nanos(shown.stamp_ns));
        if shown.stamp_ns > at_ns(TAPS) {
            break;
        }
    }
    assert_eq!((pressed, released), (TAPS, TAPS));
    rig.app.world_mut().remove_resource::<Seen>().expect("a count")
}

/// Taps that no tick saw, and that more than one saw.
fn wrong(seen: &[u32]) -> (usize, usize) {
    let count = |is_wrong: fn(u32) -> bool| seen[..TAPS].iter().filter(|&&seen| is_wrong(seen)).count();
    (count(|seen| seen == 0), count(|seen| seen > 1))
}

fn displays() -> impl Iterator<Item = Display> {
    [20.0, 60.0, 144.0, 240.0].into_iter().flat_map(|hz| {
        let noisy = Display { noise: Noise::Gauss(0.1), missed: 0.01, ..Display::new(hz) };
        [Display::new(hz), noisy]
    })
}

#[test]
fn each_of_1000_taps_is_seen_by_exactly_one_tick() {
    for display in displays() {
        let seen = tap(Rig::new(), &display);
        for (what, seen_ticks) in
            [("presses", &seen.pressed), ("releases", &seen.released), ("logical keys", &seen.logical)]
        {
            assert_eq!(wrong(seen_ticks), (0, 0), "{what} lost and doubled: {display}");
        }
        assert_eq!(wrong(&seen.messages), (0, 0), "messages lost and doubled: {display}");
        assert_eq!(seen.motion, 2_000.0, "{display}");
    }
}

#[test]
fn bevy_alone_loses_and_doubles_taps() {
    // What the plugin is for. If Bevy changes this, the documentation has to change, too.
    let of = |hz: f64| {
        let noisy = Display { noise: Noise::Gauss(0.1), ..Display::new(hz) };
        let seen = tap(Rig::stock(60.0), &noisy);
        println!("stock at {hz} fps: {:?} lost and doubled, motion {}", wrong(&seen.pressed), seen.motion);
        (wrong(&seen.pressed), seen.motion)
    };
    let ((_, doubled), motion) = of(20.0);
    assert!(doubled == TAPS && motion > 5_000.0);
    let ((lost, doubled), _) = of(60.0);
    assert!(lost > 50 && doubled > 50);
    for hz in [144.0, 240.0] {
        let ((lost, _), motion) = of(hz);
        assert!(lost > 400 && motion < 1_200.0);
    }
}

#[test]
fn a_tap_in_a_frame_without_ticks_waits_and_one_before_three_ticks_goes_to_the_first() {
    let mut rig = Rig::with(EvenstepPlugin::hz(60));
    let seen = Vec::<(u64, bool, bool, bool)>::new();
    rig.app.insert_resource(Log(seen)).add_systems(FixedUpdate, log);
    rig.frame_at(Duration::ZERO);
    rig.press(KeyCode::Space);
    rig.release(KeyCode::Space);
    assert_eq!(rig.frame_after(Duration::from_millis(1)), 0);
    assert_eq!(rig.frame_after(Duration::from_millis(50)), 3);
    rig.press(KeyCode::Space);
    assert_eq!(rig.frame_after(Duration::from_millis(50)), 3);
    rig.release(KeyCode::Space);
    rig.frame_after(Duration::from_millis(50));
    let all = [
        (1, true, false, true),
        (2, false, false, false),
        (3, false, false, false),
        (4, true, true, false),
        (5, false, true, false),
        (6, false, true, false),
        (7, false, false, true),
        (8, false, false, false),
        (9, false, false, false),
    ];
    assert_eq!(rig.resource::<Log>().0, all);
}

/// For every tick: just pressed, pressed, just released.
#[derive(Resource)]
struct Log(Vec<(u64, bool, bool, bool)>);

fn log(mut log: ResMut<Log>, keys: Res<ButtonInput<KeyCode>>) {
    let key = KeyCode::Space;
    let tick = log.0.len() as u64 + 1;
    log.0.push((tick, keys.just_pressed(key), keys.pressed(key), keys.just_released(key)));
}

#[test]
fn update_sees_the_frame_s_own_input_whatever_ticks_saw() {
    let mut rig = Rig::new();
    rig.record_frames();
    rig.frame_at(Duration::ZERO);
    rig.press(KeyCode::Space);
    rig.frame_after(Duration::from_millis(1)); // No tick.
    rig.frame_after(Duration::from_millis(50)); // Three ticks.
    rig.release(KeyCode::Space);
    rig.frame_after(Duration::from_millis(1));
    let (up, pressed, held, released) =
        ((false, false, false), (true, true, false), (false, true, false), (false, false, true));
    assert_eq!(rig.resource::<Frames>().0, [up, pressed, held, released]);
}

#[test]
fn two_taps_between_two_ticks_merge() {
    // A documented limit: a `ButtonInput` is a set.
    let mut rig = Rig::new();
    rig.app.insert_resource(Log(Vec::new())).add_systems(FixedUpdate, log);
    rig.frame_at(Duration::ZERO);
    for _ in 0..2 {
        rig.press(KeyCode::Space);
        rig.release(KeyCode::Space);
        assert_eq!(rig.frame_after(Duration::from_micros(500)), 0);
    }
    rig.frame_after(Duration::from_millis(20));
    assert_eq!(rig.resource::<Log>().0[0], (1, true, false, true));
    // Released and pressed again: all three are seen.
    rig.press(KeyCode::Space);
    rig.frame_after(Duration::from_millis(20));
    rig.release(KeyCode::Space);
    rig.press(KeyCode::Space);
    rig.frame_after(Duration::from_millis(17));
    let &(_, just_pressed, pressed, just_released) = rig.resource::<Log>().0.last().expect("a tick");
    assert!(just_pressed && pressed && just_released);
}
