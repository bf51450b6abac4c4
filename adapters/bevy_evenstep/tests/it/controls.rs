//! Hit-freeze, hitstop, gate, single steps and channels.

use core::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_evenstep::evenstep::{
    Channel, Command, DisplayLock, DropReason, Gate, LockState, Outcome, Pacing, Presented, Rate, Reset,
};
use bevy_evenstep::{Evenstep, EvenstepPlugin};
use bevy_platform::time::Instant;
use bevy_time::prelude::*;

use crate::rig::{Rig, Ticks, ms};

fn rig() -> Rig {
    let mut rig = Rig::with(EvenstepPlugin::new(Pacing::hz(100).with_display_lock(DisplayLock::Off)));
    rig.frame_at(Duration::ZERO);
    rig
}

#[test]
fn a_hit_freeze_holds_the_clocks_and_ends_by_itself() {
    let mut rig = rig();
    rig.frames(5, ms(10));
    rig.evenstep().hit_freeze(ms(50));
    let fixed = rig.fixed().elapsed();
    let virt = rig.virt().elapsed();
    for _ in 0..5 {
        assert_eq!(rig.frame_after(ms(10)), 0);
        assert_eq!(rig.evenstep().frame().outcome(), Outcome::Frozen);
        assert!(!rig.evenstep().is_held());
    }
    assert_eq!((rig.fixed().elapsed(), rig.virt().elapsed()), (fixed, virt));
    assert_eq!(rig.frame_after(ms(10)), 1);
    assert_eq!(rig.evenstep().ledger().frozen_ns, 50_000_000);
    rig.check_clocks();
}

#[test]
fn a_tick_can_freeze_the_game() {
    let mut rig = rig();
    rig.app.add_systems(FixedUpdate, |mut evenstep: ResMut<Evenstep>, ticks: Res<Ticks>| {
        if ticks.count == 3 {
            evenstep.hit_freeze(ms(30));
        }
    });
    let ticks: Vec<u32> = (0..8).map(|_| rig.frame_after(ms(10))).collect();
    assert_eq!(ticks, [1, 1, 1, 0, 0, 0, 1, 1]);
}

#[test]
fn a_hit_freeze_waits_for_the_end_of_a_pause() {
    let mut rig = rig();
    rig.evenstep().hit_freeze(ms(30));
    rig.virt().pause();
    assert_eq!(rig.frames(50, ms(10)), 0);
    assert_eq!(rig.evenstep().pacer().freeze_left(), ms(30));
    rig.virt().unpause();
    let ticks: Vec<u32> = (0..5).map(|_| rig.frame_after(ms(10))).collect();
    assert_eq!(ticks, [0, 0, 0, 1, 1]);
}

#[test]
fn a_hitstop_slows_on_top_of_the_relative_speed() {
    let mut rig = rig();
    rig.virt().set_relative_speed(2.0);
    rig.evenstep().hitstop(100, 0.1);
    assert_eq!(rig.frames(100, ms(10)), 20);
    assert_eq!(rig.frames(100, ms(10)), 200);
}

#[test]
fn channels_multiply() {
    let mut rig = rig();
    rig.virt().set_relative_speed(2.0);
    rig.evenstep().set_scale(Channel::LEVEL_SPEED, 0.5);
    rig.evenstep().set_scale(Channel::JUICE, 0.1);
    assert_eq!(rig.frames(100, ms(10)), 10);
    assert!((rig.virt().effective_speed_f64() - 0.1).abs() < 1e-9);
    assert_eq!(rig.evenstep().pacer().channel(Evenstep::RELATIVE_SPEED), 2.0);
}

#[test]
fn single_steps_run_while_paused_even_if_requested_in_the_same_frame_as_the_pause() {
    let mut rig = rig();
    rig.virt().pause();
    rig.evenstep().step_by_hand(1);
    assert_eq!(rig.frame_after(ms(10)), 1);
    assert_eq!(rig.frames(10, ms(10)), 0);
    rig.evenstep().step_by_hand(2);
    rig.evenstep().step_by_hand(1);
    assert_eq!(rig.frame_after(ms(10)), 3);
    assert_eq!(rig.fixed().elapsed(), ms(40));
    rig.check_clocks();
    // Not paused: a request is dropped, instead of coming up in a later pause.
    rig.virt().unpause();
    rig.evenstep().step_by_hand(5);
    assert_eq!(rig.frame_after(ms(10)), 1);
    rig.virt().pause();
    assert_eq!(rig.frame_after(ms(10)), 0);
}

#[test]
fn the_gate_and_bevy_s_pause_both_hold() {
    let mut rig = rig();
    let mut ticks_with = |gate, paused: bool| {
        rig.evenstep().set_gate(gate);
        if paused {
            rig.virt().pause();
        } else {
            rig.virt().unpause();
        }
        let ticks = rig.frame_after(ms(10));
        (ticks, rig.evenstep().frame().outcome(), rig.virt().delta())
    };
    let none = Duration::ZERO;
    assert_eq!(ticks_with(Gate::Open, false), (1, Outcome::Ran, ms(10)));
    assert_eq!(ticks_with(Gate::Open, true), (0, Outcome::Paused, none));
    assert_eq!(ticks_with(Gate::Paused, false), (0, Outcome::Paused, none));
    assert_eq!(ticks_with(Gate::Menu, true), (0, Outcome::Menu, none));
    assert_eq!(ticks_with(Gate::Menu, false), (0, Outcome::Menu, none));
    assert_eq!(ticks_with(Gate::Open, false), (1, Outcome::Ran, ms(10)));
}

