//! Hit-freeze: a fighter hits every 30 ticks. Each hit holds the game for 80 ms and then slows it down for ten ticks. A
//! pause follows, with three single steps. It needs no window.
//!
//! Run in `adapters/bevy_evenstep`: `cargo run --example hit_freeze`

use core::time::Duration;

use bevy_app::prelude::*;
use bevy_app::{AppExit, ScheduleRunnerPlugin};
use bevy_ecs::prelude::*;
use bevy_evenstep::evenstep::Outcome;
use bevy_evenstep::{Evenstep, EvenstepPlugin};
use bevy_time::TimePlugin;
use bevy_time::prelude::*;

fn main() {
    App::new()
        .add_plugins((TimePlugin, ScheduleRunnerPlugin::run_loop(Duration::from_millis(7))))
        .add_plugins(EvenstepPlugin::hz(60))
        .add_systems(FixedUpdate, fight)
        .add_systems(Update, (report, pause))
        .run();
}

fn fight(mut evenstep: ResMut<Evenstep>, mut ticks: Local<u32>) {
    *ticks += 1;
    if ticks.is_multiple_of(30) {
        println!("tick {}: hit!", *ticks);
        evenstep.hit_freeze(Duration::from_millis(80));
        evenstep.hitstop(10, 0.2);
    }
}

/// Says what changed: running, frozen, slowed down or paused.
fn report(evenstep: Res<Evenstep>, real: Res<Time<Real>>, mut last: Local<&'static str>) {
    let state = match evenstep.frame().outcome() {
        Outcome::Frozen => "frozen",
        Outcome::Paused => "paused",
        Outcome::Ran if evenstep.frame().is_by_hand() => "a single step",
        Outcome::Ran if evenstep.frame().scale() < 1.0 => "slow",
        _ => "running",
    };
    if core::mem::replace(&mut *last, state) != state {
        println!("{:6.3} s: {state}", real.elapsed_secs());
    }
}

/// After a second and a half: a pause, three single steps, and the end.
fn pause(
    mut evenstep: ResMut<Evenstep>,
    mut time: ResMut<Time<Virtual>>,
    real: Res<Time<Real>>,
    mut paused_frames: Local<u32>,
    mut exit: MessageWriter<AppExit>,
) {
    if real.elapsed() < Duration::from_millis(1_500) {
        return;
    }
    time.pause();
    *paused_frames += 1;
    match *paused_frames {
        20 | 40 | 60 => evenstep.step_by_hand(1),
        80 => drop(exit.write(AppExit::Success)),
        _ => {}
    }
}
