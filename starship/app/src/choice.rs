//! The choice of an upgrade at a new level: three cards, for keys, gamepad, mouse and fingers.

use evenstep_host::{Color, Paint};
use starship_sim::tuning::{
    self, BOUNTY, CHOICE_WAIT, MODIFIER_LASTS, OFFER_REPAIR, PART_COOLING, PART_DAMAGE, PART_FIRE_RATE,
    PART_HULL, PART_MAGNET, PART_THRUST, TICK_HZ, WEAPON_LEVEL_DAMAGE,
};
use starship_sim::{OFFERS, Part, Phase, State, Upgrade, WeaponKind};

use crate::effects::weapon_name;
use crate::layout::{Area, Line, Place, dot, dot_for, draw_stack, size_of, stack, unit};
use crate::letters;
use crate::palette::{BLUE_LIGHT, CYAN, GREEN, ORANGE, PINK, RED, WHITE, YELLOW};

/// The selected card, and the one that the player took. The simulation gets it with the input of the next tick.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Chooser {
    selected: usize,
    taken: Option<u8>,
}

impl Chooser {
    /// Takes a card. Before its time, too: the simulation gets it until it is taken.
    pub(crate) const fn take(&mut self, n: usize) {
        self.selected = n;
        self.taken = Some(n as u8);
    }

    /// Takes the selected card, but not with a press that may still have been for the boost.
    pub(crate) const fn confirm(&mut self, state: &State) {
        if state.phase_ticks >= CHOICE_WAIT {
            self.take(self.selected);
        }
    }

    /// Selects the next card or the previous one.
    pub(crate) const fn go(&mut self, is_next: bool) {
        self.selected = (self.selected + if is_next { 1 } else { OFFERS - 1 }) % OFFERS;
    }

    /// Takes the card at a position. Returns whether there is one.
    pub(crate) fn press(&mut self, size: (f64, f64), place: Place) -> bool {
        let pressed = card_at(size, place);
        if let Some(n) = pressed {
            self.take(n);
        }
        pressed.is_some()
    }

    /// Selects the card that the mouse points at.
    pub(crate) fn hover(&mut self, size: (f64, f64), place: Place) {
        self.selected = card_at(size, place).unwrap_or(self.selected);
    }

    /// Returns the choice for the next tick.
    pub(crate) fn tick(&mut self, state: &State) -> Option<u8> {
        if state.phase != Phase::Choosing {
            *self = Self::default();
        }
        self.taken
    }

    /// Draws the cards over the world.
    pub(crate) fn draw<C: Paint>(self, canvas: &mut C, state: &State, is_touch: bool) {
        let Some(offer) = state.upgrades.offer else {
            return;
        };
        let size = size_of(canvas);
        let shown = (state.phase_ticks as f32 / CHOICE_WAIT as f32).min(1.0);
        canvas.rect(0.0, 0.0, size.0, size.1, Color::rgb(0x04_05_0E).with_alpha(0.72 * shown));
        draw_stack(canvas, heading(size), &headline(size, state, is_touch));
        for (n, (card, upgrade)) in cards(size).into_iter().zip(offer).enumerate() {
            draw_card(canvas, card, n, upgrade, state.level_of(upgrade), n == self.selected && !is_touch);
        }
    }
}

/// The areas that nothing may cover.
pub(crate) fn areas(size: (f64, f64), state: &State, is_touch: bool) -> Vec<Area> {
    let lines = stack(heading(size), &headline(size, state, is_touch));
    lines.into_iter().map(|(_, area)| area).chain(cards(size)).collect()
}

fn headline(size: (f64, f64), state: &State, is_touch: bool) -> [Line; 2] {
    let u = unit(size);
    let how = if is_touch { "TAP ONE" } else { "CHOOSE ONE: 1, 2, 3 OR ENTER" };
    [
        Line::new(format!("LEVEL {}", state.progress.level), 5.0 * u, GREEN.with_alpha(0.95)),
        Line::new(how, 2.0 * u, WHITE.with_alpha(0.9)),
    ]
}

fn heading(size: (f64, f64)) -> Area {
    let [card, ..] = cards(size);
    let high = (card.top - 4.0).min(100.0 * unit(size)).max(26.0);
    Area::new(0.0, card.top - 4.0 - high, size.0, high)
}

/// The narrowest card that has room for its lines, in points.
const CARD_MIN: f64 = 150.0;

