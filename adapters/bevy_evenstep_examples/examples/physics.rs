//! Physics with avian2d: a box falls every half second. Space kicks them all up, in exactly one tick per press, and
//! freezes the game for 80 ms. F1 hides the overlay.
//!
//! Run in `adapters/bevy_evenstep_examples`:
//! `cargo run --release --ignore-rust-version --features window --example physics`

use core::time::Duration;

use avian2d::prelude::*;
use bevy::prelude::*;
use bevy::time::common_conditions::on_timer;
use bevy_evenstep::{Evenstep, EvenstepOverlay, EvenstepOverlayPlugin, EvenstepPlugin};

fn main() {
    App::new()
        .add_plugins(DefaultPlugins)
        .add_plugins((EvenstepPlugin::hz(60), EvenstepOverlayPlugin))
        // Bodies are drawn between ticks.
        .add_plugins(PhysicsPlugins::default().set(PhysicsInterpolationPlugin::interpolate_all()))
        .insert_resource(Gravity(Vec2::NEG_Y * 900.0))
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, (drop_box.run_if(on_timer(Duration::from_millis(500))), kick))
        .add_systems(Update, toggle)
        .run();
}

fn spawn(mut commands: Commands) {
    commands.spawn(Camera2d);
    let size = Vec2::new(900.0, 40.0);
    commands.spawn((
        RigidBody::Static,
        Collider::rectangle(size.x, size.y),
        Sprite::from_color(Color::srgb(0.3, 0.3, 0.4), size),
        Transform::from_xyz(0.0, -300.0, 0.0),
    ));
}

fn drop_box(mut commands: Commands, mut count: Local<u16>) {
    *count += 1;
    let at = Vec3::new(f32::from(*count * 97 % 600) - 300.0, 350.0, 0.0);
    commands.spawn((
        RigidBody::Dynamic,
        Collider::rectangle(40.0, 40.0),
        Sprite::from_color(Color::hsl(f32::from(*count * 37 % 360), 0.7, 0.6), Vec2::splat(40.0)),
        Transform::from_translation(at).with_rotation(Quat::from_rotation_z(f32::from(*count))),
    ));
}

fn kick(
    keys: Res<ButtonInput<KeyCode>>,
    mut evenstep: ResMut<Evenstep>,
    mut speeds: Query<&mut LinearVelocity>,
) {
    if keys.just_pressed(KeyCode::Space) {
        for mut speed in &mut speeds {
            speed.y += 500.0;
        }
        evenstep.hit_freeze(Duration::from_millis(80));
    }
}

fn toggle(keys: Res<ButtonInput<KeyCode>>, mut overlay: ResMut<EvenstepOverlay>) {
    if keys.just_pressed(KeyCode::F1) {
        overlay.is_visible = !overlay.is_visible;
    }
}
