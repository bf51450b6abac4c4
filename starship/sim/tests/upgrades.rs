//! New levels and their upgrades, what goes on to the next sector, and difficulties.

use evenstep::TickTimer;
use starship_sim::tuning::{AFTERMATH, CHOICE_WAIT, PART_LEVEL_MAX, WEAPON_LEVEL_MAX};
use starship_sim::{
    Autopilot, BossRoom, Difficulty, EnemyKind, Input, ModifierKind, Part, Phase, RunDef, Signal, Sim, State,
    Upgrade, Vec2, WeaponKind,
};

const RUN: RunDef = RunDef::seeded(11);

fn choosing(choice: u8) -> Input {
    Input { choice: Some(choice), ..Input::default() }
}

/// Plays until the next choice opens.
fn until_a_choice(sim: &mut Sim) {
    for _ in 0..20_000 {
        let input = Autopilot.input(sim.state());
        sim.tick(input, &mut ());
        if sim.state().phase == Phase::Choosing {
            return;
        }
    }
    panic!("no new level");
}

/// A run at its first choice, with enemies, shots and modifiers around.
fn at_a_choice() -> Sim {
    let mut sim = Sim::new(RUN);
    sim.start_new_game(RUN);
    until_a_choice(&mut sim);
    let mut state = sim.state().clone();
    state.modifiers.add(ModifierKind::RapidFire, 600);
    Sim::from_state(state)
}

/// A playing state with this much experience, which opens a choice on the next tick.
fn with(change: impl FnOnce(&mut State)) -> Sim {
    let mut sim = Sim::new(RUN);
    sim.start_new_game(RUN);
    let mut state = sim.state().clone();
    change(&mut state);
    Sim::from_state(state)
}

/// Opens a choice and takes an upgrade. Returns what was on offer.
fn take(sim: &mut Sim, choice: u8) -> [Upgrade; 3] {
    let mut state = sim.state().clone();
    state.progress.xp = state.progress.xp_needed();
    *sim = Sim::from_state(state);
    sim.tick(Input::default(), &mut ());
    let offer = sim.state().upgrades.offer.expect("enough experience opens a choice");
    (0..=CHOICE_WAIT).for_each(|_| sim.tick(choosing(choice), &mut ()));
    assert_eq!((sim.state().phase, sim.state().upgrades.offer), (Phase::Playing, None));
    offer
}

#[test]
fn a_new_level_holds_the_world_until_one_of_three_is_chosen() {
    let mut sim = at_a_choice();
    let held = sim.state().clone();
    for _ in 0..1_000 {
        sim.tick(Input::default(), &mut ());
    }
    let state = sim.state();
    assert_eq!(state.phase, Phase::Choosing, "nobody has to hurry");
    assert_eq!(state.clock.tick(), held.clock.tick() + 1_000);
    let moved: Vec<_> = state
        .subsystem_hashes()
        .into_iter()
        .zip(held.subsystem_hashes())
        .filter(|(now, then)| now != then)
        .map(|(now, _)| now.0)
        .collect();
    // A step has two positions to draw between; both are the same once the world stands.
    let stands = ["phase", "clock", "input", "ship", "camera", "shots", "enemies", "pickups", "crates"];
    assert!(moved.iter().all(|part| stands.contains(part)), "{moved:?} moved");
    assert_eq!(
        (state.ship.pos(), state.ship.vel, state.ship.hull),
        (held.ship.pos(), held.ship.vel, held.ship.hull)
    );
    assert_eq!(state.ship.at(0.25), state.ship.at(0.75));
    let places =
        |state: &State| state.enemies.values().map(|enemy| (enemy.pos(), enemy.age)).collect::<Vec<_>>();
    assert_eq!(places(state), places(&held));
    assert_eq!(
        (state.time_ticks, state.mission, &state.modifiers),
        (held.time_ticks, held.mission, &held.modifiers)
    );

    sim.tick(choosing(1), &mut ());
    assert_eq!(sim.state().phase, Phase::Playing);
    let upgrade = held.upgrades.offer.unwrap()[1];
    let level = held.level_of(upgrade) + 1;
    assert_eq!(sim.state().level_of(upgrade), level);
    assert!(sim.signals().iter().any(|&signal| signal == Signal::Upgraded { upgrade, level }));
    sim.tick(Input::default(), &mut ());
    assert!(sim.state().mission.timer.left() < held.mission.timer.left());
}