#[test]
fn an_app_that_was_away_loses_no_time_and_gains_none() {
    let mut rig = rig();
    rig.frames(10, ms(10));
    rig.evenstep().suspend();
    assert_eq!(rig.frame_after(Duration::from_hours(1)), 0);
    assert_eq!(rig.frame_after(ms(10)), 1);
    rig.check_clocks();
    let ledger = rig.evenstep().ledger();
    assert!(DropReason::ALL.iter().all(|&reason| ledger.dropped_ns(reason) == 0));
}

#[test]
fn pending_time_can_be_dropped() {
    let mut rig = rig();
    rig.frame_after(ms(9));
    rig.evenstep().reset_frame_timing(None);
    assert_eq!(rig.frame_after(Duration::from_secs(9)), 0);
    for _ in 0..10 {
        rig.frame_after(ms(10));
    }
    rig.check_clocks();
}

#[test]
fn a_new_game_opens_the_gate_and_counts_from_zero_while_the_clocks_go_on() {
    let mut rig = rig();
    rig.frames(10, ms(10));
    rig.evenstep().set_gate(Gate::Menu);
    rig.evenstep().set_scale(Channel::JUICE, 0.5);
    rig.frame_after(ms(10));
    let elapsed = rig.fixed().elapsed();
    rig.evenstep().tell(Command::Reset { kind: Reset::NewGame, last_frame: None });
    assert_eq!(rig.evenstep().gate(), Gate::Open);
    assert_eq!(rig.frame_after(Duration::from_secs(9)), 0, "this frame starts the clock");
    assert_eq!(rig.frame_after(ms(10)), 1);
    assert_eq!((rig.evenstep().pacer().tick(), rig.fixed().elapsed()), (1, elapsed + ms(10)));
    rig.check_clocks();
}

#[test]
fn fast_forwarded_ticks_run_at_once_and_count_as_time() {
    let mut rig = rig();
    rig.evenstep().fast_forward(500);
    assert_eq!(rig.frame_after(ms(10)), 501);
    assert_eq!((rig.fixed().elapsed(), rig.virt().delta()), (ms(5_010), ms(5_010)));
    rig.check_clocks();
}

#[test]
fn a_budget_limits_the_ticks_of_a_frame() {
    // Each tick burns a little real time, which is more than the budget of a nanosecond.
    let pacing = Pacing::hz(100).with_display_lock(DisplayLock::Off).with_budget(Duration::from_nanos(1));
    let mut rig = Rig::with(EvenstepPlugin::new(pacing));
    rig.frame_at(Duration::ZERO);
    assert_eq!(rig.frame_after(ms(30)), 3, "nothing is known yet");
    assert_eq!(rig.frame_after(ms(50)), 1);
    assert!(rig.evenstep().ledger().dropped_ns(DropReason::Budget) > 0);
    rig.check_clocks();
}

#[test]
fn presentation_feedback_reaches_the_display_lock() {
    let mut rig = Rig::new();
    let too_early = Instant::now();
    assert_eq!(rig.evenstep().time_of(too_early), None);
    rig.evenstep().presented(Presented { frame: Duration::ZERO, at: Duration::ZERO }); // Means nothing yet.
    for n in 0..600 {
        rig.frame_at(Rate::hz(60).time_of(n));
        let at = rig.resource::<Time<Real>>().last_update().expect("a timestamp") + ms(20);
        let frame = rig.evenstep().frame().now();
        let at = rig.evenstep().time_of(at).expect("there is a frame");
        rig.evenstep().presented(Presented { frame, at });
    }
    let evenstep = rig.evenstep();
    let shown_at = evenstep.pacer().shown_at().expect("locked");
    let delay = shown_at - evenstep.frame().now();
    assert!(delay.abs_diff(ms(20)) < Duration::from_micros(50), "{delay:?}");
}

#[test]
fn a_variable_refresh_frees_the_display_lock() {
    let mut rig = Rig::new();
    rig.evenstep().set_variable_refresh(true);
    for n in 0..600 {
        rig.frame_at(Rate::hz(90).time_of(n));
    }
    assert_eq!(rig.evenstep().pacer().lock_state(), LockState::Free);
}

#[test]
fn the_plan_is_there_for_every_system_of_a_frame() {
    let mut rig = rig();
    rig.app.add_systems(Update, |evenstep: Res<Evenstep>, fixed: Res<Time<Fixed>>| {
        assert!((fixed.overstep_fraction_f64() - evenstep.frame().alpha()).abs() < 1e-6);
        assert!(evenstep.explain().to_string().contains("step"));
    });
    rig.frames(10, ms(13));
    let evenstep = rig.evenstep();
    assert!(evenstep.explain().to_string().starts_with("1 step: 13.000 ms came"), "{}", evenstep.explain());
    assert_eq!(evenstep.stats().frames(), 11);
}
