//! Determinism: a tick depends on the state and the input, and on nothing else.

use std::time::Duration;

use evenstep::{Pacing, TickTimer};
use evenstep_host::Driver;
use proptest::prelude::*;
use starship_sim::{
    Difficulty, FrameTimes, Input, Pad, Phase, Play, RestoreError, RunDef, Sim, State, Upgrade, Vec2,
};

use crate::player::Player;
use crate::{autopilot, change, played_by, state};

const RUN: RunDef = RunDef::seeded(1);

/// Ten minutes: several missions, with victories, defeats and restarts.
const TICKS: u64 = 36_000;

/// The hash after ten minutes of seed 1 with the autopilot. The same in debug and release, and on every target.
///
/// Renew after a change of the rules or of Rapier: `cargo run --release -- --headless --seed 1 --ticks 36000 --hash`.
const GOLDEN: u64 = 0xecf2_134c_c7c6_188f;

fn hash_on(times: FrameTimes, pacing: Pacing, scale: f64, ticks: u64) -> u64 {
    let player = Player::new(Play::launching(RUN).with_speed(scale), autopilot, ticks);
    state(&played_by(times, Player { pacing, ..player })).hash()
}

/// Generates one test per display, so that they run in parallel.
macro_rules! the_hash_at_tick_36_000_is_golden {
    ($($name:ident: $times:expr, $pacing:expr, $scale:expr;)*) => {
        $(
            #[test]
            fn $name() {
                let hash = hash_on($times, $pacing, $scale, TICKS);
                assert_eq!(hash, GOLDEN, "got {hash:016x}");
            }
        )*
    };
}

the_hash_at_tick_36_000_is_golden! {
    at_24_hz: FrameTimes::hz(24.0), Pacing::hz(60), 1.0;
    at_30_hz: FrameTimes::hz(30.0), Pacing::hz(60), 1.0;
    at_59_94_hz: FrameTimes::hz(60_000.0 / 1_001.0), Pacing::hz(60), 1.0;
    at_60_hz: FrameTimes::hz(60.0), Pacing::hz(60), 1.0;
    at_75_hz: FrameTimes::hz(75.0), Pacing::hz(60), 1.0;
    at_144_hz: FrameTimes::hz(144.0), Pacing::hz(60), 1.0;
    at_240_hz: FrameTimes::hz(240.0), Pacing::hz(60), 1.0;
    with_jitter: FrameTimes::hz(60.0).with_jitter(Duration::from_millis(9)), Pacing::hz(60), 1.0;
    with_stalls: FrameTimes::hz(75.0).with_stalls(Duration::from_secs(3)), Pacing::hz(60), 1.0;
    at_a_quarter_of_the_speed: FrameTimes::hz(144.0), Pacing::hz(60), 0.25;
    at_four_times_the_speed: FrameTimes::hz(60.0), Pacing::hz(60), 4.0;
    on_the_original_loop: FrameTimes::hz(60.0), Pacing::starship(), 1.0;
    on_the_original_loop_with_everything_at_once:
        FrameTimes::hz(50.0).with_jitter(Duration::from_millis(12)).with_stalls(Duration::from_secs(2)),
        Pacing::starship(), 4.0;
}

#[test]
fn without_any_loop_the_hash_at_tick_36_000_is_golden() {
    let mut sim = Sim::new(RUN);
    sim.launch(RUN);
    let mut runs = 1;
    let mut hurt = 0;
    let mut won = 0;
    let mut dead = 0;
    for _ in 0..TICKS {
        let input = autopilot(sim.state());
        let phase = sim.state().phase;
        sim.tick(input, &mut ());
        hurt += u32::from(sim.signals().iter().any(|it| matches!(it, starship_sim::Signal::Hurt { .. })));
        if sim.state().phase != phase {
            won += u32::from(sim.state().phase == Phase::Won);
            dead += u32::from(sim.state().phase == Phase::Dead);
        }
        runs = sim.state().runs;
    }
    assert_eq!(sim.state().hash(), GOLDEN, "got {:016x}", sim.state().hash());
    assert!(runs > 3 && won > 1 && hurt > 10, "a run that shows something: {runs}, {won}, {dead}, {hurt}");
}

/// Actions of a host between two frames.
#[derive(Clone, Debug)]
enum Meddling {
    Freeze(u16),
    TestSpeed(f64),
    Hitstop(u32, f64),
    Pause { frames: u32, steps: u32 },
    ResetTiming,
    Gap(u16),
    Drain,
}

