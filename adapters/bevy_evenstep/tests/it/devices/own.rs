//! Resources of the game's own.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_evenstep::{AddTickInput, TickInput};
use bevy_input::ButtonInput;

use super::{Log, rig};

/// A game's own input: letters typed.
#[derive(Resource, Default)]
struct Typed(String);

impl TickInput for Typed {
    fn gather(&mut self, frame: &Self) {
        self.0.push_str(&frame.0);
    }

    fn tick_done(&mut self) {
        self.0.clear();
    }
}

#[test]
fn a_resource_of_the_game_s_own_is_exactly_once_too() {
    let mut rig = rig(|mut log: ResMut<Log>, typed: Res<Typed>| log.0.push(typed.0.clone()));
    rig.app.init_resource::<Typed>().add_tick_input::<Typed>().add_tick_input::<Typed>();
    for letter in ["a", "b", ""] {
        rig.app.insert_resource(Typed(letter.into()));
        rig.no_tick();
    }
    rig.three_ticks();
    assert_eq!(rig.log(), ["ab", "", ""], "although it is registered twice");
    // The default drops it during a pause.
    rig.virt().pause();
    rig.no_tick();
    rig.app.insert_resource(Typed("c".into()));
    rig.no_tick();
    rig.app.insert_resource(Typed(String::new()));
    rig.virt().unpause();
    rig.three_ticks();
    assert_eq!(rig.log(), ["", "", ""]);
}

#[test]
fn buttons_of_the_game_s_own_can_be_registered() {
    let mut rig = rig(|mut log: ResMut<Log>, actions: Res<ButtonInput<&'static str>>| {
        log.0.push(format!("{}", actions.just_pressed("jump")));
    });
    rig.app.init_resource::<ButtonInput<&'static str>>().add_tick_input::<ButtonInput<&'static str>>();
    rig.app.add_systems(PreUpdate, |mut actions: ResMut<ButtonInput<&'static str>>| actions.clear());
    rig.app.add_systems(
        bevy_app::RunFixedMainLoop,
        (|mut actions: ResMut<ButtonInput<&'static str>>, mut done: Local<bool>| {
            if !core::mem::replace(&mut *done, true) {
                actions.press("jump");
            }
        })
        .in_set(bevy_app::RunFixedMainLoopSystems::BeforeFixedMainLoop),
    );
    rig.no_tick();
    rig.three_ticks();
    assert_eq!(rig.log(), ["true", "false", "false"]);
}

#[test]
fn a_resource_that_comes_and_goes_is_harmless() {
    let mut rig = rig(|mut log: ResMut<Log>, typed: Option<Res<Typed>>| {
        log.0.push(typed.map_or("none".into(), |typed| typed.0.clone()));
    });
    rig.app.add_tick_input::<Typed>();
    rig.three_ticks();
    rig.app.insert_resource(Typed("a".into()));
    rig.three_ticks();
    rig.app.add_systems(FixedPostUpdate, |mut commands: Commands| commands.remove_resource::<Typed>());
    rig.three_ticks();
    rig.three_ticks();
    let expected = ["none", "none", "none", "a", "", "", "a", "none", "none", "none", "none", "none"];
    assert_eq!(rig.log(), expected);
}
