//! Arrows at the edge of the screen: where the boss and the portal are while they are out of sight.

use evenstep_host::{Color, Paint};
use starship_sim::State;
use starship_sim::tuning::{PORTAL_OPENS, PORTAL_RADIUS, TICK_HZ};

use crate::layout::{Area, Place, SHADE, dot, size_of, unit};
use crate::lens::Lens;
use crate::letters;
use crate::palette::{CYAN, RED};

/// Draws an arrow to the boss or the portal, or the name of a portal in sight. Names only where nothing else is.
pub(crate) fn draw<C: Paint>(lens: &mut Lens<'_, C>, state: &State, alpha: f64, taken: &[Area]) {
    let mech = state.boss.and_then(|boss| state.enemies.get(boss.id));
    let (at, color) = match (state.boss_room, mech) {
        (Some(room), _) => (room.pos, CYAN),
        (None, Some(mech)) => (mech.at(alpha), RED),
        (None, None) => return,
    };
    let size = size_of(lens.canvas);
    let name = name(state, at.distance(state.ship.at(alpha)));
    let dot = dot(1.8 * unit(size));
    let wide = letters::width(&name, dot) + dot * 4.0;
    let high = dot * 11.0;
    let middle = if lens.sees(at, 0.5) {
        // The mech is unmistakable by itself.
        let Some(room) = state.boss_room else {
            return;
        };
        let [x, y] = lens.place(room.pos);
        [x, y - f64::from(PORTAL_RADIUS) * 1.5 * lens.scale() - high]
    } else {
        let step = 30.0 * unit(size).max(0.7);
        let Some((tip, along)) = at_the_edge(size, lens.place(state.ship.at(alpha)), lens.place(at), step)
        else {
            return;
        };
        let beat = 0.75 + 0.25 * (state.time() as f32 * 7.0).sin();
        draw_arrow(lens.canvas, tip, along, step * 0.6, color, beat);
        // Towards the middle of the screen, and whole.
        let inwards = |n: usize, half: f64, most: f64| {
            (tip[n] - along[n] * (step * 1.1 + half)).clamp(half + 4.0, (most - half - 4.0).max(half + 4.0))
        };
        [inwards(0, wide / 2.0, size.0), inwards(1, high / 2.0, size.1)]
    };
    let area = Area::new(middle[0] - wide / 2.0, middle[1] - high / 2.0, wide, high);
    let screen = Area::new(0.0, 0.0, size.0, size.1);
    let is_whole = screen.contains([area.left, area.top]) && screen.contains([area.right(), area.bottom()]);
    if is_whole && !taken.iter().any(|taken| taken.meets(area)) {
        area.shade(lens.canvas, SHADE);
        letters::draw_centred(
            lens.canvas,
            middle[0],
            area.top + dot * 2.0,
            dot,
            &name,
            color.with_alpha(0.95),
        );
    }
}

fn name(state: &State, metres: f32) -> String {
    match state.boss_room {
        Some(room) if !room.is_portal_open() => {
            format!("PORTAL OPENS IN {}", (PORTAL_OPENS - room.age.min(PORTAL_OPENS)).div_ceil(TICK_HZ))
        }
        Some(_) => format!("PORTAL {metres:.0} M"),
        None => format!("MECH {metres:.0} M"),
    }
}

fn draw_arrow<C: Paint>(
    canvas: &mut C,
    tip: Place,
    [x, y]: [f64; 2],
    size: f64,
    color: Color,
    strength: f32,
) {
    let back = |ahead: f64, aside: f64| {
        [tip[0] - x * size * ahead - y * size * aside, tip[1] - y * size * ahead + x * size * aside]
    };
    let [middle_x, middle_y] = back(0.8, 0.0);
    canvas.light(middle_x, middle_y, size * 3.0, color.with_alpha(0.7 * strength));
    let corners = [tip, back(1.6, 0.95), back(1.1, 0.0), back(1.6, -0.95)];
    canvas.shape(&corners, color.with_alpha(0.85 * strength), color, 2.0);
}

/// Where the line from one place to another leaves the screen, less a margin, and its direction.
fn at_the_edge(
    (width, height): (f64, f64),
    from: Place,
    to: Place,
    margin: f64,
) -> Option<(Place, [f64; 2])> {
    let margin = margin.min(width / 4.0).min(height / 4.0);
    let from = [from[0].clamp(margin, width - margin), from[1].clamp(margin, height - margin)];
    let way = [to[0] - from[0], to[1] - from[1]];
    let length = way[0].hypot(way[1]);
    if length.is_nan() || length < 1.0 {
        return None;
    }
    let along = way.map(|way| way / length);
    let reach = |along: f64, from: f64, size: f64| match along {
        along if along > 1e-6 => (size - margin - from) / along,
        along if along < -1e-6 => (margin - from) / along,
        _ => f64::INFINITY,
    };
    let far = reach(along[0], from[0], width).min(reach(along[1], from[1], height)).clamp(0.0, length);
    // Rounding must not put it outside.
    let x = (from[0] + along[0] * far).clamp(margin, width - margin);
    let y = (from[1] + along[1] * far).clamp(margin, height - margin);
    Some(([x, y], along))
}