/// The areas of the cards: beside each other, or below each other on a narrow screen.
fn cards(size: (f64, f64)) -> [Area; OFFERS] {
    let u = unit(size);
    let count = OFFERS as f64;
    let screen = Area::screen(size, 8.0 * u);
    let gap = 16.0 * u;
    let top = (screen.height * 0.2).max(34.0);
    // The buttons for fingers and notices are below.
    let below = 88.0_f64.min(size.1 * 0.36);
    let screen = Area { height: screen.height - below, ..screen };
    let wide = (screen.width - gap * (count - 1.0)) / count;
    if wide >= CARD_MIN {
        let wide = wide.min(330.0 * u.max(0.8));
        let high = (screen.height - top).min(wide * 0.85);
        let left = (size.0 - wide * count - gap * (count - 1.0)) / 2.0;
        let top = screen.top + top + (screen.height - top - high) * 0.4;
        return std::array::from_fn(|n| Area::new(left + n as f64 * (wide + gap), top, wide, high));
    }
    let gap = gap.min(screen.height * 0.02);
    let high = ((screen.height - top - gap * (count - 1.0)) / count).min(150.0);
    let wide = screen.width.min(460.0);
    let left = (size.0 - wide) / 2.0;
    std::array::from_fn(|n| Area::new(left, screen.top + top + n as f64 * (high + gap), wide, high))
}

fn card_at(size: (f64, f64), place: Place) -> Option<usize> {
    cards(size).into_iter().position(|card| card.contains(place))
}

/// The rows of a card, in dots: the name, the levels, and two lines. What a low card has no room for is left out from the
/// bottom.
const ROWS: [f64; 4] = [20.0, 12.0, 12.0, 12.0];

fn draw_card<C: Paint>(
    canvas: &mut C,
    card: Area,
    n: usize,
    upgrade: Upgrade,
    level: u32,
    is_selected: bool,
) {
    let color = color(upgrade);
    card.shade(canvas, 0.9);
    card.fill(canvas, color.with_alpha(if is_selected { 0.28 } else { 0.12 }));
    let edge = if is_selected { 3.0 } else { 1.0 };
    let edge_color = if is_selected { WHITE } else { color };
    for side in [
        Area { height: edge, ..card },
        Area { top: card.bottom() - edge, height: edge, ..card },
        Area { width: edge, ..card },
        Area { left: card.right() - edge, width: edge, ..card },
    ] {
        side.fill(canvas, edge_color.with_alpha(0.9));
    }

    let fits = |dot: f64, rows: usize| ROWS[..rows].iter().sum::<f64>() * dot <= card.height;
    let rows = (1..=ROWS.len()).rev().find(|&rows| fits(1.0, rows)).unwrap_or(1);
    let high: f64 = ROWS[..rows].iter().sum();
    let dot = dot((card.width * 0.92 / (LINE_MAX as f64 * 6.0)).min(card.height * 0.85 / high));
    let mut top = card.top + ((card.height - high * dot) / 2.0).max(0.0) + 3.0 * dot;
    let number = (n + 1).to_string();
    letters::draw(canvas, card.left + dot * 4.0, card.top + dot * 4.0, dot, &number, WHITE.with_alpha(0.7));
    let large = dot_for(name(upgrade).len(), card.width - 30.0 * dot, dot * 2.0);
    letters::draw_centred(canvas, card.middle(), top, large, name(upgrade), color);
    top += ROWS[0] * dot;
    if rows > 1 {
        draw_pips(canvas, card.middle(), top, dot, upgrade, level);
    }
    for (row, (line, strength)) in
        words(upgrade, level).iter().zip([0.95, 0.8]).enumerate().take(rows.saturating_sub(2))
    {
        top += ROWS[row + 1] * dot;
        letters::draw_centred(canvas, card.middle(), top, dot, line, WHITE.with_alpha(strength));
    }
}

/// The level that the upgrade has, and the one that it would get.
fn draw_pips<C: Paint>(canvas: &mut C, middle: f64, top: f64, dot: f64, upgrade: Upgrade, level: u32) {
    let Some(most) = upgrade.level_max() else {
        return;
    };
    let each = dot * 7.0;
    let left = middle - each * most as f64 / 2.0;
    for pip in 0..most {
        let (color, strength) = match pip.cmp(&level) {
            std::cmp::Ordering::Less => (CYAN, 0.9),
            std::cmp::Ordering::Equal => (YELLOW, 1.0),
            std::cmp::Ordering::Greater => (CYAN, 0.18),
        };
        canvas.rect(left + pip as f64 * each + dot, top, dot * 5.0, dot * 6.0, color.with_alpha(strength));
    }
}

/// The most letters of a line of a card.
const LINE_MAX: usize = 22;

