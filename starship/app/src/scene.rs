//! Draws the world from state and alpha.

use evenstep_host::{Color, Paint};
use starship_sim::tuning::{ARENA_HALF, CRATE_HALF, PORTAL_OPENS, PORTAL_RADIUS, SHIP_RADIUS, TICK_HZ};
use starship_sim::{BossRoom, Enemy, EnemyKind, Mood, Phase, PickupKind, ShotKind, State, Vec2, WeaponKind};

use crate::layout::size_of;
use crate::lens::{Lens, polygon};
use crate::palette::{BLUE, CYAN, GREEN, NIGHT, ORANGE, PINK, RED, VIOLET, WHITE, WOOD, YELLOW};

/// The colours of the stars and the walls.
const STARS: Color = Color::rgb(0xA0_B4_E6);
const WALLS: Color = Color::rgb(0x5A_8C_FF);

/// Distance between lines of the floor, in metres.
const GRID: f32 = 4.0;

/// Draws everything behind the particles.
pub(crate) fn draw_world<C: Paint>(lens: &mut Lens<'_, C>, state: &State, alpha: f64) {
    lens.canvas.fill(NIGHT);
    draw_stars(lens);
    draw_floor(lens);
    for puddle in &state.puddles {
        lens.light(puddle.pos, puddle.radius * 1.3, VIOLET, 0.55);
        lens.ring(puddle.pos, puddle.radius, VIOLET, 0.10, 0.5);
        lens.ring(puddle.pos, puddle.radius * 0.66, VIOLET, 0.06, 0.3);
    }
    draw_boss_room(lens, state);
    draw_crates(lens, state, alpha);
    draw_pickups(lens, state, alpha);
    for enemy in state.enemies.values().filter(|enemy| enemy.kind != EnemyKind::Mech) {
        draw_enemy(lens, enemy, alpha);
    }
    for mech in state.enemies.values().filter(|enemy| enemy.kind == EnemyKind::Mech) {
        draw_mech(lens, mech, alpha);
    }
    draw_shots(lens, state, alpha);
    if state.phase != Phase::Dead {
        draw_ship(lens, state, alpha);
    }
}

fn draw_stars<C: Paint>(lens: &mut Lens<'_, C>) {
    let mut random = 0x2545_F491_u32;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        f64::from(random) / f64::from(u32::MAX)
    };
    let (width, height) = size_of(lens.canvas);
    // Distant stars move less.
    for (depth, count) in [(0.12, 110), (0.25, 70), (0.45, 40)] {
        let shift = |metres: f32| f64::from(metres) * lens.scale() * depth;
        let shift_x = shift(lens.centre().x);
        let shift_y = shift(lens.centre().y);
        let size = 0.8 + depth * 2.8;
        for _ in 0..count {
            let x = (next() * width - shift_x).rem_euclid(width.max(1.0));
            let y = (next() * height + shift_y).rem_euclid(height.max(1.0));
            lens.canvas.rect(x, y, size, size, STARS.with_alpha(0.22 + depth as f32));
        }
    }
}

