//! The plugin in unusual apps.

use core::time::Duration;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy_app::prelude::*;
use bevy_app::{AppLabel, FixedMain, SubApp};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleCleanupPolicy;
use bevy_evenstep::{Evenstep, EvenstepPlugin};
use bevy_input::keyboard::KeyCode;
use bevy_input::{ButtonInput, InputPlugin};
use bevy_time::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy, run_fixed_main_schedule};

use crate::rig::{Frames, Rig, Ticks, ms};

#[test]
#[should_panic(expected = "TimePlugin, which is missing: add EvenstepPlugin after DefaultPlugins")]
fn a_missing_time_plugin_is_named() {
    App::new().add_plugins(EvenstepPlugin::default());
}

#[test]
#[should_panic(expected = "TimePlugin, which is missing: add EvenstepPlugin after DefaultPlugins")]
fn a_plugin_before_the_time_plugin_is_named() {
    App::new().add_plugins((EvenstepPlugin::default(), TimePlugin));
}

#[test]
#[should_panic(expected = "another plugin has replaced it")]
fn another_driver_of_the_fixed_loop_is_named() {
    let mut app = App::new();
    app.add_plugins(TimePlugin);
    app.remove_systems_in_set(
        RunFixedMainLoop,
        run_fixed_main_schedule,
        ScheduleCleanupPolicy::RemoveSystemsOnly,
    )
    .expect("Bevy's driver");
    app.add_plugins(EvenstepPlugin::default());
}

#[test]
fn an_app_without_input_runs() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, EvenstepPlugin::hz(60)));
    let mut rig = Rig::of(app);
    rig.frame_at(Duration::ZERO);
    assert_eq!(rig.frames(60, Duration::from_nanos(16_666_667)), 60);
    rig.check_clocks();
}

#[test]
fn an_app_may_add_input_after_the_plugin() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, EvenstepPlugin::hz(60), InputPlugin));
    let mut rig = Rig::of(app);
    count_presses(&mut rig.app);
    rig.frame_at(Duration::ZERO);
    rig.press(KeyCode::Space);
    rig.frame_after(ms(1));
    rig.frame_after(ms(50));
    assert_eq!(rig.resource::<Presses>().0, 1);
}

#[derive(Resource, Default)]
struct Presses(u32);

fn count_presses(app: &mut App) {
    app.init_resource::<Presses>().add_systems(
        FixedUpdate,
        |mut presses: ResMut<Presses>, keys: Res<ButtonInput<KeyCode>>| {
            presses.0 += u32::from(keys.just_pressed(KeyCode::Space));
        },
    );
}

#[test]
fn two_apps_in_one_process_do_not_share_anything() {
    let mut fast = Rig::new();
    let mut slow = Rig::with(EvenstepPlugin::hz(10));
    count_presses(&mut fast.app);
    count_presses(&mut slow.app);
    fast.frame_at(Duration::ZERO);
    slow.frame_at(Duration::ZERO);
    fast.press(KeyCode::Space);
    slow.virt().pause();
    for _ in 0..100 {
        fast.frame_after(ms(10));
        slow.frame_after(ms(10));
    }
    assert_eq!((fast.resource::<Presses>().0, slow.resource::<Presses>().0), (1, 0));
    assert_eq!((fast.resource::<Ticks>().count, slow.resource::<Ticks>().count), (60, 0));
}

#[test]
fn a_sub_app_has_a_pacer_of_its_own() {
    #[derive(AppLabel, Clone, Copy, Debug, Hash, PartialEq, Eq)]
    struct Server;

    let mut sub_app = SubApp::new();
    let mut server = App::new();
    server.add_plugins((TimePlugin, EvenstepPlugin::hz(20))).init_resource::<Ticks>().add_systems(
        FixedUpdate,
        |mut ticks: ResMut<Ticks>| {
            ticks.count += 1;
        },
    );
    core::mem::swap(&mut sub_app, server.main_mut());

    let mut rig = Rig::new();
    sub_app.set_extract(|main, sub| {
        let real = main.resource::<Time<Real>>().last_update().expect("a timestamp");
        sub.insert_resource(TimeUpdateStrategy::ManualInstant(real));
    });
    rig.app.insert_sub_app(Server, sub_app);
    rig.frame_at(Duration::ZERO);
    assert_eq!(rig.frames(100, ms(10)), 60);
    let server = rig.app.sub_app(Server).world();
    assert_eq!(server.resource::<Ticks>().count, 20);
    assert_eq!(server.resource::<Time<Fixed>>().elapsed(), Duration::from_secs(1));
}

#[test]
fn run_conditions_work_on_systems_that_run_in_ticks() {
    #[derive(Resource, Default)]
    struct Ran(u32);
    let mut rig = Rig::new();
    let second = bevy_time::common_conditions::on_timer(ms(100));
    let pressed = bevy_input::common_conditions::input_just_pressed(KeyCode::Space);
    rig.app
        .init_resource::<Ran>()
        .init_resource::<Presses>()
        .add_systems(FixedUpdate, (|mut ran: ResMut<Ran>| ran.0 += 1).run_if(second))
        .add_systems(FixedUpdate, (|mut presses: ResMut<Presses>| presses.0 += 1).run_if(pressed));
    rig.frame_at(Duration::ZERO);
    rig.press(KeyCode::Space);
    rig.frames(1_000, ms(1));
    assert_eq!((rig.resource::<Ran>().0, rig.resource::<Presses>().0), (10, 1));
    rig.press(KeyCode::Space); // Still held: not a press.
    rig.release(KeyCode::Space);
    rig.press(KeyCode::Space);
    rig.frames(100, ms(1));
    assert_eq!(rig.resource::<Presses>().0, 2);
}

