//! Every constant of the game, each with its unit. Durations are ticks of 1/60 s, lengths are metres.

use crate::enemies::EnemyKind;
use crate::weapons::WeaponKind;

/// Ticks per second.
pub const TICK_HZ: u32 = 60;
/// Physics steps per second: one per tick.
pub const PHYSICS_HZ: u32 = 60;
/// One simulation step, in seconds.
pub const SIM_DT: f32 = 1.0 / TICK_HZ as f32;
/// One second, in ticks.
pub const SECOND: u32 = TICK_HZ;

// The arena.

/// Half the side of the square arena, in metres.
pub const ARENA_HALF: f32 = 64.0;
/// Thickness of its walls, in metres.
pub const WALL: f32 = 4.0;

// The ship.

/// Radius in metres.
pub const SHIP_RADIUS: f32 = 0.7;
/// Mass density in kilograms per square metre.
pub const SHIP_DENSITY: f32 = 3.0;
/// Hull points at the start of a run.
pub const SHIP_HULL: f32 = 100.0;
/// Acceleration at full stick, in metres per second squared.
pub const SHIP_THRUST: f32 = 40.0;
/// Drag, per second.
pub const SHIP_DRAG: f32 = 2.9;
/// Thrust with the boost on, as a factor.
pub const BOOST_THRUST: f32 = 2.1;
/// Heat that turns the boost off, in degrees above cold.
pub const HEAT_MAX: f32 = 100.0;
/// Heat gained per second of boost, in degrees.
pub const BOOST_HEAT: f32 = 62.0;
/// Heat lost per second, in degrees.
pub const COOLING: f32 = 26.0;
/// An overheated ship works again below this, in degrees.
pub const HEAT_RECOVERED: f32 = 35.0;
/// Thrust of an overheated ship, as a factor.
pub const OVERHEATED_THRUST: f32 = 0.7;
/// Invulnerability after a hit, in ticks.
pub const INVULNERABLE: u32 = 48;
/// Reach of the magnet, in metres.
pub const MAGNET: f32 = 4.5;
/// Speed at which running into a crate breaks it, in metres per second.
pub const RAM_SPEED: f32 = 12.0;
/// Fraction of the way to the new heading that the ship turns per tick.
pub const TURN: f32 = 0.22;

// Phases.

/// Length of the birth phase, in ticks.
pub const BIRTH: u32 = 75;
/// Time after death or victory before a new run can be started, in ticks.
pub const AFTERMATH: u32 = 60;

// Effects of a hit on the ship, in wall time.

/// Length of the hit-freeze, in milliseconds.
pub const HIT_FREEZE_MS: u16 = 70;
/// Length of the inverted flash, in milliseconds.
pub const INVERT_MS: u16 = 110;

// Modifiers.

/// Maximum active modifiers.
pub const MODIFIERS_MAX: u32 = 24;
/// Maximum active modifiers of one kind.
pub const STACKS_MAX: u32 = 4;
/// A modifier from a pickup lasts this long, in ticks.
pub const MODIFIER_LASTS: u32 = 12 * SECOND;
/// One stack of overdrive, as a change of thrust.
pub const OVERDRIVE_THRUST: f32 = 0.22;
/// One stack of rapid fire, as a change of the fire rate.
pub const RAPID_FIRE: f32 = 0.28;
/// One stack of magnet, as a change of its reach.
pub const MAGNET_REACH: f32 = 0.9;
/// One stack of plating, as a factor of damage taken.
pub const PLATING_DAMAGE: f32 = 0.75;
/// One stack of coolant, as a change of cooling.
pub const COOLANT_COOLING: f32 = 0.6;
/// One stack of jamming by a gunner's shot, as a factor of the fire rate.
pub const JAMMED_FIRE: f32 = 0.8;
/// Jamming lasts this long, in ticks.
pub const JAMMED_LASTS: u32 = 3 * SECOND;

// Warp puddles.