fn draw_floor<C: Paint>(lens: &mut Lens<'_, C>) {
    let low = lens.centre() - lens.half();
    let high = lens.centre() + lens.half();
    let [left, bottom] = lens.place(Vec2::new(low.x.max(-ARENA_HALF), low.y.max(-ARENA_HALF)));
    let [right, top] = lens.place(Vec2::new(high.x.min(ARENA_HALF), high.y.min(ARENA_HALF)));
    let lines = (ARENA_HALF / GRID) as i32;
    for n in -lines..=lines {
        let at = n as f32 * GRID;
        let strength = if n % 4 == 0 { 0.42 } else { 0.20 };
        let [x, y] = lens.place(Vec2::new(at, at));
        lens.canvas.rect(x - 0.5, top, 1.0, bottom - top, BLUE.with_alpha(strength));
        lens.canvas.rect(left, y - 0.5, right - left, 1.0, BLUE.with_alpha(strength));
    }
    // The walls, and the dark behind them.
    let half = ARENA_HALF;
    for (from, to) in [
        (Vec2::new(-half, half), Vec2::new(half, half)),
        (Vec2::new(-half, -half), Vec2::new(half, -half)),
        (Vec2::new(-half, -half), Vec2::new(-half, half)),
        (Vec2::new(half, -half), Vec2::new(half, half)),
    ] {
        let [from_x, from_y] = lens.place(from);
        let [to_x, to_y] = lens.place(to);
        for (width, strength) in [(14.0, 0.12), (7.0, 0.25), (2.5, 0.9)] {
            let x = from_x.min(to_x) - width / 2.0;
            let y = from_y.min(to_y) - width / 2.0;
            let wide = (to_x - from_x).abs() + width;
            let high = (to_y - from_y).abs() + width;
            lens.canvas.rect(x, y, wide, high, WALLS.with_alpha(strength));
        }
    }
}

fn draw_boss_room<C: Paint>(lens: &mut Lens<'_, C>, state: &State) {
    let Some(room) = state.boss_room else {
        return;
    };
    for (width, strength) in [(1.4, 0.10), (0.7, 0.22), (0.2, 0.95)] {
        lens.ring(room.pos, room.ring, RED, width, strength);
    }
    draw_portal(lens, room);
}

/// Draws the portal: a wheel of light that grows until it is open, and then turns and draws everything in.
fn draw_portal<C: Paint>(lens: &mut Lens<'_, C>, room: BossRoom) {
    let is_open = room.is_portal_open();
    let grown = (room.age as f32 / PORTAL_OPENS as f32).min(1.0);
    let time = room.age as f32 / TICK_HZ as f32;
    let strength = if is_open { 1.0 } else { 0.4 };
    let pulse = 1.0 + 0.06 * (time * 9.0).sin();
    lens.light(room.pos, PORTAL_RADIUS * 4.5 * pulse, CYAN, strength);
    lens.light(room.pos, PORTAL_RADIUS * 1.6, WHITE, 0.8 * strength * grown);
    let arms = 7;
    for n in 0..arms {
        // Bent lines that turn.
        let turn = time * if is_open { 2.2 } else { 0.5 } + n as f32 * std::f32::consts::TAU / arms as f32;
        let at = |share: f32| {
            let (sin, cos) = (turn + share * 1.1).sin_cos();
            room.pos + Vec2::new(cos, sin) * (PORTAL_RADIUS * grown * (1.0 - share))
        };
        for step in 0..4 {
            let from = at(step as f32 / 5.0);
            let to = at((step + 1) as f32 / 5.0);
            lens.line(from, to, CYAN, 0.22 - 0.04 * step as f32, strength);
        }
    }
    lens.ring(room.pos, PORTAL_RADIUS * pulse, WHITE, 0.3, strength);
    lens.ring(room.pos, PORTAL_RADIUS * 1.18 * pulse, CYAN, 0.12, strength);
    if is_open {
        for n in 0..3 {
            let share = (time * 0.8 + n as f32 / 3.0).fract();
            lens.ring(room.pos, PORTAL_RADIUS * (3.2 - 2.0 * share), CYAN, 0.1, share * 0.8);
        }
    }
}

fn draw_crates<C: Paint>(lens: &mut Lens<'_, C>, state: &State, alpha: f64) {
    for krate in state.crates.values() {
        let at = krate.at(alpha);
        let side = krate.facing_at(alpha) * CRATE_HALF;
        let up = Vec2::new(-side.y, side.x);
        let color = if krate.flash.is_running() { WHITE } else { WOOD };
        let corners = [at + side + up, at - side + up, at - side - up, at + side - up];
        lens.shape(&corners, color, 0.13, 0.25);
        lens.line(corners[0], corners[2], color, 0.07, 0.5);
        lens.line(corners[1], corners[3], color, 0.07, 0.5);
    }
}

