//! A ball bounces between walls, and every hit stops time for a few frames. Space toggles hitstop.
//!
//! Run: `cargo run -p evenstep-host --example hitstop --features native`

use evenstep::Interpolated;
use evenstep_host::native::{self, Window};
use evenstep_host::{App, Color, Context, Draw, Error, Event, Input, Key, Paint, View};

const BOX: [f64; 2] = [760.0, 400.0];
const RADIUS: f64 = 26.0;

struct Punch {
    position: Interpolated<[f64; 2]>,
    velocity: [f64; 2],
    // Ticks since the last hit, and its position.
    since_hit: u32,
    hit_at: [f64; 2],
    has_hitstop: bool,
}

impl App for Punch {
    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        match event {
            Event::KeyDown(Key::Space) => self.has_hitstop = !self.has_hitstop,
            Event::KeyDown(Key::Escape) => cx.quit(),
            _ => {}
        }
    }

    fn step(&mut self, _input: &Input, cx: &mut Context<'_>) {
        let mut position = self.position.current();
        self.since_hit += 1;
        for axis in 0..2 {
            position[axis] += self.velocity[axis];
            let limit = BOX[axis] / 2.0 - RADIUS;
            if position[axis].abs() > limit {
                position[axis] = position[axis].clamp(-limit, limit);
                self.velocity[axis] = -self.velocity[axis];
                self.since_hit = 0;
                self.hit_at = position;
                if self.has_hitstop {
                    cx.pacer.hitstop(8, 0.0);
                }
            }
        }
        self.position.advance(position);
    }
}

impl<C: Paint> Draw<C> for Punch {
    fn draw(&mut self, canvas: &mut C, view: View<'_>) {
        let size = canvas.size();
        let is_stopped = view.pacer.is_in_hitstop();
        // The shake uses wall time, which goes on while the game is stopped.
        let shake = if is_stopped { 5.0 * (view.pacer.wall_time().as_secs_f64() * 90.0).sin() } else { 0.0 };
        let x = size.width / 2.0 + shake;
        let y = size.height / 2.0;
        let left = x - BOX[0] / 2.0;
        let top = y - BOX[1] / 2.0;
        canvas.fill(Color::rgb(0x12_0E_1A));
        canvas.rect(left - 6.0, top - 6.0, BOX[0] + 12.0, BOX[1] + 12.0, Color::rgb(0x5B_3A_8C));
        canvas.rect(left, top, BOX[0], BOX[1], Color::rgb(if is_stopped { 0x3A_24_58 } else { 0x1C_14_2A }));
        let [hit_x, hit_y] = [x + self.hit_at[0], y + self.hit_at[1]];
        for ring in 0..3 {
            let spread = f64::from(self.since_hit) * (2.0 + f64::from(ring)) + RADIUS;
            let fade = (0.25 - self.since_hit as f32 * 0.01).max(0.0);
            canvas.disc(hit_x, hit_y, spread, Color::rgb(0xFF_7A_B6).with_alpha(fade));
        }
        let [ball_x, ball_y] = self.position.at(view.alpha());
        let color = Color::rgb(if is_stopped { 0xFF_FF_FF } else { 0xFF_7A_B6 });
        canvas.disc(x + ball_x, y + ball_y, RADIUS, color);
    }
}

fn main() -> Result<(), Error> {
    let position = Interpolated::new([0.0, 0.0]);
    let velocity = [11.0, 7.0];
    let punch = Punch { position, velocity, since_hit: 1_000, hit_at: [0.0; 2], has_hitstop: true };
    native::run(Window::new("Hitstop: press Space to toggle"), punch)?;
    Ok(())
}
