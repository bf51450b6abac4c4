//! The smallest app: a ball moved by the arrow keys or WASD. Escape quits.
//!
//! Run: `cargo run -p evenstep-host --example minimal --features native`
//!
//! This file also runs on a page with `<canvas id="game">`: build it for wasm32-unknown-unknown with
//! `--features native,web`, and run wasm-bindgen on the result.

use evenstep::Interpolated;
use evenstep_host::{App, Color, Context, Draw, Error, Event, Input, Key, Paint, View};

#[derive(Default)]
struct Ball {
    position: Interpolated<[f64; 2]>,
}

impl App for Ball {
    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        if event == Event::KeyDown(Key::Escape) {
            cx.quit();
        }
    }

    fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
        let [x, y] = self.position.current();
        let right = input.axis(Key::ArrowLeft, Key::ArrowRight) + input.axis(Key::KeyA, Key::KeyD);
        let down = input.axis(Key::ArrowUp, Key::ArrowDown) + input.axis(Key::KeyW, Key::KeyS);
        self.position.advance([x + 6.0 * f64::from(right), y + 6.0 * f64::from(down)]);
    }
}

impl<C: Paint> Draw<C> for Ball {
    fn draw(&mut self, canvas: &mut C, view: View<'_>) {
        let size = canvas.size();
        let [x, y] = self.position.at(view.alpha());
        let x = size.width / 2.0 + x;
        let y = size.height / 2.0 + y;
        canvas.fill(Color::rgb(0x0E_12_1C));
        for glow in 1..=20 {
            canvas.disc(x, y, 24.0 + 2.5 * f64::from(glow), Color::rgb(0x4C_C9_F0).with_alpha(0.016));
        }
        canvas.disc(x, y, 24.0, Color::rgb(0x4C_C9_F0));
        canvas.disc(x - 7.0, y - 8.0, 6.0, Color::rgb(0xE8_FB_FF).with_alpha(0.8));
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> Result<(), Error> {
    use evenstep_host::native::{self, Window};
    native::run(Window::new("Minimal"), Ball::default())?;
    Ok(())
}

#[cfg(target_arch = "wasm32")]
fn main() -> Result<(), Error> {
    use evenstep_host::web::{self, Page};
    web::run(Page::new("game"), Ball::default())?;
    Ok(())
}
