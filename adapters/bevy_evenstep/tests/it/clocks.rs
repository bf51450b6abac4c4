//! The clocks: exact, and in agreement at every frame.

use core::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_evenstep::EvenstepPlugin;
use bevy_evenstep::evenstep::{DisplayLock, DropReason, Pacing, Rate};
use bevy_time::prelude::*;
use evenstep_lab::display::{Display, Noise};

use crate::rig::{Rig, Ticks, ms};

#[test]
fn the_fixed_clock_is_exact_after_an_hour() {
    for rate in [Rate::hz(60), Rate::new(60_000, 1_001)] {
        let mut rig = Rig::with(EvenstepPlugin::new(Pacing::at(rate)));
        let frame = ms(200);
        let hour = Duration::from_hours(1);
        rig.frame_at(Duration::ZERO);
        for n in 1..=18_000 {
            rig.frame_at(frame * n);
        }
        let ticks = rig.resource::<Ticks>().count;
        let fixed = *rig.fixed();
        let exact = rate.time_of(ticks);
        assert!(fixed.elapsed() - exact <= Duration::from_nanos(1), "{rate}");
        assert!(fixed.elapsed().abs_diff(hour) < rate.step(), "{rate}");
        if rate == Rate::hz(60) {
            assert_eq!((ticks, fixed.elapsed()), (216_000, hour));
        }
        rig.check_clocks();
    }
}

#[test]
fn virtual_is_fixed_plus_overstep_at_every_frame_whatever_the_controls_do() {
    let display = Display {
        noise: Noise::Gauss(0.4),
        missed: 0.05,
        late: 0.02,
        stall_every_s: 7.0,
        ..Display::new(144.0)
    };
    let mut rig = Rig::new();
    rig.app.add_systems(FixedUpdate, |fixed: Res<Time<Fixed>>, virt: Res<Time<Virtual>>, time: Res<Time>| {
        assert_eq!(virt.elapsed(), fixed.elapsed() + fixed.overstep(), "also within a tick");
        assert_eq!((time.delta(), time.elapsed()), (fixed.delta(), fixed.elapsed()));
    });
    let mut last = Duration::ZERO;
    for (n, shown) in display.frames(3).take(30_000).enumerate() {
        match n % 1_000 {
            100 => rig.evenstep().hit_freeze(ms(80)),
            200 => rig.virt().set_relative_speed(0.37),
            300 => rig.virt().set_relative_speed(3.0),
            400 => rig.virt().set_relative_speed(1.0),
            500 => rig.virt().pause(),
            510 => rig.evenstep().step_by_hand(3),
            600 => rig.virt().unpause(),
            700 => rig.evenstep().hitstop(6, 0.1),
            800 => rig.evenstep().fast_forward(7),
            _ => {}
        }
        rig.frame_at(Duration::from_nanos(shown.stamp_ns));
        rig.check_clocks();
        let virt = *rig.virt();
        assert!(n == 0 || virt.elapsed() == last + virt.delta(), "frame {n}");
        last = virt.elapsed();
    }
    assert!(rig.evenstep().ledger().dropped_ns(DropReason::Clamp) > 0, "stalls were part of it");
}

#[test]
fn the_delta_of_a_tick_is_the_timestep() {
    let mut rig = Rig::new();
    rig.app.add_systems(FixedUpdate, |fixed: Res<Time<Fixed>>, time: Res<Time>| {
        assert_eq!(fixed.delta(), Duration::from_nanos(16_666_667));
        assert_eq!(time.delta_secs(), 1.0 / 60.0);
    });
    rig.frame_at(Duration::ZERO);
    rig.frames(1_000, Duration::from_nanos(23_456_789));
    assert!(rig.resource::<Ticks>().count > 1_400);
}

#[test]
fn the_overstep_fraction_is_alpha() {
    let mut rig = Rig::new();
    rig.frame_at(Duration::ZERO);
    for n in 0..500 {
        rig.frame_after(Duration::from_micros(3_000 + 37 * n));
        let alpha = rig.evenstep().frame().alpha();
        let fixed = *rig.fixed();
        assert!((fixed.overstep_fraction_f64() - alpha).abs() < 1e-6);
        assert!((f64::from(fixed.overstep_fraction()) - alpha).abs() < 1e-6);
    }
}

