use evenstep_host::{Driver, Key, Pixels};
use std::time::Duration;

use starship_sim::{Display, Game, Phase, Sim, TestRunner};

use super::*;

fn driver(autopilot: bool) -> Driver<Shell> {
    let options = Options { seed: 9, autopilot, fps_cap: None, speed: 1.0 };
    let mut driver = Driver::new(Shell::new(options));
    driver.frame(Duration::ZERO);
    driver
}

/// Runs frames at 60 Hz, starting after `frame`.
fn run(driver: &mut Driver<Shell>, frame: &mut u64, frames: u64) {
    for _ in 0..frames {
        *frame += 1;
        driver.frame(Rate::hz(60).time_of(*frame));
    }
}

fn tap(driver: &mut Driver<Shell>, frame: u64, key: Key) {
    let now = Rate::hz(60).time_of(frame);
    driver.event(now, Event::KeyDown(key));
    driver.event(now, Event::KeyUp(key));
}

#[test]
fn the_shell_plays_the_same_game_as_the_headless_loop() {
    let mut driver = driver(true);
    let mut frame = 0;
    while driver.app().state().clock.tick() < 1_500 {
        run(&mut driver, &mut frame, 1);
    }
    let ticks = driver.app().state().clock.tick();
    let mut runner = TestRunner::new(Game::new(), Display::hz(144.0));
    runner.launch(RunDef::seeded(9));
    runner.run_ticks(ticks, |state| Autopilot.input(state));
    assert_eq!(driver.app().state().hash(), runner.game.state().hash());
}

#[test]
fn drawing_never_writes_the_game() {
    let (mut drawn, mut blind) = (driver(true), driver(true));
    let (mut a, mut b) = (0, 0);
    let mut memory = vec![0; 320 * 180];
    for _ in 0..120 {
        run(&mut drawn, &mut a, 5);
        run(&mut blind, &mut b, 5);
        drawn.draw(&mut Pixels::new(&mut memory, 320, 180, 1.0));
    }
    assert_eq!(drawn.app().state().hash(), blind.app().state().hash());
}

#[test]
fn enter_starts_p_holds_and_a_full_stop_makes_one_step() {
    let (mut driver, mut frame) = (driver(false), 0);
    run(&mut driver, &mut frame, 10);
    assert_eq!(driver.app().mode(), "title");
    tap(&mut driver, frame, Key::Enter);
    run(&mut driver, &mut frame, 30);
    assert_eq!(driver.app().mode(), "playing");
    tap(&mut driver, frame, Key::KeyP);
    run(&mut driver, &mut frame, 1);
    let held = driver.app().state().clock.tick();
    run(&mut driver, &mut frame, 30);
    assert_eq!((driver.app().mode(), driver.app().state().clock.tick()), ("paused", held));
    tap(&mut driver, frame, Key::Period);
    run(&mut driver, &mut frame, 30);
    assert_eq!(driver.app().state().clock.tick(), held + 1);
    tap(&mut driver, frame, Key::Escape);
    run(&mut driver, &mut frame, 30);
    assert!(driver.app().state().clock.tick() > held + 20);
}

#[test]
fn keys_steer_the_ship() {
    let (mut driver, mut frame) = (driver(false), 0);
    tap(&mut driver, frame, Key::Enter);
    run(&mut driver, &mut frame, 5);
    let from = driver.app().state().ship.pos();
    driver.event(Rate::hz(60).time_of(frame), Event::KeyDown(Key::KeyD));
    run(&mut driver, &mut frame, 30);
    assert!(driver.app().state().ship.pos().x > from.x + 1.0);
}

#[test]
fn a_speed_from_the_command_line_holds_from_the_first_frame_and_in_every_run() {
    let options = Options { seed: 9, autopilot: false, fps_cap: None, speed: 0.5 };
    let mut driver = Driver::new(Shell::new(options));
    driver.frame(Duration::ZERO);
    assert_eq!(driver.pacer().scale(), 0.5);
    tap(&mut driver, 0, Key::Enter);
    driver.frame(Rate::hz(60).time_of(1));
    assert_eq!((driver.app().mode(), driver.pacer().scale()), ("playing", 0.5));
}

#[test]
fn brackets_change_how_fast_ticks_come_and_not_what_they_do() {
    let (mut driver, mut frame) = (driver(true), 0);
    run(&mut driver, &mut frame, 60);
    let normal = driver.app().state().clock.tick();
    tap(&mut driver, frame, Key::BracketLeft);
    run(&mut driver, &mut frame, 60);
    let slow = driver.app().state().clock.tick() - normal;
    assert!((28..=32).contains(&slow), "half as many: {slow} after {normal}");
}

#[test]
fn a_lost_focus_pauses_the_player_and_not_the_autopilot() {
    for (autopilot, mode) in [(false, "paused"), (true, "playing")] {
        let (mut driver, mut frame) = (driver(autopilot), 0);
        if !autopilot {
            tap(&mut driver, frame, Key::Enter);
        }
        run(&mut driver, &mut frame, 5);
        driver.event(Rate::hz(60).time_of(frame), Event::FocusLost);
        assert_eq!(driver.app().mode(), mode);
    }
}

#[test]
fn after_a_restart_inside_a_frame_the_pacer_counts_the_ticks_of_the_new_run() {
    // The run behind the title screen, the one that Enter starts, and the one after a confirmation.
    const RUNS: u32 = 3;
    for at_ms in [1, 20, 45] {
        let mut driver = driver(false);
        tap(&mut driver, 0, Key::Enter);
        driver.frame(Duration::from_millis(50));
        let mut state = driver.app().state().clone();
        (state.phase, state.phase_ticks) = (Phase::Dead, 10_000);
        *driver.app_mut().play.sim_mut() = Sim::from_state(state);
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
    let options = Options { seed: 9, autopilot: true, fps_cap: None, speed: 1.0 };
    let fresh = plans(&mut Driver::new(Shell::new(options)), 0);
    for share in [1, 5, 9] {
        let mut driver = driver(false);
        (1..40).for_each(|n| {
            driver.frame(REFRESH * n);
        });
        driver.event(REFRESH * 39 + REFRESH * share / 10, Event::KeyDown(Key::Enter));
        assert_eq!(plans(&mut driver, 40), fresh, "a key {share} tenths of a frame after one");
    }
}
