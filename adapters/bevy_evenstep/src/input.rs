//! Input for ticks: around the ticks of a frame, the frame's input is swapped for that of the tick.
//!
//! ```text
//! frames         |   0   |   1   |   2   |   3   |
//! press            ^ in frame 0
//! ticks                  |1      |2,3    |4
//! Update          just_pressed
//! FixedUpdate            just_pressed in tick 1, and in no other
//! ```

mod buttons;
mod gamepads;
mod mouse;
mod touches;

use core::any::TypeId;

use bevy_app::App;
use bevy_ecs::component::Mutable;
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::{Key, KeyCode};
use bevy_input::mouse::{AccumulatedMouseMotion, AccumulatedMouseScroll, MouseButton};

use gamepads::Gamepads;
use touches::TickTouches;

/// A resource with a frame's input, of which every tick gets its own part.
///
/// The plugin keeps a second instance, for ticks. It [`gather`](Self::gather)s every frame's input, takes the place of
/// the resource while ticks run, and [forgets](Self::tick_done) after each tick what that tick has seen.
///
/// Implemented for [`ButtonInput`] and for Bevy's accumulated mouse motion and scroll. Register a resource of your own
/// with [`add_tick_input`](AddTickInput::add_tick_input).
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_ecs::prelude::*;
/// use bevy_evenstep::{AddTickInput, EvenstepPlugin, TickInput};
/// use bevy_time::TimePlugin;
///
/// /// Letters typed in this frame.
/// #[derive(Resource, Default)]
/// struct Typed(String);
///
/// impl TickInput for Typed {
///     fn gather(&mut self, frame: &Self) {
///         self.0.push_str(&frame.0);
///     }
///     fn tick_done(&mut self) {
///         self.0.clear();
///     }
/// }
///
/// App::new().add_plugins((TimePlugin, EvenstepPlugin::hz(60))).init_resource::<Typed>().add_tick_input::<Typed>();
/// ```
pub trait TickInput: Resource<Mutability = Mutable> + Default {
    /// Adds what a frame brought to what waits for the next tick.
    fn gather(&mut self, frame: &Self);

    /// Like [`gather`](Self::gather), for a frame of a pause, whose presses are dropped. What already waits has to stay.
    /// Releases should be taken over, or a key that was held when the pause began stays down.
    fn gather_paused(&mut self, frame: &Self) {
        let _ = frame;
    }

    /// Forgets what a tick has seen, such as presses. What lasts stays, such as keys that are held.
    fn tick_done(&mut self);
}

/// What happens to presses while the game is [held](crate::Evenstep::is_held) by a pause, a menu or a speed of 0.
///
/// A hit-freeze ends by itself: presses during one always wait for the next tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PausedInput {
    /// Drops presses, mouse motion and messages: the key that closes a menu does not also jump.
    ///
    /// Messages are all messages, also the game's own. Ticks still see those that systems wrote in the last frame of the
    /// pause.
    ///
    /// A key that is still down when the game goes on is `pressed`, but not `just_pressed`. A key that a tick saw held
    /// and that is released during the pause is `just_released` in the next tick.
    #[default]
    Drop,
    /// Keeps everything for the first tick after the pause. As without this plugin, messages then pile up.
    Keep,
}

/// Registers input for ticks.
pub trait AddTickInput {
    /// Gives every tick its own part of a resource. Registering a resource again changes nothing.
    fn add_tick_input<R: TickInput>(&mut self) -> &mut Self;
}

impl AddTickInput for App {
    fn add_tick_input<R: TickInput>(&mut self) -> &mut Self {
        self.world_mut().get_resource_or_init::<Latches>().add(Latched::<R>::default());
        self
    }
}

/// One device, or one resource, with the instance that ticks see.
trait Latch: Send + Sync + 'static {
    /// Adds the frame's input. `drops` presses during a pause. Returns whether there is a device that ticks can see.
    fn gather(&mut self, world: &mut World, drops: bool) -> bool;
    /// Puts the tick's instance in the place of the frame's.
    fn enter(&mut self, world: &mut World);
    /// Forgets what a tick has seen. The tick's instance is in place.
    fn tick_done(&mut self, world: &mut World);
    /// Puts the frame's instance back.
    fn leave(&mut self, world: &mut World);
}