#[test]
fn systems_can_be_ordered_around_the_fixed_loop_as_before() {
    #[derive(Resource, Default)]
    struct Order(Vec<&'static str>);
    let mut rig = Rig::new();
    rig.app
        .init_resource::<Order>()
        .add_systems(
            RunFixedMainLoop,
            (
                (|mut order: ResMut<Order>| order.0.push("before"))
                    .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
                (|mut order: ResMut<Order>| order.0.push("after"))
                    .in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
            ),
        )
        .add_systems(FixedUpdate, |mut order: ResMut<Order>| order.0.push("tick"));
    rig.frame_at(Duration::ZERO);
    rig.frame_after(ms(30));
    assert_eq!(rig.resource::<Order>().0, ["before", "after", "before", "tick", "tick", "after"]);
}

#[test]
fn an_app_may_switch_the_fixed_loop_off_and_on() {
    #[derive(Resource)]
    struct IsOn(bool);
    let mut rig = Rig::new();
    rig.app.insert_resource(IsOn(true)).configure_sets(
        RunFixedMainLoop,
        RunFixedMainLoopSystems::FixedMainLoop.run_if(|on: Res<IsOn>| on.0),
    );
    rig.frame_at(Duration::ZERO);
    assert_eq!(rig.frames(100, ms(10)), 60);
    let fixed = rig.fixed().elapsed();
    let virt = rig.virt().elapsed();
    rig.app.insert_resource(IsOn(false));
    assert_eq!(rig.frames(100, ms(10)), 0);
    // As in Bevy alone, the virtual clock goes on.
    let passed = |rig: &mut Rig| (rig.virt().elapsed() - virt).as_micros();
    assert_eq!((rig.fixed().elapsed(), passed(&mut rig)), (fixed, 1_000_000));
    rig.app.insert_resource(IsOn(true));
    assert_eq!(rig.frames(100, ms(10)), 60);
    assert_eq!((rig.fixed().elapsed() - fixed, passed(&mut rig)), (ms(1_000), 2_000_000));
}

#[test]
fn ticks_run_once_a_frame_even_if_the_loop_is_run_twice() {
    let mut rig = Rig::new();
    count_presses(&mut rig.app);
    rig.app.add_systems(Update, |world: &mut World| world.run_schedule(RunFixedMainLoop));
    rig.frame_at(Duration::ZERO);
    rig.press(KeyCode::Space);
    assert_eq!(rig.frames(100, ms(10)), 60);
    assert_eq!(rig.resource::<Presses>().0, 1);
    rig.check_clocks();
}

#[test]
fn without_a_fixed_schedule_time_passes() {
    let mut rig = Rig::new();
    rig.app.world_mut().resource_mut::<bevy_ecs::schedule::Schedules>().remove(FixedMain);
    rig.frame_at(Duration::ZERO);
    let virt = rig.virt().elapsed();
    assert_eq!(rig.frames(100, ms(10)), 0);
    assert_eq!(rig.virt().elapsed() - virt, ms(1_000));
    rig.check_clocks();
}

#[test]
fn after_a_panic_in_a_tick_the_frame_has_its_own_input_again() {
    let mut rig = Rig::new();
    rig.record_frames();
    rig.frame_at(Duration::ZERO);
    rig.app.add_systems(FixedUpdate, |keys: Res<ButtonInput<KeyCode>>| {
        assert!(!keys.pressed(KeyCode::Space), "a bug in the game");
    });
    rig.press(KeyCode::Space);
    let panicked = catch_unwind(AssertUnwindSafe(|| rig.frame_after(ms(20))));
    assert!(panicked.is_err());
    // Bevy loses schedules that panic, with and without the plugin: Main is one of them. The rest must be intact.
    assert!(rig.app.world().get_resource::<Evenstep>().is_some());
    rig.app.world_mut().run_schedule(First);
    rig.app.world_mut().run_schedule(PreUpdate);
    let _ = rig.app.world_mut().try_run_schedule(RunFixedMainLoop);
    rig.app.world_mut().run_schedule(Update);
    assert_eq!(rig.resource::<Frames>().0.last(), Some(&(false, true, false)));
}

#[test]
fn a_resource_in_ticks_is_not_marked_as_changed_by_the_swap() {
    #[derive(Resource, Default)]
    struct Changed(u32);
    let mut rig = Rig::new();
    rig.app.init_resource::<Changed>().add_systems(
        FixedUpdate,
        |mut changed: ResMut<Changed>, keys: Res<ButtonInput<KeyCode>>| {
            changed.0 += u32::from(keys.is_changed());
        },
    );
    rig.frame_at(Duration::ZERO);
    rig.frames(10, ms(50));
    let before = rig.resource::<Changed>().0;
    rig.press(KeyCode::Space);
    rig.frames(10, ms(50));
    assert_eq!(rig.resource::<Changed>().0 - before, 1);
}