/// Number of puddles.
pub const PUDDLES: u32 = 7;
/// Minimum and maximum radius, in metres.
pub const PUDDLE_RADIUS: (f32, f32) = (4.5, 7.5);
/// Ticks to ease in.
pub const WARP_IN: f32 = 18.0;
/// Ticks to ease out.
pub const WARP_OUT: f32 = 36.0;
/// Thrust inside, as a factor at `warp_t` = 1.
pub const WARP_THRUST: f32 = 1.7;
/// Drag inside, as a factor.
pub const WARP_DRAG: f32 = 0.45;
/// Heat gain inside, as a factor.
pub const WARP_HEAT: f32 = 0.25;
/// Cooling inside, as a factor.
pub const WARP_COOLING: f32 = 2.5;

// Camera.

/// How far ahead of the ship it looks, in seconds of its velocity.
pub const CAMERA_LEAD: f32 = 0.35;
/// Fraction of the way to its target that it moves per tick.
pub const CAMERA_FOLLOW: f32 = 0.09;
/// Trauma lost per tick.
pub const TRAUMA_FADE: f32 = 0.025;
/// Height of the view at zoom 1, in metres.
pub const VIEW_HEIGHT: f32 = 30.0;

// Runs.

/// Seeds of runs that follow a death are below this.
pub const SEEDS: u32 = 1_000_000;

// The mission.

/// Length in ticks: 90 s.
pub const MISSION: u32 = 90 * SECOND;
/// The boss arrives when this many ticks remain.
pub const BOSS_AT: u32 = 40 * SECOND;
/// Increase of the level speed per sector.
pub const LEVEL_SPEED_STEP: f32 = 0.04;
/// Maximum level speed.
pub const LEVEL_SPEED_MAX: f32 = 1.2;
/// Increase of enemies' hull points per sector, as a fraction.
pub const SECTOR_TOUGHNESS: f32 = 0.7;
/// Increase of population and spawn rate per sector, as a fraction.
pub const SECTOR_PRESSURE: f32 = 0.2;
/// Increase of damage to the ship per sector, as a fraction.
pub const SECTOR_DAMAGE: f32 = 0.2;

// The game master.

/// Maximum enemies alive.
pub const ENEMIES_MAX: u32 = 320;
/// Target population at the start, and its increase per second.
pub const POPULATION: (f32, f32) = (16.0, 1.3);
/// Enemies spawned per second at the start, and the increase per second.
pub const SPAWN_RATE: (f32, f32) = (1.3, 0.08);
/// Growth of population and spawn rate per second of overtime, as a fraction.
pub const OVERTIME_PRESSURE: f32 = 0.03;
/// Enemies arrive this far from the ship, in metres.
pub const SPAWN_DISTANCE: f32 = 30.0;
/// Increase of enemies' hull points per second of play, as a fraction.
pub const TOUGHER: f32 = 0.016;
/// Ticks between waves, and enemies in a wave, plus one per wave so far.
pub const WAVE: (u32, u32) = (15 * SECOND, 6);

// Shots.

/// Maximum shots in flight.
pub const SHOTS_MAX: u32 = 640;
/// Radius of a shot, in metres.
pub const SHOT_RADIUS: f32 = 0.22;
/// Increase of damage to the ship per second of overtime, as a fraction.
pub const OVERTIME_DAMAGE: f32 = 0.02;
/// A hit enemy or crate flashes for this long, in ticks.
pub const HIT_FLASH: u32 = 5;
/// How hard a hit pushes, in metres per second for a hull of ten points.
pub const KNOCKBACK: f32 = 3.0;

/// The numbers of a weapon at its first level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeaponTuning {
    /// Ticks between shots.
    pub cooldown: u32,
    /// Damage per hit in hull points.
    pub damage: f32,
    /// Metres per second.
    pub speed: f32,
    /// Ticks in flight.
    pub life: u32,
    /// Range in metres.
    pub range: f32,
    /// Shots at once.
    pub count: u32,
    /// Angle between shots fired at once, in radians.
    pub spread: f32,
    /// Radius of the blast, in metres; 0 for none.
    pub blast: f32,
}

/// Increase of damage per weapon level, as a fraction.
pub const WEAPON_LEVEL_DAMAGE: f32 = 0.16;
/// Reduction of the cooldown per weapon level, as a fraction.
pub const WEAPON_LEVEL_COOLDOWN: f32 = 0.05;
/// Maximum level of a weapon.
pub const WEAPON_LEVEL_MAX: u32 = 8;
/// How sharply a seeker turns, in radians per tick.
pub const SEEKER_TURN: f32 = 0.11;

