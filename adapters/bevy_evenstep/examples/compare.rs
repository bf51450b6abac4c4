//! Bevy's own fixed loop and this plugin on the same simulated displays: judder, and frames with a wrong number of
//! ticks.
//!
//! Run in `adapters/bevy_evenstep`: `cargo run --release --example compare`

#![cfg_attr(
    not(target_arch = "wasm32"),
    expect(
        clippy::disallowed_methods,
        reason = "Bevy's timestamps are instants, so each run starts from one"
    )
)]

use core::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_evenstep::EvenstepPlugin;
use bevy_platform::time::Instant;
use bevy_time::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use evenstep_lab::display::{Display, Noise, Refresh, Shown};
use evenstep_lab::metrics::{SETTLE_S, STALL_NS, Watch};
use evenstep_lab::policy::{Decision, STEP_HZ};

const FRAMES: usize = 36_000;

/// Ticks in the current frame.
#[derive(Resource, Default)]
struct Ticks(u32);

/// The RMS of the motion error in microseconds, and the share of frames with a wrong number of ticks in percent, if
/// there is a right one.
struct Result {
    judder_us: f64,
    wrong: Option<f64>,
}

fn main() {
    let noise = Noise::Gauss(0.3);
    let usual = |hz| Display { noise, missed: 0.02, ..Display::new(hz) };
    let displays = [
        (60.0, Display { noise, ..Display::new(60.0) }),
        (60.0, usual(60.0)),
        (64.0, usual(60.0)),
        (60.0, usual(59.94)),
        (60.0, usual(30.0)),
        (60.0, usual(75.0)),
        (60.0, usual(120.0)),
        (60.0, usual(144.0)),
        (60.0, usual(240.0)),
        (60.0, Display { noise: Noise::Gauss(1.5), missed: 0.02, ..Display::new(60.0) }),
        (60.0, Display { clock_ns: 1_000_000, ..Display::new(60.0) }),
        (60.0, Display { refresh: Refresh::Wandering(0.3), ..Display::new(90.0) }),
    ];
    println!(
        "| ticks | display | judder, us: Bevy | with the plugin | wrong ticks: Bevy | with the plugin |"
    );
    println!("|---|---|--:|--:|--:|--:|");
    for (hz, display) in displays {
        let [stock, plugin] = [false, true].map(|with_plugin| play(with_plugin, hz, &display));
        let share = |result: &Result| result.wrong.map_or("-".to_owned(), |wrong| format!("{wrong:.2} %"));
        let wrong = share(&stock);
        let wrong_with = share(&plugin);
        let judder = stock.judder_us;
        let judder_with = plugin.judder_us;
        println!("| {hz} Hz | {display} | {judder:.1} | {judder_with:.1} | {wrong} | {wrong_with} |");
    }
}

fn play(with_plugin: bool, hz: f64, display: &Display) -> Result {
    let mut app = App::new();
    app.add_plugins(TimePlugin).insert_resource(Time::<Fixed>::from_hz(hz)).init_resource::<Ticks>();
    if with_plugin {
        app.add_plugins(EvenstepPlugin::default());
    }
    app.add_systems(First, |mut ticks: ResMut<Ticks>| ticks.0 = 0)
        .add_systems(FixedUpdate, |mut ticks: ResMut<Ticks>| ticks.0 += 1);
    let start = Instant::now();
    let mut frame = |shown: &Shown| {
        let now = start + Duration::from_nanos(shown.stamp_ns);
        app.insert_resource(TimeUpdateStrategy::ManualInstant(now));
        app.update();
        let world = app.world();
        let fixed = world.resource::<Time<Fixed>>();
        let drawn = fixed.elapsed().as_secs_f64() + fixed.overstep().as_secs_f64();
        (drawn, Decision { steps: world.resource::<Ticks>().0, alpha: fixed.overstep_fraction_f64() })
    };

    let mut frames = display.frames(1);
    let Some(first) = frames.next() else { return Result { judder_us: 0.0, wrong: None } };
    let (mut drawn_last, decision) = frame(&first);
    // The right number of ticks is known only for the rate that the lab is made for.
    let mut watch = (hz == STEP_HZ).then(|| Watch::new(display.grid_hz(), first, decision));
    let mut shown_last = first;
    let mut squares = 0.0;
    let mut count = 0_u32;
    let mut judged = 0_u32;
    let mut wrong = 0_u32;
    for shown in frames.take(FRAMES) {
        let (drawn, decision) = frame(&shown);
        let motion = watch.as_mut().map(|watch| watch.frame(shown, decision));
        let advance_ns = shown.at_ns - shown_last.at_ns;
        let error_us = (drawn - drawn_last) * 1e6 - advance_ns / 1e3;
        (shown_last, drawn_last) = (shown, drawn);
        if shown.at_ns - first.at_ns < SETTLE_S * 1e9 || advance_ns > STALL_NS {
            continue;
        }
        squares += error_us * error_us;
        count += 1;
        if let Some(is_ideal) = motion.and_then(|motion| motion.is_ideal) {
            judged += 1;
            wrong += u32::from(!is_ideal);
        }
    }
    let share = 100.0 * f64::from(wrong) / f64::from(judged);
    Result { judder_us: (squares / f64::from(count)).sqrt(), wrong: (judged > 0).then_some(share) }
}
