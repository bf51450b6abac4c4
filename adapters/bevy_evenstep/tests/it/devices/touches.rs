//! Fingers.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_input::touch::{ForceTouch, Touch, TouchInput, TouchPhase, Touches};
use bevy_math::Vec2;

use super::{Log, rig};

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
