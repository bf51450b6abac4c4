//! Particles, shock waves, shake and announcements, triggered by signals. They never affect the simulation.

use evenstep_host::{Color, Paint};
use starship_sim::{EnemyKind, PickupKind, Signal, State, Vec2, WeaponKind};

use crate::layout::{Area, SHADE, dot_for, size_of};
use crate::lens::Lens;
use crate::palette::{CYAN, GREEN, ORANGE, PINK, RED, VIOLET, WHITE, WOOD, YELLOW};
use crate::{choice, letters};

/// The most particles and waves; beyond that the oldest are removed, to limit the drawing time.
const SPARKS_MAX: usize = 640;
const WAVES_MAX: usize = 48;
/// The strongest shake, in metres.
const SHAKE: f32 = 0.9;
/// How long an announcement stays, in seconds.
const WORD: f32 = 2.2;

#[derive(Clone, Copy, Debug)]
struct Spark {
    at: Vec2,
    vel: Vec2,
    // Seconds.
    left: f32,
    life: f32,
    size: f32,
    color: Color,
}

#[derive(Clone, Copy, Debug)]
struct Wave {
    at: Vec2,
    radius: f32,
    left: f32,
    life: f32,
    color: Color,
}

/// All visual effects.
#[derive(Debug)]
pub(crate) struct Effects {
    sparks: Vec<Spark>,
    waves: Vec<Wave>,
    word: Option<(String, Color, f32)>,
    // How much of the shake the player wants, from 0 to 1.
    shake_share: f32,
    // The effects' own clock, in seconds, and random state, separate from the game's.
    time: f32,
    random: u32,
}

impl Default for Effects {
    fn default() -> Self {
        Self {
            sparks: Vec::with_capacity(SPARKS_MAX),
            waves: Vec::with_capacity(WAVES_MAX),
            word: None,
            shake_share: 1.0,
            time: 0.0,
            random: 0x9E37_79B9,
        }
    }
}

impl Effects {
    pub(crate) fn clear(&mut self) {
        *self =
            Self { time: self.time, random: self.random, shake_share: self.shake_share, ..Self::default() };
    }

    /// Sets how much of the shake the player wants, from 0 to 1.
    pub(crate) const fn set_shake(&mut self, share: f32) {
        self.shake_share = share.clamp(0.0, 1.0);
    }

    /// Shows the effect of a signal.
    pub(crate) fn show(&mut self, signal: Signal) {
        match signal {
            Signal::Born { at } => self.wave(at, 7.0, 0.5, CYAN),
            Signal::Fired { weapon, at, along } => {
                self.burst(at + along, along * 6.0, 2, 3.0, 0.15, weapon_color(weapon));
            }
            Signal::EnemyFired { at } => self.burst(at, Vec2::ZERO, 3, 3.0, 0.2, RED),
            Signal::ChargeWarning { at } => self.wave(at, 2.2, 0.4, YELLOW),
            Signal::FuseLit { at } => self.wave(at, 2.0, 0.4, GREEN),
            Signal::Hit { at, damage } => {
                self.burst(at, Vec2::ZERO, 3 + (damage / 8.0).min(4.0) as usize, 7.0, 0.22, WHITE);
            }
            Signal::EnemyKilled { kind, at } => self.show_kill(kind, at),
            Signal::Exploded { at, radius } => {
                self.wave(at, radius, 0.45, ORANGE);
                self.burst(at, Vec2::ZERO, 26, radius * 3.2, 0.6, ORANGE);
            }
            Signal::Hurt { at, .. } => {
                self.wave(at, 3.0, 0.3, RED);
                self.burst(at, Vec2::ZERO, 22, 11.0, 0.5, RED);
            }
            Signal::PickedUp { kind, at } => self.burst(at, Vec2::ZERO, 4, 4.0, 0.3, pickup_color(kind)),
            Signal::CrateBroken { at } => {
                self.burst(at, Vec2::ZERO, 20, 8.0, 0.6, WOOD);
                self.wave(at, 2.5, 0.3, WOOD);
            }
            Signal::WarpEntered { at } | Signal::WarpLeft { at } => self.wave(at, 4.0, 0.5, VIOLET),
            Signal::Wave { number } => self.say(format!("WAVE {number}"), ORANGE),
            Signal::Upgraded { upgrade, level: 0 } => self.say(choice::name(upgrade).to_owned(), CYAN),
            Signal::Upgraded { upgrade, level } => {
                self.say(format!("{} {level}", choice::name(upgrade)), CYAN);
            }
            Signal::Overheated => self.say("OVERHEATED".to_owned(), RED),
            Signal::OvertimeBegan => self.say("OVERTIME".to_owned(), RED),
            Signal::BossArrived { at } => {
                self.say("THE AWAKENED MECH".to_owned(), RED);
                self.wave(at, 12.0, 0.9, RED);
            }
            Signal::BossPhase { phase, at } => {
                self.say(format!("PHASE {phase}"), RED);
                self.wave(at, 14.0, 0.8, YELLOW);
                self.burst(at, Vec2::ZERO, 50, 16.0, 0.9, ORANGE);
            }
            Signal::BossDefeated { at } => self.show_boss_defeat(at),
            Signal::PortalOpened { at } => {
                self.say("THE PORTAL IS OPEN".to_owned(), CYAN);
                self.wave(at, 10.0, 0.8, CYAN);
            }
            Signal::Died { at } => {
                self.wave(at, 9.0, 1.0, RED);
                self.burst(at, Vec2::ZERO, 120, 16.0, 1.3, CYAN);
                self.burst(at, Vec2::ZERO, 60, 9.0, 1.5, RED);
            }
            Signal::Won { at } => {
                self.wave(at, 16.0, 1.2, CYAN);
                self.burst(at, Vec2::ZERO, 90, 14.0, 1.2, CYAN);
            }
            Signal::RunStarted { .. }
            | Signal::HitFreeze { .. }
            | Signal::InvertScreen { .. }
            | Signal::ModifierEnded { .. }
            | Signal::Cooled
            | Signal::LevelUp { .. }
            | Signal::BossRoomOpened { .. } => {}
        }
    }