#[cfg(test)]
mod tests {
    use evenstep_host::Size;
    use starship_sim::{Autopilot, BossRoom, RunDef, Sim, Vec2};

    use super::*;

    /// A canvas that notes the colours of shapes, and texts.
    #[derive(Default)]
    struct Notes {
        shapes: Vec<Color>,
        texts: Vec<String>,
    }

    impl Paint for Notes {
        fn size(&self) -> Size {
            Size { width: 1280.0, height: 720.0, scale: 1.0 }
        }

        fn rect(&mut self, _x: f64, _y: f64, _width: f64, _height: f64, _color: Color) {}
        fn line(&mut self, _from: Place, _to: Place, _width: f64, _color: Color) {}
        fn ring(&mut self, _x: f64, _y: f64, _radius: f64, _width: f64, _color: Color) {}
        fn light(&mut self, _x: f64, _y: f64, _radius: f64, _color: Color) {}
        fn invert(&mut self) {}

        fn shape(&mut self, _corners: &[Place], _filling: Color, outline: Color, _width: f64) {
            self.shapes.push(outline);
        }

        fn text(&mut self, _x: f64, _y: f64, _height: f64, text: &str, _color: Color) {
            self.texts.push(text.to_owned());
        }
    }

    #[test]
    fn an_arrow_is_drawn_to_a_boss_or_portal_that_is_out_of_sight_and_only_then() {
        let mut sim = Sim::new(RunDef::seeded(1));
        sim.launch(RunDef::seeded(1));
        let seen_from = |state: &State, centre: Vec2| {
            let mut notes = Notes::default();
            draw(&mut Lens::new(&mut notes, centre), state, 1.0, &[]);
            notes
        };
        assert_eq!(seen_from(sim.state(), Vec2::ZERO).shapes.len(), 0, "there is no boss yet");
        while sim.state().boss.is_none() {
            assert!(sim.state().clock.tick() < 10_000, "the boss does not come");
            let input = Autopilot.input(sim.state());
            sim.tick(input, &mut ());
        }
        let mut state = sim.state().clone();
        let away = Vec2::new(200.0, 30.0);
        let mech = state.enemies.get(state.boss.unwrap().id).unwrap().at(1.0);
        let notes = seen_from(&state, mech + away);
        assert_eq!(notes.shapes, [RED]);
        assert!(matches!(&notes.texts[..], [text] if text.starts_with("MECH ")), "{:?}", notes.texts);
        let notes = seen_from(&state, mech);
        assert!(notes.shapes.is_empty() && notes.texts.is_empty(), "a mech in sight needs no arrow");

        let portal = BossRoom { pos: Vec2::ZERO, ring: 60.0, age: PORTAL_OPENS };
        state.boss_room = Some(portal);
        let notes = seen_from(&state, portal.pos + away);
        assert_eq!(notes.shapes, [CYAN]);
        assert!(matches!(&notes.texts[..], [text] if text.starts_with("PORTAL ")), "{:?}", notes.texts);
        let notes = seen_from(&state, portal.pos);
        assert!(notes.shapes.is_empty(), "a portal in sight needs no arrow");
        assert!(matches!(&notes.texts[..], [text] if text.starts_with("PORTAL ")), "but its name is there");
    }

    #[test]
    fn an_arrow_is_on_the_screen_and_points_at_what_it_means() {
        let size = (1280.0, 720.0);
        for from in [[640.0, 360.0], [100.0, 700.0], [-50.0, 900.0]] {
            for n in 0..64 {
                let (sin, cos) = (n as f64 * 0.1).sin_cos();
                let to = [from[0] + cos * 3_000.0, from[1] + sin * 3_000.0];
                let ([x, y], [along_x, along_y]) = at_the_edge(size, from, to, 30.0).expect("far away");
                assert!((30.0..=1_250.0).contains(&x) && (30.0..=690.0).contains(&y), "{x} {y}");
                assert!(((along_x.hypot(along_y)) - 1.0).abs() < 1e-3);
                let dx = to[0] - x;
                let dy = to[1] - y;
                assert!((dx * along_y - dy * along_x).abs() < 2.0, "{from:?} {n}: not on its way");
            }
        }
        assert_eq!(at_the_edge(size, [10.0, 10.0], [f64::NAN, 1.0], 30.0), None);
        assert_eq!(at_the_edge(size, [640.0, 360.0], [640.0, 360.0], 30.0), None);
    }
}
