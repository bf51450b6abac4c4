//! Bevy's own settings keep working.

use core::time::Duration;

use bevy_app::prelude::*;
use bevy_evenstep::EvenstepPlugin;
use bevy_evenstep::evenstep::{DisplayLock, DropReason, Pacing, Rate};
use bevy_time::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};

use crate::rig::{Rig, Ticks, ms};

fn ticks(rig: &mut Rig, seconds: u64) -> u64 {
    let before = rig.resource::<Ticks>().count;
    for n in 0..seconds * 100 {
        rig.frame_after(ms(10));
        // A shorter timestep drops what is pending beyond it, and the virtual clock waits for as long.
        if n >= 99 {
            rig.check_clocks();
        }
    }
    rig.resource::<Ticks>().count - before
}

#[test]
fn the_timestep_can_change_at_any_time() {
    let mut rig = Rig::new();
    rig.frame_at(Duration::ZERO);
    assert_eq!(ticks(&mut rig, 2), 120);
    rig.fixed().set_timestep_hz(25.0);
    assert!((49..=51).contains(&ticks(&mut rig, 2)));
    assert_eq!(rig.evenstep().pacer().pacing().rate(), Rate::hz(25));
    rig.fixed().set_timestep(Duration::from_nanos(16_666_667));
    assert_eq!(rig.evenstep().pacer().pacing().rate(), Rate::hz(25), "from the next frame on");
    rig.fixed().set_timestep_seconds(1.0 / 240.0);
    assert!((479..=481).contains(&ticks(&mut rig, 2)));
    assert_eq!(rig.evenstep().pacer().pacing().rate(), Rate::hz(240));
}

#[test]
fn a_timestep_set_within_a_tick_applies_to_the_next_frame() {
    let mut rig = Rig::new();
    rig.app.add_systems(FixedUpdate, |mut fixed: bevy_ecs::prelude::ResMut<Time<Fixed>>| {
        fixed.set_timestep(ms(50));
    });
    rig.frame_at(Duration::ZERO);
    assert_eq!(rig.frame_after(ms(50)), 3);
    assert_eq!((rig.fixed().timestep(), rig.fixed().elapsed()), (ms(50), ms(50)));
    rig.check_clocks();
    assert_eq!(rig.frame_after(ms(100)), 2);
    assert_eq!(rig.fixed().elapsed(), ms(150));
    rig.check_clocks();
}

#[test]
fn a_shorter_timestep_does_not_move_the_clock_back() {
    let mut rig = Rig::with(EvenstepPlugin::hz(1));
    rig.frame_at(Duration::ZERO);
    rig.frame_after(ms(100));
    let before = rig.virt().elapsed();
    rig.fixed().set_timestep_hz(100.0);
    // Nearly a second is pending. Bevy alone would run 90 ticks at once.
    assert!(rig.frame_after(ms(10)) <= 2);
    assert!(rig.virt().elapsed() >= before);
    assert!(ticks(&mut rig, 1).abs_diff(100) <= 1);
    // The virtual clock has waited for as long as what was dropped.
    rig.check_clocks();
}

#[test]
fn a_fixed_clock_inserted_after_the_plugin_sets_the_rate() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, EvenstepPlugin::default())).insert_resource(Time::<Fixed>::from_hz(30.0));
    let mut rig = Rig::of(app);
    rig.frame_at(Duration::ZERO);
    assert_eq!(rig.evenstep().pacer().pacing().rate(), Rate::hz(30));
    assert_eq!(rig.virt().elapsed(), Duration::from_nanos(29_166_666), "7/8 of the new step");
    let ledger = rig.evenstep().ledger();
    assert!(DropReason::ALL.iter().all(|&reason| ledger.dropped_ns(reason) == 0));
    assert_eq!(ticks(&mut rig, 2), 60);
}

#[test]
fn without_options_the_rate_is_bevy_s_default() {
    let mut rig = Rig::with(EvenstepPlugin::default());
    rig.frame_at(Duration::ZERO);
    assert_eq!(rig.evenstep().pacer().pacing().rate(), Rate::hz(64));
    assert_eq!(ticks(&mut rig, 2), 128);
}

#[test]
#[should_panic(expected = "the timestep of Time<Fixed> is 7200s, but Evenstep runs steps of 1 us to 1 h")]
fn a_timestep_out_of_range_is_named() {
    let mut rig = Rig::new();
    rig.fixed().set_timestep(Duration::from_hours(2));
    rig.frame_at(Duration::ZERO);
}

