//! Touches. They can only be changed by Bevy's own system for them, so ticks get theirs from it, too: in a world of its
//! own, from the events that the frame's touches show.

use std::collections::HashMap;

use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use bevy_input::touch::{ForceTouch, Touch, TouchInput, TouchPhase, Touches, touch_screen_input_system};
use bevy_math::Vec2;

use super::{Latch, swap};

/// The touches that ticks see.
#[derive(Default)]
pub(super) struct TickTouches {
    tick: Touches,
    // While ticks run, what they will have seen, whatever they write.
    unwritten: Touches,
    is_in: bool,
    // Events for the next tick, at most a few per finger, and the fingers whose last press goes unnoticed.
    waiting: Vec<TouchInput>,
    quiet: Vec<u64>,
    // Where ticks will see each finger that is down, and how hard, after the waiting events.
    down: HashMap<u64, Contact>,
    // Created with the first touch: most games have none.
    world: Option<Box<World>>,
}

type Contact = (Vec2, Option<ForceTouch>);

impl Latch for TickTouches {
    fn gather(&mut self, world: &mut World, drops: bool) -> bool {
        let Some(frame) = world.get_resource::<Touches>() else { return false };
        // Bevy keeps the motion of a touch until the next event, so only a screen that nobody touches is quiet.
        if is_untouched(frame) && self.down.is_empty() && self.waiting.is_empty() && is_untouched(&self.tick)
        {
            return false;
        }
        if !drops {
            for touch in frame.iter_just_pressed() {
                if let Some((position, force)) = self.down.remove(&touch.id()) {
                    // Lifted and put down again within the frame.
                    self.event(touch.id(), TouchPhase::Ended, position, force);
                }
                self.quiet.retain(|&id| id != touch.id());
                let start = (touch.start_position(), touch.start_force());
                self.event(touch.id(), TouchPhase::Started, start.0, start.1);
                self.down.insert(touch.id(), start);
            }
            for touch in frame.iter().filter(|touch| !frame.just_pressed(touch.id())) {
                if !self.down.contains_key(&touch.id()) {
                    self.put_down_quietly(touch);
                }
            }
        }
        for touch in frame.iter() {
            self.move_to(touch);
        }
        for touch in frame.iter_just_canceled() {
            self.release(touch.id(), touch, TouchPhase::Canceled);
        }
        for touch in frame.iter_just_released().filter(|touch| frame.get_pressed(touch.id()).is_none()) {
            self.release(touch.id(), touch, TouchPhase::Ended);
        }
        if self.down.keys().any(|&id| frame.get_pressed(id).is_none()) {
            self.forget_reset(frame);
        }
        true
    }

    fn enter(&mut self, world: &mut World) {
        let tick = core::mem::take(&mut self.tick);
        let events = core::mem::take(&mut self.waiting);
        self.tick = self.with_events(tick, events);
        for id in self.quiet.drain(..) {
            self.tick.clear_just_pressed(id);
        }
        self.unwritten = self.tick.clone();
        self.is_in = swap(world, &mut self.tick);
    }

    fn tick_done(&mut self, world: &mut World) {
        if !self.is_in {
            return;
        }
        if let Some(mut touches) = world.get_resource_mut::<Touches>() {
            let touches = touches.bypass_change_detection();
            let ticked = core::mem::take(touches);
            *touches = self.with_events(ticked, Vec::new());
        }
    }

    fn leave(&mut self, world: &mut World) {
        if core::mem::take(&mut self.is_in) {
            swap(world, &mut self.tick);
            let unwritten = core::mem::take(&mut self.unwritten);
            self.tick = self.with_events(unwritten, Vec::new());
        }
    }
}

fn is_untouched(touches: &Touches) -> bool {
    let is_over = touches.any_just_released() || touches.any_just_canceled();
    !is_over && !touches.any_just_pressed() && touches.iter().next().is_none()
}

impl TickTouches {
    fn event(&mut self, id: u64, phase: TouchPhase, position: Vec2, force: Option<ForceTouch>) {
        self.waiting.push(TouchInput { phase, position, window: Entity::PLACEHOLDER, force, id });
    }