#[test]
fn a_choice_that_comes_too_early_or_does_not_exist_is_ignored() {
    let mut sim = at_a_choice();
    for _ in 1..CHOICE_WAIT {
        sim.tick(choosing(0), &mut ());
        assert_eq!(sim.state().phase, Phase::Choosing);
    }
    for choice in [3, 4, 255] {
        sim.tick(choosing(choice), &mut ());
        assert_eq!(sim.state().phase, Phase::Choosing);
    }
    sim.tick(choosing(2), &mut ());
    assert_eq!(sim.state().phase, Phase::Playing);
    let before = sim.state().level_of(Upgrade::Weapon(WeaponKind::Pulse));
    (0..10).for_each(|_| sim.tick(choosing(0), &mut ()));
    assert_eq!(sim.state().level_of(Upgrade::Weapon(WeaponKind::Pulse)), before, "nothing is on offer");
}

#[test]
fn three_different_upgrades_are_on_offer_and_one_is_a_weapon_while_there_is_one() {
    let mut sim = with(|state| state.ship.invulnerable = TickTimer::start(u32::MAX));
    let mut seen = std::collections::BTreeSet::new();
    for n in 0..80 {
        let before = sim.state().clone();
        let offer = take(&mut sim, n % 3);
        assert!(offer[0] != offer[1] && offer[1] != offer[2] && offer[0] != offer[2], "{offer:?}");
        let has_weapon = before.weapons.iter().any(|weapon| weapon.level < WEAPON_LEVEL_MAX);
        assert_eq!(matches!(offer[0], Upgrade::Weapon(_)), has_weapon, "{offer:?}");
        for upgrade in offer {
            seen.insert(format!("{upgrade:?}"));
            let is_below = |most| before.level_of(upgrade) < most;
            assert!(upgrade.level_max().is_none_or(is_below), "{upgrade:?} has its highest level");
        }
    }
    let state = sim.state();
    assert!(state.weapons.iter().all(|weapon| weapon.level == WEAPON_LEVEL_MAX), "{:?}", state.weapons);
    assert!(Part::ALL.iter().all(|&part| state.upgrades.level(part) == PART_LEVEL_MAX));
    assert_eq!(seen.len(), Upgrade::ALL.len(), "{seen:?}");
}

#[test]
fn every_part_changes_what_it_says_and_a_modifier_does_not_undo_it() {
    let stats = |part: Part| {
        let mut sim = with(|state| {
            state.upgrades.offer = Some([Upgrade::Part(part); 3]);
            state.phase = Phase::Choosing;
            state.phase_ticks = CHOICE_WAIT;
            state.ship.hull = 50.0;
        });
        sim.tick(choosing(0), &mut ());
        sim.tick(Input::default(), &mut ());
        (sim.state().ship.stats, sim.state().ship.hull)
    };
    let plain = Sim::new(RUN).state().ship.stats;
    assert!(stats(Part::Hull).0.hull_full > plain.hull_full && stats(Part::Hull).1 > 50.0);
    assert!(stats(Part::Plating).0.damage_taken < plain.damage_taken);
    assert!(stats(Part::Loader).0.fire_rate > plain.fire_rate);
    assert!(stats(Part::Thrusters).0.thrust > plain.thrust);
    assert!(stats(Part::Radiator).0.cooling > plain.cooling);
    assert!(stats(Part::Magnet).0.magnet > plain.magnet);
}