/// Everything that is latched.
#[derive(Resource, Default)]
pub(crate) struct Latches {
    latches: Vec<Slot>,
    // Whether ticks see their own input now. If a tick panics, the next frame puts things right.
    are_in: bool,
}

struct Slot {
    id: TypeId,
    latch: Box<dyn Latch>,
    // Whether this frame's ticks see an instance of their own.
    is_due: bool,
}

impl Latches {
    fn add<L: Latch>(&mut self, latch: L) {
        let id = TypeId::of::<L>();
        if self.latches.iter().all(|slot| slot.id != id) {
            self.latches.push(Slot { id, latch: Box::new(latch), is_due: false });
        }
    }

    /// Adds all of Bevy's devices. A resource that an app does not have is left alone.
    pub(crate) fn add_devices(&mut self) {
        self.add(Latched::<ButtonInput<KeyCode>>::default());
        self.add(Latched::<ButtonInput<Key>>::default());
        self.add(Latched::<ButtonInput<MouseButton>>::default());
        self.add(Latched::<AccumulatedMouseMotion>::default());
        self.add(Latched::<AccumulatedMouseScroll>::default());
        self.add(TickTouches::default());
        self.add(Gamepads::default());
    }

    pub(crate) fn gather(world: &mut World, drops: bool) {
        if world.resource::<Self>().are_in {
            Self::leave(world);
        }
        Self::each(world, |slot, world| slot.is_due = slot.latch.gather(world, drops));
    }

    /// Shows ticks their own input. Returns whether there is any.
    pub(crate) fn enter(world: &mut World) -> bool {
        let mut latches = world.resource_mut::<Self>();
        let latches = latches.bypass_change_detection();
        latches.are_in = latches.latches.iter().any(|slot| slot.is_due);
        let are_in = latches.are_in;
        if are_in {
            Self::each_due(world, Latch::enter);
        }
        are_in
    }

    pub(crate) fn tick_done(world: &mut World) {
        Self::each_due(world, Latch::tick_done);
    }

    pub(crate) fn leave(world: &mut World) {
        Self::each_due(world, Latch::leave);
        world.resource_mut::<Self>().are_in = false;
    }

    fn each_due(world: &mut World, action: fn(&mut (dyn Latch + 'static), &mut World)) {
        Self::each(world, |slot, world| {
            if slot.is_due {
                action(&mut *slot.latch, world);
            }
        });
    }

    fn each(world: &mut World, mut action: impl FnMut(&mut Slot, &mut World)) {
        let mut latches = core::mem::take(&mut world.resource_mut::<Self>().latches);
        for slot in &mut latches {
            action(slot, world);
        }
        world.resource_mut::<Self>().latches = latches;
    }
}

/// A resource, and the instance of it that ticks see.
struct Latched<R> {
    tick: R,
    is_in: bool,
}

impl<R: Default> Default for Latched<R> {
    fn default() -> Self {
        Self { tick: R::default(), is_in: false }
    }
}

impl<R: TickInput> Latch for Latched<R> {
    fn gather(&mut self, world: &mut World, drops: bool) -> bool {
        let Some(frame) = world.get_resource::<R>() else { return false };
        if drops {
            self.tick.gather_paused(frame);
        } else {
            self.tick.gather(frame);
        }
        // Even if nothing happened: what a tick writes must not reach the frame.
        true
    }

    fn enter(&mut self, world: &mut World) {
        self.is_in = swap(world, &mut self.tick);
    }

    fn tick_done(&mut self, world: &mut World) {
        if let Some(mut tick) = world.get_resource_mut::<R>().filter(|_| self.is_in) {
            tick.bypass_change_detection().tick_done();
        }
    }

    fn leave(&mut self, world: &mut World) {
        if core::mem::take(&mut self.is_in) && !swap(world, &mut self.tick) {
            // A tick removed the resource.
            self.tick = R::default();
        }
    }
}

/// Swaps the resource for another instance, unnoticed by change detection. Returns whether there is one.
fn swap<R: Resource<Mutability = Mutable>>(world: &mut World, other: &mut R) -> bool {
    let resource = world.get_resource_mut::<R>();
    resource.map(|mut resource| core::mem::swap(resource.bypass_change_detection(), other)).is_some()
}