fn meddling() -> impl Strategy<Value = Meddling> {
    prop_oneof![
        (1..200_u16).prop_map(Meddling::Freeze),
        (0.1..8.0).prop_map(Meddling::TestSpeed),
        (1..8_u32, 0.0..0.5).prop_map(|(frames, intensity)| Meddling::Hitstop(frames, intensity)),
        (1..20_u32, 0..6_u32).prop_map(|(frames, steps)| Meddling::Pause { frames, steps }),
        Just(Meddling::ResetTiming),
        (1..2_000_u16).prop_map(Meddling::Gap),
        Just(Meddling::Drain),
    ]
}

fn pacing() -> impl Strategy<Value = Pacing> {
    prop_oneof![
        Just(Pacing::hz(60)),
        Just(Pacing::starship()),
        Just(Pacing::game_loop()),
        Just(Pacing::fixed_time_step()),
    ]
}

/// Returns scripted inputs for a tick.
fn scripted(script: &[Pad], tick: u64) -> Input {
    let pad = script[(tick / 7) as usize % script.len()];
    let choice = pad.boost.then_some(pad.x.unsigned_abs() % 5);
    Input { keys: pad, gamepad: tick.is_multiple_of(3).then_some(pad), choice }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_schedule_of_frames_changes_the_game(
        hz in 15.0..300.0_f64,
        jitter in 0..20_u64,
        stall_every in prop_oneof![Just(0), 300..3_000_u64],
        noise in any::<u64>(),
        pacing in pacing(),
        seed in any::<u64>(),
        keys in prop::collection::vec((any::<i8>(), any::<i8>(), any::<bool>(), any::<bool>()), 1..40),
        meddlings in prop::collection::vec((1..60_u32, meddling()), 0..12),
        ticks in 100..900_u64,
    ) {
        let script: Vec<_> = keys.iter().map(|&(x, y, boost, confirm)| Pad { x, y, boost, confirm }).collect();
        let run = RunDef { sector: 4, ..RunDef::seeded(seed) };
        let mut straight = Sim::new(run);
        straight.start_new_game(run);
        for tick in 0..ticks {
            straight.tick(scripted(&script, tick), &mut ());
        }

        let times = FrameTimes::hz(hz)
            .with_jitter(Duration::from_millis(jitter))
            .with_stalls(Duration::from_millis(stall_every))
            .with_seed(noise);
        let hash = hash_with(times, pacing, run, script, &meddlings, ticks);
        prop_assert_eq!(hash, straight.state().hash());
    }
}

/// Plays a game for an exact number of ticks while the host interferes.
fn hash_with(
    mut times: FrameTimes,
    pacing: Pacing,
    run: RunDef,
    script: Vec<Pad>,
    meddlings: &[(u32, Meddling)],
    ticks: u64,
) -> u64 {
    let mut done = 0;
    let pilot = move |_: &State| {
        done += 1;
        scripted(&script, done - 1)
    };
    let mut game = Driver::new(Player { pacing, ..Player::new(Play::in_menu(), pilot, ticks) });
    change(&mut game, |play| play.start_new_game(run, Duration::ZERO));
    let mut meddlings = meddlings.iter();
    let mut next = meddlings.next();
    let mut wait = 0;
    let mut now = Duration::ZERO;
    let mut late = Duration::ZERO;
    let mut paused_for = 0;
    for _ in 0..1_000_000 {
        if game.is_over() {
            break;
        }
        if let Some((after, meddling)) = next
            && wait >= *after
        {
            match *meddling {
                Meddling::Freeze(millis) => game.pacer_mut().hit_freeze(Duration::from_millis(millis.into())),
                Meddling::TestSpeed(speed) => change(&mut game, |play| play.set_speed(speed)),
                Meddling::Hitstop(frames, intensity) => game.pacer_mut().hitstop(frames, intensity),
                Meddling::Pause { frames, steps } => {
                    paused_for = frames;
                    change(&mut game, |play| {
                        play.pause();
                        (0..steps).for_each(|_| play.step_by_hand());
                    });
                }
                Meddling::ResetTiming => change(&mut game, |play| play.reset_frame_timing(now + late)),
                Meddling::Gap(millis) => late += Duration::from_millis(millis.into()),
                Meddling::Drain => change(&mut game, Play::clear_signals),
            }
            next = meddlings.next();
            wait = 0;
        }
        wait += 1;
        if paused_for > 0 {
            paused_for -= 1;
        } else {
            change(&mut game, Play::unpause);
        }
        now = times.next().expect("timestamps never end");
        game.frame(now + late);
    }
    assert_eq!(game.app().ticks, ticks, "the game stopped ticking");
    state(&game).hash()
}

