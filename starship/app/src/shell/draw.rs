//! Draws a frame from state, alpha and effects.

use evenstep::Channel;
use evenstep_host::View;
use starship_sim::tuning::AFTERMATH;
use starship_sim::{Phase, State};

use super::{Screen, Shell};
use crate::canvas::{Canvas, Ink, RED, VIOLET, YELLOW};
use crate::effects::Effects;
use crate::lens::Lens;
use crate::{hud, menu, scene};

impl Shell {
    pub(crate) fn draw_frame<C: Canvas>(&self, canvas: &mut C, view: View<'_>) {
        let state = self.play.state();
        let alpha = view.alpha();
        draw_world(canvas, state, alpha, &self.effects);
        let u = hud::unit(canvas.size());
        let (width, height) = canvas.size();
        if self.screen == Screen::Title {
            menu::draw_title(canvas, view.pacer.ui_time().as_secs_f32(), self.touch.is_used());
        } else {
            self.draw_mood(canvas, view);
            hud::draw(canvas, state);
            self.effects.draw_word(canvas, u);
            if self.play.is_paused() {
                menu::draw_pause(canvas, self.selected);
            } else {
                self.touch.draw(canvas);
                if self.touch.is_used() {
                    draw_pause_button(canvas);
                }
                hud::draw_banner(canvas, state, state.phase_ticks >= AFTERMATH);
            }
        }
        if self.play.is_inverted() && !self.play.is_paused() {
            canvas.invert();
        }
        self.overlay.draw(canvas, view.frame, view.pacer);
        let standing = (self.play.speed() != 1.0).then(|| (self.speed_notice(), 0.6));
        if let Some((notice, strength)) = self.notice.clone().or(standing) {
            // Beside the overlay.
            let ink = Ink::new(YELLOW, strength.min(0.95));
            canvas.text_right(width - 24.0 * u, height - 40.0 * u, 2.4 * u, &notice, ink);
        }
    }

    /// Tints the screen: violet for slow motion, red for danger.
    fn draw_mood<C: Canvas>(&self, canvas: &mut C, view: View<'_>) {
        let (width, height) = canvas.size();
        let slow = (1.0 - view.pacer.channel(Channel::JUICE) * self.play.speed().min(1.0)) as f32;
        if slow > 0.0 {
            canvas.rect(0.0, 0.0, width, height, Ink::new(VIOLET, 0.16 * slow));
            let bar = height * 0.06 * slow;
            canvas
                .rects(&[[0.0, 0.0, width, bar], [0.0, height - bar, width, bar]], Ink::new([0, 0, 0], 0.7));
        }
        let hull = self.play.state().hud().hull;
        if hull < 0.3 && self.state().phase == Phase::Playing {
            let beat = 0.5 + 0.5 * (self.play.state().time() as f32 * 6.0).sin();
            let edge = height * 0.02;
            let strength = (0.3 - hull) * (0.8 + beat);
            let sides = [
                [0.0, 0.0, width, edge],
                [0.0, height - edge, width, edge],
                [0.0, edge, edge, height - 2.0 * edge],
                [width - edge, edge, edge, height - 2.0 * edge],
            ];
            canvas.rects(&sides, Ink::new(RED, strength));
        }
    }
}

/// Draws the world with its effects, including camera shake.
pub(crate) fn draw_world<C: Canvas>(canvas: &mut C, state: &State, alpha: f64, effects: &Effects) {
    let centre = state.camera.at(alpha) + effects.shake(state.camera.trauma);
    let mut lens = Lens::new(canvas, centre);
    scene::draw_world(&mut lens, state, alpha);
    effects.draw(&mut lens);
}

pub(super) fn is_pause_button((width, height): (f32, f32), [x, y]: [f32; 2]) -> bool {
    x > width - 72.0 && y > height - 72.0
}

fn draw_pause_button<C: Canvas>(canvas: &mut C) {
    let (width, height) = canvas.size();
    let (x, y) = (width - 48.0, height - 52.0);
    canvas.rects(&[[x, y, 8.0, 26.0], [x + 16.0, y, 8.0, 26.0]], Ink::new(YELLOW, 0.7));
}
