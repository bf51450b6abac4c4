//! Interpolation: ten ticks a second, drawn with `bevy_transform_interpolation` (above) and without (below). P pauses,
//! a full stop runs a single tick, F1 hides the overlay.
//!
//! Run in `adapters/bevy_evenstep_examples`:
//! `cargo run --release --ignore-rust-version --features window --example interpolation`

use bevy::prelude::*;
use bevy_evenstep::{Evenstep, EvenstepOverlay, EvenstepOverlayPlugin, EvenstepPlugin};
use bevy_transform_interpolation::prelude::*;

/// Units a second.
#[derive(Component)]
struct Speed(f32);

fn main() {
    App::new()
        .add_plugins(DefaultPlugins)
        .add_plugins((EvenstepPlugin::hz(10), EvenstepOverlayPlugin))
        .add_plugins(TransformInterpolationPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, fly)
        .add_systems(Update, keys)
        .run();
}

fn spawn(mut commands: Commands) {
    commands.spawn(Camera2d);
    let ship = |color, y| {
        (Speed(300.0), Sprite::from_color(color, Vec2::splat(60.0)), Transform::from_xyz(0.0, y, 0.0))
    };
    commands.spawn((ship(Color::srgb(0.3, 0.8, 0.95), 80.0), TransformInterpolation));
    commands.spawn(ship(Color::srgb(0.95, 0.5, 0.3), -80.0));
}

fn fly(mut ships: Query<(&mut Transform, &mut Speed)>, time: Res<Time>) {
    for (mut transform, mut speed) in &mut ships {
        transform.translation.x += speed.0 * time.delta_secs();
        if transform.translation.x.abs() > 500.0 {
            speed.0 = -transform.translation.x.signum() * speed.0.abs();
        }
    }
}

fn keys(
    keys: Res<ButtonInput<KeyCode>>,
    mut time: ResMut<Time<Virtual>>,
    mut evenstep: ResMut<Evenstep>,
    mut overlay: ResMut<EvenstepOverlay>,
) {
    if keys.just_pressed(KeyCode::KeyP) {
        time.toggle();
    }
    if keys.just_pressed(KeyCode::Period) {
        evenstep.step_by_hand(1);
    }
    if keys.just_pressed(KeyCode::F1) {
        overlay.is_visible = !overlay.is_visible;
    }
}
