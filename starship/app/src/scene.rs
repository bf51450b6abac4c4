//! Draws the world from state and alpha.

use starship_sim::tuning::{ARENA_HALF, CRATE_HALF, PORTAL_OPENS, PORTAL_RADIUS, SHIP_RADIUS, TICK_HZ};
use starship_sim::{BossRoom, Enemy, EnemyKind, Mood, Phase, PickupKind, ShotKind, State, Vec2, WeaponKind};

use crate::canvas::{BLUE, CYAN, Canvas, GREEN, Ink, NIGHT, ORANGE, PINK, RED, VIOLET, WHITE, WOOD, YELLOW};
use crate::lens::{Lens, polygon};

/// Distance between lines of the floor, in metres.
const GRID: f32 = 4.0;

/// Draws everything behind the particles.
pub(crate) fn draw_world<C: Canvas>(lens: &mut Lens<'_, C>, state: &State, alpha: f64) {
    lens.canvas.clear(NIGHT);
    draw_stars(lens);
    draw_floor(lens);
    for puddle in &state.puddles {
        lens.glow(puddle.pos, puddle.radius * 1.3, VIOLET, 0.55);
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

fn draw_stars<C: Canvas>(lens: &mut Lens<'_, C>) {
    let mut random = 0x2545_F491_u32;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        (f64::from(random) / f64::from(u32::MAX)) as f32
    };
    let (width, height) = lens.canvas.size();
    // Distant stars move less.
    for (depth, count) in [(0.12, 110), (0.25, 70), (0.45, 40)] {
        let shift = lens.centre() * lens.scale() * depth;
        let size = 0.8 + depth * 2.8;
        let stars: Vec<[f32; 4]> = (0..count)
            .map(|_| {
                let x = (next() * width - shift.x).rem_euclid(width.max(1.0));
                let y = (next() * height + shift.y).rem_euclid(height.max(1.0));
                [x, y, size, size]
            })
            .collect();
        lens.canvas.rects(&stars, Ink::new([160, 180, 230], 0.22 + depth));
    }
}

fn draw_floor<C: Canvas>(lens: &mut Lens<'_, C>) {
    let (low, high) = (lens.centre() - lens.half(), lens.centre() + lens.half());
    let [left, bottom] = lens.place(Vec2::new(low.x.max(-ARENA_HALF), low.y.max(-ARENA_HALF)));
    let [right, top] = lens.place(Vec2::new(high.x.min(ARENA_HALF), high.y.min(ARENA_HALF)));
    let lines = (ARENA_HALF / GRID) as i32;
    for n in -lines..=lines {
        let at = n as f32 * GRID;
        let strength = if n % 4 == 0 { 0.42 } else { 0.20 };
        let [x, y] = lens.place(Vec2::new(at, at));
        lens.canvas.rect(x - 0.5, top, 1.0, bottom - top, Ink::new(BLUE, strength));
        lens.canvas.rect(left, y - 0.5, right - left, 1.0, Ink::new(BLUE, strength));
    }
    // The walls, and the dark behind them.
    let half = ARENA_HALF;
    for (from, to) in [
        (Vec2::new(-half, half), Vec2::new(half, half)),
        (Vec2::new(-half, -half), Vec2::new(half, -half)),
        (Vec2::new(-half, -half), Vec2::new(-half, half)),
        (Vec2::new(half, -half), Vec2::new(half, half)),
    ] {
        let ([from_x, from_y], [to_x, to_y]) = (lens.place(from), lens.place(to));
        for (width, strength) in [(14.0, 0.12), (7.0, 0.25), (2.5, 0.9)] {
            let (x, y) = (from_x.min(to_x) - width / 2.0, from_y.min(to_y) - width / 2.0);
            let (wide, high) = ((to_x - from_x).abs() + width, (to_y - from_y).abs() + width);
            lens.canvas.rect(x, y, wide, high, Ink::new([90, 140, 255], strength));
        }
    }
}

fn draw_boss_room<C: Canvas>(lens: &mut Lens<'_, C>, state: &State) {
    let Some(room) = state.boss_room else {
        return;
    };
    for (width, strength) in [(1.4, 0.10), (0.7, 0.22), (0.2, 0.95)] {
        lens.ring(room.pos, room.ring, RED, width, strength);
    }
    draw_portal(lens, room);
}

/// Draws the portal: a wheel of light that grows until it is open, and then turns and draws everything in.
fn draw_portal<C: Canvas>(lens: &mut Lens<'_, C>, room: BossRoom) {
    let is_open = room.is_portal_open();
    let grown = (room.age as f32 / PORTAL_OPENS as f32).min(1.0);
    let time = room.age as f32 / TICK_HZ as f32;
    let strength = if is_open { 1.0 } else { 0.4 };
    let pulse = 1.0 + 0.06 * (time * 9.0).sin();
    lens.glow(room.pos, PORTAL_RADIUS * 4.5 * pulse, CYAN, strength);
    lens.glow(room.pos, PORTAL_RADIUS * 1.6, WHITE, 0.8 * strength * grown);
    let arms = 7;
    for n in 0..arms {
        // Bent lines that turn.
        let turn = time * if is_open { 2.2 } else { 0.5 } + n as f32 * std::f32::consts::TAU / arms as f32;
        let at = |share: f32| {
            let (sin, cos) = (turn + share * 1.1).sin_cos();
            room.pos + Vec2::new(cos, sin) * (PORTAL_RADIUS * grown * (1.0 - share))
        };
        for step in 0..4 {
            let (from, to) = (at(step as f32 / 5.0), at((step + 1) as f32 / 5.0));
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

fn draw_crates<C: Canvas>(lens: &mut Lens<'_, C>, state: &State, alpha: f64) {
    for krate in state.crates.values() {
        let (at, side) = (krate.at(alpha), krate.facing_at(alpha) * CRATE_HALF);
        let up = Vec2::new(-side.y, side.x);
        let rgb = if krate.flash.is_running() { WHITE } else { WOOD };
        let corners = [at + side + up, at - side + up, at - side - up, at + side - up];
        lens.shape(&corners, rgb, 0.13, 0.25);
        lens.line(corners[0], corners[2], rgb, 0.07, 0.5);
        lens.line(corners[1], corners[3], rgb, 0.07, 0.5);
    }
}

fn draw_pickups<C: Canvas>(lens: &mut Lens<'_, C>, state: &State, alpha: f64) {
    for pickup in state.pickups.values() {
        let (rgb, size) = match pickup.kind {
            PickupKind::Xp(xp) => (GREEN, 0.2 + 0.05 * xp as f32),
            PickupKind::Repair => (RED, 0.5),
            PickupKind::Modifier(_) => (YELLOW, 0.5),
        };
        // Blink before disappearing.
        if pickup.timer.left() < 180 && pickup.timer.left() % 12 < 5 {
            continue;
        }
        let at = pickup.at(alpha);
        lens.glow(at, size * 3.6, rgb, 0.6);
        let (x, y) = (Vec2::new(size, 0.0), Vec2::new(0.0, size * 1.3));
        match pickup.kind {
            PickupKind::Repair => {
                lens.line(at - x * 0.8, at + x * 0.8, WHITE, 0.24, 1.0);
                lens.line(at - y * 0.6, at + y * 0.6, WHITE, 0.24, 1.0);
            }
            _ => lens.shape(&[at + y, at + x, at - y, at - x], rgb, 0.08, 0.6),
        }
    }
}

fn draw_shots<C: Canvas>(lens: &mut Lens<'_, C>, state: &State, alpha: f64) {
    for shot in state.shots.values() {
        // Colour, width and radius of the light.
        let (rgb, width, light) = match shot.kind {
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
        lens.glow(at, light, rgb, 0.8);
        lens.line(tail, at, rgb, width, 1.0);
        lens.line(tail, at, WHITE, width * 0.45, 1.0);
    }
}

fn draw_enemy<C: Canvas>(lens: &mut Lens<'_, C>, enemy: &Enemy, alpha: f64) {
    let (at, radius) = (enemy.at(alpha), enemy.radius());
    if !lens.sees(at, 10.0) {
        return;
    }
    let (rgb, corners) = match enemy.kind {
        EnemyKind::Drone | EnemyKind::Mech => (RED, 3),
        EnemyKind::Weaver => (PINK, 4),
        EnemyKind::Gunner => (ORANGE, 6),
        EnemyKind::Charger => (YELLOW, 3),
        EnemyKind::Bomber => (GREEN, 8),
    };
    let is_warning = matches!(enemy.mood, Mood::WindingUp(left) | Mood::Fused(left) if left % 8 < 4);
    let rgb = if enemy.flash.is_running() || is_warning { WHITE } else { rgb };
    lens.glow(at, radius * 2.1, rgb, 0.62);
    let shape = polygon(at, enemy.heading, radius * 1.15, corners);
    lens.shape(&shape[..corners as usize], rgb, 0.11 + radius * 0.03, 0.3);
    match enemy.kind {
        EnemyKind::Gunner => lens.line(at, at + enemy.heading * (radius * 1.8), rgb, 0.16, 1.0),
        EnemyKind::Charger => {
            let tail = polygon(at - enemy.heading * 0.5, enemy.heading, radius * 0.6, 3);
            lens.shape(&tail[..3], rgb, 0.08, 0.4);
            if matches!(enemy.mood, Mood::WindingUp(_)) {
                lens.line(at, at + enemy.heading * 9.0, WHITE, 0.06, 0.5);
            }
        }
        EnemyKind::Bomber => lens.ring(at, radius * 0.5, rgb, 0.1, 1.0),
        EnemyKind::Drone | EnemyKind::Weaver | EnemyKind::Mech => {}
    }
}

fn draw_mech<C: Canvas>(lens: &mut Lens<'_, C>, mech: &Enemy, alpha: f64) {
    let (at, radius, ahead) = (mech.at(alpha), mech.radius(), mech.heading);
    let rgb = if mech.flash.is_running() { WHITE } else { RED };
    let left = Vec2::new(-ahead.y, ahead.x);
    lens.glow(at, radius * 3.2, RED, 0.75);
    for side in [left, -left] {
        // Shoulders and cannons.
        let shoulder = at + side * radius * 1.05;
        lens.shape(&polygon(shoulder, ahead, radius * 0.42, 4)[..4], ORANGE, 0.14, 0.35);
        lens.line(shoulder, shoulder + ahead * radius * 0.95, ORANGE, 0.3, 1.0);
        lens.line(shoulder, shoulder + ahead * radius * 0.95, WHITE, 0.1, 0.8);
    }
    lens.shape(&polygon(at, ahead, radius * 1.1, 8), rgb, 0.2, 0.3);
    lens.shape(&polygon(at, -ahead, radius * 0.75, 8), ORANGE, 0.14, 0.3);
    // The eye.
    lens.glow(at + ahead * radius * 0.3, radius * 0.9, YELLOW, 0.9);
    lens.shape(&polygon(at + ahead * radius * 0.25, ahead, radius * 0.36, 3)[..3], WHITE, 0.12, 0.85);
}

fn draw_ship<C: Canvas>(lens: &mut Lens<'_, C>, state: &State, alpha: f64) {
    let ship = &state.ship;
    let (at, ahead) = (ship.at(alpha), ship.heading_at(alpha));
    // On arrival, the ship grows out of a ring of light.
    let arrived = match state.phase {
        Phase::Birth => (state.phase_ticks as f32 / starship_sim::tuning::BIRTH as f32).clamp(0.0, 1.0),
        _ => 1.0,
    };
    let ahead = ahead * (0.3 + 0.7 * arrived);
    let left = Vec2::new(-ahead.y, ahead.x);
    if arrived < 1.0 {
        lens.ring(at, 1.0 + 9.0 * (1.0 - arrived), CYAN, 0.12, arrived);
        lens.glow(at, 6.0 * (1.2 - arrived), CYAN, 0.8);
    }
    lens.ring(at, ship.stats.magnet, GREEN, 0.04, 0.10);
    let thrust = state.controls.stick.length();
    if thrust > 0.0 && state.phase.has_physics() {
        let length = if ship.boosting { 2.6 } else { 1.3 } * thrust;
        let rgb = if ship.boosting { ORANGE } else { CYAN };
        lens.glow(at - ahead * 1.0, 1.2 + length * 0.5, rgb, 0.9);
        let (base, tip) = (at - ahead * 0.5, at - ahead * (0.6 + length));
        lens.shape(&[base + left * 0.34, tip, base - left * 0.34], rgb, 0.08, 0.55);
    }
    let rgb = if ship.invulnerable.is_running() && ship.invulnerable.left() % 8 < 4 { RED } else { CYAN };
    lens.glow(at, SHIP_RADIUS * 4.0, rgb, 0.8);
    if ship.warp_t > 0.0 {
        lens.ring(at, SHIP_RADIUS * 1.9, VIOLET, 0.14, ship.warp_t);
    }
    let hull = [
        at + ahead * 1.15,
        at + left * 0.75 - ahead * 0.7,
        at - ahead * 0.35,
        at - left * 0.75 - ahead * 0.7,
    ];
    lens.shape(&hull, rgb, 0.14, 0.5);
    lens.line(at + ahead * 0.5, at, WHITE, 0.16, 1.0);
}