    fn show_kill(&mut self, kind: EnemyKind, at: Vec2) {
        let color = match kind {
            EnemyKind::Drone | EnemyKind::Mech => RED,
            EnemyKind::Weaver => PINK,
            EnemyKind::Gunner => ORANGE,
            EnemyKind::Charger => YELLOW,
            EnemyKind::Bomber => GREEN,
        };
        self.burst(at, Vec2::ZERO, 14, 9.0, 0.55, color);
        self.burst(at, Vec2::ZERO, 4, 4.0, 0.35, WHITE);
        self.wave(at, 1.8, 0.3, color);
    }

    fn show_boss_defeat(&mut self, at: Vec2) {
        self.say("MECH DOWN. REACH THE PORTAL".to_owned(), CYAN);
        for radius in [6.0, 12.0, 20.0] {
            self.wave(at, radius, 1.2, YELLOW);
        }
        self.burst(at, Vec2::ZERO, 140, 22.0, 1.4, ORANGE);
        self.burst(at, Vec2::ZERO, 60, 12.0, 1.2, WHITE);
    }

    /// Adds the sparks behind the ship, once per frame.
    pub(crate) fn trail(&mut self, state: &State, seconds: f32) {
        if state.controls.stick.length() > 0.0 && state.phase.has_physics() && seconds > 0.0 {
            let ship = &state.ship;
            let color = if ship.boosting { ORANGE } else { CYAN };
            let at = ship.pos() - ship.heading();
            self.burst(at, -ship.heading() * 7.0, 1 + usize::from(ship.boosting), 2.5, 0.35, color);
        }
    }

    /// Advances the effects by game time; the shake uses wall time, so that it continues during a hit-freeze.
    pub(crate) fn advance(&mut self, seconds: f32, wall_secs: f32) {
        self.time = (self.time + wall_secs) % 1_000.0;
        let slowed = (-2.6 * seconds).exp();
        self.sparks.retain_mut(|spark| {
            spark.left -= seconds;
            spark.at += spark.vel * seconds;
            spark.vel *= slowed;
            spark.left > 0.0
        });
        self.waves.retain_mut(|wave| {
            wave.left -= seconds;
            wave.left > 0.0
        });
        if let Some(word) = &mut self.word {
            word.2 -= seconds;
            if word.2 <= 0.0 {
                self.word = None;
            }
        }
    }

