//! An app without a window, and frames at given times.

use core::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_evenstep::{Evenstep, EvenstepPlugin};
use bevy_input::keyboard::{Key, KeyCode, KeyboardInput};
use bevy_input::{ButtonInput, ButtonState, InputPlugin};
use bevy_platform::time::Instant;
use bevy_time::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};

pub(crate) const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

pub(crate) struct Rig {
    pub(crate) app: App,
    start: Instant,
    now: Duration,
}

/// What every tick records.
#[derive(Resource, Default)]
pub(crate) struct Ticks {
    pub(crate) count: u64,
    /// Ticks in the current frame.
    pub(crate) in_frame: u32,
}

/// What `Update` saw of the space bar in every frame: just pressed, pressed, just released.
#[derive(Resource, Default)]
pub(crate) struct Frames(pub(crate) Vec<(bool, bool, bool)>);

impl Rig {
    /// Bevy as it is.
    pub(crate) fn stock(hz: f64) -> Self {
        let mut app = App::new();
        app.add_plugins((TimePlugin, InputPlugin)).insert_resource(Time::<Fixed>::from_hz(hz));
        Self::of(app)
    }

    /// Bevy with the plugin at 60 Hz.
    pub(crate) fn new() -> Self {
        Self::with(EvenstepPlugin::hz(60))
    }

    pub(crate) fn with(plugin: EvenstepPlugin) -> Self {
        let mut app = App::new();
        app.add_plugins((TimePlugin, InputPlugin, plugin));
        Self::of(app)
    }

    pub(crate) fn of(mut app: App) -> Self {
        app.init_resource::<Ticks>()
            .add_systems(First, |mut ticks: ResMut<Ticks>| ticks.in_frame = 0)
            .add_systems(FixedFirst, |mut ticks: ResMut<Ticks>| {
                ticks.count += 1;
                ticks.in_frame += 1;
            });
        app.finish();
        app.cleanup();
        Self { app, start: Instant::now(), now: Duration::ZERO }
    }

    /// Runs the frame at a time since the start. Returns its ticks.
    pub(crate) fn frame_at(&mut self, at: Duration) -> u32 {
        self.now = at;
        self.app.insert_resource(TimeUpdateStrategy::ManualInstant(self.start + at));
        self.app.update();
        self.resource::<Ticks>().in_frame
    }

    /// Runs the frame at a time after the last one. Returns its ticks.
    pub(crate) fn frame_after(&mut self, after: Duration) -> u32 {
        self.frame_at(self.now + after)
    }

    /// Runs frames of this length. Returns their ticks.
    pub(crate) fn frames(&mut self, count: u32, each: Duration) -> u32 {
        (0..count).map(|_| self.frame_after(each)).sum()
    }

    pub(crate) fn resource<R: Resource>(&self) -> &R {
        self.app.world().resource()
    }

    pub(crate) fn evenstep(&mut self) -> Mut<'_, Evenstep> {
        self.app.world_mut().resource_mut()
    }

    pub(crate) fn virt(&mut self) -> Mut<'_, Time<Virtual>> {
        self.app.world_mut().resource_mut()
    }

    pub(crate) fn fixed(&mut self) -> Mut<'_, Time<Fixed>> {
        self.app.world_mut().resource_mut()
    }

    pub(crate) fn record_frames(&mut self) {
        let record = |mut frames: ResMut<Frames>, keys: Res<ButtonInput<KeyCode>>| {
            let key = KeyCode::Space;
            frames.0.push((keys.just_pressed(key), keys.pressed(key), keys.just_released(key)));
        };
        self.app.init_resource::<Frames>().add_systems(Update, record);
    }

    pub(crate) fn send(&mut self, message: impl Message) {
        self.app.world_mut().write_message(message).expect("the message is registered");
    }

    pub(crate) fn press(&mut self, key: KeyCode) {
        self.key(key, ButtonState::Pressed);
    }

    pub(crate) fn release(&mut self, key: KeyCode) {
        self.key(key, ButtonState::Released);
    }

    fn key(&mut self, key_code: KeyCode, state: ButtonState) {
        let logical_key = if key_code == KeyCode::Space { Key::Space } else { Key::Enter };
        let window = Entity::PLACEHOLDER;
        self.send(KeyboardInput { key_code, logical_key, state, text: None, repeat: false, window });
    }

    /// `Time<Virtual>` must be `Time<Fixed>` plus its overstep.
    #[track_caller]
    pub(crate) fn check_clocks(&mut self) {
        let fixed = *self.fixed();
        let virt = *self.virt();
        assert_eq!(virt.elapsed(), fixed.elapsed() + fixed.overstep());
        assert_eq!(self.resource::<Time>().elapsed(), virt.elapsed());
        assert!(self.evenstep().ledger().is_balanced());
    }
}