#[test]
fn experience_for_several_levels_is_chosen_one_after_the_other() {
    let mut sim = with(|state| state.progress.xp = 5 + 9 + 13);
    for level in 1..=3 {
        sim.tick(Input::default(), &mut ());
        assert_eq!((sim.state().phase, sim.state().progress.level), (Phase::Choosing, level));
        (0..CHOICE_WAIT).for_each(|_| sim.tick(choosing(0), &mut ()));
        assert_eq!(sim.state().phase, Phase::Playing);
    }
    sim.tick(Input::default(), &mut ());
    assert_eq!((sim.state().phase, sim.state().progress.xp), (Phase::Playing, 0));
}

#[test]
fn a_sandbox_has_no_levels() {
    let mut sim = with(|state| {
        state.run.sandbox = true;
        state.progress.xp = 1_000;
    });
    (0..10).for_each(|_| sim.tick(Input::default(), &mut ()));
    assert_eq!((sim.state().phase, sim.state().progress.level), (Phase::Playing, 0));
}

#[test]
fn a_game_saved_at_a_choice_offers_the_same_and_goes_on_the_same() {
    let mut sim = at_a_choice();
    let mut restored = Sim::restore(&sim.state().save()).expect("what was saved can be restored");
    assert_eq!(restored.state().upgrades, sim.state().upgrades);
    for _ in 0..300 {
        let input = Autopilot.input(sim.state());
        sim.tick(input, &mut ());
        restored.tick(input, &mut ());
    }
    assert_eq!(restored.state().save(), sim.state().save());
}

#[test]
fn another_choice_is_another_game_and_is_blamed_on_upgrades_or_weapons() {
    let mut games = [0, 1, 2].map(|choice| {
        let mut sim = at_a_choice();
        (0..CHOICE_WAIT).for_each(|_| sim.tick(Input::default(), &mut ()));
        sim.tick(choosing(choice), &mut ());
        // The same input again, so that only what was chosen differs.
        sim.tick(Input::default(), &mut ());
        sim
    });
    let [a, b, c] = &mut games;
    for (one, other) in [(&*a, &*b), (&*b, &*c), (&*a, &*c)] {
        let part = one.state().first_difference(other.state());
        assert!(matches!(part, Some("weapons" | "upgrades" | "ship")), "{part:?}");
    }
}

/// A run that has reached the portal, or lost its ship, in sector 3, with something to show for it.
fn ended(run: RunDef, phase: Phase) -> Sim {
    let mut sim = Sim::new(run);
    sim.start_new_game(run);
    until_a_choice(&mut sim);
    let mut state = sim.state().clone();
    state.upgrades.offer = Some([Upgrade::Part(Part::Hull); 3]);
    let mut sim = Sim::from_state(state);
    (0..=CHOICE_WAIT).for_each(|_| sim.tick(choosing(0), &mut ()));
    let mut state = sim.state().clone();
    state.weapons[2].level = 5;
    state.ship.hull = 9.0;
    state.phase = phase;
    state.phase_ticks = AFTERMATH;
    Sim::from_state(state)
}

fn confirm(sim: &mut Sim) {
    let mut input = Input::default();
    input.keys.confirm = true;
    sim.tick(input, &mut ());
    assert_eq!(sim.state().phase, Phase::Birth);
}

#[test]
fn score_level_weapons_and_parts_go_on_to_the_next_sector_with_a_whole_ship() {
    let mut sim = ended(RunDef { sector: 3, ..RUN }, Phase::Won);
    let before = sim.state().clone();
    confirm(&mut sim);
    let state = sim.state();
    assert_eq!(state.run, RunDef { sector: 4, ..RUN });
    assert_eq!(state.progress, before.progress);
    assert!(before.progress.score > 0);
    let levels = |state: &State| state.weapons.map(|weapon| weapon.level);
    assert_eq!((levels(state), state.upgrades), (levels(&before), before.upgrades));
    assert_eq!((state.ship.hull, state.ship.stats.hull_full), (114.0, 114.0));
    assert_eq!((state.clock.tick(), state.enemies.len(), state.modifiers.active().len()), (0, 0, 0));
    let restored = State::restore(&state.save()).expect("what was saved can be restored");
    assert_eq!(restored.hash(), state.hash());
}

