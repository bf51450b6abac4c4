//! Draws a frame from state, alpha and effects.

use evenstep::Channel;
use evenstep_host::{Color, Paint, View};
use starship_sim::tuning::AFTERMATH;
use starship_sim::{Phase, State};

use super::{Screen, Shell};
use crate::effects::Effects;
use crate::layout::{Area, LINE, SHADE, largest_free, size_of, unit};
use crate::lens::Lens;
use crate::menu::{self, Menu};
use crate::overlay::{self, Overlay};
use crate::palette::{ORANGE, RED, VIOLET, YELLOW};
use crate::settings::Flash;
use crate::{arrows, choice, hud, letters, scene, watch};

/// The wall time of a whole flash, in seconds; a shorter rest of it is fainter.
const FLASH: f32 = 0.12;

impl Shell {
    pub(crate) fn draw_frame<C: Paint>(&self, canvas: &mut C, view: View<'_>) {
        let state = self.run.play.state();
        draw_world(canvas, state, view.alpha(), &self.show.effects);
        let taken = self.taken(size_of(canvas));
        if self.run.screen == Screen::Run {
            self.draw_mood(canvas, view);
            if taken.has_hud {
                hud::draw(canvas, state);
            }
        }
        if let Some(menu) = self.menu() {
            self.draw_menu(canvas, menu);
        } else {
            if taken.has_word {
                self.show.effects.draw_word(canvas, &hud::areas(size_of(canvas), state));
            }
            self.devices.touch.draw(canvas);
            if let Some(hint) = taken.hint {
                self.show.hints.draw(canvas, hint);
            }
            if state.phase == Phase::Choosing {
                self.run.chooser.draw(canvas, state, self.devices.touch.is_used());
            }
            let words = hud::Words { is_touch: self.devices.touch.is_used(), best: &self.best_line() };
            hud::draw_banner(canvas, state, state.phase_ticks >= AFTERMATH, words);
        }
        self.draw_flash(canvas);
        if let Some([overlay, pause]) = self.buttons(size_of(canvas)) {
            menu::draw_button(canvas, overlay, false);
            menu::draw_button(canvas, pause, true);
        }
        if let Some(free) = taken.overlay {
            self.show.overlay.draw(canvas, free);
        }
        if self.run.screen == Screen::Run && self.menu().is_none() && state.phase.has_physics() {
            let taken: Vec<Area> = taken.areas.into_iter().chain(taken.overlay).collect();
            let centre = state.camera.at(view.alpha());
            arrows::draw(&mut Lens::new(canvas, centre), state, view.alpha(), &taken);
        }
        if let Some(watch) = &self.replay.watch {
            watch.draw(canvas, self.run.play.is_paused());
            if self.devices.touch.is_used() {
                watch::draw_buttons(canvas);
            } else {
                watch::draw_keys(canvas);
            }
        }
        self.draw_notice(canvas);
    }

    fn draw_menu<C: Paint>(&self, canvas: &mut C, menu: Menu) {
        self.column(size_of(canvas), menu).draw(
            canvas,
            self.menus.selected,
            &self.values(menu),
            &self.help(),
        );
    }

    /// Draws the flash of a hit, as strong as the player wants it.
    fn draw_flash<C: Paint>(&self, canvas: &mut C) {
        if !self.run.play.is_inverted() || self.run.play.is_paused() {
            return;
        }
        match self.settings.flash {
            Flash::Off => {}
            Flash::Gentle => {
                let share = (self.run.play.invert_left().as_secs_f32() / FLASH).min(1.0);
                for edge in edges(size_of(canvas), 0.03) {
                    edge.fill(canvas, ORANGE.with_alpha(0.4 * share));
                }
            }
            Flash::Full => canvas.invert(),
        }
    }

    /// What is written at the bottom: a notice, or that the speed is not the usual one.
    fn notice(&self) -> Option<(String, f32)> {
        let is_unusual = self.run.play.speed() != 1.0 && self.menu() != Some(Menu::Title);
        let standing = is_unusual.then(|| (format!("SPEED {}", self.run.play.speed()), 0.6));
        self.show.notice.clone().or(standing)
    }

    /// How far above the bottom notices are: above the buttons for fingers, and the bar of a recording.
    fn notice_above(&self, size: (f64, f64)) -> f64 {
        let bar = if self.replay.watch.is_some() { watch::height(size) } else { 0.0 };
        self.buttons(size).map_or(bar, |[button, _]| size.1 - 6.0 - button.top)
    }

    fn draw_notice<C: Paint>(&self, canvas: &mut C) {
        if let Some((notice, strength)) = self.notice() {
            let (area, dot, lines) =
                menu::notice_area(size_of(canvas), &notice, self.notice_above(size_of(canvas)));
            area.shade(canvas, SHADE * strength.min(1.0));
            for (n, line) in lines.iter().enumerate() {
                let y = area.top + (n as f64 * LINE + 3.0) * dot;
                let right = area.right() - 6.0 * unit(size_of(canvas));
                letters::draw_right(canvas, right, y, dot, line, YELLOW.with_alpha(strength.min(0.95)));
            }
        }
    }