    /// The offset of the view by the shake, in metres.
    pub(crate) fn shake(&self, trauma: f32) -> Vec2 {
        let strength = trauma * trauma * SHAKE * self.shake_share;
        let time = self.time;
        Vec2::new((time * 71.0).sin() + (time * 113.0).sin(), (time * 83.0).cos() + (time * 127.0).sin())
            * (strength * 0.5)
    }

    pub(crate) fn draw<C: Paint>(&self, lens: &mut Lens<'_, C>) {
        for spark in &self.sparks {
            let share = spark.left / spark.life;
            if lens.sees(spark.at, 1.0) {
                lens.light(spark.at, spark.size * 4.4, spark.color, share);
                let tail = spark.at - spark.vel * 0.02;
                lens.line(tail, spark.at, spark.color, spark.size * share, share);
            }
        }
        for wave in &self.waves {
            let share = wave.left / wave.life;
            let radius = wave.radius * (1.0 - share * share);
            lens.ring(wave.at, radius.max(0.05), wave.color, 0.05 + 0.3 * share, share);
        }
    }

    /// The area of the current announcement: in the upper third, or below what is there.
    pub(crate) fn word_area(&self, size: (f64, f64), taken: &[Area]) -> Option<Area> {
        let (word, ..) = self.word.as_ref()?;
        let dot = word_dot(word, size);
        let wide = letters::width(word, dot) + dot * 6.0;
        let high = dot * 12.0;
        let mut area = Area::new((size.0 - wide) / 2.0, size.1 * 0.2 - dot * 2.5, wide, high);
        for _ in taken {
            if let Some(other) = taken.iter().find(|other| other.meets(area)) {
                area.top = other.bottom() + dot;
            }
        }
        Some(area)
    }

    /// Draws the current announcement.
    pub(crate) fn draw_word<C: Paint>(&self, canvas: &mut C, taken: &[Area]) {
        if let (Some(area), Some((word, color, left))) = (self.word_area(size_of(canvas), taken), &self.word)
        {
            let strength = (left / 0.5).min(1.0) * 0.95;
            let dot = word_dot(word, size_of(canvas));
            area.shade(canvas, SHADE * strength);
            letters::draw_centred(
                canvas,
                area.middle(),
                area.top + dot * 2.5,
                dot,
                word,
                color.with_alpha(strength),
            );
        }
    }

    fn say(&mut self, word: String, color: Color) {
        self.word = Some((word, color, WORD));
    }

    fn wave(&mut self, at: Vec2, radius: f32, life: f32, color: Color) {
        if self.waves.len() == WAVES_MAX {
            self.waves.remove(0);
        }
        self.waves.push(Wave { at, radius, left: life, life, color });
    }

    fn burst(&mut self, at: Vec2, vel: Vec2, count: usize, speed: f32, life: f32, color: Color) {
        let excess = (self.sparks.len() + count).saturating_sub(SPARKS_MAX);
        self.sparks.drain(..excess.min(self.sparks.len()));
        for _ in 0..count {
            let (sin, cos) = (self.roll() * std::f32::consts::TAU).sin_cos();
            let vel = vel + Vec2::new(cos, sin) * (speed * (0.25 + self.roll()));
            let life = life * (0.5 + self.roll());
            let size = 0.08 + 0.1 * self.roll();
            self.sparks.push(Spark { at, vel, left: life, life, size, color });
        }
    }

    /// A random number from 0 to 1.
    fn roll(&mut self) -> f32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        self.random as f32 / u32::MAX as f32
    }
}

fn word_dot(word: &str, size: (f64, f64)) -> f64 {
    dot_for(word.chars().count() + 1, size.0 * 0.9, 3.4 * crate::layout::unit(size))
}

const fn weapon_color(weapon: WeaponKind) -> Color {
    match weapon {
        WeaponKind::Pulse => CYAN,
        WeaponKind::Scatter => YELLOW,
        WeaponKind::Seeker => PINK,
    }
}

const fn pickup_color(kind: PickupKind) -> Color {
    match kind {
        PickupKind::Xp(_) => GREEN,
        PickupKind::Repair => RED,
        PickupKind::Modifier(_) => YELLOW,
    }
}

pub(crate) const fn weapon_name(weapon: WeaponKind) -> &'static str {
    match weapon {
        WeaponKind::Pulse => "PULSE",
        WeaponKind::Scatter => "SCATTER",
        WeaponKind::Seeker => "SEEKER",
    }
}