    /// Puts a finger down that went down during a pause: nobody sees it being pressed, nor moving until now.
    fn put_down_quietly(&mut self, touch: &Touch) {
        let id = touch.id();
        let now = (touch.position(), touch.force());
        if self.waiting.iter().all(|event| event.id != id) {
            let event = |phase, (position, force): Contact| TouchInput {
                phase,
                position,
                window: Entity::PLACEHOLDER,
                force,
                id,
            };
            let start = (touch.start_position(), touch.start_force());
            let tick = core::mem::take(&mut self.tick);
            let events = vec![event(TouchPhase::Started, start), event(TouchPhase::Moved, now)];
            self.tick = self.with_events(tick, events);
            self.tick.clear();
        } else {
            // After events of an earlier finger with this id, so it starts where it is now. If that finger's press
            // waits, ticks have to see it.
            let is_press = |event: &TouchInput| event.id == id && event.phase == TouchPhase::Started;
            if !self.waiting.iter().any(is_press) {
                self.quiet.push(id);
            }
            self.event(id, TouchPhase::Started, now.0, now.1);
        }
        self.down.insert(id, now);
    }

    /// Moves a finger that ticks know.
    fn move_to(&mut self, touch: &Touch) {
        let now = (touch.position(), touch.force());
        let Some(contact) = self.down.get_mut(&touch.id()).filter(|at| **at != now) else {
            return;
        };
        *contact = now;
        // Only the last position before a tick counts.
        self.waiting.retain(|event| event.id != touch.id() || event.phase != TouchPhase::Moved);
        self.event(touch.id(), TouchPhase::Moved, touch.position(), touch.force());
    }

    /// Lifts a finger that ticks know.
    fn release(&mut self, id: u64, touch: &Touch, phase: TouchPhase) {
        if self.down.contains_key(&id) {
            self.move_to(touch);
            self.down.remove(&id);
            self.event(id, phase, touch.position(), touch.force());
        }
    }

    /// Forgets fingers that something reset, without a release that nobody made. A press that waits goes with them.
    fn forget_reset(&mut self, frame: &Touches) {
        let is_reset = |&id: &u64| frame.get_pressed(id).is_none();
        for id in self.down.keys().copied().filter(is_reset).collect::<Vec<_>>() {
            self.down.remove(&id);
            self.quiet.retain(|&quiet| quiet != id);
            let is_press = |event: &TouchInput| event.id == id && event.phase == TouchPhase::Started;
            // An earlier finger with this id may still wait to be lifted.
            let press = self.waiting.iter().rposition(is_press);
            let mut index = 0;
            self.waiting.retain(|event| {
                index += 1;
                event.id != id || press.is_some_and(|press| index <= press)
            });
            if press.is_none() {
                self.tick.release(id);
                self.tick.clear_just_released(id);
            }
        }
    }

    /// Returns the touches after these events, without earlier presses and releases, and with the motion since.
    fn with_events(&mut self, mut touches: Touches, mut events: Vec<TouchInput>) -> Touches {
        touches.clear();
        if events.is_empty() {
            // Bevy's system forgets old motion only if there are events. One that changes nothing will do.
            let Some(moved) = touches.iter().find(|touch| touch.delta() != Vec2::ZERO) else {
                return touches;
            };
            events.push(TouchInput {
                phase: TouchPhase::Moved,
                position: moved.position(),
                window: Entity::PLACEHOLDER,
                force: moved.force(),
                id: moved.id(),
            });
        }
        let world = self.world.get_or_insert_with(|| {
            let mut world = World::new();
            world.init_resource::<Messages<TouchInput>>();
            Box::new(world)
        });
        world.insert_resource(touches);
        world.resource_mut::<Messages<TouchInput>>().write_batch(events);
        if let Err(error) = world.run_system_cached(touch_screen_input_system) {
            panic!("Bevy's system for touches failed: {error}");
        }
        world.resource_mut::<Messages<TouchInput>>().clear();
        world.remove_resource::<Touches>().unwrap_or_default()
    }
}
