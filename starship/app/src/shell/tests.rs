use std::time::Duration;

use evenstep_host::{Driver, Key, Pixels, headless};
use starship_sim::{FrameTimes, Phase, Play, Sim};

use super::*;
use crate::headless::Autoplay;
use crate::shell::player::Player;

fn driver(autopilot: bool) -> Driver<Shell> {
    let options = Options { seed: Seed::Fixed(9), autopilot, ..Options::default() };
    let mut driver = Driver::new(Shell::new(options, Store::in_memory()));
    driver.frame(Duration::ZERO);
    driver
}

fn player(autopilot: bool) -> Player {
    Player::new(Store::in_memory(), Options { seed: Seed::Fixed(9), autopilot, ..Options::default() })
}

#[test]
fn the_shell_plays_the_same_game_as_the_headless_loop() {
    let mut player = player(true);
    while player.app().state().clock.tick() < 1_500 {
        player.run(1);
    }
    let ticks = player.app().state().clock.tick();
    let play = Play::launching(Seed::Fixed(9).run(Difficulty::Normal));
    let headless = headless::run(FrameTimes::hz(144.0), Autoplay::new(play, Some(ticks), None));
    assert_eq!(player.app().state().hash(), headless.app().play.state().hash());
}

#[test]
fn drawing_never_writes_the_game() {
    let mut drawn = player(true);
    let mut blind = player(true);
    let mut memory = vec![0; 320 * 180];
    for _ in 0..120 {
        drawn.run(5);
        blind.run(5);
        drawn.driver.draw(&mut Pixels::new(&mut memory, 320, 180, 1.0));
    }
    assert_eq!(drawn.app().state().hash(), blind.app().state().hash());
}

#[test]
fn enter_starts_p_holds_and_a_full_stop_makes_one_step() {
    let mut player = player(false);
    player.run(10);
    assert_eq!(player.app().mode(), "title");
    player.tap(Key::Enter);
    player.run(30);
    assert_eq!(player.app().mode(), "playing");
    player.tap(Key::KeyP);
    player.run(1);
    let held = player.app().state().clock.tick();
    player.run(30);
    assert_eq!((player.app().mode(), player.app().state().clock.tick()), ("paused", held));
    player.tap(Key::Period);
    player.run(30);
    assert_eq!(player.app().state().clock.tick(), held + 1);
    player.tap(Key::Escape);
    player.run(30);
    assert!(player.app().state().clock.tick() > held + 20);
}

#[test]
fn keys_steer_the_ship() {
    let mut player = player(false);
    player.tap(Key::Enter);
    player.run(5);
    let from = player.app().state().ship.pos();
    player.event(Event::KeyDown(Key::KeyD));
    player.run(30);
    assert!(player.app().state().ship.pos().x > from.x + 1.0);
}

#[test]
fn a_speed_from_the_command_line_holds_from_the_first_frame_and_in_every_run() {
    let options = Options { seed: Seed::Fixed(9), speed: Some(0.5), ..Options::default() };
    let mut driver = Driver::new(Shell::new(options, Store::in_memory()));
    driver.frame(Duration::ZERO);
    assert_eq!(driver.pacer().scale(), 0.5);
    driver.event(Duration::ZERO, Event::KeyDown(Key::Enter));
    driver.event(Duration::ZERO, Event::KeyUp(Key::Enter));
    driver.frame(Rate::hz(60).time_of(1));
    assert_eq!((driver.app().mode(), driver.pacer().scale()), ("playing", 0.5));
}

#[test]
fn brackets_change_how_fast_ticks_come_and_not_what_they_do() {
    let mut player = player(true);
    player.run(60);
    let normal = player.app().state().clock.tick();
    player.tap(Key::BracketLeft);
    player.run(60);
    let slow = player.app().state().clock.tick() - normal;
    assert!((28..=32).contains(&slow), "half as many: {slow} after {normal}");
}

#[test]
fn a_lost_focus_pauses_the_player_and_not_the_autopilot() {
    for (autopilot, mode) in [(false, "paused"), (true, "playing")] {
        let mut player = player(autopilot);
        if !autopilot {
            player.tap(Key::Enter);
        }
        player.run(5);
        player.event(Event::FocusLost);
        assert_eq!(player.app().mode(), mode);
    }
}

#[test]
fn after_a_restart_inside_a_frame_the_pacer_counts_the_ticks_of_the_new_run() {
    // The run behind the title screen, the one that Enter starts, and the one after a confirmation.
    const RUNS: u32 = 3;
    for at_ms in [1, 20, 45] {
        let mut driver = driver(false);
        driver.event(Duration::ZERO, Event::KeyDown(Key::Enter));
        driver.event(Duration::ZERO, Event::KeyUp(Key::Enter));
        driver.frame(Duration::from_millis(50));
        let mut state = driver.app().state().clone();
        state.phase = Phase::Dead;
        state.phase_ticks = 10_000;
        *driver.app_mut().run.play.sim_mut() = Sim::from_state(state);
        driver.event(Duration::from_millis(50 + at_ms), Event::KeyDown(Key::Enter));
        let frame = driver.frame(Duration::from_millis(100));
        assert_eq!(frame.steps(), 3);
        for n in 3..20 {
            let tick = driver.app().state().clock.tick();
            assert_eq!((driver.app().state().runs, driver.pacer().tick()), (RUNS, tick));
            assert!(tick >= 2, "the frame's other ticks are the new run's");
            driver.frame(Duration::from_millis(50 * n));
        }
    }
}

