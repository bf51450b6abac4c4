//! The heads-up display.

use evenstep_host::{Color, Paint};
use starship_sim::tuning::TICK_HZ;
use starship_sim::{Hud, ModifierKind, Phase, RunDef, State};

use crate::effects::weapon_name;
use crate::layout::{Area, Line, SHADE, dot, draw_stack, size_of, stack, unit};
use crate::letters;
use crate::palette::{CYAN, GREEN, GREY, ORANGE, RED, WHITE, YELLOW};

/// On smaller screens there is room for bars and the clock only.
const TINY: (f64, f64) = (300.0, 200.0);

/// Where the parts of the display are.
#[derive(Clone, Copy, Debug)]
struct Places {
    ship: Area,
    score: Option<Area>,
    clock: Area,
    clock_dot: f64,
    boss: Option<Area>,
    is_tiny: bool,
}

impl Places {
    fn new(size: (f64, f64), hud: &Hud, modifiers: usize) -> Self {
        let u = unit(size);
        let (width, height) = size;
        let is_tiny = width < TINY.0 || height < TINY.1;
        let mut places = if is_tiny { Self::tiny(size) } else { Self::usual(size, hud, modifiers) };
        if hud.boss_hull.is_some() {
            let wide = (440.0 * u).min(width - 48.0 * u) + 16.0 * u;
            let mut boss =
                Area::new((width - wide) / 2.0, 56.0 * u, wide, (16.0 + 12.0) * u + dot(1.8 * u) * 8.0);
            // On a narrow screen, below the corners.
            for place in [Some(places.ship), places.score, Some(places.clock)].into_iter().flatten() {
                if boss.meets(place) {
                    boss.top = boss.top.max(place.bottom() + 4.0 * u);
                }
            }
            places.boss = Some(boss);
        }
        places
    }

    fn usual(size: (f64, f64), hud: &Hud, modifiers: usize) -> Self {
        let u = unit(size);
        let width = size.0;
        let ship = Area::new(12.0 * u, 12.0 * u, 284.0 * u, 162.0 * u);
        let score_high = 64.0 + 20.0 * modifiers as f64 + if modifiers > 0 { 6.0 } else { 0.0 };
        let score = Area::new(width - 176.0 * u, 12.0 * u, 164.0 * u, score_high * u);
        let is_overtime = hud.overtime_secs.is_some() && hud.boss_hull.is_none();
        let high = if is_overtime { 70.0 } else { 44.0 } * u;
        let mut clock_dot = dot(4.0 * u);
        let mut clock = Area::new(width / 2.0 - 92.0 * u, 12.0 * u, 184.0 * u, high);
        let gap = score.left - ship.right();
        let beside = Area { left: ship.right() + (gap - 140.0 * u) / 2.0, width: 140.0 * u, ..clock };
        if clock.meets(ship.grown(4.0 * u)) || clock.meets(score.grown(4.0 * u)) {
            clock_dot = dot(3.2 * u);
            clock = if gap >= 148.0 * u {
                beside
            } else {
                Area { left: score.left, top: score.bottom() + 4.0 * u, width: score.width, ..clock }
            };
        }
        Self { ship, score: Some(score), clock, clock_dot, boss: None, is_tiny: false }
    }

    fn tiny((width, _): (f64, f64)) -> Self {
        let ship = Area::new(4.0, 4.0, width * 0.52, 26.0);
        let clock = Area::new(width * 0.52 + 8.0, 4.0, width * 0.48 - 12.0, 13.0);
        Self { ship, score: None, clock, clock_dot: 1.0, boss: None, is_tiny: true }
    }

    fn all(self) -> impl Iterator<Item = Area> {
        [Some(self.ship), self.score, Some(self.clock), self.boss].into_iter().flatten()
    }
}

fn active(state: &State) -> impl Iterator<Item = ModifierKind> {
    ModifierKind::ALL.into_iter().filter(|&kind| state.modifiers.stacks(kind) > 0)
}