fn draw_pickups<C: Paint>(lens: &mut Lens<'_, C>, state: &State, alpha: f64) {
    for pickup in state.pickups.values() {
        let (color, size) = match pickup.kind {
            PickupKind::Xp(xp) => (GREEN, 0.2 + 0.05 * xp as f32),
            PickupKind::Repair => (RED, 0.5),
            PickupKind::Modifier(_) => (YELLOW, 0.5),
        };
        // Blink before disappearing.
        if pickup.timer.left() < 180 && pickup.timer.left() % 12 < 5 {
            continue;
        }
        let at = pickup.at(alpha);
        lens.light(at, size * 3.6, color, 0.6);
        let x = Vec2::new(size, 0.0);
        let y = Vec2::new(0.0, size * 1.3);
        match pickup.kind {
            PickupKind::Repair => {
                lens.line(at - x * 0.8, at + x * 0.8, WHITE, 0.24, 1.0);
                lens.line(at - y * 0.6, at + y * 0.6, WHITE, 0.24, 1.0);
            }
            _ => lens.shape(&[at + y, at + x, at - y, at - x], color, 0.08, 0.6),
        }
    }
}

fn draw_shots<C: Paint>(lens: &mut Lens<'_, C>, state: &State, alpha: f64) {
    for shot in state.shots.values() {
        // Colour, width and radius of the light.
        let (color, width, light) = match shot.kind {
            ShotKind::Ship(WeaponKind::Pulse) => (CYAN, 0.16, 0.8),
            ShotKind::Ship(WeaponKind::Scatter) => (YELLOW, 0.14, 0.7),
            ShotKind::Ship(WeaponKind::Seeker) => (PINK, 0.22, 1.1),
            ShotKind::Enemy => (RED, 0.34, 1.5),
        };
        let at = shot.at(alpha);
        if !lens.sees(at, 2.0) {
            continue;
        }
        let tail = at - shot.vel * if shot.kind == ShotKind::Enemy { 0.015 } else { 0.035 };
        lens.light(at, light, color, 0.8);
        lens.line(tail, at, color, width, 1.0);
        lens.line(tail, at, WHITE, width * 0.45, 1.0);
    }
}

fn draw_enemy<C: Paint>(lens: &mut Lens<'_, C>, enemy: &Enemy, alpha: f64) {
    let at = enemy.at(alpha);
    let radius = enemy.radius();
    if !lens.sees(at, 10.0) {
        return;
    }
    let (color, corners) = match enemy.kind {
        EnemyKind::Drone | EnemyKind::Mech => (RED, 3),
        EnemyKind::Weaver => (PINK, 4),
        EnemyKind::Gunner => (ORANGE, 6),
        EnemyKind::Charger => (YELLOW, 3),
        EnemyKind::Bomber => (GREEN, 8),
    };
    let is_warning = matches!(enemy.mood, Mood::WindingUp(left) | Mood::Fused(left) if left % 8 < 4);
    let color = if enemy.flash.is_running() || is_warning { WHITE } else { color };
    lens.light(at, radius * 2.1, color, 0.62);
    let shape = polygon(at, enemy.heading, radius * 1.15, corners);
    lens.shape(&shape[..corners as usize], color, 0.11 + radius * 0.03, 0.3);
    match enemy.kind {
        EnemyKind::Gunner => lens.line(at, at + enemy.heading * (radius * 1.8), color, 0.16, 1.0),
        EnemyKind::Charger => {
            let tail = polygon(at - enemy.heading * 0.5, enemy.heading, radius * 0.6, 3);
            lens.shape(&tail[..3], color, 0.08, 0.4);
            if matches!(enemy.mood, Mood::WindingUp(_)) {
                lens.line(at, at + enemy.heading * 9.0, WHITE, 0.06, 0.5);
            }
        }
        EnemyKind::Bomber => lens.ring(at, radius * 0.5, color, 0.1, 1.0),
        EnemyKind::Drone | EnemyKind::Weaver | EnemyKind::Mech => {}
    }
}

