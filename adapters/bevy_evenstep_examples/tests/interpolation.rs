//! `bevy_transform_interpolation`, unmodified, on top of the plugin.

#![expect(
    clippy::disallowed_methods,
    reason = "Bevy's timestamps are instants, so each test starts from one"
)]

use core::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_evenstep::EvenstepPlugin;
use bevy_transform_interpolation::prelude::*;
use evenstep_lab::display::{Display, Noise, Shown};

/// Returns the RMS error of the motion that is drawn, in microseconds.
fn judder_us(with_plugin: bool) -> f64 {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, TransformInterpolationPlugin::default()));
    app.insert_resource(Time::<Fixed>::from_hz(60.0));
    if with_plugin {
        app.add_plugins(EvenstepPlugin::hz(60));
    }
    // One unit a second.
    app.add_systems(FixedUpdate, |mut bodies: Query<&mut Transform>, time: Res<Time>| {
        for mut body in &mut bodies {
            body.translation.x += time.delta_secs();
        }
    });
    let body = app.world_mut().spawn((Transform::default(), TransformInterpolation)).id();
    app.finish();
    app.cleanup();

    let start = bevy::platform::time::Instant::now();
    let display = Display { noise: Noise::Gauss(0.3), missed: 0.02, ..Display::new(60.0) };
    let mut last: Option<(Shown, f64)> = None;
    let mut squares = 0.0;
    let mut count = 0;
    for shown in display.frames(5).take(1_200) {
        let now = start + Duration::from_nanos(shown.stamp_ns);
        app.insert_resource(TimeUpdateStrategy::ManualInstant(now));
        app.update();
        let drawn = f64::from(app.world().get::<Transform>(body).expect("the body").translation.x);
        // After three seconds, in which the display lock finds the refresh.
        if let Some((shown_last, drawn_last)) = last.replace((shown, drawn))
            && shown.at_ns > 3e9
        {
            let error_us = (drawn - drawn_last) * 1e6 - (shown.at_ns - shown_last.at_ns) / 1e3;
            squares += error_us * error_us;
            count += 1;
        }
    }
    (squares / f64::from(count)).sqrt()
}

#[test]
fn interpolated_motion_is_smoother_than_with_bevy_alone() {
    let stock = judder_us(false);
    let plugin = judder_us(true);
    println!("judder with interpolation: {stock:.1} -> {plugin:.1} us");
    assert!(stock > 300.0, "{stock}");
    // Single precision alone is worth a microsecond or two at this distance.
    assert!(plugin < 10.0, "{plugin}");
}