#[test]
fn the_overstep_fraction_is_below_1_although_a_tick_shortens_the_timestep() {
    #[derive(Resource)]
    struct Shortens(bool);
    let mut rig = Rig::new();
    rig.app.insert_resource(Shortens(false)).add_systems(
        FixedUpdate,
        |mut shortens: ResMut<Shortens>, mut fixed: ResMut<Time<Fixed>>| {
            if core::mem::take(&mut shortens.0) {
                fixed.set_timestep_hz(240.0);
            }
        },
    );
    rig.frame_at(Duration::ZERO);
    rig.frames(10, Duration::from_nanos(16_666_667));
    rig.frame_after(ms(13));
    rig.app.insert_resource(Shortens(true));
    for _ in 0..10 {
        rig.frame_after(Duration::from_nanos(16_666_667));
        let fraction = rig.fixed().overstep_fraction_f64();
        assert!(fraction < 1.0, "{fraction}");
    }
    assert_eq!(rig.evenstep().pacer().pacing().rate(), Rate::hz(240));
}

#[test]
fn the_overstep_fraction_is_below_1_for_a_timestep_a_little_shorter_than_its_rate_s() {
    for step_ns in [16_666_400, 4_166_600, 33_333_333] {
        let mut rig = Rig::with(EvenstepPlugin::new(
            Pacing::hz(60).with_display_lock(DisplayLock::Off).with_steps_max(None),
        ));
        rig.fixed().set_timestep(Duration::from_nanos(step_ns));
        rig.frame_at(Duration::ZERO);
        for n in 0..20_000 {
            rig.frame_after(Duration::from_nanos(1_000 + n * 7_919 % 2_000_003));
            let fraction = rig.fixed().overstep_fraction_f64();
            assert!(fraction < 1.0, "{fraction} of {step_ns} ns");
        }
    }
}

#[test]
fn no_time_passes_on_the_first_frame() {
    let mut rig = Rig::new();
    assert_eq!(rig.frame_at(ms(5_000)), 0);
    assert_eq!(rig.virt().delta(), Duration::ZERO);
    // The clock starts at the head start of 7/8 of a step.
    assert_eq!(rig.virt().elapsed(), Duration::from_nanos(14_583_332));
    rig.check_clocks();
    assert_eq!(rig.frame_after(ms(17)), 1);
    rig.check_clocks();
}

#[test]
fn a_clock_that_goes_back_stops_time_and_nothing_else() {
    let mut rig = Rig::new();
    for n in 0..100 {
        rig.frame_at(Duration::from_secs(10) + Rate::hz(60).time_of(n));
    }
    let before = rig.virt().elapsed();
    // Back to before the first frame of all.
    assert_eq!(rig.frame_at(Duration::from_secs(1)), 0);
    assert_eq!(rig.virt().elapsed(), before);
    let ticks: u32 = (1..=60).map(|n| rig.frame_at(Duration::from_secs(1) + Rate::hz(60).time_of(n))).sum();
    assert!((59..=61).contains(&ticks), "{ticks}");
    rig.check_clocks();
}

#[test]
fn a_loaded_game_goes_on_from_its_own_time() {
    let mut rig = Rig::new();
    rig.frame_at(Duration::ZERO);
    rig.frames(10, ms(17));
    let mut saved = Time::<Fixed>::from_hz(60.0);
    saved.advance_to(Duration::from_secs(777));
    rig.app.insert_resource(saved);
    let ticks = rig.frames(60, Duration::from_nanos(16_666_667));
    let passed = rig.fixed().elapsed() - Duration::from_secs(777);
    assert!((passed.as_secs_f64() - f64::from(ticks) / 60.0).abs() < 1e-8);
}

