//! Every device, one file for each kind: what ticks see of it, and when.

mod gamepads;
mod keys;
mod mouse;
mod own;
mod touches;

use core::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_evenstep::EvenstepPlugin;
use bevy_time::TimePlugin;

use crate::rig::{Rig, ms};

/// What ticks saw, as words.
#[derive(Resource, Default)]
struct Log(Vec<String>);

fn rig<M>(system: impl IntoSystem<(), (), M> + 'static) -> Rig {
    let mut app = App::new();
    app.add_plugins((TimePlugin, bevy_input::InputPlugin, EvenstepPlugin::hz(60)));
    app.init_resource::<Log>();
    let id = app.register_system(system);
    app.add_systems(FixedUpdate, move |world: &mut World| {
        world.run_system(id).expect("the test's system runs");
    });
    let mut rig = Rig::of(app);
    rig.frame_at(Duration::ZERO);
    rig
}

impl Rig {
    fn no_tick(&mut self) {
        assert_eq!(self.frame_after(Duration::from_micros(100)), 0);
    }

    fn three_ticks(&mut self) {
        assert_eq!(self.frame_after(ms(50)), 3);
    }

    fn log(&mut self) -> Vec<String> {
        core::mem::take(&mut self.app.world_mut().resource_mut::<Log>().0)
    }
}
