//! The heads-up display.

use starship_sim::tuning::TICK_HZ;
use starship_sim::{Hud, ModifierKind, Phase, State};

use crate::canvas::{CYAN, Canvas, GREEN, GREY, Ink, NIGHT, ORANGE, RED, WHITE, YELLOW};
use crate::effects::weapon_name;

/// On narrower screens the upper corners need all the width, so the clock goes below them.
const NARROW: f32 = 760.0;

/// How much the world is darkened behind text.
pub(crate) const SHADE: f32 = 0.5;

/// The scale of letters and bars for a screen of this size: 1 at 1280 by 720.
pub(crate) fn unit((width, height): (f32, f32)) -> f32 {
    (width / 1280.0).min(height / 720.0).clamp(0.55, 3.0)
}

pub(crate) fn draw<C: Canvas>(canvas: &mut C, state: &State) {
    let hud = state.hud();
    let u = unit(canvas.size());
    draw_shades(canvas, u);
    draw_ship(canvas, &hud, u);
    draw_clock(canvas, &hud, u);
    draw_score(canvas, &hud, state, u);
    if let Some(boss) = hud.boss_hull {
        let middle = canvas.size().0 / 2.0;
        let width = (440.0 * u).min(canvas.size().0 - 48.0 * u);
        // On a narrow screen, below the corners.
        let top = if canvas.size().0 < NARROW { 190.0 } else { 62.0 } * u;
        let shade = [middle - width / 2.0 - 8.0 * u, top - 6.0 * u, width + 16.0 * u, 42.0 * u];
        canvas.rects(&[shade], Ink::new(NIGHT, SHADE));
        canvas.meter([middle - width / 2.0, top, width, 10.0 * u], boss, RED);
        let phase = hud.boss_phase.unwrap_or(1);
        let name = format!("AWAKENED MECH  PHASE {phase}");
        canvas.text_centred(middle, top + 16.0 * u, 1.8 * u, &name, Ink::new(RED, 0.95));
    }
}

/// Darkens the world behind text, so that it can be read over a crowd.
fn draw_shades<C: Canvas>(canvas: &mut C, u: f32) {
    let width = canvas.size().0;
    let shade = Ink::new(NIGHT, SHADE);
    canvas.rect(12.0 * u, 12.0 * u, 284.0 * u, 162.0 * u, shade);
    canvas.rect(width - 176.0 * u, 12.0 * u, 164.0 * u, 64.0 * u, shade);
    let (top, half) = if width < NARROW { (140.0 * u, 80.0 * u) } else { (12.0 * u, 92.0 * u) };
    canvas.rect(width / 2.0 - half, top, half * 2.0, 44.0 * u, shade);
}

fn draw_ship<C: Canvas>(canvas: &mut C, hud: &Hud, u: f32) {
    let (left, width) = (24.0 * u, 260.0 * u);
    let white = Ink::new(WHITE, 0.95);
    canvas.meter([left, 24.0 * u, width, 18.0 * u], hud.hull, if hud.hull < 0.3 { RED } else { GREEN });
    canvas.text(left + 6.0 * u, 27.0 * u, 1.6 * u, "HULL", white);
    let hull = format!("{:.0}", hud.hull * 100.0);
    canvas.text_right(left + width - 6.0 * u, 27.0 * u, 1.6 * u, &hull, white);
    canvas.meter([left, 48.0 * u, width, 14.0 * u], hud.heat, if hud.overheated { RED } else { ORANGE });
    let heat = if hud.overheated { "OVERHEATED" } else { "HEAT" };
    canvas.text(left + 6.0 * u, 50.0 * u, 1.3 * u, heat, white);
    canvas.meter([left, 68.0 * u, width, 6.0 * u], hud.xp, CYAN);
    let level = format!("LEVEL {}  SECTOR {}", hud.level, hud.sector);
    canvas.text(left, 84.0 * u, 2.0 * u, &level, Ink::new(CYAN, 0.95));
    for (n, (kind, level)) in hud.weapons.iter().enumerate() {
        let ink = if *level > 0 { white } else { Ink::new(GREY, 0.6) };
        let top = (110.0 + 20.0 * n as f32) * u;
        canvas.text(left, top, 1.8 * u, weapon_name(*kind), ink);
        for pip in 0..8 {
            let strength = if pip < *level { 0.9 } else { 0.15 };
            let x = left + (92.0 + 11.0 * pip as f32) * u;
            canvas.rect(x, top + 2.0 * u, 7.0 * u, 9.0 * u, Ink::new(CYAN, strength));
        }
    }
}

