//! Time slows down while Space is held, and motion stays smooth: fewer ticks, but as many images. P pauses; the full
//! stop key runs a single step while paused.
//!
//! Run: `cargo run -p evenstep-host --example slow_motion --features native`

use std::f64::consts::TAU;

use evenstep::{Channel, Gate};
use evenstep_host::native::{self, Window};
use evenstep_host::{App, Color, Context, Draw, Error, Event, Input, Key, Paint, View};

const PLANETS: [(f64, f64, u32); 5] = [
    (70.0, 7.0, 0x9D_E7_FF),
    (110.0, 11.0, 0xFF_C8_57),
    (150.0, 9.0, 0xFF_6B_6B),
    (195.0, 15.0, 0x8A_F0_B0),
    (235.0, 12.0, 0xC7_9B_FF),
];

struct Orbits {
    ticks: u64,
}

impl App for Orbits {
    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        match event {
            Event::KeyDown(Key::Space) => cx.pacer.set_scale(Channel::TIME_DILATION, 0.1),
            Event::KeyUp(Key::Space) => cx.pacer.set_scale(Channel::TIME_DILATION, 1.0),
            Event::KeyDown(Key::KeyP) if cx.pacer.gate() == Gate::Open => cx.pacer.set_gate(Gate::Paused),
            Event::KeyDown(Key::KeyP) => cx.pacer.set_gate(Gate::Open),
            Event::KeyDown(Key::Period) => cx.pacer.step_by_hand(1),
            Event::KeyDown(Key::Escape) => cx.quit(),
            _ => {}
        }
    }

    fn step(&mut self, _input: &Input, _cx: &mut Context<'_>) {
        self.ticks += 1;
    }
}

impl<C: Paint> Draw<C> for Orbits {
    fn draw(&mut self, canvas: &mut C, view: View<'_>) {
        let size = canvas.size();
        let x = size.width / 2.0;
        let y = size.height / 2.0;
        // Interpolated between the last two ticks, so it is smooth at any scale.
        let seconds = (self.ticks as f64 - 1.0 + view.alpha()) / 60.0;
        let is_slow = view.pacer.scale() < 1.0;
        canvas.fill(Color::rgb(if is_slow { 0x1A_10_30 } else { 0x0B_10_1A }));
        canvas.disc(x, y, 34.0, Color::rgb(0xFF_E0_8A).with_alpha(0.25));
        canvas.disc(x, y, 26.0, Color::rgb(0xFF_E0_8A));
        for (radius, thickness, color) in PLANETS {
            let turn = TAU * seconds * 60.0 / radius.powf(1.2);
            // The position depends only on time, so the trail is the planet at earlier times.
            for back in (0..40).rev() {
                let angle = turn - f64::from(back) * 0.03;
                let fade = 1.0 - back as f32 / 40.0;
                let color = Color::rgb(color).with_alpha(if back == 0 { 1.0 } else { 0.15 * fade });
                let radius_now = thickness * f64::from(0.5 + 0.5 * fade);
                canvas.disc(x + radius * angle.cos(), y + radius * angle.sin(), radius_now, color);
            }
        }
        let width = 200.0 * view.pacer.scale();
        canvas.rect(x - 100.0, size.height - 24.0, 200.0, 6.0, Color::rgb(0x2A_33_48));
        canvas.rect(x - 100.0, size.height - 24.0, width, 6.0, Color::rgb(0x9D_E7_FF));
    }
}

fn main() -> Result<(), Error> {
    native::run(Window::new("Slow motion: hold Space"), Orbits { ticks: 0 })?;
    Ok(())
}