/// The areas that the display takes.
pub(crate) fn areas(size: (f64, f64), state: &State) -> Vec<Area> {
    Places::new(size, &state.hud(), active(state).count()).all().collect()
}

pub(crate) fn draw<C: Paint>(canvas: &mut C, state: &State) {
    let hud = state.hud();
    let u = unit(size_of(canvas));
    let places = Places::new(size_of(canvas), &hud, active(state).count());
    // Darkens the world behind text, so that it can be read over a crowd.
    places.all().for_each(|area| area.shade(canvas, SHADE));
    if places.is_tiny {
        draw_bars(canvas, &hud, [8.0, 8.0, places.ship.width - 8.0], [9.0, 7.0], 1.0);
    } else {
        draw_ship(canvas, &hud, u);
    }
    draw_clock(canvas, &hud, places);
    if let Some(score) = places.score {
        draw_score(canvas, &hud, state, score, u);
    }
    if let (Some(boss), Some(area)) = (hud.boss_hull, places.boss) {
        let left = area.left + 8.0 * u;
        let width = area.width - 16.0 * u;
        draw_meter(canvas, [left, area.top + 6.0 * u, width, 10.0 * u], boss, RED);
        let phase = hud.boss_phase.unwrap_or(1);
        let name = format!("AWAKENED MECH  PHASE {phase}");
        letters::draw_centred(
            canvas,
            area.middle(),
            area.top + 22.0 * u,
            dot(1.8 * u),
            &name,
            RED.with_alpha(0.95),
        );
    }
}

/// Draws a bar that is filled to a share.
fn draw_meter<C: Paint>(canvas: &mut C, [x, y, width, height]: [f64; 4], share: f32, color: Color) {
    let filled = (width * f64::from(share.clamp(0.0, 1.0))).max(0.5);
    canvas.rect(x, y, width, height, color.with_alpha(0.18));
    canvas.rect(x, y, filled, height, color.with_alpha(0.6));
}

/// Draws text over a bar, on a dark ground, since the bar may be bright.
fn label<C: Paint>(canvas: &mut C, x: f64, y: f64, dot: f64, text: &str) {
    let width = letters::width(text, dot);
    Area::new(x - 2.0 * dot, y - dot, width + 4.0 * dot, 9.0 * dot).shade(canvas, 0.7);
    letters::draw(canvas, x, y, dot, text, WHITE);
}

/// Draws hull and heat.
fn draw_bars<C: Paint>(
    canvas: &mut C,
    hud: &Hud,
    [left, top, width]: [f64; 3],
    [hull_high, heat_high]: [f64; 2],
    u: f64,
) {
    draw_meter(canvas, [left, top, width, hull_high], hud.hull, if hud.hull < 0.3 { RED } else { GREEN });
    let small = dot(1.6 * u).min(hull_high / 8.0).max(1.0);
    let y = top + (hull_high - 7.0 * small) / 2.0;
    label(canvas, left + 6.0 * u, y, small, "HULL");
    let hull = format!("{:.0}", hud.hull * 100.0);
    let wide = letters::width(&hull, small);
    label(canvas, left + width - 6.0 * u - wide, y, small, &hull);
    let heat_top = top + hull_high + (6.0 * u).min(2.0 + hull_high * 0.2);
    let color = if hud.overheated { RED } else { ORANGE };
    draw_meter(canvas, [left, heat_top, width, heat_high], hud.heat, color);
    let heat = if hud.overheated { "OVERHEATED" } else { "HEAT" };
    let small = dot(1.3 * u).min(heat_high / 7.0).max(1.0);
    label(canvas, left + 6.0 * u, heat_top + (heat_high - 7.0 * small) / 2.0, small, heat);
}

