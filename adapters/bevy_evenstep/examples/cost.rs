//! What a frame costs with Bevy's own fixed loop and with this plugin: an app without a window, in which a key is tapped
//! and the mouse moves.
//!
//! Run: `cargo xtask bench bevy`
//! Times only: `cargo run --release --example cost`
//! For counting instructions: `--only 0 --frames 20000`

#![cfg_attr(
    not(target_arch = "wasm32"),
    expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")
)]

use core::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_evenstep::EvenstepPlugin;
use bevy_input::keyboard::{Key, KeyCode, KeyboardInput};
use bevy_input::mouse::{AccumulatedMouseMotion, MouseMotion};
use bevy_input::{ButtonInput, ButtonState, InputPlugin};
use bevy_math::Vec2;
use bevy_platform::time::Instant;
use bevy_time::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};

const FRAMES: u32 = 20_000;
const ROUNDS: u32 = 15;

/// The frame rates, each with and without the plugin.
const CASES: [(&str, u64, bool); 4] = [
    ("Bevy, 60 frames/s", 60, false),
    ("with the plugin, 60 frames/s", 60, true),
    ("Bevy, 144 frames/s", 144, false),
    ("with the plugin, 144 frames/s", 144, true),
];

#[derive(Resource, Default)]
struct Score(f32);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [only, case, frames, count] = &arguments[..]
        && (only.as_str(), frames.as_str()) == ("--only", "--frames")
    {
        let case: usize = case.parse().expect("the number of a case after --only");
        run(&mut app(CASES[case].2), CASES[case].1, count.parse().expect("a number after --frames"));
        return;
    }
    assert!(arguments.is_empty(), "usage: cost [--only CASE --frames COUNT]");
    // The best of several rounds, in turn: what else the machine does disturbs all cases alike.
    let mut best = [Duration::MAX; CASES.len()];
    for _ in 0..ROUNDS {
        for (best, (_, fps, with_plugin)) in best.iter_mut().zip(CASES) {
            let mut app = app(with_plugin);
            run(&mut app, fps, 500);
            let start = Instant::now();
            run(&mut app, fps, FRAMES);
            *best = (*best).min(start.elapsed());
        }
    }
    for ((name, ..), best) in CASES.iter().zip(best) {
        println!("{name}\t{}", best.as_secs_f64() * 1e9 / f64::from(FRAMES));
    }
}

fn app(with_plugin: bool) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, InputPlugin)).insert_resource(Time::<Fixed>::from_hz(60.0));
    if with_plugin {
        app.add_plugins(EvenstepPlugin::default());
    }
    app.init_resource::<Score>().add_systems(FixedUpdate, play);
    app.finish();
    app.cleanup();
    app
}

fn play(mut score: ResMut<Score>, keys: Res<ButtonInput<KeyCode>>, motion: Res<AccumulatedMouseMotion>) {
    score.0 += motion.delta.x + f32::from(u8::from(keys.just_pressed(KeyCode::Space)));
}

/// Runs frames, with a tap every tenth of them and a motion every other.
fn run(app: &mut App, fps: u64, frames: u32) {
    let window = Entity::PLACEHOLDER;
    let key_code = KeyCode::Space;
    let logical_key = Key::Space;
    let up = KeyboardInput {
        key_code,
        logical_key,
        state: ButtonState::Released,
        text: None,
        repeat: false,
        window,
    };
    let down = KeyboardInput { state: ButtonState::Pressed, ..up.clone() };
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_nanos(1_000_000_000 / fps)));
    for n in 0..frames {
        let world = app.world_mut();
        match n % 10 {
            0 => drop(world.write_message(down.clone())),
            3 => drop(world.write_message(up.clone())),
            _ => {}
        }
        if n % 2 == 0 {
            world.write_message(MouseMotion { delta: Vec2::X });
        }
        app.update();
    }
}