/// Returns the numbers of a weapon.
pub const fn weapon(kind: WeaponKind) -> WeaponTuning {
    match kind {
        WeaponKind::Pulse => WeaponTuning {
            cooldown: 13,
            damage: 10.0,
            speed: 38.0,
            life: 40,
            range: 22.0,
            count: 1,
            spread: 0.09,
            blast: 0.0,
        },
        WeaponKind::Scatter => WeaponTuning {
            cooldown: 52,
            damage: 7.0,
            speed: 30.0,
            life: 22,
            range: 12.0,
            count: 6,
            spread: 0.14,
            blast: 0.0,
        },
        WeaponKind::Seeker => WeaponTuning {
            cooldown: 80,
            damage: 22.0,
            speed: 19.0,
            life: 150,
            range: 30.0,
            count: 1,
            spread: 0.7,
            blast: 2.6,
        },
    }
}

/// Returns how many shots a weapon of a level, from 1, fires at once.
pub const fn weapon_shots(kind: WeaponKind, level: u32) -> u32 {
    weapon(kind).count + level.saturating_sub(1) / 2
}

// Enemies.

/// The numbers of an enemy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnemyTuning {
    /// Radius in metres.
    pub radius: f32,
    /// Hull points.
    pub hull: f32,
    /// Metres per second.
    pub speed: f32,
    /// Metres per second squared.
    pub agility: f32,
    /// Damage to the ship on contact, in hull points.
    pub touch: f32,
    /// Experience it drops.
    pub xp: u32,
    /// Score for killing it.
    pub score: u32,
}

/// Returns the numbers of an enemy.
pub const fn enemy(kind: EnemyKind) -> EnemyTuning {
    let (radius, hull, speed, agility, touch, xp, score) = match kind {
        EnemyKind::Drone => (0.55, 14.0, 6.6, 22.0, 8.0, 1, 10),
        EnemyKind::Weaver => (0.5, 10.0, 8.4, 34.0, 7.0, 1, 15),
        EnemyKind::Gunner => (0.7, 24.0, 6.0, 16.0, 8.0, 2, 25),
        EnemyKind::Charger => (0.8, 34.0, 6.2, 20.0, 14.0, 3, 30),
        EnemyKind::Bomber => (0.65, 18.0, 9.0, 18.0, 6.0, 2, 20),
        EnemyKind::Mech => (2.4, 1_250.0, 5.0, 10.0, 20.0, 0, 1_000),
    };
    EnemyTuning { radius, hull, speed, agility, touch, xp, score }
}

/// Maximum radius of an enemy other than the boss, in metres: the search radius for hits.
pub const ENEMY_RADIUS_MAX: f32 = 0.8;
/// Distance that a gunner keeps, in metres, and ticks between its shots.
pub const GUNNER: (f32, u32) = (11.0, 110);
/// Speed and damage of its shot: metres per second, hull points.
pub const GUNNER_SHOT: (f32, f32) = (13.0, 7.0);
/// A charger winds up within this distance, in metres.
pub const CHARGE_FROM: f32 = 13.0;
/// Ticks for which a charger winds up, dashes and rests.
pub const CHARGE: (u32, u32, u32) = (40, 30, 55);
/// Speed of a dash, in metres per second.
pub const CHARGE_SPEED: f32 = 25.0;
/// Distance at which a bomber lights its fuse, in metres, and how long it burns, in ticks.
pub const FUSE: (f32, u32) = (3.4, 34);
/// Blast of a bomber: radius in metres, damage to the ship, damage to everything else.
pub const BOMB: (f32, f32, f32) = (4.6, 16.0, 45.0);
/// Period of a weaver's swing, in ticks.
pub const WEAVE: f32 = 55.0;

// The boss: the Awakened Mech.

