//! Pong. W and S, or the arrow keys, move the left paddle; P pauses; Escape quits.

use evenstep::Interpolated;
use evenstep_host::{App, Color, Context, Draw, Error, Event, Input, Key, Paint, View};

// Lengths are in units of the field, speeds in units per second, and y points down.
const FIELD: [f64; 2] = [800.0, 450.0];
const PADDLE: [f64; 2] = [12.0, 90.0];
const PADDLE_X: [f64; 2] = [40.0, FIELD[0] - 40.0];
const BALL: f64 = 8.0;
const STEP: f64 = 1.0 / 60.0;

struct Pong {
    ball: Interpolated<[f64; 2]>,
    velocity: [f64; 2],
    paddles: [Interpolated<f64>; 2],
    score: [u32; 2],
}

impl Pong {
    fn new() -> Self {
        Self {
            ball: Interpolated::new([FIELD[0] / 2.0, FIELD[1] / 2.0]),
            velocity: [380.0, 170.0],
            paddles: [Interpolated::new(FIELD[1] / 2.0); 2],
            score: [0, 0],
        }
    }

    fn move_paddle(&mut self, side: usize, speed: f64) {
        let half = PADDLE[1] / 2.0;
        let y = self.paddles[side].current() + speed * STEP;
        self.paddles[side].advance(y.clamp(half, FIELD[1] - half));
    }

    fn move_ball(&mut self, cx: &mut Context<'_>) {
        let [mut x, mut y] = self.ball.current();
        x += self.velocity[0] * STEP;
        y += self.velocity[1] * STEP;
        let inside = y.clamp(BALL, FIELD[1] - BALL);
        if y != inside {
            y = inside;
            self.velocity[1] = -self.velocity[1];
        }
        let side = usize::from(self.velocity[0] > 0.0);
        let off_centre = (y - self.paddles[side].current()) / (PADDLE[1] / 2.0);
        if (x - PADDLE_X[side]).abs() < BALL + PADDLE[0] / 2.0 && off_centre.abs() < 1.2 {
            self.velocity = [self.velocity[0] * -1.05, off_centre * 300.0];
            cx.pacer.hitstop(3, 0.0); // Three steps of standing still: a hit that is felt.
        }
        if (0.0..=FIELD[0]).contains(&x) {
            self.ball.advance([x, y]);
        } else {
            self.score[1 - side] += 1;
            self.ball.teleport([FIELD[0] / 2.0, FIELD[1] / 2.0]); // Without a streak across the field.
            self.velocity = [if side == 0 { 380.0 } else { -380.0 }, 170.0];
        }
    }
}

impl App for Pong {
    // At once, even while paused.
    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        match event {
            Event::KeyDown(Key::KeyP) if cx.is_paused() => cx.resume(),
            Event::KeyDown(Key::KeyP) => cx.pause(),
            Event::KeyDown(Key::Escape) => cx.quit(),
            _ => {}
        }
    }

    // Exactly 60 times a second, on every display.
    fn step(&mut self, input: &Input, cx: &mut Context<'_>) {
        let keys = input.axis(Key::KeyW, Key::KeyS) + input.axis(Key::ArrowUp, Key::ArrowDown);
        self.move_paddle(0, 420.0 * f64::from(keys.clamp(-1.0, 1.0)));
        let away = self.ball.current()[1] - self.paddles[1].current();
        self.move_paddle(1, (away * 8.0).clamp(-260.0, 260.0));
        self.move_ball(cx);
    }
}

impl<C: Paint> Draw<C> for Pong {
    // Once per image, between the last two steps.
    fn draw(&mut self, canvas: &mut C, view: View<'_>) {
        let size = canvas.size();
        let zoom = (size.width / FIELD[0]).min(size.height / FIELD[1]);
        let left = (size.width - FIELD[0] * zoom) / 2.0;
        let top = (size.height - FIELD[1] * zoom) / 2.0;
        let at = |x: f64, y: f64| (left + x * zoom, top + y * zoom);
        let white = Color::rgb(0xF0_F4_FF);

        canvas.fill(Color::rgb(0x06_08_0C));
        canvas.rect(left, top, FIELD[0] * zoom, FIELD[1] * zoom, Color::rgb(0x12_18_24));
        for (side, x) in PADDLE_X.into_iter().enumerate() {
            let y = self.paddles[side].at(view.alpha());
            let (x, y) = at(x - PADDLE[0] / 2.0, y - PADDLE[1] / 2.0);
            canvas.rect(x, y, PADDLE[0] * zoom, PADDLE[1] * zoom, white);
            let (x, y) = at(FIELD[0] / 2.0 + if side == 0 { -80.0 } else { 56.0 }, 24.0);
            canvas.text(x, y, 28.0 * zoom, &self.score[side].to_string(), white.with_alpha(0.6));
        }
        let [x, y] = self.ball.at(view.alpha());
        let (x, y) = at(x, y);
        canvas.disc(x, y, BALL * zoom, Color::rgb(0xFF_D1_66));
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> Result<(), Error> {
    use evenstep_host::native::{self, Window};
    native::run(Window::new("Pong"), Pong::new())?;
    Ok(())
}

#[cfg(target_arch = "wasm32")]
fn main() -> Result<(), Error> {
    use evenstep_host::web::{self, Page};
    web::run(Page::new("game"), Pong::new())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use evenstep::Rate;
    use evenstep_host::{Driver, Pixels, headless};

    use super::*;

    fn after_a_minute(display: Rate) -> (Interpolated<[f64; 2]>, [u32; 2]) {
        let mut driver = Driver::new(Pong::new());
        for now in headless::display(display) {
            driver.frame(now);
            if driver.pacer().tick() == 3_600 {
                break;
            }
        }
        (driver.app().ball, driver.app().score)
    }

    #[test]
    fn every_display_plays_the_same_game() {
        let (ball, score) = after_a_minute(Rate::hz(60));
        assert!(score[1] > 0, "nobody plays on the left");
        for hz in [75, 144, 240] {
            assert_eq!(after_a_minute(Rate::hz(hz)), (ball, score));
        }
    }

    #[test]
    fn a_held_key_moves_the_paddle_up() {
        let mut driver = Driver::new(Pong::new());
        let mut display = headless::display(Rate::hz(60));
        driver.frame(display.next().unwrap());
        driver.event(Duration::from_millis(1), Event::KeyDown(Key::KeyW));
        for now in display.take(10) {
            driver.frame(now);
        }
        assert_eq!(driver.app().paddles[0].current(), 225.0 - 10.0 * 7.0);
    }

    #[test]
    fn the_ball_is_drawn_in_the_middle_at_the_start() {
        let mut driver = Driver::new(Pong::new());
        driver.frame(Duration::ZERO);
        let mut image = vec![0; 800 * 450];
        driver.draw(&mut Pixels::new(&mut image, 800, 450, 1.0));
        assert_eq!(image[225 * 800 + 400], 0xFF_D1_66);
    }
}
