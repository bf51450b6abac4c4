//! Evenstep in an engine with its own window and input: macroquad. Arrow keys move, space dashes, P pauses, Escape quits.
//!
//! The same four steps fit every engine that lets you write the loop:
//!
//! 1. Ask the pacer for a plan once per frame, with the engine's time.
//! 2. Put key events into an `InputLatch` as they come. The engine's `is_key_pressed` is true for a frame, which may run
//!    no tick, or two: from the latch every press reaches exactly one.
//! 3. Run the plan's ticks. Keep the last two states of what moves, as `Interpolated` does.
//! 4. Draw at the plan's alpha. Wait for the display in the engine's own way: here, `next_frame`.

use evenstep::{Gate, InputLatch, Interpolated, Latching, Pacer, Pacing};
use macroquad::prelude::*;

/// The space bar went down.
struct Dash;

const STEP: f32 = 1.0 / 60.0;

struct Ship {
    position: Interpolated<[f32; 2]>,
    dash: f32,
}

impl Ship {
    /// One step. It depends on the ship and its input alone: not on the frame rate, the window or the clock.
    fn step(&mut self, direction: Vec2, has_dashed: bool) {
        self.dash = if has_dashed { 1_800.0 } else { self.dash * 0.85 };
        let [x, y] = self.position.current();
        let moved = vec2(x, y) + direction * (300.0 + self.dash) * STEP;
        self.position.advance([moved.x.clamp(-380.0, 380.0), moved.y.clamp(-280.0, 280.0)]);
    }
}

#[macroquad::main("Evenstep in macroquad")]
async fn main() {
    let mut pacer = Pacer::new(Pacing::hz(60));
    let mut dashes = InputLatch::<Dash, 16>::new(Latching::FirstTick);
    let mut ship = Ship { position: Interpolated::new([0.0, 0.0]), dash: 0.0 };
    while !is_key_pressed(KeyCode::Escape) {
        if is_key_pressed(KeyCode::P) {
            let is_open = pacer.gate() == Gate::Open;
            pacer.set_gate(if is_open { Gate::Paused } else { Gate::Open });
        }
        let now = std::time::Duration::from_secs_f64(get_time());
        // The latch is full after sixteen presses without a tick: then one more makes no difference.
        if is_key_pressed(KeyCode::Space) && pacer.gate() == Gate::Open {
            let _ = dashes.push(now, Dash);
        }
        let axis = |less, more| f32::from(i8::from(is_key_down(more)) - i8::from(is_key_down(less)));
        let direction = vec2(axis(KeyCode::Left, KeyCode::Right), axis(KeyCode::Up, KeyCode::Down));

        let frame = pacer.frame(now);
        for tick in frame.ticks() {
            let has_dashed = dashes.take(&frame, tick).is_some();
            ship.step(direction, has_dashed);
        }

        let [x, y] = ship.position.at(frame.alpha());
        clear_background(Color::from_hex(0x0E_12_1C));
        let centre = vec2(screen_width(), screen_height()) / 2.0;
        draw_circle(centre.x + x, centre.y + y, 16.0, Color::from_hex(0x4C_C9_F0));
        draw_text(format!("tick {}", pacer.tick()), 12.0, 24.0, 24.0, GRAY);
        next_frame().await;
    }
}