fn draw_ship<C: Paint>(canvas: &mut C, hud: &Hud, u: f64) {
    let left = 24.0 * u;
    let width = 260.0 * u;
    let white = WHITE.with_alpha(0.95);
    draw_bars(canvas, hud, [left, 24.0 * u, width], [18.0 * u, 14.0 * u], u);
    draw_meter(canvas, [left, 68.0 * u, width, 6.0 * u], hud.xp, CYAN);
    let level = format!("LEVEL {}  SECTOR {}", hud.level, hud.sector);
    letters::draw(canvas, left, 84.0 * u, dot(2.0 * u), &level, CYAN.with_alpha(0.95));
    for (n, (kind, level)) in hud.weapons.iter().enumerate() {
        let color = if *level > 0 { white } else { GREY.with_alpha(0.6) };
        let top = (110.0 + 20.0 * n as f64) * u;
        letters::draw(canvas, left, top, dot(1.8 * u), weapon_name(*kind), color);
        for pip in 0..8 {
            let strength = if pip < *level { 0.9 } else { 0.15 };
            let x = left + (92.0 + 11.0 * pip as f64) * u;
            canvas.rect(x, top + 2.0 * u, 7.0 * u, 9.0 * u, CYAN.with_alpha(strength));
        }
    }
}

fn draw_clock<C: Paint>(canvas: &mut C, hud: &Hud, places: Places) {
    let (timer, color) = match hud.overtime_secs {
        Some(seconds) => (format!("+{seconds:.1}"), RED),
        None => (format!("{}:{:04.1}", (hud.timer_secs / 60.0) as u32, hud.timer_secs % 60.0), WHITE),
    };
    let color = if hud.timer_stands { CYAN } else { color };
    let area = places.clock;
    let dots = places.clock_dot;
    let top = area.top + dots * if places.is_tiny { 3.0 } else { 2.0 };
    letters::draw_centred(canvas, area.middle(), top, dots, &timer, color.with_alpha(0.95));
    if hud.overtime_secs.is_some() && hud.boss_hull.is_none() && !places.is_tiny {
        let small = dot(dots * 0.45);
        let top = area.bottom() - small * 9.0;
        letters::draw_centred(canvas, area.middle(), top, small, "OVERTIME", RED.with_alpha(0.95));
    }
}

fn draw_score<C: Paint>(canvas: &mut C, hud: &Hud, state: &State, area: Area, u: f64) {
    let right = area.right() - 12.0 * u;
    let top = |points: f64| area.top + points * u;
    let score = hud.score.to_string();
    let large = crate::layout::dot_for(score.len(), area.width - 20.0 * u, 3.0 * u);
    letters::draw_right(canvas, right, top(12.0), large, &score, YELLOW.with_alpha(0.95));
    let kills = format!("KILLS {}", hud.kills);
    letters::draw_right(canvas, right, top(42.0), dot(1.8 * u), &kills, WHITE.with_alpha(0.95));
    for (n, kind) in active(state).enumerate() {
        let name = format!("{kind:?} {}", state.modifiers.stacks(kind));
        let color = if kind == ModifierKind::Jammed { RED } else { YELLOW };
        letters::draw_right(
            canvas,
            right,
            top(68.0 + 20.0 * n as f64),
            dot(1.8 * u),
            &name,
            color.with_alpha(0.95),
        );
    }
}

/// What a banner says that is not in the state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Words<'a> {
    pub(crate) is_touch: bool,
    /// How the score compares with the best one; empty if it does not count.
    pub(crate) best: &'a str,
}

/// The sector, difficulty and seed, which together repeat a run.
pub(crate) fn challenge(run: RunDef) -> String {
    format!("SECTOR {}   {}   SEED {}", run.sector, run.difficulty.name().to_uppercase(), run.seed)
}