#[test]
fn max_delta_is_the_longest_frame() {
    let mut rig = Rig::new();
    rig.virt().set_max_delta(ms(100));
    rig.frame_at(Duration::ZERO);
    assert!((5..=6).contains(&rig.frame_after(Duration::from_secs(5))));
    assert!(rig.virt().delta() <= ms(100));
    rig.check_clocks();
    // Switched off.
    rig.virt().set_max_delta(Duration::MAX);
    assert_eq!(rig.frame_after(Duration::from_secs(5)), 300);
    rig.check_clocks();
}

#[test]
fn the_relative_speed_scales_time() {
    let mut rig = Rig::new();
    rig.frame_at(Duration::ZERO);
    for (speed, expected) in [(2.0, 120), (0.5, 30), (0.0, 0), (10.0, 600), (1.0, 60)] {
        rig.virt().set_relative_speed(speed);
        let ticks = ticks(&mut rig, 1);
        assert!(ticks.abs_diff(expected) <= 1, "{ticks} ticks at speed {speed}");
    }
}

#[test]
fn a_configuration_is_written_to_the_clocks() {
    let pacing = Pacing::hz(50).with_longest_frame(ms(120)).with_display_lock(DisplayLock::Off);
    let mut rig = Rig::with(EvenstepPlugin::new(pacing));
    assert_eq!((rig.fixed().timestep(), rig.virt().max_delta()), (ms(20), ms(120)));
    rig.frame_at(Duration::ZERO);
    assert_eq!(rig.evenstep().pacer().pacing(), pacing);
    // The smallest longest frame is one step, and zero counts as that.
    rig.evenstep().set_pacing(Pacing::hz(50).with_longest_frame(Duration::ZERO));
    assert_eq!(rig.frame_after(ms(200)), 1);
    rig.check_clocks();
    let new = Pacing::hz(100).with_longest_frame(None);
    rig.evenstep().set_pacing(new);
    rig.frame_after(ms(10));
    assert_eq!((rig.fixed().timestep(), rig.virt().max_delta()), (ms(10), Duration::MAX));
    assert_eq!(rig.evenstep().pacer().pacing(), new);
}

#[test]
fn every_way_of_updating_time_works() {
    let run = |strategy: TimeUpdateStrategy, frames: u32| {
        let mut app = App::new();
        app.add_plugins((TimePlugin, EvenstepPlugin::hz(60))).insert_resource(strategy);
        let mut rig = Rig::of(app);
        rig.app.update();
        let per_frame: Vec<u32> = (0..frames)
            .map(|_| {
                rig.app.update();
                rig.check_clocks();
                rig.resource::<Ticks>().in_frame
            })
            .collect();
        per_frame
    };
    assert_eq!(run(TimeUpdateStrategy::ManualDuration(ms(10)), 300).iter().sum::<u32>(), 180);
    for factor in [1, 2, 3] {
        assert!(run(TimeUpdateStrategy::FixedTimesteps(factor), 1_000).iter().all(|&ticks| ticks == factor));
    }
    // The system's clock: whatever it says, the clocks agree.
    run(TimeUpdateStrategy::Automatic, 50);
}

#[test]
fn fixed_timesteps_are_as_many_ticks_also_after_the_timestep_changes() {
    for factor in [1, 2] {
        let mut app = App::new();
        app.add_plugins((TimePlugin, EvenstepPlugin::hz(60)));
        app.insert_resource(TimeUpdateStrategy::FixedTimesteps(factor));
        let mut rig = Rig::of(app);
        rig.virt().set_max_delta(Duration::MAX);
        rig.app.update();
        for hz in [60.0, 240.0, 30.0, 7.0, 1_000.0, 64.0, 0.5, 60.0, 30.0, 60.0] {
            rig.fixed().set_timestep_hz(hz);
            for n in 0..300 {
                rig.app.update();
                assert_eq!(rig.resource::<Ticks>().in_frame, factor, "frame {n} at {hz} Hz");
            }
        }
    }
}

#[test]
fn a_rate_alone_leaves_max_delta_as_it_is() {
    let mut app = App::new();
    app.add_plugins(TimePlugin).insert_resource(Time::<Virtual>::from_max_delta(ms(100)));
    app.add_plugins(EvenstepPlugin::hz(60));
    let mut rig = Rig::of(app);
    assert_eq!(rig.virt().max_delta(), ms(100));
    rig.frame_at(Duration::ZERO);
    assert_eq!(rig.frame_after(ms(200)), 6);
    assert_eq!(rig.virt().max_delta(), ms(100));
}
