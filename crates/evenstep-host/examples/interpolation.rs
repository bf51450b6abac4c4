//! A simulation at ten ticks a second. The upper ball is drawn at its last tick, the lower one is interpolated between
//! its last two. The marks are ticks. Up and down change the rate.
//!
//! Run: `cargo run -p evenstep-host --example interpolation --features native`

use evenstep::{Interpolated, Pacing, Rate};
use evenstep_host::native::{self, Window};
use evenstep_host::{App, Color, Context, Draw, Error, Event, Input, Key, Paint, View};

const TRACK: f64 = 800.0;
const SECONDS_ACROSS: f64 = 4.0;

struct Balls {
    hz: u32,
    x: Interpolated<f64>,
}

impl App for Balls {
    fn pacing(&self) -> Pacing {
        Pacing::hz(self.hz)
    }

    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        match event {
            Event::KeyDown(Key::ArrowUp) => self.hz = (self.hz * 2).min(160),
            Event::KeyDown(Key::ArrowDown) => self.hz = (self.hz / 2).max(5),
            Event::KeyDown(Key::Escape) => cx.quit(),
            _ => return,
        }
        cx.pacer.set_pacing(self.pacing());
    }

    fn step(&mut self, _input: &Input, cx: &mut Context<'_>) {
        let x = self.x.current() + TRACK / SECONDS_ACROSS * cx.pacer.pacing().rate().step_secs();
        if x > TRACK {
            // Teleport, or the ball would be drawn on its way back across the screen.
            self.x.teleport(x - TRACK);
        } else {
            self.x.advance(x);
        }
    }
}

impl<C: Paint> Draw<C> for Balls {
    fn draw(&mut self, canvas: &mut C, view: View<'_>) {
        let size = canvas.size();
        let left = (size.width - TRACK) / 2.0;
        let middle = size.height / 2.0;
        canvas.fill(Color::rgb(0x0F_14_18));
        let step = TRACK / SECONDS_ACROSS * Rate::hz(self.hz).step_secs();
        let lanes = [
            (middle - 90.0, self.x.current(), 0xFF_6B_6B),
            (middle + 90.0, self.x.at(view.alpha()), 0x6B_E6_A8),
        ];
        for (y, x, color) in lanes {
            canvas.line([left, y], [left + TRACK, y], 2.0, Color::rgb(0x2A_36_40));
            for n in 0..=(TRACK / step) as u32 {
                let mark = left + f64::from(n) * step;
                canvas.line([mark, y - 6.0], [mark, y + 6.0], 1.5, Color::rgb(0x3A_4A_58));
            }
            canvas.disc(left + x, y, 34.0, Color::rgb(color).with_alpha(0.18));
            canvas.disc(left + x, y, 24.0, Color::rgb(color));
        }
    }
}

fn main() -> Result<(), Error> {
    native::run(
        Window::new("Interpolation: off above, on below"),
        Balls { hz: 10, x: Interpolated::new(0.0) },
    )?;
    Ok(())
}
