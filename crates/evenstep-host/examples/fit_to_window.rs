//! A field of 320 x 180 units that fits any window: scaled, centred, with bars beside it, and the mouse in its units.
//!
//! Run: `cargo run -p evenstep-host --example fit_to_window --features native`
//!
//! 1. The game knows only its own units.
//! 2. [`Fit`] is made from a size. Everything that is drawn goes through it, and every pointer comes back through it.
//! 3. A step takes the window's size from its events, like all of its input, so that a recorded game replays.

use evenstep::Interpolated;
use evenstep_host::{App, Color, Context, Draw, Error, Event, Input, Key, Paint, Pointer, Size, View};

const FIELD: (f64, f64) = (320.0, 180.0);

/// How the field lies in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fit {
    left: f64,
    top: f64,
    zoom: f64,
}

impl Fit {
    fn new(size: Size) -> Self {
        let zoom = (size.width / FIELD.0).min(size.height / FIELD.1);
        Self { left: (size.width - FIELD.0 * zoom) / 2.0, top: (size.height - FIELD.1 * zoom) / 2.0, zoom }
    }

    /// From the field to the window.
    fn place(self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.left + x * self.zoom, self.top + y * self.zoom)
    }

    /// From the window to the field. A minimised window has no place in the field.
    fn field(self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        (self.zoom > 0.0).then(|| ((x - self.left) / self.zoom, (y - self.top) / self.zoom))
    }
}

struct Game {
    fit: Option<Fit>,
    goal: (f64, f64),
    ball: Interpolated<[f64; 2]>,
}

impl App for Game {
    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        if event == Event::KeyDown(Key::Escape) {
            cx.quit();
        }
    }

    fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
        for event in input.events() {
            match *event {
                Event::Resized(size) => self.fit = Some(Fit::new(size)),
                Event::PointerMove(Pointer { x, y, .. }) => {
                    self.goal = self.fit.and_then(|fit| fit.field((x, y))).unwrap_or(self.goal);
                }
                _ => {}
            }
        }
        let [x, y] = self.ball.current();
        let goal_x = self.goal.0.clamp(0.0, FIELD.0);
        let goal_y = self.goal.1.clamp(0.0, FIELD.1);
        self.ball.advance([x + (goal_x - x) * 0.1, y + (goal_y - y) * 0.1]);
    }
}

impl<C: Paint> Draw<C> for Game {
    fn draw(&mut self, canvas: &mut C, view: View<'_>) {
        let fit = Fit::new(canvas.size());
        let (left, top) = fit.place((0.0, 0.0));
        canvas.fill(Color::rgb(0));
        canvas.rect(left, top, FIELD.0 * fit.zoom, FIELD.1 * fit.zoom, Color::rgb(0x16_20_30));
        let [x, y] = self.ball.at(view.alpha());
        let (x, y) = fit.place((x, y));
        canvas.disc(x, y, 8.0 * fit.zoom, Color::rgb(0xFF_D1_66));
        let (x, y) = fit.place((8.0, 8.0));
        canvas.text(x, y, 7.0 * fit.zoom, "Move the mouse", Color::rgb(0x8C_9A_B4));
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> Result<(), Error> {
    use evenstep_host::native::{self, Window};
    let centre = (FIELD.0 / 2.0, FIELD.1 / 2.0);
    let ball = Interpolated::new([centre.0, centre.1]);
    native::run(Window::new("Fit to window"), Game { fit: None, goal: centre, ball })?;
    Ok(())
}

#[cfg(target_arch = "wasm32")]
fn main() {}