/// Fractions of its hull below which the second and third phase begin.
pub const MECH_PHASES: [f32; 2] = [0.66, 0.33];
/// Slow motion at a change of phase: scale of the juice channel, and length in ticks.
pub const MECH_JUICE: (f32, u32) = (0.3, 24);
/// Slow motion when the boss is defeated: scale of the juice channel, and length in ticks.
pub const MECH_END_JUICE: (f32, u32) = (0.2, 30);
/// Invulnerability while it changes phase, in ticks.
pub const MECH_CHANGES: u32 = 40;
/// Ticks between its attacks in each phase.
pub const MECH_ATTACK: [u32; 3] = [78, 64, 50];
/// Shots in an aimed volley, shots in a ring, and arms of a star.
pub const MECH_SHOTS: (u32, u32, u32) = (5, 16, 4);
/// Speed and damage of its shots: metres per second, hull points.
pub const MECH_SHOT: (f32, f32) = (11.5, 9.0);
/// Distance that the boss keeps, in metres.
pub const MECH_DISTANCE: f32 = 9.0;

// The boss room.

/// Radius of the ring at the start and at the end, in metres.
pub const RING: (f32, f32) = (30.0, 7.0);
/// Time in which the ring closes, in ticks.
pub const RING_CLOSES: u32 = 25 * SECOND;
/// Hull points lost per second outside the ring.
pub const RING_DAMAGE: f32 = 9.0;
/// Radius of the portal, in metres.
pub const PORTAL_RADIUS: f32 = 2.6;
/// Time until the portal opens, in ticks.
pub const PORTAL_OPENS: u32 = 4 * SECOND;

// Pickups.

/// Maximum pickups in the arena.
pub const PICKUPS_MAX: u32 = 384;
/// Lifetime of a pickup, in ticks.
pub const PICKUP_LASTS: u32 = 45 * SECOND;
/// Distance at which a pickup is collected, in metres.
pub const PICKUP_REACH: f32 = 1.1;
/// Pull of the magnet, in metres per second squared.
pub const MAGNET_PULL: f32 = 120.0;
/// Hull points restored by a repair.
pub const REPAIR: f32 = 22.0;
/// Hull points restored by a new level.
pub const LEVEL_REPAIR: f32 = 6.0;
/// Probability that an enemy drops a repair, and that it drops a modifier.
pub const DROPS: (f32, f32) = (0.018, 0.03);
/// Experience for the first level, and the increase for each further one.
pub const XP: (u32, u32) = (5, 4);

// Upgrades.

/// A choice counts after this many ticks: by then the player has seen that there is one.
pub const CHOICE_WAIT: u32 = 20;
/// Invulnerability after a choice, in ticks.
pub const CHOICE_GRACE: u32 = 30;
/// Maximum level of a part.
pub const PART_LEVEL_MAX: u32 = 5;
/// Hull points per level of the hull.
pub const PART_HULL: f32 = 14.0;
/// One level of plating, as a factor of damage taken.
pub const PART_DAMAGE: f32 = 0.93;
/// One level of the loader, as a change of the fire rate.
pub const PART_FIRE_RATE: f32 = 0.08;
/// One level of thrusters, as a change of thrust.
pub const PART_THRUST: f32 = 0.07;
/// One level of the radiator, as a change of cooling.
pub const PART_COOLING: f32 = 0.2;
/// One level of the magnet, as a change of its reach.
pub const PART_MAGNET: f32 = 0.3;
/// Hull points restored by a repair on offer.
pub const OFFER_REPAIR: f32 = 40.0;
/// Points for a bounty.
pub const BOUNTY: u64 = 250;

// Crates.

/// Number of crates at the start, and the maximum.
pub const CRATES: u32 = 26;
/// Ticks between new crates.
pub const CRATE_EVERY: u32 = 7 * SECOND;
/// Hull points of a crate.
pub const CRATE_HULL: f32 = 26.0;
/// Half the side of a crate, in metres.
pub const CRATE_HALF: f32 = 0.9;
/// Pickups in a crate.
pub const CRATE_HOLDS: u32 = 3;

const _: () = assert!(PHYSICS_HZ == TICK_HZ, "the game relies on physics in lockstep");
const _: () = assert!(BOSS_AT < MISSION);
const _: () = assert!(ENEMY_RADIUS_MAX >= enemy(EnemyKind::Charger).radius);
