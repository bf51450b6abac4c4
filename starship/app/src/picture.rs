//! A picture of the game, from state and alpha alone.

use std::path::Path;

use starship_sim::tuning::{ARENA_HALF, CRATE_HALF, PORTAL_RADIUS, SHIP_RADIUS, VIEW_HEIGHT};
use starship_sim::{
    Enemy, EnemyKind, Game, Hud, ModifierKind, Mood, Phase, PickupKind, ShotKind, State, Vec2, WeaponKind,
};
use tiny_skia::{
    BlendMode, Color, FillRule, GradientStop, LineCap, Paint, PathBuilder, Pixmap, Point, RadialGradient,
    Rect, SpreadMode, Stroke, Transform,
};

use crate::font::glyph;

const WIDTH: u32 = 1280;
const HEIGHT: u32 = 720;

const CYAN: [u8; 3] = [96, 226, 255];
const WHITE: [u8; 3] = [240, 248, 255];
const RED: [u8; 3] = [255, 84, 92];
const ORANGE: [u8; 3] = [255, 160, 64];
const YELLOW: [u8; 3] = [255, 224, 96];
const GREEN: [u8; 3] = [110, 255, 160];
const VIOLET: [u8; 3] = [180, 120, 255];
const PINK: [u8; 3] = [255, 120, 220];
const BLUE: [u8; 3] = [70, 110, 200];