    /// What is shown, and where the overlay has room. It never covers what a player needs.
    fn taken(&self, size: (f64, f64)) -> Taken {
        let state = self.run.play.state();
        let hud = if self.run.screen == Screen::Run { hud::areas(size, state) } else { Vec::new() };
        let mut areas = match self.menu() {
            Some(menu) => self.column(size, menu).areas(),
            None if state.phase == Phase::Choosing => {
                choice::areas(size, state, self.devices.touch.is_used())
            }
            None => {
                let words = hud::Words { is_touch: self.devices.touch.is_used(), best: &self.best_line() };
                hud::banner_areas(size, state, words)
            }
        };
        // On a small screen, a menu or a banner takes the place of the display.
        let has_hud = !hud.iter().any(|hud| areas.iter().any(|area| area.meets(hud.grown(2.0))));
        let mut has_word = false;
        let mut hint = None;
        if has_hud {
            areas.extend(&hud);
        }
        if self.menu().is_none() {
            let word = self.show.effects.word_area(size, &hud);
            let word = word.filter(|word| !areas.iter().any(|area| area.meets(*word)));
            has_word = word.is_some();
            areas.extend(word);
            areas.extend(self.buttons(size).into_iter().flatten());
            if self.replay.watch.is_some() {
                areas.extend(watch::areas(size, self.devices.touch.is_used()));
            }
            if !state.phase.is_over() {
                // The ship, and what comes close to it.
                let near = 0.24 * size.0.min(size.1);
                areas.push(Area::new((size.0 - near) / 2.0, (size.1 - near) / 2.0, near, near));
            }
        }
        if let Some((notice, _)) = self.notice() {
            areas.push(menu::notice_area(size, &notice, self.notice_above(size)).0);
        }
        if self.menu().is_none() && state.phase == Phase::Playing {
            hint = self.show.hints.area(size, &areas);
            areas.extend(hint);
        }
        let overlay = self.settings.has_overlay.then(|| {
            let screen = Area::screen(size, 8.0 * unit(size));
            let grown: Vec<Area> = areas.iter().map(|area| area.grown(4.0)).collect();
            largest_free(screen, &grown, overlay::LEAST, Overlay::most(size))
        });
        Taken { has_hud, has_word, hint, overlay: overlay.flatten(), areas }
    }

    /// Tints the screen: violet for slow motion, red for danger.
    fn draw_mood<C: Paint>(&self, canvas: &mut C, view: View<'_>) {
        let (width, height) = size_of(canvas);
        let slow = 1.0 - view.pacer.channel(Channel::JUICE) * self.run.play.speed().min(1.0);
        if slow > 0.0 {
            canvas.rect(0.0, 0.0, width, height, VIOLET.with_alpha(0.16 * slow as f32));
            let bar = height * 0.06 * slow;
            for top in [0.0, height - bar] {
                canvas.rect(0.0, top, width, bar, Color::rgb(0x00_00_00).with_alpha(0.7));
            }
        }
        let hull = self.run.play.state().hud().hull;
        if hull < 0.3 && self.state().phase == Phase::Playing {
            let beat = 0.5 + 0.5 * (self.run.play.state().time() as f32 * 6.0).sin();
            let strength = (0.3 - hull) * (0.8 + beat);
            for edge in edges((width, height), 0.02) {
                edge.fill(canvas, RED.with_alpha(strength));
            }
        }
    }
}

/// What is on the screen besides the world.
#[derive(Debug)]
struct Taken {
    has_hud: bool,
    has_word: bool,
    hint: Option<Area>,
    overlay: Option<Area>,
    areas: Vec<Area>,
}

/// The edges of the screen, with a width that is a share of its height.
fn edges((width, height): (f64, f64), share: f64) -> [Area; 4] {
    let edge = height * share;
    [
        Area::new(0.0, 0.0, width, edge),
        Area::new(0.0, height - edge, width, edge),
        Area::new(0.0, edge, edge, height - 2.0 * edge),
        Area::new(width - edge, edge, edge, height - 2.0 * edge),
    ]
}

/// Draws the world with its effects, including camera shake.
pub(crate) fn draw_world<C: Paint>(canvas: &mut C, state: &State, alpha: f64, effects: &Effects) {
    let centre = state.camera.at(alpha) + effects.shake(state.camera.trauma);
    let mut lens = Lens::new(canvas, centre);
    scene::draw_world(&mut lens, state, alpha);
    effects.draw(&mut lens);
}

#[cfg(test)]
mod tests;
