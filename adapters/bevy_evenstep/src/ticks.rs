//! The fixed loop: carries the plan of a frame out.

use core::time::Duration;

use bevy_app::FixedMain;
use bevy_ecs::message::{MessageRegistry, ShouldUpdateMessages};
use bevy_ecs::prelude::*;
use bevy_platform::time::Instant;
use bevy_time::{Fixed, Time, Virtual};

use crate::clocks::set_last_overstep;
use crate::input::{Latches, PausedInput};
use crate::resource::Evenstep;

/// Runs the ticks of this frame, each with the input that is its own. Replaces `run_fixed_main_schedule`.
pub(crate) fn run_ticks(world: &mut World) {
    let mut evenstep = world.resource_mut::<Evenstep>();
    if core::mem::replace(&mut evenstep.bypass_change_detection().is_done, true) {
        // The schedule runs a second time in this frame: the plan has been carried out, and the input is taken.
        return;
    }
    let steps = u64::from(evenstep.frame.steps());
    let pending = evenstep.pending;
    let drops_input = evenstep.is_held && evenstep.paused_input == PausedInput::Drop;
    let has_budget = evenstep.pacer.pacing().budget().is_some();

    Latches::gather(world, drops_input);
    if steps > 0 {
        let start = has_budget.then(clock);
        let has_input = Latches::enter(world);
        let ran = world.try_schedule_scope(FixedMain, |world, schedule| {
            for left in (0..steps).rev() {
                begin_tick(world, left);
                schedule.run(world);
                if has_input {
                    Latches::tick_done(world);
                }
            }
        });
        if ran.is_err() {
            // There is no such schedule, or it is running already. As in Bevy, time passes and nothing happens.
            (0..steps).rev().for_each(|left| begin_tick(world, left));
        }
        if has_input {
            Latches::leave(world);
        }
        if let Some(start) = start {
            report_cost(world, clock().saturating_duration_since(start));
        }
    } else if drops_input {
        update_messages(world);
    }
    set_last_overstep(&mut world.resource_mut::<Time<Fixed>>(), pending);
    *world.resource_mut::<Time>() = world.resource::<Time<Virtual>>().as_generic();
}

fn begin_tick(world: &mut World, left: u64) {
    let mut fixed = *world.resource::<Time<Fixed>>();
    world.resource_mut::<Evenstep>().bypass_change_detection().tick(&mut fixed, left);
    *world.resource_mut::<Time>() = fixed.as_generic();
    *world.resource_mut::<Time<Fixed>>() = fixed;
}

/// Lets messages expire although no tick runs. Otherwise they would pile up as long as the game is paused.
fn update_messages(world: &mut World) {
    if let Some(mut registry) = world.get_resource_mut::<MessageRegistry>()
        && registry.should_update == ShouldUpdateMessages::Waiting
    {
        registry.should_update = ShouldUpdateMessages::Ready;
    }
}

/// Tells the pacer what the ticks cost, for its budget.
fn report_cost(world: &mut World, cost: Duration) {
    let mut evenstep = world.resource_mut::<Evenstep>();
    let now = evenstep.frame.now();
    evenstep.bypass_change_detection().pacer.steps_done(now.saturating_add(cost));
}

#[cfg_attr(
    not(target_arch = "wasm32"),
    expect(clippy::disallowed_methods, reason = "a budget limits wall time, which has to be measured")
)]
fn clock() -> Instant {
    Instant::now()
}