fn draw_clock<C: Canvas>(canvas: &mut C, hud: &Hud, u: f32) {
    let middle = canvas.size().0 / 2.0;
    let (timer, rgb) = match hud.overtime_secs {
        Some(seconds) => (format!("+{seconds:.1}"), RED),
        None => (format!("{}:{:04.1}", (hud.timer_secs / 60.0) as u32, hud.timer_secs % 60.0), WHITE),
    };
    let rgb = if hud.timer_stands { CYAN } else { rgb };
    let (top, dot) = if canvas.size().0 < NARROW { (150.0 * u, 3.2 * u) } else { (20.0 * u, 4.0 * u) };
    canvas.text_centred(middle, top, dot, &timer, Ink::new(rgb, 0.95));
    if hud.overtime_secs.is_some() && hud.boss_hull.is_none() {
        canvas.text_centred(middle, top + 34.0 * u, 1.8 * u, "OVERTIME", Ink::new(RED, 0.95));
    }
}

fn draw_score<C: Canvas>(canvas: &mut C, hud: &Hud, state: &State, u: f32) {
    let right = canvas.size().0 - 24.0 * u;
    canvas.text_right(right, 24.0 * u, 3.0 * u, &hud.score.to_string(), Ink::new(YELLOW, 0.95));
    let kills = format!("KILLS {}", hud.kills);
    canvas.text_right(right, 54.0 * u, 1.8 * u, &kills, Ink::new(WHITE, 0.95));
    let active = ModifierKind::ALL.into_iter().filter(|&kind| state.modifiers.stacks(kind) > 0);
    for (n, kind) in active.enumerate() {
        let name = format!("{kind:?} {}", state.modifiers.stacks(kind));
        let rgb = if kind == ModifierKind::Jammed { RED } else { YELLOW };
        canvas.text_right(right, (84.0 + 20.0 * n as f32) * u, 1.8 * u, &name, Ink::new(rgb, 0.95));
    }
}

/// Draws the banner for death, victory or arrival.
pub(crate) fn draw_banner<C: Canvas>(canvas: &mut C, state: &State, can_confirm: bool) {
    let (width, height) = canvas.size();
    let u = unit((width, height));
    let (title, rgb) = match state.phase {
        Phase::Dead => ("SHIP LOST", RED),
        Phase::Won => ("SECTOR CLEARED", CYAN),
        Phase::Birth => ("READY", CYAN),
        Phase::Menu | Phase::Playing => return,
    };
    let dot = (8.0 * u).min(width * 0.9 / (title.len() as f32 * 6.0));
    let middle = width / 2.0;
    if !state.phase.is_over() {
        canvas.text_centred(middle, height * 0.3, dot, title, Ink::new(rgb, 0.9));
        return;
    }
    let shade = (state.phase_ticks as f32 / 30.0).min(1.0) * 0.72;
    canvas.rect(0.0, 0.0, width, height, Ink::new([4, 5, 12], shade));
    canvas.glow([middle, height * 0.36], 420.0 * u, Ink::new(rgb, 0.35));
    canvas.text_centred(middle, height * 0.3, dot, title, Ink::new(rgb, 0.95));
    let hud = state.hud();
    let lines = [
        format!("SCORE {}", hud.score),
        format!("KILLS {}   LEVEL {}   SECTOR {}", hud.kills, hud.level, hud.sector),
        format!("TIME {:.1} S", run_secs(state)),
    ];
    for (n, line) in lines.iter().enumerate() {
        let top = height * 0.3 + (90.0 + 32.0 * n as f32) * u;
        canvas.text_centred(middle, top, 2.4 * u, line, Ink::new(WHITE, 0.9));
    }
    if can_confirm {
        let next = if state.phase == Phase::Won { "ENTER: NEXT SECTOR" } else { "ENTER: TRY AGAIN" };
        canvas.text_centred(middle, height * 0.3 + 210.0 * u, 2.4 * u, next, Ink::new(YELLOW, 0.95));
    }
}

/// The length of the run. The game's clock continues after its end.
fn run_secs(state: &State) -> f64 {
    state.time() - f64::from(state.phase_ticks) / f64::from(TICK_HZ)
}

#[cfg(test)]
mod tests {
    use super::*;
    use starship_sim::{Input, RunDef, Sim};

    #[test]
    fn the_time_of_a_run_stands_still_after_its_end() {
        let mut sim = Sim::new(RunDef::seeded(7));
        sim.launch(RunDef::seeded(7));
        // Without input, the run ends soon.
        let ticks = (0..20_000).take_while(|_| {
            sim.tick(Input::default(), &mut ());
            !sim.state().phase.is_over()
        });
        assert!((600..20_000).contains(&ticks.count()));
        let at_the_end = run_secs(sim.state());
        (0..300).for_each(|_| sim.tick(Input::default(), &mut ()));
        assert!(sim.state().time() > at_the_end + 4.0);
        assert!((run_secs(sim.state()) - at_the_end).abs() < 1e-6);
    }
}