#[test]
fn a_game_loaded_anywhere_in_a_frame_goes_on_from_its_own_time() {
    #[derive(Resource)]
    struct Loads(bool);
    fn load(mut loads: ResMut<Loads>, mut fixed: ResMut<Time<Fixed>>) {
        if core::mem::take(&mut loads.0) {
            let mut saved = Time::<Fixed>::from_hz(60.0);
            saved.advance_to(Duration::from_secs(777));
            *fixed = saved;
        }
    }
    let schedules: [fn(&mut App) -> &mut App; 5] = [
        |app| app.add_systems(PreUpdate, load),
        |app| app.add_systems(RunFixedMainLoop, load.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop)),
        |app| app.add_systems(FixedFirst, load),
        |app| app.add_systems(FixedLast, load),
        |app| app.add_systems(Update, load),
    ];
    // Frames with less than one tick, one, and three.
    for frame in [ms(5), Duration::from_nanos(16_666_667), ms(50)] {
        for add in schedules {
            let mut rig = Rig::new();
            rig.app.insert_resource(Loads(false));
            add(&mut rig.app);
            rig.frame_at(Duration::ZERO);
            rig.frames(10, frame);
            rig.app.insert_resource(Loads(true));
            let mut last = rig.virt().elapsed();
            for _ in 0..20 {
                rig.frame_after(frame);
                let now = rig.virt().elapsed();
                assert!((now - last).abs_diff(frame) < ms(1), "the virtual clock goes on as before");
                last = now;
            }
            let passed = rig.fixed().elapsed().checked_sub(Duration::from_secs(777)).expect("from 777 s on");
            assert!(passed.abs_diff(frame * 20) <= frame + ms(17), "{passed:?} in 20 frames of {frame:?}");
            assert!(!rig.resource::<Loads>().0);
        }
    }
}

#[test]
fn clocks_restored_before_the_first_frame_stay_together() {
    let mut rig = Rig::new();
    rig.fixed().advance_to(Duration::from_secs(50));
    rig.virt().advance_to(Duration::from_secs(50));
    rig.frame_at(Duration::ZERO);
    rig.check_clocks();
    rig.frames(100, ms(10));
    rig.check_clocks();
    assert_eq!(rig.fixed().elapsed(), Duration::from_secs(51));
}

#[test]
fn both_clocks_keep_their_wrap_period() {
    let mut rig = Rig::new();
    rig.virt().set_wrap_period(Duration::from_secs(2));
    rig.fixed().set_wrap_period(Duration::from_secs(3));
    rig.frame_at(Duration::ZERO);
    rig.frames(1_000, ms(10));
    let virt = *rig.virt();
    let fixed = *rig.fixed();
    assert_eq!(virt.elapsed_wrapped(), virt.elapsed() - Duration::from_secs(10));
    assert_eq!(fixed.elapsed_wrapped(), fixed.elapsed() - Duration::from_secs(9));
}

#[test]
fn the_effective_speed_tells_the_truth() {
    let mut rig = Rig::new();
    rig.frame_at(Duration::ZERO);
    let mut speed_after = |action: fn(&mut Rig), length| {
        action(&mut rig);
        rig.frame_after(length);
        let virt = *rig.virt();
        (virt.effective_speed_f64(), virt.was_paused(), virt.relative_speed_f64(), virt.is_paused())
    };
    assert_eq!(speed_after(|_| {}, ms(16)), (1.0, false, 1.0, false));
    assert_eq!(speed_after(|rig| rig.virt().set_relative_speed(2.0), ms(16)), (2.0, false, 2.0, false));
    assert_eq!(speed_after(|rig| rig.evenstep().hit_freeze(ms(10)), ms(16)), (0.0, true, 2.0, false));
    assert_eq!(speed_after(|rig| rig.virt().pause(), ms(16)), (0.0, true, 2.0, true));
    assert_eq!(speed_after(|rig| rig.virt().unpause(), ms(16)), (2.0, false, 2.0, false));
    assert_eq!(speed_after(|rig| rig.virt().set_relative_speed(0.0), ms(16)), (0.0, true, 0.0, false));
    // Half of the time is cut off.
    rig.virt().set_relative_speed(1.0);
    rig.frame_after(ms(500));
    assert!((rig.virt().effective_speed_f64() - 0.5).abs() < 0.04, "{}", rig.virt().effective_speed_f64());
    assert_eq!(rig.virt().max_delta(), ms(250));
}