pub(crate) const fn name(upgrade: Upgrade) -> &'static str {
    match upgrade {
        Upgrade::Weapon(kind) => weapon_name(kind),
        Upgrade::Part(Part::Hull) => "HULL",
        Upgrade::Part(Part::Plating) => "PLATING",
        Upgrade::Part(Part::Loader) => "LOADER",
        Upgrade::Part(Part::Thrusters) => "THRUSTERS",
        Upgrade::Part(Part::Radiator) => "RADIATOR",
        Upgrade::Part(Part::Magnet) => "MAGNET",
        Upgrade::Repair => "REPAIR",
        Upgrade::Surge => "SURGE",
        Upgrade::Bounty => "BOUNTY",
    }
}

const fn color(upgrade: Upgrade) -> Color {
    match upgrade {
        Upgrade::Weapon(WeaponKind::Pulse) => CYAN,
        Upgrade::Weapon(WeaponKind::Scatter) | Upgrade::Surge | Upgrade::Bounty => YELLOW,
        Upgrade::Weapon(WeaponKind::Seeker) => PINK,
        Upgrade::Part(Part::Hull | Part::Magnet) | Upgrade::Repair => GREEN,
        Upgrade::Part(Part::Plating | Part::Radiator) => BLUE_LIGHT,
        Upgrade::Part(Part::Loader) => RED,
        Upgrade::Part(Part::Thrusters) => ORANGE,
    }
}

/// What an upgrade does at its next level, from the game's own numbers: two lines.
fn words(upgrade: Upgrade, level: u32) -> [String; 2] {
    let percent = |share: f32| (share * 100.0).round() as i32;
    let two = |first: String, second: &str| [first, second.to_owned()];
    match upgrade {
        Upgrade::Weapon(kind) if level == 0 => two(
            "NEW WEAPON".to_owned(),
            match kind {
                WeaponKind::Pulse => "QUICK BOLTS",
                WeaponKind::Scatter => "A SHORT, WIDE FAN",
                WeaponKind::Seeker => "MISSILES THAT HOME IN",
            },
        ),
        Upgrade::Weapon(kind) => {
            let shots = |level| tuning::weapon_shots(kind, level);
            let more = shots(level + 1) - shots(level);
            let second = if more > 0 { "AND ONE MORE SHOT" } else { "AND FASTER FIRE" };
            two(format!("+{}% DAMAGE", percent(WEAPON_LEVEL_DAMAGE)), second)
        }
        Upgrade::Part(Part::Hull) => two(format!("+{PART_HULL} HULL POINTS"), "REPAIRED AT ONCE"),
        Upgrade::Part(Part::Plating) => {
            two(format!("{}% DAMAGE", percent(PART_DAMAGE - 1.0)), "FROM EVERY HIT")
        }
        Upgrade::Part(Part::Loader) => {
            two(format!("+{}% FIRE RATE", percent(PART_FIRE_RATE)), "FOR ALL WEAPONS")
        }
        Upgrade::Part(Part::Thrusters) => {
            two(format!("+{}% THRUST", percent(PART_THRUST)), "FASTER TURNS TOO")
        }
        Upgrade::Part(Part::Radiator) => {
            two(format!("+{}% COOLING", percent(PART_COOLING)), "BOOST MORE OFTEN")
        }
        Upgrade::Part(Part::Magnet) => {
            two(format!("+{}% REACH", percent(PART_MAGNET)), "GEMS FLY IN FROM AFAR")
        }
        Upgrade::Repair => two(format!("+{OFFER_REPAIR} HULL POINTS"), "NOW"),
        Upgrade::Surge => two("EVERY BONUS".to_owned(), &format!("FOR {} SECONDS", MODIFIER_LASTS / TICK_HZ)),
        Upgrade::Bounty => two(format!("+{BOUNTY} POINTS"), "NOW"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_every_card_fits() {
        for upgrade in Upgrade::ALL {
            for level in 0..8 {
                for line in words(upgrade, level) {
                    assert!(!line.is_empty() && line.len() <= LINE_MAX, "{line}");
                }
            }
        }
    }

    #[test]
    fn cards_are_on_the_screen_and_apart_at_every_size() {
        for size in [
            (1280.0, 720.0),
            (1920.0, 1080.0),
            (480.0, 320.0),
            (390.0, 844.0),
            (844.0, 390.0),
            (200.0, 150.0),
        ] {
            let screen = Area::new(0.0, 0.0, size.0, size.1);
            for (n, card) in cards(size).into_iter().enumerate() {
                assert!(card.left >= 0.0 && card.right() <= screen.right(), "{size:?}");
                assert!(card.top > 0.0 && card.bottom() <= screen.bottom(), "{size:?}");
                let mut chooser = Chooser::default();
                assert!(chooser.press(size, [card.middle(), card.top + card.height / 2.0]));
                assert_eq!(chooser.taken, Some(n as u8));
            }
            assert!(!Chooser::default().press(size, [1.0, 1.0]));
        }
    }
}