#[test]
fn different_seeds_and_different_inputs_give_different_games() {
    let hash = |seed, pilot: fn(&State) -> Input| {
        let mut sim = Sim::new(RunDef::seeded(seed));
        sim.launch(RunDef::seeded(seed));
        for _ in 0..200 {
            let input = pilot(sim.state());
            sim.tick(input, &mut ());
        }
        sim.state().hash()
    };
    assert_ne!(hash(1, autopilot), hash(2, autopilot));
    assert_ne!(hash(1, autopilot), hash(1, |_| Input::default()));
}

/// Something that can be saved and restored.
trait Subject: Sized {
    fn tick(&mut self);
    fn save(&self) -> Vec<u8>;
    fn restored(bytes: &[u8]) -> Self;
}

/// Saves and restores one of two equal subjects before every tick. Returns the first tick after which they differ.
fn first_divergence<S: Subject>(mut straight: S, mut interrupted: S, ticks: u32) -> Option<u32> {
    (0..ticks).find(|_| {
        interrupted = S::restored(&interrupted.save());
        straight.tick();
        interrupted.tick();
        straight.save() != interrupted.save()
    })
}

impl Subject for Sim {
    fn tick(&mut self) {
        let input = autopilot(self.state());
        Sim::tick(self, input, &mut ());
    }
    fn save(&self) -> Vec<u8> {
        self.state().save()
    }
    fn restored(bytes: &[u8]) -> Self {
        Sim::restore(bytes).expect("what was saved can be restored")
    }
}

fn launched(run: RunDef) -> Sim {
    let mut sim = Sim::new(run);
    sim.launch(run);
    sim
}

#[test]
fn saving_and_restoring_before_every_tick_of_10_000_gives_the_same_bytes() {
    assert_eq!(first_divergence(launched(RUN), launched(RUN), 10_000), None);
}

/// A game with a counter that is not saved: the kind of bug that these tests must catch.
struct Leaky {
    sim: Sim,
    hidden: u32,
}

impl Subject for Leaky {
    fn tick(&mut self) {
        self.hidden += 1;
        let x = if self.hidden.is_multiple_of(50) { 127 } else { 0 };
        self.sim.tick(Input { keys: Pad { x, ..Pad::default() }, ..Input::default() }, &mut ());
    }
    fn save(&self) -> Vec<u8> {
        self.sim.state().save()
    }
    fn restored(bytes: &[u8]) -> Self {
        Self { sim: Sim::restore(bytes).expect("what was saved can be restored"), hidden: 0 }
    }
}

#[test]
fn a_planted_hidden_state_is_caught_on_the_tick_it_first_acts() {
    let leaky = || Leaky { sim: launched(RUN), hidden: 0 };
    assert_eq!(first_divergence(leaky(), leaky(), 1_000), Some(49));
}

#[test]
fn a_difference_is_blamed_on_its_subsystem() {
    let mut sim = launched(RUN);
    for _ in 0..1_500 {
        Subject::tick(&mut sim);
    }
    let state = sim.state();
    let blamed = |change: fn(&mut State)| {
        let mut other = state.clone();
        change(&mut other);
        assert_ne!(other.hash(), state.hash());
        state.first_difference(&other)
    };
    assert_eq!(blamed(|state| state.camera.trauma += 0.001), Some("camera"));
    assert_eq!(blamed(|state| state.mission.timer = TickTimer::start(1)), Some("mission"));
    assert_eq!(blamed(|state| state.ship.vel += Vec2::new(0.0, 1e-6)), Some("ship"));
    assert_eq!(blamed(|state| state.weapons[1].level += 1), Some("weapons"));
    assert_eq!(blamed(|state| state.juice.revert = TickTimer::start(1)), Some("boss"));
    assert_eq!(blamed(|state| state.progress.xp += 1), Some("pickups"));
    assert_eq!(blamed(|state| state.upgrades.offer = Some([Upgrade::Bounty; 3])), Some("upgrades"));
    assert_eq!(blamed(|state| state.run.difficulty = Difficulty::Hard), Some("run"));
    assert_eq!(blamed(|state| state.controls.choice = Some(2)), Some("input"));
    let nudged = |state: &mut State| {
        let last = state.physics.world.bodies.iter().last().map(|(handle, _)| handle);
        let body = last.and_then(|handle| state.physics.world.bodies.get_mut(handle));
        body.unwrap().apply_impulse(Vec2::new(1e-4, 0.0), true);
    };
    assert_eq!(blamed(nudged), Some("physics"));
    assert_eq!(state.first_difference(&state.clone()), None);
}

