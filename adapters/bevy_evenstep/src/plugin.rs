//! The plugin: what it asks of an app, and where its systems go.

use bevy_app::prelude::*;
use bevy_ecs::message::message_update_system;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleCleanupPolicy;
use bevy_time::{Fixed, Time, TimePlugin, TimeSystems, Virtual, run_fixed_main_schedule, time_system};
use evenstep::{Pacing, Rate};

use crate::clocks::{self, pace};
use crate::input::{Latches, PausedInput};
use crate::resource::Evenstep;
use crate::ticks::run_ticks;

/// Drives Bevy's clocks and its fixed loop with an Evenstep pacer.
///
/// Add it after `DefaultPlugins` or [`TimePlugin`].
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_evenstep::EvenstepPlugin;
/// use bevy_evenstep::evenstep::{DisplayLock, Pacing};
/// use bevy_time::TimePlugin;
///
/// // At the rate of `Time<Fixed>`, which is 64 Hz unless you change it:
/// App::new().add_plugins((TimePlugin, EvenstepPlugin::default()));
/// // At a rate that suits the display:
/// App::new().add_plugins((TimePlugin, EvenstepPlugin::hz(60)));
/// // With options of your own:
/// let pacing = Pacing::hz(60).with_display_lock(DisplayLock::RateLock);
/// App::new().add_plugins((TimePlugin, EvenstepPlugin::new(pacing)));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct EvenstepPlugin {
    pacing: Option<Pacing>,
    // Whether the longest frame of the configuration is that of `Time<Virtual>`.
    keeps_max_delta: bool,
    paused_input: PausedInput,
}

impl EvenstepPlugin {
    /// Runs `FixedUpdate` at a whole rate. Sets the timestep of [`Time<Fixed>`](Fixed), and nothing else.
    ///
    /// # Panics
    ///
    /// If `hz` is 0 or above one million.
    pub fn hz(hz: u32) -> Self {
        Self { keeps_max_delta: true, ..Self::new(recommended(Rate::hz(hz))) }
    }

    /// Uses a configuration of your own. Sets the timestep of [`Time<Fixed>`](Fixed) to its rate, and `max_delta` of
    /// [`Time<Virtual>`](Virtual) to its longest frame.
    pub const fn new(pacing: Pacing) -> Self {
        Self { pacing: Some(pacing), keeps_max_delta: false, paused_input: PausedInput::Drop }
    }

    /// Sets what happens to presses during a pause. By default, they are dropped.
    pub const fn with_paused_input(self, paused_input: PausedInput) -> Self {
        Self { paused_input, ..self }
    }
}

/// The recommended loop. Bevy has no step cap: `max_delta` alone limits the steps of a frame.
pub(crate) fn recommended(rate: Rate) -> Pacing {
    Pacing::at(rate).with_steps_max(None)
}

impl Plugin for EvenstepPlugin {
    fn build(&self, app: &mut App) {
        assert!(
            app.is_plugin_added::<TimePlugin>(),
            "EvenstepPlugin drives the clocks of Bevy's TimePlugin, which is missing: add EvenstepPlugin after \
             DefaultPlugins, MinimalPlugins or TimePlugin"
        );
        let removed = app.remove_systems_in_set(
            RunFixedMainLoop,
            run_fixed_main_schedule,
            ScheduleCleanupPolicy::RemoveSystemsOnly,
        );
        assert!(
            matches!(removed, Ok(1)),
            "EvenstepPlugin replaces the driver of Bevy's fixed loop, `run_fixed_main_schedule`, but it is not there: \
             another plugin has replaced it (Bevy says: {removed:?}). Use only one of them"
        );

        let world = app.world_mut();
        let mut evenstep = Evenstep::new(self.paused_input);
        if let Some(mut pacing) = self.pacing {
            let mut fixed = *world.resource::<Time<Fixed>>();
            let mut virt = *world.resource::<Time<Virtual>>();
            if self.keeps_max_delta {
                pacing = pacing.with_longest_frame(virt.max_delta());
            }
            clocks::write_settings(&pacing, &mut fixed, &mut virt);
            world.insert_resource(fixed);
            world.insert_resource(virt);
            evenstep.start_with(pacing, &fixed, &virt);
        }
        world.insert_resource(evenstep);
        world.get_resource_or_init::<Latches>().add_devices();

        app.add_systems(
            First,
            pace.in_set(TimeSystems).after(time_system).ambiguous_with(message_update_system),
        )
        .add_systems(RunFixedMainLoop, run_ticks.in_set(RunFixedMainLoopSystems::FixedMainLoop));
    }
}