/// Draws the game and writes it as a PNG.
pub(crate) fn write(game: &Game, alpha: f64, file: &Path) -> Result<(), String> {
    let pixmap = draw(game, alpha).ok_or("no memory for a picture")?;
    pixmap.save_png(file).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

fn draw(game: &Game, alpha: f64) -> Option<Pixmap> {
    let mut canvas = Canvas::new(Pixmap::new(WIDTH, HEIGHT)?, game.state().camera.at(alpha));
    world(&mut canvas, game.state(), alpha);
    hud(&mut canvas, &game.state().hud(), game.state());
    if game.is_inverted() {
        for pixel in canvas.pixmap.data_mut().chunks_exact_mut(4) {
            pixel[..3].iter_mut().for_each(|channel| *channel = 255 - *channel);
        }
    }
    Some(canvas.pixmap)
}

fn world(canvas: &mut Canvas, state: &State, alpha: f64) {
    canvas.pixmap.fill(Color::from_rgba8(6, 8, 18, 255));
    stars(canvas);
    grid(canvas);
    for puddle in &state.puddles {
        canvas.glow(puddle.pos, puddle.radius * 1.15, VIOLET, 0.42);
        canvas.ring(puddle.pos, puddle.radius, VIOLET, 0.10, 0.5);
        canvas.ring(puddle.pos, puddle.radius * 0.66, VIOLET, 0.06, 0.3);
    }
    if let Some(room) = state.boss_room {
        canvas.ring(room.pos, room.ring, RED, 0.9, 0.16);
        canvas.ring(room.pos, room.ring, RED, 0.2, 0.9);
        let open = if room.is_portal_open() { 1.0 } else { 0.35 };
        canvas.glow(room.pos, PORTAL_RADIUS * 2.4, CYAN, 0.8 * open);
        canvas.ring(room.pos, PORTAL_RADIUS, WHITE, 0.16, open);
        canvas.ring(room.pos, PORTAL_RADIUS * 0.6, CYAN, 0.12, open);
    }
    for krate in state.crates.values() {
        let (at, side) = (krate.at(alpha), krate.facing_at(alpha) * CRATE_HALF);
        let up = Vec2::new(-side.y, side.x);
        let color = if krate.flash > 0 { WHITE } else { [205, 160, 95] };
        let corners = [at + side + up, at - side + up, at - side - up, at + side - up];
        canvas.outline(&corners, color, 0.13, 0.25);
        canvas.line(corners[0], corners[2], color, 0.07, 0.5);
        canvas.line(corners[1], corners[3], color, 0.07, 0.5);
    }
    for pickup in state.pickups.values() {
        let (color, size) = match pickup.kind {
            PickupKind::Xp(xp) => (GREEN, 0.2 + 0.05 * xp as f32),
            PickupKind::Repair => (RED, 0.45),
            PickupKind::Modifier(_) => (YELLOW, 0.45),
        };
        let at = pickup.at(alpha);
        canvas.glow(at, size * 3.2, color, 0.4);
        let (x, y) = (Vec2::new(size, 0.0), Vec2::new(0.0, size * 1.3));
        canvas.outline(&[at + y, at + x, at - y, at - x], color, 0.09, 0.6);
    }
    for enemy in state.enemies.values() {
        draw_enemy(canvas, enemy, alpha);
    }
    for shot in state.shots.values() {
        let (color, width) = match shot.kind {
            ShotKind::Ship(WeaponKind::Pulse) => (CYAN, 0.16),
            ShotKind::Ship(WeaponKind::Scatter) => (YELLOW, 0.14),
            ShotKind::Ship(WeaponKind::Seeker) => (PINK, 0.22),
            ShotKind::Enemy => (RED, 0.3),
        };
        let at = shot.at(alpha);
        let tail = at - shot.vel * if shot.kind == ShotKind::Enemy { 0.02 } else { 0.035 };
        canvas.glow(at, width * 5.0, color, 0.55);
        canvas.line(tail, at, color, width, 1.0);
        canvas.line(tail, at, WHITE, width * 0.4, 1.0);
    }
    if state.phase != Phase::Dead {
        ship(canvas, state, alpha);
    }
}

fn stars(canvas: &mut Canvas) {
    let mut dice = 0x2545_F491_u32;
    let mut next = || {
        dice ^= dice << 13;
        dice ^= dice >> 17;
        dice ^= dice << 5;
        f64::from(dice) / f64::from(u32::MAX)
    };
    for n in 0..260 {
        // Further stars move less.
        let depth = [0.15, 0.3, 0.5][n % 3];
        let (x, y) = (next() as f32, next() as f32);
        let shift = canvas.camera * canvas.scale * depth;
        let at_x = (x * WIDTH as f32 - shift.x).rem_euclid(WIDTH as f32);
        let at_y = (y * HEIGHT as f32 + shift.y).rem_euclid(HEIGHT as f32);
        let size = 0.8 + depth * 2.6;
        canvas.rect(at_x, at_y, size, size, [150, 170, 220], 0.25 + depth);
    }
}

fn grid(canvas: &mut Canvas) {
    let mut at = -ARENA_HALF;
    while at <= ARENA_HALF {
        canvas.line(Vec2::new(at, -ARENA_HALF), Vec2::new(at, ARENA_HALF), BLUE, 0.05, 0.16);
        canvas.line(Vec2::new(-ARENA_HALF, at), Vec2::new(ARENA_HALF, at), BLUE, 0.05, 0.16);
        at += 4.0;
    }
    let half = ARENA_HALF;
    let corners =
        [Vec2::new(half, half), Vec2::new(-half, half), Vec2::new(-half, -half), Vec2::new(half, -half)];
    canvas.outline(&corners, BLUE, 0.3, 0.0);
}

fn draw_enemy(canvas: &mut Canvas, enemy: &Enemy, alpha: f64) {
    let (at, radius) = (enemy.at(alpha), enemy.radius());
    let (color, corners) = match enemy.kind {
        EnemyKind::Drone => (RED, 3),
        EnemyKind::Weaver => (PINK, 4),
        EnemyKind::Gunner => (ORANGE, 6),
        EnemyKind::Charger => (YELLOW, 3),
        EnemyKind::Bomber => (GREEN, 8),
        EnemyKind::Mech => (RED, 8),
    };
    let is_warning = matches!(enemy.mood, Mood::WindingUp(left) | Mood::Fused(left) if left % 8 < 4);
    let color = if enemy.flash > 0 || is_warning { WHITE } else { color };
    canvas.glow(at, radius * 2.4, color, 0.35);
    let shape = polygon(at, enemy.heading, radius * 1.15, corners);
    canvas.outline(&shape, color, 0.11 + radius * 0.03, 0.3);
    match enemy.kind {
        EnemyKind::Mech => {
            canvas.outline(&polygon(at, -enemy.heading, radius * 0.75, 8), ORANGE, 0.14, 0.35);
            canvas.outline(&polygon(at, enemy.heading, radius * 0.4, 3), WHITE, 0.14, 0.8);
            canvas.bar(at + Vec2::new(0.0, radius + 1.0), 4.0, (enemy.hull / enemy.hull_full).max(0.0), RED);
        }
        EnemyKind::Gunner => canvas.line(at, at + enemy.heading * (radius * 1.8), color, 0.16, 1.0),
        EnemyKind::Charger => {
            canvas.outline(
                &polygon(at - enemy.heading * 0.5, enemy.heading, radius * 0.6, 3),
                color,
                0.08,
                0.4,
            );
            if matches!(enemy.mood, Mood::WindingUp(_)) {
                canvas.line(at, at + enemy.heading * 9.0, WHITE, 0.06, 0.5);
            }
        }
        EnemyKind::Bomber => canvas.ring(at, radius * 0.5, color, 0.1, 1.0),
        EnemyKind::Drone | EnemyKind::Weaver => {}
    }
}

fn ship(canvas: &mut Canvas, state: &State, alpha: f64) {
    let ship = &state.ship;
    let (at, ahead) = (ship.at(alpha), ship.heading_at(alpha));
    let left = Vec2::new(-ahead.y, ahead.x);
    canvas.ring(at, ship.stats.magnet, GREEN, 0.04, 0.12);
    let thrust = state.controls.stick.length();
    if thrust > 0.0 {
        let length = if ship.boosting { 2.6 } else { 1.3 } * thrust;
        let color = if ship.boosting { ORANGE } else { CYAN };
        canvas.glow(at - ahead * 1.0, 1.2 + length * 0.4, color, 0.7);
        let (base, tip) = (at - ahead * 0.6, at - ahead * (0.6 + length));
        canvas.outline(&[base + left * 0.32, tip, base - left * 0.32], color, 0.1, 0.6);
    }
    let color = if ship.invulnerable > 0 && ship.invulnerable % 8 < 4 { RED } else { CYAN };
    canvas.glow(at, SHIP_RADIUS * 3.6, color, 0.55);
    if ship.warp_t > 0.0 {
        canvas.ring(at, SHIP_RADIUS * 1.9, VIOLET, 0.14, ship.warp_t);
    }
    let hull = [
        at + ahead * 1.15,
        at + left * 0.75 - ahead * 0.7,
        at - ahead * 0.35,
        at - left * 0.75 - ahead * 0.7,
    ];
    canvas.outline(&hull, color, 0.14, 0.5);
    canvas.line(at + ahead * 0.5, at, WHITE, 0.16, 1.0);
}

fn polygon(at: Vec2, ahead: Vec2, radius: f32, corners: u32) -> Vec<Vec2> {
    let turn = std::f32::consts::TAU / corners as f32;
    (0..corners)
        .map(|n| {
            let (sin, cos) = (turn * n as f32).sin_cos();
            at + Vec2::new(ahead.x * cos - ahead.y * sin, ahead.x * sin + ahead.y * cos) * radius
        })
        .collect()
}

fn hud(canvas: &mut Canvas, hud: &Hud, state: &State) {
    let width = WIDTH as f32;
    canvas.meter(24.0, 24.0, 260.0, 16.0, hud.hull, if hud.hull < 0.3 { RED } else { GREEN });
    canvas.text(30.0, 27.0, 1.6, "HULL", WHITE);
    let heat = if hud.overheated { RED } else { ORANGE };
    canvas.meter(24.0, 48.0, 260.0, 10.0, hud.heat, heat);
    canvas.meter(24.0, 64.0, 260.0, 6.0, hud.xp, CYAN);
    canvas.text(24.0, 80.0, 2.0, &format!("LEVEL {}  SECTOR {}", hud.level, hud.sector), CYAN);
    for (n, (kind, level)) in hud.weapons.iter().enumerate() {
        let name = match kind {
            WeaponKind::Pulse => "PULSE",
            WeaponKind::Scatter => "SCATTER",
            WeaponKind::Seeker => "SEEKER",
        };
        let color = if *level > 0 { WHITE } else { [80, 90, 120] };
        canvas.text(24.0, 106.0 + 20.0 * n as f32, 1.8, &format!("{name} {level}"), color);
    }
    let (timer, color) = match hud.overtime_secs {
        Some(seconds) => (format!("+{seconds:.1}"), RED),
        None => (format!("{}:{:04.1}", (hud.timer_secs / 60.0) as u32, hud.timer_secs % 60.0), WHITE),
    };
    let timer_x = width / 2.0 - timer.len() as f32 * 12.0;
    canvas.text(timer_x, 22.0, 4.0, &timer, if hud.timer_stands { CYAN } else { color });
    if let Some(boss) = hud.boss_hull {
        canvas.meter(width / 2.0 - 220.0, 62.0, 440.0, 10.0, boss, RED);
        canvas.text(width / 2.0 - 100.0, 78.0, 2.0, "AWAKENED MECH", RED);
    }
    let score = format!("{}", hud.score);
    canvas.text(width - 24.0 - score.len() as f32 * 18.0, 24.0, 3.0, &score, YELLOW);
    let kills = format!("KILLS {}", hud.kills);
    canvas.text(width - 24.0 - kills.len() as f32 * 10.8, 54.0, 1.8, &kills, WHITE);
    for (n, kind) in
        ModifierKind::ALL.into_iter().filter(|&kind| state.modifiers.stacks(kind) > 0).enumerate()
    {
        let name = format!("{kind:?} {}", state.modifiers.stacks(kind)).to_uppercase();
        let color = if kind == ModifierKind::Jammed { RED } else { YELLOW };
        canvas.text(width - 24.0 - name.len() as f32 * 10.8, 84.0 + 20.0 * n as f32, 1.8, &name, color);
    }
    let banner = match hud.phase {
        Phase::Dead => ("SHIP LOST", RED),
        Phase::Won => ("SECTOR CLEARED", CYAN),
        Phase::Birth => ("READY", CYAN),
        Phase::Menu | Phase::Playing => return,
    };
    let x = width / 2.0 - banner.0.len() as f32 * 24.0;
    canvas.text(x, HEIGHT as f32 * 0.38, 8.0, banner.0, banner.1);
}

/// A pixmap that is drawn on in metres, as the camera sees them.
struct Canvas {
    pixmap: Pixmap,
    camera: Vec2,
    scale: f32,
}

impl Canvas {
    fn new(pixmap: Pixmap, camera: Vec2) -> Self {
        Self { pixmap, camera, scale: HEIGHT as f32 / VIEW_HEIGHT }
    }

    fn place(&self, at: Vec2) -> Point {
        let from_camera = (at - self.camera) * self.scale;
        Point::from_xy(WIDTH as f32 / 2.0 + from_camera.x, HEIGHT as f32 / 2.0 - from_camera.y)
    }

    fn sees(&self, at: Vec2, radius: f32) -> bool {
        let (place, reach) = (self.place(at), radius * self.scale);
        let (x, y) = (place.x, place.y);
        x > -reach && y > -reach && x < WIDTH as f32 + reach && y < HEIGHT as f32 + reach
    }

    fn glow(&mut self, at: Vec2, radius: f32, color: [u8; 3], strength: f32) {
        if !self.sees(at, radius) {
            return;
        }
        let (place, reach) = (self.place(at), radius * self.scale);
        let [r, g, b] = color;
        let stops = vec![
            GradientStop::new(0.0, Color::from_rgba8(r, g, b, (strength * 190.0) as u8)),
            GradientStop::new(0.4, Color::from_rgba8(r, g, b, (strength * 60.0) as u8)),
            GradientStop::new(1.0, Color::from_rgba8(r, g, b, 0)),
        ];
        let shader =
            RadialGradient::new(place, 0.0, place, reach, stops, SpreadMode::Pad, Transform::identity());
        let rect = Rect::from_xywh(place.x - reach, place.y - reach, 2.0 * reach, 2.0 * reach);
        if let (Some(shader), Some(rect)) = (shader, rect) {
            let paint = Paint { shader, blend_mode: BlendMode::Plus, anti_alias: false, ..Paint::default() };
            self.pixmap.fill_rect(rect, &paint, Transform::identity(), None);
        }
    }

    fn ring(&mut self, at: Vec2, radius: f32, color: [u8; 3], width: f32, strength: f32) {
        let place = self.place(at);
        if let Some(path) = PathBuilder::from_circle(place.x, place.y, radius * self.scale) {
            let stroke = Stroke { width: width * self.scale, ..Stroke::default() };
            self.pixmap.stroke_path(&path, &paint(color, strength), &stroke, Transform::identity(), None);
        }
    }

    fn line(&mut self, from: Vec2, to: Vec2, color: [u8; 3], width: f32, strength: f32) {
        let (from, to) = (self.place(from), self.place(to));
        let mut path = PathBuilder::new();
        path.move_to(from.x, from.y);
        path.line_to(to.x, to.y);
        if let Some(path) = path.finish() {
            let stroke = Stroke { width: width * self.scale, line_cap: LineCap::Round, ..Stroke::default() };
            self.pixmap.stroke_path(&path, &paint(color, strength), &stroke, Transform::identity(), None);
        }
    }

    fn outline(&mut self, corners: &[Vec2], color: [u8; 3], width: f32, filling: f32) {
        let mut path = PathBuilder::new();
        for (n, &corner) in corners.iter().enumerate() {
            let place = self.place(corner);
            if n == 0 {
                path.move_to(place.x, place.y);
            } else {
                path.line_to(place.x, place.y);
            }
        }
        path.close();
        let Some(path) = path.finish() else {
            return;
        };
        let stroke = Stroke { width: width * self.scale, ..Stroke::default() };
        if filling > 0.0 {
            let filling = paint(color, filling);
            self.pixmap.fill_path(&path, &filling, FillRule::Winding, Transform::identity(), None);
        }
        self.pixmap.stroke_path(&path, &paint(color, 1.0), &stroke, Transform::identity(), None);
    }

    fn bar(&mut self, at: Vec2, width: f32, share: f32, color: [u8; 3]) {
        let place = self.place(at);
        let width = width * self.scale;
        self.meter(place.x - width / 2.0, place.y, width, 5.0, share, color);
    }

    fn meter(&mut self, x: f32, y: f32, width: f32, height: f32, share: f32, color: [u8; 3]) {
        self.rect(x, y, width, height, color, 0.18);
        self.rect(x, y, (width * share.clamp(0.0, 1.0)).max(0.5), height, color, 0.85);
    }

    fn rect(&mut self, x: f32, y: f32, width: f32, height: f32, color: [u8; 3], strength: f32) {
        if let Some(rect) = Rect::from_xywh(x, y, width, height) {
            self.pixmap.fill_rect(rect, &paint(color, strength), Transform::identity(), None);
        }
    }

    fn text(&mut self, x: f32, y: f32, dot: f32, text: &str, color: [u8; 3]) {
        for (n, letter) in text.chars().enumerate() {
            for (row, bits) in glyph(letter).into_iter().enumerate() {
                for column in (0..5).filter(|column| bits & (16 >> column) != 0) {
                    let left = x + (n * 6 + column) as f32 * dot;
                    self.rect(left, y + row as f32 * dot, dot, dot, color, 0.95);
                }
            }
        }
    }
}

fn paint(color: [u8; 3], strength: f32) -> Paint<'static> {
    let mut paint = Paint::default();
    let [r, g, b] = color;
    paint.set_color_rgba8(r, g, b, (strength.clamp(0.0, 1.0) * 255.0) as u8);
    paint
}
