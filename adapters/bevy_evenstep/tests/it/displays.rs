//! Bevy alone and with the plugin, on the lab's displays.

use core::time::Duration;

use bevy_time::prelude::*;
use evenstep_lab::display::{Display, Noise};
use evenstep_lab::metrics::{Report, Tally, Watch};
use evenstep_lab::policy::Decision;

use crate::rig::Rig;

/// Runs an app on a display, and measures the motion that a player sees.
fn measure(mut rig: Rig, display: &Display, seconds: usize) -> Report {
    let mut frames = display.frames(1);
    let mut frame = |shown: &evenstep_lab::display::Shown| {
        let steps = rig.frame_at(Duration::from_nanos(shown.stamp_ns));
        Decision { steps, alpha: rig.app.world().resource::<Time<Fixed>>().overstep_fraction_f64() }
    };
    let first = frames.next().expect("a frame");
    let mut watch = Watch::new(display.grid_hz(), first, frame(&first));
    let mut tally = Tally::default();
    for shown in frames.take(seconds * display.hz as usize) {
        tally.add(&watch.frame(shown, frame(&shown)));
    }
    tally.report()
}

#[test]
fn motion_is_smoother_than_with_bevy_alone() {
    for hz in [60.0, 144.0] {
        let display = Display { noise: Noise::Gauss(0.3), missed: 0.02, ..Display::new(hz) };
        let stock = measure(Rig::stock(60.0), &display, 60);
        let plugin = measure(Rig::new(), &display, 60);
        println!("{display}: judder {:.1} -> {:.1} us", stock.judder_us, plugin.judder_us);
        assert!(stock.judder_us > 300.0 && plugin.judder_us < 10.0, "{}", plugin.judder_us);
        if hz == 60.0 {
            let (stock, plugin) = (stock.cadence_error.unwrap(), plugin.cadence_error.unwrap());
            println!("{display}: wrong steps {stock:.2} -> {plugin:.2} %");
            assert!(stock > 10.0 && plugin < 0.1, "{stock} {plugin}");
        }
    }
}