#[test]
fn after_death_nothing_is_left_and_the_seed_is_another_unless_the_run_repeats() {
    for repeats in [false, true] {
        let mut sim = ended(RunDef { sector: 3, repeats, difficulty: Difficulty::Hard, ..RUN }, Phase::Dead);
        confirm(&mut sim);
        let state = sim.state();
        let fresh = State::new(state.run);
        assert_eq!((state.run.sector, state.run.difficulty), (1, Difficulty::Hard));
        assert_eq!(state.run.seed == RUN.seed, repeats);
        assert_eq!(
            (state.progress, state.weapons, state.upgrades),
            (fresh.progress, fresh.weapons, fresh.upgrades)
        );
    }
}

#[test]
fn the_world_of_a_sector_depends_on_its_seed_and_not_on_how_the_last_was_played() {
    let mut played = ended(RunDef { sector: 3, ..RUN }, Phase::Won);
    confirm(&mut played);
    let straight = State::new(RunDef { sector: 4, ..RUN });
    assert_eq!((&played.state().puddles, played.state().rng), (&straight.puddles, straight.rng));
    assert_ne!(straight.puddles, State::new(RUN).puddles);
}

#[test]
fn a_portal_reached_with_enough_experience_for_a_level_opens_the_choice_in_the_next_sector() {
    let mut sim = with(|state| {
        state.boss_room = Some(BossRoom { pos: Vec2::ZERO, ring: 30.0, age: 10_000 });
        state.progress.xp = state.progress.xp_needed();
    });
    sim.tick(Input::default(), &mut ());
    assert_eq!((sim.state().phase, sim.state().progress.level), (Phase::Won, 0));
    for tick in 0..AFTERMATH + 400 {
        let mut input = Input::default();
        input.keys.confirm = tick.is_multiple_of(2);
        sim.tick(input, &mut ());
    }
    assert_eq!(
        (sim.state().run.sector, sim.state().phase, sim.state().progress.level),
        (2, Phase::Choosing, 1)
    );
}

#[test]
fn a_harder_difficulty_has_more_and_tougher_enemies_that_hurt_more() {
    let launched = |difficulty, change: fn(&mut State)| {
        let run = RunDef { difficulty, ..RUN };
        let mut state = State::new(run);
        state.phase = Phase::Playing;
        // Nobody is killed, so nothing but the difficulty makes a difference.
        state.weapons.iter_mut().for_each(|weapon| weapon.level = 0);
        change(&mut state);
        Sim::from_state(state)
    };
    let damage = Difficulty::ALL.map(|difficulty| {
        let mut sim = launched(difficulty, |_| {});
        for _ in 0..1_000 {
            sim.tick(Input::default(), &mut ());
            for signal in sim.signals() {
                if let Signal::Hurt { damage, .. } = signal {
                    return *damage;
                }
            }
        }
        panic!("nothing hurts at {difficulty:?}");
    });
    assert!(damage.is_sorted_by(|a, b| a < b), "{damage:?}");

    let crowd = Difficulty::ALL.map(|difficulty| {
        let mut sim = launched(difficulty, |state| {
            state.mission.timer = TickTimer::start(40 * 60 + 600);
            state.ship.invulnerable = TickTimer::start(u32::MAX);
        });
        (0..600).for_each(|_| sim.tick(Input::default(), &mut ()));
        let mech = sim.state().enemies.values().find(|enemy| enemy.kind == EnemyKind::Mech);
        (sim.state().enemies.len(), mech.expect("it has arrived").hull_full)
    });
    assert!(crowd.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1), "{crowd:?}");
}
