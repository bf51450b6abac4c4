//! avian2d, unmodified, on top of the plugin.

#![expect(
    clippy::disallowed_methods,
    reason = "Bevy's timestamps are instants, so each test starts from one"
)]

use core::time::Duration;

use avian2d::prelude::*;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_evenstep::EvenstepPlugin;
use evenstep_lab::display::{Display, Noise};

/// Ticks, steps of the physics, and the state of all bodies after a number of ticks.
#[derive(Resource, Default)]
struct Seen {
    ticks: u64,
    steps: u64,
    time: Duration,
    after: Vec<(u64, Vec<[u32; 5]>)>,
}

/// A pile of boxes that falls, at this many frames a second.
fn play(fps: f64) -> Seen {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default()));
    app.add_plugins(EvenstepPlugin::hz(60))
        .insert_resource(Gravity(Vec2::NEG_Y * 9.81))
        .init_resource::<Seen>()
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn((RigidBody::Static, Collider::rectangle(80.0, 1.0), Transform::default()));
            for n in 0_u8..24 {
                let at = Vec3::new(f32::from(n % 4) * 1.1 - 2.0, 3.0 + f32::from(n / 4) * 1.3, 0.0);
                let turned = Quat::from_rotation_z(f32::from(n) * 0.1);
                let place = Transform::from_translation(at).with_rotation(turned);
                commands.spawn((RigidBody::Dynamic, Collider::rectangle(1.0, 1.0), place));
            }
        })
        .add_systems(FixedFirst, |mut seen: ResMut<Seen>| seen.ticks += 1)
        .add_systems(PhysicsSchedule, count.in_set(PhysicsStepSystems::First))
        .add_systems(FixedLast, record);
    app.finish();
    app.cleanup();

    let start = bevy::platform::time::Instant::now();
    let display = Display { noise: Noise::Gauss(0.3), missed: 0.02, ..Display::new(fps) };
    for shown in display.frames(5).take_while(|shown| shown.stamp_ns < 6_000_000_000) {
        let now = start + Duration::from_nanos(shown.stamp_ns);
        app.insert_resource(TimeUpdateStrategy::ManualInstant(now));
        app.update();
    }
    app.world_mut().remove_resource::<Seen>().expect("what was seen")
}

fn count(mut seen: ResMut<Seen>, time: Res<Time<Physics>>) {
    seen.steps += 1;
    seen.time = time.elapsed();
}

fn record(
    mut seen: ResMut<Seen>,
    bodies: Query<(Entity, &Position, &Rotation, &LinearVelocity), With<RigidBody>>,
) {
    if seen.ticks.is_multiple_of(60) {
        let mut all: Vec<(Entity, [u32; 5])> = bodies
            .iter()
            .map(|(id, at, turn, speed)| (id, [at.x, at.y, turn.sin, turn.cos, speed.y].map(f32::to_bits)))
            .collect();
        all.sort_unstable_by_key(|&(id, _)| id);
        let ticks = seen.ticks;
        seen.after.push((ticks, all.into_iter().map(|(_, body)| body).collect()));
    }
}

#[test]
fn physics_steps_once_a_tick_and_gives_the_same_result_at_30_60_and_144_fps() {
    let runs = [30.0, 60.0, 144.0].map(play);
    for seen in &runs {
        assert_eq!(seen.ticks, seen.steps);
        assert!(seen.ticks.abs_diff(300) < 60, "{} ticks", seen.ticks);
        let step = Duration::from_nanos(16_666_667);
        assert_eq!(seen.time, step * seen.ticks as u32, "avian adds up the delta of each tick");
        assert!(seen.after.len() >= 4);
    }
    let states = |n: usize| &runs[n].after[..4];
    assert_eq!(states(0), states(1));
    assert_eq!(states(1), states(2));
    // The boxes did fall: otherwise equal states would mean nothing.
    assert_ne!(runs[0].after[0].1, runs[0].after[3].1);
}