/// The lines of the banner for death, victory or arrival, and their area. Empty during play.
fn banner(size: (f64, f64), state: &State, can_confirm: bool, words: Words<'_>) -> (Area, Vec<Line>) {
    let u = unit(size);
    let (width, height) = size;
    let (title, color) = match state.phase {
        Phase::Dead => ("SHIP LOST", RED),
        Phase::Won => ("SECTOR CLEARED", CYAN),
        Phase::Birth => ("READY", CYAN),
        Phase::Menu | Phase::Playing | Phase::Choosing => return (Area::default(), Vec::new()),
    };
    let mut lines = vec![Line::new(title, 8.0 * u, color.with_alpha(0.95))];
    let white = WHITE.with_alpha(0.9);
    if !state.phase.is_over() {
        lines.push(Line::new(challenge(state.run), 2.4 * u, white));
        return (Area::new(8.0, height * 0.2, width - 16.0, height * 0.2), lines);
    }
    let hud = state.hud();
    lines.push(Line::new(format!("SCORE {}", hud.score), 3.0 * u, YELLOW.with_alpha(0.95)));
    if !words.best.is_empty() && height >= TINY.1 {
        lines.push(Line::new(words.best, 2.4 * u, YELLOW.with_alpha(0.95)));
    }
    let played = format!("KILLS {}   LEVEL {}   TIME {:.1} S", hud.kills, hud.level, run_secs(state));
    lines.push(Line::new(played, 2.4 * u, white));
    if height >= TINY.1 {
        lines.push(Line::new(challenge(state.run), 2.0 * u, white));
    }
    // The line has its place from the start, so that nothing moves when it appears.
    let next = if state.phase == Phase::Won { "NEXT SECTOR" } else { "TRY AGAIN" };
    let next = format!("{}: {next}", if words.is_touch { "TAP" } else { "ENTER" });
    let strength = if can_confirm { 0.95 } else { 0.0 };
    lines.push(Line::new(" ", 1.2 * u, white));
    lines.push(Line::new(next, 3.0 * u, YELLOW.with_alpha(strength)));
    // Above the buttons for fingers and a notice.
    let below = 46.0 * u + if words.is_touch { crate::menu::buttons(size)[0].height + 6.0 } else { 0.0 };
    let left = 8.0 * u;
    let top = 0.06 * height;
    (Area::new(left, top, width - 2.0 * left, height - top - below), lines)
}

/// The areas of the banner's lines.
pub(crate) fn banner_areas(size: (f64, f64), state: &State, words: Words<'_>) -> Vec<Area> {
    let (area, lines) = banner(size, state, true, words);
    stack(area, &lines).into_iter().map(|(_, area)| area).collect()
}

/// Draws the banner for death, victory or arrival.
pub(crate) fn draw_banner<C: Paint>(canvas: &mut C, state: &State, can_confirm: bool, words: Words<'_>) {
    let size = size_of(canvas);
    let (area, lines) = banner(size, state, can_confirm, words);
    if let Some(title) = lines.first().filter(|_| state.phase.is_over()) {
        let shade = (state.phase_ticks as f32 / 30.0).min(1.0) * 0.72;
        canvas.rect(0.0, 0.0, size.0, size.1, Color::rgb(0x04_05_0C).with_alpha(shade));
        let reach = 420.0 * unit(size);
        canvas.light(size.0 / 2.0, size.1 * 0.36, reach, title.color.with_alpha(0.35));
    }
    draw_stack(canvas, area, &lines);
}

/// The time played in this sector. The game's clock continues after its end, and while the player chooses.
fn run_secs(state: &State) -> f64 {
    f64::from(state.master.ticks) / f64::from(TICK_HZ)
}

#[cfg(test)]
mod tests {
    use super::*;
    use starship_sim::{Input, Sim};

    #[test]
    fn the_time_of_a_run_stands_still_after_its_end() {
        let mut sim = Sim::new(RunDef::seeded(7));
        sim.launch(RunDef::seeded(7));
        // Without input, the run ends soon.
        let ticks = (0..20_000).take_while(|_| {
            sim.tick(Input { choice: Some(0), ..Input::default() }, &mut ());
            !sim.state().phase.is_over()
        });
        assert!((600..20_000).contains(&ticks.count()));
        let at_the_end = run_secs(sim.state());
        (0..300).for_each(|_| sim.tick(Input::default(), &mut ()));
        assert!(sim.state().time() > at_the_end + 4.0);
        assert!((run_secs(sim.state()) - at_the_end).abs() < 1e-6);
    }
}
