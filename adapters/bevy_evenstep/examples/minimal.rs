//! The smallest app: a ball that falls in `FixedUpdate`, at 60 ticks a second, for two seconds. It needs no window.
//!
//! Run in `adapters/bevy_evenstep`: `cargo run --example minimal`

use core::time::Duration;

use bevy_app::prelude::*;
use bevy_app::{AppExit, ScheduleRunnerPlugin};
use bevy_ecs::prelude::*;
use bevy_evenstep::{Evenstep, EvenstepPlugin};
use bevy_time::TimePlugin;
use bevy_time::prelude::*;

#[derive(Resource, Default)]
struct Ball {
    height: f32,
    speed: f32,
}

fn main() {
    App::new()
        // With a window, this is DefaultPlugins.
        .add_plugins((TimePlugin, ScheduleRunnerPlugin::run_loop(Duration::from_millis(7))))
        .add_plugins(EvenstepPlugin::hz(60))
        .insert_resource(Ball { height: 20.0, speed: 0.0 })
        .add_systems(FixedUpdate, fall)
        .add_systems(Update, report)
        .run();
}

fn fall(mut ball: ResMut<Ball>, time: Res<Time>) {
    ball.speed -= 9.81 * time.delta_secs();
    ball.height += ball.speed * time.delta_secs();
}

fn report(
    ball: Res<Ball>,
    evenstep: Res<Evenstep>,
    fixed: Res<Time<Fixed>>,
    mut exit: MessageWriter<AppExit>,
) {
    if evenstep.frame().steps() > 0 {
        println!("{:5.2} m after {:.3} s; {}", ball.height, fixed.elapsed_secs(), evenstep.explain());
    }
    if fixed.elapsed() >= Duration::from_secs(2) {
        exit.write(AppExit::Success);
    }
}