#[test]
fn a_run_begins_in_the_same_phase_whenever_its_key_is_pressed() {
    const REFRESH: Duration = Duration::from_nanos(16_666_667);
    let plans = |driver: &mut Driver<Shell>, from: u32| -> Vec<(u32, f64)> {
        let plan = |n: u32| {
            let frame = driver.frame(REFRESH * (from + n));
            (frame.steps(), frame.alpha())
        };
        (0..90).map(plan).collect()
    };
    let options = Options { seed: Seed::Fixed(9), autopilot: true, ..Options::default() };
    let fresh = plans(&mut Driver::new(Shell::new(options, Store::in_memory())), 0);
    for share in [1, 5, 9] {
        let mut driver = driver(false);
        (1..40).for_each(|n| {
            driver.frame(REFRESH * n);
        });
        driver.event(REFRESH * 39 + REFRESH * share / 10, Event::KeyDown(Key::Enter));
        assert_eq!(plans(&mut driver, 40), fresh, "a key {share} tenths of a frame after one");
    }
}

/// A recording of some ticks by the autopilot.
fn recorded(ticks: u64) -> Vec<u8> {
    starship_sim::record_autopilot(7, ticks).0
}

/// A player who watches a recording.
fn watching(ticks: u64) -> Player {
    let mut player = player(false);
    player.driver.app_mut().watch_soon(read_recording(&recorded(ticks), Check::Strict).expect("a recording"));
    player.run(1);
    player
}

#[test]
fn a_watched_recording_reaches_the_recorded_end_and_stops_there() {
    let mut player = watching(200);
    player.run(400);
    assert_eq!(player.app().watched_tick(), Some(200));
    assert_eq!(player.app().mode(), "paused");
    assert_eq!(player.app().state().hash(), starship_sim::record_autopilot(7, 200).1);
}

#[test]
fn seeking_stepping_and_scrubbing_lead_to_the_recorded_states() {
    let at = |ticks| starship_sim::record_autopilot(7, ticks).1;
    let mut player = watching(900);
    player.run(2);
    player.tap(Key::KeyP);
    player.tap(Key::End);
    assert_eq!((player.app().watched_tick(), player.app().state().hash()), (Some(900), at(900)));
    player.tap(Key::ArrowLeft);
    player.tap(Key::ArrowLeft);
    assert_eq!((player.app().watched_tick(), player.app().state().hash()), (Some(300), at(300)));
    player.tap(Key::Comma);
    assert_eq!((player.app().watched_tick(), player.app().state().hash()), (Some(299), at(299)));
    player.tap(Key::Period);
    player.run(3);
    assert_eq!((player.app().watched_tick(), player.app().state().hash()), (Some(300), at(300)));
    let button = evenstep_host::PointerButton::Primary;
    let middle = evenstep_host::Pointer { id: evenstep_host::Pointer::MOUSE, x: 640.0, y: 685.0, button };
    player.event(Event::PointerDown(middle));
    player.event(Event::PointerUp(middle));
    assert_eq!((player.app().watched_tick(), player.app().state().hash()), (Some(450), at(450)));
}

#[test]
fn the_player_takes_over_and_the_ring_records_from_there() {
    let mut player = watching(500);
    player.run(100);
    player.tap(Key::Enter);
    assert_eq!(player.app().watched_tick(), None);
    player.run(150);
    let minute = player.app().last_minute().expect("a ring");
    let recording = read_recording(&minute, Check::Strict).expect("a recording");
    assert!((140..=150).contains(&recording.ticks()), "{}", recording.ticks());
    let mut sim = Sim::before_any_run();
    let verdict = evenstep_replay::verify(&recording, &mut sim, |_| ()).expect("it can be played");
    assert!(matches!(verdict, evenstep_replay::Verdict::Same { .. }), "{verdict:?}");
    assert_eq!(sim.state().hash(), player.app().state().hash());
}

#[test]
fn holding_r_rewinds_a_sandbox_and_nothing_else() {
    for is_sandbox in [true, false] {
        let sandbox = is_sandbox;
        let options = Options { seed: Seed::Fixed(9), autopilot: true, sandbox, ..Options::default() };
        let mut player = Player::new(Store::in_memory(), options);
        player.run(400);
        let before = player.app().state().clock.tick();
        player.event(Event::KeyDown(Key::KeyR));
        player.run(50);
        let after = player.app().state().clock.tick();
        assert_eq!(after < before, is_sandbox, "{before} to {after}");
        if is_sandbox {
            assert!((before - after).abs_diff(100) <= 4, "{before} to {after}: twice as fast as time");
        }
        player.event(Event::KeyUp(Key::KeyR));
        player.run(30);
        assert!(player.app().state().clock.tick() > after, "time runs on");
        let minute =
            read_recording(&player.app().last_minute().expect("a ring"), Check::Strict).expect("a recording");
        let verdict = evenstep_replay::verify(&minute, &mut Sim::before_any_run(), |_| ());
        assert!(matches!(verdict, Ok(evenstep_replay::Verdict::Same { .. })), "{verdict:?}");
    }
}

#[test]
fn f6_saves_a_recording_and_names_it() {
    let folder = std::env::temp_dir().join(format!("starship-f6-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut player = player(true);
    player.run(120);
    crate::files::in_folder(&folder, || _ = player.tap(Key::F6));
    let (notice, _) = player.app().show.notice.clone().expect("a notice");
    assert!(notice.starts_with("SAVED ") && notice.ends_with("starship-001.replay"), "{notice}");
    let bytes = std::fs::read(folder.join("starship-001.replay")).expect("the file");
    assert!(read_recording(&bytes, Check::Strict).expect("a recording").is_complete());
    std::fs::remove_dir_all(folder).expect("the folder");
}
