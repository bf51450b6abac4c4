//! Diagnostics.

use core::time::Duration;

use bevy_app::prelude::*;
use bevy_diagnostic::{Diagnostic, DiagnosticsStore};
use bevy_evenstep::evenstep::DropReason;
use bevy_evenstep::{EvenstepDiagnosticsPlugin as Paths, EvenstepPlugin};
use bevy_time::TimePlugin;
use evenstep_lab::display::{Display, Noise};

use crate::rig::{Rig, ms};

#[test]
fn diagnostics_show_lock_judder_steps_and_dropped_time() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, EvenstepPlugin::hz(60), Paths));
    let mut rig = Rig::of(app);
    let value = |rig: &Rig, path| rig.resource::<DiagnosticsStore>().get(&path).and_then(Diagnostic::value);
    rig.frame_at(Duration::ZERO);
    assert_eq!((value(&rig, Paths::LOCK), value(&rig, Paths::REFRESH)), (Some(1.0), None));

    let display = Display { noise: Noise::Gauss(0.5), ..Display::new(60.0) };
    for shown in display.frames(1).take(600) {
        rig.frame_at(Duration::from_nanos(shown.stamp_ns));
    }
    assert_eq!((value(&rig, Paths::LOCK), value(&rig, Paths::STEPS)), (Some(3.0), Some(1.0)));
    let refresh = value(&rig, Paths::REFRESH).expect("a refresh rate");
    assert!((refresh - 60.0).abs() < 0.05, "{refresh}");
    let average = |path| rig.resource::<DiagnosticsStore>().get(&path).and_then(Diagnostic::average);
    let judder = average(Paths::JUDDER).expect("judder");
    let noise = average(Paths::NOISE).expect("noise");
    assert!(judder < 5.0 && noise > 200.0, "{judder} {noise}");

    rig.frame_after(ms(1_000));
    assert!(value(&rig, Paths::dropped(DropReason::Clamp)).is_some_and(|dropped| dropped > 700.0));
    assert_eq!(value(&rig, Paths::dropped(DropReason::Stall)), Some(0.0));
    let summary = rig.evenstep().summary();
    for part in ["display lock: 60.0", "ticks/s", "dropped (clamp): 7", "steps: "] {
        assert!(summary.contains(part), "{part} is not in:\n{summary}");
    }
}

#[test]
#[should_panic(expected = "measures EvenstepPlugin, which is missing: add it")]
fn diagnostics_without_the_plugin_are_named() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, Paths));
    app.finish();
}