#[test]
fn a_clone_goes_on_as_the_original_does() {
    let mut sim = launched(RUN);
    for _ in 0..2_000 {
        Subject::tick(&mut sim);
    }
    let mut twin = sim.clone();
    for _ in 0..600 {
        Subject::tick(&mut sim);
        Subject::tick(&mut twin);
    }
    assert_eq!(sim.state().save(), twin.state().save());
}

#[test]
fn damaged_bytes_are_an_error_and_never_a_panic() {
    let mut sim = launched(RUN);
    for _ in 0..900 {
        Subject::tick(&mut sim);
    }
    let bytes = sim.state().save();
    assert!(matches!(State::restore(&bytes[1..]), Err(RestoreError::Snapshot { .. })));
    for cut in (6..bytes.len()).step_by(997) {
        assert!(matches!(State::restore(&bytes[..cut]), Err(RestoreError::Snapshot { .. })), "cut at {cut}");
    }
}

/// Scans the source, because the absence of clocks and I/O cannot be observed from outside.
#[test]
fn the_simulation_uses_no_clock_no_threads_no_io_and_no_std_trigonometry() {
    let banned = [
        "Instant",
        "SystemTime",
        "thread::",
        "std::fs",
        "std::io",
        "std::net",
        "println!",
        "HashMap",
        "HashSet",
        ".sin()",
        ".cos()",
        ".sin_cos()",
        ".tan()",
        ".atan2(",
        ".powf(",
        ".powi(",
        ".exp()",
        ".ln()",
        ".hypot(",
        ".mul_add(",
        "from_angle",
        "to_angle",
        "angle_between",
    ];
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        files += 1;
        for word in banned {
            assert!(!text.contains(word), "{word} in {}", path.display());
        }
        assert!(text.lines().count() <= 400, "{} is longer than 400 lines", path.display());
    }
    assert!(files > 25, "{files} files");
}

/// The short form of `--example soak`.
#[test]
fn a_soak_of_half_a_virtual_hour_leaves_nothing_behind() {
    let mut times = FrameTimes::hz(60.0).with_jitter(Duration::from_millis(5));
    let player = Player::new(Play::launching(RunDef::seeded(77)), autopilot, u64::MAX);
    let mut game = Driver::new(player);
    for minute in 1..=30 {
        while game.app().ticks < minute * 3_600 {
            game.frame(times.next().expect("timestamps never end"));
        }
        change(&mut game, Play::clear_signals);
        let state = state(&game);
        let bodies = state.physics.world.bodies.len() as u32;
        assert_eq!(
            bodies,
            state.enemies.len() + state.crates.len() + 5,
            "one body per entity, and four walls"
        );
        assert!(state.ship.pos().is_finite() && state.ship.pos().abs().max_element() < 66.0);
        assert_eq!(state.pickups.refused() + game.app().play.signals().refused(), 0);
        assert!(game.pacer().ledger().is_balanced());
    }
    assert!(state(&game).runs > 8, "{} runs", state(&game).runs);
}

/// Plays a mission with delayed perception and rare decisions. Returns its end and its length in seconds.
fn mission(seed: u64, sees_late: usize, decides_every: usize) -> (Phase, f64) {
    let mut sim = launched(RunDef::seeded(seed));
    let mut views = vec![Input::default(); sees_late + 1];
    let mut held = Input::default();
    for tick in 0..12_000 {
        let place = tick % views.len();
        let late = views[place];
        views[place] = autopilot(sim.state());
        if tick % decides_every == 0 {
            held = if sees_late == 0 { views[place] } else { late };
            held.keys.boost &= sees_late == 0;
        }
        sim.tick(held, &mut ());
        if sim.state().phase.is_over() {
            break;
        }
    }
    (sim.state().phase, sim.state().time())
}

/// `--example playtest` plays many more games.
#[test]
fn a_newcomer_lives_for_a_minute_and_a_good_player_reaches_the_portal() {
    let lived = (0..8).filter(|&seed| mission(seed, 30, 30).1 >= 60.0).count();
    let won = (0..8).filter(|&seed| mission(seed, 0, 1).0 == Phase::Won).count();
    assert!(lived >= 6, "{lived} of 8 newcomers");
    assert!(won >= 7, "{won} of 8 good players");
}
