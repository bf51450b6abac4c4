//! A game at 60 Hz with physics at 30: half of the work for Rapier, and motion as smooth as before.
//!
//! Run: `cargo run -p evenstep-rapier --example physics_at_30`
//!
//! 1. `Physics::at_hz(60, 30)` says how often the game ticks, and how often Rapier steps.
//! 2. Call `tick` in every tick of the game. It runs Rapier when a step is due: in every second tick.
//! 3. Draw with `motion_at(body, alpha)`: it blends the last two physics steps at the display's time.

use evenstep::{Pacer, Pacing, Rate};
use evenstep_rapier::Physics;
use evenstep_rapier::rapier::prelude::*;

fn main() {
    let mut pacer = Pacer::new(Pacing::hz(60));
    let mut physics = Physics::at_hz(60, 30);
    physics.world.gravity = Vector::new(0.0, -9.81);
    let (ball, _) = physics
        .world
        .insert(RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 10.0)), ColliderBuilder::ball(0.5));

    let display = Rate::hz(120); // Your display's timestamps go here.
    let mut steps = 0;
    let mut drawn = Vec::new();
    for image in 0..=120 {
        let frame = pacer.frame(display.time_of(image));
        for _tick in frame.ticks() {
            steps += physics.tick().steps;
        }
        let y = physics.motion_at(ball, frame.alpha()).map_or(0.0, |motion| motion.position.y);
        drawn.push(y);
    }
    println!("{} ticks, {steps} physics steps, {} images", pacer.tick(), drawn.len());
    println!("the ball fell to {:.2} m, and its last images are at {:.3?}", drawn[120], &drawn[117..]);

    // Every image of the falling ball is lower than the one before: none repeats, none jumps.
    assert!(drawn[8..].windows(2).all(|pair| pair[1] < pair[0]), "{drawn:?}");
    assert_eq!((pacer.tick(), steps), (60, 30));
}
