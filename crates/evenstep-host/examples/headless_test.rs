//! A game that is tested without a window or a clock: rules, input, displays and pixels, in milliseconds.
//!
//! Run: `cargo test -p evenstep-host --example headless_test`
//!
//! 1. Make a `Driver` of the app. It is all that a host needs, and all that a test needs.
//! 2. Give it events and frames with times of your choice.
//! 3. Ask the app, the pacer, or the pixels.

use evenstep_host::{App, Color, Context, Draw, Input, Key, Paint, View, headless};

/// A runner that jumps over nothing at all.
#[derive(Default)]
struct Runner {
    height: f64,
    speed: f64,
    jumps: u32,
}

impl App for Runner {
    fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
        if input.pressed(Key::Space) && self.height == 0.0 {
            self.speed = 4.0;
            self.jumps += 1;
        }
        self.speed -= 0.25;
        self.height = (self.height + self.speed).max(0.0);
    }
}

impl<C: Paint> Draw<C> for Runner {
    fn draw(&mut self, canvas: &mut C, _view: View<'_>) {
        canvas.fill(Color::rgb(0));
        canvas.rect(10.0, 90.0 - self.height, 10.0, 10.0, Color::rgb(0xFF_FF_FF));
    }
}

fn main() {
    let a_second = headless::display(evenstep::Rate::hz(60)).take(61);
    let runner = headless::run(a_second, Runner::default()).into_app();
    println!("After a second: {} jumps. Now run the tests.", runner.jumps);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use evenstep::Rate;
    use evenstep_host::{Driver, Event, Pixels};

    use super::*;

    /// Plays ten seconds on a display, with a tap every 600 ms.
    fn played(display: Rate) -> Driver<Runner> {
        let mut driver = Driver::new(Runner::default());
        let mut taps = (1..=16).map(|n| Duration::from_millis(600 * n)).peekable();
        for now in headless::display(display) {
            while let Some(at) = taps.next_if(|&at| at <= now) {
                driver.event(at, Event::KeyDown(Key::Space));
                driver.event(at, Event::KeyUp(Key::Space)); // At once: between two ticks.
            }
            driver.frame(now);
            if driver.pacer().tick() >= 600 {
                return driver;
            }
        }
        unreachable!("a display never ends")
    }

    #[test]
    fn every_tap_is_one_jump_on_every_display() {
        for hz in [30, 60, 144, 240] {
            assert_eq!(played(Rate::hz(hz)).app().jumps, 16, "at {hz} Hz");
        }
    }

    #[test]
    fn the_runner_is_drawn_where_it_stands() {
        let mut driver = played(Rate::hz(60));
        let mut image = vec![0; 100 * 100];
        driver.draw(&mut Pixels::new(&mut image, 100, 100, 1.0));
        let y = (95.0 - driver.app().height) as usize;
        assert_eq!(image[y * 100 + 15], 0xFF_FF_FF);
        assert_eq!(image[15], 0);
    }
}