fn draw_mech<C: Paint>(lens: &mut Lens<'_, C>, mech: &Enemy, alpha: f64) {
    let at = mech.at(alpha);
    let radius = mech.radius();
    let ahead = mech.heading;
    let color = if mech.flash.is_running() { WHITE } else { RED };
    let left = Vec2::new(-ahead.y, ahead.x);
    lens.light(at, radius * 3.2, RED, 0.75);
    for side in [left, -left] {
        // Shoulders and cannons.
        let shoulder = at + side * radius * 1.05;
        lens.shape(&polygon(shoulder, ahead, radius * 0.42, 4)[..4], ORANGE, 0.14, 0.35);
        lens.line(shoulder, shoulder + ahead * radius * 0.95, ORANGE, 0.3, 1.0);
        lens.line(shoulder, shoulder + ahead * radius * 0.95, WHITE, 0.1, 0.8);
    }
    lens.shape(&polygon(at, ahead, radius * 1.1, 8), color, 0.2, 0.3);
    lens.shape(&polygon(at, -ahead, radius * 0.75, 8), ORANGE, 0.14, 0.3);
    // The eye.
    lens.light(at + ahead * radius * 0.3, radius * 0.9, YELLOW, 0.9);
    lens.shape(&polygon(at + ahead * radius * 0.25, ahead, radius * 0.36, 3)[..3], WHITE, 0.12, 0.85);
}

fn draw_ship<C: Paint>(lens: &mut Lens<'_, C>, state: &State, alpha: f64) {
    let ship = &state.ship;
    let at = ship.at(alpha);
    let ahead = ship.heading_at(alpha);
    // On arrival, the ship grows out of a ring of light.
    let arrived = match state.phase {
        Phase::Birth => (state.phase_ticks as f32 / starship_sim::tuning::BIRTH as f32).clamp(0.0, 1.0),
        _ => 1.0,
    };
    let ahead = ahead * (0.3 + 0.7 * arrived);
    let left = Vec2::new(-ahead.y, ahead.x);
    if arrived < 1.0 {
        lens.ring(at, 1.0 + 9.0 * (1.0 - arrived), CYAN, 0.12, arrived);
        lens.light(at, 6.0 * (1.2 - arrived), CYAN, 0.8);
    }
    lens.ring(at, ship.stats.magnet, GREEN, 0.04, 0.10);
    let thrust = state.controls.stick.length();
    if thrust > 0.0 && state.phase.has_physics() {
        let length = if ship.boosting { 2.6 } else { 1.3 } * thrust;
        let color = if ship.boosting { ORANGE } else { CYAN };
        lens.light(at - ahead * 1.0, 1.2 + length * 0.5, color, 0.9);
        let base = at - ahead * 0.5;
        let tip = at - ahead * (0.6 + length);
        lens.shape(&[base + left * 0.34, tip, base - left * 0.34], color, 0.08, 0.55);
    }
    let color = if ship.invulnerable.is_running() && ship.invulnerable.left() % 8 < 4 { RED } else { CYAN };
    lens.light(at, SHIP_RADIUS * 4.0, color, 0.8);
    if ship.warp_t > 0.0 {
        lens.ring(at, SHIP_RADIUS * 1.9, VIOLET, 0.14, ship.warp_t);
    }
    let hull = [
        at + ahead * 1.15,
        at + left * 0.75 - ahead * 0.7,
        at - ahead * 0.35,
        at - left * 0.75 - ahead * 0.7,
    ];
    lens.shape(&hull, color, 0.14, 0.5);
    lens.line(at + ahead * 0.5, at, WHITE, 0.16, 1.0);
}
